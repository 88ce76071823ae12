"""``python -m cpsolve`` is the command line."""

from cpsolve.command import main

main()

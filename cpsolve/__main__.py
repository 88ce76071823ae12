"""``python -m cpsolve`` is the command line."""

from cpsolve.app.command import main

main()

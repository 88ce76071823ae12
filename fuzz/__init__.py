"""Random trials against something that cannot be fooled: what the toolkit answers must be what brute force finds.

``python -m fuzz models --minutes 30 --seed 1`` runs one program. A *program* is a module of this package with ``KINDS``: for every kind of
trial a function of a random generator that returns normally when all was right, and raises :class:`~fuzz.runner.Wrong` or
:class:`~fuzz.runner.Refused` otherwise. ``runner`` does the rest: seeds, time, counting, reports. A new program is a new module and a line
in ``__main__.PROGRAMS``.
"""

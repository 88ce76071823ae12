"""Random trials against something that cannot be fooled: what the toolkit answers must be what brute force or plain rules find.

``python -m fuzz models --minutes 30 --seed 1`` runs one program, ``python -m fuzz`` all. A *program* is a module of this package with
``KINDS``: a :class:`~fuzz.runner.Kind` draws inputs, and checks them. ``runner`` does the rest: seeds, time, a worker process that may
crash or hang, counting, making small what failed. A new program is a new module and a line in ``__main__.PROGRAMS``.
"""

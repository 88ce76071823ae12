"""Mutation testing: small wrong changes are made to the code, one at a time, and the tests must notice.

``python -m tests.mutants`` draws a sample of all changes (``changes``), looks up which tests reach the changed line (``record``), runs
those in a fork that imports the changed code (``trial``), and prints how many changes were noticed. A change that no test can notice,
because it changes nothing that can be seen, is explained in ``explained.txt``. What numba compiles is left out: its cache of machine code
does not see the change, and to compile anew takes minutes.
"""

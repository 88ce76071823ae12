"""What puzzles and games have in common, whatever their rules.

``plans`` is the protocol of a one-player puzzle and its answer. Walks with things to collect: ``graphs`` of moves, ``routes`` on them,
their constraint models in ``encodings``, solved in ``walks``; ``orders`` and ``local_search`` know distances only; ``paths`` lists
and counts acyclic walks; ``garden`` is the smallest example. ``search`` and ``naive`` are what the models are compared with; ``games`` is
the protocol of two-player games. Puzzles that are printed on a grid: ``boards`` is what is printed, ``links`` are those of puzzle sites,
``pictures`` draws, ``showing`` makes a command, ``generate`` makes new ones.
"""

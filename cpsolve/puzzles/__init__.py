"""What puzzles and games have in common, whatever their rules.

``plans`` is the protocol of a one-player puzzle and its answer; ``routes`` solves walks with things to collect, in the ``orders``
that a constraint model proves best (``local_search`` finds them a start); ``paths`` lists and counts acyclic walks; ``search`` and
``naive`` are what the models are compared with; ``games`` is the protocol of two-player games.
"""

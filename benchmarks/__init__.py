"""Speed, as ratios against named peers in the same run on the same inputs: ``python -m benchmarks``.

Each topic is a module with ``run(quick)``, which yields one row after the other: ``growth``, ``modelling``, ``counting``, ``routes``,
``minesweeper``, ``four_in_a_line``, ``center``. They measure with ``measure``; ``runner`` keeps every row at once through ``record``, and
``plots`` draws what was kept. ``minesweeper_campaigns``, which counts games won, is a command of its own.
"""

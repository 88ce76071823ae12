"""Games and puzzles on top of cpsolve, one package each, all with the same rooms.

``rules`` is the game (states, legal moves, goal) and knows no solver; ``encode`` turns an instance into a model and a solution
back into moves; ``formats`` reads and writes the game's files and drawings.
"""

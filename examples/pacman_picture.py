"""A maze of one's own for Pacman, solved and drawn as a picture for a web page.

python examples/pacman_picture.py maze.svg
"""

import sys

from models import pacman

MAZE = """
P..#...G
.#.#.#..
.#...#.D
.#.#...#
G..#.#.C
"""

cells = {(x, y): mark for y, line in enumerate(MAZE.split()) for x, mark in enumerate(line)}
(start,), (dot,), (cherry,), ghosts, walls = ([cell for cell, mark in cells.items() if mark == kind] for kind in "PDCG#")
board = pacman.Board(8, 5, pacman=start, dot=dot, cherry=cherry, ghosts=ghosts, walls=walls)
plan = pacman.solve(board)
ways = len(list(pacman.shortest_plans(board)))
print(f"{plan.cost} moves, {'proven shortest' if plan.optimal else 'not proven'}; {ways} way{'s' * (ways > 1)} to do it in as many")
picture = pacman.draw(board, plan)
print(picture)
if len(sys.argv) > 1:
    picture.save(sys.argv[1])

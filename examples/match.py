"""Computers play: two levels of Center against each other, and what a perfect player says to a game of Four-in-a-line.

python examples/match.py
"""

from models import center, four_in_a_line

position, levels = center.Position(7), {"x": 2, "o": 3}
while not position.is_over:
    position = position.play(center.choose_move(position, level=levels[position.to_move], seed=1))
print(position)
print(f"Center: {position.winner} wins, played by level {levels[position.winner or 'x']}")

moves = "44444326265556"
for ply in range(len(moves) - 4, len(moves) + 1):
    position = four_in_a_line.Position.from_moves(moves[:ply])
    verdict = four_in_a_line.solve(position)
    print(f"after {moves[:ply]}, with best play: {verdict}")

"""Advice for a Minesweeper board that is stuck: what is certain and why, and the exact risk of every other cell.

python examples/minesweeper_advice.py [BOARD.txt [MINES]]
"""

import sys
from pathlib import Path

from models import minesweeper

BOARD = """
---------
11112----
00001----
12222----
---------
---------
"""

if len(sys.argv) > 1:
    view = minesweeper.View.from_text(Path(sys.argv[1]).read_text(), mines=int(sys.argv[2]) if len(sys.argv) > 2 else None)
else:
    view = minesweeper.View.from_text(BOARD, mines=10)
answer = minesweeper.infer(view)
print(minesweeper.draw(view, answer))
print(f"{answer.solutions:,} fields fit; safe: {sorted(answer.safe) or 'none'}; mines: {sorted(answer.mines) or 'none'}")
for cell in sorted(answer.safe)[:1] + sorted(answer.mines)[:1]:
    print(minesweeper.why(view, cell))
if not answer.safe:
    print("least risk:", ", ".join(f"{cell} {answer.exact(cell)}" for cell in answer.best))

"""A hint for a Sudoku that a person can check: one cell, its value, and the few rules that force it.

python examples/sudoku_hint.py
"""

import numpy as np

import cpsolve as cp

GIVEN = """
53..7....
6..195...
.98....6.
8...6...3
4..8.3..1
7...2...6
.6....28.
...419..5
....8..79
"""

given = np.array([[int(c) if c != "." else 0 for c in line] for line in GIVEN.split()])
m = cp.Model("sudoku")
x = m.int_vars((9, 9), 1, 9, name="x")
m.add([cp.all_different(row) for row in x], name="row")
m.add([cp.all_different(column) for column in x.T], name="column")
m.add([cp.all_different(x[r : r + 3, c : c + 3]) for r in (0, 3, 6) for c in (0, 3, 6)], name="box")
for row, column in np.argwhere(given):
    m.add(x[row, column] == given[row, column], name=f"given {row},{column}")

solution = m.solve().solution
others = m.solutions(limit=2)
print("the only solution:" if len(list(others)) == 1 else "one of several solutions:")
print(solution[x])

reasons = {tuple(cell): m.explain(x[tuple(cell)] == solution[x[tuple(cell)]]) for cell in np.argwhere(given == 0)[:3]}
cell = min(reasons, key=lambda cell: len(reasons[cell]))
print(f"hint: {x[cell]} is {solution[x[cell]]}, because of", ", ".join(entry.name for entry in reasons[cell]))

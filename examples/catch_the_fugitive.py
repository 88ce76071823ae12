"""A building of one's own for Busy Police: the constraint model, and the searches that it is compared with.

python examples/catch_the_fugitive.py
"""

from models import busy_police

scene = busy_police.Scene(
    width=12,
    floors=5,
    carts={(5, 1), (8, 2), (4, 3), (9, 4)},
    ladders={(3, 1), (10, 1), (6, 2), (11, 2), (2, 3), (8, 3), (7, 4)},
    officer=(1, 1),
    fugitive=(12, 5),
    evidence={(12, 1), (1, 2), (12, 3), (1, 4), (5, 5), (6, 3)},
)
print(scene)
print(f"{'method':10}{'moves':>8}{'proven':>8}{'seconds':>10}")
for method in ("auto", "circuit", "astar", "bfs", "dfs"):
    plan = busy_police.solve(scene, method=method, time_limit=5)
    print(f"{method:10}{plan.cost or '–':>8}{'yes' if plan.optimal else 'no':>8}{plan.stats['wall_time']:>10.3f}")
print("how:", ", ".join(map(str, busy_police.solve(scene).moves)))

"""Busy Police as a route: one stage from the officer through the evidence to the fugitive, on the graph that the rules give.

The graph is one and the same throughout, because collected evidence still forbids landing: what the officer has collected
changes none of his moves.
"""

from __future__ import annotations

from cpsolve.puzzles.graphs import MoveGraph
from cpsolve.puzzles.plans import Cell
from cpsolve.puzzles.routes import Obstacle, Route, Stage
from models.busy_police.rules import Scene, State


def route(scene: Scene) -> Route[State]:
    """The scene as a route.

    >>> from models.busy_police import SCENES
    >>> [stage.items for stage in route(SCENES["evidencias"]).stages]
    [((1, 3), (1, 4), (1, 5))]
    """

    def divide() -> list[Stage]:
        graph = MoveGraph(scene.cells(), scene.steps)
        return [Stage(graph, scene.officer, scene.evidence, scene.fugitive, ("officer", "evidence", "fugitive"))]

    return Route(scene, divide, lambda obstacle: explain(scene, obstacle), lambda state: (0, scene.evidence - state.collected))


# -- why there is no plan


def explain(scene: Scene, obstacle: Obstacle) -> str:
    """An obstacle in words: what cannot be reached, from where, and what is in the way.

    >>> explain(scene := Scene(3, 2, [], [], (1, 1), (1, 2)), route(scene).stages[0].obstacle())
    'the fugitive (1, 2) cannot be reached: no ladder leads to floor 2'
    """
    target = _name(scene, obstacle.target)
    if obstacle.both_ways:
        return (
            f"{target} cannot be reached from {_name(scene, obstacle.source)}, nor the other way round: "
            "whichever is collected first, the other one is lost"
        )
    reached = obstacle.stage.graph.reach(obstacle.source)
    text = f"{target} cannot be reached"
    if obstacle.source != scene.officer:
        text += f" from {_name(scene, obstacle.source)}, which has to be collected"
    return f"{text}: {_in_the_way(scene, obstacle, reached)}"


def _name(scene: Scene, cell: Cell) -> str:
    if cell in scene.evidence:
        return f"evidence {cell}"
    return f"the fugitive {cell}" if cell == scene.fugitive else f"the officer {cell}"


def _in_the_way(scene: Scene, obstacle: Obstacle, reached: set[Cell]) -> str:
    floor = obstacle.target[1]
    leading = sorted(cell for cell in scene.ladders if floor in (cell[1], cell[1] + 1))
    from_other_floors = [cell for cell in leading if (cell[0], 2 * cell[1] + 1 - floor) in reached]
    floors = {cell[1] for cell in reached}
    if floor not in floors and not leading:
        return f"no ladder leads to floor {floor}"
    blocked = _blocked_jumps(scene, obstacle, reached)
    if blocked:
        return "; ".join(blocked)
    if floor not in floors and not from_other_floors:
        ladders = ", ".join(map(str, leading))
        return f"no ladder within reach leads to floor {floor} (its ladders are at {ladders}), the way ends on {_floors(floors)}"
    columns = sorted(cell[0] for cell in reached if cell[1] == floor)
    return f"on floor {floor} only columns {columns[0]} to {columns[-1]} can be reached: carts that cannot be jumped bar the rest"


def _floors(floors: set[int]) -> str:
    return f"floor {min(floors)}" if len(floors) == 1 else f"floors {min(floors)} to {max(floors)}"


def _blocked_jumps(scene: Scene, obstacle: Obstacle, reached: set[Cell]) -> list[str]:
    """The forbidden jumps that would each lead to the target."""
    graph = obstacle.stage.graph
    to_target = graph.search([graph.number[obstacle.target]], backwards=True)
    found = []
    for column, floor in sorted(reached):
        for side in (1, -1):
            cart, landing = (column + side, floor), (column + 2 * side, floor)
            why = scene.landing_obstacle(landing)
            if cart in scene.carts and why is not None and graph.number.get(landing) in to_target:
                found.append(f"the jump from {(column, floor)} over the cart at {cart} would land {why} at {landing}")
    return found

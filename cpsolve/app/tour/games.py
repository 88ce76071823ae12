"""The five games of the tour: each seed's own instance solved, checked by the rules, drawn, and put to naive depth-first search.

Times are those of the answers alone: solvers are loaded and kernels compiled before a clock starts. A naive search that has not
ended after ``PATIENCE`` seconds is stopped, and its row says so.
"""

from __future__ import annotations

import time
from typing import Any

from cpsolve.app.tour.stop import Comparison, Side, Stop
from cpsolve.puzzles import naive
from cpsolve.puzzles.games import in_plies
from cpsolve.puzzles.plans import Plan, replay
from cpsolve.words import counted

PATIENCE = 1.0
"""Seconds that a naive search gets."""


# -- puzzles for one


def pacman() -> Stop:
    """Pacman: the dot, every ghost, the cherry."""
    from models import pacman

    stop = Stop("Pacman")
    board = pacman.BOARDS["seed"]
    plan = _walk(stop, "seed, 5×5", pacman, board)
    stop.tell("all shortest plans", sum(1 for _ in pacman.shortest_plans(board)))
    stop.draw(pacman.draw(board, plan))
    ghosts = [(2, 2), (7, 1), (1, 8), (8, 6), (5, 3), (3, 7), (6, 8), (9, 2)]
    _compare_walk(stop, "10×10, 8 ghosts", pacman, pacman.Board(10, 10, (0, 0), (4, 5), (9, 9), ghosts))
    return stop


def busy_police() -> Stop:
    """Busy Police: all evidence, then the arrest."""
    from models import busy_police

    stop = Stop("Busy Police")
    scene = busy_police.SCENES["evidencias"]
    plan = _walk(stop, "seed, evidencias", busy_police, scene)
    stop.tell("count_paths", f"{busy_police.count_paths(scene)} acyclic paths, without listing them")
    stop.draw(busy_police.draw(scene, plan))
    return stop


def _walk(stop: Stop, instance_name: str, module: Any, instance: Any) -> Plan[Any]:
    plan = _compare_walk(stop, instance_name, module, instance)
    stop.tell("solve", f"{plan.cost} moves, {'proven shortest' if plan.optimal else 'not proven shortest'}")
    states = replay(instance, plan.moves)
    stop.tell("verified", f"the rules replayed all {len(states) - 1} moves and found the goal reached")
    return plan


def _compare_walk(stop: Stop, instance_name: str, module: Any, instance: Any) -> Plan[Any]:
    import cpsolve.solvers.cpsat  # noqa: F401  (loading the solver is not part of solving)

    plan: Plan[Any] = module.solve(instance, method="circuit")
    found: Plan[Any] = module.solve(instance, method="dfs", time_limit=PATIENCE, max_states=None)
    ours = Side(f"{plan.cost} moves{', shortest' if plan.optimal else ''}", plan.stats["wall_time"])
    theirs = f"{found.cost} moves" if found else "no answer yet"
    naive_side = Side(theirs, found.stats["wall_time"], found.stats["states"], finished=bool(found))
    stop.comparisons.append(Comparison(instance_name, ours, naive_side))
    return plan


# -- Minesweeper


def minesweeper() -> Stop:
    """Minesweeper: what the seed's player could have known, and the same on a large board."""
    from models import minesweeper
    from models.minesweeper.formats import SEED_MINES, SEED_VIEW

    stop = Stop("Minesweeper")
    view = minesweeper.View.from_text(SEED_VIEW, SEED_MINES)
    minesweeper.infer(view)  # compiles or loads the kernels
    answer, tried = _compare_view(stop, "seed, 4×4", view)
    stop.tell("infer", f"safe: {_cells(answer.safe)}; mines: {_cells(answer.mines)}; {answer.solutions} field fits")
    stop.tell("why", str(minesweeper.why(view, min(answer.safe))))
    if tried.solutions != answer.solutions:
        raise AssertionError(f"depth-first search finds {tried.solutions} fields, inference {answer.solutions}")
    stop.tell("verified", "depth-first search over the layouts of mines finds as many that fit")
    stop.draw(minesweeper.draw(view, answer))
    game = minesweeper.Game(minesweeper.Field.random(16, 30, 99, seed=1), first_click="opening", seed=1)
    game.open((8, 15))
    large, _ = _compare_view(stop, "16×30, 99 mines", game.view)
    stop.tell("on 16×30", f"{_about(large.solutions)} fields fit; {len(large.safe)} cells are safe, {len(large.mines)} are mines")
    return stop


def _compare_view(stop: Stop, instance_name: str, view: Any) -> tuple[Any, naive.ModelSearch]:
    from models import minesweeper

    started = time.perf_counter()
    answer = minesweeper.infer(view)
    fields = answer.solutions
    seconds = time.perf_counter() - started
    found = naive.solutions(minesweeper.encode(view), time_limit=PATIENCE)
    ours = Side(f"{_about(fields)} field{'' if fields == 1 else 's'}, risks exact", seconds)
    theirs = counted(found.solutions, "field") + ("" if found.finished else " so far")
    stop.comparisons.append(Comparison(instance_name, ours, Side(theirs, found.seconds, found.states, found.finished)))
    return answer, found


def _cells(cells: Any) -> str:
    return ", ".join(f"({row},{column})" for row, column in sorted(cells)) or "none"


def _about(number: int) -> str:
    digits = len(str(number))
    return f"{number:,}" if digits <= 9 else f"10^{digits - 1}"


# -- games for two


def four_in_a_line() -> Stop:
    """Four-in-a-line: the seed's board, its successors, an order that leads to it, and perfect play."""
    from models import four_in_a_line
    from models.four_in_a_line import engine
    from models.four_in_a_line.formats import FIGURE

    stop = Stop("Four-in-a-line")
    position = four_in_a_line.Position.from_lists(FIGURE)
    engine.warm_up()
    stop.tell("adjacent", f"{len(list(four_in_a_line.adjacent(FIGURE, 'b')))} boards can follow")
    stop.tell("reach", "dropped in this order: " + ", ".join(map(str, four_in_a_line.reach(FIGURE).moves)))
    started = time.perf_counter()
    verdict = four_in_a_line.solve(position, progress=False)
    seconds = time.perf_counter() - started
    stop.tell("solve", f"{position.to_move} to move; {verdict}")
    end = _played_out(position, verdict)
    stop.tell("verified", f"the rules replayed a best line of {len(verdict.line)} drops to its end: {_won(end.winner)}")
    stop.draw(four_in_a_line.draw(position, verdict))
    _compare_game(stop, "seed, 7 stones", position, Side(_outcome(verdict.winner, verdict.plies), seconds, verdict.nodes))
    return stop


def center() -> Stop:
    """Center: the empty board of the seed, solved."""
    from models import center

    stop = Stop("Center")
    position = center.Position(5)
    center.solve(center.Position(3))  # compiles or loads the kernels
    started = time.perf_counter()
    verdict = center.solve(position)
    seconds = time.perf_counter() - started
    stop.tell("solve", f"{_outcome(verdict.winner, verdict.plies)} of best play; first stones that win so fast: {len(verdict.best)}")
    end = _played_out(position, verdict)
    stop.tell("verified", f"the rules replayed a best line to its end: {' '.join(map(str, verdict.line))}; {_won(end.winner)}")
    stop.draw(center.draw(end))
    _compare_game(stop, "seed, 5×5 empty", position, Side(_outcome(verdict.winner, verdict.plies), seconds, verdict.nodes))
    return stop


def _played_out(position: Any, verdict: Any) -> Any:
    """The position after the verdict's line, which must end the game as the verdict says."""
    end = position
    for move in verdict.line:
        end = end.play(move)
    if not end.is_over or end.winner != verdict.winner or len(verdict.line) != verdict.plies:
        raise AssertionError(f"the line {verdict.line} ends otherwise than the verdict says:\n{end}")
    return end


def _compare_game(stop: Stop, instance_name: str, position: Any, ours: Side) -> None:
    found = naive.minimax(position, time_limit=PATIENCE)
    theirs = _outcome(found.winner, found.plies or 0) if found.finished else "no answer yet"
    stop.comparisons.append(Comparison(instance_name, ours, Side(theirs, found.seconds, found.states, found.finished)))


def _outcome(winner: str | None, plies: int) -> str:
    return "a draw" if winner is None else f"{winner} wins in {in_plies(plies)}"


def _won(winner: str | None) -> str:
    return "a draw" if winner is None else f"{winner} has won"

"""The five games against rules written once more, on plain lists, straight from what the games' pages say: slow, and hard to get wrong.

Nothing of the package decides here what is legal: boards are drawn as plain data, plans and lines are replayed on it, and optima,
counts, risks and scores are found by trying everything.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, islice
from random import Random
from typing import Any

from cpsolve.errors import InfeasibleError, ModelError
from cpsolve.puzzles.walks import METHODS
from cpsolve.results import Status
from fuzz.runner import Kind, Refused, Wrong
from models import busy_police, center, four_in_a_line, minesweeper, pacman

Cell = tuple[int, int]
Value = Mapping[str, Any]
Steps = Callable[[Any], Iterator[tuple[str, Any]]]

MOST_STATES = 6_000
"""The states after which plain search gives up: the board is too large for it."""
MOST_PATHS = 3_000
"""The largest number of paths that are listed."""


def compare(what: str, given: object, expected: object) -> None:
    """Wrong unless both are the same."""
    if given != expected:
        raise Wrong(f"{what}: answered {given!r}, right is {expected!r}")


def built(make: Callable[..., Any], *args: Any, **named: Any) -> Any:
    """An instance; Refused if it cannot be, as happens while inputs are made smaller."""
    try:
        return make(*args, **named)
    except ModelError as error:
        raise Refused(str(error)) from error


# -- walks


class Walks:
    """A game of walks as plain rules: a start, steps with their names, and a goal."""

    def __init__(self, start: Hashable, steps: Steps, goal: Callable[[Any], bool]) -> None:
        self.start, self.steps, self.goal = start, steps, goal

    def shortest(self) -> tuple[int | None, int]:
        """The cost of a shortest walk (None without one), and the number of such walks."""
        ways: dict[Any, int] = {self.start: 1}
        reached: dict[Any, int] = {self.start: 0}
        queue: deque[Any] = deque([self.start])
        cost, number = None, 0
        while queue:
            state = queue.popleft()
            if cost is not None and reached[state] >= cost:
                if reached[state] == cost and self.goal(state):
                    number += ways[state]
                continue
            if self.goal(state):
                cost, number = reached[state], ways[state]
                continue
            for _, after in self.steps(state):
                if after not in reached:
                    if len(reached) > MOST_STATES:
                        raise Refused("too many states")
                    reached[after], ways[after] = reached[state] + 1, 0
                    queue.append(after)
                if reached[after] == reached[state] + 1:
                    ways[after] += ways[state]
        return cost, number

    def paths(self) -> list[tuple[str, ...]]:
        """All walks without a repeated state that end in the goal, by depth-first search."""
        looked = 0
        found: list[tuple[str, ...]] = []

        def go(moves: tuple[str, ...], path: tuple[Any, ...]) -> None:
            nonlocal looked
            if self.goal(path[-1]):
                found.append(moves)
                return
            for name, state in self.steps(path[-1]):
                looked += 1
                if looked > 20 * MOST_STATES or len(found) > MOST_PATHS:
                    raise Refused("too many paths")
                if state not in path:
                    go((*moves, name), (*path, state))

        go((), (self.start,))
        return found

    def replay(self, moves: Sequence[object]) -> None:
        """Wrong unless the moves are legal and lead to the goal."""
        state = self.start
        for number, move in enumerate(moves, 1):
            after = dict(self.steps(state))
            if str(move) not in after:
                raise Wrong(f"move {number}, {move}, is not legal in {state}: {moves}")
            state = after[str(move)]
        if not self.goal(state):
            raise Wrong(f"the plan ends in {state}: {moves}")


def ask_walks(module: Any, instance: Any, walks: Walks, value: Value) -> None:
    """One question about a game of walks, answered by the package and by plain search."""
    match value["ask"]:
        case "count":
            compare("count_paths", module.count_paths(instance), len(walks.paths()))
        case "paths":
            given = [tuple(map(str, plan.moves)) for plan in islice(module.paths(instance), MOST_PATHS + 2)]
            compare("paths", sorted(given), sorted(walks.paths()))
        case "shortest":
            cost, number = walks.shortest()
            if number > MOST_PATHS:
                raise Refused("too many plans")
            given = [tuple(map(str, plan.moves)) for plan in module.shortest_plans(instance)]
            for moves in given:
                walks.replay(moves)
            compare("shortest_plans", (len(given), len(set(given)), {len(moves) for moves in given} - {cost}), (number, number, set()))
        case "dfs":
            plan = module.solve(instance, "dfs", max_states=20 * MOST_STATES)
            if plan.status is Status.UNKNOWN:
                raise Refused("too many paths")
            check_plan(plan, walks, best=False)
        case method:
            check_plan(module.solve(instance, method), walks, best=True)


def check_plan(plan: Any, walks: Walks, best: bool) -> None:
    """A plan is legal and as short as can be, or there is none."""
    cost, _ = walks.shortest()
    if cost is None:
        compare("solve", (plan.status, bool(plan.reason)), (Status.INFEASIBLE, True))
        return
    walks.replay(plan.moves)
    compare("the cost of a plan", plan.cost, len(plan.moves))
    if best:
        compare("solve", (plan.status, plan.cost, plan.bound), (Status.OPTIMAL, cost, cost))
    elif plan.cost < cost:
        raise Wrong(f"a plan of cost {plan.cost} is shorter than the shortest, {cost}")


def some(random: Random, cells: Sequence[Cell], most: int) -> list[Cell]:
    """A few different cells."""
    return random.sample(cells, min(len(cells), random.randint(0, most)))


def draw_question(random: Random) -> str:
    """A method, or another question."""
    return random.choice([*METHODS, "count", "paths", "shortest"])


def make_pacman(random: Random) -> dict[str, Any]:
    """A board with many walls, so that some have no plan."""
    width, height = random.choice([(random.randint(1, 4), random.randint(2, 3)), (random.randint(2, 6), random.randint(2, 5))])
    cells = [(x, y) for y in range(height) for x in range(width)]
    random.shuffle(cells)
    while len(cells) < 3:
        cells.append((0, 0))
    pacman_, dot, cherry, *rest = cells
    ghosts = some(random, rest, 4)
    walls = some(random, [cell for cell in rest if cell not in ghosts], len(rest) // 2)
    places = {"pacman": pacman_, "dot": dot, "cherry": cherry, "ghosts": ghosts, "walls": walls}
    return {"width": width, "height": height, **places, "ask": draw_question(random)}


def check_pacman(value: Value) -> None:
    """Eat the dot, then every ghost, then the cherry."""
    width, height, cherry, dot = value["width"], value["height"], tuple(value["cherry"]), tuple(value["dot"])
    walls, ghosts = ({(x, y) for x, y in value[name]} for name in ("walls", "ghosts"))
    board = built(pacman.Board, width, height, tuple(value["pacman"]), dot, cherry, ghosts, walls)

    def steps(state: Any) -> Iterator[tuple[str, Any]]:
        (x, y), eaten, left = state
        for name, cell in (("right", (x + 1, y)), ("left", (x - 1, y)), ("up", (x, y - 1)), ("down", (x, y + 1))):
            inside = 0 <= cell[0] < width and 0 <= cell[1] < height
            closed = cell in walls or (cell in left and not eaten) or (cell == cherry and left)
            if inside and not closed:
                yield name, (cell, eaten or cell == dot, left - {cell})

    start = (tuple(value["pacman"]), False, frozenset(ghosts))
    ask_walks(pacman, board, Walks(start, steps, lambda state: state == (cherry, True, frozenset())), value)


def make_police(random: Random) -> dict[str, Any]:
    """A scene with many carts, so that some have no plan."""
    width, floors = random.randint(1, 8), random.randint(1, 3)
    cells = [(column, floor) for floor in range(1, floors + 1) for column in range(1, width + 1)]
    ladders = [(column, floor) for column, floor in some(random, cells, 5) if floor < floors]
    officer, fugitive = random.choice(cells), random.choice(cells)
    evidence = some(random, cells, 3)
    standing = {*ladders, *((column, floor + 1) for column, floor in ladders), *evidence, officer, fugitive}
    carts = some(random, [cell for cell in cells if cell not in standing], len(cells) // 2)
    places = {"carts": carts, "ladders": ladders, "officer": officer, "fugitive": fugitive, "evidence": evidence}
    return {"width": width, "floors": floors, **places, "ask": draw_question(random)}


def check_police(value: Value) -> None:
    """Walk, jump over carts, use ladders, collect the evidence, reach the fugitive."""
    width, officer, fugitive = value["width"], tuple(value["officer"]), tuple(value["fugitive"])
    carts, ladders, evidence = ({(column, floor) for column, floor in value[name]} for name in ("carts", "ladders", "evidence"))
    scene = built(busy_police.Scene, width, value["floors"], carts, ladders, officer, fugitive, evidence)

    def cells(column: int, floor: int) -> Iterator[tuple[str, Cell]]:
        if (column, floor) in ladders:
            yield "climb", (column, floor + 1)
        if (column, floor - 1) in ladders:
            yield "descend", (column, floor - 1)
        for name, side in (("right", 1), ("left", -1)):
            beside, beyond = (column + side, floor), (column + 2 * side, floor)
            if beside not in carts:
                if 1 <= beside[0] <= width:
                    yield f"walk {name}", beside
            elif 1 <= beyond[0] <= width and beyond not in {*carts, *ladders, *evidence, fugitive}:
                yield f"jump {name}", beyond

    def steps(state: Any) -> Iterator[tuple[str, Any]]:
        cell, had = state
        for name, after in cells(*cell):
            yield name, (after, had | ({after} & evidence))

    start = (officer, frozenset({officer} & evidence))
    ask_walks(busy_police, scene, Walks(start, steps, lambda state: state == (fugitive, frozenset(evidence))), value)


def make_maze(random: Random) -> dict[str, Any]:
    """A layout with some food."""
    width, height = random.randint(1, 6), random.randint(1, 5)
    signs = random.choice(["%%. ", "%.    oG", "%.."])
    rows = [[random.choice(signs) for _ in range(width)] for _ in range(height)]
    rows[random.randrange(height)][random.randrange(width)] = "P"
    method = random.choice(["auto", "passages", "circuit", "astar", "bfs"])
    return {"layout": "\n".join("%" + "".join(row) + "%" for row in rows), "method": method}


def check_maze(value: Value) -> None:
    """Eat all food and end anywhere."""
    maze = built(pacman.Maze.from_layout, value["layout"])
    at = {(x, y): sign for y, row in enumerate(value["layout"].split("\n")) for x, sign in enumerate(row)}
    start = next((cell for cell, sign in at.items() if sign == "P"), None)
    food = frozenset(cell for cell, sign in at.items() if sign == ".")
    if len(food) > 9:
        raise Refused("too much food")

    def steps(state: Any) -> Iterator[tuple[str, Any]]:
        (x, y), left = state
        for name, cell in (("right", (x + 1, y)), ("left", (x - 1, y)), ("up", (x, y - 1)), ("down", (x, y + 1))):
            if at.get(cell, "%") != "%":
                yield name, (cell, left - {cell})

    check_plan(pacman.solve(maze, value["method"]), Walks((start, food), steps, lambda state: not state[1]), best=True)


# -- Minesweeper


def make_view(random: Random) -> dict[str, Any]:
    """What a player sees of a small field; in some a number is wrong, or the number of mines."""
    rows, columns = random.randint(1, 5), random.randint(1, 6)
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    covered = random.sample(cells, random.randint(0, min(11, len(cells))))
    mines = set(covered[: random.randint(0, len(covered))])
    signs = {cell: str(len(mines & set(near(cell)))) for cell in cells}
    signs.update((cell, random.choice("----F")) for cell in covered)
    if random.random() < 0.3:
        for cell in some(random, [cell for cell in cells if cell not in covered], 2):
            signs[cell] = str(random.randint(0, 4))
    total = random.choice([len(mines), len(mines), None, random.choice([0, 1, 2, 5, 30])])
    board = ["".join(signs[row, column] for column in range(columns)) for row in range(rows)]
    return {"board": board, "mines": total, "method": random.choice(["diagram"] * 4 + ["cpsat", "python-constraint"])}


def near(cell: Cell) -> Iterator[Cell]:
    """The eight cells around one, on the board or not."""
    row, column = cell
    return ((row + i, column + j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0))


def placements(signs: Mapping[Cell, str], mines: int | None) -> list[set[Cell]]:
    """All ways to lay mines in the covered cells such that every number is right."""
    covered = [cell for cell, sign in signs.items() if not sign.isdigit()]
    if len(covered) > 12:
        raise Refused("too many covered cells")
    numbers = {cell: int(sign) for cell, sign in signs.items() if sign.isdigit()}
    found = []
    for size in range(len(covered) + 1) if mines is None else [mines]:
        for laid in map(set, combinations(covered, size)):
            if all(sum(cell in laid for cell in near(open_)) == number for open_, number in numbers.items()):
                found.append(laid)
    return found


def check_view(value: Value) -> None:
    """Fields, risks and certain cells; why a cell is certain; that nothing fits."""
    signs = {(row, column): sign for row, line in enumerate(value["board"]) for column, sign in enumerate(line)}
    view = built(minesweeper.View.from_text, "\n".join(value["board"]), value["mines"])
    fields = placements(signs, value["mines"])
    try:
        answer = minesweeper.infer(view, value["method"])
    except InfeasibleError as error:
        compare("fields that fit", 0, len(fields))
        compare("whether a conflict is told", bool(error.conflict), True)
        return
    compare("fields that fit", answer.solutions, len(fields))
    covered = [cell for cell, sign in signs.items() if not sign.isdigit()]
    risks = {(row + 1, column + 1): Fraction(sum((row, column) in laid for laid in fields), len(fields)) for row, column in covered}
    compare("risks", {cell: answer.exact(cell) for cell in risks}, risks)
    compare("safe cells", answer.safe, {cell for cell, risk in risks.items() if risk == 0})
    compare("mines", answer.mines, {cell for cell, risk in risks.items() if risk == 1})
    compare("best cells", set(answer.best), {cell for cell, risk in risks.items() if risk == min(risks.values())})
    for cell in sorted(answer.safe | answer.mines)[:2]:
        check_reasons(view, signs, cell, "mine" if risks[cell] else "safe")


def check_reasons(view: minesweeper.View, signs: Mapping[Cell, str], cell: Cell, verdict: str) -> None:
    """What is named does prove it, and no part of it can be spared."""
    told = minesweeper.why(view, cell)
    compare(f"why {cell}", told.verdict, verdict)

    def proven(numbers: Collection[Cell], total: int | None) -> bool:
        kept = {(row, column): sign for (row, column), sign in signs.items() if not sign.isdigit() or (row + 1, column + 1) in numbers}
        return all(((cell[0] - 1, cell[1] - 1) in laid) == (verdict == "mine") for laid in placements(kept, total))

    compare(f"whether {told.because} and {told.mines} prove it", proven(told.because, told.mines), True)
    idle = [each for each in told.because if proven({*told.because} - {each}, told.mines)]
    compare(f"reasons to spare of {told}", idle, [])
    compare(f"whether {told} needs the number of mines", told.mines is not None and proven(told.because, None), False)


# -- Four-in-a-line


def make_four(random: Random) -> dict[str, Any]:
    """A small board, or one that is nearly full."""
    rows, columns = random.choice([(random.randint(1, 4), random.randint(1, 4)), (random.randint(4, 6), random.randint(4, 7)), (6, 7)])
    connect = random.choice([4, 4, 3, random.randint(1, 5)])
    left = random.randint(0, 11)
    moves: list[int] = []
    piles: tuple[str, ...] = ("",) * columns
    while rows * columns - len(moves) > left:
        quiet = [column for column in range(columns) if len(piles[column]) < rows and not wins(dropped(piles, column), column, connect)]
        if not quiet:
            break
        moves.append(random.choice(quiet) + 1)
        piles = dropped(piles, moves[-1] - 1)
    return {"rows": rows, "columns": columns, "connect": connect, "moves": moves}


def dropped(piles: tuple[str, ...], column: int) -> tuple[str, ...]:
    """The board after a stone of whoever's turn it is; piles are texts from the bottom up."""
    player = "ab"[sum(map(len, piles)) % 2]
    return (*piles[:column], piles[column] + player, *piles[column + 1 :])


def wins(piles: tuple[str, ...], column: int, connect: int) -> bool:
    """Whether the topmost stone of a column is in a line."""
    row, player = len(piles[column]) - 1, piles[column][-1]

    def same(r: int, c: int) -> bool:
        return 0 <= c < len(piles) and 0 <= r < len(piles[c]) and piles[c][r] == player

    for up, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        length = 1
        for sign in (1, -1):
            step = sign
            while same(row + step * up, column + step * right):
                length, step = length + 1, step + sign
        if length >= connect:
            return True
    return False


def check_four(value: Value) -> None:
    """Scores by plain negamax, best columns, the line, and the original's successors."""
    rows, columns, connect = value["rows"], value["columns"], value["connect"]
    piles: tuple[str, ...] = ("",) * columns
    for move in value["moves"]:
        if not 1 <= move <= columns or len(piles[move - 1]) >= rows:
            raise Refused("a full column")
        piles = dropped(piles, move - 1)
        if wins(piles, move - 1, connect):
            raise Refused("a line before the end")
    if rows * columns - len(value["moves"]) > 12:
        raise Refused("too many cells are free")

    @cache
    def worth(piles: tuple[str, ...]) -> tuple[int, int]:
        """The score for the player to move, and the plies to the end."""
        free = rows * columns - sum(map(len, piles))
        found = [after(piles, column) for column in range(columns) if len(piles[column]) < rows]
        return max(found, default=(0, free))

    def after(piles: tuple[str, ...], column: int) -> tuple[int, int]:
        following = dropped(piles, column)
        free = rows * columns - sum(map(len, following))
        if wins(following, column, connect):
            return free // 2 + 1, 1
        score, plies = worth(following)
        return -score, plies + 1

    position = built(four_in_a_line.Position.from_moves, value["moves"], rows, columns, connect)
    expected = {column + 1: after(piles, column)[0] for column in range(columns) if len(piles[column]) < rows}
    verdict = four_in_a_line.solve(position, progress=False)
    score, plies = worth(piles)
    mover = "ab"[len(value["moves"]) % 2]
    winner = None if score == 0 else mover if score > 0 else "ab".replace(mover, "")
    compare("scores", dict(verdict.scores), expected)
    compare("best", set(verdict.best), {column for column, each in expected.items() if each == score} if expected else set())
    compare("solve", (verdict.score, verdict.winner, verdict.plies), (score, winner, plies))
    check_line(verdict.line, piles, rows, connect, winner, plies)
    check_successors(piles, rows, columns)


def check_line(line: Sequence[int], piles: tuple[str, ...], rows: int, connect: int, winner: str | None, plies: int) -> None:
    """A line of best play is legal and ends as it should."""
    end = None
    for move in line:
        if end is not None or len(piles[move - 1]) >= rows:
            raise Wrong(f"the line {line} is not legal")
        piles = dropped(piles, move - 1)
        end = piles[move - 1][-1] if wins(piles, move - 1, connect) else None
    compare("the end of the line", (end, len(line)), (winner, plies))


def check_successors(piles: tuple[str, ...], rows: int, columns: int) -> None:
    """The original's ``adjacente``, on its own board only."""
    if (rows, columns) != (6, 7):
        return
    lists = [[[row + 1, c + 1] for c, pile in enumerate(piles) for row, stone in enumerate(pile) if stone == player] for player in "ab"]
    for turn, player in enumerate("ab"):
        drops = [[len(pile) + 1, c + 1] for c, pile in enumerate(piles) if len(pile) < rows]
        expected = [[[*lists[0], drop], lists[1]] if turn == 0 else [lists[0], [*lists[1], drop]] for drop in drops]
        compare("successors", list(four_in_a_line.adjacent(lists, player)), expected)


# -- Center


def make_center(random: Random) -> dict[str, Any]:
    """Stones anywhere on a board with few free cells, on a large one near the centre: there somebody may have to pass."""
    shape, size = random.choice([("square", 3), ("square", 5), ("square", 5), ("square", 11), ("hex", 2), ("hex", 3), ("hex", 5)])
    rows = [size] * size if shape == "square" else [*range(size, 2 * size), *range(2 * size - 2, size - 1, -1)]
    cells = [(row, column) for row, length in enumerate(rows) for column in range(length)]
    centre = (len(rows) // 2, rows[len(rows) // 2] // 2)
    near = sorted(cells, key=lambda cell: abs(cell[0] - centre[0]) + abs(cell[1] - centre[1]))[:25]
    free = set(some(random, near, 6)) | {centre}
    lines = ["".join("." if (row, column) in free else random.choice("xo") for column in range(length)) for row, length in enumerate(rows)]
    return {"rows": lines, "to_move": random.choice("xo")}


class Sight:
    """The rule of Center on drawn rows: a cell is taken when as many friends see it as it is steps from the edge."""

    def __init__(self, lengths: Sequence[int]) -> None:
        square = len(set(lengths)) == 1
        widest = max(lengths)
        # where a cell is drawn; on a hexagon neighbours in a row are two columns apart
        self.drawn = {(r, c): (r, c if square else widest - length + 2 * c) for r, length in enumerate(lengths) for c in range(length)}
        self.cells = {place: cell for cell, place in self.drawn.items()}
        eight = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)]
        self.steps = eight if square else [(0, 2), (0, -2), (1, 1), (1, -1), (-1, 1), (-1, -1)]
        self.centre = (len(lengths) // 2, widest // 2)
        self.needed = {cell: min(len(list(self.ray(cell, step))) for step in self.steps) for cell in self.drawn}

    def ray(self, cell: Cell, step: Cell) -> Iterator[Cell]:
        """The cells in one direction, the nearest first."""
        row, column = self.drawn[cell]
        while (place := (row := row + step[0], column := column + step[1])) in self.cells:
            yield self.cells[place]

    def moves(self, stones: Mapping[Cell, str], player: str) -> list[Cell]:
        """The cells that a player may take."""
        found = []
        for cell in self.drawn:
            if cell not in stones:
                seen = (next((stones[far] for far in self.ray(cell, step) if far in stones), None) for step in self.steps)
                if sum(stone == player for stone in seen) >= self.needed[cell]:
                    found.append(cell)
        return found


def check_center(value: Value) -> None:
    """Legal moves by sight, and who wins by plain minimax."""
    rows = value["rows"]
    if not rows or not all(rows):
        raise Refused("no board")
    position = built(center.Position.from_rows, rows, value["to_move"])
    sight = Sight([len(row) for row in rows])
    start = {(r, c): sign for r, row in enumerate(rows) for c, sign in enumerate(row) if sign in "xo"}
    if len(sight.drawn) - len(start) > 8:
        raise Refused("too many free cells")

    def told(cell: Cell) -> Cell:
        return cell[1] + 1, cell[0] + 1

    def moves(stones: Mapping[Cell, str], player: str) -> tuple[str, list[Cell]]:
        """Who moves, after a pass if need be, and where to; nobody has a move when the game is over."""
        if sight.centre in stones:
            return player, []
        mine = sight.moves(stones, player)
        other = "o" if player == "x" else "x"
        return (player, mine) if mine else (other, sight.moves(stones, other))

    def worth(stones: dict[Cell, str], player: str) -> tuple[str | None, int]:
        """The winner and the plies to the end."""
        mover, found = moves(stones, player)
        if not found:
            return stones.get(sight.centre), 0
        outcomes = [after(stones, mover, cell) for cell in found]
        return max(outcomes, key=lambda outcome: _liked(outcome, mover))

    def after(stones: dict[Cell, str], mover: str, cell: Cell) -> tuple[str | None, int]:
        winner, plies = worth({**stones, cell: mover}, "o" if mover == "x" else "x")
        return winner, plies + 1

    mover, legal = moves(start, value["to_move"])
    compare("legal moves", sorted(position.legal_moves()), sorted(map(told, legal)))
    if not legal:
        return
    compare("who moves", position.to_move, mover)
    verdict = center.solve(position)
    winner, plies = worth(start, value["to_move"])
    compare("the winner", verdict.winner, winner)
    if winner is not None:
        compare("plies", verdict.plies, plies)
    scores = {told(cell): _liked(after(start, mover, cell), mover) for cell in legal}
    compare("best moves", set(verdict.best), {cell for cell, score in scores.items() if score == max(scores.values())})


def _liked(outcome: tuple[str | None, int], player: str) -> int:
    """Soon wins before late ones before draws before late losses before soon ones."""
    winner, plies = outcome
    return 0 if winner is None else 1000 - plies if winner == player else plies - 1000


KINDS = {
    "Pacman": Kind(make_pacman, check_pacman),
    "Busy Police": Kind(make_police, check_police),
    "mazes": Kind(make_maze, check_maze),
    "Minesweeper": Kind(make_view, check_view),
    "Four-in-a-line": Kind(make_four, check_four),
    "Center": Kind(make_center, check_center),
}

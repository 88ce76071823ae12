"""The ladder of levels: every level plays the one below, from random openings, with either colour; also the original's own player.

``python -m benchmarks.ladder`` keeps its games in ``build/ladder/``, a file per pair that a later run goes on from, and what came out in
``benchmarks/results/ladder.json`` with the table ``ladder.md``. ``--only center:7`` takes one board, ``--games N`` changes how many are
played (pairs that have more keep them), ``--seconds S`` begins no pair after that many seconds of processor time.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cpsolve import catalogue
from cpsolve.puzzles.contestants import Computer
from cpsolve.puzzles.matches import Match, Tally, played

RESULTS = Path(__file__).parent / "results"
KEPT = Path(__file__).parent.parent / "build" / "ladder"
GAMES, OPENING, SEED = 200, 2, 17
WANTED = 0.65


@dataclass(frozen=True)
class Board:
    """A kind of game on which a ladder is measured: the game, the options of a new one, and the players beside the levels."""

    game: str
    new: tuple[tuple[str, str | int], ...] = ()

    @property
    def name(self) -> str:
        """How the board is called in files and on the command line.

        >>> Board("center", (("shape", "hex"), ("size", 4))).name
        'center:hex:4'
        """
        return ":".join([self.game, *(str(value) for _, value in self.new)])


BOARDS = (
    Board("four-in-a-line"),
    *(Board("center", (("size", size),)) for size in (5, 7, 9, 11, 13)),
    *(Board("center", (("shape", "hex"), ("size", size))) for size in (4, 5, 6)),
)


def pairs(board: Board) -> Iterator[tuple[int, int | str]]:
    """Who plays whom: each level the one below it, and the last two the players that have a name.

    >>> list(pairs(Board("four-in-a-line")))[:2]
    [(2, 1), (3, 2)]
    """
    interaction = catalogue.game(board.game).interaction
    levels = sorted(interaction.levels)
    yield from zip(levels[1:], levels, strict=False)
    for name in interaction.named_levels:
        yield from ((level, name) for level in (2, levels[len(levels) // 2], levels[-1]))


def file_of(board: Board, pair: tuple[int, int | str]) -> Path:
    """Where the games of a pair are kept."""
    return KEPT / f"{board.name.replace(':', '-')}-{pair[0]}-{pair[1]}.jsonl"


def run(board: Board, pair: tuple[int, int | str], games: int) -> Tally:
    """Plays what is missing of a pair's games."""
    file = file_of(board, pair)
    file.parent.mkdir(parents=True, exist_ok=True)
    match = Match(catalogue.game(board.game), dict(board.new), OPENING, SEED)
    kept = max(games, sum(1 for _ in file.open(encoding="utf-8")) - 1 if file.exists() else 0)
    return Tally.of(game.result for game in played(match, (Computer(pair[0]), Computer(pair[1])), kept, file))


def keep(board: Board, pair: tuple[int, int | str], tally: Tally) -> None:
    """Writes down what came out, unless more games of that pair are known; other runs may write there too."""
    file = RESULTS / "ladder.json"
    known = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    found = known.setdefault(board.name, {})
    name = f"{pair[0]} – {pair[1]}"
    if tally.games >= sum(found.get(name, ())):
        found[name] = [tally.wins, tally.draws, tally.losses]
    file.write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    (RESULTS / "ladder.md").write_text(table(known), encoding="utf-8")


def table(known: dict[str, dict[str, list[int]]]) -> str:
    """All that came out, as a table."""
    lines = [
        "# The ladder of levels",
        "",
        f"Every level against the one below it, openings of {OPENING} random plies, each with either colour "
        f"(`python -m benchmarks.ladder`). A step is meant to score {WANTED:.0%}; those that fall short say so.",
        "",
        "| board | players | games | score | 95% interval | Elo | |",
        "|---|---|---|---|---|---|---|",
    ]
    for board in BOARDS:
        for pair in pairs(board):
            name = f"{pair[0]} – {pair[1]}"
            if name not in known.get(board.name, {}):
                continue
            tally = Tally(*known[board.name][name])
            low, high = tally.interval
            note = "" if isinstance(pair[1], str) or tally.score >= WANTED else "short"
            elo = str(tally).split("Elo ")[1]
            lines.append(f"| {board.name} | {name} | {tally.games} | {tally.score:.1%} | {low:.1%} to {high:.1%} | {elo} | {note} |")
    return "\n".join([*lines, ""])


def main(arguments: list[str] | None = None) -> None:
    """Plays and writes the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", default=[board.name for board in BOARDS], metavar="BOARD")
    parser.add_argument("--levels", nargs="*", type=int, metavar="LEVEL", help="only pairs with these levels on top")
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    chosen = parser.parse_args(arguments)
    if unknown := set(chosen.only) - {board.name for board in BOARDS}:
        parser.error(f"there is no board {', '.join(unknown)}; there are {', '.join(board.name for board in BOARDS)}")
    for board in BOARDS:
        for pair in pairs(board):
            if board.name in chosen.only and (not chosen.levels or pair[0] in chosen.levels) and time.process_time() < chosen.seconds:
                tally = run(board, pair, chosen.games)
                keep(board, pair, tally)
                print(f"{board.name}, {pair[0]} – {pair[1]}: {tally}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()

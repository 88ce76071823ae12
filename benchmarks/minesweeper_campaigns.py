"""How often the expert wins, by level and first click, with 95% intervals: ``python -m benchmarks.minesweeper_campaigns``.

A row is replaced when its campaign is run again, so that single campaigns can be made longer. The seed and the number of games of a
row fix its wins, whatever the machine and the number of workers; only the games per second of CPU depend on the machine. The rate
*without luck* estimates the same probability of winning from the same games, more sharply: see ``CampaignResult.adjusted_rate``. With
``--keep FOLDER`` every game is kept there as it ends, and a run that was stopped goes on.

SEED was written down before anything was run on it: no choice was made by looking at its games.
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from cpsolve.progress import Progress
from models.minesweeper import LEVELS, CampaignResult, View, campaign, compare
from models.minesweeper.campaign import EXACT_RISKS, NORMAL, Task
from models.minesweeper.expert import EXPERT, STRONG, Expert
from models.minesweeper.player.rolls import LUCK_WORTH
from models.minesweeper.rules import FirstClick

RESULTS = Path(__file__).parent / "results"
NAME = "minesweeper_campaigns"
SEED = 861_203
CAMPAIGNS: dict[str, tuple[str, FirstClick, float, int]] = {
    "beginner-8x8-safe": ("beginner-8x8", "safe", 0.818, 100_000),
    "beginner-safe": ("beginner", "safe", 0.917, 100_000),
    "intermediate-safe": ("intermediate", "safe", 0.785, 100_000),
    "expert-safe": ("expert", "safe", 0.413, 100_000),
    "expert-opening": ("expert", "opening", 0.548, 100_000),
}
"""By name: the level, the first click, the win rate aimed at and the games of a full run."""


def measure(
    name: str, games: int, agent: str = "expert", seed: int = SEED, workers: int | None = None, folder: Path | None = None
) -> dict[str, Any]:
    """Runs one campaign, or goes on with what a folder holds of it, and gives its row."""
    level, first_click, target, _ = CAMPAIGNS[name]
    size = LEVELS[level]
    path = None if folder is None else folder / f"{name}-{agent}-{seed}.jsonl"
    known = len(path.read_text(encoding="utf-8").splitlines()) - 1 if path is not None and path.exists() else 0
    campaign(size.rows, size.columns, size.mines, 5, agent, first_click, seed, workers=1)  # compiles
    start = _cpu()
    result = campaign(size.rows, size.columns, size.mines, games, agent, first_click, seed, workers, path=path, resume=True)
    elapsed = _cpu() - start
    return {
        "name": name,
        "agent": agent,
        "board": f"{size.columns}×{size.rows}/{size.mines}",
        "first_click": first_click,
        "games": games,
        "wins": result.wins,
        "win_rate": result.win_rate,
        "interval": list(result.interval),
        "adjusted_rate": result.adjusted_rate if agent in EXACT_RISKS else None,
        "adjusted_interval": list(result.adjusted_interval) if agent in EXACT_RISKS else None,
        "target": target,
        "seed": seed,
        "games_per_cpu_second": (games - known) / elapsed if games > known else None,
        "command": f"python -m benchmarks.{NAME} --only {name} --games {games} --seed {seed} --agent {agent}",
    }


def _cpu() -> float:
    """The seconds of CPU that this process and those it has waited for have taken."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def run(quick: bool) -> list[dict[str, Any]]:
    """All campaigns of the expert; quick: a hundredth of the games."""
    return [measure(name, games // 100 if quick else games) for name, (_, _, _, games) in CAMPAIGNS.items()]


def paired(name: str, games: int, seed: int = SEED, workers: int | None = None) -> str:
    """Least risk against the expert on the same boards, in words."""
    level, first_click, _, _ = CAMPAIGNS[name]
    size = LEVELS[level]
    played = [campaign(size.rows, size.columns, size.mines, games, agent, first_click, seed, workers) for agent in ("exact", "expert")]
    return f"{name}, least risk (first) and the expert (second): {compare(*played)}"


# -- what each part of the expert is worth


PARTS: dict[str, Expert] = {
    "least risk": Expert("least risk", max_fields=0),
    "with endgame": Expert("least risk"),
    "with two steps": Expert("two steps", max_fields=0),
    "two steps and endgame": Expert("two steps"),
    "score and endgame": Expert("score"),
}
"""The expert with and without its parts; all start alike."""
PAIRS = (
    ("least risk", "with endgame"), ("least risk", "with two steps"), ("with endgame", "two steps and endgame"),
    ("with two steps", "two steps and endgame"), ("two steps and endgame", "score and endgame"),
)  # fmt: skip


def worth(first: CampaignResult, second: CampaignResult) -> str:
    """How much more a second campaign over the same boards won, with each game counted without its luck."""
    apart = second.without_luck - first.without_luck
    half = NORMAL * float(apart.std()) / len(apart) ** 0.5
    return f"without luck {apart.mean():+.2%} ± {half:.2%}"


def parts(name: str, games: int, seed: int, workers: int | None = None) -> list[str]:
    """What the expert loses without each of its parts, on the same boards."""
    level, first_click, _, _ = CAMPAIGNS[name]
    size = LEVELS[level]
    played = {
        which: campaign(size.rows, size.columns, size.mines, games, agent, first_click, seed, workers) for which, agent in PARTS.items()
    }
    lines = [f"{which}: {result.wins:,} of {result.games:,}, {result.win_rate:.2%}" for which, result in played.items()]
    return lines + [
        f"{first} (first), {second} (second): {compare(played[first], played[second])}; {worth(played[first], played[second])}"
        for first, second in PAIRS
    ]


# -- what another choice is worth


def choices(
    name: str, games: int, seed: int, first: Expert = EXPERT, second: Expert = STRONG, fields: int = 8, luck_worth: float = LUCK_WORTH
) -> tuple[float, float, float]:
    """How much more of its games the second player wins than the first, the standard error of that, and how often a game they differ.

    The second plays. Wherever the first would open another cell, both cells are opened on the same ``fields`` that fit what is seen, and
    the first plays on; the differences without luck add up to that of the players (Kakade and Langford, "Approximately optimal
    approximate reinforcement learning", 2002, lemma 6.1), with far less noise than that of their games. Both are
    to search the endgame alike: a game is over where its end is proven.
    """
    level, first_click, _, _ = CAMPAIGNS[name]
    size = LEVELS[level]
    start = first.start(View(size.rows, size.columns, {}, size.mines), first_click).open[0]
    task = Task(size.rows, size.columns, size.mines, first, first_click, seed)
    gains, differ = np.zeros(games), 0
    with Progress("games") as progress:
        for number in range(games):
            numbers, grid, cell = task.field(number, start).numbers, None, start
            while (guess := second.next_guess(numbers, size.mines, cell, grid)) is not None:
                other = first.next_guess(numbers, size.mines, cell, grid)
                if other is not None and other.cell != guess.cell:
                    draws = (first.drawn(guess.grid, size.mines, seed + 1000 * number + draw) for draw in range(fields))
                    drawn = [numbers if draw is None else draw for draw in draws]
                    cells, risks = [guess.cell, other.cell] * fields, [guess.risk, other.risk] * fields
                    results = first.play_all([field for field in drawn for _ in range(2)], size.mines, cells, risks, guess.grid)
                    worth = np.array([0.0 if result is None else result.expected - luck_worth * result.luck for result in results])
                    gains[number] += (worth[::2] - worth[1::2]).mean()
                    differ += 1
                grid, cell = guess.grid, guess.cell
            progress.update(f"{number + 1:,} of {games:,}, {gains[: number + 1].mean():+.3%}")
    return float(gains.mean()), float(gains.std() / games**0.5), differ / games


def markdown(rows: list[dict[str, Any]]) -> str:
    """The rows as a table."""
    lines = [
        "| board, first click | agent | won | win rate | 95% interval | without luck | 95% interval | aim | seed | games per CPU second |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        low, high = row["interval"]
        adjusted = "– | –"
        if row["adjusted_rate"] is not None:
            least, most = row["adjusted_interval"]
            adjusted = f"{row['adjusted_rate']:.2%} | {least:.2%} to {most:.2%}"
        lines.append(
            f"| {row['board']} {row['first_click']} | {row['agent']} | {row['wins']:,} of {row['games']:,} | {row['win_rate']:.2%} "
            f"| {low:.2%} to {high:.2%} | {adjusted} | {row['target']:.1%} | {row['seed']} "
            f"| {round(row['games_per_cpu_second']) if row.get('games_per_cpu_second') else '–'} |"
        )
    return "\n".join(lines)


def save(rows: list[dict[str, Any]], folder: Path = RESULTS) -> None:
    """Puts rows into the kept results, in place of those of the same campaign and agent."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{NAME}.json"
    kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    fresh = {(row["name"], row["agent"]): row for row in [*kept, *rows]}
    ordered = sorted(fresh.values(), key=lambda row: (list(CAMPAIGNS).index(row["name"]), row["agent"]))
    path.write_text(json.dumps(ordered, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    commands = "\n".join(row["command"] for row in ordered)
    text = f"# Minesweeper campaigns\n\n{markdown(ordered)}\n\nEach row is made again by its command:\n\n```\n{commands}\n```\n"
    (folder / f"{NAME}.md").write_text(text, encoding="utf-8")


def main() -> None:
    """Runs campaigns, prints the table and keeps the rows."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a hundredth of the games; nothing is kept")
    parser.add_argument("--only", choices=list(CAMPAIGNS), help="one campaign")
    parser.add_argument("--games", type=int, help="its number of games")
    parser.add_argument("--agent", default="expert", help="the agent (expert)")
    parser.add_argument("--seed", type=int, default=SEED, help=f"the seed ({SEED})")
    parser.add_argument("--workers", type=int, help="how many processes (all cores)")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep every game there, and go on from those that it holds")
    parser.add_argument("--paired", action="store_true", help="compare least risk with the expert on the same boards instead")
    parser.add_argument("--choices", action="store_true", help="tell what the choices of strong win over those of the expert instead")
    parser.add_argument("--parts", action="store_true", help="compare the expert with its parts on the same boards instead")
    options = parser.parse_args()
    if options.choices:
        name, games = options.only or "expert-safe", options.games or 1000
        begun = _cpu()
        more, error, differ = choices(name, games, options.seed)
        told = f"{100 * more:+.3f} ± {100 * NORMAL * error:.3f} points, {differ:.2f} other choices a game"
        print(f"strong over expert, {name}, {games:,} games, seed {options.seed}: {told}, {_cpu() - begun:.0f} s of CPU")
        return
    if options.parts:
        print("\n".join(parts(options.only or "expert-safe", options.games or 1000, options.seed, options.workers)))
        return
    if options.paired:
        print(paired(options.only or "expert-safe", options.games or 1000, options.seed, options.workers))
        return
    if options.only:
        games = options.games or CAMPAIGNS[options.only][3]
        rows = [measure(options.only, games, options.agent, options.seed, options.workers, options.keep)]
    else:
        rows = run(options.quick)
    print(markdown(rows))
    if not options.quick:
        save(rows)


if __name__ == "__main__":
    main()

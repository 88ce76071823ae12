"""How often the expert wins, by level and first click, with 95% intervals: ``python -m benchmarks.minesweeper_campaigns``.

A row is replaced when its campaign is run again, so that single campaigns can be made longer. The seed and the number of games of a
row fix its wins, whatever the machine and the number of workers; only the games a second depend on those. The rate *without luck*
estimates the same probability of winning from the same games, more sharply: see ``CampaignResult.adjusted_rate``.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import time
from pathlib import Path
from typing import Any

from models.minesweeper import LEVELS, View, campaign, compare, infer
from models.minesweeper.agent import Agent, Decision
from models.minesweeper.campaign import EXACT_RISKS
from models.minesweeper.endgame import search_inferred
from models.minesweeper.expert import look_ahead
from models.minesweeper.rules import FirstClick

RESULTS = Path(__file__).parent / "results"
NAME = "minesweeper_campaigns"
SEED = 2024
CAMPAIGNS: dict[str, tuple[str, FirstClick, float, int]] = {
    "beginner-8x8-safe": ("beginner-8x8", "safe", 0.818, 30_000),
    "beginner-safe": ("beginner", "safe", 0.917, 20_000),
    "intermediate-safe": ("intermediate", "safe", 0.785, 10_000),
    "expert-safe": ("expert", "safe", 0.410, 20_000),
    "expert-opening": ("expert", "opening", 0.545, 20_000),
}
"""By name: the level, the first click, the win rate to reach and the games of a full run."""


def measure(name: str, games: int, agent: str = "expert", seed: int = SEED, workers: int | None = None) -> dict[str, Any]:
    """Runs one campaign and gives its row."""
    level, first_click, target, _ = CAMPAIGNS[name]
    size = LEVELS[level]
    campaign(size.rows, size.columns, size.mines, 5, agent, first_click, seed, workers=1)  # compiles
    start = time.perf_counter()
    result = campaign(size.rows, size.columns, size.mines, games, agent, first_click, seed, workers)
    elapsed = time.perf_counter() - start
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
        "workers": workers or os.cpu_count(),
        "games_per_second": games / elapsed,
        "command": f"python -m benchmarks.{NAME} --only {name} --games {games} --seed {seed} --agent {agent}",
    }


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


def least_risk(view: View, luck: random.Random) -> Decision:
    """The expert without its parts: its start, then the first cell of least exact risk."""
    return _by_parts(view, endgame=False, two_steps=False)


def with_endgame(view: View, luck: random.Random) -> Decision:
    """Least risk, and the endgame searched to its end."""
    return _by_parts(view, endgame=True, two_steps=False)


def with_two_steps(view: View, luck: random.Random) -> Decision:
    """Two-step safety to the last move."""
    return _by_parts(view, endgame=False, two_steps=True)


def _by_parts(view: View, endgame: bool, two_steps: bool) -> Decision:
    if not view.open:
        return Decision(((1, 1),), guess=True, reason="the first move")
    answer = infer(view)
    if answer.safe:
        return Decision(tuple(sorted(answer.safe)))
    end = search_inferred(answer) if endgame else None
    best = look_ahead(answer) if two_steps else None
    cell = end.cell if end is not None else best.cell if best is not None else answer.best[0]
    return Decision((cell,), guess=True, risk=float(answer.exact(cell)), reason="a part of the expert")


def parts(name: str, games: int, seed: int, workers: int | None = None) -> list[str]:
    """What the expert loses without each of its parts, on the same boards; for a safe first click."""
    level, first_click, _, _ = CAMPAIGNS[name]
    if first_click != "safe":
        raise SystemExit("the parts are compared with the first click safe, where all start in the corner")
    size = LEVELS[level]
    agents: dict[str, str | Agent] = {
        "least risk": least_risk, "with endgame": with_endgame, "with two steps": with_two_steps, "expert": "expert"
    }  # fmt: skip
    played = {
        which: campaign(size.rows, size.columns, size.mines, games, agent, first_click, seed, workers) for which, agent in agents.items()
    }
    lines = [f"{which}: {result.wins:,} of {result.games:,}, {result.win_rate:.2%}" for which, result in played.items()]
    pairs = (("least risk", "with endgame"), ("least risk", "with two steps"), ("with endgame", "expert"), ("with two steps", "expert"))
    return lines + [f"{first} (first), {second} (second): {compare(played[first], played[second])}" for first, second in pairs]


def markdown(rows: list[dict[str, Any]]) -> str:
    """The rows as a table."""
    lines = [
        "| board, first click | agent | won | win rate | 95% interval | without luck | 95% interval | target | seed | games/s |",
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
            f"| {row['games_per_second']:.0f} on {row['workers']} workers |"
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
    parser.add_argument("--paired", action="store_true", help="compare least risk with the expert on the same boards instead")
    parser.add_argument("--parts", action="store_true", help="compare the expert with its parts on the same boards instead")
    options = parser.parse_args()
    if options.parts:
        print("\n".join(parts(options.only or "expert-safe", options.games or 1000, options.seed, options.workers)))
        return
    if options.paired:
        print(paired(options.only or "expert-safe", options.games or 1000, options.seed, options.workers))
        return
    if options.only:
        rows = [measure(options.only, options.games or CAMPAIGNS[options.only][3], options.agent, options.seed, options.workers)]
    else:
        rows = run(options.quick)
    print(markdown(rows))
    if not options.quick:
        save(rows)


if __name__ == "__main__":
    main()

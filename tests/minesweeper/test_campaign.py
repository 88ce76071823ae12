"""Campaigns: the same seed gives the same result whatever runs it, and a stopped campaign goes on where it was."""

from __future__ import annotations

import json
import os
import random
import select
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest

from cpsolve import FormatError, ModelError, TimeLimitError, journal
from cpsolve.progress import Progress
from models.minesweeper import AGENTS, LEVELS, CampaignResult, Comparison, Decision, Field, Game, View, campaign, compare, description, play
from models.minesweeper.agent import Move, Record
from models.minesweeper.campaign import Outcome, fortune, wilson
from tests.test_progress import FakeTerminal

campaigns = sys.modules["models.minesweeper.campaign"]


def first_covered(view: View, luck: random.Random) -> Decision:
    return Decision((view.covered[0],), guess=True)


def small(games: int = 12, **options: object) -> CampaignResult:
    return campaign(5, 5, 4, games, "exact", "safe", 7, **options)  # type: ignore[arg-type]


def test_the_number_of_workers_does_not_change_the_result() -> None:
    alone = small(workers=1)
    assert small(workers=2) == alone
    with ThreadPoolExecutor(3) as threads:
        assert small(executor=threads) == alone


def test_a_longer_campaign_begins_with_the_games_of_a_shorter_one() -> None:
    assert small(20, workers=1).outcomes[:12] == small(12, workers=1).outcomes


def test_a_campaign_ends_with_what_it_has_when_its_time_is_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(campaigns, "GRACE", 600.0)  # however long the first game takes
    path = tmp_path / "games.jsonl"
    cut = small(45, workers=1, time_limit=0, path=path)
    assert 0 < cut.games < 45
    assert small(45, workers=1, path=path, resume=True).outcomes[: cut.games] == cut.outcomes


def test_a_campaign_without_a_game_in_time_has_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(campaigns, "GRACE", 0.0)
    with pytest.raises(TimeLimitError, match="playing a first game: the time limit of 0 s passed"):
        campaign(30, 30, 150, 2, "seed", workers=1, time_limit=0)


def impatient(view: View, luck: random.Random) -> Decision:
    raise TimeLimitError("no move came to my mind")


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("time_limit", [None, 600])
def test_a_limit_that_an_agent_sets_itself_is_told(workers: int, time_limit: float | None) -> None:
    with pytest.raises(TimeLimitError, match="no move came to my mind"):
        campaign(5, 5, 4, 9, impatient, workers=workers, time_limit=time_limit)


def never(view: View, luck: random.Random) -> Decision:
    threading.Event().wait()
    raise AssertionError


def test_workers_that_do_not_come_back_are_ended_when_time_is_up() -> None:
    with pytest.raises(TimeLimitError, match="playing a first game"):
        campaign(5, 5, 4, 100, never, workers=2, time_limit=0.01)


def test_an_executor_that_does_not_come_back_is_not_waited_for() -> None:
    done = threading.Event()

    def waits(view: View, luck: random.Random) -> Decision:
        done.wait()
        return first_covered(view, luck)

    with ThreadPoolExecutor(1) as threads, pytest.MonkeyPatch.context() as patch:
        patch.setattr(campaigns.pickle, "dumps", lambda agent: b"")  # threads need no copy
        try:
            with pytest.raises(TimeLimitError, match="playing a first game"):
                campaign(5, 5, 4, 100, waits, executor=threads, time_limit=0.01)
        finally:
            done.set()


def test_another_seed_plays_other_games() -> None:
    assert campaign(5, 5, 4, 12, "exact", "safe", 8, workers=1).outcomes != small(workers=1).outcomes


def test_a_stopped_campaign_goes_on_from_its_file(tmp_path: Path) -> None:
    whole, cut = tmp_path / "whole.jsonl", tmp_path / "cut.jsonl"
    result = small(workers=1, path=whole)
    lines = whole.read_text().splitlines(keepends=True)
    assert len(lines) == 13
    forged = json.loads(lines[2])["record"]
    forged["guesses"] = 10 if forged["guesses"] == 9 else 9  # the games in the file are not played again: this one shows it
    cut.write_text(lines[0] + lines[1] + journal.line({"record": forged}).decode() + lines[3][:9])
    resumed = small(workers=1, path=cut, resume=True)
    assert resumed.outcomes[1].guesses == forged["guesses"]
    assert resumed.outcomes[2:] == result.outcomes[2:]
    assert len(cut.read_text().splitlines()) == 13
    assert small(workers=1, path=cut, resume=True) == resumed


@pytest.mark.parametrize(
    "change",
    [
        {"guesses": 10**400},
        {"guesses": 23},
        {"opened": 0, "won": True},
        {"opened": 21, "won": False},
        {"opened": 22},
        {"expected": 7.0},
        {"expected": -0.5},
        {"luck": 40.0},
        {"game": 0},
        {"game": 10**400},
        {"game": -1},
    ],
)
def test_a_game_that_cannot_have_been_is_refused_by_its_line(change: dict[str, object], tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    small(2, workers=1, path=path)
    head, first, second = path.read_text().splitlines(keepends=True)
    path.write_text(head + first + journal.line({"record": json.loads(second)["record"] | change}).decode())
    with pytest.raises(FormatError, match="line 3"):
        small(2, workers=1, path=path, resume=True)


def test_a_file_is_never_overwritten_nor_mixed_with_another_campaign(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    small(2, workers=1, path=path)
    with pytest.raises(ModelError, match="pass resume=True"):
        small(2, workers=1, path=path)
    with pytest.raises(ModelError, match="is of another run"):
        campaign(5, 5, 4, 2, "exact", "safe", 8, workers=1, path=path, resume=True)
    path.write_text("no campaign\n")
    with pytest.raises(FormatError, match=r"line 1.*no journal"):
        small(2, workers=1, path=path, resume=True)


def test_a_board_of_mines_alone_is_no_game() -> None:
    with pytest.raises(ModelError, match="nothing to win"):
        campaign(1, 1, 1, 1, "exact", "any", 0, workers=1)
    with pytest.raises(ModelError, match="nothing to win"):
        description.check_play(rows=2, columns=2, mines=4)
    description.check_play(rows=2, columns=2, mines=3)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_workers_end_when_their_parent_is_killed() -> None:
    script = """
import multiprocessing, threading, time
from models import minesweeper
def tell():
    while not multiprocessing.active_children():
        time.sleep(0.01)
    print(*(child.pid for child in multiprocessing.active_children()), flush=True)
threading.Thread(target=tell).start()
minesweeper.campaign(9, 9, 10, 10**6, "seed", workers=2)
"""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline().split()  # the workers are there, and share this output
        process.kill()
        assert select.select([process.stdout], [], [], 60)[0], "a worker is still at work"
        assert process.stdout.read() == ""


def test_wilson_intervals_are_the_published_ones() -> None:
    # Wilson score interval of 81 in 263 (Newcombe 1998, table I)
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=5e-5)
    assert wilson(1, 29) == pytest.approx((0.0061, 0.1718), abs=5e-5)


def test_agents_that_shared_no_board_in_time_are_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    halves = iter((range(2), range(2, 4)))

    def of_its_own(rows: int, columns: int, mines: int, games: int, *rest: object, **options: object) -> CampaignResult:
        played = campaign(rows, columns, mines, games, "seed", workers=1)
        return replace(played, outcomes=tuple(played.outcomes[number] for number in next(halves)))

    monkeypatch.setattr(description, "campaign", of_its_own)
    answer = description._campaign(compare="exact", games=4)
    assert answer.sentences()[-1] == "no board was played by both: there is nothing to compare"
    assert "comparison" not in answer.data()
    with pytest.raises(ModelError, match="nothing to compare"):
        Comparison(0, 0, 0, 0).interval  # noqa: B018


def test_a_comparison_counts_board_by_board() -> None:
    first = CampaignResult(
        5, 5, 4, "a", "safe", 1, tuple(Outcome(i, won, 1, 1, won, 0.0) for i, won in enumerate([True, True, False, False]))
    )
    second = replace(first, agent="b", outcomes=tuple(Outcome(i, won, 1, 1, won, 0.0) for i, won in enumerate([True, False, True, False])))
    assert compare(first, second) == Comparison(1, 1, 1, 1)
    assert Comparison(10, 0, 5, 3).p_value == pytest.approx(2 / 32)
    assert Comparison(10, 2, 7, 81).difference == pytest.approx(0.05)
    with pytest.raises(ModelError, match="same boards"):
        compare(first, replace(second, seed=2))


def test_luck_is_what_guesses_survived_beyond_their_chance_until_a_move_is_proven_best() -> None:
    moves = (
        Move((1, 1), {(1, 1): 1}, guess=True, risk=0.2),
        Move((1, 2), {(1, 2): 1}, guess=False),
        Move((1, 3), {(1, 3): 1}, guess=True, risk=0.5, chance=Fraction(1, 4)),
        Move((1, 4), {}, guess=True, risk=0.5, chance=Fraction(1, 2)),
    )
    assert fortune(Record("expert", False, moves, frozenset())) == pytest.approx((0.25, 0.2))
    assert fortune(Record("expert", True, moves[:2], frozenset())) == pytest.approx((1.0, 0.2))
    assert fortune(Record("expert", False, (*moves[:2], Move((1, 3), {}, guess=True, risk=0.3)), frozenset())) == pytest.approx((0.0, -0.5))


def test_over_all_fields_luck_adds_up_to_nothing_and_worth_to_the_wins() -> None:
    cells = [(row, column) for row in range(1, 4) for column in range(1, 5)]
    for agent in ("exact", "expert"):
        records = [play(Game(Field(3, 4, mines)), agent, seed=1) for mines in combinations(cells, 3)]
        worth, luck = zip(*map(fortune, records), strict=True)
        assert sum(luck) == pytest.approx(0.0)
        assert sum(worth) == pytest.approx(sum(record.won for record in records))


def test_the_rate_without_luck_is_sharper() -> None:
    result = campaign(5, 5, 5, 150, "expert", "safe", 7, workers=1)
    low, high = result.adjusted_interval
    assert low < result.adjusted_rate < high
    assert high - low < 0.7 * (result.interval[1] - result.interval[0])


def test_luck_is_not_measured_by_rules_of_thumb() -> None:
    with pytest.raises(ModelError, match="exact"):
        _ = campaign(4, 4, 2, 3, "seed", "safe", 1, workers=1).adjusted_rate


def test_an_agent_of_ones_own_is_measured_under_its_name() -> None:
    result = campaign(3, 3, 1, 5, first_covered, "any", 1, workers=2)
    assert (result.agent, result.games) == ("first_covered", 5)


def test_an_agent_that_cannot_travel_is_refused() -> None:
    with pytest.raises(ModelError, match="workers=1"):
        campaign(3, 3, 1, 50, lambda view, luck: Decision((view.covered[0],), guess=True), "any", 1, workers=2)


def test_levels_are_the_usual_ones() -> None:
    assert {name: (level.rows, level.columns, level.mines) for name, level in LEVELS.items()} == {
        "beginner-8x8": (8, 8, 10),
        "beginner": (9, 9, 10),
        "intermediate": (16, 16, 40),
        "expert": (16, 30, 99),
    }


def test_senseless_campaigns_are_refused() -> None:
    for options, complaint in [
        ({"games": 0}, "at least one game"),
        ({"workers": 0}, "1 to 1,000 workers"),
        ({"workers": 2**31}, "1 to 1,000"),
    ]:
        with pytest.raises(ModelError, match=complaint):
            small(**options)
    with pytest.raises(ModelError, match="there is no agent"):
        campaign(5, 5, 4, 1, "oracle", "safe", 1)
    with pytest.raises(ModelError):
        campaign(5, 5, 26, 1, "exact", "safe", 1)


def test_the_running_win_rate_is_shown_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = FakeTerminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(Progress, "PATIENCE", 0.0)
    monkeypatch.setattr(Progress, "PERIOD", 0.0)
    monkeypatch.setattr(Progress, "_room", lambda self: 79)
    result = small(3, workers=1)
    assert f"3 of 3 games, wins {result.win_rate:.2%}" in terminal.getvalue()


@pytest.mark.filterwarnings("default")
def test_a_cluster_of_two_processes_gives_the_same_result() -> None:
    distributed = pytest.importorskip("distributed", reason="cpsolve[cluster] is not installed")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        workers = client.run(os.getpid)
        assert len(set(workers.values()) - {os.getpid()}) == 2
        assert small(executor=client.get_executor()) == small(workers=1)


def test_every_agent_can_be_measured() -> None:
    for agent in AGENTS:
        assert campaign(4, 4, 2, 3, agent, "opening", 1, workers=1).games == 3

"""Methods side by side: what is measured, who is believed, and what becomes of a method that does not stop."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

import cpsolve
from cpsolve import catalogue
from cpsolve.app.command import app
from cpsolve.app.command.compare import _refused
from cpsolve.app.comparing import Point, Row, check, distinct, growth_verdict, measured, sizes, verdict
from cpsolve.catalogue import Answer, Game, Outcome, Summary
from cpsolve.errors import ModelError, SolverError
from cpsolve.puzzles import search

ROOT = Path(cpsolve.__file__).parents[1]

ODD_GAME = """
import os
from cpsolve.catalogue import Answer, Game, Instance, Summary
from cpsolve.errors import ModelError

def solve(instance, method="quick", time_limit=None):
    if method == "endless":
        while True:
            pass
    if method == "crash":
        os._exit(9)
    if method == "choosy":
        raise ModelError("only for others")
    if method == "broken":
        raise ZeroDivisionError("a bug")
    hoard = bytearray(40_000_000) if method == "greedy" else b""
    return Answer(dict, list, summary=lambda: Summary("one", 1, method != "guess"))

METHODS = ("quick", "greedy", "guess", "endless", "crash", "choosy", "broken")
GAME = Game("odd", "Odd", "odd.", read=str, solve=solve, instances=lambda: {"a": Instance("a"), "b": Instance("b")},
            methods=lambda: dict.fromkeys(METHODS, ""))
"""


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    (folder / "odd_game.py").write_text(ODD_GAME)
    (folder / "odd-1.0.dist-info").mkdir()
    (folder / "odd-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: odd\nVersion: 1.0\n")
    (folder / "odd-1.0.dist-info" / "entry_points.txt").write_text("[cpsolve.games]\nodd = odd_game:GAME\n")
    return folder


def run(odd: Path, *args: str) -> subprocess.CompletedProcess[str]:
    variables = {**os.environ, "PYTHONPATH": str(odd)}
    return subprocess.run(
        [sys.executable, "-m", "cpsolve", "compare", "odd", *args], capture_output=True, text=True, env=variables, cwd=ROOT
    )


def test_methods_that_do_not_stop_end_or_refuse_leave_the_others_alone(odd: Path) -> None:
    done = run(odd, "--methods", "endless,crash,choosy,greedy,guess,quick", "--time-limit", "0.1", "--json")
    assert done.returncode == 0, done.stderr
    rows = {row["method"]: row for row in json.loads(done.stdout)["methods"]}
    assert {name: row["state"] for name, row in rows.items()} == {
        "endless": "limit", "crash": "ended", "choosy": "refused", "greedy": "solved", "guess": "solved", "quick": "solved",
    }  # fmt: skip
    assert "was ended" in rows["endless"]["note"]
    assert rows["choosy"]["note"] == "only for others"
    assert rows["greedy"]["memory"] > 30_000_000 > rows["quick"]["memory"]
    assert (rows["quick"]["proven"], rows["guess"]["proven"]) == (True, False)


def test_a_bug_in_a_method_is_no_row_of_the_table(odd: Path) -> None:
    done = run(odd, "--methods", "broken,quick")
    assert done.returncode not in (0, 2, 3)
    assert "ZeroDivisionError: a bug" in done.stderr


# -- what is concluded


def row(method: str, value: int, proven: bool, seconds: float = 1.0, **more: object) -> Row:
    return Row(method, "solved", seconds, 0, Summary(f"{value} moves", value, proven), **more)  # type: ignore[arg-type]


def test_two_proofs_of_different_lengths_are_a_broken_promise() -> None:
    check([row("a", 3, True), row("b", 3, True), row("c", 9, False)])
    with pytest.raises(SolverError, match=r"a: 3 moves\nb: 4 moves"):
        check([row("a", 3, True), row("b", 4, True)])


def test_the_verdict_names_the_fastest_whoever_it_is() -> None:
    said = verdict([row("model", 10, True, 0.5), row("bfs", 10, True, 0.1), row("dfs", 25, False, 0.01), Row("slow", "limit", 5.0)])
    assert said == [
        "fastest with a proof: bfs, 100 ms; then model (5.0 × as long)",
        "dfs proves nothing: its answer is 2.50 × the best, found in 10 ms",
        "without an answer: slow",
    ]


def test_a_method_that_only_chooses_another_is_not_listed_twice() -> None:
    rows = [row("auto", 3, True, ran="circuit"), row("circuit", 3, True, ran="circuit")]
    assert distinct(rows, "auto") == (rows[1:], "auto chooses circuit here")
    assert distinct(rows[:1], "auto") == (rows[:1], "")


def test_growth_is_told_by_who_proves_and_where_each_stops() -> None:
    points = [
        Point("bfs", 1, 0.1, (row("bfs", 1, True),)),
        Point("dfs", 1, 0.01, (row("dfs", 2, False),)),
        Point("model", 1, 0.5, (row("model", 1, True),)),
        Point("bfs", 2, None, (Row("bfs", "limit", 2.0),)),
        Point("model", 2, 0.6, (row("model", 1, True),)),
    ]
    assert growth_verdict(points, "items") == [
        "fastest with a proof: bfs at 1, model at 2 items",
        "bfs stops at 2 items",
        "dfs proves nothing on 1 board",
    ]


@pytest.mark.parametrize("text", ["", "a..b", "5..", "9..1", "3,2", "-1..4", "1..2..3", "1,,2"])
def test_sizes_that_make_no_sense_are_refused(text: str) -> None:
    with pytest.raises(ModelError, match=r"1\.\.40"):
        sizes(text)


def test_an_answer_without_a_summary_is_told_by_its_data() -> None:
    game = Game("plain", "Plain", "", read=str, solve=lambda *a, **o: Answer(lambda: {"status": "done", "states": 7}, list))
    found = measured(game, "", "any", 1.0, {})
    assert (found.state, found.summary) == ("solved", Summary("done", states=7))
    late = Game("late", "Late", "", read=str, solve=lambda *a, **o: Answer(dict, list, outcome=Outcome.LIMIT_REACHED))
    assert measured(late, "", "any", 1.0, {}).state == "limit"


def test_a_plan_that_was_not_proven_in_time_is_an_answer_without_a_proof() -> None:
    answer = Answer(dict, list, outcome=Outcome.LIMIT_REACHED, summary=lambda: Summary("9 moves", 9))
    found = measured(Game("late", "Late", "", read=str, solve=lambda *a, **o: answer), "", "any", 1.0, {})
    assert (found.state, found.answered, found.summary.proven) == ("solved", True, False)


# -- boards that grow


@pytest.mark.parametrize(("game", "what"), [("busy-police", "evidence"), ("pacman", "ghosts")])
def test_grown_boards_have_what_was_asked_for_and_a_plan(game: str, what: str) -> None:
    description = catalogue.game(game)
    instance = description.named()
    for size in (0, 2, 5):
        made = description.grow[what].make(instance, size, 1)
        assert len(getattr(made, what)) == size
        assert search.bfs(made)
        assert made == description.grow[what].make(instance, size, 1)
    assert description.grow[what].make(instance, 4, 1) != description.grow[what].make(instance, 4, 2)
    with pytest.raises(ModelError, match="there is room for"):
        description.grow[what].make(instance, 1_000, 1)


# -- the command


def compare(*args: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, ["compare", *args])
    assert result.exit_code == code, result.output
    return result.output


def test_the_methods_of_a_walking_game_agree_and_are_drawn(tmp_path: Path) -> None:
    chart = tmp_path / "chart.svg"
    told = json.loads(compare("busy-police", "--methods", "circuit,bfs,dfs", "--json", "--svg", str(chart)))
    assert [(row["method"], row["value"], row["proven"]) for row in told["methods"]] == [
        ("circuit", 40, True), ("bfs", 40, True), ("dfs", 60, False),
    ]  # fmt: skip
    text = " ".join(ElementTree.parse(chart).getroot().itertext())
    assert "bfs: 40 moves" in text
    assert "dfs proves nothing" in text


def test_growth_is_a_table_and_a_chart(tmp_path: Path) -> None:
    chart = tmp_path / "chart.svg"
    shown = compare("pacman", "--grow", "ghosts", "0,3", "--boards", "2", "--methods", "bfs,astar", "--svg", str(chart))
    assert "fastest with a proof" in shown
    root = ElementTree.parse(chart).getroot()
    assert {"bfs", "astar", "ghosts", "0", "3"} <= {text.text for text in root.iter("{http://www.w3.org/2000/svg}text")}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["pacman", "--methods", "magic"], "pacman has no method 'magic'"),
        (["pacman", "--boards", "3"], "--boards needs --grow"),
        (["pacman", "--grow", "walls", "1..3"], "'walls' does not grow in pacman; what does is ghosts"),
        (["pacman", "--grow", "ghosts", "many"], "sizes are written as 1..40"),
        (["pacman", "--grow", "ghosts", "500"], "there is room for"),
        (["pacman", "--time-limit", "0"], "a positive number of seconds"),
        (["pacman", "--svg", "chart.png"], "--svg writes SVG"),
        (["chess"], "there is no game 'chess'"),
    ],
)
def test_what_cannot_be_compared_is_refused_in_words(options: list[str], said: str) -> None:
    assert said in compare(*options, code=2)


def test_a_field_with_its_mines_known_is_compared_by_who_plays_it() -> None:
    field = catalogue.game("minesweeper").read("tamanho(4). mina(2,4). mina(4,2). mina(4,4).")
    game = catalogue.game("minesweeper")
    rows = [measured(game, field, method, 60.0, {}) for method in ("exact", "diagram")]
    assert [row.state for row in rows] == ["solved" if rows[0].summary.value == 0 else "no solution", "refused"]
    assert rows[0].summary.answer.startswith("won" if rows[0].summary.value == 0 else "lost")
    assert measured(game, field, "exact", 0.0, {}).state == "limit"


def test_methods_that_refuse_for_the_same_reason_are_told_together() -> None:
    refused = [Row(method, "refused", 0.0, note="only for mazes") for method in ("one", "two")]
    assert _refused(refused) == ["one, two are not for this: only for mazes"]


def test_sizes_that_no_board_has_are_passed_over() -> None:
    (growth,) = catalogue.game("center").grow.values()
    assert [size for size in sizes("1..9") if growth.fits(size)] == [3, 5, 7, 9]
    assert growth.make(None, 7, 0).size == 7


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
def test_a_method_ends_when_the_process_that_compares_is_killed() -> None:
    script = """
if __name__ == "__main__":
    from cpsolve import catalogue
    from cpsolve.app.comparing import Worker
    game = catalogue.game("center")
    worker = Worker(game, "dfs", {})
    worker.start()
    worker._pipe.recv()
    worker._pipe.send((game.interaction.new(size=9), 3600.0))
    print(worker._process.pid, flush=True)
    worker._pipe.recv()
"""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        worker = int(process.stdout.readline())
        process.kill()
        ended = bool(select.select([process.stdout], [], [], 60)[0])  # the worker shares this output
        if not ended:
            os.kill(worker, signal.SIGKILL)
        assert ended, "the method is still at work"
        assert process.stdout.read() == ""

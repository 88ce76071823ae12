"""The machinery of the benchmarks: what it keeps, what it says of a peer that is missing, how it ends. No peer and no plot is needed."""

from __future__ import annotations

import doctest
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks import __main__ as command
from benchmarks import measure, plots, progress, record, runner
from benchmarks.growth import PEERS, Series, series_rows
from benchmarks.measure import Row, compare, row_of, timing
from benchmarks.record import Kept
from cpsolve.puzzles.routes import Route
from models.busy_police import Scene, State
from models.busy_police.encode import route

FAST, SLOW, STOPPED = timing([0.1, 0.2, 0.3]), timing([0.4]), timing([2.0, 2.0, 0.1], limit=2.0)


def rows(quick: bool) -> Iterator[Row]:
    yield Row("first", FAST, "tortoise", SLOW, "≤ 1", "a | b")
    yield Row("second", FAST, "tortoise", STOPPED)
    yield Row("third", FAST, "hare", None, note=measure.missing("hare"))
    yield Row("fourth", FAST)


def other_rows(quick: bool) -> Iterator[Row]:
    yield Row("another", SLOW)


def interrupted_rows(quick: bool) -> Iterator[Row]:
    yield Row("the only one", FAST, "tortoise", SLOW)
    raise KeyboardInterrupt


def wrong_rows(quick: bool) -> Iterator[Row]:
    yield Row("the only one", FAST, "tortoise", SLOW)
    raise AssertionError("the answers differ")


def nothing(kept: Kept) -> None:
    """What a topic does when it has ended, in tests that do not look at that."""


def files(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("module", [measure, record, progress])
def test_the_examples_of_the_machinery_hold(module: object) -> None:
    found = doctest.testmod(module)  # type: ignore[arg-type]
    assert found.attempted > 0
    assert found.failed == 0


# -- what is kept


def test_rows_are_read_back_as_they_were_written(tmp_path: Path) -> None:
    runner.run_topics({"topic": rows}, True, tmp_path, nothing)
    kept = record.load(tmp_path / "quick" / "topic.json")
    assert kept.rows == tuple(rows(True))
    assert (kept.mode, kept.complete) == ("quick", True)


def test_table_and_data_tell_the_same(tmp_path: Path) -> None:
    runner.run_topics({"topic": rows}, False, tmp_path, nothing)
    data = json.loads((tmp_path / "full" / "topic.json").read_text(encoding="utf-8"))
    table = (tmp_path / "full" / "topic.md").read_text(encoding="utf-8")
    lines = [line for line in table.splitlines() if line.startswith("| ")][1:]
    assert len(lines) == len(data["rows"]) == 4
    for line, told in zip(lines, data["rows"], strict=True):
        row = row_of(told)
        assert row.name in line
        assert str(row.ours) in line
        assert row.ratio_text in line
        assert ("missing" in line) == told["missing"]
    assert data["rows"][0]["ratio"] == pytest.approx(0.5)
    assert "a \\| b" in lines[0], "a bar within a cell would make another cell"


def test_results_tell_the_machine_and_all_versions_but_neither_host_nor_date(tmp_path: Path) -> None:
    runner.run_topics({"topic": rows}, True, tmp_path, nothing)
    data = json.loads((tmp_path / "quick" / "topic.json").read_text(encoding="utf-8"))
    assert set(data) == {"topic", "mode", "complete", "command", "machine", "rows"}
    assert set(data["machine"]) == {"processor", "cores", "system", "python", "versions"}
    assert set(data["machine"]["versions"]) == set(record.PACKAGES)
    assert data["command"] == "python -m benchmarks --quick topic"


def test_a_quick_run_leaves_the_results_of_a_full_run_alone(tmp_path: Path) -> None:
    runner.run_topics({"topic": rows}, False, tmp_path, nothing)
    before = (tmp_path / "full" / "topic.json").read_bytes()
    runner.run_topics({"topic": other_rows}, True, tmp_path, nothing)
    assert (tmp_path / "full" / "topic.json").read_bytes() == before
    best = record.best_of("topic", tmp_path)
    assert best is not None
    assert best.mode == "full"


def test_an_interrupt_keeps_the_rows_measured_so_far_and_the_earlier_result(tmp_path: Path) -> None:
    runner.run_topics({"topic": rows}, True, tmp_path, nothing)
    with pytest.raises(runner.Interrupted, match=r"interrupted in topic\. Finished topics: other\. The first 1 rows"):
        runner.run_topics({"other": rows, "topic": interrupted_rows, "never": rows}, True, tmp_path, nothing)
    partial = record.load(tmp_path / "quick" / "topic.partial.json")
    assert [row.name for row in partial.rows] == ["the only one"]
    assert not partial.complete
    assert "Interrupted" in (tmp_path / "quick" / "topic.partial.md").read_text(encoding="utf-8")
    assert len(record.load(tmp_path / "quick" / "topic.json").rows) == 4
    assert not [name for name in files(tmp_path) if "never" in name]


def test_a_finished_topic_takes_the_place_of_its_partial_result(tmp_path: Path) -> None:
    with pytest.raises(runner.Interrupted):
        runner.run_topics({"topic": interrupted_rows}, True, tmp_path, nothing)
    best = record.best_of("topic", tmp_path)
    assert best is not None
    assert not best.complete
    runner.run_topics({"topic": rows}, True, tmp_path, nothing)
    assert files(tmp_path) == {"quick/topic.json", "quick/topic.md"}


def test_a_wrong_answer_stops_the_run_and_is_not_taken_for_a_result(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="the answers differ"):
        runner.run_topics({"topic": wrong_rows}, True, tmp_path, nothing)
    assert files(tmp_path) == {"quick/topic.partial.json", "quick/topic.partial.md"}


def test_a_file_that_cannot_be_put_in_its_place_leaves_nothing_half_written(tmp_path: Path) -> None:
    (tmp_path / "page.md").mkdir()
    with pytest.raises(OSError, match=r"page\.md"):
        record.write(tmp_path / "page.md", "text")
    assert files(tmp_path) == set()


# -- peers and limits


def test_a_missing_peer_is_named_as_missing(tmp_path: Path) -> None:
    row = compare("a sum", lambda: sum(range(9)), "hare", measure.peer_module("a_module_that_nobody_wrote"), 2)  # type: ignore[arg-type]
    assert row.missing
    assert row.ratio is None
    assert "hare is missing: pip install" in row.note
    runner.run_topics({"topic": lambda quick: iter([row])}, True, tmp_path, nothing)
    page = record.overview({"topic": "What it is"}, tmp_path)
    assert "Missing: hare." in page
    assert "| topic | hare | missing |" in page


def test_a_peer_that_lacks_something_itself_is_not_called_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken_peer.py").write_text("import a_module_that_nobody_wrote\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="a_module_that_nobody_wrote"):
        measure.peer_module("broken_peer")


def test_a_limit_that_was_reached_is_a_bound_and_never_a_measurement() -> None:
    assert STOPPED.stopped
    assert str(STOPPED) == "> 2 s"
    assert Row("", FAST, "tortoise", STOPPED).ratio_text == "< 0.1"
    assert Row("", STOPPED, "tortoise", FAST).ratio_text == "> 10"
    assert Row("", STOPPED, "tortoise", STOPPED).ratio is None


def test_a_median_stands_while_fewer_than_half_of_the_rounds_reach_the_limit() -> None:
    found = timing([0.1, 0.3, 7.0], limit=2.0)
    assert not found.stopped
    assert (found.seconds, found.most) == (0.3, 2.0)


def test_each_method_of_a_series_is_named_with_where_it_stops() -> None:
    measured = [Row("", FAST, "dfs", FAST if size < 3 else STOPPED, series="stairs", size=size, unit="steps") for size in (1, 2, 3)]
    measured.append(Row("", STOPPED, series="stairs", size=4, unit="steps"))
    text = "\n".join(record.stops_table(measured))
    assert "| stairs | dfs | 2 steps | 3 steps, limit 2 s |" in text
    assert "| stairs | cpsolve | 3 steps | 4 steps, limit 2 s |" in text


def test_a_method_that_has_stopped_is_not_tried_on_larger_boards() -> None:
    def corridor(size: int, seed: int) -> Route[State]:
        return route(Scene(size, 1, [], [], (1, 1), (size, 1)))

    series = Series("corridor", "cells", str, corridor, (3, 4), (3,))
    free = list(series_rows(series, series.sizes, limit=60.0))
    assert [(row.size, row.peer) for row in free] == [(size, method) for size in (3, 4) for method in PEERS]
    assert all(row.theirs is not None and not row.theirs.stopped for row in free)
    stopped = list(series_rows(series, series.sizes, limit=0.0))
    assert [row.size for row in stopped] == [3] * len(PEERS), "our own method has stopped too, so the series ends"
    assert all(row.ours.stopped for row in stopped)


# -- the command


def test_an_unknown_topic_is_bad_input_and_names_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["nonsense"], ["--only", "nonsense"]):
        with pytest.raises(SystemExit) as ended:
            command.main(arguments)
        assert ended.value.code == 2
        told = capsys.readouterr().err
        assert "there is no topic 'nonsense'" in told
        assert all(topic in told for topic in command.TOPICS)


def test_the_topics_are_listed_with_what_they_compare(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(command.TOPICS)
    assert all((Path(command.__file__).parent / f"{topic}.py").exists() for topic in command.TOPICS)


def test_help_has_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        command.main(["--help"])
    assert ended.value.code == 0
    assert "example: python -m benchmarks --quick" in capsys.readouterr().out


def test_an_interrupted_command_ends_with_130_and_says_what_it_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "rows", lambda topic, quick: (rows if topic == "growth" else interrupted_rows)(quick))
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert command.main(["--quick", "growth", "modelling", "--out", str(tmp_path)]) == 130
    told = capsys.readouterr()
    assert "Finished topics: growth. The first 1 rows of modelling" in told.err
    assert "## growth" in told.out
    page = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "| growth | tortoise | 2 | 2 |" in page
    assert "quick, interrupted" in page


def test_without_matplotlib_plots_are_left_out_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "rows", lambda topic, quick: rows(quick))
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    old = tmp_path / "quick" / "growth.svg"
    record.write(old, "the plot of an earlier run")
    assert command.main(["--quick", "growth", "--out", str(tmp_path)]) == 0
    assert "growth: no plot, matplotlib is missing" in capsys.readouterr().err
    assert files(tmp_path) == {"quick/growth.json", "quick/growth.md", "README.md"}


def test_with_matplotlib_every_kind_of_row_can_be_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    measured = [Row("", FAST, "dfs", FAST if size < 3 else STOPPED, series="stairs", size=size, unit="steps") for size in (0, 2, 3)]
    for topic, drawn in (("pairs", tuple(rows(True))), ("series", (*measured, Row("", FAST, series="stairs", size=4, unit="steps")))):
        kept = Kept(topic, "quick", True, record.machine(), drawn)
        assert plots.save(kept, tmp_path) == ""
        assert kept.path(tmp_path, ".svg").read_text(encoding="utf-8").startswith("<?xml")
        assert kept.path(tmp_path, ".png").read_bytes().startswith(b"\x89PNG")

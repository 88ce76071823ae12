"""``cpsolve verify``: nothing that an answer tells is accepted in silence. It is proven, refuted, refused, or named as not checked."""

from __future__ import annotations

import json
from typing import Any

import pytest
from typer.testing import CliRunner

from cpsolve.app.command import app
from cpsolve.errors import FormatError, TimeLimitError
from cpsolve.limits import Deadline
from cpsolve.puzzles import verifying
from cpsolve.puzzles.garden import Garden
from cpsolve.puzzles.verifying import Solutions
from cpsolve.puzzles.verifying_games import compared
from models import minesweeper, pacman
from models.minesweeper.campaign import Comparison, wilson
from models.minesweeper.verifying import campaigns, laid

run = CliRunner().invoke
VIEW = "1--\n---\n"
TWO_ONES = "-1-\n-1-\n---\n"
FIELD = "tamanho(4). mina(1,2). mina(4,4)."
CLOSED = pacman.Board(3, 3, (0, 0), (2, 2), (0, 2), [], walls=[(1, 0), (0, 1), (1, 1)]).to_prolog()
TINY = ["--rows", "4", "--columns", "4", "--mines", "4", "--first-click", "safe", "--seed", "2"]


def told(*words: str, text: str = "") -> Any:
    """What a command says with --json."""
    answer = run(app, [*words, "--json"], input=text)
    assert answer.exit_code in (0, 1, 3), answer.stderr
    return json.loads(answer.stdout)


def verified(data: Any, *words: str) -> Any:
    return run(app, ["verify", "-", *words], input=data if isinstance(data, str) else json.dumps(data))


def findings(data: Any, *words: str) -> dict[str, list[str]]:
    """What is proven and what is open of an answer in which nothing is wrong."""
    result = verified(data, "--json", *words)
    assert result.exit_code == 0, result.stdout + result.stderr
    found: dict[str, list[str]] = json.loads(result.stdout)
    return found


def refused(data: Any, words: str) -> None:
    result = verified(data)
    assert result.exit_code == 2, result.stdout
    assert words in result.stderr


def refuted(data: Any, words: str) -> None:
    result = verified(data)
    assert result.exit_code == 1, result.stdout + result.stderr
    assert words in " ".join(result.stdout.split())


# -- lists of answers


@pytest.mark.parametrize(
    "change",
    [
        {"status": "unknown", "moves": ["x"]},
        {"status": "infeasible"},
        {"status": ["feasible"]},
        {"paths": 4},
        {"fields": 1},
        {"command": "hint"},
        {"moves": None},
        {"moves": "climb"},
    ],
)
def test_every_answer_in_a_list_is_a_plan(change: dict[str, Any]) -> None:
    first, second, *others = told("solve", "busy-police", "ambiente1", "--all")
    refused([first, {**second, **change}, *others], "expected a plan as answer 2 of the list")


def test_a_list_holds_answers_to_one_question() -> None:
    first, *others = told("solve", "busy-police", "ambiente1", "--all")
    assert "not checked: that these are all there are" in verified([first]).stdout  # a list of one is a list too
    refused([first, {**others[0], "instance": {"text": "x"}}], "answer 2 names another game or instance")
    assert findings([first, {**others[0], "colour": "red"}])["open"] == ["that these are all there are", "what 'colour' says"]
    refused([told("hint", "center", "3")], "expected a plan as answer 1")


def test_an_answer_in_a_list_that_calls_itself_best_is_best() -> None:
    first, second, *_ = told("solve", "busy-police", "ambiente1", "--all")
    assert first["cost"] < second["cost"]
    refuted([first, {**second, "status": "optimal"}], "answer 2: a plan of 18 moves is shorter")


# -- parts that do not belong together


def test_a_number_of_paths_has_no_parts_of_a_plan() -> None:
    plan = told("solve", "busy-police", "ambiente1")
    refused({**plan, "paths": 4, "cost": 3, "bound": 3, "moves": ["fly"], "cells": [[1, 1]]}, "expected a number of paths, which has no")
    count = told("solve", "busy-police", "ambiente1", "--count")
    refused({**count, "moves": ["fly"]}, "which has no 'moves'")


def test_a_number_of_fields_has_no_parts_of_an_inference() -> None:
    answer = told("mines", "-", "--mines", "2", text=VIEW)
    false = {**answer, "safe": [[2, 2]], "mines": [[1, 2]], "best": [[1, 3]]}
    short = {name: value for name, value in false.items() if name not in ("probability", "status")}
    refused(short, "expected a number of fields, which has no 'safe'")
    naive = {name: value for name, value in {**false, "method": "dfs"}.items() if name != "probability"}
    refused(naive, "expected a number of fields, which has no 'safe'")


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["mines", "-", "--mines", "2"], VIEW),
        (["solve", "busy-police", "ambiente1"], ""),
        (["solve", "center", "3"], ""),
        (["solve", "minesweeper", "-"], FIELD),
    ],
)
def test_an_answer_that_is_not_known_tells_nothing(words: list[str], text: str) -> None:
    refused({**told(*words, text=text), "status": "unknown"}, "expected an answer that is not known, which has no")


def test_what_was_stopped_claims_no_more_than_it_found() -> None:
    stopped = told("solve", "pacman", "--method", "bfs", "--time-limit", "0")
    assert stopped["status"] == "unknown"
    assert findings(stopped)["open"] == ["the answer claims nothing"]
    assert findings({**stopped, "bound": 14})["proven"] == ["no plan costs less than 14: breadth-first search"]
    refuted({**stopped, "bound": 15}, "not true that no plan costs less than 15")
    naive = {**told("solve", "minesweeper", "-", "--mines", "2", "--method", "dfs", text=VIEW), "status": "unknown"}
    assert findings(naive)["proven"] == ["at least 6 fields fit, by laying every mine"]
    refuted({**naive, "fields": 7}, "6 fields fit, not 7")


def test_where_there_is_no_plan_none_is_told() -> None:
    answer = told("solve", "pacman", "-", text=CLOSED)
    refused({**answer, "moves": ["left"]}, "which has no 'moves' then")
    with pytest.raises(verifying.Refuted, match="there is a plan"):
        verifying.plan(Garden("S.E"), {"status": "infeasible", "moves": ["right"]})


@pytest.mark.parametrize("words", [["mines", "-", "--mines", "2"], ["solve", "center", "3"], ["solve", "four-in-a-line", "4453"]])
def test_a_status_is_a_word_that_the_answer_knows(words: list[str]) -> None:
    refused({**told(*words, text=VIEW), "status": "brilliant"}, "expected 'status'")


def test_parts_that_nobody_looked_at_are_named() -> None:
    assert "what 'colour' says" in findings({**told("solve", "pacman"), "colour": "red"})["open"]
    assert "what 'reason' says" in findings({**told("solve", "pacman"), "reason": "it rains"})["open"]
    assert "what 'colour' says" in findings({**told("hint", "center", "3"), "colour": "red"})["open"]


# -- comparisons


def rows(*changes: dict[str, Any]) -> dict[str, Any]:
    plain = {"method": "bfs", "state": "solved", "answer": "14 moves", "value": 14, "proven": True, "seconds": 1.0, "memory": 1}
    return {"methods": [{**plain, "method": f"m{number}", **change} for number, change in enumerate(changes)]}


NONE = {"state": "no solution", "value": None, "answer": "no plan"}


def test_a_false_no_solution_is_refuted_by_the_rules() -> None:
    answer = told("compare", "pacman", "--methods", "bfs,dfs")
    for row in answer["methods"]:
        row.update(state="no solution", value=None, proven=True, answer="no plan")
    refuted(answer, "bfs tells that there is no solution, and the rules give 14")
    with pytest.raises(verifying.Refuted, match="no solution, and the rules give 14"):
        compared(rows({**NONE, "proven": False}), lambda: 14)
    with pytest.raises(verifying.Refuted, match="and there is no solution by the rules"):
        compared(rows({"proven": False}), lambda: float("inf"))
    with pytest.raises(verifying.Refuted, match="m0 proved 14, and m1 that there is no solution"):
        compared(rows({}, NONE), None)


def test_the_comparison_of_a_board_without_a_plan_is_json_and_is_proven() -> None:
    answer = run(app, ["compare", "pacman", "-", "--methods", "bfs,circuit", "--json"], input=CLOSED)
    data = json.loads(answer.stdout, parse_constant=pytest.fail)
    assert [(row["state"], row["value"], row["proven"]) for row in data["methods"]] == [("no solution", None, True)] * 2
    assert findings(data)["proven"] == ["what bfs, circuit proved is so by the rules alone"]
    for row in data["methods"]:
        row.update(state="solved", value=3)
    refuted(data, "bfs tells 3, and there is no solution by the rules")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"state": "solvedx"}, "expected the state of m0 as one of"),
        ({"state": None}, "expected the state"),
        ({"value": None}, "expected the value that m0 found"),
        ({"value": float("inf")}, "expected the value that m0 found"),
        ({"proven": 1}, "expected 'proven'"),
        ({"state": "limit"}, "expected nothing found by m0"),
        ({"state": "refused", "value": None}, "expected nothing found by m0"),
        ({"answer": 14}, "expected words"),
        ({"value": 15.0, "proven": False}, "as a whole number"),
    ],
)
def test_a_row_of_a_comparison_tells_how_it_ended(change: dict[str, Any], words: str) -> None:
    with pytest.raises(FormatError, match=words):
        compared(rows(change), lambda: 14)


def test_a_comparison_is_one_of_methods() -> None:
    with pytest.raises(FormatError, match="expected a row per method"):
        compared({"methods": []}, None)


def test_words_that_do_not_say_what_the_value_says_are_not_proven() -> None:
    answer = told("compare", "center", "3", "--methods", "exact")
    assert not any("words" in each for each in findings(answer)["open"])
    answer["methods"][0]["answer"] = "o wins in 9 plies"
    assert "the words of exact: o wins in 9 plies" in findings(answer)["open"]
    assert "the words of m0: 13 moves" in compared(rows({"answer": "13 moves"}), lambda: 14).open


def test_what_was_found_without_a_proof_is_named() -> None:
    found = findings(told("compare", "pacman", "--methods", "bfs,dfs"))
    assert "what dfs found without a proof: the answers themselves are not kept" in found["open"]
    assert "what 'verdict' says" in found["open"]
    assert "what 'colour' of m0 says" in compared(rows({"colour": "red"}), lambda: 14).open


def test_a_search_that_was_stopped_may_have_found_fewer_solutions_but_not_more() -> None:
    some = {"answer": "3 fields", "value": 3, "proven": False}
    assert compared(rows(some), lambda: Solutions(6)).proven == ("no method tells what cannot be so by the rules",)
    assert compared(rows({**some, "value": 0}), lambda: Solutions(0)).proven
    assert compared(rows({**NONE, "proven": False}), lambda: Solutions(0)).proven
    with pytest.raises(verifying.Refuted, match="m0 found 7"):
        compared(rows({**some, "value": 7}), lambda: Solutions(6))
    with pytest.raises(verifying.Refuted, match="m0 proved 3, and the rules give 6"):
        compared(rows({**some, "proven": True}), lambda: Solutions(6))


def test_the_comparison_of_a_view_that_no_field_fits_is_proven() -> None:
    assert findings(told("compare", "minesweeper", "-", "--methods", "diagram,dfs", text="1-0\n"))["proven"]


def test_how_methods_grow_is_refused_as_what_it_is() -> None:
    answer = told("compare", "busy-police", "--grow", "evidence", "1..2", "--methods", "bfs", "--boards", "1")
    refused(answer, "what compare --grow tells cannot be verified: its boards are not in it")


# -- numbers of the wrong kind


@pytest.mark.parametrize("cell", [[1.0, 4], [True, 4], [1, 4, 1], ["1", "4"], [1, None]])
def test_a_cell_is_two_whole_numbers(cell: list[Any]) -> None:
    refused({**told("hint", "minesweeper"), "cell": cell}, "expected a cell [row, column]")


def test_one_is_neither_true_nor_a_fraction() -> None:
    plan = told("solve", "busy-police", "ambiente1")
    refuted({**plan, "cells": [[float(number) for number in cell] for cell in plan["cells"]]}, "'cells' are not where the moves lead")
    refused({**plan, "bound": float(plan["bound"])}, "expected 'bound' as int")
    refused({**plan, "moves": [1, *plan["moves"][1:]]}, "expected the names of moves")
    mines = told("mines", "-", "--mines", "2", text=VIEW)
    refuted({**mines, "best": [[float(number) for number in cell] for cell in mines["best"]]}, "'best' should be")
    certain = told("solve", "minesweeper", "-", "--mines", "1", text="1-\n")
    refuted({**certain, "probability": [[None, True]]}, "the risk of (1, 2) is 1.0, not True")
    game = told("solve", "minesweeper", "-", text=FIELD)
    refuted({**game, "guesses": float(game["guesses"])}, "'guesses' should be")
    match = told("match", "1", "2", "--games", "1", "--game", "center", "--new", "size=3")
    refused({**match, "played": [{**match["played"][0], "moves": {"2,3": 1}}]}, "with number, began, opening, moves and result")


# -- Minesweeper


def rows_of_mines(side: int) -> minesweeper.View:
    """Every third row is mined and all the rest is open: one field fits."""
    cells = [(row, column) for row in range(1, side + 1) for column in range(1, side + 1)]
    field = minesweeper.Field(side, side, {cell for cell in cells if cell[0] % 3 == 2})
    return field.view((cell for cell in cells if cell not in field.mines), len(field.mines))


def test_a_view_beside_more_numbers_than_python_nests_calls_is_proven() -> None:
    view = rows_of_mines(60)
    count, mined = laid(view, Deadline(None))
    assert (count, set(mined.values()), len(mined)) == (1, {1}, 1200)
    assert "every risk" in verified(told("solve", "minesweeper", "-", "--mines", "1200", text=view.to_text())).stdout


def test_looking_at_a_large_view_ends_with_the_time() -> None:
    with pytest.raises(TimeLimitError):
        laid(minesweeper.View.from_text("\n".join(["-" * 100] * 100), mines=10), Deadline(0))
    large = "\n".join(["-" * 100] * 100)
    data = {"game": "minesweeper", "fields": 1, "instance": {"text": large, "options": {"mines": 1}}}
    found = findings(data, "--time-limit", "0")
    assert found["open"] == ["the answer: reading the board: the time limit of 0 s passed before there was an answer", "what 'fields' says"]
    listed = [{**data, "status": "feasible", "moves": []}]
    listed[0].pop("fields")
    assert findings(listed, "--time-limit", "0")["open"][0].startswith("the answers: reading the board")


def test_the_risk_of_an_open_cell_and_of_no_cell_is_refuted() -> None:
    answer = told("mines", "-", "--mines", "2", text=VIEW)
    first, second = answer["probability"]
    for wrong, words in (
        ([[0.5, *first[1:]], second], "(1, 1) is open"),
        ([first, second, second], "'probability' should have 2 rows of 3 risks"),
        ([[*first, 0.5], second], "'probability' should have 2 rows of 3 risks"),
        ([first], "'probability' should have 2 rows of 3 risks"),
    ):
        refuted({**answer, "probability": wrong}, words)


def changed(data: dict[str, Any], part: str, **changes: Any) -> dict[str, Any]:
    return {**data, part: {**data[part], **changes}}


def test_the_words_of_a_reason_say_what_its_numbers_prove() -> None:
    answer = told("mines", "-", "--why", "3,1", text=TWO_ONES)
    refuted(changed(answer, "why", text="Because I say so."), "the words of the reason should be '(1,2) shows 1 and (2,2) shows 1")
    assert "what 'colour' of 'why' says" in findings(changed(answer, "why", colour="red"))["open"]
    short = told("mines", "-", "--mines", "1", "--why", "3,1", text=TWO_ONES)
    words = short["why"]["text"].replace(", so", " and there is 1 mine in all, so").replace(" and (2,2)", ", (2,2)")
    refuted(changed(short, "why", text=words), "does not need the number of mines")


def test_a_cell_that_may_be_either_comes_with_a_field_for_each() -> None:
    answer = told("mines", "-", "--mines", "2", "--why", "1,2", text=VIEW)
    assert answer["why"]["verdict"] == "undecided"
    assert "(1, 2) may be either, as two fields that fit show" in findings(answer)["proven"]
    begin, safe, mined = answer["why"]["text"].replace("\nA mine:\n", " Safe:\n").split(" Safe:\n")
    for text, words in (
        ("(1,2) may be anything.", "should show two fields"),
        (f"{begin} Safe:\n{mined}\nA mine:\n{safe}", "does not fit, or shows something else"),
        (f"{begin} Safe:\n{safe}\nA mine:\nnothing", "cannot be read"),
    ):
        refuted(changed(answer, "why", text=text), words)
    refuted(changed(answer, "why", because=[[1, 1]]), "'because' should be empty")


def test_an_opinion_of_the_expert_is_named_and_a_false_proof_refuted() -> None:
    answer = told("mines", "-", "--mines", "2", text=VIEW)
    assert any(each.startswith("why (") and answer["expert"]["reason"] in each for each in findings(answer)["open"])
    refuted(changed(answer, "expert", reason="proven safe"), "is not proven safe")
    hint = told("hint", "minesweeper")
    assert hint["reason"] == "proven safe"
    assert findings(hint)["open"] == []
    assert "why (1, 4) is advised, in words: I like it" in findings({**hint, "reason": "I like it"})["open"]
    refused({**hint, "status": "solved"}, "expected no 'status' of a hint")


def test_a_conflict_names_numbers_that_the_view_shows() -> None:
    hint = told("hint", "minesweeper", "-", text="1-0\n")
    assert findings(hint)["open"] == []
    refuted({**hint, "conflict": [*hint["conflict"], [99, 99]]}, "the conflict names (99, 99), which shows no number")
    assert findings({**hint, "reason": "it rains"})["open"] == ["the reason: it rains"]
    refused({**hint, "cell": [1, 2]}, "expected the answer that no field fits, which has no 'cell'")
    crowded = told("hint", "minesweeper", "-", "--mines", "3", text="1-\n--\n")
    assert "there are 3 mines in all" in crowded["reason"]
    assert findings(crowded)["open"] == []


def test_a_view_that_no_field_fits_has_none() -> None:
    count = told("solve", "minesweeper", "-", "--count", text="1-0\n")
    assert findings(count)["proven"][1].startswith("the conflict alone rules out all of them: (1,1) shows 1")
    refuted({**count, "reason": "no field fits this view: (1,1) shows 1 cannot hold"}, "what the conflict names can be together")
    naive = told("solve", "minesweeper", "-", "--method", "dfs", text="1-0\n")
    assert findings(naive)["open"] == []
    refuted({**naive, "fields": 3}, "no field fits, not 3")
    solved = {**told("mines", "-", text="1-\n"), "instance": {"text": "1-0", "options": {}}, "fields": 0}
    refuted(solved, "no field fits: nothing follows")


def test_every_move_of_a_game_looked_back_on_is_replayed() -> None:
    answer = told("review", "minesweeper", "1,1 1,2", *TINY)
    assert answer["number"] == 2
    refuted({**answer, "moves": [*answer["moves"], "9,9"]}, "move 3, 9,9")
    refuted({**answer, "status": "won"}, "not 'won'")
    refuted({**answer, "cell": [4, 4]}, "the move opened (1, 2), not (4, 4)")


def test_who_played_and_why_is_not_proven_by_the_moves() -> None:
    found = findings(told("solve", "minesweeper", "-", text=FIELD))["open"]
    assert "that 'expert' played" in found
    assert "the agent's reasons, in words" in found
    match = told("match", "1", "2", "--games", "1", "--game", "center", "--new", "size=3")
    assert any("that the first is 'level 1' and the second 'level 2'" in each for each in findings(match)["open"])
    assert findings(match, "--time-limit", "0")["open"][0].startswith("the other 1 game")
    for players in ("level 1", ["level 1"], [1, 2]):
        refused({**match, "players": players}, "expected 'players'")


# -- campaigns


def test_campaigns_that_are_compared_were_played_on_the_same_boards() -> None:
    answer = told("campaign", "--games", "4", *TINY, "--compare", "seed", "--workers", "1")
    first, second = answer["campaigns"]
    assert "their difference, its interval and its p-value" in findings(answer)["proven"]
    for name in ("rows", "mines", "seed", "first_click"):
        refuted({**answer, "campaigns": [first, {**second, name: 9}]}, f"cannot be compared: {name!r} is")
    refuted({**answer, "campaigns": [first]}, "a comparison is one of two campaigns, not of 1")
    refuted(changed(answer, "comparison", neither=9), "does not add up")
    refuted(changed(answer, "comparison", both=-1), "does not add up")
    assert "what 'colour' of campaign 2 says" in findings({**answer, "campaigns": [first, {**second, "colour": 1}]})["open"]


def test_campaigns_are_at_least_one() -> None:
    with pytest.raises(FormatError, match="expected a campaign"):
        campaigns({"campaigns": []})


def test_a_campaign_that_was_stopped_is_compared_on_the_boards_that_both_played() -> None:
    first = {"agent": "a", "games": 4, "wins": 2, "win_rate": 0.5, "interval": list(wilson(2, 4))}
    second = {"agent": "b", "games": 2, "wins": 2, "win_rate": 1.0, "interval": list(wilson(2, 2))}
    half: dict[str, Any] = {"both": 1, "only_first": 0, "only_second": 1, "neither": 0, "difference": 0.5, "p_value": 1.0}
    half["interval"] = list(Comparison(1, 0, 1, 0).interval)
    assert campaigns({"campaigns": [first, second], "comparison": half}).proven[-1].startswith("their difference")


def test_a_whole_number_of_four_in_a_line_is_written_as_one() -> None:
    following = told("next", "4453")
    following["successors"][0][1][0][0] = 1.0
    scores = told("solve", "four-in-a-line", "44444326213163255")
    scores["scores"] = {column: float(score) for column, score in scores["scores"].items()}
    for data in (following, scores):
        assert verified(data).exit_code == 1


def test_a_review_of_moves_that_cannot_all_be_made_is_refused() -> None:
    assert told("review", "minesweeper", "1,1 2,2", *TINY)["number"] == 2
    for more in ("99,99", "1,1 nonsense"):
        assert run(app, ["review", "minesweeper", f"1,1 2,2 {more}", *TINY]).exit_code == 2

"""Journeys through the page in a real browser: what a person does, and what that person then sees."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from models import minesweeper
from models.minesweeper import expert
from tests.browser.conftest import AXE, Opener
from tests.web.serving import Address

GAMES = ["minesweeper", "four-in-a-line", "center", "busy-police", "pacman"]


def spot(page: Any, name: str) -> Any:
    return page.locator(f'.spot[data-spot="{name}"]').first


def said(page: Any, words: str) -> Any:
    """Waits until the page says so."""
    return page.locator(".said:visible, .standing:visible, .captions:visible, .trouble:visible").filter(has_text=words).first.wait_for()


def button(page: Any, name: str) -> Any:
    return page.get_by_role("button", name=name, exact=True)


def board_of(text: str, **options: int) -> str:
    return f"/minesweeper#board={quote(text)}&options={quote(json.dumps(options))}"


# -- Minesweeper


def test_a_position_is_analysed_and_a_click_says_why(open_page: Opener) -> None:
    page = open_page("/minesweeper")
    said(page, "4 cells proven safe, 3 mines certain")
    assert "the expert's move" in spot(page, "1,4").get_attribute("aria-label")
    spot(page, "4,3").click()
    said(page, "so (4,3) is safe")
    assert page.locator('.board path[stroke="#0072B2"][stroke-width="4"]').count() > 0  # the numbers that prove it are framed


def test_the_number_of_mines_is_asked_for_loudly_and_changes_the_risks(open_page: Opener) -> None:
    page = open_page(board_of("1---\n----"))
    said(page, "the number of mines is not known")
    assert page.locator(".loud.missing").is_visible()
    page.get_by_label("How many mines are there in all?").fill("2")
    page.get_by_label("How many mines are there in all?").press("Enter")
    said(page, "2 mines in 7 covered cells")
    assert page.locator(".loud.missing").count() == 0
    assert '"mines":2' in re.sub("%22", '"', re.sub("%3A", ":", page.url))


def test_pasted_text_is_read_and_mistakes_have_a_place(open_page: Opener) -> None:
    page = open_page("/minesweeper")
    said(page, "proven safe")
    page.get_by_label("As text").fill("11\n-x")
    button(page, "Read the text").click()
    said(page, "(line 2, column 2)")
    page.get_by_label("As text").fill("11\n--")
    page.get_by_label("How many mines are there in all?").fill("1")
    button(page, "Read the text").click()
    said(page, "an unavoidable guess, 50/50")
    assert "an unavoidable 50/50" in spot(page, "2,1").get_attribute("aria-label")
    row, column = expert.EXPERT.choose(minesweeper.View.from_text("11\n--", mines=1)).cell
    assert figures(page) == {
        "the expert opens": f"({row},{column})",
        "its risk": "50.0%",
        "the least risk": "50.0%",
        "the next move is then safe": "100.0%",
        "chance to win": "1/2 = 50.0%",
    }
    assert page.locator(".legend li", has_text="unavoidable 50/50").is_visible()


def figures(page: Any) -> dict[str, str]:
    page.locator(".facts div").first.wait_for()
    return {each.locator("dt").inner_text(): each.locator("dd").inner_text() for each in page.locator(".facts div").all()}


def test_dead_cells_are_marked_and_said(open_page: Opener) -> None:
    page = open_page(board_of(EXPERT, mines=99))
    said(page, "1 dead cell: opening one teaches nothing")
    assert "dead: opening it teaches nothing" in spot(page, "16,28").get_attribute("aria-label")
    view = minesweeper.View.from_text(EXPERT, mines=99)
    cell, answer = expert.EXPERT.choose(view).cell, minesweeper.infer(view)
    assert "the expert's move" in spot(page, f"{cell[0]},{cell[1]}").get_attribute("aria-label")
    told = figures(page)
    assert (told["its risk"], told["the least risk"]) == (f"{answer.risk(cell):.1%}", f"{answer.risk(answer.best[0]):.1%}")
    assert told["the next move is then safe"].endswith("%")
    assert page.locator(".legend li", has_text="dead: teaches nothing").is_visible()


def test_a_click_on_a_number_whose_mines_are_flagged_opens_the_rest(open_page: Opener) -> None:
    new = quote(json.dumps({"rows": 3, "columns": 3, "mines": 1, "seed": 4, "first_click": "any"}))
    page = open_page(f"/minesweeper#new={new}&settings=" + quote('{"mode":"play"}'))
    said(page, "1 mine, 0 flags")
    spot(page, "2,2").click()
    page.locator('.spot[data-spot="2,2"][aria-label*="shows 1"]').wait_for()
    spot(page, "2,2").click()
    said(page, "(2,2) shows 1 and 0 of the cells around are flagged: nothing was opened")
    assert page.locator(".trouble").is_hidden()
    mine = "2,1"
    spot(page, mine).click(button="right")
    said(page, "1 mine, 1 flag")
    spot(page, mine).click()
    said(page, "is flagged: take the flag away first")
    spot(page, "2,2").click()
    said(page, "won")
    assert page.locator(".moves button").all_inner_texts() == ["2,2", f"f{mine}", "2,2"]


def test_a_board_of_another_program_is_understood_and_said_so(open_page: Opener) -> None:
    page = open_page("/minesweeper")
    said(page, "proven safe")
    page.get_by_label("As text").fill("4x4x3\n001H\n001H\n113H\nHHHH")
    button(page, "Read the text").click()
    said(page, "Understood: 4 rows, 4 columns, 3 mines; H is a covered cell")
    assert page.get_by_label("How many mines are there in all?").input_value() == "3"
    said(page, "4 cells proven safe, 3 mines certain")


def test_a_dropped_file_is_read(open_page: Opener, tmp_path: Path) -> None:
    page = open_page("/pacman")
    file = tmp_path / "params.pl"
    file.write_text("dimensoes(3, 1). posicao(pacman, 1, 0). posicao(ponto, 0, 0). posicao(cereja, 2, 0). posicao(fantasma, []).")
    page.locator("input[type=file]").set_input_files(str(file))
    said(page, "3 by 1, 0 ghosts")


def test_numbers_that_clash_are_marked_while_one_paints(open_page: Opener) -> None:
    page = open_page(board_of("1--\n---"))
    button(page, "Set up").click()
    button(page, "0").click()
    spot(page, "1,3").click()
    page.locator('.spot[data-spot="1,3"][aria-label*="shows 0"]').wait_for()
    spot(page, "2,2").focus()
    page.keyboard.press("3")  # keys paint too
    said(page, "cannot all hold")
    assert "clashes" in spot(page, "2,2").get_attribute("aria-label")
    button(page, "↶ Undo").click()
    page.locator('.spot[data-spot="2,2"][aria-label*="covered"]').wait_for()


def test_dragging_the_mouse_paints_a_row(open_page: Opener) -> None:
    page = open_page(board_of("----\n----"))
    button(page, "Set up").click()
    button(page, "1").click()
    said(page, "8 covered cells")
    for number, name in enumerate(("1,1", "1,2", "1,3")):
        spot(page, name).hover()
        if not number:
            page.mouse.down()
    page.mouse.up()
    said(page, "5 covered cells")
    assert all("shows 1" in spot(page, name).get_attribute("aria-label") for name in ("1,1", "1,2", "1,3"))


def middle(page: Any, name: str) -> dict[str, float]:
    box = spot(page, name).bounding_box()
    return {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}


def test_a_finger_paints_a_row_and_does_not_scroll(open_page: Opener) -> None:
    page = open_page("/pacman", size="phone")
    button(page, "Set up").click()
    button(page, "wall").click()
    said(page, "0 walls")
    page.locator(".board").scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    finger = page.context.new_cdp_session(page)
    cells = ["0,3", "1,3", "2,3", "3,3"]
    first, *others = [middle(page, name) for name in cells]
    finger.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [first]})
    for place in others:
        finger.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [place]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    said(page, "4 walls")
    assert all("wall" in spot(page, name).get_attribute("aria-label") for name in cells)
    assert page.evaluate("scrollY") == before


def test_a_wide_board_is_painted_or_moved_by_a_finger(open_page: Opener) -> None:
    page = open_page(board_of("\n".join(["-" * 30] * 16), mines=99), size="phone")
    button(page, "Set up").click()
    hand = button(page, "✋ Move the board")
    hand.wait_for()
    assert page.evaluate("getComputedStyle(document.querySelector('.board')).touchAction") == "pinch-zoom"
    hand.click()
    page.locator(".board:not(.painting)").wait_for()
    assert page.evaluate("getComputedStyle(document.querySelector('.board')).touchAction") == "manipulation"
    spot(page, "1,1").click()
    assert "covered" in spot(page, "1,1").get_attribute("aria-label")


def test_an_undecided_cell_shows_a_local_difference(open_page: Opener) -> None:
    page = open_page(board_of("1-1-----\n--------", mines=3))
    said(page, "nothing is safe")
    spot(page, "2,1").click()
    said(page, "may be safe or a mine")
    said(page, "the numbers allow both")
    marked = page.locator('.board path[stroke="#CC79A7"]').count()
    assert 1 < marked < 8


def test_a_game_without_guesses_is_played_with_hints_flags_and_undo(open_page: Opener) -> None:
    page = open_page("/minesweeper", size="phone")
    button(page, "Play").click()
    page.get_by_label("The board").select_option("beginner")
    page.get_by_label("A board that logic alone wins").check()
    button(page, "Begin").click()
    said(page, "10 mines, 0 flags")
    spot(page, "1,1").click()
    page.locator('.spot[aria-label*="shows"]').first.wait_for()
    button(page, "⚑ Flag mode").click()
    covered = page.locator('.spot[aria-label*="covered"]').first
    name = covered.get_attribute("data-spot")
    covered.click()
    said(page, "10 mines, 1 flag")
    page.locator(f'.spot[data-spot="{name}"][aria-label*="flagged"]').wait_for()
    button(page, "↶ Undo").click()
    said(page, "10 mines, 0 flags")
    button(page, "⚑ Flag mode").click()
    page.get_by_label("risks", exact=True).check()
    said(page, "proven safe")
    for _ in range(80):  # logic alone must win
        safe = page.locator('.spot[aria-label*="safe"]')
        page.locator(".standing").wait_for()
        if "won" in page.locator(".standing").inner_text():
            break
        safe.first.wait_for()
        before = page.locator(".moves button").count()
        safe.first.click()
        page.locator(".moves button").nth(before).wait_for()
        said(page, "proven safe") if "won" not in page.locator(".standing").inner_text() else None
    assert "won" in page.locator(".standing").inner_text()
    button(page, "Look back").click()
    said(page, "no move took more risk than it had to")


# -- two players


def test_four_in_a_line_is_played_against_the_computer_with_scores(open_page: Opener) -> None:
    page = open_page("/four-in-a-line#board=44444326213163&settings=" + quote('{"player_b":"2","seed":1}'))
    said(page, "a to move")
    page.get_by_label("scores").check()
    said(page, "1, 4 win in 23 plies")
    page.locator('.spot[data-spot="4"]').first.click()
    page.locator(".moves button").nth(1).wait_for()  # ours and the computer's
    said(page, "a to move")
    button(page, "Step through best play").wait_for()


def test_who_gave_a_game_away_is_found_and_branches_stay(open_page: Opener) -> None:
    new = quote('{"rows":4,"columns":5}')
    page = open_page(f"/four-in-a-line#new={new}&moves=3+3+2+1")
    said(page, "a to move")
    button(page, "Where did I lose?").click()
    said(page, "gave it away")
    button(page, "↶ Undo").click()
    said(page, "b to move")
    page.locator('.spot[data-spot="5"]').first.click()
    page.get_by_role("heading", name="Moves, 2 branches").wait_for()
    page.go_back()
    page.get_by_role("heading", name="Moves", exact=True).wait_for()
    page.reload()
    said(page, "b to move")
    button(page, "↷ Redo").click()
    said(page, "a to move")


def test_a_position_of_four_in_a_line_is_painted(open_page: Opener) -> None:
    page = open_page("/four-in-a-line#new=" + quote('{"rows":4,"columns":5,"connect":3}'))
    said(page, "a to move")
    button(page, "Set up").click()
    button(page, "a stone of a").click()
    spot(page, "2").click()
    said(page, "b to move")
    spot(page, "3").click()
    said(page, "no position yet: a has 2 stones and b 0")
    button(page, "Scores").click()
    said(page, "this is no position yet")
    page.reload()
    said(page, "no position yet: a has 2 stones and b 0")
    button(page, "a stone of b").click()
    spot(page, "2").click()
    said(page, "b to move")
    button(page, "Play").click()
    page.get_by_label("scores").check()
    said(page, "lose in")  # a threatens three in a row on both sides
    button(page, "Set up").click()
    button(page, "take one away").click()
    spot(page, "2").click()
    said(page, "no position yet")
    button(page, "↶ Undo").click()
    said(page, "b to move")


def test_center_tells_why_not_here_and_draws_the_friends(open_page: Opener) -> None:
    page = open_page("/center#new=" + quote('{"size":5}') + "&moves=1,1+3,1")
    assert "at least as many of your stones in sight" in page.locator(".rules").inner_text()
    said(page, "x to move")
    spot(page, "3,3").click()
    said(page, "it needs 2 friends in sight and sees 1")
    assert page.locator(".board line").count() == 2
    page.get_by_label("ask why").check()
    spot(page, "5,5").click()
    said(page, "x may take (5, 5)")


def test_center_on_hexagons_with_swap(open_page: Opener) -> None:
    page = open_page("/center")
    page.get_by_label("square or hex").select_option("hex")
    page.get_by_label("size").fill("3")
    page.get_by_label("o may take over the first stone").check()
    button(page, "Begin").click()
    said(page, "x to move (swap rule)")
    assert page.locator(".spot").count() == 19
    spot(page, "1,1").click()
    said(page, "o to move (swap rule)")
    button(page, "Swap").click()
    page.locator('.spot[data-spot="1,1"][aria-label*=": o"]').wait_for()
    said(page, "x to move")


def test_center_is_won_against_the_weakest_computer_by_following_hints(open_page: Opener) -> None:
    page = open_page("/center#new=" + quote('{"size":3}') + "&settings=" + quote('{"player_o":"1","seed":4}'))
    said(page, "x to move")
    for _ in range(3):
        if "has won" in page.locator(".standing").inner_text():
            break
        button(page, "Hint").click()
        page.locator(".said li").filter(has_text="x wins").wait_for()
        move = re.search(r"\((\d), (\d)\)", page.locator(".said").inner_text())
        assert move is not None
        before = page.locator(".moves button").count()
        spot(page, f"{move[1]},{move[2]}").click()
        page.locator(".moves button").nth(before).wait_for()
        page.wait_for_selector(".standing:text-matches('x to move|has won')")
    said(page, "x has won")


# -- walking


def test_busy_police_is_edited_solved_and_stepped_through(open_page: Opener) -> None:
    page = open_page("/busy-police")
    said(page, "3 evidence")
    button(page, "Solve").click()
    said(page, "40 moves, proven the fewest")
    button(page, "One step back").click()
    said(page, "move 39 of 40")
    page.get_by_label("Step", exact=True).fill("3")
    said(page, "move 3 of 40: walk right")
    button(page, "▶ Play").click()
    said(page, "move 6 of 40")
    button(page, "❚❚ Pause").click()
    button(page, "Set up").click()
    button(page, "evidence").click()
    spot(page, "5,1").click()
    said(page, "4 evidence")


def test_methods_run_side_by_side(open_page: Opener) -> None:
    page = open_page("/busy-police")
    said(page, "3 evidence")
    button(page, "Compare methods").click()
    rows = page.locator(".compare tbody tr")
    assert rows.count() == 3
    page.locator(".compare tr", has_text="circuit").locator("td", has_text="proven shortest").wait_for()
    dfs = page.locator(".compare tr", has_text="dfs")
    dfs.locator("td", has_text="a plan").wait_for()
    assert dfs.locator("td").nth(2).inner_text() == "60"
    button(page, "Show the plan of circuit").click()
    said(page, "40 moves, proven the fewest")


OPEN_BOARD = "dimensoes(8, 8). posicao(pacman, 0, 0). posicao(ponto, 0, 4). posicao(cereja, 7, 7). posicao(fantasma, [[3, 3], [5, 5]])."
"""Where naive search walks for longer than anybody waits."""


def test_counters_of_states_and_time_run_while_methods_search(open_page: Opener) -> None:
    page = open_page(f"/pacman#board={quote(OPEN_BOARD)}")
    said(page, "8 by 8, 2 ghosts")
    button(page, "Compare methods").click()
    row = page.locator(".compare tr", has_text="dfs")

    def running(head: str) -> float:
        text = row.locator(f'[data-head="{head}"]').inner_text()
        return float(re.sub(r"[^\d.]", "", text) or 0)

    seen: list[tuple[float, float]] = []
    for _ in range(2):
        last = seen[-1] if seen else (0.0, 0.0)
        page.wait_for_function(
            "([states, seconds]) => { const cell = (head) => parseFloat([...document.querySelectorAll('.compare tr')]"
            ".find((row) => row.textContent.startsWith('dfs')).querySelector(`[data-head=${head}]`).textContent.replaceAll(',', ''));"
            " return cell('states') > states && cell('time') > seconds; }",
            arg=last,
        )
        seen.append((running("states"), running("time")))
    assert seen[-1][0] > seen[0][0] > 0
    button(page, "Stop all").click()
    row.locator("td", has_text="stopped").wait_for()
    assert running("states") >= seen[-1][0]


def test_why_there_is_no_plan_is_told(open_page: Opener) -> None:
    page = open_page("/pacman")
    said(page, "4 ghosts")
    button(page, "Set up").click()
    button(page, "wall").click()
    for cell in ("1,0", "0,1"):
        spot(page, cell).click()
        page.locator(f'.spot[data-spot="{cell}"][aria-label*="wall"]').wait_for()
    button(page, "Analyse").click()
    button(page, "Solve").click()
    said(page, "the dot (1, 2) cannot be reached: walls close it off from pacman (0, 0)")
    # on the board: what is beyond the walls is hatched, the dot is framed
    assert "out of reach" in spot(page, "1,2").get_attribute("aria-label")
    assert "out of reach" not in spot(page, "0,0").get_attribute("aria-label")
    assert page.locator('.board path[stroke="#8A939B"]').count() >= 22
    assert page.locator('.board path[stroke="#D55E00"][stroke-dasharray]').count() == 1
    assert page.locator(".legend li", has_text="out of reach").is_visible()


def test_evidence_that_cannot_be_reached_is_hatched_and_the_sentence_says_why(open_page: Opener) -> None:
    page = open_page("/busy-police#board=" + quote("dimensoes(4, 2). policial(1, 1). fugitivo(4, 1). evidencia(2, 2)."))
    said(page, "1 evidence")
    button(page, "Solve").click()
    said(page, "evidence (2, 2) cannot be reached: no ladder leads to floor 2")
    hatched = page.locator('.spot[aria-label*="out of reach"]')
    assert [each.get_attribute("data-spot") for each in hatched.all()] == ["1,2", "2,2", "3,2", "4,2"]


def test_every_shortest_plan_one_after_another(open_page: Opener) -> None:
    page = open_page("/pacman")
    said(page, "4 ghosts")
    button(page, "Every shortest plan").click()
    said(page, "shortest plan number 1: 14 moves")
    button(page, "Next plan").click()
    said(page, "shortest plan number 2: 14 moves")


# -- models


def test_a_model_is_counted_sampled_and_its_conflict_shown(open_page: Opener) -> None:
    page = open_page("/models")
    button(page, "Count").click()
    said(page, "2 solutions")
    button(page, "Sample fairly").click()
    said(page, "drawn fairly")
    values = [int(each.input_value()) for each in page.locator(".square input").all()]
    assert sorted(values) == list(range(1, 10))
    assert sum(values[:3]) == sum(values[3:6]) == 15
    page.get_by_label("row 2, column 2").fill("4")
    page.get_by_label("row 2, column 2").press("Enter")
    button(page, "Why is there none?").click()
    said(page, "cannot hold together")
    button(page, "Sudoku").click()
    button(page, "Solve").click()
    said(page, "a solution")
    assert all(each.input_value() for each in page.locator(".square input").all())


# -- everywhere


def test_a_link_holds_the_whole_game(open_page: Opener) -> None:
    page = open_page("/four-in-a-line")
    said(page, "b to move")
    spot(page, "1").click()
    said(page, "a to move")
    other = open_page(page.url.partition("8")[0] and "/" + page.url.split("/", 3)[3])
    said(other, "a to move")
    assert other.locator(".moves button").inner_text() == "1"


@pytest.mark.parametrize(
    ("path", "words", "way", "then"),
    [
        ("/minesweeper#board=11%0A-x", "(line 2, column 2)", "Start afresh", "4 rows, 4 columns"),
        ("/four-in-a-line#moves=1+9", "move 2, 9: there is no column '9'", "Without the last move", "a to move"),
        ("/center#name=nothing", "nothing", "Start afresh", "x to move"),
        ("/minesweeper#new=" + quote('{"rows":1000000}'), "fits no page", "Start afresh", "4 rows, 4 columns"),
    ],
)
def test_a_link_without_a_valid_board_says_what_is_wrong_and_leads_on(
    open_page: Opener, path: str, words: str, way: str, then: str
) -> None:
    page = open_page(path)
    said(page, words)
    button(page, way).click()
    said(page, then)
    assert page.locator(".trouble").is_hidden()
    assert page.locator(".board svg").count() == 1


def test_a_hint_gives_its_reason_once(open_page: Opener) -> None:
    page = open_page(board_of("1--\n---", mines=2))
    said(page, "nothing is safe")
    button(page, "Hint").click()
    said(page, "open (")
    assert page.locator(".said li").count() == 1


def test_a_link_that_was_cut_off_shows_the_first_board_and_says_so(open_page: Opener) -> None:
    page = open_page("/minesweeper#options=" + quote('{"mines":'))
    said(page, "The link is not whole: its part options cannot be read")
    said(page, "4 cells proven safe")


def test_the_text_of_a_broken_link_can_be_corrected(open_page: Opener) -> None:
    page = open_page(board_of("11\n-x", mines=1))
    said(page, "(line 2, column 2)")
    button(page, "Correct the text").click()
    page.keyboard.press("Control+A")
    page.keyboard.type("11\n--")
    button(page, "Read the text").click()
    said(page, "an unavoidable guess")


def test_a_page_that_does_not_exist_leads_to_those_that_do(open_page: Opener) -> None:
    page = open_page("/chess", status=404)
    page.get_by_role("alert").filter(has_text="There is no page /chess").wait_for()
    page.locator(".cards").get_by_role("link", name="Pacman").click()
    page.get_by_role("heading", name="Pacman", level=1).wait_for()


@pytest.mark.parametrize("name", ["prolog", "drawing"])
def test_texts_are_exported(open_page: Opener, name: str) -> None:
    page = open_page("/center")
    said(page, "x to move")
    button(page, name).click()
    page.locator(".card pre").wait_for()
    assert "[" in page.locator(".card pre").inner_text() or "1 |" in page.locator(".card pre").inner_text()


@pytest.mark.parametrize(("name", "start"), [("SVG", b"<svg"), ("PNG", b"\x89PNG"), ("JSON", b"{")])
def test_files_are_exported(open_page: Opener, name: str, start: bytes, tmp_path: Path) -> None:
    page = open_page("/minesweeper")
    said(page, "proven safe")
    with page.expect_download() as download:
        button(page, name).click()
    target = tmp_path / "file"
    download.value.save_as(target)
    assert target.read_bytes().startswith(start)


def test_the_keyboard_alone_is_enough(open_page: Opener) -> None:
    page = open_page("/four-in-a-line#new=" + quote("{}"))
    said(page, "a to move")
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.classList.contains('spot')"):
            break
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    said(page, "b to move")
    assert page.locator(".moves button").inner_text() == "3"
    page.keyboard.press("u")
    said(page, "a to move")


def tab_to(page: Any, condition: str) -> None:
    """Presses Tab until the element that has the focus meets a condition; nobody should have to press it for long."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate(f"(element => {condition})(document.activeElement)"):
            return
    raise AssertionError(f"60 times Tab, and nothing meets {condition}")


def press(page: Any, name: str) -> None:
    tab_to(page, f"element.textContent === {json.dumps(name)}")
    page.keyboard.press("Enter")


def test_minesweeper_is_begun_played_and_explained_by_keys_alone(open_page: Opener) -> None:
    new = quote(json.dumps({"rows": 3, "columns": 3, "mines": 1, "seed": 4, "first_click": "any"}))
    page = open_page(f"/minesweeper#new={new}")
    said(page, "1 mine, 0 flags")
    press(page, "Play")
    tab_to(page, "element.dataset.spot === '1,1'")
    for key in ("ArrowRight", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    page.locator('.spot[data-spot="2,2"][aria-label*="shows 1"]').wait_for()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("f")
    said(page, "1 mine, 1 flag")
    page.keyboard.press("w")
    said(page, "(2,1) may be safe or a mine")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    said(page, "won")


def test_walls_are_painted_and_a_plan_is_stepped_through_by_keys_alone(open_page: Opener) -> None:
    page = open_page("/pacman")
    said(page, "0 walls")
    press(page, "Set up")
    page.locator(".brushes button").first.wait_for()
    press(page, "wall")
    page.locator(".board.painting svg").wait_for()
    tab_to(page, "element.dataset.spot === '0,0'")
    for key in ("ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    said(page, "1 wall")
    press(page, "Solve")
    said(page, "proven the fewest")
    tab_to(page, "element.getAttribute('aria-label') === 'Step'")
    page.keyboard.press("Home")
    said(page, "move 0 of 14")
    page.keyboard.press("ArrowRight")
    said(page, "move 1 of 14")


def test_a_drawing_that_comes_late_does_not_hide_what_was_painted(open_page: Opener) -> None:
    page = open_page("/pacman")
    said(page, "0 walls")
    held: list[Any] = []
    page.route("**/pacman/draw", lambda route: held.append(route))  # playwright takes no built-in
    press(page, "Set up")
    page.locator(".brushes button").first.wait_for()
    press(page, "wall")
    tab_to(page, "element.dataset.spot === '0,0'")
    for key in ("ArrowRight", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    said(page, "1 wall")
    with page.expect_response("**/pacman/draw"):
        held[-1].continue_()
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    said(page, "1 wall")
    assert page.locator(".standing:visible").filter(has_text="0 walls").count() == 0


def test_a_model_is_asked_by_keys_alone(open_page: Opener) -> None:
    page = open_page("/models")
    tab_to(page, "element.getAttribute('aria-label') === 'row 1, column 2'")
    page.keyboard.type("7")
    press(page, "Count")
    said(page, "1 solution")


def test_the_theme_is_chosen_and_kept(open_page: Opener) -> None:
    page = open_page("/", theme="dark")
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.get_by_role("button", name="Light or dark").click()
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert dark != light
    page.reload()
    page.wait_for_selector("html[data-ready=yes]")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == light


def test_a_long_question_shows_progress_and_can_be_cancelled(open_page: Opener) -> None:
    page = open_page("/center#new=" + quote('{"size":9}'))
    said(page, "x to move")
    button(page, "Scores").click()
    page.locator(".working").filter(has_text="working for").wait_for()
    button(page, "Cancel").click()
    page.locator(".working").wait_for(state="detached")
    spot(page, "1,1").click()
    said(page, "o to move")


def test_a_foreign_game_has_a_page(open_page: Opener) -> None:
    page = open_page("/lights-out")
    page.get_by_role("heading", name="Lights Out").wait_for()
    page.get_by_label("Ready-made").select_option("cross")
    button(page, "Solve").click()
    page.locator(".said li").first.wait_for()
    assert page.locator(".board svg").count() == 1


@pytest.mark.parametrize("path", ["/", "/models", *(f"/{game}" for game in GAMES)])
@pytest.mark.parametrize("size", ["desktop", "phone"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_pages_fit_the_screen_and_are_accessible(open_page: Opener, path: str, size: str, theme: str, pictures: Path) -> None:
    page = open_page(path, size, theme, bypass_csp=True)
    page.locator("h1").wait_for()
    if path[1:] in GAMES:
        page.locator(".board svg").wait_for()
    page.wait_for_timeout(300)
    page.screenshot(path=str(pictures / f"{path[1:] or 'home'}-{size}-{theme}.png"), full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
    assert barriers(page) == []


def barriers(page: Any) -> list[Any]:
    """What axe-core finds serious or worse, with where it is."""
    if not AXE.exists():
        pytest.skip("axe-core is not installed: make browser installs it from npm")
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    serious = [each for each in found["violations"] if each["impact"] in ("serious", "critical")]
    return [(each["id"], [node["html"][:150] for node in each["nodes"][:3]]) for each in serious]


@pytest.mark.parametrize(
    ("path", "buttons", "words", "size", "theme"),
    [
        (board_of("1--\n---"), ("Set up", "Hint"), "open (", "phone", "dark"),
        ("/minesweeper#board=11%0A-x", (), "(line 2, column 2)", "phone", "dark"),
        ("/four-in-a-line#board=44444326213163&moves=4", ("Scores", "Where did I lose?"), "changed who wins", "desktop", "dark"),
        ("/center#moves=1,1+3,1", ("Hint",), "", "desktop", "dark"),
        ("/busy-police", ("Compare methods", "Show the plan of dfs"), "60 moves", "phone", "light"),
        ("/busy-police", ("Solve", "One step back"), "move 39 of 40", "desktop", "dark"),
        ("/models", ("Sudoku", "Sample fairly"), "drawn fairly", "phone", "dark"),
    ],
)
def test_what_one_meets_on_the_way_is_accessible_too(
    open_page: Opener, path: str, buttons: tuple[str, ...], words: str, size: str, theme: str, pictures: Path
) -> None:
    page = open_page(path, size, theme, bypass_csp=True)
    for name in buttons:
        button(page, name).click()
    if words:
        said(page, words)
    page.wait_for_load_state("networkidle")
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
    name = re.sub(r"\W+", "-", f"{path.partition('#')[0]} {' '.join(buttons)} {size} {theme}").strip("-")
    page.screenshot(path=str(pictures / f"on-the-way-{name}.png"), full_page=True)
    assert barriers(page) == []


def test_the_page_weighs_little(open_page: Opener, server: Address) -> None:
    page = open_page("/")
    sizes: list[int] = []
    page.on("response", lambda response: sizes.append(len(response.body())))
    page.goto(f"{server}/minesweeper")
    page.wait_for_selector(".said li")
    assert sum(sizes) <= 300_000


EXPERT = """
---------1001-212-22211-211000
---3-----210112-212--1112-1111
--1113333-200011212222111111-1
--1001-12-4321012-1001-2111221
--32111113---212-2100112-11-32
----101112-422-2232212232112--
-3-5323-223311111--2-2--211133
--3--4--21--1000122213332-101-
--323--311221000012211-1223121
--3112210111000123--11122-2-10
---4210002-20013--421002-33220
-----21103-4223---200002-32-10
13--32-102-3--4-422221023-3220
02331222012344-3201--102-43-21
12-101-1001-2-3-10133313-4-4--
1-210111001121211001-2-213----
""".strip()
"""Nothing is safe: the expert takes more risk than the least, because the move after it is then safe."""


def test_pictures_of_the_page_are_taken(open_page: Opener, own_games: Address, pictures: Path) -> None:
    """Those of the README: copy them to docs/pictures when the page has changed."""
    wide = open_page(board_of(EXPERT, mines=99), theme="light", at=own_games)
    said(wide, "fields fit")
    wide.screenshot(path=str(pictures / "page_minesweeper.png"))
    small = open_page("/four-in-a-line#board=44444326213163&settings=" + quote('{"scores":true}'), size="phone", theme="dark", at=own_games)
    assert small.locator("nav a").all_inner_texts() == ["Busy Police", "Center", "Four-in-a-line", "Minesweeper", "Pacman", "Models"]
    said(small, "1, 4 win in 23 plies")
    small.screenshot(path=str(pictures / "page_four_in_a_line.png"))
    assert (pictures / "page_minesweeper.png").stat().st_size > 10_000

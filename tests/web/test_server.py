"""The server of the page: limits hold, hostile input gets a clean answer, and nobody's question stops another's."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from cpsolve.app.web.server import MOST_BYTES, POLICY
from tests.web.serving import ROOT, Address, serving

SLOW = {"new": {"size": 9}, "method": "dfs"}
"""A question that takes longer than anybody waits: naive minimax of the empty board of Center."""
LIMIT = 8.0


@pytest.fixture(scope="module")
def server() -> Iterator[Address]:
    with serving("--workers", "2", "--queue", "64", "--time-limit", str(LIMIT)) as address:
        yield address


@pytest.fixture
def client(server: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server, timeout=60) as found:
        yield found


def ask(client: httpx.Client, game: str, action: str, **body: Any) -> Any:
    answer = client.post(f"/api/v1/{game}/{action}", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def workers(client: httpx.Client) -> dict[str, Any]:
    return dict(client.get("/healthz").json())


def wait_for_idle(client: httpx.Client, number: int, seconds: float) -> float:
    """How long it took until that many workers were idle."""
    start = time.monotonic()
    while workers(client)["idle"] < number:
        assert time.monotonic() - start < seconds, workers(client)
        time.sleep(0.02)
    return time.monotonic() - start


# -- what it answers


def test_the_games_say_what_they_offer(client: httpx.Client) -> None:
    games = {game["name"]: game for game in client.get("/api/v1/games").json()["games"]}
    assert set(games) >= {"minesweeper", "four-in-a-line", "center", "busy-police", "pacman"}
    assert {"solve", "draw", "why", "hint", "move", "paint", "new"} <= set(games["minesweeper"]["can"])
    assert games["minesweeper"]["instances"][0]["options"] == {"mines": 3}


def test_minesweeper_is_analysed_exactly_and_counts_are_texts(client: httpx.Client) -> None:
    told = ask(client, "minesweeper", "solve", instance="001-\n001-\n113-\n----", options={"mines": 3})
    assert (told["safe"], told["solutions"]) == ([[1, 4], [3, 4], [4, 1], [4, 3]], "1")
    assert told["mines"] == [[2, 4], [4, 2], [4, 4]]
    assert told["expert"]["cell"] == [1, 4]
    assert 'data-spot="1,4"' in told["picture"]["svg"]
    large = ask(client, "minesweeper", "solve", instance="\n".join(["-" * 30] * 16), options={"mines": 99})
    assert len(large["solutions"]) > 100


def test_why_lights_the_numbers_that_prove_a_cell(client: httpx.Client) -> None:
    told = ask(client, "minesweeper", "why", instance="-1-\n-1-\n---", spot="3,1")
    assert (told["verdict"], told["because"]) == ("safe", [[1, 2], [2, 2]])
    assert told["sentences"] == ["(1,2) shows 1 and (2,2) shows 1, so (3,1) is safe."]


def test_a_cell_that_may_be_either_shows_a_local_difference(client: httpx.Client) -> None:
    told = ask(client, "minesweeper", "why", instance="1-1-----\n--------", options={"mines": 3}, spot="2,1")
    assert told["verdict"] == "undecided"
    assert told["if_mine"] != told["if_safe"]
    assert all(column <= 4 for _, column in told["if_mine"] + told["if_safe"])


@pytest.mark.parametrize(
    ("text", "read", "mines"),
    [
        ("3x2x1\nHHH\n1HF", "---\n1-F", 1),
        ("1 - -\n- - -", "1--\n---", None),
        ("1..\n...", "1--\n---", None),
        ("1??\n?.F", "1--\n-0F", None),
        ("🟦1️⃣🟦\n🟦⬜🚩", "-1-\n-0F", None),
    ],
)
def test_boards_of_other_programs_are_understood(client: httpx.Client, text: str, read: str, mines: int | None) -> None:
    told = ask(client, "minesweeper", "draw", instance=text)
    assert (told["instance"], told["options"].get("mines")) == (read, mines)
    assert told["understood"]


def test_numbers_that_clash_are_named_by_their_cells(client: httpx.Client) -> None:
    told = ask(client, "minesweeper", "solve", instance="1-0")
    assert (told["status"], told["conflict"]) == ("infeasible", [[1, 1], [1, 3]])


def test_a_game_without_guesses_is_won_by_proven_cells_alone(client: httpx.Client) -> None:
    begun = ask(client, "minesweeper", "move", new={"level": "beginner", "no_guess": True, "seed": 5}, move="1,1")
    shown, new, moves = begun, begun["new"], ["1,1"]
    assert new["no_guess"] is False
    for _ in range(80):
        told = ask(client, "minesweeper", "solve", new=new, moves=moves)
        if not told["safe"]:
            break
        for spot in (f"{row},{column}" for row, column in told["safe"]):
            if spot in shown["standing"]["legal"]:  # else an opening has shown it too
                moves.append(spot)
                shown = ask(client, "minesweeper", "draw", new=new, moves=moves)
        if shown["standing"]["over"]:
            break
    assert shown["standing"]["words"].startswith("won")


def test_the_first_avoidable_risk_of_a_game_is_found(client: httpx.Client) -> None:
    new = {"rows": 4, "columns": 4, "mines": 3, "seed": 1, "first_click": "opening"}
    shown = ask(client, "minesweeper", "move", new=new, move="1,1")
    analysed = ask(client, "minesweeper", "solve", instance=shown["instance"], options=shown["options"])
    risky = next(f"{r},{c}" for r, c in ([*analysed["mines"], *analysed["best"]]))
    if analysed["safe"] and analysed["mines"]:
        told = ask(client, "minesweeper", "review", new=new, moves=["1,1", risky])
        assert (told["number"], told["risk"], told["least"]) == (2, 1.0, 0.0)
    else:
        pytest.fail("the board of this seed has both safe cells and mines")


def test_four_in_a_line_scores_every_column_and_the_computer_moves(client: httpx.Client) -> None:
    told = ask(client, "four-in-a-line", "solve", instance="44444326213163")
    assert (told["score"], told["scores"]["2"], told["best"]) == (3, -4, [1, 4])
    moved = ask(client, "four-in-a-line", "move", instance="44444326213163", level=10, seed=1)
    assert moved["move"] in ("1", "4")
    legal = ask(client, "four-in-a-line", "legal", new={"rows": 2, "columns": 3}, moves=["1", "1"])
    assert legal["legal"] == ["2", "3"]


def test_center_says_why_not_here(client: httpx.Client) -> None:
    told = ask(client, "center", "why", new={"size": 5}, moves=["1,1", "3,1"], spot="3,3")
    assert (told["legal"], told["needed"], told["friends"]) == (False, 2, [[1, 1]])
    hexagonal = ask(client, "center", "draw", new={"size": 4, "shape": "hex", "swap": True}, moves=["1,1"])
    assert "swap" in hexagonal["standing"]["legal"]


@pytest.mark.parametrize(("game", "best"), [("pacman", 14), ("busy-police", 40)])
def test_walks_come_with_a_picture_of_every_step(client: httpx.Client, game: str, best: int) -> None:
    told = ask(client, game, "solve", frames=True)
    assert (told["cost"], len(told["frames"])) == (best, best + 1)


def test_every_shortest_plan_comes_one_after_another(client: httpx.Client) -> None:
    plans = [ask(client, "pacman", "best", number=number) for number in (0, 1, 29)]
    assert [plan["cost"] for plan in plans] == [14, 14, 14]
    assert plans[0]["moves"] != plans[1]["moves"]
    assert [plan["more"] for plan in plans] == [True, True, False]
    assert client.post("/api/v1/pacman/best", json={"number": 30}).status_code == 404


def test_painting_changes_one_cell(client: httpx.Client) -> None:
    text = client.post("/api/v1/pacman/paint", json={"spot": "2,2", "brush": "wall"}).json()["instance"]
    assert "posicao(parede, [[2, 2]])." in text
    scene = ask(client, "busy-police", "paint", named="ambiente1", spot="5,1", brush="evidence")
    assert "evidencia(5, 1)." in scene["instance"]
    cells = ask(client, "minesweeper", "paint", instance="--\n--", options={"mines": 1}, spot="2,1", brush="1")
    assert (cells["instance"], cells["options"]) == ("--\n1-", {"mines": 1})


def test_models_are_asked_by_name(client: httpx.Client) -> None:
    models = client.get("/api/v1/models").json()["models"]
    assert [model["name"] for model in models] == ["magic-square", "queens", "sudoku"]
    assert client.post("/api/v1/models/queens", json={"question": "count", "fixed": {"x[0,0]": 1}}).json()["count"] == "4"
    conflict = client.post("/api/v1/models/magic-square", json={"question": "conflict", "fixed": {"x[1,1]": 4}}).json()
    assert "x[1,1] = 4" in conflict["conflict"]
    assert client.post("/api/v1/models/os", json={"question": "count"}).status_code == 404


def test_the_interface_documents_itself(client: httpx.Client) -> None:
    described = client.get("/api/v1/openapi.json").json()
    assert "/api/v1/{game}/solve" in described["paths"]
    assert "503" in described["paths"]["/api/v1/{game}/why"]["post"]["responses"]


# -- what it refuses


@pytest.mark.parametrize(
    ("game", "action", "body", "status", "words"),
    [
        ("minesweeper", "solve", {"instance": "1-\n-x"}, 422, "found 'x'"),
        ("minesweeper", "solve", {"instance": "--", "options": {"mines": "many"}}, 422, "options.mines"),
        ("minesweeper", "solve", {"instance": "--", "options": {"mines": -3}}, 422, "mines"),
        ("minesweeper", "solve", {"instance": "--", "options": {"owner": 1}}, 422, "expected mines"),
        ("minesweeper", "why", {"instance": "--"}, 422, "give one"),
        ("minesweeper", "why", {"instance": "--", "spot": "9,9"}, 422, "outside"),
        ("minesweeper", "move", {"new": {"rows": 2, "columns": 2, "mines": 1}, "moves": ["1,1", "1,1,1"], "move": "1,2"}, 422, "move 2"),
        ("minesweeper", "move", {"new": {"rows": 10**6}, "move": "1,1"}, 422, "fits no page"),
        ("four-in-a-line", "move", {"instance": "111111", "move": "1"}, 422, "full"),
        ("four-in-a-line", "move", {"instance": "4", "level": 99}, 422, "level"),
        ("center", "move", {"new": {"size": 4}, "move": "1,1"}, 422, "odd"),
        ("center", "legal", {"new": {"size": 5}, "instance": "xo.\n...\n..."}, 422, "give new or instance, not both"),
        ("pacman", "solve", {"method": "magic"}, 422, "no method"),
        ("pacman", "move", {"move": "up"}, 404, "no moves"),
        ("chess", "solve", {}, 404, "there is no game"),
        ("pacman", "solve", {"instances": "?"}, 422, "instances"),
        ("pacman", "solve", {"time_limit": -1}, 422, "time_limit"),
    ],
)
def test_what_cannot_be_is_told(client: httpx.Client, game: str, action: str, body: dict[str, Any], status: int, words: str) -> None:
    answer = client.post(f"/api/v1/{game}/{action}", json=body)
    assert answer.status_code == status, answer.text
    assert words in answer.json()["error"]


def test_a_mistake_in_a_text_has_its_line_and_column(client: httpx.Client) -> None:
    answer = client.post("/api/v1/minesweeper/solve", json={"instance": "1-\n-x"}).json()
    assert (answer["line"], answer["column"]) == (2, 2)


def test_no_option_names_a_file_on_the_server(client: httpx.Client, tmp_path: Path) -> None:
    target = tmp_path / "jogo.pl"
    body = {"instance": "tamanho(4). mina(1,1).", "method": "expert", "settings": {"log": str(target)}}
    assert client.post("/api/v1/minesweeper/solve", json=body).status_code == 422
    assert not target.exists()
    for game in client.get("/api/v1/games").json()["games"]:
        assert "log" not in [option["name"] for option in game["options"] + game["solve_options"] + game["new_options"]]


def test_input_comes_back_as_json_only(client: httpx.Client) -> None:
    hostile = "<script>alert(1)</script>"
    answer = client.post("/api/v1/minesweeper/solve", json={"instance": hostile})
    assert answer.headers["content-type"].startswith("application/json")
    page = client.get(f"/{hostile}")
    assert page.status_code == 404
    assert "<script>" not in page.text


def test_pages_and_answers_carry_a_strict_policy(client: httpx.Client) -> None:
    for address in ("/", "/minesweeper", "/healthz", "/nowhere", "/static/nowhere.js"):
        headers = client.get(address).headers
        assert headers["content-security-policy"] == POLICY
        assert headers["x-content-type-options"] == "nosniff"
    assert "unsafe" not in POLICY


@pytest.mark.parametrize("name", ["evil.example", "127.0.0.1.evil.example", "", "[::1"])
def test_other_names_are_not_answered(client: httpx.Client, name: str) -> None:
    assert client.get("/healthz", headers={"Host": name}).status_code == 400
    assert client.get("/healthz", headers={"Host": "localhost:1"}).status_code == 200


def test_other_origins_are_not_answered(client: httpx.Client) -> None:
    assert client.post("/api/v1/pacman/solve", json={}, headers={"Origin": "https://evil.example"}).status_code == 400


def test_a_body_that_is_too_large_is_refused_and_the_answer_arrives(client: httpx.Client) -> None:
    for _ in range(20):  # the answer was lost now and then, where the connection was closed with something unread
        assert client.post("/api/v1/pacman/solve", content=b"x" * 10_000_000).json()["code"] == "too-large"

    def pieces() -> Iterator[bytes]:
        for _ in range(MOST_BYTES // 1024 + 2):
            yield b" " * 1024

    assert client.post("/api/v1/pacman/solve", content=pieces(), headers={"content-type": "application/json"}).status_code == 413


TORN = (
    *(b"", b"null", b"[]", b"{", b"NaN", b'{"level": NaN}', b'{"time_limit": Infinity}', b"\xff\xfe", b'{"instance": "\\ud800"}'),
    b"[" * 100_000,
    b'{"options":' * 10_000,
    b'{"seed": ' + b"9" * 5_000 + b"}",
)


def test_torn_and_deep_bodies_are_refused_over_the_wire(client: httpx.Client) -> None:
    for body in TORN:
        for address in ("/api/v1/minesweeper/draw", "/api/v1/pacman/run", "/api/v1/models/queens"):
            answer = client.post(address, content=body, headers={"content-type": "application/json"})
            assert answer.status_code in (400, 422), (address, body[:50], answer.text)
            assert answer.json()["error"]


# -- many at once


def test_two_hundred_at_once_answer_or_are_turned_away(server: str) -> None:
    async def everybody() -> list[httpx.Response]:
        limits = httpx.Limits(max_connections=200)
        async with httpx.AsyncClient(base_url=server, timeout=60, limits=limits) as client:
            body = {"instance": "\n".join(["-" * 30] * 16), "options": {"mines": 99}}
            return await asyncio.gather(*(client.post("/api/v1/minesweeper/solve", json=body) for _ in range(200)))

    with ThreadPoolExecutor(1) as thread:  # a loop of its own, whatever runs in this one
        answers = thread.submit(lambda: asyncio.run(everybody())).result()
    seen = Counter(answer.status_code for answer in answers)
    assert set(seen) <= {200, 503}
    assert seen[200] >= 64
    for answer in answers:
        if answer.status_code == 503:
            assert int(answer.headers["retry-after"]) > 0
            assert "queue" in answer.json()["error"]


def test_a_slow_question_ends_at_the_limit_and_others_go_on(client: httpx.Client) -> None:
    with httpx.Client(base_url=str(client.base_url), timeout=60) as other:
        with socket.create_connection((other.base_url.host, other.base_url.port or 80)) as slow:
            send(slow, "/api/v1/center/solve", SLOW)
            quick = ask(client, "four-in-a-line", "draw", instance="4")
            assert quick["standing"]["to_move"] == "b"
        wait_for_idle(client, 2, 5)
    late = client.post("/api/v1/center/solve", json=SLOW)
    assert late.status_code in (200, 504)
    if late.status_code == 200:
        assert late.json()["outcome"] == "limit reached"


def send(connection: socket.socket, address: str, body: Any) -> None:
    """A question whose answer nobody reads."""
    data = json.dumps(body).encode()
    head = f"POST {address} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(data)}\r\n\r\n"
    connection.sendall(head.encode() + data)


def test_an_abandoned_question_frees_its_worker_within_a_second(client: httpx.Client) -> None:
    wait_for_idle(client, 2, 10)
    address = client.base_url
    with socket.create_connection((address.host, address.port or 80)) as connection:
        send(connection, "/api/v1/center/solve", SLOW)
        start = time.monotonic()
        while workers(client)["idle"] == 2:
            assert time.monotonic() - start < 5
    assert wait_for_idle(client, 2, 5) < 1.0


def lines(client: httpx.Client, address: str, body: Any) -> Iterator[dict[str, Any]]:
    with client.stream("POST", address, json=body) as answer:
        assert answer.headers["content-type"] == "application/x-ndjson"
        for line in answer.iter_lines():
            yield json.loads(line)


def test_a_search_tells_its_states_while_it_runs_and_stops_when_nobody_listens(client: httpx.Client) -> None:
    wait_for_idle(client, 2, 10)
    with client.stream("POST", "/api/v1/center/run", json=SLOW) as answer:
        told = [json.loads(line) for line, _ in zip(answer.iter_lines(), range(4), strict=False)]
    states, seconds = ([note[name] for note in told] for name in ("states", "seconds"))
    assert states[0] == 0
    assert states == sorted(set(states))
    assert seconds == sorted(set(seconds))
    assert wait_for_idle(client, 2, 5) < 1.0


@pytest.mark.parametrize(("body", "status"), [({"method": "dfs"}, 200), ({"method": "magic"}, 422)])
def test_the_last_line_of_a_run_is_what_solve_answers(client: httpx.Client, body: dict[str, Any], status: int) -> None:
    *_, last = lines(client, "/api/v1/pacman/run", body)
    solved = client.post("/api/v1/pacman/solve", json=body)
    assert last["status"] == solved.status_code == status
    changing = {"milliseconds", "seconds", "sentences"}  # these tell the time
    assert {name: value for name, value in last["answer"].items() if name not in changing} == {
        name: value for name, value in solved.json().items() if name not in changing
    }


def test_a_count_of_more_digits_than_python_writes_is_answered(client: httpx.Client) -> None:
    board = "\n".join(["1" + 120 * "-", *120 * [121 * "-"]])
    assert len(ask(client, "minesweeper", "count", instance=board)["count"]) == 4407
    assert len(ask(client, "minesweeper", "solve", instance=board, picture=False)["solutions"]) == 4407


def test_a_worker_that_is_killed_costs_one_question(client: httpx.Client, server: Address) -> None:
    wait_for_idle(client, 2, 10)
    before = server.workers()
    address = client.base_url
    with socket.create_connection((address.host, address.port or 80)) as connection:
        connection.settimeout(20)
        send(connection, "/api/v1/center/solve", SLOW)
        start, busy = time.monotonic(), list[int]()
        while not busy and time.monotonic() - start < 5:
            time.sleep(0.05)
            busy = [pid for pid, used in server.workers().items() if used > before.get(pid, 0.0) + 5]
        os.kill(busy[0], signal.SIGKILL)
        assert connection.recv(100).startswith(b"HTTP/1.1 503")
    wait_for_idle(client, 2, 10)
    assert ask(client, "pacman", "solve")["cost"] == 14


# -- the command


def test_help_does_not_load_the_server() -> None:
    program = (
        "import sys\n"
        "from typer.testing import CliRunner\n"
        "from cpsolve.app.command import app\n"
        "assert CliRunner().invoke(app, ['serve', '--help']).exit_code == 0\n"
        "print([name for name in ('fastapi', 'uvicorn', 'pydantic', 'numpy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


def test_a_port_that_is_taken_is_told(server: str) -> None:
    port = server.rpartition(":")[2]
    done = subprocess.run([sys.executable, "-m", "cpsolve", "serve", "--port", port], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 2
    assert "give another --port" in done.stderr

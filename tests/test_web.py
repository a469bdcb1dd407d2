"""HTTP: the routes about positions against the Python interface, limits, errors, and what a server survives."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import qwirkle_fast as qf

pytest.importorskip("fastapi")
pytest.importorskip("numba")
pytest.importorskip("httpx")

import httpx
from asking import Client, problem, request

from qwirkle_fast.search import hints, review, review_json
from qwirkle_fast.web import Limits, create_app
from qwirkle_fast.web.positions import _events, _Newest

POSITION = "RvRdRc BcBsRsPsYtOx/?6 0/3 classic"
EARLY = "-1,-3:OtOxOd/Yt1YdYc/GtGvGdGc1Px/RtRvRdRcRsRx/3BcBsBx/4Ps/4YsRs/4GsOs RcRdBxGtPsYv/?6 45/40 classic"


@pytest.fixture(scope="module")
def client() -> Client:
    return Client(create_app(threads=2))


# Answers


@pytest.mark.parametrize(
    "text", [POSITION, EARLY, "RskRtk RckBsw/?6 0/0 flex", "- RsRcBcPv/?6 0/0 classic", "Rs -/?6 0/0 classic"]
)
def test_moves_are_those_of_the_position(client: Client, text: str) -> None:
    position = qf.Position(text)
    expected = [{"move": str(move), "score": score} for move, score in position.legal_moves.scored()]
    assert client.post("/v1/moves", {"position": text}).json() == {"position": text, "moves": expected}
    assert client.post("/v1/moves", {"position": text, "count": True}).json() == {
        "position": text,
        "count": len(expected),
    }
    from_object = client.post("/v1/moves", {"position": position.to_json()}).json()
    assert from_object == {"position": text, "moves": expected}


def test_a_long_answer_is_the_same(client: Client) -> None:
    text = "Oc RcYcGcBcPcOx/?6 0/0 classic"
    position = qf.Position(text)
    expected = [{"move": str(move), "score": score} for move, score in position.legal_moves.scored()]
    assert len(expected) > 5000
    assert client.post("/v1/moves", {"position": text}).json()["moves"] == expected


def test_hints_are_those_of_the_search(client: Client) -> None:
    asked = {"position": POSITION, "simulations": 3000, "seed": 7, "top": 4}
    expected = [hint.to_json() for hint in hints(qf.Position(POSITION), simulations=3000, seed=7, top=4)]
    assert client.post("/v1/hints", asked).json() == {"position": POSITION, "hints": expected}


def events(text: str) -> list[tuple[str, Any]]:
    found = []
    for event in text.split("\n\n")[:-1]:
        name, data = event.split("\n")
        found.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return found


def test_streamed_hints_end_with_the_answer(client: Client) -> None:
    asked = {"position": POSITION, "simulations": 3000, "seed": 7, "top": 4}
    answer = client.post("/v1/hints/stream", asked)
    assert answer.headers["content-type"].startswith("text/event-stream")
    found = events(answer.text)
    assert [name for name, _ in found[:-1]] == ["hints"] * (len(found) - 1)
    assert len(found) >= 2
    assert found[-1] == ("done", client.post("/v1/hints", asked).json())


def test_a_solved_position_streams_a_glance_first(client: Client) -> None:
    lines = (Path(__file__).parent / "data" / "endgames.jsonl").read_text().splitlines()
    text = json.loads(lines[0])["position"]
    found = events(client.post("/v1/hints/stream", {"position": text, "time": 5}).text)
    assert found[0][0] == "hints"
    assert found[-1][0] == "done"
    assert found[-1][1]["hints"][0]["exact"]


def test_a_finished_game_has_no_hints(client: Client) -> None:
    text = "Rs -/- 0/0 classic"
    assert client.post("/v1/hints", {"position": text, "time": 0.1}).json() == {"position": text, "hints": []}


def test_score_explains(client: Client) -> None:
    asked = {"position": POSITION, "move": "Ps@3,2+Bs@3,1+Rs@3,0"}
    answer = client.post("/v1/score", asked).json()
    assert answer == {
        "position": POSITION,
        "move": "Rs@3,0+Bs@3,1+Ps@3,2",
        "legal": True,
        "score": 7,
        "lines": [
            {"kind": "column", "cells": [[3, 0], [3, 1], [3, 2]], "points": 3},
            {"kind": "row", "cells": [[0, 0], [1, 0], [2, 0], [3, 0]], "points": 4},
        ],
    }
    illegal = client.post("/v1/score", {"position": POSITION, "move": "Rs@9,9"}).json()
    assert (illegal["legal"], illegal["score"], illegal["lines"]) == (False, None, [])
    assert illegal["reason"] == qf.Position(POSITION).explain(qf.Move("Rs@9,9")).reason


def test_apply_gives_the_next_position(client: Client) -> None:
    answer = client.post("/v1/apply", {"position": POSITION, "move": "Rs@3,0"}).json()
    assert answer == {"position": POSITION, "move": "Rs@3,0", "next": "RvRdRcRs ?6/BcBsPsYtOx?1 3/4 classic"}
    refused = client.problem("/v1/apply", {"position": POSITION, "move": "Rs@9,9"}, 409)
    assert refused["next"] is None
    assert refused["where"] == "move"
    assert refused["reason"] == qf.Position(POSITION).explain(qf.Move("Rs@9,9")).reason


def finished(seed: int) -> qf.Game:
    game = qf.Game(seed=seed)
    while not game.is_over:
        game.play(game.position.legal_moves.best() or (game.position.exchanges or [qf.Move.skip()])[-1])
    return game


def test_review_is_that_of_the_search(client: Client) -> None:
    game = finished(2)
    expected = review_json(game, list(review(game, simulations=20, seed=5)))
    answer = client.post("/v1/review", {"record": game.record(), "simulations": 20, "seed": 5})
    assert answer.json() == json.loads(json.dumps(expected))


def test_records_that_cannot_be_reviewed(client: Client) -> None:
    record = finished(2).record()
    turns: Any = record["turns"]
    found = client.problem("/v1/review", {"record": {**record, "scores": [1, 2]}}, 409)
    assert found["where"].startswith("record")
    found = client.problem("/v1/review", {"record": {**record, "turns": [{**turns[0], "score": 99}, *turns[1:]]}}, 409)
    assert found["where"] == "record.turns[0].score"
    assert client.problem("/v1/review", {"record": record, "time": 20}, 409)["where"] == "time"
    assert client.problem("/v1/review", {"record": {}}, 422)["where"] == "record"


def test_health(client: Client) -> None:
    answer = client.get("/v1/health").json()
    assert (answer["status"], answer["threads"], answer["jobs"]) == ("ok", 2, 0)


# Errors


BAD_LINES = (Path(__file__).parent / "data" / "bad-positions.txt").read_text().splitlines()


@pytest.mark.parametrize("line", [line for line in BAD_LINES if line and not line.startswith("#")])
@pytest.mark.parametrize("path", ["/v1/moves", "/v1/hints", "/v1/hints/stream", "/v1/score", "/v1/apply"])
def test_bad_positions_are_problems(client: Client, path: str, line: str) -> None:
    try:
        qf.Position(line)
    except ValueError as error:
        message = str(error)
    else:
        pytest.skip("no bad position")
    body = {"position": line} | ({"move": "Rs@0,0"} if path in ("/v1/score", "/v1/apply") else {})
    answer = client.post(path, body)
    assert answer.status_code in (409, 422)
    found = problem(answer, answer.status_code)
    assert found["where"].startswith("position")
    assert message.endswith(found["expected"])


@pytest.mark.parametrize(
    ("body", "where", "expected"),
    [
        ([], "body", "object"),
        ({}, "body", "openapi"),
        ({"position": 3}, "position", "text"),
        ({"position": POSITION, "count": "yes"}, "count", "true or false"),
        ({"position": POSITION, "more": 1}, "body", "openapi"),
        ({"position": {"board": []}}, "position", "board, hands, rules and scores"),
        ({"position": POSITION + "\u00e9"}, "position", "ASCII"),
    ],
)
def test_bodies_of_another_form(client: Client, body: object, where: str, expected: str) -> None:
    found = client.problem("/v1/moves", body, 422)
    assert found["where"] == where
    assert expected in found["expected"]


@pytest.mark.parametrize(
    "more",
    [
        *({"time": value} for value in (0, 31, "1", True)),
        *({"simulations": value} for value in (0, 10**9, 1.5)),
        *({"top": value} for value in (0, 101)),
        {"threads": 0},
        *({"seed": value} for value in (-1, 2**70)),
    ],
)
def test_limits_of_a_search(client: Client, more: dict[str, object]) -> None:
    found = client.problem("/v1/hints", {"position": POSITION, **more}, 422)
    assert found["where"] == next(iter(more))


def test_a_hand_that_is_not_known(client: Client) -> None:
    for path in ("/v1/hints", "/v1/hints/stream"):
        found = client.problem(path, {"position": "Rs ?6/?6 0/0 classic"}, 409)
        assert found["where"] == "position.hands"
    assert client.problem("/v1/moves", {"position": "- ?6/?6 0/0 classic"}, 409)["where"] == "position.hands"


@pytest.mark.parametrize(
    "content", [b"", b"{", b"\xff\xfe", b'{"position": NaN}', b"[" * 100_000, b'{"position":"\\ud800"}']
)
def test_what_is_no_json(client: Client, content: bytes) -> None:
    answer = client.request("POST", "/v1/moves", content=content, headers={"Content-Type": "application/json"})
    problem(answer, 400)


def test_other_refusals(client: Client) -> None:
    problem(client.get("/v1/nothing"), 404)
    assert "POST" in problem(client.get("/v1/moves"), 405)["expected"]
    assert client.get("/v1/moves").headers["allow"] == "POST"
    problem(client.request("POST", "/v1/moves", content=b"{}", headers={"Content-Type": "text/plain"}), 415)
    huge = client.request("POST", "/v1/moves", content=b" " * (1 << 20), headers={"Content-Type": "application/json"})
    problem(huge, 413)


PATHS = ["moves", "hints", "hints/stream", "score", "apply", "review", "games", "qwixx/value", "qwixx/hints"]


@pytest.mark.parametrize("number", ["9" * 30, "9" * 5000, "1e300", "1e999"])
@pytest.mark.parametrize("path", PATHS)
def test_a_number_without_bounds_is_json(client: Client, path: str, number: str) -> None:
    content = f'{{"seed": {number}}}'
    headers = {"Content-Type": "application/json"}
    problem(client.request("POST", f"/v1/{path}", content=content, headers=headers), 422)


@pytest.mark.parametrize(
    ("path", "body", "where", "what", "expected"),
    [
        ("moves", [1], "body", "it is a list", "an object"),
        ("moves", {"position": None}, "position", "it is null", "text or an object"),
        ("moves", {"position": POSITION, "count": 1}, "count", "it is 1", "true or false"),
        ("hints", {"position": POSITION, "top": 101}, "top", "it is 101", "at most 100"),
        ("hints", {"position": POSITION, "simulations": 10**9}, "simulations", "it is 1000000000", "at most 1,000,000"),
        ("hints", {"position": POSITION, "time": 0}, "time", "it is 0", "more than 0"),
        ("hints", {"position": POSITION, "seed": 1.5}, "seed", "it is 1.5", "a whole number"),
        ("games", {"players": [{}]}, "players", "it has a length of 1", "at least 2"),
        (
            "games",
            {"players": [{}, {"level": "x"}]},
            "players[1].level",
            "it is 'x'",
            "beginner or casual or club or expert or master",
        ),
        ("games", {"players": [{}, {"name": ""}]}, "players[1].name", "it has a length of 0", "at least 1"),
        ("games", {"more": 1}, "body", "it has a field 'more'", "the form that /openapi.json describes"),
        ("qwixx/value", {}, "body", "it has no 'sheet'", "the form that /openapi.json describes"),
    ],
)
def test_what_is_misshapen_is_told_in_words(
    client: Client, path: str, body: Any, where: str, what: str, expected: str
) -> None:
    found = client.problem(f"/v1/{path}", body, 422)
    assert (found["where"], found["what"], found["expected"]) == (where, what, expected)


def test_the_field_at_fault_is_named_once(client: Client) -> None:
    position = qf.Position(POSITION).to_json()
    position["hands"] = [{"tiles": ["Rs"] * 4, "hidden": 0}, {"tiles": [], "hidden": 6}]
    found = client.problem("/v1/moves", {"position": position}, 409)
    assert (
        found["detail"]
        == "position.hands[0].tiles[3]: one Rs too many, expected at most 3 on the board and in the hands"
    )
    record = {**finished(2).record(), "end": None}
    found = client.problem("/v1/review", {"record": record}, 409)
    assert (found["where"], found["what"], found["expected"]) == ("record.end", "null", "'out' from the turns")


def test_who_may_get_may_ask_for_the_head(client: Client) -> None:
    game = client.post("/v1/games", {"seed": 1}).json()["id"]
    for path in ("/", "/page/main.js", "/v1/health", f"/v1/games/{game}", "/openapi.json"):
        whole, head = client.get(path), client.request("HEAD", path)
        assert (head.status_code, head.content) == (200, b"")
        assert head.headers["content-length"] == str(len(whole.content))
    assert client.request("HEAD", "/v1/moves").status_code == 405
    refused = client.request("DELETE", "/v1/health")
    assert refused.headers["allow"] == problem(refused, 405)["expected"] == "GET, HEAD"


def test_only_the_names_of_the_server_may_be_asked() -> None:
    app = Client(create_app(hosts=["localhost", "::1"]))
    for host in ("localhost", "LOCALHOST:8000", "[::1]:8000"):
        assert app.get("/v1/health", headers={"Host": host}).status_code == 200
    for host in ("elsewhere.example", "localhost.elsewhere.example:8000", "[::1", "a@b", "127.0.0.1"):
        for path in ("/v1/health", "/", "/page/main.js"):
            refused = app.get(path, headers={"Host": host})
            assert problem(refused, 421)["where"] == "host"
            assert "content-security-policy" in refused.headers


def test_health_tells_that_the_search_is_being_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    ready = threading.Event()
    monkeypatch.setattr("qwirkle_fast.search.warm_up", ready.wait)
    app = create_app()

    async def main() -> list[bool]:
        transport = httpx.ASGITransport(app)
        found = []
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=transport, base_url="http://a") as client,
        ):
            found.append((await client.get("/v1/health")).json()["compiling"])
            ready.set()
            while (await client.get("/v1/health")).json()["compiling"]:
                await asyncio.sleep(0.01)
        return found

    assert asyncio.run(main()) == [True]


def test_a_fault_of_our_own_is_a_problem_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(text: str) -> None:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr("qwirkle_fast.web.bodies.Position", fail)
    answer = Client(create_app()).post("/v1/moves", {"position": POSITION})
    assert "secret" not in json.dumps(problem(answer, 500))
    assert "content-security-policy" in answer.headers


# Headers, pages


def test_every_answer_has_the_headers_of_security(client: Client) -> None:
    for path in ("/", "/v1/health", "/nothing", "/page/main.js"):
        headers = client.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"


def test_other_origins_may_ask_only_when_told_so(client: Client) -> None:
    asked = {"Origin": "http://elsewhere.example"}
    assert "access-control-allow-origin" not in client.get("/v1/health", headers=asked).headers
    allowed = "http://elsewhere.example"
    other = Client(create_app(cors=[allowed]))
    assert other.get("/v1/health", headers=asked).headers["access-control-allow-origin"] == "http://elsewhere.example"
    wrong = other.get("/v1/health", headers={"Origin": "http://wrong.example"})
    assert "access-control-allow-origin" not in wrong.headers
    ahead = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type"}
    assert other.request("OPTIONS", "/v1/moves", headers={**asked, **ahead}).status_code == 200
    for more, where in (
        ({"Origin": "http://wrong.example"}, "origin"),
        ({"Access-Control-Request-Method": "PUT"}, "method"),
    ):
        refused = other.request("OPTIONS", "/v1/moves", headers={**asked, **ahead, **more})
        assert problem(refused, 403)["where"] == where


def test_the_page_and_what_it_loads(client: Client) -> None:
    page = client.get("/").text
    assert "http://" not in page
    assert "https://" not in page
    for name in ("main.js", "style.css", "tiles.svg", "icon.svg"):
        assert client.get(f"/page/{name}").status_code == 200
    tag = client.get("/page/main.js").headers["etag"]
    assert client.get("/page/main.js", headers={"If-None-Match": tag}).status_code == 304


@pytest.mark.parametrize(
    "name", ["..%2fapp.py", "%2e%2e/app.py", "../app.py", "..\\app.py", "app.py", "%00", "main.js/"]
)
def test_no_path_reaches_the_file_system(client: Client, name: str) -> None:
    problem(client.get(f"/page/{name}"), 404)


def test_nothing_of_the_page_is_built_from_text() -> None:
    scripts = list((Path(qf.__file__).parent / "web" / "static").glob("*.js"))
    assert len(scripts) > 8
    for script in scripts:
        for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "http://", "https://"):
            text = script.read_text().replace("http://www.w3.org/2000/svg", "")
            assert word not in text, f"{script.name} has {word}"


# A real server


@pytest.fixture(scope="module")
def server() -> Iterator[Any]:
    from servers import serving

    with serving("--threads", "2") as server:
        yield server


def test_many_clients_at_once_get_right_answers(server: Any) -> None:
    expected = Client(create_app()).post("/v1/moves", {"position": POSITION}).json()

    async def main() -> list[httpx.Response]:
        limits = httpx.Limits(max_connections=200)
        async with httpx.AsyncClient(base_url=server.url, limits=limits, timeout=60) as client:
            asked = [client.post("/v1/moves", json={"position": POSITION}) for _ in range(200)]
            return await asyncio.gather(*asked)

    assert all(answer.json() == expected for answer in asyncio.run(main()))


def test_a_full_queue_says_when_to_come_back(server: Any) -> None:
    async def main() -> list[httpx.Response]:
        async with httpx.AsyncClient(
            base_url=server.url, limits=httpx.Limits(max_connections=60), timeout=60
        ) as client:
            asked = {"position": "- RcRxRdRsRtRv/?6 0/0 classic;opening=any", "time": 0.2}
            return await asyncio.gather(*[client.post("/v1/hints", json=asked) for _ in range(60)])

    answers = asyncio.run(main())
    refused = [answer for answer in answers if answer.status_code == 503]
    assert refused
    assert all(answer.headers["retry-after"] for answer in refused)
    assert {answer.status_code for answer in answers} == {200, 503}
    problem(refused[0], 503)


def jobs(server: Any) -> int:
    return int(httpx.get(f"{server.url}v1/health").json()["jobs"])


def wait_until(condition: Any, seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it does not come to pass"
        time.sleep(0.02)


LONG = {"position": "- RcRxRdRsRtRv/?6 0/0 classic;opening=any", "time": 30}
QWIXX = {"table": "R2/Y-/G-/B-/P0 R2/Y-/G-/B-/P0", "dice": "W3,4/R2/Y5/G1/B6", "time": 5}


@pytest.mark.parametrize(("path", "asked"), [("hints", LONG), ("hints/stream", LONG), ("qwixx/hints", QWIXX)])
def test_a_client_that_leaves_ends_its_search(server: Any, path: str, asked: dict[str, Any]) -> None:
    body = json.dumps(asked).encode()
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        connection.sendall(request(f"/v1/{path}", body))
        wait_until(lambda: jobs(server) == 1)
    wait_until(lambda: jobs(server) == 0, 10)


def test_slow_and_broken_clients_are_no_harm(server: Any) -> None:
    connections = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(50)]
    for number, connection in enumerate(connections):
        connection.sendall(
            [
                b"POST /v1/moves HTT",
                b"POST /v1/moves HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{",
                b"\x00\xff\r\n\r\n",
            ][number % 3]
        )
    assert httpx.post(f"{server.url}v1/moves", json={"position": POSITION, "count": True}).json()["count"] == 48
    for connection in connections:
        connection.close()
    assert httpx.get(f"{server.url}v1/health").json()["status"] == "ok"


@pytest.mark.parametrize("head", [b"X: " + b"a" * (1 << 20), b"a: b\r\n" * (1 << 17)])
def test_endless_headers_are_cut_off(server: Any, head: bytes) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as connection:
        # It may close before all is sent.
        with contextlib.suppress(ConnectionError):
            connection.sendall(b"GET /v1/health HTTP/1.1\r\nHost: localhost\r\n" + head)
        with contextlib.suppress(ConnectionError):
            answer = connection.recv(1 << 16)
            assert not answer or answer.startswith(b"HTTP/1.1 4")
    assert httpx.get(f"{server.url}v1/health").json()["status"] == "ok"


@pytest.mark.parametrize("origin", ["foo", "https://a.example/", "https://a.example/x", "http://", "http://[", "null"])
def test_what_is_no_origin_is_refused(origin: str) -> None:
    command = [sys.executable, "-m", "qwirkle_fast", "serve", "--port", "0", "--cors", origin]
    found = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert found.returncode == 2
    told = f"--cors '{origin}': no origin, expected one like https://example.org, or *"
    assert found.stderr == f"qwirkle-fast: {told}\n"


def test_a_stream_that_is_left_leaves_no_task() -> None:
    async def main() -> set[asyncio.Task[Any]]:
        newest = _Newest()
        events = _events("", newest, asyncio.get_running_loop().create_future())
        waiting = asyncio.ensure_future(anext(events))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait([waiting])
        await events.aclose()
        await asyncio.sleep(0)
        return asyncio.all_tasks() - {asyncio.current_task()}

    assert asyncio.run(main()) == set()


def test_a_body_that_does_not_come_ends_the_request() -> None:
    app = create_app(limits=Limits(body_seconds=0.05))

    async def main() -> list[dict[str, Any]]:
        sent: list[dict[str, Any]] = []
        first = True

        async def receive() -> dict[str, Any]:
            nonlocal first
            if first:
                first = False
                return {"type": "http.request", "body": b"{", "more_body": True}
            await asyncio.Event().wait()
            raise AssertionError

        async def send(message: dict[str, Any]) -> None:
            sent.append(message)

        headers = [(b"content-type", b"application/json")]
        scope = {"type": "http", "method": "POST", "path": "/v1/moves", "raw_path": b"/v1/moves", "headers": headers}
        scope |= {"query_string": b"", "http_version": "1.1", "scheme": "http", "root_path": ""}
        scope |= {"client": ("a", 1), "server": ("a", 1)}
        await app(scope, receive, send)  # type: ignore[arg-type]
        return sent

    sent = asyncio.run(main())
    assert sent[0]["status"] == 408

"""HTTP below the application: clients that are slow, that break off, or that do not speak HTTP."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("uvicorn")
pytest.importorskip("numba")
pytest.importorskip("httpx")

import httpx
from asking import MEMBERS, request

from qwirkle_fast.web import create_app, protocol
from qwirkle_fast.web.server import listen, server

POSITION = "RvRdRc BcBsRsPsYtOx/?6 0/3 classic"


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """A server in a thread of this process, so that its patience can be shortened."""
    found = server(create_app(threads=1, hosts=["localhost"]))
    with listen("127.0.0.1", 0) as listening:
        thread = threading.Thread(target=found.run, kwargs={"sockets": [listening]})
        thread.start()
        yield listening.getsockname()[1]
        found.should_exit = True
        thread.join()


def told(port: int, *sent: bytes, half_close: bool = False) -> bytes:
    """What the server says until it closes the connection."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        for part in sent:
            connection.sendall(part)
        if half_close:
            connection.shutdown(socket.SHUT_WR)
        heard = b""
        while part := connection.recv(1 << 16):
            heard += part
    return heard


def problem(heard: bytes, status: int) -> dict[str, Any]:
    head, _, body = heard.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 %d " % status), heard
    assert b"application/problem+json" in head
    assert b"content-security-policy" in head.lower()
    found: dict[str, Any] = json.loads(body)
    assert found.keys() >= MEMBERS
    assert found["status"] == status
    return found


@pytest.mark.parametrize("sent", [b"GET /v1/hea", b"GET /v1/health HTTP/1.1\r\nHost: localhost\r\nX: "])
def test_a_head_has_an_end(port: int, sent: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "HEAD_SECONDS", 0.1)
    assert problem(told(port, sent), 408)["where"] == "headers"


def test_each_byte_gives_no_more_time(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "HEAD_SECONDS", 0.3)
    with socket.create_connection(("127.0.0.1", port), timeout=0.02) as connection:
        connection.sendall(b"GET /v1/health HTTP/1.1\r\nHost: localhost\r\n")
        for _ in range(1000):
            try:
                heard = connection.recv(1 << 16)
                break
            except TimeoutError:
                connection.sendall(b"a")
        else:
            raise AssertionError("it goes on for ever")
    problem(heard, 408)


def test_who_says_nothing_is_left(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "HEAD_SECONDS", 0.1)
    assert told(port) == b""


def test_a_second_request_has_a_deadline_too(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "HEAD_SECONDS", 0.1)
    heard = told(port, b"GET /v1/health HTTP/1.1\r\nHost: localhost\r\n\r\nGET /v1/health HT")
    assert heard.startswith(b"HTTP/1.1 200")
    problem(heard[heard.rindex(b"HTTP/1.1 ") :], 408)


def test_a_body_that_is_not_wanted_has_an_end(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "HEAD_SECONDS", 0.1)
    heard = told(port, b"GET /v1/health HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nab")
    assert heard.startswith(b"HTTP/1.1 200")


def test_a_body_that_is_said_to_be_large_is_refused_before_it_comes(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=9) as connection:  # less than a body's time
        connection.sendall(request("/v1/moves", b"", length=1 << 30))
        assert problem(connection.recv(1 << 16), 413)["where"] == "body"


def test_a_large_body_is_refused_and_the_answer_arrives(port: int) -> None:
    body = b" " * (1 << 22)
    with httpx.Client(base_url=f"http://localhost:{port}") as client:
        for _ in range(3):
            headers = {"Content-Type": "application/json"}
            assert client.post("/v1/moves", content=body, headers=headers).status_code == 413


def keep_sending(connection: socket.socket) -> None:
    for _ in range(1000):
        connection.send(b"P")
        time.sleep(0.01)


def test_an_answer_that_nobody_reads_is_given_up(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "READ_SECONDS", 0.1)
    body = json.dumps({"position": "Oc RcYcGcBcPcOx/?6 0/0 classic"}).encode()  # thousands of moves
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.connect(("127.0.0.1", port))
        connection.sendall(40 * request("/v1/moves", body))
        with pytest.raises(ConnectionError):
            keep_sending(connection)


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"\x00\xff\r\n\r\n", 400),
        (b"GET /v1/health HTTP/1.1\r\n\r\n", 400),
        (b"GET /v1/health HTTP/1.1\r\nHost: localhost\r\nbad\r\n\r\n", 400),
        (b"GET /v1/health HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: odd\r\n\r\n", 501),
        (b"GET /v1/health HTTP/1.1\r\nX: " + b"a" * (1 << 17), 431),
        (
            b"POST /v1/moves HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
            400,
        ),
        (b"GET / HTTP/1.1\r\nHost: elsewhere.example\r\nConnection: close\r\n\r\n", 421),
    ],
)
def test_what_is_no_request_is_told_so(port: int, sent: bytes, status: int) -> None:
    found = problem(told(port, sent), status)
    assert found["expected"]
    assert "\n" not in found["detail"]
    assert httpx.get(f"http://localhost:{port}/v1/health").status_code == 200


def answer(heard: bytes) -> Any:
    """The body of the one final answer, after whatever was said meanwhile."""
    while heard.startswith(b"HTTP/1.1 100 "):
        heard = heard.partition(b"\r\n\r\n")[2]
    assert heard.startswith(b"HTTP/1.1 200 "), heard
    return json.loads(heard.partition(b"\r\n\r\n")[2])


@pytest.mark.parametrize("more", [{"simulations": 100}, {"time": 0.7}])
def test_who_has_ended_its_side_is_answered(port: int, more: dict[str, object]) -> None:
    body = json.dumps({"position": POSITION, **more}).encode()
    found = answer(told(port, request("/v1/hints", body), half_close=True))
    assert found["position"] == POSITION
    assert found["hints"]


def test_a_stream_goes_on_for_who_has_ended_its_side(port: int) -> None:
    body = json.dumps({"position": POSITION, "time": 0.3}).encode()
    assert b"event: done" in told(port, request("/v1/hints/stream", body), half_close=True)

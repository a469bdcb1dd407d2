"""Latency over HTTP: ``/v1/moves`` against a bare route that answers with as many bytes, and the first streamed hint.

Both routes are served by one process each, asked in turns by the same keep-alive clients.

    python tools/http_latency.py [--clients 4] [--requests 4000] [--rounds 5]
"""

from __future__ import annotations

import argparse
import contextlib
import json
import multiprocessing
import selectors
import socket
import statistics
import time
from multiprocessing.connection import Connection

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response

from qwirkle_fast.web import create_app
from qwirkle_fast.web.routes import PlainRoute
from qwirkle_fast.web.server import listen, server

POSITION = "RvRdRc BcBsRsPsYtOx/?6 0/3 classic"
BODY = json.dumps({"position": POSITION}).encode()


def serve(pipe: Connection, answer: bytes | None) -> None:
    """Serve the application, or the bare route when there is an answer; the port goes into the pipe."""
    app = create_app(threads=1, hosts=["localhost"])
    if answer is not None:
        app = FastAPI()
        app.router.route_class = PlainRoute

        @app.post("/v1/moves")
        async def bare(request: Request) -> Response:
            return Response(answer, media_type="application/json")

    with listen("127.0.0.1", 0) as listening:
        pipe.send(listening.getsockname()[1])
        server(app).run(sockets=[listening])


def start(answer: bytes | None = None) -> tuple[multiprocessing.Process, int]:
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(theirs, answer), daemon=True)
    process.start()
    return process, ours.recv()


def request(path: str, body: bytes) -> bytes:
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    return head.encode() + b"\r\n\r\n" + body


def ask(connection: socket.socket, asked: bytes) -> bytes:
    """The body of the answer to one request."""
    connection.sendall(asked)
    heard = bytearray()
    while not is_whole(heard):
        heard += connection.recv(1 << 16)
    return bytes(heard.partition(b"\r\n\r\n")[2])


def is_whole(heard: bytearray) -> bool:
    head, _, body = heard.partition(b"\r\n\r\n")
    return len(body) == int(head.lower().partition(b"content-length:")[2].split(b"\r\n")[0] or -1)


def latencies(port: int, clients: int, requests: int) -> list[float]:
    """Milliseconds of each request, ascending.  One thread asks for all of them, so that none holds up another."""
    asked = request("/v1/moves", BODY)
    found: list[float] = []
    with contextlib.ExitStack() as stack, selectors.DefaultSelector() as selector:
        for _ in range(clients):
            connection = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
            connection.sendall(asked)
            selector.register(connection, selectors.EVENT_READ, (bytearray(), [time.perf_counter()]))
        while len(found) < requests:
            for key, _ in selector.select():
                connection = key.fileobj
                heard, begun = key.data
                heard += connection.recv(1 << 16)
                if is_whole(heard):
                    found.append(1000 * (time.perf_counter() - begun[0]))
                    heard.clear()
                    begun[0] = time.perf_counter()
                    connection.sendall(asked)
    return sorted(found)


def first_hint(port: int) -> float:
    """Milliseconds until the first streamed answer has arrived."""
    with socket.create_connection(("127.0.0.1", port)) as connection:
        begun = time.perf_counter()
        connection.sendall(request("/v1/hints/stream", json.dumps({"position": POSITION, "time": 0.5}).encode()))
        heard = b""
        while b"event: hints" not in heard or not heard.endswith(b"\n\n\r\n"):
            heard += connection.recv(1 << 16)
        return 1000 * (time.perf_counter() - begun)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clients", type=int, default=4)
    parser.add_argument("--requests", type=int, default=4000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    ours, port = start()
    with socket.create_connection(("127.0.0.1", port)) as connection:
        answer = ask(connection, request("/v1/moves", BODY))
    bare, bare_port = start(answer)
    ratios = []
    for _ in range(options.rounds):
        found = [latencies(which, options.clients, options.requests) for which in (port, bare_port)]
        (p50, p99), (bare50, bare99) = ((all_[len(all_) // 2], all_[len(all_) * 99 // 100]) for all_ in found)
        ratios.append((p50 / bare50, p99 / bare99))
        print(f"p50 {p50:.2f} ms, bare {bare50:.2f} ms; p99 {p99:.2f} ms, bare {bare99:.2f} ms", flush=True)
    for name, column in zip(("p50", "p99"), zip(*ratios, strict=True), strict=True):
        print(f"{name}: {statistics.median(column):.2f} times the bare route's ({len(answer):,} bytes)")
    hints = sorted(first_hint(port) for _ in range(20))
    print(f"first streamed hint: median {statistics.median(hints):.0f} ms, at most {hints[-1]:.0f} ms")
    ours.terminate()
    bare.terminate()


if __name__ == "__main__":
    main()

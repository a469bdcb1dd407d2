"""The server process around the application."""

from __future__ import annotations

import socket
from contextlib import suppress
from threading import Thread

import uvicorn
from fastapi import FastAPI

#: Bytes of a request's line and headers.
HEAD = 1 << 16
#: Seconds that an idle connection is kept, and that what is being answered may take when the server ends.
KEEP_ALIVE, GRACE = 75, 2


def listen(host: str, port: int) -> socket.socket:
    """A socket that takes connections; ``OSError`` when the address is not ours or in use.  Port 0 takes a free one."""
    family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    listening = socket.socket(family, kind, protocol)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(address)
        listening.listen(2048)
    except OSError:
        listening.close()
        raise
    return listening


def run(app: FastAPI, listening: socket.socket) -> None:
    """Serve until a signal ends it; meanwhile the search is made ready."""
    Thread(target=_warm_up, daemon=True).start()
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        # The other parser takes headers of any size, and ever more time for each further byte of one.
        http="h11",
        h11_max_incomplete_event_size=HEAD,
        timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=GRACE,
    )
    uvicorn.Server(config).run(sockets=[listening])


def _warm_up() -> None:
    """Compile the search or load it, so that the first who asks for hints does not wait."""
    with suppress(ImportError):  # a server without hints
        from ..search import warm_up

        warm_up()

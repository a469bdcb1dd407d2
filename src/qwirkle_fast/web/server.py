"""The server process around the application."""

from __future__ import annotations

import socket

import uvicorn
from fastapi import FastAPI

from .protocol import HEAD, Protocol

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
    """Serve until a signal ends it."""
    server(app).run(sockets=[listening])


def server(app: FastAPI) -> uvicorn.Server:
    """The server, to be run."""
    config = uvicorn.Config(
        app,
        log_config=None,
        # What clients do wrong they are told; a line here for each could fill a pipe that nobody reads.
        log_level="error",
        access_log=False,
        server_header=False,
        # uvicorn's other parser takes headers of any size, and ever more time for each further byte of one.
        http=Protocol,
        ws="none",
        h11_max_incomplete_event_size=HEAD,
        timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=GRACE,
    )
    return uvicorn.Server(config)

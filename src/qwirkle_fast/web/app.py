"""The ASGI application: routes, limits and headers put together."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from fastapi import FastAPI
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..game import package_version
from . import games, page, positions, qwixx, review
from .bodies import HealthAnswer
from .database import Database
from .description import add_description, describe
from .limits import Limits
from .positions import json_response
from .problems import add_handlers
from .routes import new_router
from .tables import Tables
from .workers import ClientLeft, Workers

#: On every answer.  What the page may load is its own server's, and nobody may put it in a frame.
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}


def create_app(
    *, threads: int | None = None, store: str | None = None, cors: Sequence[str] = (), limits: Limits | None = None
) -> FastAPI:
    """The application.

    ``threads``: how many searches at a time, all cores unless said.  ``store``: the file of a database that keeps the
    games; ``ValueError`` when it cannot be used.  ``cors``: origins whose pages may ask, ``"*"`` for all.
    """
    limits = limits or Limits()
    workers = Workers(threads or os.cpu_count() or 1, limits.waiting)
    # Solving the game of Qwixx, or a distribution, cannot be broken off, so such questions hold up only each other.
    solver = Workers(1, 4)
    clerks = Workers(2, 64 * limits.waiting)
    database = Database(store) if store is not None else None

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        workers.close()
        solver.close()
        clerks.close()
        if database:
            database.close()

    app = FastAPI(
        title="qwirkle_fast",
        version=package_version(),
        description="Moves, hints and games of Qwirkle, Qwirkle Flex and Qwixx.",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
    )
    add_handlers(app)
    add_description(app)
    app.include_router(positions.router(workers, clerks, limits))
    app.include_router(review.router(workers, limits))
    app.include_router(qwixx.router(solver, limits))
    app.include_router(games.router(workers, clerks, Tables(limits.games, database), limits))
    server = new_router("server")

    @server.get("/health", openapi_extra=describe(None, HealthAnswer))
    async def health(request: Request) -> Response:
        """Whether the server is there, and how busy."""
        return json_response(
            {
                "status": "ok",
                "version": app.version,
                "threads": workers.threads,
                "jobs": workers.jobs,
                "search": importlib.util.find_spec("numba") is not None,
            }
        )

    app.include_router(server)
    app.include_router(page.router())

    @app.exception_handler(ClientLeft)
    async def nobody(request: Request, error: ClientLeft) -> Response:
        return Response(status_code=499)

    if cors:
        app.add_middleware(CORSMiddleware, allow_origins=list(cors), allow_methods=["GET", "POST"], allow_headers=["*"])
    app.add_middleware(_Headers)
    return app


class _Headers:
    """Puts :data:`HEADERS` on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._headers = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *self._headers]
            await send(message)

        await self._app(scope, receive, with_headers if scope["type"] == "http" else send)

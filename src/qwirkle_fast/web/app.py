"""The ASGI application: routes, limits and headers put together."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from threading import Event, Thread
from urllib.parse import urlsplit

from fastapi import FastAPI
from starlette.datastructures import Headers
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
from .problems import Problem, add_handlers
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
    *,
    threads: int | None = None,
    store: str | None = None,
    cors: Sequence[str] = (),
    hosts: Sequence[str] = (),
    limits: Limits | None = None,
) -> FastAPI:
    """The application.

    ``threads``: how many searches at a time, all cores unless said.  ``store``: the file of a database that keeps the
    games; ``ValueError`` when it cannot be used.  ``cors``: origins whose pages may ask, ``"*"`` for all.
    ``hosts``: the names by which the server may be asked, without a port; any when there is none.
    """
    limits = limits or Limits()
    workers = Workers(threads or os.cpu_count() or 1, limits.waiting)
    # Solving the game of Qwixx, or a distribution, cannot be broken off, so such questions hold up only each other.
    solver = Workers(1, 4)
    clerks = Workers(2, 64 * limits.waiting)
    database = Database(store) if store is not None else None
    compiling = Event()

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        compiling.set()
        Thread(target=_warm_up, args=(compiling,), daemon=True).start()
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
    server = new_router("server")

    @server.get("/health", openapi_extra=describe(None, HealthAnswer))
    async def health(request: Request) -> Response:
        """Whether the server is there, and how busy."""
        return json_response(
            {
                "status": "ok",
                "version": app.version,
                "threads": workers.threads,
                "jobs": workers.jobs + solver.jobs,
                "search": importlib.util.find_spec("numba") is not None,
                "compiling": compiling.is_set(),
            }
        )

    for router in (
        positions.router(workers, clerks, limits),
        review.router(workers, limits),
        qwixx.router(solver, limits),
        games.router(workers, clerks, Tables(limits.games, database), limits),
        server,
        page.router(),
    ):
        # Not included but joined: each of FastAPI's routers within routers takes as long as listing the moves.
        app.router.routes.extend(router.routes)

    @app.exception_handler(ClientLeft)
    async def nobody(request: Request, error: ClientLeft) -> Response:
        return Response(status_code=499)

    if cors:
        app.add_middleware(_Cors, allow_origins=list(cors), allow_methods=_METHODS, allow_headers=["*"])
    app.add_middleware(_Outermost, hosts=frozenset(hosts))
    return app


def _warm_up(compiling: Event) -> None:
    """Compile the search or load it, so that the first who asks for hints does not wait; then ``compiling`` is over."""
    with suppress(ImportError):  # a server without hints
        from ..search import warm_up

        warm_up()
    compiling.clear()


_METHODS = ["GET", "HEAD", "POST"]


class _Cors(CORSMiddleware):
    """Starlette's, but what is refused is a problem."""

    def preflight_response(self, request_headers: Headers) -> Response:
        response = super().preflight_response(request_headers)
        if response.status_code == 200:
            return response
        origin, method = request_headers["origin"], request_headers["access-control-request-method"]
        if not self.is_allowed_origin(origin):
            problem = Problem(403, "origin", f"pages of {ascii(origin)[:80]} may not ask", "one that --cors names")
        else:
            problem = Problem(403, "method", f"{ascii(method)[1:-1][:20]} may not be asked for", ", ".join(_METHODS))
        return problem.response()


class _Outermost:
    """What holds for every request and answer: the name that is asked for, HEAD, faults, and :data:`HEADERS`."""

    def __init__(self, app: ASGIApp, hosts: frozenset[str]) -> None:
        self._app, self._hosts = app, hosts
        self._headers = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = False
        head = scope["method"] == "HEAD"

        async def sent(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                message["headers"] = [*message["headers"], *self._headers]
            elif head and message["type"] == "http.response.body":
                message["body"] = b""
            await send(message)

        host = next((value for name, value in scope["headers"] if name == b"host"), None)
        refused = self._refused(host) if self._hosts and host is not None else None
        if refused:
            await refused.response()(scope, receive, sent)
            return
        try:
            await self._app({**scope, "method": "GET"} if head else scope, receive, sent)
        except Exception as error:
            if not begun:
                what = f"a fault of our own ({type(error).__name__})"
                await Problem(500, "server", what, "none: please report it").response()(scope, receive, sent)
            raise

    def _refused(self, host: bytes) -> Problem | None:
        """A name of somebody else's that leads here would let that one's pages ask (DNS rebinding)."""
        text = host.decode("latin-1")
        try:
            name = urlsplit(f"//{text}").hostname
        except ValueError:
            name = None
        if name in self._hosts:
            return None
        return Problem(421, "host", f"{ascii(text)[:80]} is not served here", " or ".join(sorted(self._hosts)))

"""Routes about one position: moves, hints, score, apply."""

from __future__ import annotations

import asyncio
import time as clock
from collections.abc import AsyncIterator, Callable
from threading import Event
from typing import TYPE_CHECKING

import msgspec
from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from ..notation import NotationError, ranked_json
from ..position import IllegalMove, Position
from .bodies import (
    EXAMPLE,
    ApplyAnswer,
    HintsAnswer,
    HintsRequest,
    MoveRequest,
    MovesAnswer,
    MovesRequest,
    ScoreAnswer,
    read,
    read_move,
    read_position,
)
from .description import describe
from .limits import Limits
from .problems import Problem
from .routes import new_router
from .workers import Workers

if TYPE_CHECKING:
    from ..search import Hint

#: An answer of more moves than these is written off the event loop; up to there it takes less than handing it over.
SOON_WRITTEN = 1000
#: Simulations at most of the first streamed answer, which is there at once; a solver says nothing until it is done.
GLANCE = 200
#: Seconds between two streamed answers, at least.
PACE = 0.1


class JsonResponse(Response):
    """Bytes that are JSON already."""

    media_type = "application/json"


def json_response(value: object, status: int = 200) -> Response:
    return JsonResponse(msgspec.json.encode(value), status)


def router(workers: Workers, clerks: Workers, limits: Limits) -> APIRouter:
    """The routes.  ``workers`` think, ``clerks`` write what is long."""
    routes = new_router("positions")

    @routes.post("/moves", openapi_extra=describe(MovesRequest, MovesAnswer, {"position": EXAMPLE}))
    async def moves(request: Request) -> Response:
        """Every legal placement with its score, best first."""
        asked = await read(request, MovesRequest, limits)
        text, position = read_position(asked.position)
        try:
            if asked.count:
                return json_response({"position": text, "count": len(position.legal_moves)})
            array = position.legal_moves.array
        except NotationError as error:
            raise Problem.of(error, "position", 409) from None

        def written(stop: Event | None = None) -> bytes:
            found = msgspec.Raw(ranked_json(array, position.rules.name == "flex"))
            return msgspec.json.encode({"position": text, "moves": found})

        if len(array) <= SOON_WRITTEN:
            return JsonResponse(written())
        return JsonResponse(await clerks.start(written, limits.time).answer(request))

    @routes.post("/hints", openapi_extra=describe(HintsRequest, HintsAnswer, {"position": EXAMPLE, "time": 0.2}))
    async def hints(request: Request) -> Response:
        """The best moves, exchanges included, ranked by the chance to win, then equity."""
        asked = await read(request, HintsRequest, limits)
        text, position = read_position(asked.position)
        try:
            found = await workers.start(_search(position, asked, workers), limits.time).answer(request)
        except NotationError as error:
            raise Problem.of(error, "position", 409) from None
        return JsonResponse(_hints(text, found))

    @routes.post(
        "/hints/stream",
        openapi_extra=describe(HintsRequest, HintsAnswer, {"position": EXAMPLE, "time": 0.2}, stream=True),
    )
    async def stream(request: Request) -> Response:
        """As hints, but better and better answers as server-sent events: `hints`, and at the end one `done`."""
        asked = await read(request, HintsRequest, limits)
        text, position = read_position(asked.position)
        newest = _Newest()
        job = workers.start(_search(position, asked, workers, newest.publish), limits.time)
        final = asyncio.ensure_future(job.answer(request))
        first = asyncio.ensure_future(newest.changed())
        await asyncio.wait((final, first), return_when=asyncio.FIRST_COMPLETED)
        first.cancel()
        if final.done():  # so that what is wrong with the position has its own status
            try:
                final.result()
            except NotationError as error:
                raise Problem.of(error, "position", 409) from None
        events = _events(text, newest, final)
        return StreamingResponse(events, media_type="text/event-stream", headers={"Cache-Control": "no-store"})

    @routes.post("/score", openapi_extra=describe(MoveRequest, ScoreAnswer, {"position": EXAMPLE, "move": "Rs@3,0"}))
    async def score(request: Request) -> Response:
        """Whether a move is legal, and each line it makes with its cells and points, or why it is not."""
        asked = await read(request, MoveRequest, limits)
        text, position = read_position(asked.position)
        move = read_move(asked.move)
        try:
            explanation = position.explain(move)
        except NotationError as error:
            raise Problem.of(error, "move", 409) from None
        answer: dict[str, object] = {
            "position": text,
            "move": str(move),
            "legal": explanation.legal,
            "score": explanation.score,
            "lines": [line._asdict() for line in explanation.lines],
        }
        if not explanation.legal:
            answer["reason"] = explanation.reason
        return json_response(answer)

    @routes.post("/apply", openapi_extra=describe(MoveRequest, ApplyAnswer, {"position": EXAMPLE, "move": "Rs@3,0"}))
    async def apply(request: Request) -> Response:
        """The position after a move; an illegal one is a problem that repeats the question."""
        asked = await read(request, MoveRequest, limits)
        text, position = read_position(asked.position)
        move = read_move(asked.move)
        try:
            position.push(move)
            following = str(position)
        except IllegalMove as error:
            more = {"position": text, "move": str(move), "next": None, "reason": str(error)}
            raise Problem.of(error, "move", 409, **more) from None
        except NotationError as error:
            raise Problem.of(error, "move", 409) from None
        return json_response({"position": text, "move": str(move), "next": following})

    return routes


def _hints(text: str, found: list[Hint]) -> bytes:
    return msgspec.json.encode({"position": text, "hints": [hint.to_json() for hint in found]})


def _search(
    position: Position,
    asked: HintsRequest,
    workers: Workers,
    publish: Callable[[list[Hint]], None] = lambda found: None,
) -> Callable[[Event], list[Hint]]:
    """The work of a search; better and better answers are published, the last one is returned."""

    def work(stop: Event) -> list[Hint]:
        try:
            from ..search import analyse, require_known_hand, with_replies
        except ImportError:
            raise Problem(501, "server", "no Numba here", "a server that has it") from None
        require_known_hand(position)
        glance = analyse(position, top=asked.top, simulations=GLANCE, threads=1, seed=asked.seed)
        publish(next(glance, []))
        time = asked.time if asked.time or asked.simulations else 1.0
        found: list[Hint] = []
        last = 0.0
        for found in analyse(
            position,
            top=asked.top,
            time=time,
            simulations=asked.simulations,
            threads=min(asked.threads or workers.threads, workers.share()),
            seed=asked.seed,
            stop=stop,
        ):
            if clock.perf_counter() - last >= PACE:
                publish(found)
                last = clock.perf_counter()
        return with_replies(position, found, seed=asked.seed)

    return work


class _Newest:
    """The newest answer of a search, for a reader that may be slower than it: older ones are dropped."""

    def __init__(self) -> None:
        self.found: list[Hint] | None = None
        self._loop = asyncio.get_running_loop()
        self._changed = asyncio.Event()

    def publish(self, found: list[Hint]) -> None:
        """Called in the thread of the search."""
        self.found = found
        self._loop.call_soon_threadsafe(self._changed.set)

    async def changed(self) -> None:
        """Wait until there is a new answer."""
        await self._changed.wait()

    def take(self) -> list[Hint]:
        self._changed.clear()
        return self.found or []


async def _events(text: str, newest: _Newest, final: asyncio.Future[list[Hint]]) -> AsyncIterator[bytes]:
    def event(name: str, found: list[Hint]) -> bytes:
        return f"event: {name}\ndata: ".encode() + _hints(text, found) + b"\n\n"

    changed: asyncio.Future[None] | None = None
    try:
        if newest.found is not None:  # told even when the last answer is there meanwhile
            yield event("hints", newest.take())
        while not final.done():
            changed = asyncio.ensure_future(newest.changed())
            await asyncio.wait((final, changed), return_when=asyncio.FIRST_COMPLETED)
            changed.cancel()
            if not final.done():
                yield event("hints", newest.take())
        yield event("done", final.result())
    finally:
        final.cancel()
        if changed:
            changed.cancel()

"""Routes about games: new ones, their state, moves in them, their records."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from threading import Event
from typing import Annotated, TypeVar

from fastapi import APIRouter
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response

from ..notation import NotationError, format_rules
from ..position import IllegalMove
from .bodies import MoveText, RulesObject, RulesText, Seed, read, read_move, read_rules
from .description import describe
from .levels import LEVELS, Stopped
from .limits import Limits
from .positions import json_response
from .problems import Problem
from .review import Record
from .routes import new_router
from .tables import Setup, Table, Tables
from .workers import ClientLeft, Workers

T = TypeVar("T")

_LEVEL = Annotated[str, Meta(pattern=f"^({'|'.join(LEVELS)})$")]


class Seat(Struct, forbid_unknown_fields=True):
    """Who sits there: an engine of that level, or a person when there is none."""

    name: Annotated[str, Meta(min_length=1, max_length=40)] | None = None
    level: _LEVEL | None = None


class GameRequest(Struct, forbid_unknown_fields=True):
    """``players`` in the order of their seats, the oldest first; a person against an engine unless said."""

    rules: RulesText | RulesObject = "classic"
    players: Annotated[list[Seat], Meta(min_length=2, max_length=6)] | None = None
    seed: Seed | None = None


class PlayRequest(Struct, forbid_unknown_fields=True):
    """``move``: the person's; left out, the engine whose turn it is moves.  ``turn``: how many turns have been made, so
    that a request which is sent again makes no second move."""

    move: MoveText | None = None
    turn: Annotated[int, Meta(ge=0, le=1_000_000)] | None = None


class PlayerObject(Struct):
    name: str
    level: str | None


class TurnObject(Struct):
    """A turn; what another exchanged is hidden."""

    seat: int
    move: str
    score: int


class GameAnswer(Struct):
    """A game as the seat ``viewer`` sees it; ``seat`` is whose turn it is, ``scores`` and ``winners`` are by seat."""

    id: str
    rules: RulesObject
    players: list[PlayerObject]
    turn: int
    seat: int
    viewer: int | None
    position: str
    scores: list[int]
    bag: int
    turns: list[TurnObject]
    end: str | None
    winners: list[int]


_ID: dict[str, object] = {
    "name": "id",
    "in": "path",
    "required": True,
    "schema": {"type": "string", "pattern": "^[A-Za-z0-9_-]{16}$"},
}
_SEAT: dict[str, object] = {"name": "seat", "in": "query", "schema": {"type": "integer", "minimum": 0, "maximum": 5}}


def router(workers: Workers, clerks: Workers, tables: Tables, limits: Limits) -> APIRouter:
    """The routes.  ``workers`` think, ``clerks`` do what is short but may have to wait for a disk."""
    routes = new_router("games")

    async def done(request: Request, work: Callable[[Event], T], by: Workers = clerks) -> T:
        return await by.start(work, limits.time).answer(request)

    @routes.post(
        "/games",
        status_code=201,
        openapi_extra=describe(
            GameRequest, GameAnswer, {"players": [{"name": "Ann"}, {"level": "club"}], "seed": 1}, status="201"
        ),
    )
    async def create(request: Request) -> Response:
        """A new game."""
        asked = await read(request, GameRequest, limits)
        rules = read_rules(asked.rules)
        players = asked.players or [Seat(), Seat(level="club")]
        names = [seat.name or seat.level or f"player {number}" for number, seat in enumerate(players, 1)]
        seed = secrets.randbits(53) if asked.seed is None else asked.seed
        setup = Setup(format_rules(rules), seed, names, [seat.level for seat in players])
        table = await done(request, lambda stop: tables.create(setup))
        return json_response(table.to_json(), 201)

    @routes.get("/games/{id}", openapi_extra=describe(None, GameAnswer, parameters=[_ID, _SEAT]))
    async def state(request: Request) -> Response:
        """A game as it stands, as the person on `seat` sees it."""
        table = await done(request, lambda stop: tables.find(request.path_params["id"]))
        return json_response(table.to_json(_seat(request)))

    @routes.post("/games/{id}/moves", openapi_extra=describe(PlayRequest, GameAnswer, {}, parameters=[_ID, _SEAT]))
    async def play(request: Request) -> Response:
        """Make a person's move, or have an engine make its own."""
        asked = await read(request, PlayRequest, limits)
        seat = _seat(request)
        move = None if asked.move is None else read_move(asked.move)
        table = await done(request, lambda stop: tables.find(request.path_params["id"]))
        table.viewer(seat)

        def work(stop: Event) -> Table:
            try:
                return tables.play(table, move, asked.turn, workers.share(), stop)
            except Stopped:
                raise ClientLeft from None

        try:
            await done(request, work, clerks if move else workers)
        except (IllegalMove, NotationError) as error:
            raise Problem.of(error, "move", 409) from None
        except ImportError:
            raise Problem(501, "server", "no Numba here", "a level that does not search") from None
        return json_response(table.to_json(seat))

    @routes.get("/games/{id}/record", openapi_extra=describe(None, Record, parameters=[_ID]))
    async def record(request: Request) -> Response:
        """The record of a game that is over: with all hands, the bag and the seed."""
        table = await done(request, lambda stop: tables.find(request.path_params["id"]))
        if not table.game.is_over:
            raise Problem(409, "id", "the game goes on", "one that is over, since a record shows every hand")
        return json_response(table.game.record())

    return routes


def _seat(request: Request) -> int | None:
    text = request.query_params.get("seat")
    if text is None:
        return None
    if len(text) != 1 or text not in "012345":
        raise Problem(422, "seat", f"the value is {ascii(text)[:40]}", "a whole number from 0 to 5")
    return int(text)

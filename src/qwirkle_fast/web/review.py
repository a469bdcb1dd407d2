"""The route that judges every turn of a game's record."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event
from typing import Annotated

import msgspec
from fastapi import APIRouter
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response

from ..game import Game
from .bodies import HintObject, MoveText, RulesObject, Score, Seed, Tile, read
from .description import describe
from .limits import Limits
from .positions import json_response
from .problems import Problem
from .routes import new_router
from .workers import Workers

_LIMITS = Limits()


class RecordTurn(Struct):
    """A turn; ``score`` is the move's own."""

    seat: Annotated[int, Meta(ge=0, le=5)]
    move: MoveText
    score: Score
    drawn: Annotated[list[Tile], Meta(max_length=6)]


class Record(Struct):
    """A whole game, with its deal; ``end`` is null while it goes on."""

    rules: RulesObject
    seed: Annotated[int, Meta(ge=0)]
    players: Annotated[list[str], Meta(min_length=2, max_length=6)]
    hands: Annotated[list[list[Tile]], Meta(min_length=2, max_length=6)]
    bag: Annotated[list[Tile], Meta(max_length=108)]
    turns: Annotated[list[RecordTurn], Meta(max_length=_LIMITS.turns)]
    scores: Annotated[list[Score], Meta(min_length=2, max_length=6)]
    end: Annotated[str, Meta(pattern="^(out|stuck|dead|exchanges|forfeit)$")] | None = None
    versions: dict[str, str] = {}


class ReviewRequest(Struct, forbid_unknown_fields=True):
    """``time``, in seconds, and ``simulations`` are for each turn; 1,000 simulations unless said."""

    record: Record
    time: Annotated[float, Meta(gt=0, le=_LIMITS.time)] | None = None
    simulations: Annotated[int, Meta(ge=1, le=_LIMITS.simulations)] | None = None
    threads: Annotated[int, Meta(ge=1, le=1024)] | None = None
    seed: Seed = 0


class JudgedTurn(Struct):
    """A turn, the hints of the best move and of the one played, and the points and the chance to win that it lost."""

    turn: int
    seat: int
    position: str
    move: str
    score: int
    best: HintObject
    played: HintObject
    lost: float
    win_lost: float
    margin: float


class TotalObject(Struct):
    """A player's turns together: their number, how often the best was played, and what was lost."""

    turns: int
    best: int
    lost: float
    win_lost: float


class ReviewAnswer(Struct):
    """Every turn judged, and the players' totals by seat."""

    players: list[str]
    turns: list[JudgedTurn]
    totals: list[TotalObject]
    scores: list[int]
    end: str | None


def router(workers: Workers, limits: Limits) -> APIRouter:
    """The route, with where the work goes and what a request may ask for."""
    routes = new_router("positions")

    @routes.post(
        "/review", openapi_extra=describe(ReviewRequest, ReviewAnswer, {"record": _example(), "simulations": 50})
    )
    async def review(request: Request) -> Response:
        """Judge every turn of a game: the best move, and what the one played lost."""
        asked = await read(request, ReviewRequest, limits)
        turns = len(asked.record.turns)
        if asked.time and asked.time * turns > limits.review:
            most = f"at most {limits.review / turns:.2f} for each of {turns} turns"
            raise Problem(409, "time", f"{asked.time:g} seconds for each turn", most)
        try:
            answer = await workers.start(_work(asked, workers), limits.review).answer(request)
        except ValueError as error:
            raise Problem.of(error, "record", 409) from None
        return json_response(answer)

    return routes


def _work(asked: ReviewRequest, workers: Workers) -> Callable[[Event], dict[str, object]]:
    def work(stop: Event) -> dict[str, object]:
        try:
            from ..search import review, review_json
        except ImportError:
            raise Problem(501, "server", "no Numba here", "a server that has it") from None
        game = Game.from_record(msgspec.to_builtins(asked.record))
        simulations = asked.simulations if asked.time or asked.simulations else 1000
        threads = min(asked.threads or workers.threads, workers.share())
        judged = []
        for judgement in review(game, time=asked.time, simulations=simulations, threads=threads, seed=asked.seed):
            judged.append(judgement)
            if stop.is_set() and len(judged) < len(game.turns):
                what = f"only {len(judged)} of {len(game.turns)} turns were judged in time"
                raise Problem(503, "server", what, "fewer simulations", headers={"Retry-After": "10"})
        return review_json(game, judged)

    return work


def _example() -> dict[str, object]:
    """The record of a game of one turn."""
    game = Game(seed=1)
    best = game.position.legal_moves.best()
    assert best is not None
    game.play(best)
    return {**game.record(), "versions": {}}

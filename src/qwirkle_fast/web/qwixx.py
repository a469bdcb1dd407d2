"""Routes about Qwixx: what a sheet is worth, and the best use of a roll."""

from __future__ import annotations

import re
from collections.abc import Callable
from threading import Event
from typing import Annotated, TypeVar

from fastapi import APIRouter
from msgspec import Meta, Struct
from starlette.requests import Request
from starlette.responses import Response

from .. import qwixx
from .bodies import Seed, read
from .description import describe
from .limits import Limits
from .positions import json_response
from .problems import Problem
from .routes import new_router
from .workers import Workers

T = TypeVar("T")

_LIMITS = Limits()

#: A sheet late in a game, whose distribution is found at once.
EXAMPLE = "R2,3,5,7,8,12/Y2,3,4,5,6,7,9,10/G12,11,10,9,8,7,4/B12,11,10,9,5,3/P3"

# The lexical form; what the words mean is checked afterwards.
_ROW = "(?:-|[0-9]{1,2}(?:,[0-9]{1,2}){0,10})x?"
_SHEET = f"R{_ROW}/Y{_ROW}/G{_ROW}/B{_ROW}/P[0-4]"

SheetText = Annotated[str, Meta(pattern=f"^{_SHEET}$", max_length=200, examples=[EXAMPLE])]
TableText = Annotated[
    str,
    Meta(pattern=f"^{_SHEET}(?: {_SHEET}){{0,4}}$", max_length=1000, description="A sheet, or all players' sheets."),
]
DiceText = Annotated[str, Meta(pattern="^W[1-6],[1-6](?:/[RYGB][1-6]){0,4}$", examples=["W3,4/R2/Y5/G1/B6"])]
ChoiceText = Annotated[str, Meta(pattern="^(?:-|[RYGB][0-9]{1,2})$", examples=["R7"])]
Seat = Annotated[int, Meta(ge=0, le=4)]
# Not a tuple: tools trip over the schema of one with members of different types.
ScoreAndChance = Annotated[list[float], Meta(min_length=2, max_length=2)]


class ValueRequest(Struct, forbid_unknown_fields=True):
    """``finish_turn``: action 2 is played although the second row locked in action 1."""

    sheet: SheetText
    finish_turn: bool = False


class ValueAnswer(Struct):
    """The expected final score under best play, and the chance of each final score."""

    sheet: str
    value: float
    distribution: list[ScoreAndChance]


class RollRequest(Struct, forbid_unknown_fields=True):
    """``seat`` decides, ``active`` has rolled; ``after``: what the seat did in action 1, to ask for action 2 alone.
    ``time`` and ``simulations`` are for a table of two or more."""

    table: TableText
    dice: DiceText
    seat: Seat = 0
    active: Seat = 0
    after: ChoiceText | None = None
    finish_turn: bool = False
    time: Annotated[float, Meta(gt=0, le=_LIMITS.qwixx_time)] | None = None
    simulations: Annotated[int, Meta(ge=1, le=_LIMITS.qwixx_simulations)] | None = None
    seed: Seed = 0


class OutcomeObject(Struct):
    """Marks, or null for none; ``value``: the expected score, or at a table the chance to win; ``loss`` to the best."""

    action1: str | None
    action2: str | None
    value: float
    loss: float


class RollAnswer(Struct):
    """Each different outcome once, best first."""

    hints: list[OutcomeObject]


def router(workers: Workers, limits: Limits) -> APIRouter:
    """The routes, with where the work goes and what a request may ask for."""
    routes = new_router("qwixx", "/v1/qwixx")

    async def done(request: Request, work: Callable[[Event], T], field: str) -> T:
        try:
            return await workers.start(work, limits.time).answer(request)
        except ValueError as error:
            raise _problem(error, field) from None

    @routes.post("/value", openapi_extra=describe(ValueRequest, ValueAnswer, {"sheet": EXAMPLE}))
    async def value(request: Request) -> Response:
        """What a sheet is worth to a lone player, before the roll; the first question waits until that is solved."""
        asked = await read(request, ValueRequest, limits)

        def work(stop: Event) -> dict[str, object]:
            sheet = qwixx.Sheet.parse(asked.sheet)
            solved = qwixx.Solitaire.load(qwixx.Rules(asked.finish_turn))
            return {"sheet": asked.sheet, "value": solved.value(sheet), "distribution": solved.distribution(sheet)}

        return json_response(await done(request, work, "sheet"))

    @routes.post(
        "/hints",
        openapi_extra=describe(RollRequest, RollAnswer, {"table": "R2/Y-/G-/B-/P0", "dice": "W3,4/R2/Y5/G1/B6"}),
    )
    async def hints(request: Request) -> Response:
        """The ways to use a roll: alone by the expected final score, exactly; at a table by the chance to win."""
        asked = await read(request, RollRequest, limits)

        def work(stop: Event) -> list[qwixx.Hint]:
            question = qwixx.Question.parse(
                asked.table,
                asked.dice,
                seat=asked.seat,
                active=asked.active,
                after=asked.after,
                rules=qwixx.Rules(asked.finish_turn),
            )
            return question.hints(time=asked.time, simulations=asked.simulations, seed=asked.seed, stop=stop)

        found = await done(request, work, "table")
        return json_response({"hints": [_outcome(hint) for hint in found]})

    return routes


def _outcome(hint: qwixx.Hint) -> dict[str, object]:
    first, second = (None if mark is None else str(mark) for mark in (hint.action1, hint.action2))
    return {"action1": first, "action2": second, "value": hint.value, "loss": hint.loss}


def _problem(error: ValueError, field: str) -> Problem:
    """A message of the room, which may name the command line's options; it is about ``field`` unless it says so."""
    message = str(error).replace("--", "").removeprefix("sheet: ")
    other = re.match(r"(seat|active|after|dice)\b", message)
    return Problem.of(ValueError(message), other[1] if other else field, 409)

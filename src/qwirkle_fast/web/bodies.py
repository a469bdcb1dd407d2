"""What requests and answers look like, and how a request's body is read.

The structures are the truth for both: :mod:`msgspec` checks a body against them, and the OpenAPI description is made
of them.  A body that is not of that form is answered with 400 (no JSON) or 422; one that is, but holds a position or a
move against the rules, with 409.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta, Struct
from starlette.requests import Request

from ..move import Move
from ..notation import NotationError, parse_rules, rules_from_json
from ..position import Position
from ..rules import Rules
from .limits import Limits
from .problems import Problem

_LIMITS = Limits()

# The lexical form of what is text; what the words mean is checked afterwards.
_TILE = "[ROYGBP][cxdstv][kwm]?"
_NUMBER = "(?:0|-?[1-9][0-9]{0,6})"
_BOARD = f"(?:-|(?:{_NUMBER},{_NUMBER}:)?ROW(?:/ROW)*)".replace("ROW", f"(?:(?:[1-9][0-9]{{0,6}})?{_TILE})+")
_HAND = f"(?:-|(?:{_TILE}){{1,6}}(?:\\?[1-6])?|\\?[1-6])"
_SCORE = "(?:0|[1-9][0-9]{0,5})"
_RULES = "(?:classic|flex)(?:;[a-z_]+=[a-z0-9]+)*"
_POSITION = f"^{_BOARD} {_HAND}(?:/{_HAND}){{1,5}} {_SCORE}(?:/{_SCORE}){{1,5}} {_RULES}$"
_PLACED = f"{_TILE}@{_NUMBER},{_NUMBER}"
_MOVE = f"^(?:{_PLACED}(?:\\+{_PLACED}){{0,5}}|-(?:{_TILE}){{0,6}}(?:\\?[1-6])?)$"

EXAMPLE = "RvRdRc BcBsRsPsYtOx/?6 0/3 classic"

# Its pattern costs as much as reading the position does, so it is only looked at when that fails.
PositionText = Annotated[
    str,
    Meta(max_length=4096, description="A position in one line.", extra_json_schema={"pattern": _POSITION}),
]
MoveText = Annotated[
    str, Meta(pattern=_MOVE, max_length=128, description="A placement, an exchange or a pass.", examples=["Rs@3,0"])
]
RulesText = Annotated[str, Meta(pattern=f"^{_RULES}$", max_length=200)]
Tile = Annotated[str, Meta(pattern=f"^{_TILE}$", examples=["Rs"])]
Coordinate = Annotated[int, Meta(ge=-9_999_999, le=9_999_999)]
Score = Annotated[int, Meta(ge=0, le=100_000)]
Seed = Annotated[int, Meta(ge=0, le=(1 << 53) - 1)]


class RulesObject(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The rules: which game, and the options that are not at their default."""

    name: Annotated[str, Meta(pattern="^(classic|flex)$")]
    first: Annotated[str, Meta(pattern="^(oldest|youngest)$")] = "oldest"
    opening: Annotated[str, Meta(pattern="^(largest|any)$")] = "largest"
    exchange_cap: Annotated[int, Meta(ge=1, le=1000)] = 10
    tiles: Annotated[str, Meta(pattern="^(full|starter)$")] = "full"
    diagonal_min: Annotated[int, Meta(ge=2, le=6)] = 2


class Cell(Struct, forbid_unknown_fields=True):
    """A tile on the board; x grows to the right, y downwards."""

    x: Coordinate
    y: Coordinate
    tile: Tile


class Hand(Struct, forbid_unknown_fields=True):
    """The known tiles of a player, and how many more are hidden."""

    tiles: Annotated[list[Tile], Meta(max_length=6)]
    hidden: Annotated[int, Meta(ge=0, le=6)] = 0


class PositionObject(Struct, forbid_unknown_fields=True):
    """A position as an object; the player to move is the first of the hands and of the scores."""

    board: Annotated[list[Cell], Meta(max_length=108)]
    hands: Annotated[list[Hand], Meta(min_length=2, max_length=6)]
    scores: Annotated[list[Score], Meta(min_length=2, max_length=6)]
    rules: RulesObject


class MovesRequest(Struct, forbid_unknown_fields=True):
    """``count``: only say how many there are."""

    position: PositionText | PositionObject
    count: bool = False


class HintsRequest(Struct, forbid_unknown_fields=True):
    """``time`` in seconds, 1 unless ``simulations`` are given.  With those alone, a seed fixes the answer."""

    position: PositionText | PositionObject
    top: Annotated[int, Meta(ge=1, le=_LIMITS.top)] = 5
    time: Annotated[float, Meta(gt=0, le=_LIMITS.time)] | None = None
    simulations: Annotated[int, Meta(ge=1, le=_LIMITS.simulations)] | None = None
    threads: Annotated[int, Meta(ge=1, le=1024)] | None = None
    seed: Seed = 0


class MoveRequest(Struct, forbid_unknown_fields=True):
    """A move in a position."""

    position: PositionText | PositionObject
    move: MoveText


class RankedMove(Struct):
    move: str
    score: int


class MovesAnswer(Struct):
    """Every legal placement, best score first, then by the text of the move; or, when asked so, their number."""

    position: str
    moves: list[RankedMove] | msgspec.UnsetType = msgspec.UNSET
    count: int | msgspec.UnsetType = msgspec.UNSET


class ReplyObject(Struct):
    """The most frequent answer of the next player, how frequent it is, and the mean points of all answers."""

    move: str
    chance: float
    score: float


class HintObject(Struct):
    """A move and what it is worth; ``line``, the best play from there, when it is solved; elsewhere ``reply``."""

    move: str
    score: int
    equity: float
    stderr: float | None
    win: float | None
    simulations: int
    exact: bool
    line: list[str] | msgspec.UnsetType = msgspec.UNSET
    reply: ReplyObject | msgspec.UnsetType = msgspec.UNSET


class HintsAnswer(Struct):
    """The best moves, ranked by ``win``, then ``equity``."""

    position: str
    hints: list[HintObject]


class LineObject(Struct):
    """A line that a move makes; its points include the bonus of six."""

    kind: Annotated[str, Meta(pattern="^(row|column|diagonal)$")]
    cells: list[tuple[int, int]]
    points: int


class ScoreAnswer(Struct):
    """``reason`` only when the move is not legal; the score is then null."""

    position: str
    move: str
    legal: bool
    score: int | None
    lines: list[LineObject]
    reason: str | msgspec.UnsetType = msgspec.UNSET


class ApplyAnswer(Struct):
    """``next``: the position after the move, for the next player."""

    position: str
    move: str
    next: str


class ProblemObject(Struct):
    """An error (RFC 9457): what is wrong, where in the request, and what was expected."""

    type: str
    title: str
    status: int
    detail: str
    what: str
    where: str
    expected: str


class HealthAnswer(Struct):
    """``jobs``: searches that run or wait, those of Qwixx too; ``search``: is there one, or does this machine have no
    Numba?  ``compiling``: it is being compiled or loaded, and hints wait for that."""

    status: str
    version: str
    threads: int
    jobs: int
    search: bool
    compiling: bool


Body = TypeVar("Body", bound=Struct)


async def read(request: Request, kind: type[Body], limits: Limits) -> Body:
    """The body of a request, checked; a :class:`Problem` when it is bad."""
    data = await _receive(request, limits)
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        pass
    value = _with_whole_numbers(_decode(data))
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise _misshapen(value, kind, str(error)) from None


def _decode(data: bytes) -> Any:
    try:
        return msgspec.json.decode(data)
    except msgspec.DecodeError as error:
        what = str(error)
    except UnicodeDecodeError:
        what = "not UTF-8"
    except RecursionError:
        what = "nested too deeply"
    if "out of range" in what:  # JSON has no bounds of its own
        raise Problem(422, "body", "there is a number too large to be read", _FORM)
    raise Problem(400, "body", f"it is not JSON ({what})", "a JSON object")


def _with_whole_numbers(value: Any) -> Any:
    """The same value, but 3 for 3.0, which JSON Schema counts among the whole numbers and msgspec does not."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_with_whole_numbers(item) for item in value]
    if isinstance(value, dict):
        return {name: _with_whole_numbers(item) for name, item in value.items()}
    return value


def _misshapen(value: object, kind: type[Struct], message: str) -> Problem:
    """What is wrong with a body that is not of its form: in the words of the notation, where it has any."""
    readers: dict[str, Callable[[Any], object]] = {"position": read_position, "move": read_move, "rules": read_rules}
    for field, reader in readers.items():
        given = value.get(field) if isinstance(value, dict) and field in kind.__struct_fields__ else None
        if isinstance(given, str | dict):
            try:
                reader(given)
            except Problem as problem:
                problem.status = 422
                return problem
    what, _, path = message.partition(" - at ")
    path = path.strip("`").removeprefix("$")
    return Problem(422, path.removeprefix(".") or "body", *_in_words(what, _at(value, path)))


_FORM = "the form that /openapi.json describes"
_WORDS = {
    "int": "a whole number",
    "float": "a number",
    "str": "text",
    "bool": "true or false",
    "object": "an object",
    "array": "a list",
    "null": "null",
}
_BOUNDS = {"<=": "at most", ">=": "at least", ">": "more than", "<": "less than"}


def _in_words(message: str, value: object) -> tuple[str, str]:
    """What is wrong with a value and what was expected, from msgspec's message without its path."""
    if found := re.fullmatch(r"Expected `([\w |]+)`, got `\w+`", message):
        return f"it is {_shown(value)}", " or ".join(_WORDS.get(word, word) for word in found[1].split(" | "))
    if found := re.fullmatch(r"Expected `\w+` (of length )?([<>]=?) (-?[\d.]+)", message):
        if found[1]:
            assert isinstance(value, str | list)
            return f"it has a length of {len(value)}", f"{_BOUNDS[found[2]]} {found[3]}"
        return f"it is {_shown(value)}", f"{_BOUNDS[found[2]]} {float(found[3]):,.10g}"
    if found := re.fullmatch(r"Expected `str` matching regex '\^\(([a-z|]+)\)\$'", message):
        return f"it is {_shown(value)}", " or ".join(found[1].split("|"))
    if message.startswith("Expected `str` matching regex"):
        return f"it is {_shown(value)}", _FORM
    if found := re.fullmatch(r"Object (?:missing required|contains unknown) field `(.*)`", message, re.DOTALL):
        name = _shown(found[1])
        return (f"it has no {name}" if "missing" in message else f"it has a field {name}"), _FORM
    return message.replace("`", ""), _FORM


def _shown(value: object) -> str:
    match value:
        case dict():
            return _WORDS["object"]
        case list():
            return _WORDS["array"]
        case None | bool():
            return msgspec.json.encode(value).decode()
        case _:
            return ascii(value)[:80]


def _at(value: Any, path: str) -> Any:
    """The part of a value that a path of msgspec's leads to, such as ``.turns[3].move``."""
    for name, index in re.findall(r"\.(\w+)|\[(\d+)\]", path):
        value = value[name] if name else value[int(index)]
    return value


async def _receive(request: Request, limits: Limits) -> bytes:
    headers: dict[bytes, bytes] = dict(request.scope["headers"])
    if headers.get(b"content-type", b"").partition(b";")[0].strip().lower() != b"application/json":
        raise Problem(415, "content-type", "the body is not said to be JSON", "Content-Type: application/json")
    too_large = Problem(413, "body", "it is too large", f"at most {limits.body:,} bytes")
    length = headers.get(b"content-length", b"")
    if length.isdigit() and int(length[:20]) > limits.body:
        raise too_large
    parts: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(limits.body_seconds):
            while True:
                message = await request.receive()
                if message["type"] == "http.disconnect":
                    raise Problem(400, "body", "it ended early", "all of it")
                part = message.get("body", b"")
                size += len(part)
                if size > limits.body:
                    raise too_large
                parts.append(part)
                if not message.get("more_body", False):
                    return b"".join(parts)
    except TimeoutError:
        what = f"it did not arrive within {limits.body_seconds:g} seconds"
        raise Problem(408, "body", what, "all of it at once", headers={"Connection": "close"}) from None


def read_position(value: str | PositionObject | dict[str, Any]) -> tuple[str, Position]:
    """A position of either form, and its text."""
    try:
        if not isinstance(value, PositionObject | dict):
            return value, Position(value)
        position = Position.from_json(msgspec.to_builtins(value))
        return str(position), position
    except NotationError as error:
        formed = not isinstance(value, str) or re.search(_POSITION, value)
        raise Problem.of(error, "position", 409 if formed else 422) from None


def read_move(text: str) -> Move:
    try:
        return Move(text)
    except NotationError as error:
        raise Problem.of(error, "move", 409) from None


def read_rules(value: str | RulesObject | dict[str, Any]) -> Rules:
    try:
        return (
            parse_rules(value)
            if not isinstance(value, RulesObject | dict)
            else rules_from_json(msgspec.to_builtins(value))
        )
    except NotationError as error:
        raise Problem.of(error, "rules", 409) from None

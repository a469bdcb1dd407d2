"""Tiles, moves, rules and positions as text and as JSON, both ways; every parsing error is worded here.

The notation itself is in the manual.  What is read is exactly what is written: one position has one text, so text that
is accepted comes back unchanged (only the parts of a move may be read in any order).  Whether the tiles of a position
may lie as they do is not looked at here, a board knows that.

Every error is a :class:`NotationError` of one line that says where, what, and what was expected.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence, Set
from functools import lru_cache
from typing import Any, NamedTuple, NoReturn, TypeGuard

from ._notation import (
    FEWEST_HANDS,
    LAST_CELL,
    LAST_CORNER,
    LAST_SCORE,
    MOST_HANDS,
    Fault,
    ranked,
    ranked_json,
    read_position,
    texts,
    write_board,
)
from .rules import DEFAULTS, Rules, RulesError
from .tiles import BACKGROUNDS, CLASSIC, COLOURS, FLEX, HAND_SIZE, SHAPES, TileSet

__all__ = [
    "Fields",
    "MoveFields",
    "NotationError",
    "format_move",
    "format_position",
    "format_rules",
    "parse_move",
    "parse_position",
    "parse_rules",
    "position_from_json",
    "position_to_json",
    "ranked",
    "ranked_json",
    "rules_from_json",
    "rules_to_json",
    "texts",
]

#: How much of a user's text a message repeats.
ECHO = 60


class NotationError(ValueError):
    """Text or JSON that is not in the notation; the message says where, what, and what was expected."""


class Fields(NamedTuple):
    """What a position's text says.

    ``cells``: (x, y, tile), by y, then x.  ``hands``: the known tiles in the order given and the number of hidden ones,
    the player to move first.  ``scores``: in the same order.
    """

    cells: list[tuple[int, int, int]]
    hands: tuple[tuple[tuple[int, ...], int], ...]
    scores: tuple[int, ...]
    rules: Rules


class MoveFields(NamedTuple):
    """What a move's text says: a placement, an exchange, or, when all is empty, a pass.

    ``placed``: (x, y, tile code), by y, then x.  ``exchanged``: tile codes in code order, and ``hidden``: how many
    tiles more that are not known.
    """

    placed: tuple[tuple[int, int, str], ...]
    exchanged: tuple[str, ...]
    hidden: int


def _quoted(text: str) -> str:
    """A user's text for a message: in quotes, on one line, and not too long."""
    shown = ascii(text[:ECHO])
    return shown if len(text) <= ECHO and len(shown) <= ECHO + 2 else shown[: ECHO - 2] + "..." + shown[0]


def _shown(value: object) -> str:
    """A user's value of whatever type for a message."""
    if isinstance(value, str):
        return _quoted(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        # Python refuses to write a number of thousands of digits.
        return str(value) if -(10**18) < value < 10**18 else "a number of more than 18 digits"
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    return f"of type {type(value).__name__}"


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _check_text(field: str, text: object) -> str:
    if not isinstance(text, str):
        raise NotationError(f"{field}: the value is {_shown(text)}, expected text")
    if not text.isascii():
        offset = next(offset for offset, character in enumerate(text) if character > "\x7f")
        raise NotationError(f"{field}: character {offset + 1} is {_quoted(text[offset])}, expected ASCII")
    return text


# Rules


def parse_rules(text: str) -> Rules:
    """The rules of a text.

    >>> parse_rules("classic;exchange_cap=5;opening=any").options()
    {'exchange_cap': 5, 'opening': 'any'}
    >>> parse_rules("classic;opening=largest")
    Traceback (most recent call last):
    qwirkle_fast.notation.NotationError: rules: opening=largest is the default, expected it to be left out
    """
    return _parse_rules(_check_text("rules", text))[0]


@lru_cache(maxsize=64)
def _parse_rules(text: str) -> tuple[Rules, bytes]:
    """The rules of a text, and how many of each tile they have."""
    name, *parts = text.split(";", len(DEFAULTS) + 1)
    options: dict[str, str | int] = {}
    for part in parts:
        option, equals, value = part.partition("=")
        if not equals or option not in DEFAULTS:
            raise NotationError(
                f"rules: {_quoted(part)} is no option, expected {_either(DEFAULTS)}, then = and a value"
            )
        if options and option <= next(reversed(options)):
            raise NotationError(f"rules: {option} is out of place, expected each option once, in alphabetical order")
        options[option] = int(value) if _is_number(value, 6) and isinstance(DEFAULTS[option], int) else value
        if options[option] == DEFAULTS[option]:
            raise NotationError(f"rules: {option}={value} is the default, expected it to be left out")
    rules = _rules(name, options)
    return rules, bytes(rules.copies)


def _rules(name: str, options: dict[str, str | int]) -> Rules:
    for value in (name, *options.values()):
        # The message of the rules would repeat it as it stands.
        if isinstance(value, str) and _quoted(value) != repr(value):
            raise NotationError(f"rules: {_quoted(value)} is no game and no option's value, expected one that exists")
    try:
        return Rules(name, **options)  # type: ignore[arg-type]
    except RulesError as error:
        raise NotationError(str(error)) from None


@lru_cache(maxsize=64)
def format_rules(rules: Rules) -> str:
    """The text of rules.

    >>> format_rules(Rules("flex", tiles="starter"))
    'flex;tiles=starter'
    """
    return ";".join([rules.name, *(f"{option}={value}" for option, value in rules.options().items())])


def _is_number(text: str, digits: int) -> bool:
    """Is ASCII text a number as it would be written, of at most so many digits?"""
    return len(text) <= digits and text.isdecimal() and (text == "0" or text[0] != "0")


def _either(names: Iterable[str]) -> str:
    *most, last = sorted(names)
    return f"{', '.join(most)} or {last}"


# Positions


def parse_position(text: str) -> Fields:
    """The fields of a position's text.

    >>> fields = parse_position("-1,0:RvRd RsBc?4/?6 12/8 classic")
    >>> fields.cells, fields.hands, fields.scores
    ([(-1, 0, 5), (0, 0, 2)], (((3, 24), 4), ((), 6)), (12, 8))
    >>> parse_position("RvRdRc BcBsRs/?6 3/0/1 classic")
    Traceback (most recent call last):
    qwirkle_fast.notation.NotationError: scores: 3 scores, expected 2, one for each hand
    """
    _check_text("position", text)
    if text.count(" ") != 3:
        _refuse_fields(text)
    rules, copies = _parse_rules(text[text.rindex(" ") + 1 :])
    try:
        cells, hands, scores = read_position(text, copies)
    except Fault as fault:
        raise NotationError(_worded(text, rules, *fault.args)) from None
    return Fields(cells, hands, scores, rules)


def _refuse_fields(text: str) -> NoReturn:
    fields = text.split(" ")
    empty = ", of which one is empty" if "" in fields else ""
    raise NotationError(
        f"position: {_counted(len(fields), 'field')}{empty}, "
        "expected 4 with one space between them: the board, the hands, the scores, the rules"
    )


def _worded(text: str, rules: Rules, kind: str, offset: int, *details: int) -> str:
    """A fault that the reader of positions found, in words."""
    codes = rules.tile_set.codes
    match kind, details:
        case "corner", _:
            prefix = _quoted(text[: text.index(":")])
            return (
                f"board: the prefix is {prefix}, expected X,Y of the top left cell, "
                f"whole numbers from -{LAST_CORNER:,} to {LAST_CORNER:,}"
            )
        case "origin", _:
            return "board: the prefix is 0,0, expected none when the top left cell is 0,0"
        case "count", (x, y):
            count = _quoted(_digits(text, offset))
            return (
                f"board: cell {x},{y}: the count is {count}, "
                f"expected a number of empty cells from 1 to {LAST_CELL:,} without leading zeros"
            )
        case "tile", (x, y):
            return f"board: {_no_tile(text, rules, offset, x, y)}"
        case "reach", (x, y):
            return f"board: cell {x},{y} is too far away, expected none beyond {LAST_CELL:,}"
        case "copies", (x, y, tile):
            return f"board: cell {x},{y}: {_too_many(codes[tile], rules)}"
        case "margin", (columns,):
            return (
                f"board: every row begins with {_counted(columns, 'empty cell')}, or more, "
                "expected one that begins with a tile (a prefix X,Y: moves the board)"
            )
        case "hand", (hand,):
            given = _given(text, offset)
            what = f": {_quoted(given)} at character {offset + 1}" if given else " is empty"
            return f"hands: hand {hand + 1}{what}, expected tiles {_tile_form(rules)}, then ?n for n hidden ones, or -"
        case "hidden", (hand,):
            count = _quoted(_digits(text, offset + 1))
            return f"hands: hand {hand + 1}: {count} tiles are hidden, expected 1 to {HAND_SIZE} after a ?"
        case "hand copies", (hand, tile):
            return f"hands: hand {hand + 1}: {_too_many(codes[tile], rules)}"
        case "hand size", (hand, size):
            return f"hands: hand {hand + 1} has {size} tiles, expected at most {HAND_SIZE}"
        case "hands", _:
            return _wrong_hands(text.split(" ")[1].count("/") + 1)
        case "score", (score,):
            given = text[offset:].partition(" ")[0].partition("/")[0]
            return _wrong_score(score, _quoted(given))
        case "scores", (hands,):
            return _wrong_scores(text.split(" ")[2].count("/") + 1, hands)
        case _:
            return _overdrawn(*details)


def _digits(text: str, offset: int) -> str:
    end = offset
    while text[end].isdecimal() and end - offset <= ECHO:
        end += 1
    return text[offset:end]


def _given(text: str, offset: int) -> str:
    """What stands where a tile should: no more than a tile is long."""
    return text[offset : offset + 3].partition(" ")[0].partition("/")[0]


def _no_tile(text: str, rules: Rules, offset: int, x: int, y: int) -> str:
    given = _given(text, offset)
    if not given:
        if text[:offset].rpartition(":")[2].rpartition("/")[2]:
            return f"row {y} ends with a count, expected a tile at its end"
        return f"row {y} is empty, expected a tile {_tile_form(rules)}, or - for an empty board"
    expected = f"expected a tile {_tile_form(rules)}, a number of empty cells, or /"
    if offset and given[0] in BACKGROUNDS and text[offset - 1] in SHAPES:
        return f"cell {x - 1},{y} holds {_quoted(text[offset - 2 : offset + 1])}, {expected}"
    return f"cell {x},{y}: {_quoted(given)} at character {offset + 1}, {expected}"


def _tile_form(rules: Rules) -> str:
    background = f", a background of {BACKGROUNDS}" if rules.tile_set is FLEX else ""
    return f"(a colour of {COLOURS}, a shape of {SHAPES}{background})"


def _too_many(code: str, rules: Rules) -> str:
    most = rules.copies[rules.tile_set.tile(code)]
    if not most:
        return f"{code} is not in the game, expected none of the tiles that {format_rules(rules)} leaves out"
    return f"one {code} too many, expected at most {most} on the board and in the hands"


def _wrong_hands(number: int) -> str:
    return f"hands: {_counted(number, 'hand')}, expected {FEWEST_HANDS} to {MOST_HANDS}"


def _wrong_score(seat: int, given: str) -> str:
    return f"scores: score {seat + 1} is {given}, expected a whole number from 0 to {LAST_SCORE:,}"


def _wrong_scores(number: int, hands: int) -> str:
    return f"scores: {_counted(number, 'score')}, expected {hands}, one for each hand"


def _overdrawn(tiles: int, board: int, held: int) -> str:
    return (
        f"bag: {tiles - board - held} tiles would be left, expected 0 or more: "
        f"of {tiles} the board has {board} and the hands have {held}"
    )


def format_position(fields: Fields) -> str:
    """The text of a position, its cells in any order.

    ``NotationError`` when its top left cell is farther away, or a score higher, than the notation allows.

    >>> format_position(Fields([(0, 0, 2), (-1, 0, 5)], (((3,), 0), ((), 6)), (3, 0), Rules("classic")))
    '-1,0:RvRd Rs/?6 3/0 classic'
    """
    cells, hands, scores, rules = fields
    codes = rules.tile_set.codes
    try:
        board = write_board(cells, rules.tile_set is FLEX)
    except Fault as fault:
        _, _, left, top = fault.args
        raise NotationError(_far(left, top)) from None
    if max(scores) > LAST_SCORE:
        raise NotationError(_wrong_score(scores.index(max(scores)), str(max(scores))))
    known = [
        "".join([codes[tile] for tile in tiles]) + (f"?{hidden}" if hidden else "") or "-" for tiles, hidden in hands
    ]
    return f"{board} {'/'.join(known)} {'/'.join(map(str, scores))} {format_rules(rules)}"


def _far(left: int, top: int) -> str:
    return f"board: the top left cell is {left},{top}, expected numbers from -{LAST_CORNER:,} to {LAST_CORNER:,}"


# JSON

_POSITION_KEYS = {"board", "hands", "scores", "rules"}
_BOARD_KEYS = {"x", "y", "tile"}
_HAND_KEYS = {"tiles"}
_HAND_OPTIONS = {"hidden"}
_RULES_KEYS = {"name"}


def position_to_json(fields: Fields) -> dict[str, object]:
    """The object form of a position, ready to be written as JSON."""
    cells, hands, scores, rules = fields
    codes = rules.tile_set.codes
    return {
        "board": [{"x": x, "y": y, "tile": codes[tile]} for x, y, tile in sorted(cells, key=_reading_order)],
        "hands": [{"tiles": [codes[tile] for tile in tiles], "hidden": hidden} for tiles, hidden in hands],
        "scores": list(scores),
        "rules": rules_to_json(rules),
    }


def rules_to_json(rules: Rules) -> dict[str, object]:
    """The object form of rules.

    >>> rules_to_json(Rules("flex", tiles="starter"))
    {'name': 'flex', 'tiles': 'starter'}
    """
    return {"name": rules.name, **rules.options()}


def position_from_json(value: object) -> Fields:
    """The fields of a position's object form, as a JSON reader gives it.

    The board may be in any order, ``hidden`` may be left out, and an option may be given at its default.

    >>> position_from_json({"board": [], "hands": [{"tiles": ["Zz"]}], "scores": [0], "rules": {"name": "classic"}})
    Traceback (most recent call last):
    qwirkle_fast.notation.NotationError: hands[0].tiles[0] is 'Zz', expected a classic tile such as Rs
    """
    members = _members("position", value, _POSITION_KEYS)
    rules = rules_from_json(members["rules"])
    left = list(rules.copies)
    cells = _board_from_json(members["board"], rules, left)
    hands = _hands_from_json(members["hands"], rules, left)
    scores = tuple(
        _whole(f"scores[{i}]", score, 0, LAST_SCORE) for i, score in enumerate(_items("scores", members["scores"]))
    )
    if len(scores) != len(hands):
        raise NotationError(_wrong_scores(len(scores), len(hands)))
    held = sum(len(tiles) + hidden for tiles, hidden in hands)
    if len(cells) + held > sum(rules.copies):
        raise NotationError(_overdrawn(sum(rules.copies), len(cells), held))
    return Fields(cells, hands, scores, rules)


def rules_from_json(value: object) -> Rules:
    """The rules of an object form, in which options may be given at their default."""
    members = _members("rules", value, _RULES_KEYS, DEFAULTS.keys())
    for key, given in members.items():
        expected = type(DEFAULTS.get(key, "a name"))
        if type(given) is not expected:
            raise NotationError(
                f"rules.{key} is {_shown(given)}, expected {'text' if expected is str else 'a whole number'}"
            )
        if expected is int and abs(given) > LAST_SCORE:
            raise NotationError(f"rules.{key} is {_shown(given)}, expected a smaller number")
    return _rules(members["name"], {option: given for option, given in members.items() if option != "name"})


def _board_from_json(value: object, rules: Rules, left: list[int]) -> list[tuple[int, int, int]]:
    cells: dict[tuple[int, int], int] = {}
    for i, entry in enumerate(_items("board", value)):
        path = f"board[{i}]"
        members = _members(path, entry, _BOARD_KEYS)
        x = _whole(f"{path}.x", members["x"], -LAST_CELL, LAST_CELL)
        y = _whole(f"{path}.y", members["y"], -LAST_CELL, LAST_CELL)
        tile = _tile(f"{path}.tile", members["tile"], rules, left)
        if (y, x) in cells:
            raise NotationError(f"{path}: cell {x},{y} is given twice, expected one tile on it")
        cells[y, x] = tile
    if cells:
        corner = min(x for _, x in cells), min(y for y, _ in cells)
        if max(map(abs, corner)) > LAST_CORNER:
            raise NotationError(_far(*corner))
    return [(x, y, tile) for (y, x), tile in sorted(cells.items())]


def _hands_from_json(value: object, rules: Rules, left: list[int]) -> tuple[tuple[tuple[int, ...], int], ...]:
    hands = []
    for i, entry in enumerate(_items("hands", value)):
        path = f"hands[{i}]"
        members = _members(path, entry, _HAND_KEYS, _HAND_OPTIONS)
        items = _items(f"{path}.tiles", members["tiles"])
        tiles = tuple(_tile(f"{path}.tiles[{j}]", code, rules, left) for j, code in enumerate(items))
        hidden = _whole(f"{path}.hidden", members.get("hidden", 0), 0, HAND_SIZE)
        if len(tiles) + hidden > HAND_SIZE:
            raise NotationError(f"{path} has {len(tiles) + hidden} tiles, expected at most {HAND_SIZE}")
        hands.append((tiles, hidden))
    if not FEWEST_HANDS <= len(hands) <= MOST_HANDS:
        raise NotationError(_wrong_hands(len(hands)))
    return tuple(hands)


def _members(path: str, value: object, needed: Set[str], others: Set[str] = frozenset()) -> dict[str, Any]:
    """An object that has all the keys needed and none besides but the others."""
    if not isinstance(value, dict):
        raise NotationError(f"{path} is {_shown(value)}, expected an object")
    if not needed <= value.keys():
        raise NotationError(f"{path} has no {min(needed - value.keys())}, expected {_all(needed)}")
    if len(value) != len(needed) and not value.keys() <= (allowed := needed | others):
        other = next(key for key in value if key not in allowed)
        raise NotationError(f"{path} has the key {_shown(other)}, expected no key but {_either(allowed)}")
    return value


def _all(names: Iterable[str]) -> str:
    *most, last = sorted(names)
    return f"{', '.join(most)} and {last}" if most else last


def _items(path: str, value: object) -> list[object]:
    if not isinstance(value, list):
        raise NotationError(f"{path} is {_shown(value)}, expected a list")
    return value


def _whole(path: str, value: object, low: int, high: int) -> int:
    if not _is_whole(value, low, high):
        raise NotationError(f"{path} is {_shown(value)}, expected a whole number from {low:,} to {high:,}")
    return value


def _is_whole(value: object, low: int, high: int) -> TypeGuard[int]:
    return type(value) is int and low <= value <= high


def _tile(path: str, code: object, rules: Rules, left: list[int]) -> int:
    """The tile of a code, taken from those that are left."""
    tile = rules.tile_set.tiles.get(code) if isinstance(code, str) else None
    if tile is None:
        raise NotationError(
            f"{path} is {_shown(code)}, expected a {rules.name} tile such as {_example(rules.tile_set)}"
        )
    if not left[tile]:
        raise NotationError(f"{path}: {_too_many(rules.tile_set.codes[tile], rules)}")
    left[tile] -= 1
    return tile


def _example(tile_set: TileSet) -> str:
    return "Rs" if tile_set is CLASSIC else "Rsk"


def _reading_order(cell: Sequence[Any]) -> tuple[Any, Any]:
    """Sorts (x, y, ...) by y, then x."""
    return cell[1], cell[0]


# Moves


def parse_move(text: str) -> MoveFields:
    """The fields of a move's text, whose tiles may be in any order.

    >>> parse_move("Bx@4,1+Rx@4,0").placed
    ((4, 0, 'Rx'), (4, 1, 'Bx'))
    >>> parse_move("-BcRs?2")
    MoveFields(placed=(), exchanged=('Rs', 'Bc'), hidden=2)
    >>> parse_move("Rx@4,0+Bx@4,0")
    Traceback (most recent call last):
    qwirkle_fast.notation.NotationError: move: cell 4,0 is given twice, expected one tile on it
    """
    _check_text("move", text)
    if text.startswith("-"):
        return _parse_exchange(text)
    if text.count("+") >= HAND_SIZE:
        raise NotationError(f"move: {text.count('+') + 1} tiles are placed, expected 1 to {HAND_SIZE}")
    return MoveFields(_placed([_parse_placed(part) for part in text.split("+")]), (), 0)


_TILE_SETS = {code: tile_set for tile_set in (CLASSIC, FLEX) for code in tile_set.codes}
_NUMBER = "(0|-?[1-9][0-9]{0,6})"
_PLACED = re.compile(f"([^@]*)@{_NUMBER},{_NUMBER}")


def _parse_placed(part: str) -> tuple[int, int, str]:
    match = _PLACED.fullmatch(part)
    if match is None:
        raise NotationError(
            f"move: {_quoted(part)} is no placed tile, expected TILE@X,Y, whole numbers without leading zeros, "
            "joined by + (an exchange begins with -)"
        )
    code, x, y = match.groups()
    return int(x), int(y), code


def _parse_exchange(text: str) -> MoveFields:
    known, mark, hidden = text[1:].partition("?")
    if mark and not (len(hidden) == 1 and hidden in "123456"):
        raise NotationError(f"move: {_quoted(hidden)} tiles are hidden, expected 1 to {HAND_SIZE} after a ?")
    size = 3 if known[2:3] and known[2:3] in BACKGROUNDS else 2
    # One more than may be exchanged is enough to be refused.
    codes = [known[i : i + size] for i in range(0, min(len(known), size * (HAND_SIZE + 1)), size)]
    return MoveFields((), _exchanged(codes, int(hidden or 0)), int(hidden or 0))


def _placed(tiles: Sequence[tuple[int, int, str]]) -> tuple[tuple[int, int, str], ...]:
    """Placed tiles, checked and by y, then x."""
    if not 1 <= len(tiles) <= HAND_SIZE:
        raise NotationError(f"move: {len(tiles)} tiles are placed, expected 1 to {HAND_SIZE}")
    _code_set([code for _, _, code in tiles])
    placed: dict[tuple[int, int], str] = {}
    for x, y, code in tiles:
        if not (_is_whole(x, -LAST_CELL, LAST_CELL) and _is_whole(y, -LAST_CELL, LAST_CELL)):
            raise NotationError(
                f"move: the cell of {code} is {_shown(x)},{_shown(y)}, "
                f"expected whole numbers from -{LAST_CELL:,} to {LAST_CELL:,}"
            )
        if (y, x) in placed:
            raise NotationError(f"move: cell {x},{y} is given twice, expected one tile on it")
        placed[y, x] = code
    return tuple([(x, y, code) for (y, x), code in sorted(placed.items())])


def _exchanged(codes: Sequence[str], hidden: int) -> tuple[str, ...]:
    """Exchanged tiles, checked together with the number of hidden ones, and in code order."""
    tiles = _code_set(codes).tiles
    if len(codes) + _whole("move: the number of hidden tiles", hidden, 0, HAND_SIZE) > HAND_SIZE:
        raise NotationError(f"move: more than {HAND_SIZE} tiles are exchanged, expected at most {HAND_SIZE}")
    return tuple(sorted(codes, key=tiles.__getitem__))


def _code_set(codes: Sequence[object]) -> TileSet:
    """The one tile set that all codes are of."""
    first = None
    for code in codes:
        tile_set = _TILE_SETS.get(code) if isinstance(code, str) else None
        if tile_set is None:
            raise NotationError(f"move: {_shown(code)} is no tile, expected one such as Rs, or in Flex Rsk")
        if first is None:
            first = tile_set
        if tile_set is not first:
            raise NotationError(f"move: {code} is a {tile_set.name} tile, expected all tiles to be of one game")
    return first or CLASSIC


def format_move(fields: MoveFields) -> str:
    """The text of a move, its tiles in any order.

    >>> format_move(MoveFields(((4, 1, "Bx"), (4, 0, "Rx")), (), 0))
    'Rx@4,0+Bx@4,1'
    >>> format_move(MoveFields((), (), 3)), format_move(MoveFields((), (), 0))
    ('-?3', '-')
    """
    placed, exchanged, hidden = fields
    if not placed:
        return "-" + "".join(_exchanged(exchanged, hidden)) + (f"?{hidden}" if hidden else "")
    if exchanged or hidden:
        raise NotationError("move: tiles are placed and exchanged, expected one of the two")
    return "+".join([f"{code}@{x},{y}" for x, y, code in _placed(placed)])

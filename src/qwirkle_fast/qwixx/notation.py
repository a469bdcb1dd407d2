"""Sheets, dice and marks: what they are, and their text, both ways; every parsing error is worded here.

One sheet has one text, so text that is accepted comes back unchanged.  Every error is a :class:`NotationError` of one
line that says where, what, and what was expected.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from .rules import COLOURS, FACES, MAX_PENALTIES, MAX_PLAYERS, NEEDED, NUMBERS, ROWS

#: How much of a user's text a message repeats.
ECHO = 60


class NotationError(ValueError):
    """Text that is not in the notation; the message says where, what, and what was expected."""


class Mark(NamedTuple):
    """A number in a row (0 to 3).

    >>> Mark.parse("B5"), str(Mark(0, 12))
    (Mark(row=3, number=5), 'R12')
    """

    row: int
    number: int

    def __str__(self) -> str:
        return f"{COLOURS[self.row]}{self.number}" if self.row in range(ROWS) else repr(self)

    @classmethod
    def parse(cls, text: str) -> Mark:
        """Raises :class:`NotationError`."""
        return _parse_mark("mark", text, _A_MARK)


class Row(NamedTuple):
    """A row of a sheet: its marks in the row's own order, and whether it is closed to everybody.

    The last number is marked only together with the lock, so a row that has it is closed, and this sheet has its lock.
    """

    marks: tuple[int, ...] = ()
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """One player's sheet; the default is an empty one.

    >>> sheet = Sheet.parse("R2,3,5/Y-/G12,11x/B-/P1")
    >>> sheet.rows[2]
    Row(marks=(12, 11), closed=True)
    >>> str(sheet)
    'R2,3,5/Y-/G12,11x/B-/P1'
    >>> str(Sheet())
    'R-/Y-/G-/B-/P0'
    >>> Sheet.parse("R2,3,5,12/Y-/G-/B-/P0")
    Traceback (most recent call last):
    qwirkle_fast.qwixx.notation.NotationError: sheet: R12 has 3 marks before it, expected 5 or more
    """

    rows: tuple[Row, ...] = (Row(),) * ROWS
    penalties: int = 0

    def __str__(self) -> str:
        fields = [
            COLOURS[row] + (",".join(map(str, marks)) or "-") + "x" * (closed and not _locked(row, marks))
            for row, (marks, closed) in enumerate(self.rows)
        ]
        return "/".join([*fields, f"P{self.penalties}"])

    @classmethod
    def parse(cls, text: str, where: str = "sheet") -> Sheet:
        """Raises :class:`NotationError`, whose line begins with ``where``."""
        fields = _text(where, text).split("/")
        if len(fields) != ROWS + 1:
            raise NotationError(f"{where}: {_quoted(text)} has {len(fields)} fields, expected 5 as in {Sheet()}")
        rows = tuple([_parse_row(where, row, field) for row, field in enumerate(fields[:ROWS])])
        penalties = fields[ROWS]
        if re.fullmatch(f"P[0-{MAX_PENALTIES}]", penalties) is None:
            raise NotationError(f"{where}: penalties are {_quoted(penalties)}, expected P0 to P{MAX_PENALTIES}")
        return cls(rows, int(penalties[1:]))


class Dice(NamedTuple):
    """A roll: the two white dice, and the coloured ones in the order of the rows, ``None`` for those that are out.

    >>> dice = Dice.parse("W3,4/R2/Y5/B6")
    >>> dice
    Dice(white=(3, 4), coloured=(2, 5, None, 6))
    >>> str(dice), dice.sum
    ('W3,4/R2/Y5/B6', 7)
    """

    white: tuple[int, int]
    coloured: tuple[int | None, ...]

    @property
    def sum(self) -> int:
        return self.white[0] + self.white[1]

    def __str__(self) -> str:
        coloured = [f"{colour}{face}" for colour, face in zip(COLOURS, self.coloured, strict=True) if face is not None]
        return "/".join(["W{},{}".format(*self.white), *coloured])

    @classmethod
    def parse(cls, text: str) -> Dice:
        """Raises :class:`NotationError`."""
        white, *others = _text("dice", text).split("/")
        match = _WHITE.fullmatch(white)
        if match is None:
            raise NotationError(f"dice: {_quoted(white)}, expected the white dice first, each from 1 to 6, as in W3,4")
        coloured: list[int | None] = [None] * ROWS
        last = -1
        for other in others:
            match_other = _DIE.fullmatch(other)
            if match_other is None:
                raise NotationError(f"dice: {_quoted(other)}, expected a row and a face from 1 to 6, such as R2")
            row = COLOURS.index(match_other[1])
            if row <= last:
                raise NotationError(
                    f"dice: {other} after {COLOURS[last]}, expected each row once, in the order R Y G B"
                )
            coloured[row], last = int(match_other[2]), row
        return cls((int(match[1]), int(match[2])), tuple(coloured))

    def check(self, sheet: Sheet) -> Dice:
        """These dice, if they are those of the sheet's open rows; raises :class:`NotationError`."""
        for row, face in enumerate(self.coloured):
            if sheet.rows[row].closed and face is not None:
                raise NotationError(
                    f"dice: {COLOURS[row]}{face} is there but row {COLOURS[row]} is closed, expected none"
                )
            if not sheet.rows[row].closed and face is None:
                raise NotationError(f"dice: no {COLOURS[row]} die but row {COLOURS[row]} is open, expected one")
        return self


def parse_table(text: str) -> tuple[Sheet, ...]:
    """The sheets of a table, joined by spaces, in the order of the seats.

    >>> [str(sheet) for sheet in parse_table("R-/Y-/G-/B-/P0 R2/Y-/G-/B-/P0")]
    ['R-/Y-/G-/B-/P0', 'R2/Y-/G-/B-/P0']
    >>> parse_table("R-/Y-/G-/B-/P0 R-/Y-x/G-/B-/P0")
    Traceback (most recent call last):
    qwirkle_fast.qwixx.notation.NotationError: sheet 2: row Y is closed but open on sheet 1, expected the same on all
    """
    texts = _text("table", text).split(" ")
    if len(texts) > MAX_PLAYERS:
        raise NotationError(f"table: {len(texts)} sheets, expected 1 to {MAX_PLAYERS}")
    if len(texts) == 1:
        return (Sheet.parse(text),)
    sheets = tuple([Sheet.parse(sheet, f"sheet {number}") for number, sheet in enumerate(texts, 1)])
    words = ("open", "closed")
    for number, sheet in enumerate(sheets, 1):
        for colour, row, first in zip(COLOURS, sheet.rows, sheets[0].rows, strict=True):
            if row.closed != first.closed:
                raise NotationError(
                    f"sheet {number}: row {colour} is {words[row.closed]} but {words[first.closed]} on sheet 1, "
                    "expected the same on all"
                )
    return sheets


def parse_choice(text: str, where: str = "choice") -> Mark | None:
    """A mark, or ``None`` for ``-``, no mark; raises :class:`NotationError`, whose line begins with ``where``."""
    return None if text == "-" else _parse_mark(where, text, f"{_A_MARK}, or - for none")


def format_choice(mark: Mark | None) -> str:
    return "-" if mark is None else str(mark)


_A_MARK = "a row and a number from 2 to 12, such as R7"
_MARK = re.compile(f"([{COLOURS}])([2-9]|1[0-2])")
_WHITE = re.compile(f"W([1-{FACES}]),([1-{FACES}])")
_DIE = re.compile(f"([{COLOURS}])([1-{FACES}])")
_ROW = re.compile("(-|[0-9]{1,2}(?:,[0-9]{1,2})*)(x?)")


def _locked(row: int, marks: tuple[int, ...]) -> bool:
    return bool(marks) and marks[-1] == NUMBERS[row][-1]


def _parse_mark(where: str, text: str, expected: str) -> Mark:
    match = _MARK.fullmatch(_text(where, text))
    if match is None:
        raise NotationError(f"{where}: {_quoted(text)}, expected {expected}")
    return Mark(COLOURS.index(match[1]), int(match[2]))


def _parse_row(where: str, row: int, field: str) -> Row:
    colour, numbers = COLOURS[row], NUMBERS[row]
    match = _ROW.fullmatch(field, 1)
    if field[:1] != colour or match is None:
        raise NotationError(
            f"{where}: {_quoted(field)}, expected row {colour} with its numbers, {numbers[0]} to {numbers[-1]}, "
            f"such as {colour}{numbers[0]},{numbers[3]}, {colour}- when it has none, and an x behind when it is closed"
        )
    marks: list[int] = []
    for text in match[1].split(",") if match[1] != "-" else ():
        number = int(text)
        if text[0] == "0" or number not in numbers:
            raise NotationError(f"{where}: row {colour} has {_quoted(text)}, expected whole numbers from 2 to 12")
        if marks and numbers.index(number) <= numbers.index(marks[-1]):
            raise NotationError(
                f"{where}: row {colour} has {number} after {marks[-1]}, "
                f"expected each number once, in order from {numbers[0]} to {numbers[-1]}"
            )
        marks.append(number)
    locked = _locked(row, tuple(marks))
    if locked and len(marks) <= NEEDED:
        counted = "1 mark" if len(marks) == 2 else f"{len(marks) - 1} marks"
        raise NotationError(f"{where}: {colour}{marks[-1]} has {counted} before it, expected {NEEDED} or more")
    if locked and match[2]:
        raise NotationError(
            f"{where}: row {colour} has its last number and an x, expected no x where this sheet has the lock"
        )
    return Row(tuple(marks), locked or bool(match[2]))


def _text(where: str, text: object) -> str:
    if not isinstance(text, str):
        raise NotationError(f"{where}: a value of type {type(text).__name__}, expected text")
    if not text.isascii():
        raise NotationError(f"{where}: {_quoted(text)}, expected ASCII")
    return text


def _quoted(text: str) -> str:
    """A user's text for a message: in quotes, on one line, and not too long."""
    shown = ascii(text[:ECHO])
    return shown if len(text) <= ECHO and len(shown) <= ECHO + 2 else shown[: ECHO - 2] + "..." + shown[0]

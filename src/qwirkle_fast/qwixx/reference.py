"""The rules of Qwixx in plain Python, to be read beside the rule sheet.

Sheets never change: each function returns a new one.  Nothing here is made fast; this is the twin that the native core
is held against, and it shares no code with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from .notation import Dice, Mark, Row, Sheet
from .rules import COLOURS, MAX_CLOSED, MAX_PENALTIES, NEEDED, NUMBERS, PENALTY


class IllegalMark(ValueError):
    """A mark that the sheet or the dice do not allow; the message says why."""


def why_illegal(sheet: Sheet, mark: Mark) -> str:
    """Why the sheet has no room for a mark, whatever the dice; empty when it has.

    >>> why_illegal(Sheet.parse("R2,5/Y-/G-/B-/P0"), Mark(0, 4))
    'R4 is not to the right of R5'
    """
    marks, closed = sheet.rows[mark.row]
    numbers = NUMBERS[mark.row]
    if closed:
        return f"row {COLOURS[mark.row]} is closed"
    if marks and numbers.index(mark.number) <= numbers.index(marks[-1]):
        return f"{mark} is not to the right of {Mark(mark.row, marks[-1])}"
    if mark.number == numbers[-1] and len(marks) < NEEDED:
        return f"{mark} needs {NEEDED} marks before it in its row, and there are {len(marks)}"
    return ""


def first_marks(sheet: Sheet, dice: Dice) -> list[Mark]:
    """The marks that action 1 allows: the white sum, in any row."""
    marks = [Mark(row, dice.sum) for row in range(len(sheet.rows))]
    return [mark for mark in marks if not why_illegal(sheet, mark)]


def second_marks(sheet: Sheet, dice: Dice) -> list[Mark]:
    """The marks that action 2 allows: one white die and one coloured die, in that colour's row; rows in order, then
    the first white die before the second.

    A die whose row was closed in action 1 is out, though it was rolled: the row is closed.
    """
    marks = [
        Mark(row, white + face)
        for row, face in enumerate(dice.coloured)
        if face is not None
        for white in dict.fromkeys(dice.white)
    ]
    return [mark for mark in marks if not why_illegal(sheet, mark)]


def marked(sheet: Sheet, mark: Mark) -> Sheet:
    """The sheet with a mark more; the last number locks its row.  Raises :class:`IllegalMark`."""
    why = why_illegal(sheet, mark)
    if why:
        raise IllegalMark(why)
    marks = (*sheet.rows[mark.row].marks, mark.number)
    return _with_row(sheet, mark.row, Row(marks, mark.number == NUMBERS[mark.row][-1]))


def outcomes(
    sheet: Sheet, dice: Dice, *, active: bool, after: Mark | Literal[False] | None = False, finish_turn: bool = False
) -> list[tuple[Mark | None, Mark | None]]:
    """The choices of a roll, action 1's and action 2's, each different sheet that they can lead to once.

    ``active``: without action 2 when false.  ``after``: unless ``False``, what was done in action 1, the mark being on
    the sheet already.  Of two ways to the same sheet the one comes that marks more in action 1, then the upper row.
    """
    found: dict[Sheet, tuple[Mark | None, Mark | None]] = {}
    for first in [*first_marks(sheet, dice), None] if after is False else [after]:
        between = marked(sheet, first) if first is not None and after is False else sheet
        penalty = active and first is None
        found.setdefault(Sheet(between.rows, between.penalties + penalty), (first, None))
        if active and (finish_turn or not is_over([between])):
            for second in second_marks(between, dice):
                found.setdefault(marked(between, second), (first, second))
    return list(found.values())


def all_closed(sheets: Sequence[Sheet]) -> tuple[Sheet, ...]:
    """The sheets, with each row that is closed on one of them closed on all."""
    closed = [any(sheet.rows[row].closed for sheet in sheets) for row in range(len(COLOURS))]
    return tuple(
        Sheet(tuple([Row(row.marks, shut) for row, shut in zip(sheet.rows, closed, strict=True)]), sheet.penalties)
        for sheet in sheets
    )


def after_first(sheets: Sequence[Sheet], choices: Sequence[Mark | None]) -> tuple[Sheet, ...]:
    """Action 1: everybody marks at once, and only then do rows close, so several may lock the same one."""
    return all_closed(
        [sheet if mark is None else marked(sheet, mark) for sheet, mark in zip(sheets, choices, strict=True)]
    )


def after_second(sheets: Sequence[Sheet], active: int, choice: Mark | None, first: Mark | None) -> tuple[Sheet, ...]:
    """Action 2 of the active player, and the penalty if there was no mark in either action."""
    sheet = sheets[active]
    if choice is not None:
        sheet = marked(sheet, choice)
    elif first is None:
        sheet = Sheet(sheet.rows, sheet.penalties + 1)
    return all_closed([*sheets[:active], sheet, *sheets[active + 1 :]])


def is_over(sheets: Sequence[Sheet]) -> bool:
    """Has a player four penalties, or are two rows closed?"""
    closed = sum(any(sheet.rows[row].closed for sheet in sheets) for row in range(len(COLOURS)))
    return closed >= MAX_CLOSED or any(sheet.penalties >= MAX_PENALTIES for sheet in sheets)


def score(sheet: Sheet) -> int:
    """n(n+1)/2 for the n marks of each row, the lock counted as one, less the penalties.

    >>> score(Sheet.parse("R2,3,5/Y-/G12,11,10,9,8,2/B-/P1"))
    29
    """
    total = 0
    for row, (marks, _) in enumerate(sheet.rows):
        n = len(marks) + (marks[-1:] == NUMBERS[row][-1:])
        total += n * (n + 1) // 2
    return total - PENALTY * sheet.penalties


def _with_row(sheet: Sheet, row: int, new: Row) -> Sheet:
    return Sheet((*sheet.rows[:row], new, *sheet.rows[row + 1 :]), sheet.penalties)

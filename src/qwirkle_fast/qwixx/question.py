"""What to do with a roll: a question as text, and its answer by the solved game or by the search."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from threading import Event
from typing import Literal

from .notation import Dice, Mark, NotationError, Sheet, format_choice, parse_choice, parse_table
from .reference import all_closed, first_marks, is_over, marked, second_marks, why_illegal
from .rules import COLOURS, MAX_PENALTIES, Rules
from .search import judge
from .solitaire import Hint, Progress, Solitaire

#: The options in a question's text, and what they may be.
_OPTIONS = {"active": "[1-4]", "after": ".*", "finish_turn": "true", "seat": "[1-4]"}


@dataclass(frozen=True, slots=True)
class Question:
    """A seat's decision about a roll.

    ``sheets``: by seat, before the roll, but with the decider's mark in action 1 once that is made.  ``active``: whose
    roll it is.  ``after``: ``False`` while action 1 is still to be decided, else what the seat did in it.
    """

    sheets: tuple[Sheet, ...]
    dice: Dice
    seat: int = 0
    active: int = 0
    after: Mark | Literal[False] | None = False
    rules: Rules = field(default_factory=Rules)

    @classmethod
    def parse(
        cls,
        table: str,
        dice: str,
        *,
        seat: int = 0,
        active: int = 0,
        after: str | None = None,
        rules: Rules | None = None,
    ) -> Question:
        """A question as the command line has it; raises :class:`NotationError`.

        With ``after`` the decider's sheet may have that mark already or not yet.

        >>> question = Question.parse("R2/Y-/G-/B-/P0", "W3,4/R2/Y5/G1/B6", after="R7")
        >>> str(question.sheets[0]), str(question.after)
        ('R2,7/Y-/G-/B-/P0', 'R7')
        """
        sheets, rolled = parse_table(table), Dice.parse(dice)
        for name, value in (("seat", seat), ("active", active)):
            if not 0 <= value < len(sheets):
                expected = f"0 to {len(sheets) - 1}, the first of {len(sheets)} sheets being 0"
                raise NotationError(f"{name}: {value}, expected {expected if len(sheets) > 1 else '0, the only sheet'}")
        rolled.check(sheets[seat])
        rules = rules or Rules()
        if after is None:
            return cls(sheets, rolled, seat, active, False, rules)
        if seat != active:
            raise NotationError(f"after: seat {seat} has no action 2, expected seat {active}, whose roll it is")
        first = parse_choice(after, "after")
        if first is not None:
            sheets = _with_first(sheets, seat, first, rolled)
        return cls(sheets, rolled, seat, active, first, rules)

    @classmethod
    def from_text(cls, text: str) -> Question:
        """A question in one line: the sheets, the dice, and ``qwixx`` with the options that are not at their default,
        in alphabetical order.  Raises :class:`NotationError`.

        >>> question = Question.from_text("R-/Y-/G-/B-/P0 R2/Y-/G-/B-/P0 W3,4/R2/Y5/G1/B6 qwixx;active=1;seat=1")
        >>> question.seat, len(question.sheets)
        (1, 2)
        >>> print(question)
        R-/Y-/G-/B-/P0 R2/Y-/G-/B-/P0 W3,4/R2/Y5/G1/B6 qwixx;active=1;seat=1
        """
        *sheets, dice, rules = text.split(" ") if text.count(" ") > 1 else ("", "", "")
        name, *options = rules.split(";")
        if not sheets or name != "qwixx":
            raise NotationError("position: expected the sheets, the dice and qwixx, with one space between them")
        values: dict[str, str] = {}
        for option in options:
            key, equals, value = option.partition("=")
            if key not in _OPTIONS or not equals or [*values, key] != sorted({*values, key}):
                raise NotationError(
                    f"position: {option[:60]!r}, expected {', '.join(_OPTIONS)}, each once, in this order"
                )
            if re.fullmatch(_OPTIONS[key], value) is None:
                raise NotationError(f"position: {key} is {value[:60]!r}, expected one that is not the default")
            values[key] = value
        return cls.parse(
            " ".join(sheets),
            dice,
            seat=int(values.get("seat", 0)),
            active=int(values.get("active", 0)),
            after=values.get("after"),
            rules=Rules("finish_turn" in values),
        )

    def __str__(self) -> str:
        options = [f";active={self.active}"] if self.active else []
        if self.after is not False:
            options.append(f";after={format_choice(self.after)}")
        if self.rules.finish_turn:
            options.append(";finish_turn=true")
        if self.seat:
            options.append(f";seat={self.seat}")
        return " ".join([*map(str, self.sheets), str(self.dice), "qwixx" + "".join(options)])

    @property
    def choices(self) -> list[Mark | None]:
        """What the seat can do in the action that is asked about; the last is no mark."""
        mine = self.sheets[self.seat]
        marks = first_marks(mine, self.dice) if self.after is False else second_marks(mine, self.dice)
        return [*marks, None]

    @property
    def is_over(self) -> bool:
        """Is there nothing left to decide?"""
        if self.after is False or not self.rules.finish_turn:
            return is_over(self.sheets)
        return any(sheet.penalties == MAX_PENALTIES for sheet in self.sheets)

    def hints(
        self,
        *,
        time: float | None = None,
        simulations: int | None = None,
        seed: int = 0,
        stop: Event | None = None,
        progress: Progress | None = None,
    ) -> list[Hint]:
        """Every different outcome, once, best first: by the expected final score with one player, and by the chance to
        win with more.  Empty when the game is over.

        ``time`` in seconds and ``simulations``, games in all, limit the search at a table of two or more; with neither
        it takes one second, or until ``stop`` is set, which ends it in any case.  With simulations and no time, the
        same ``seed`` gives the same answer on every machine.
        ``progress`` is told when the game of one player has to be solved for it.
        """
        if time is not None and not 0 < time < 1e9:
            raise ValueError(f"time: {time!r}, expected a positive number of seconds")
        if simulations is not None and simulations < 1:
            raise ValueError(f"simulations: {simulations!r}, expected a whole number from 1 on")
        if self.is_over:
            return []
        if len(self.sheets) > 1:
            if time is None and simulations is None and stop is None:
                time = 1.0
            return judge(
                self.sheets,
                self.dice,
                seat=self.seat,
                active=self.active,
                after=self.after,
                rules=self.rules,
                time=time,
                simulations=simulations,
                seed=seed,
                stop=stop,
            )
        solved = Solitaire.load(self.rules, progress=progress)
        return solved.hints(self.sheets[0], self.dice, after=self.after)


def _with_first(sheets: tuple[Sheet, ...], seat: int, first: Mark, dice: Dice) -> tuple[Sheet, ...]:
    sheet = sheets[seat]
    if first.number != dice.sum:
        raise NotationError(f"after: {first} is not the white sum, expected {COLOURS[first.row]}{dice.sum} or -")
    if sheet.rows[first.row].marks[-1:] == (first.number,):
        return sheets
    why = why_illegal(sheet, first)
    if why:
        raise NotationError(f"after: {why}, expected a mark that the sheet allows or has as its row's last")
    return all_closed([*sheets[:seat], marked(sheet, first), *sheets[seat + 1 :]])

"""A whole game of Qwixx, decision by decision."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from . import _core
from .notation import Dice, Mark, Sheet, format_choice
from .question import Question
from .reference import IllegalMark, after_first, after_second, first_marks, is_over, score, second_marks
from .rules import MAX_PENALTIES, MAX_PLAYERS, Rules


class Decision(NamedTuple):
    """What a seat did in an action of a turn, and the points of it; the penalty counts with action 2."""

    turn: int
    seat: int
    action: int
    mark: Mark | None
    score: int


class Game:
    """A game for 1 to 5, whose dice a seed fixes for ever.

    Who has no choice in an action is not asked, except about the penalty.  In action 1 the seats are asked in order,
    and nobody sees what the others have chosen until all have.

    Raises ``ValueError`` for another number of players, a seed that is not from 0 to 2^64 - 1, and ``names`` that are
    not text or not one for each player.

    >>> game = Game(seed=1, players=2)
    >>> print(game.question)
    R-/Y-/G-/B-/P0 R-/Y-/G-/B-/P0 W1,2/R4/Y2/G2/B3 qwixx
    >>> game.choose(Mark.parse("R3")), game.seat
    (Decision(turn=0, seat=0, action=1, mark=Mark(row=0, number=3), score=1), 1)
    """

    def __init__(self, seed: int, players: int = 2, rules: Rules | None = None, names: Sequence[str] = ()) -> None:
        if type(players) is not int or not 1 <= players <= MAX_PLAYERS:
            raise ValueError(f"players: {players!r}, expected 1 to {MAX_PLAYERS}")
        if type(seed) is not int or not 0 <= seed < 1 << 64:
            raise ValueError(f"seed: {seed!r}, expected a whole number from 0 to 2^64 - 1")
        if isinstance(names, str) or not all(isinstance(name, str) for name in names):
            raise ValueError(f"names: {names!r}, expected a list of names")
        if names and len(names) != players:
            raise ValueError(f"names: {len(names)} for {players} players, expected one each")
        self.seed = seed
        self.rules = rules or Rules()
        self.names = tuple(names) or tuple(f"player {number}" for number in range(1, players + 1))
        self.sheets: tuple[Sheet, ...] = (Sheet(),) * players
        #: Rolls before this one; who is active follows from it.
        self.turn = -1
        self.decisions: list[Decision] = []
        #: ``"locked"``: two rows are; ``"penalties"``: a player has four; ``"forfeit"``; ``None`` while it goes on.
        self.end: str | None = None
        self._roll()
        self._go_on()

    @property
    def active(self) -> int:
        """Whose roll it is."""
        return self.turn % len(self.sheets)

    @property
    def seat(self) -> int:
        """Who is to decide; of no meaning when the game is over."""
        return self._waiting[0] if self._waiting else self.active

    @property
    def dice(self) -> Dice:
        """The roll, without the dice whose rows are closed."""
        coloured = zip(self._rolled, self.sheets[0].rows, strict=True)
        return Dice(self._white, tuple([None if row.closed else face for face, row in coloured]))

    @property
    def question(self) -> Question:
        """The decision to be made, as the seat sees it."""
        return Question(self.sheets, self.dice, self.seat, self.active, self._after, self.rules)

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple([score(sheet) for sheet in self.sheets])

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats with the highest score; several share the win."""
        return tuple([seat for seat, points in enumerate(self.scores) if points == max(self.scores)])

    def choose(self, mark: Mark | None) -> Decision:
        """The seat marks or, with ``None``, does not.  Raises :class:`IllegalMark`, and nothing has changed then."""
        if self.end:
            raise IllegalMark("the game is over")
        question = self.question
        if mark not in question.choices:
            allowed = ", ".join(map(format_choice, question.choices))
            raise IllegalMark(f"{format_choice(mark)} is not allowed by sheet and dice, expected one of {allowed}")
        seat = self._waiting.pop(0)
        before = score(self.sheets[seat])
        if self._after is False:
            self._firsts[seat] = mark
            worth = 0 if mark is None else score(after_first(self.sheets, self._only(seat, mark))[seat]) - before
            decision = Decision(self.turn, seat, 1, mark, worth)
        else:
            self.sheets = after_second(self.sheets, seat, mark, self._after)
            decision = Decision(self.turn, seat, 2, mark, score(self.sheets[seat]) - before)
            self._end_turn()
        self.decisions.append(decision)
        self._go_on()
        return decision

    def forfeit(self) -> None:
        """End the game with the points as they are."""
        self.end = self.end or "forfeit"

    def record(self) -> dict[str, Any]:
        """The game so far as an object for JSON: with the seed, the decisions play it again."""
        return {
            "rules": {"name": "qwixx", **({"finish_turn": True} if self.rules.finish_turn else {})},
            "seed": self.seed,
            "players": list(self.names),
            "turns": [
                {"seat": seat, "action": action, "move": format_choice(mark), "score": points}
                for _, seat, action, mark, points in self.decisions
            ],
            "scores": list(self.scores),
            "end": self.end,
        }

    def _only(self, seat: int, mark: Mark) -> list[Mark | None]:
        return [mark if other == seat else None for other in range(len(self.sheets))]

    def _roll(self) -> None:
        self.turn += 1
        first, second, *coloured = _core.dice(self.seed, self.turn)
        self._white, self._rolled = (first, second), coloured
        self._after: Mark | Literal[False] | None = False
        self._firsts: list[Mark | None] = [None] * len(self.sheets)
        self._waiting = [seat for seat, sheet in enumerate(self.sheets) if first_marks(sheet, self.dice)]

    def _go_on(self) -> None:
        """On to the next decision that there is, or to the end."""
        while not self.end and not self._waiting:
            if self._after is False:
                self.sheets = after_first(self.sheets, self._firsts)
                self._after = self._firsts[self.active]
                over = is_over(self.sheets) and not self.rules.finish_turn
                if not over and (self._after is None or second_marks(self.sheets[self.active], self.dice)):
                    self._waiting = [self.active]
                else:
                    self._end_turn()

    def _end_turn(self) -> None:
        if any(sheet.penalties == MAX_PENALTIES for sheet in self.sheets):
            self.end = "penalties"
        if is_over(self.sheets):
            self.end = self.end or "locked"
            self._waiting = []
        else:
            self._roll()

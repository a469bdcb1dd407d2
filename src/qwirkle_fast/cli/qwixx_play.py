"""A person plays Qwixx in the terminal."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Callable
from contextlib import suppress

from ..qwixx import Decision, Game, Mark, Question, Rules, format_choice, parse_choice, players
from ..qwixx.solitaire import whole_game
from . import complain, one_line
from .batch import LINE_LIMIT

#: How many hints ``hint`` tells.
HINTED = 5

ENDINGS = {"locked": "two rows are locked", "penalties": "four penalties"}

HELP = """\
A mark is a row and a number, such as R7; - is no mark.
hint       the best uses of this roll
sheets     everybody's sheet once more
position   what you see in one line, for the other programs
undo       back to your last decision
quit       leave the game"""


class Session:
    """One person's game."""

    def __init__(
        self,
        number: int,
        person: int,
        opponent: str,
        seed: int | None,
        time: float,
        finish_turn: bool,
        solve: Callable[[], object],
    ) -> None:
        """``person``: the seat.  ``solve`` is called before the solved game is asked, for it may take some seconds."""
        names = [f"{opponent} {seat}" if number > 2 else opponent for seat in range(1, number)]
        names.insert(person, "you")
        self._game = Game(secrets.randbits(32) if seed is None else seed, number, Rules(finish_turn), names)
        self._person = person
        self._time = time
        self._solve = solve
        self._opponent = opponent
        self._words = {
            "help": lambda: print(HELP),
            "hint": self._hint,
            "sheets": self._sheets,
            "position": lambda: print(self._game.question),
            "undo": self._undo,
        }

    def run(self) -> None:
        """Play until the person leaves or the input ends."""
        print(f"Qwixx for {len(self._game.sheets)}, seed {self._game.seed}; help tells what you can type")
        self._go_on()
        while (line := self._typed()) is not None:
            word = line.strip()
            if word == "quit":
                return
            try:
                if word in self._words:
                    self._words[word]()
                elif word:
                    choice = parse_choice(word)
                    self._require_going_on()
                    self._game.choose(choice)
                    self._go_on()
            except ValueError as error:
                print(one_line(str(error)))
        if not self._game.end:
            complain("qwirkle-fast: the input has ended, and the game has not")

    def _go_on(self) -> None:
        """Let the others decide until the person has to, or it is over."""
        game = self._game
        while not game.end and game.seat != self._person:
            game.choose(self._choice(game.question))
        self._tell()
        if game.end:
            self._sheets()
            print(f"the game is over: {ENDINGS[game.end]}; {self._result()}")
            return
        question = game.question
        whose = "your roll" if game.active == self._person else f"the roll of {game.names[game.active]}"
        if question.after is False:
            self._sheets()
        print(f"{question.dice}, {whose}, action {1 if question.after is False else 2}: {self._allowed(question)}")

    def _result(self) -> str:
        game = self._game
        if len(game.sheets) == 1:
            return _alone(game.scores[0], game.rules)
        winners = [game.names[seat] for seat in game.winners]
        return f"{' and '.join(winners)} {'share the win' if len(winners) > 1 else 'won'}"

    def _choice(self, question: Question) -> Mark | None:
        if self._opponent == "random":
            return players.choose_random(question, secrets.randbits(32))
        if self._opponent == "skip:2":
            return players.choose_skipping(question, 2)
        if self._opponent == "solitaire":
            self._solve()
            return players.choose_alone(question)
        return players.choose_by_search(question, time=self._time)

    def _tell(self) -> None:
        """What has been done since the last telling; others' action 1 only once all have decided."""
        game = self._game
        settled = len(game.decisions)
        if not game.end and game.question.after is False:
            while settled and game.decisions[settled - 1].turn == game.turn:
                settled -= 1
        for decision in game.decisions[self._told : settled]:
            print(f"{game.names[decision.seat]}: {_word(decision)}")
        self._told = settled

    _told = 0

    def _allowed(self, question: Question) -> str:
        return " or ".join(map(format_choice, question.choices))

    def _typed(self) -> str | None:
        """The next line, ``None`` at the end of the input.  What comes through a pipe is repeated."""
        if sys.stdin.isatty():
            with suppress(ImportError):
                import readline  # noqa: F401  # line editing
            try:
                return input("> ")
            except EOFError:
                print()
                return None
            except UnicodeDecodeError as error:
                return ascii(error.object)
        print("> ", end="", flush=True)
        line = sys.stdin.buffer.readline(LINE_LIMIT).decode(errors="backslashreplace")
        print(one_line(line))
        return line or None

    def _require_going_on(self) -> None:
        if self._game.end:
            raise ValueError("the game is over: undo or quit")

    # -- what can be typed

    def _hint(self) -> None:
        self._require_going_on()
        question, alone = self._game.question, len(self._game.sheets) == 1
        if alone:
            self._solve()
        for hint in question.hints(time=self._time)[:HINTED]:
            print(f"  {hint.line(alone=alone)}")

    def _sheets(self) -> None:
        game = self._game
        width = max(map(len, game.names))
        for name, sheet, points in zip(game.names, game.sheets, game.scores, strict=True):
            print(f"{name:{width}} {points:4} points  {sheet}")

    def _undo(self) -> None:
        game = self._game
        mine = [number for number, decision in enumerate(game.decisions) if decision.seat == self._person]
        if not mine:
            raise ValueError("you have decided nothing yet: there is nothing to take back")
        self._game = Game(game.seed, len(game.sheets), game.rules, game.names)
        for decision in game.decisions[: mine[-1]]:
            self._game.choose(decision.mark)
        self._told = min(self._told, len(self._game.decisions))
        self._go_on()


def _alone(points: int, rules: Rules) -> str:
    """A lone player's score beside those of the best play."""
    chances = whole_game(rules)
    mean = sum(score * chance for score, chance in chances)
    fewer = sum(chance for score, chance in chances if score < points)
    counted = "1 point" if points == 1 else f"{points} points"
    return f"{counted}; the best play makes {mean:.2f} on average, and fewer than you in {fewer:.0%} of its games"


def _word(decision: Decision) -> str:
    if decision.mark is not None:
        return f"{decision.mark} for {decision.score} points"
    return "a penalty" if decision.score < 0 else "no mark"

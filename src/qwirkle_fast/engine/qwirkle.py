"""Thinks about Qwirkle and Qwirkle Flex."""

from __future__ import annotations

from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING

from ..move import Move
from ..position import IllegalMove, Position
from .minds import Task

# Where there is no Numba there is no search, but all else works.
if TYPE_CHECKING:
    from ..search import Hint

#: Of the time for a move, what is kept for answering, seconds.
RESERVE = 0.01

#: Seconds between two lines of information.
NEWS = 0.25


class QwirkleMind:
    """See :class:`~qwirkle_fast.engine.minds.Mind`."""

    def prepare(self) -> None:
        with suppress(ImportError):
            from ..search import warm_up

            warm_up()

    def read(self, text: str) -> Position:
        line, _, moves = f"{text} ".partition(" moves ")
        position = Position(line.rstrip())
        for move in moves.split():
            try:
                position.push(Move(move))
            except IllegalMove as error:
                raise ValueError(f"position: {move}: {error}, expected a legal move") from None
        return position

    def think(self, position: object, task: Task) -> str | None:
        from ..search import analyse, require_known_hand

        assert isinstance(position, Position)
        require_known_hand(position)
        seconds = None if task.seconds is None else max(task.seconds - RESERVE, 0.001)
        found: list[Hint] = []
        told = monotonic()
        for found in analyse(
            position, top=task.settings["Hints"], time=seconds, simulations=task.simulations,
            threads=task.settings["Threads"], seed=task.settings["Seed"], stop=task.stop,
            inference=task.settings["Inference"] == 1,
        ):  # fmt: skip
            if monotonic() - told >= NEWS:
                told = monotonic()
                _tell(found, task)
        _tell(found, task)
        return str(found[0].move) if found else None


def _tell(hints: list[Hint], task: Task) -> None:
    for hint in hints:
        words = [f"info move {hint.move} equity {hint.equity:g}"]
        if hint.win is not None:
            words.append(f"win {hint.win:g}")
        words.append(f"simulations {hint.simulations} score {hint.score}")
        if hint.stderr is not None:
            words.append(f"stderr {hint.stderr:g}")
        if hint.exact:
            words.append(f"exact line {' '.join(map(str, hint.line))}")
        task.tell(" ".join(words))

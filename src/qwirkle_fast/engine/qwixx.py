"""Thinks about Qwixx."""

from __future__ import annotations

from ..qwixx import Hint, Question, format_choice
from .minds import Task

#: Of the time for a decision, what is kept for answering, seconds.
RESERVE = 0.01


class QwixxMind:
    """See :class:`~qwirkle_fast.engine.minds.Mind`.

    A position is a question in one line, and the answer is for the action that it asks about: a mark, or ``-``.
    """

    def prepare(self) -> None:
        """Nothing: the solved game of one player is loaded when a lone player asks."""

    def read(self, text: str) -> Question:
        return Question.from_text(text)

    def think(self, position: object, task: Task) -> str | None:
        assert isinstance(position, Question)
        hints = position.hints(
            time=None if task.seconds is None else max(task.seconds - RESERVE, 0.001),
            simulations=task.simulations,
            seed=task.settings["Seed"],
            stop=task.stop,
        )
        worth = "win" if len(position.sheets) > 1 else "value"
        best: dict[str, float] = {}
        for hint in hints:
            # The hints come best first, and a mark in action 1 is worth what the best action 2 makes of it.
            best.setdefault(_part(position, hint), hint.value)
        for move, value in list(best.items())[: task.settings["Hints"]]:
            task.tell(f"info move {move} {worth} {value:g}")
        return next(iter(best), None)


def _part(question: Question, hint: Hint) -> str:
    return format_choice(hint.action1 if question.after is False else hint.action2)

"""Players: each makes a decision from what its seat sees."""

from __future__ import annotations

from . import _core
from .notation import Mark
from .question import Question
from .rules import CELLS, NUMBERS
from .solitaire import Hint, Solitaire


def choose_random(question: Question, seed: int) -> Mark | None:
    """Any choice, no mark included, each as likely as another."""
    choices = question.choices
    return choices[_core.chance(seed, len(choices))]


def choose_skipping(question: Question, most: int) -> Mark | None:
    """Each action on its own: lock where possible, else of the marks that skip at most so many numbers the one that
    skips fewest, ties in the order of the rows; else no mark."""
    best: Mark | None = None
    fewest = most + 1
    for mark in question.choices[:-1]:
        assert mark is not None
        numbers, row = NUMBERS[mark.row], question.sheets[question.seat].rows[mark.row]
        place = numbers.index(mark.number)
        begin = numbers.index(row.marks[-1]) + 1 if row.marks else 0
        skipped = -1 if place == CELLS - 1 else place - begin
        if skipped < fewest:
            best, fewest = mark, skipped
    return best


def choose_alone(question: Question) -> Mark | None:
    """As if there were nobody else: by the solved game."""
    sheet = question.sheets[question.seat]
    active = question.seat == question.active
    solved = Solitaire.load(question.rules)
    return _part(question, solved.hints(sheet, question.dice, active=active, after=question.after))


def choose_by_search(
    question: Question, *, time: float | None = None, simulations: int | None = None, seed: int = 0
) -> Mark | None:
    """The first hint: by the chance to win; alone, by the solved game."""
    if len(question.sheets) == 1:
        return choose_alone(question)
    return _part(question, question.hints(time=time, simulations=simulations, seed=seed))


def _part(question: Question, hints: list[Hint]) -> Mark | None:
    """Of the best hint, what concerns the action that is asked about."""
    return hints[0].action1 if question.after is False else hints[0].action2

"""What the conversation asks of a game, and which games there are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from threading import Event
from typing import Protocol

#: Where the mind of each game lives, by the game's name after ``newgame``; the first is the one before any ``newgame``.
MINDS = {
    "qwirkle": ("qwirkle", "QwirkleMind"),
    "qwixx": ("qwixx", "QwixxMind"),
}


@dataclass(frozen=True, slots=True)
class Option:
    """A setting: a whole number, with its least and greatest value."""

    default: int
    least: int
    most: int


#: The settings of every mind.
OPTIONS = {
    "Threads": Option(1, 1, 1024),
    "Seed": Option(0, 0, 2**53),
    "Hints": Option(1, 1, 100),
    "Inference": Option(1, 0, 1),
}


@dataclass(frozen=True, slots=True)
class Task:
    """What to think about, and how long.

    ``seconds`` and ``simulations`` are limits where they are given; ``stop`` ends the thinking at once.  ``tell`` takes
    lines of information.
    """

    seconds: float | None
    simulations: int | None
    settings: dict[str, int]
    stop: Event
    tell: Callable[[str], None]


class Mind(Protocol):
    """One game: its positions, and what it thinks of them."""

    def prepare(self) -> None:
        """Get ready to think; may take long the first time on a machine."""

    def read(self, text: str) -> object:
        """The position after the word ``position``; ``ValueError`` when it is none."""

    def think(self, position: object, task: Task) -> str | None:
        """The best choice; ``None`` when there is none, for the game is over.  ``ValueError`` when the position does
        not allow an answer, ``ImportError`` when what it takes is not installed."""


def mind_of(game: str) -> Mind:
    """The mind of a game; ``ValueError`` when there is none."""
    if game not in MINDS:
        raise ValueError(f"newgame: {game!r} is no game, expected {' or '.join(MINDS)}")
    module, name = MINDS[game]
    mind: Mind = getattr(import_module(f".{module}", __package__), name)()
    return mind

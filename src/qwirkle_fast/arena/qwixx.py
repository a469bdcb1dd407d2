"""Qwixx at the arena's tables, and the players that come with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from ..game import package_version
from ..qwixx import Game, Mark, NotationError, Question, Rules, Solitaire, parse_choice, players
from ..qwixx.rules import MAX_PLAYERS
from .choosers import Chooser, limits_of, without_options
from .games import Deal, Player

_RULES = {"qwixx": Rules(), "qwixx;finish_turn=true": Rules(finish_turn=True)}


class QwixxTable:
    """One game of Qwixx: see :class:`~qwirkle_fast.arena.games.Table`."""

    def __init__(self, deal: Deal, rules: Rules) -> None:
        self._game = Game(deal.seed, len(deal.names), rules, deal.names)

    @property
    def seat(self) -> int:
        return self._game.seat

    @property
    def end(self) -> str | None:
        return self._game.end

    @property
    def scores(self) -> Sequence[int]:
        return self._game.scores

    def view(self) -> Question:
        return self._game.question

    def told(self) -> str:
        return str(self._game.question)

    def read(self, text: str) -> Mark | None:
        return parse_choice(text)

    def apply(self, choice: object) -> None:
        if choice is not None and not isinstance(choice, Mark):
            raise NotationError(f"a {type(choice).__name__} is no choice, expected a Mark or None")
        self._game.choose(choice)

    def forfeit(self) -> None:
        self._game.forfeit()

    def record(self) -> dict[str, Any]:
        return {**self._game.record(), "versions": {"qwirkle_fast": package_version()}}


def _skip(question: Question, seed: int) -> Mark | None:
    return players.choose_skipping(question, 2)


def _alone(question: Question, seed: int) -> Mark | None:
    return players.choose_alone(question)


def _search(question: Question, seed: int, **limits: Any) -> Mark | None:
    return players.choose_by_search(question, seed=seed, **limits)


_SIMPLE = {"random": players.choose_random, "skip:2": _skip, "solitaire": _alone}


class Qwixx:
    """Qwixx by the rules ``qwixx`` or ``qwixx;finish_turn=true``."""

    name = "qwixx"
    fewest, most = 1, MAX_PLAYERS
    ends: Mapping[str, int] = {"locked": 0, "penalties": 0}
    players = ("random", "skip:2", "solitaire", "search")

    def __init__(self, rules: str = "") -> None:
        self._text = rules or "qwixx"
        if self._text not in _RULES:
            raise ValueError(f"rules: {rules[:60]!r}, expected {' or '.join(_RULES)}")

    @property
    def rules(self) -> str:
        return self._text

    def deal(self, deal: Deal) -> QwixxTable:
        return QwixxTable(deal, _RULES[self._text])

    def player(self, name: str, options: Mapping[str, str]) -> Player | None:
        if name == "search":
            return Chooser(partial(_search, **limits_of(options, ("time", "simulations"))))
        if name not in _SIMPLE:
            return None
        without_options(name, options)
        prepare = partial(Solitaire.load, _RULES[self._text]) if name == "solitaire" else None
        return Chooser(_SIMPLE[name], prepare)

    def whole_games(self, players: Sequence[str], deals: Sequence[Deal]) -> list[dict[str, Any]] | None:
        return None

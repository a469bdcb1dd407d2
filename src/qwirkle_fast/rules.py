"""The rules' options, as one immutable object.  What each means is in the rules chapter of the manual."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from .tiles import CLASSIC, FLEX, SYMBOLS, TileSet

#: What each option may be, and the only game that has it (``None``: both).
_CHOICES: dict[str, tuple[tuple[str, ...], str | None]] = {
    "first": (("oldest", "youngest"), None),
    "opening": (("largest", "any"), None),
    "tiles": (("full", "starter"), "flex"),
}
_RANGES: dict[str, tuple[int, int, str | None]] = {
    "exchange_cap": (1, 1000, None),
    "diagonal_min": (2, 6, "flex"),
}


class RulesError(ValueError):
    """Rules that do not exist: an unknown game or option, or a value an option cannot have."""


@dataclass(frozen=True)
class Rules:
    """Which game, and its options.

    ``name``: ``"classic"`` or ``"flex"``.  ``first``: which of the players tied for the largest set opens.
    ``opening``: must the opener place a set of the largest size?  ``exchange_cap``: exchanges in a row by every player
    that end the game.  Flex only: ``tiles`` (the 108 of the box or the 72 black and white ones) and ``diagonal_min``
    (the shortest diagonal run that scores).  Raises :class:`RulesError`.

    >>> Rules("flex", tiles="starter")
    Rules(name='flex', first='oldest', opening='largest', exchange_cap=10, tiles='starter', diagonal_min=2)
    >>> Rules("classic", exchange_cap=0)
    Traceback (most recent call last):
    qwirkle_fast.rules.RulesError: rules: exchange_cap is 0, expected a whole number from 1 to 1000
    """

    name: str = "classic"
    first: str = "oldest"
    opening: str = "largest"
    exchange_cap: int = 10
    tiles: str = "full"
    diagonal_min: int = 2

    def __post_init__(self) -> None:
        if self.name not in ("classic", "flex"):
            raise RulesError(f"rules: {self.name!r} is not a game, expected classic or flex")
        for option, (choices, game) in _CHOICES.items():
            value = getattr(self, option)
            if value not in choices:
                raise RulesError(f"rules: {option} is {value!r}, expected {' or '.join(choices)}")
            self._refuse_foreign(option, game)
        for option, (low, high, game) in _RANGES.items():
            value = getattr(self, option)
            if type(value) is not int or not low <= value <= high:
                raise RulesError(f"rules: {option} is {value!r}, expected a whole number from {low} to {high}")
            self._refuse_foreign(option, game)

    def _refuse_foreign(self, option: str, game: str | None) -> None:
        if game not in (None, self.name) and getattr(self, option) != DEFAULTS[option]:
            raise RulesError(f"rules: {option} is an option of {game}, expected none in {self.name}")

    @property
    def tile_set(self) -> TileSet:
        return FLEX if self.name == "flex" else CLASSIC

    @property
    def copies(self) -> tuple[int, ...]:
        """How many of each tile the game has, in code order."""
        if self.name == "classic":
            return (3,) * SYMBOLS
        return ((1, 1, 1) if self.tiles == "full" else (1, 1, 0)) * SYMBOLS

    def options(self) -> dict[str, Any]:
        """The options that are not at their default, in alphabetical order."""
        return {option: value for option in sorted(DEFAULTS) if (value := getattr(self, option)) != DEFAULTS[option]}


#: Each option's default.
DEFAULTS: dict[str, Any] = {field.name: field.default for field in fields(Rules) if field.name != "name"}

"""qwirkle_fast: move search, scoring and simulation for Qwirkle and Qwirkle Flex, with a native core.

>>> import qwirkle_fast as qf
>>> position = qf.Position("RvRdRc BcBsRsPsYtOx/?6 0/3 classic")
>>> str(position.legal_moves.best())
'Bs@-1,-1+Rs@-1,0+Ps@-1,1'
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .game import Game, GameError, Turn
    from .move import PLACEMENT, Move
    from .notation import NotationError
    from .position import IllegalMove, LegalMoves, Position, PositionError
    from .rules import Rules, RulesError
    from .search import Hint, Judgement, Reply, analyse, best_move, hints, review

#: Where each public name lives.  A room is imported when it is asked for: a command is ready for Ctrl-C at once, and
#: Numba, which only the search needs, takes longer to import than all the rest.
_ROOMS = {
    "game": ("Game", "GameError", "Turn"),
    "move": ("PLACEMENT", "Move"),
    "notation": ("NotationError",),
    "position": ("IllegalMove", "LegalMoves", "Position", "PositionError"),
    "rules": ("Rules", "RulesError"),
    "search": ("Hint", "Judgement", "Reply", "analyse", "best_move", "hints", "review"),
}

__all__ = [
    "PLACEMENT",
    "Game",
    "GameError",
    "Hint",
    "IllegalMove",
    "Judgement",
    "LegalMoves",
    "Move",
    "NotationError",
    "Position",
    "PositionError",
    "Reply",
    "Rules",
    "RulesError",
    "Turn",
    "analyse",
    "best_move",
    "hints",
    "review",
]


def __getattr__(name: str) -> object:
    for room, names in _ROOMS.items():
        if name in names:
            globals()[name] = value = getattr(import_module(f".{room}", __name__), name)
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

"""Hints: the moves worth making, best first."""

from __future__ import annotations

from dataclasses import dataclass

from ..move import Move
from ..position import Position, PositionError


@dataclass(frozen=True)
class Hint:
    """A move and what it is worth.

    ``score``: its points now.  ``equity``: the points still to come, the mover's less the best other's, with the
    standard error ``stderr``; ``win``: the chance to win; ``simulations``: how many went into it; ``exact``: is it
    solved?  Until the search exists ``equity`` is the score, ``stderr`` and ``win`` are ``None``.
    """

    move: Move
    score: int
    equity: float
    stderr: float | None
    win: float | None
    simulations: int
    exact: bool


def hints(position: Position, top: int = 5) -> list[Hint]:
    """The ``top`` best moves, exchanges included, by score, then text; a pass when nothing else is legal.

    Empty when the game is over.  Raises :class:`PositionError` when the mover's own hand is not known.
    """
    if position.hidden_in_hand:
        raise PositionError("hands: the player to move has hidden tiles, expected a hand that is known")
    found = position.legal_moves.scored(top)
    if len(found) < top:
        found += sorted((move, 0) for move in position.exchanges)[: top - len(found)]
    if not found and position.is_legal(Move.skip()):
        found = [(Move.skip(), 0)]
    return [Hint(move, score, score, None, None, 0, exact=False) for move, score in found]


def best_move(position: Position) -> Hint | None:
    """The best hint; ``None`` when the game is over."""
    found = hints(position, 1)
    return found[0] if found else None

"""How strong an engine at the table plays."""

from __future__ import annotations

from threading import Event

from ..deal import Generator
from ..game import Game
from ..move import Move
from ..position import Position

#: Simulations for a move, by the name of a level; ``None`` where there is no search.
LEVELS: dict[str, int | None] = {"beginner": None, "casual": None, "club": 200, "expert": 3_000, "master": 60_000}


class Stopped(Exception):
    """The choice was stopped before it was made."""


def choose(game: Game, level: str, threads: int, stop: Event) -> Move:
    """The move of the player whose turn it is; the same game and level give the same move.

    ``beginner`` takes the best of three placements drawn at random, ``casual`` what brings the most points; the others
    search.  Raises :class:`Stopped`.
    """
    position = game.position
    simulations = LEVELS[level]
    # The game's own chance, its bag and exchanges, must not show in the choice.
    chance = Generator.for_turn(~game.seed, len(game.turns))
    if simulations is None:
        return _by_points(position, chance, 3 if level == "beginner" else None)
    from ..search import analyse

    move = None
    for found in analyse(
        position, top=1, simulations=simulations, threads=threads, seed=chance.below(1 << 31), stop=stop
    ):
        move = found[0].move
    if stop.is_set() or move is None:
        raise Stopped
    return move


def _by_points(position: Position, chance: Generator, looked_at: int | None) -> Move:
    if looked_at is None:
        best = position.legal_moves.best()
    else:
        placements = list(position.legal_moves)
        # They are sorted by points, so the first drawn in that order is the best.
        drawn = [chance.below(len(placements)) for _ in range(looked_at)] if placements else []
        best = placements[min(drawn)] if drawn else None
    if best is not None:
        return best
    exchanges = position.exchanges
    return exchanges[-1] if exchanges else Move.skip()

"""One game: asks each player in turn, times it, and rules out who is rude."""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Any

from .games import Deal, Forfeit, Kind, Player, Turn
from .match import choice_seed

#: How much of what a player did wrong is written down.
DETAIL = 200


def play(kind: Kind, deal: Deal, players: Sequence[Player]) -> dict[str, Any]:
    """Play a game with these players by seat; returns its record with ``times`` and ``forfeit``."""
    table = kind.deal(deal)
    times: list[float] = []
    ruled_out: dict[str, object] | None = None
    try:
        for seat in range(len(players)):
            players[seat].begin(kind.name)
        while table.end is None:
            seat = table.seat
            seed = choice_seed(deal.seed, len(times))
            start = perf_counter()
            choice = players[seat].decide(Turn(table, seed))
            seconds = round(perf_counter() - start, 6)
            try:
                table.apply(choice)
            except ValueError as error:
                raise Forfeit("illegal", f"{_shown(choice)}: {error}") from None
            times.append(seconds)
    except Forfeit as forfeit:
        table.forfeit()
        detail = " ".join(forfeit.detail.split())[:DETAIL]
        ruled_out = {"seat": seat, "reason": forfeit.reason, "detail": detail}
    record = table.record()
    for name, player in zip(deal.names, players, strict=True):
        if player.identity:
            record["versions"][name] = player.identity
    record["forfeit"] = ruled_out
    record["times"] = times
    return record


def _shown(choice: object) -> str:
    """As text, which a choice of somebody else's making may refuse."""
    try:
        return str(choice)
    except Exception:
        return f"a {type(choice).__name__}"

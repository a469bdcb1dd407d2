"""What a worker does: plays the games it is given, with players that it keeps between them."""

from __future__ import annotations

import pickle
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from hashlib import sha256
from threading import Lock
from typing import Any

import msgspec

from .games import Player
from .match import Key, Match
from .players import make_player
from .referee import play

#: A match as it travels: itself to this very process, else pickled.
Luggage = Match | bytes

_encode = msgspec.json.Encoder().encode


def play_games(luggage: Luggage, keys: Sequence[Key]) -> list[bytes]:
    """Play these games; returns a record for each, a line of JSON."""
    match, mark = _opened(luggage)
    return [_line(record, key) for record, key in zip(_records(match, luggage, mark, keys), keys, strict=True)]


def native(match: Match) -> bool:
    """Does native code play whole games of this match?"""
    specs = [player if isinstance(player, str) else "" for player in match.players]
    return all(match.kind.whole_games([specs[i] for i in table], []) is not None for table in match.pairings)


def _records(match: Match, luggage: Luggage, mark: str, keys: Sequence[Key]) -> Iterator[dict[str, Any]]:
    if native(match):
        # Games with the same players by seat can go together.
        specs = [tuple(match.players[i] for i in match.lineup(key)) for key in keys]
        records: dict[Key, dict[str, Any]] = {}
        for lineup in set(specs):
            together = [key for key, own in zip(keys, specs, strict=True) if own == lineup]
            games = match.kind.whole_games(lineup, [match.deal(key) for key in together])
            assert games is not None
            records.update(zip(together, ({**game, "forfeit": None} for game in games), strict=True))
        yield from (records[key] for key in keys)
        return
    for key in keys:
        with _seated(match, luggage, mark, match.lineup(key)) as players:
            yield play(match.kind, match.deal(key), players)


def _line(record: dict[str, Any], key: Key) -> bytes:
    return _encode({**key._asdict(), **record}) + b"\n"


# -- players between games

#: The players that wait for a game, by the match and their number in it.
_waiting: dict[tuple[str, int], list[Player]] = defaultdict(list)
#: How often players were sent home.
_goings = 0
_lock = Lock()


@contextmanager
def _seated(match: Match, luggage: Luggage, mark: str, lineup: Sequence[int]) -> Iterator[list[Player]]:
    """A player for each seat, taken from those that wait or made; they wait again afterwards, unless all were sent home
    meanwhile."""
    seated: list[Player] = []
    goings = _goings
    try:
        for number in lineup:
            with _lock:
                waiting = _waiting[mark, number]
                player = waiting.pop() if waiting else None
            seated.append(player or _made(match, luggage, number))
        yield seated
    except BaseException:
        for player in seated:
            player.close()
        raise
    with _lock:
        if goings == _goings:
            for number, player in zip(lineup, seated, strict=True):
                _waiting[mark, number].append(player)
            return
    for player in seated:
        player.close()


def _made(match: Match, luggage: Luggage, number: int) -> Player:
    # An object that has travelled is unpacked anew for each, so that no two tables share one.
    own = match if isinstance(luggage, Match) else pickle.loads(luggage)
    return make_player(own.players[number], match.kind, match.limits)


def send_home() -> None:
    """The match is over: close all players that wait, and others when their games are over.

    Those of another match in this process will be made anew.
    """
    global _goings
    with _lock:
        _goings += 1
        players = [player for waiting in _waiting.values() for player in waiting]
        _waiting.clear()
    for player in players:
        player.close()


def _opened(luggage: Luggage) -> tuple[Match, str]:
    if isinstance(luggage, Match):
        return luggage, str(id(luggage))
    return _unpacked(luggage)


@lru_cache(4)
def _unpacked(luggage: bytes) -> tuple[Match, str]:
    return pickle.loads(luggage), sha256(luggage).hexdigest()

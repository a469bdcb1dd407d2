"""The whole of a match's folder, read once: its table, and how the scores grew."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from pathlib import Path

from .records import Played, decode_turns, read_games, read_match
from .standings import Standings

#: How many points of the test's course are worked out.
POINTS = 400


class Account:
    """A match's table, and the points that each player made in each of its own turns, added up over all games."""

    def __init__(self, standings: Standings) -> None:
        self.standings = standings
        players = len(standings.match.players)
        self._points: list[list[int]] = [[] for _ in range(players)]
        #: How many games each player has played, once for each seat it had.
        self._games = [0] * players

    def score_by_turn(self, player: int) -> list[float]:
        """The mean score of a player after each of its own turns, in all its games: a game that is over keeps its
        score.  The points for going out are not in it."""
        games = self._games[player]
        return [points / games for points in accumulate(self._points[player])] if games else []

    def add(self, played: Played) -> None:
        """A game has been played."""
        self.standings.add(played)
        lineup = self.standings.match.lineup(played.key)
        own = [0] * len(lineup)
        for player in lineup:
            self._games[player] += 1
        for turn in decode_turns(played.turns):
            points, number = self._points[lineup[turn.seat]], own[turn.seat]
            own[turn.seat] = number + 1
            if number == len(points):
                points.append(0)
            points[number] += turn.score

    @property
    def margins(self) -> list[float]:
        """The first player's margin in each game of its tables in which nobody was ruled out."""
        pairings, others = self.standings.match.pairings, self.standings.match.seats - 1
        return [
            game.lead / others
            for standing in self.standings.pairings
            if pairings[standing.pairing][0] == 0
            for games in standing.whole.values()
            for game in games
            if game.lead is not None
        ]


def read_standings(path: Path) -> Standings:
    """The table of a match's folder; raises ``ValueError`` when it is none."""
    standings = Standings(read_match(path))
    _read(path, standings, standings.add)
    return standings


def read_account(path: Path) -> Account:
    """The account of a match's folder; raises ``ValueError`` when it is none."""
    account = Account(Standings(read_match(path)))
    _read(path, account.standings, account.add)
    return account


def _read(path: Path, standings: Standings, add: Callable[[Played], None]) -> None:
    try:
        for played in read_games(path, standings.match):
            add(played)
    except OSError as error:
        raise ValueError(f"{str(path)!r}: {error.strerror or error}, expected what a match wrote") from None
    standings.look(max(1, standings.pairings[0].blocks // POINTS))
    standings.cut()

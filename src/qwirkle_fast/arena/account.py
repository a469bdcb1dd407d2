"""The whole of a match's folder, read once: its table, and how the scores grew."""

from __future__ import annotations

from itertools import accumulate
from pathlib import Path

from .records import read_games, read_match
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

    def add(self, lineup: tuple[int, ...], turns: list[tuple[int, int]]) -> None:
        """A game with these players by seat, and the seat and score of each turn."""
        own = [0] * len(lineup)
        for player in lineup:
            self._games[player] += 1
        for seat, score in turns:
            points, turn = self._points[lineup[seat]], own[seat]
            own[seat] = turn + 1
            if turn == len(points):
                points.append(0)
            points[turn] += score

    @property
    def margins(self) -> list[float]:
        """The first player's margin in each game of its tables in which nobody was ruled out."""
        pairings = self.standings.match.pairings
        return [
            game.margin
            for standing in self.standings.pairings
            if pairings[standing.pairing][0] == 0
            for games in standing.whole.values()
            for game in games
            if game.margin is not None
        ]


def read_account(path: Path) -> Account:
    """Read a match's folder; raises ``ValueError`` when it is none."""
    match = read_match(path)
    account = Account(Standings(match))
    seats = range(match.seats)
    lineups = [[tuple(table[match.place(game, seat)] for seat in seats) for game in seats] for table in match.pairings]
    try:
        for played in read_games(path, match):
            account.standings.add(played)
            account.add(lineups[played.pairing][played.game], [(turn.seat, turn.score) for turn in played.turns])
    except OSError as error:
        raise ValueError(f"{str(path)!r}: games cannot be read ({error}), expected what a match wrote") from None
    blocks = account.standings.pairings[0].blocks
    account.standings.look(max(1, blocks // POINTS))
    account.standings.cut()
    return account

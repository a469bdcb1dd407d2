"""Who is stronger, by how much, and how sure is that: players against each other, in blocks of games.

>>> from qwirkle_fast.arena import Match, run
>>> table = run(Match(("greedy", "random"), games=20, seed=1))
>>> first = table.first()
>>> first.games, first.wins, first.counts
(20, 20, [0, 0, 0, 0, 10])
"""

from .games import Player
from .match import Limits, Match
from .runner import run
from .standings import Figures, Standings
from .statistics import Sprt

__all__ = ["Figures", "Limits", "Match", "Player", "Sprt", "Standings", "run"]

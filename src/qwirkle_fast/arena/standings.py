"""The table of a match: what its games say so far, counted in whole blocks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from .match import Match
from .ratings import Rating, rate
from .records import Played
from .statistics import (
    Interval,
    elo_interval,
    elo_of,
    mean_and_error,
    mean_score,
    normalised_elo,
    superiority,
)


class Seen(NamedTuple):
    """One game, with the players in the order of the pairing.

    ``points``: twice the result of the first against each other player together, so 0 to ``2 * (players - 1)``.
    ``place``: 1 when the first won alone, 0 when it shared the first place, else -1.  ``lead``: its points less
    those of each other player, added up, ``None`` when somebody was ruled out.  ``turns``: a hash of all of them.
    ``pairs``: twice the result of each against each later.  ``out``: the place of who was ruled out, and why.
    """

    points: int
    place: int
    lead: int | None
    turns: int
    pairs: tuple[int, ...]
    out: tuple[int, str] | None


def seen(match: Match, played: Played) -> Seen:
    """What a game says.  Who was ruled out is behind everybody else."""
    seats = len(played.scores)
    scores = [0] * seats
    for seat, score in enumerate(played.scores):
        scores[match.place(played.game, seat)] = score
    lead: int | None = seats * scores[0] - sum(scores)
    out = None
    if played.forfeit:
        out = match.place(played.game, played.forfeit.seat), played.forfeit.reason
        scores[out[0]] = min(scores) - 1
        lead = None
    pairs = tuple(
        1 + (scores[i] > scores[j]) - (scores[i] < scores[j]) for i in range(seats) for j in range(i + 1, seats)
    )
    best = max(scores[1:])
    place = (scores[0] > best) - (scores[0] < best)
    return Seen(sum(pairs[: seats - 1]), place, lead, hash(bytes(played.turns)), pairs, out)


class Standing:
    """Of one pairing: how its first player fares against the others.  Whole blocks alone count."""

    def __init__(self, match: Match, pairing: int) -> None:
        self.match = match
        self.pairing = pairing
        self.wins = self.draws = self.losses = 0
        #: How many blocks had each score, and which score each block had: see :mod:`~qwirkle_fast.arena.statistics`.
        self.counts = [0] * (2 * match.seats * (match.seats - 1) + 1)
        self.scores: dict[int, int] = {}
        #: The first player's leads in each block in which nobody was ruled out, added up.
        self.leads: dict[int, int] = {}
        #: In how many blocks the games were not all the same, move by move.
        self.differing = 0
        #: How often each player of the pairing was ruled out, and why.
        self.out: Counter[tuple[int, str]] = Counter()
        #: The games of each whole block.
        self.whole: dict[int, list[Seen]] = {}
        self._begun: dict[int, dict[int, Seen]] = {}

    @property
    def blocks(self) -> int:
        return len(self.scores)

    @property
    def games(self) -> int:
        return self.blocks * self.match.seats

    @property
    def loose(self) -> int:
        """Games of blocks that are not whole yet."""
        return sum(len(games) for games in self._begun.values())

    def add(self, played: Played) -> None:
        """A game has been played."""
        games = self._begun.setdefault(played.block, {})
        games[played.game] = seen(self.match, played)
        if len(games) == self.match.seats:
            self._fold(played.block, list(self._begun.pop(played.block).values()))

    def upto(self, blocks: int) -> Standing:
        """The same of the first so many blocks."""
        other = Standing(self.match, self.pairing)
        for block in range(blocks):
            other._fold(block, self.whole[block])
        return other

    def _fold(self, block: int, games: list[Seen]) -> None:
        score = sum(game.points for game in games)
        self.whole[block] = games
        self.scores[block] = score
        self.counts[score] += 1
        for game in games:
            self.wins += game.place > 0
            self.draws += game.place == 0
            self.losses += game.place < 0
            if game.out:
                self.out[game.out] += 1
        leads = [game.lead for game in games if game.lead is not None]
        if len(leads) == len(games):
            self.leads[block] = sum(leads)
        self.differing += len({game.turns for game in games}) > 1


class Figures(NamedTuple):
    """What blocks say of their first player."""

    games: int
    blocks: int
    wins: int
    draws: int
    losses: int
    counts: list[int]
    score: float | None
    margin: float | None
    margin_stderr: float | None
    elo: float | None
    elo_interval: Interval
    normalised_elo: float | None
    normalised_elo_interval: Interval
    superiority: float | None
    differing_blocks: int


def figures(standings: Sequence[Standing]) -> Figures:
    """Of pairings with the same first player, taken together."""
    counts = [sum(column) for column in zip(*(standing.counts for standing in standings), strict=True)]
    blocks = sum(counts)
    seats = standings[0].match.seats
    # Leads are whole numbers, so what is level has a margin of 0, and not of something near it.
    lead, error = mean_and_error([lead for standing in standings for lead in standing.leads.values()])
    leads = seats * (seats - 1)
    normal, normal_interval = normalised_elo(counts, seats) if blocks else (None, (None, None))
    score = mean_score(counts) if blocks else None
    return Figures(
        games=blocks * seats,
        blocks=blocks,
        wins=sum(standing.wins for standing in standings),
        draws=sum(standing.draws for standing in standings),
        losses=sum(standing.losses for standing in standings),
        counts=counts,
        score=score,
        margin=None if lead is None else lead / leads,
        margin_stderr=None if error is None else error / leads,
        elo=None if score is None else elo_of(score),
        elo_interval=elo_interval(counts) if blocks else (None, None),
        normalised_elo=normal,
        normalised_elo_interval=normal_interval,
        superiority=superiority(counts) if blocks else None,
        differing_blocks=sum(standing.differing for standing in standings),
    )


class Standings:
    """All pairings of a match, and its test."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.pairings = [Standing(match, number) for number in range(len(match.pairings))]
        #: Where the test stood after each block, in the order of blocks.
        self.path: list[float] = []
        #: Where it stands now; ``None`` without a test.
        self.sprt = match.sprt.state(self.pairings[0].counts) if match.sprt else None
        self._counts = [0] * len(self.pairings[0].counts)

    def add(self, played: Played) -> None:
        """A game has been played."""
        self.pairings[played.pairing].add(played)

    def look(self, step: int = 1) -> None:
        """Bring the test up to date: look at it after every so many blocks, in their order, until it ends.

        What later blocks say does not count, so the test ends with the same block however many are played at once.
        """
        test, scores = self.match.sprt, self.pairings[0].scores
        while test and self.sprt and self.sprt.result is None and (block := len(self.path)) in scores:
            self._counts[scores[block]] += 1
            if block % step == step - 1 or block + 1 not in scores:
                self.sprt = test.state(self._counts)
            self.path.append(self.sprt.llr)

    @property
    def decided(self) -> int | None:
        """How many blocks decided the test; ``None`` while it goes on."""
        return len(self.path) if self.sprt and self.sprt.result else None

    def cut(self) -> None:
        """Leave out the blocks after the one that decided the test."""
        if self.decided is not None:
            self.pairings = [self.pairings[0].upto(self.decided)]

    @property
    def games(self) -> int:
        """All that have been played, those of blocks that are not whole too."""
        return sum(standing.games + standing.loose for standing in self.pairings)

    def first(self) -> Figures:
        """How the first player of the match fares against all others."""
        return figures([standing for standing in self.pairings if self.match.pairings[standing.pairing][0] == 0])

    def ratings(self) -> list[Rating]:
        """One table of all players, the best first."""
        return rate(self.match.names, list(self._results()))

    def _results(self) -> Iterator[tuple[int, int, int, float]]:
        seats = self.match.seats
        for standing in self.pairings:
            table = self.match.pairings[standing.pairing]
            both = [(table[i], table[j]) for i in range(seats) for j in range(i + 1, seats)]
            for block, games in standing.whole.items():
                for number, (one, other) in enumerate(both):
                    if one != other:
                        yield block, one, other, sum(game.pairs[number] for game in games) / (2 * seats)

    def forfeits(self) -> dict[str, dict[str, int]]:
        """How often each player was ruled out, and why."""
        found: dict[str, dict[str, int]] = {}
        for standing in self.pairings:
            table = self.match.pairings[standing.pairing]
            for (place, reason), number in standing.out.items():
                own = found.setdefault(self.match.names[table[place]], {})
                own[reason] = own.get(reason, 0) + number
        return found

    def to_json(self) -> dict[str, Any]:
        """The object that ``match --json`` and ``report --json`` end with."""
        match = self.match
        answer: dict[str, Any] = {"players": list(match.names), **self.first()._asdict()}
        answer["sprt"] = self.sprt and {name: getattr(self.sprt, name) for name in ("llr", "lower", "upper", "result")}
        answer["forfeits"] = self.forfeits()
        if len(match.players) > 2:
            answer["ratings"] = [rating._asdict() for rating in self.ratings()]
        if len(match.pairings) > 1:
            answer["pairings"] = [
                {"players": [match.names[i] for i in match.pairings[standing.pairing]], **figures([standing])._asdict()}
                for standing in self.pairings
            ]
        return answer

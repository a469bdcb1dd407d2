"""What each turn of a game was worth: the best move, what was played, and what that lost.

Each turn is judged with what its player knew then: the own hand, and what could not be seen.  A first search finds the
best move; then that move and the one that was played are searched by themselves, over other deals that both of them
share.  So the difference is as sure as the limit lets it be, whether or not the search would have looked at the move,
and free of the bias of having been picked as the best.  Endings that can be solved are solved.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..game import Game, Turn
from ..move import Move
from ..position import Position
from .advice import check, hints
from .hint import Hint


@dataclass(frozen=True)
class Judgement:
    """A turn of a game, judged.

    ``turn``: its number, 0 being the first.  ``position``: what the player saw, in one line.  ``move``, ``score``: what
    was played.  ``best``, ``played``: the hints of the best move and of that one, judged alike; the same hint when the
    best was played.
    """

    turn: int
    seat: int
    position: str
    move: Move
    score: int
    best: Hint
    played: Hint

    @property
    def lost(self) -> float:
        """The points lost: by how much the best move's equity is higher.  Below 0 where that move wins more often
        though by fewer points."""
        return round(self.best.equity - self.played.equity, 3)

    @property
    def win_lost(self) -> float:
        """The chance to win that was lost, 0 to 1."""
        return round((self.best.win or 0.0) - (self.played.win or 0.0), 4)

    @property
    def margin(self) -> float:
        """The lead over the best other to be expected after the best move: the lead in points, and its equity."""
        mine, *others = Position(self.position).scores
        return round(mine - max(others) + self.best.equity, 3)

    def to_json(self) -> dict[str, object]:
        """The object of a turn in a review, to be encoded."""
        return {
            "turn": self.turn,
            "seat": self.seat,
            "position": self.position,
            "move": str(self.move),
            "score": self.score,
            "best": self.best.to_json(),
            "played": self.played.to_json(),
            "lost": self.lost,
            "win_lost": self.win_lost,
            "margin": self.margin,
        }


@dataclass(frozen=True)
class Total:
    """A player's turns together: how many, how often the best move was played, and the sums of what was lost."""

    turns: int
    best: int
    lost: float
    win_lost: float

    @classmethod
    def of(cls, judgements: Sequence[Judgement]) -> Total:
        """Of these turns."""
        return cls(
            len(judgements),
            sum(judgement.best.move == judgement.move for judgement in judgements),
            round(sum(judgement.lost for judgement in judgements), 3),
            round(sum(judgement.win_lost for judgement in judgements), 4),
        )

    def to_json(self) -> dict[str, object]:
        """The object of a player's total in a review, to be encoded."""
        return {"turns": self.turns, "best": self.best, "lost": self.lost, "win_lost": self.win_lost}


def review(
    game: Game | Mapping[str, Any],
    *,
    time: float | None = None,
    simulations: int | None = None,
    threads: int | None = None,
    seed: int = 0,
) -> Iterator[Judgement]:
    """Judge each turn of a game, or of a record already decoded, in order, each as soon as it is done.

    The limits are for each turn, and as in :func:`hints`: by simulations and a seed the answer is always the same.
    Raises :class:`GameError` for a record that does not replay, and what :func:`hints` raises.
    """
    played = game if isinstance(game, Game) else Game.from_record(game)
    check(played.position, 1, time, simulations, threads, seed)
    return (
        _judged(played.at(number).position, number, turn, time, simulations, threads, seed)
        for number, turn in enumerate(played.turns)
    )


def review_json(game: Game, judgements: Sequence[Judgement]) -> dict[str, object]:
    """The object of a whole review, to be encoded: the players, the turns, the totals by seat, and how it ended."""
    return {
        "players": list(game.names),
        "turns": [judgement.to_json() for judgement in judgements],
        "totals": [Total.of([one for one in judgements if one.seat == seat]).to_json() for seat in range(game.players)],
        "scores": list(game.scores),
        "end": game.end,
    }


def _judged(
    position: Position, number: int, turn: Turn, time: float | None, simulations: int | None, threads: int | None,
    seed: int,
) -> Judgement:  # fmt: skip
    # An opening downwards is the same as the one to the right, which is the one that is listed.
    move = turn.move if position.board else _to_the_right(turn.move)

    def judge(share: int, seed: int, **asked: Any) -> list[Hint]:
        """The hints of one of the two searches, each with half of the limit."""
        return hints(
            position,
            time=None if time is None and simulations is not None else (time or 1.0) / 2,
            simulations=None if simulations is None else max(1, (simulations + share) // 2),
            threads=threads,
            seed=seed,
            **asked,
        )

    best = judge(1, seed, top=1)[0]
    if best.exact:
        played = best if best.move == move else judge(0, seed + 1, only=[move])[0]
        # Nothing is better than the best, which is proved, though this one may not have been solved in time.
        played = replace(played, equity=min(played.equity, best.equity), win=min(played.win or 0.0, best.win or 0.0))
    elif best.move == move and best.win is not None:
        played = best
    else:
        best, *others = judge(0, seed + 1, only=[best.move, move])
        played = next((hint for hint in others if hint.move == move), best)
    played = replace(played, move=turn.move)
    # One that is as good is a best move too.
    if (played.win, played.equity) == (best.win, best.equity):
        best = played
    return Judgement(number, turn.seat, str(position), turn.move, turn.score, best, played)


def _to_the_right(move: Move) -> Move:
    """An opening that may run downwards, turned."""
    return Move.place([(y, x, code) if y else (x, y, code) for x, y, code in move.placed]) if move.placed else move

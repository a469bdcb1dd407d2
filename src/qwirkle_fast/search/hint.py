"""A hint: what the search says of one move."""

from __future__ import annotations

from dataclasses import dataclass

from ..move import Move


@dataclass(frozen=True)
class Reply:
    """What the next player is likely to answer, if points now are what counts for him.

    ``move``: the most frequent answer over the deals of the hidden hand; ``chance``: its share of them; ``score``: the
    mean points of all answers.
    """

    move: Move
    chance: float
    score: float

    def to_json(self) -> dict[str, object]:
        """The object of a reply in answers, to be encoded."""
        return {"move": str(self.move), "chance": self.chance, "score": self.score}


@dataclass(frozen=True)
class Hint:
    """A move and what it is worth.

    ``score``: its points now.  ``equity``: the points still to come, the mover's less the best other's, with the
    standard error ``stderr``; ``win``: the chance to win; ``simulations``: how many went into it; ``exact``: is it
    solved?  ``line``: the best play from here, where it is solved; elsewhere ``reply``: what to expect next, unless the
    move ends the game.
    """

    move: Move
    score: int
    equity: float
    stderr: float | None
    win: float | None
    simulations: int
    exact: bool
    line: tuple[Move, ...] = ()
    reply: Reply | None = None

    def __str__(self) -> str:
        """The move, its equity with its error, and the chance to win."""
        if self.win is None:
            return f"{self.move} {self.equity:+.1f}"
        error = "" if self.exact or self.stderr is None else f"~{self.stderr:.1f}"
        return f"{self.move} {self.equity:+.1f}{error} {100 * self.win:.1f}%"

    def to_json(self) -> dict[str, object]:
        """The object of a hint in answers, to be encoded; ``line`` is there when it is solved, ``reply`` when there is
        one."""
        answer: dict[str, object] = {
            "move": str(self.move),
            "score": self.score,
            "equity": self.equity,
            "stderr": self.stderr,
            "win": self.win,
            "simulations": self.simulations,
            "exact": self.exact,
        }
        if self.exact:
            answer["line"] = [str(move) for move in self.line]
        if self.reply:
            answer["reply"] = self.reply.to_json()
        return answer

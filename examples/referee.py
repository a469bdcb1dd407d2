"""Let two simple players meet, over and over, with the rules kept by Game.

    python examples/referee.py            # 50 pairs of games
    python examples/referee.py 1000

A player is a function from a position to a move.  It gets what a person at the table would see: the board, its own hand
and the scores, but no other hand and not the bag.  Each deal is played twice with the seats swapped, so that neither
player owes a win to better tiles.

The careful player goes by a rule of thumb: leave no line of five.  Over three thousand games it loses, by almost five
points a game: what it gives up now is more than what the other would have taken.  Write a third player and see.
"""

import sys
from collections.abc import Callable

import qwirkle_fast as qf

Player = Callable[[qf.Position], qf.Move]


def greedy(position: qf.Position) -> qf.Move:
    """The placement that scores most."""
    return position.legal_moves.best() or otherwise(position)


def careful(position: qf.Position) -> qf.Move:
    """The same, but a line of five, which the next player may complete for 12 points, counts against a move."""

    def value(scored: tuple[qf.Move, int]) -> int:
        move, score = scored
        return score - 6 * sum(len(line.cells) == 5 for line in position.explain(move).lines)

    best = max(position.legal_moves.scored(20), key=value, default=None)
    return best[0] if best else otherwise(position)


def otherwise(position: qf.Position) -> qf.Move:
    """Exchange as much as the bag allows, else pass."""
    exchanges = position.exchanges
    return exchanges[-1] if exchanges else qf.Move.skip()


def play(seed: int, players: list[Player]) -> tuple[int, ...]:
    """One game; returns the final scores by seat."""
    game = qf.Game(seed, len(players))
    while not game.is_over:
        game.play(players[game.seat](game.position))
    return game.scores


def main(pairs: int) -> None:
    wins = ahead = 0.0
    for seed in range(1, pairs + 1):
        for ours in (0, 1):
            scores = play(seed, [greedy, careful] if ours else [careful, greedy])
            lead = scores[ours] - scores[1 - ours]
            wins += 1 if lead > 0 else 0.5 if lead == 0 else 0
            ahead += lead
    games = 2 * pairs
    print(f"careful against greedy: {wins:g} of {games} games won, {ahead / games:+.1f} points a game")


if __name__ == "__main__":
    pairs = sys.argv[1] if len(sys.argv) > 1 else "50"
    if not (pairs.isdecimal() and 0 < int(pairs) < 10**6):
        sys.exit(f"pairs: {pairs}, expected a number from 1 to 999999")
    main(int(pairs))

"""Measure the endgame solver: ``python tools/endgames.py classic --games 200``.

Greedy two-player games from fixed seeds, each at the moment the bag runs empty: how many have their best move solved
exactly within a second of one thread's processor time (not of the clock, so that other work on the machine does not
count).  About a quarter of a minute for two hundred games.
"""

from __future__ import annotations

import argparse
import time
from threading import Timer

import qwirkle_fast as qf
from qwirkle_fast.search._endgame import Solver
from qwirkle_fast.search.advice import DEPTHS, GLANCE

#: Seconds of the clock after which a search is given up.
PATIENCE = 30.0


def ending(seed: int, rules: str) -> qf.Position | None:
    """The first position with an empty bag, all hands shown; ``None`` when the game ends before or nothing fits."""
    game = qf.Game(seed, 2, rules)
    while not game.is_over:
        position = game.position
        if not game.bag:
            return game.full_position if len(position.legal_moves) else None
        game.play(position.legal_moves.best() or (position.exchanges or [qf.Move.skip()])[-1])
    return None


def solve(position: qf.Position) -> tuple[bool, float, int]:
    """Was it solved; seconds of processor time; nodes."""
    start = time.thread_time()
    solver = Solver(position.rules, position.cells, (position.hand, position.hands[1][0]))
    timer = Timer(PATIENCE, solver.stop)
    timer.start()
    exact = False
    for depth in (GLANCE, *DEPTHS):
        exact, _ = solver.deepen(depth, 1 << 60, 1)
        if exact or solver.stopped:
            break
    timer.cancel()
    return exact, time.thread_time() - start, solver.nodes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rules", choices=("classic", "flex"))
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    arguments = parser.parse_args()
    found = []
    for seed in range(arguments.first, arguments.first + arguments.games):
        position = ending(seed, arguments.rules)
        if position is not None:
            found.append(solve(position))
    seconds = sorted(used if exact else float("inf") for exact, used, _ in found)
    nodes = sorted(count for _, _, count in found)
    print(f"{len(found)} endgames of {arguments.rules}")
    for limit in (0.05, 0.1, 0.3, 1.0):
        print(f"solved within {limit:.2f} s: {sum(used <= limit for used in seconds) / len(seconds):.1%}")
    for name, share in (("median", 0.5), ("ninety-five in a hundred", 0.95), ("worst", 1.0)):
        at = min(int(share * len(seconds)), len(seconds) - 1)
        print(f"{name}: {seconds[at]:.3f} s, {nodes[at]:,} nodes")


if __name__ == "__main__":
    main()

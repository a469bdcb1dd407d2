"""Make the benchmark's fixed positions: ``python tools/bench_suite.py > src/qwirkle_fast/bench/suite.txt``.

Greedy games from fixed seeds give an early, a middle and a late position of each game, and those with the most moves.
"""

from __future__ import annotations

from collections.abc import Iterator

import qwirkle_fast as qf

STAGES = {"early": 4, "middle": 22, "late": 42}
SEEDS = range(1, 4)
RICH_SEEDS = range(1, 3000)
RICH = 3


def positions(seed: int, rules: str) -> Iterator[qf.Position]:
    """The positions of a greedy game, as the player to move sees them."""
    game = qf.Game(seed, 2, rules)
    while not game.is_over:
        position = game.position
        yield position
        game.play(position.legal_moves.best() or (position.exchanges or [qf.Move.skip()])[-1])


def main() -> None:
    print("# game, what it stands for, position; made by tools/bench_suite.py")
    for rules in ("classic", "flex"):
        for stage, turn in STAGES.items():
            for seed in SEEDS:
                for number, position in enumerate(positions(seed, rules)):
                    if number == turn:
                        print(rules, f"{stage}-{seed}", position)
        richest: list[tuple[int, str]] = []
        for seed in RICH_SEEDS:
            found = [(len(position.legal_moves), str(position)) for position in positions(seed, rules)]
            richest = sorted([*richest, max(found)], reverse=True)[:RICH]
        for number, (moves, text) in enumerate(richest, 1):
            print(rules, f"rich-{number}-{moves}", text)


if __name__ == "__main__":
    main()

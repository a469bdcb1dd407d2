"""Count the ways to play on from fixed positions with the reference rules, as the truth for every other implementation.

    python tools/perft.py > tests/data/perft.json

``nodes[d - 1]`` is the number of different sequences of ``d`` turns: the players take turns with the hands they have, a
placed tile leaves its hand, nothing is drawn, and whoever cannot place passes, which counts as one way.  The same
output every time; it takes about a minute.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from qwirkle_fast.reference import Board, placements
from qwirkle_fast.rules import Rules
from qwirkle_fast.tiles import HAND_SIZE

DEEPEST = 4
#: A further turn is counted while it asks for the placements of no more positions than this.
POSITIONS = 8000

Hands = list[list[int]]


@dataclass(frozen=True)
class Start:
    """A position to count from: ``turns`` greedy turns into a game, the hands then cut down to ``hand_size``.

    ``hands``, as the notation writes them, are held back from that game, and take the place of its hands.  A game with
    tiles of one ``background`` alone soon comes to diagonals of six.
    """

    rules: Rules
    turns: int
    seed: int
    players: int = 2
    hand_size: int = HAND_SIZE
    hands: str = ""
    background: int | None = None


CLASSIC = Rules("classic")
CLASSIC_ANY = Rules("classic", opening="any")
FLEX = Rules("flex")
FLEX_ANY = Rules("flex", opening="any")
STARTER = Rules("flex", tiles="starter")
LONG_DIAGONALS = Rules("flex", diagonal_min=3)

STARTS = (
    Start(CLASSIC, turns=0, seed=1, hands="RcRdRsOdPtPv/OxOdOsYdGvBc"),
    Start(CLASSIC, turns=0, seed=2, players=3, hands="RsRsRsOsOsBt/OsBsYsYs/RtYtYtBx"),
    Start(CLASSIC_ANY, turns=0, seed=3, hands="RcRdRdOd/OxOdPd"),
    Start(CLASSIC, turns=4, seed=4, players=3, hand_size=4),
    Start(CLASSIC, turns=6, seed=5, hands="RcRcOcOc/BtBtBtBv"),
    Start(CLASSIC, turns=14, seed=6, hand_size=5),
    Start(CLASSIC, turns=12, seed=7, players=3, hand_size=3),
    Start(CLASSIC, turns=42, seed=8),
    Start(FLEX, turns=0, seed=1, hands="RckRdwRsmOdmPtkPvw/OxkOdkOswYdmGvwBcm"),
    Start(FLEX_ANY, turns=0, seed=2, hands="RskRswOsk/RsmOswOsm"),
    Start(FLEX, turns=4, seed=14, players=3, hand_size=4),
    Start(FLEX, turns=8, seed=4, hands="RckRcwRcmOck/BtkBtwBtmBvm"),
    Start(STARTER, turns=12, seed=14, hand_size=4),
    Start(LONG_DIAGONALS, turns=14, seed=9, hand_size=5),
    Start(FLEX, turns=15, seed=7, players=3, hand_size=3),
    Start(FLEX, turns=42, seed=8),
    Start(FLEX, turns=12, seed=13, background=1),
    Start(FLEX, turns=8, seed=37, background=2),
)


# Counting


def perft(board: Board, hands: Hands, rules: Rules, depth: int) -> int:
    """The number of different sequences of ``depth`` turns."""
    if depth == 0:
        return 1
    hand, *others = hands
    found = placements(board, hand, rules)
    if not found:
        return perft(board, [*others, hand], rules, depth - 1)
    if depth == 1:
        return len(found)
    return sum(
        perft(
            {**board, **{(x, y): tile for x, y, tile in placement}},
            [*others, without(hand, [tile for _, _, tile in placement])],
            rules,
            depth - 1,
        )
        for placement in found
    )


def nodes(board: Board, hands: Hands, rules: Rules) -> list[int]:
    """The counts for every depth that is not too dear."""
    counts: list[int] = []
    while len(counts) < 2 or (len(counts) < DEEPEST and counts[-1] <= POSITIONS):
        counts.append(perft(board, hands, rules, len(counts) + 1))
    return counts


def without(hand: Sequence[int], tiles: Sequence[int]) -> list[int]:
    rest = list(hand)
    for tile in tiles:
        rest.remove(tile)
    return rest


# Positions


def reach(start: Start) -> tuple[Board, Hands]:
    """The board and the hands of a start, the player to move first."""
    # random() alone gives the same numbers in every version of Python.
    draw = random.Random(start.seed).random
    held = [parse_hand(text, start.rules) for text in start.hands.split("/")] if start.hands else []
    backgrounds = range(start.rules.tile_set.backgrounds) if start.background is None else [start.background]
    bag = [tile for tile, copies in enumerate(start.rules.copies) for _ in range(copies)]
    bag = sorted(without(bag, [tile for hand in held for tile in hand]), key=lambda _: draw())
    bag = [tile for tile in bag if start.rules.tile_set.background(tile) in backgrounds]
    hands: Hands = [[bag.pop() for _ in range(HAND_SIZE)] for _ in range(start.players)]
    board: Board = {}
    for _ in range(start.turns):
        hand, *others = hands
        found = placements(board, hand, start.rules)
        if found:
            best = sorted(placement for placement, score in found.items() if score == max(found.values()))
            placement = best[int(draw() * len(best))]
            board.update({(x, y): tile for x, y, tile in placement})
            hand = without(hand, [tile for _, _, tile in placement])
            while bag and len(hand) < HAND_SIZE:
                hand.append(bag.pop())
        hands = [*others, hand]
    return board, held or [hand[: start.hand_size] for hand in hands]


# Notation, apart from the package's own so that a mistake there cannot hide here


def parse_hand(text: str, rules: Rules) -> list[int]:
    size = len(rules.tile_set.codes[0])
    return [rules.tile_set.tile(text[i : i + size]) for i in range(0, len(text), size)]


def format_position(board: Board, hands: Hands, rules: Rules) -> str:
    codes = rules.tile_set.codes
    options = "".join(f";{name}={value}" for name, value in rules.options().items())
    texts = ["".join(codes[tile] for tile in hand) or "-" for hand in hands]
    return f"{format_board(board, codes)} {'/'.join(texts)} {'/'.join('0' for _ in hands)} {rules.name}{options}"


def format_board(board: Board, codes: Sequence[str]) -> str:
    if not board:
        return "-"
    left = min(x for x, _ in board)
    top = min(y for _, y in board)
    bottom = max(y for _, y in board)
    rows = []
    for y in range(top, bottom + 1):
        text, free = "", left
        for x in sorted(x for x, row in board if row == y):
            text += (str(x - free) if x > free else "") + codes[board[x, y]]
            free = x + 1
        rows.append(text)
    return (f"{left},{top}:" if (left, top) != (0, 0) else "") + "/".join(rows)


def main() -> None:
    entries = []
    for number, start in enumerate(STARTS, 1):
        board, hands = reach(start)
        entry = {"position": format_position(board, hands, start.rules), "nodes": nodes(board, hands, start.rules)}
        print(f"{number} of {len(STARTS)}: {entry}", file=sys.stderr)
        entries.append(json.dumps(entry))
    print("[\n" + ",\n".join(entries) + "\n]")


if __name__ == "__main__":
    main()

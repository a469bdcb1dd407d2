"""Play whole games on the native core and on the reference at once, and compare every answer.

    python tools/compare.py --positions 100000 --seed 1 --rules flex

Game after game is played from seeds that follow ``--seed``: the players choose at random, by score, or now so and now
so.  For each position and its hand, and now and then for a made-up hand, the two must give the same placements, each
once, with the same scores, and the same answers to every other question; the core's bounds must hold.  At the end of a
game everything is taken back, and each position must answer as it did before.

Prints what was compared and how long it took.  The first difference ends the run: it is printed with a position that
reproduces it, and the status is 1.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from qwirkle_fast import _core, reference
from qwirkle_fast.notation import Fields, format_position, format_rules, parse_rules
from qwirkle_fast.position import Grid
from qwirkle_fast.rules import Rules
from qwirkle_fast.tiles import HAND_SIZE

Placed = tuple[int, int, int]
Placement = tuple[Placed, ...]

#: The chance that a player takes the best placement and not a random one, by game.
GREED = (0.0, 1.0, 0.5)
#: One position in so many is asked about with a made-up hand as well, and takes what is dear.
SELDOM = 8


class Difference(Exception):
    """The core and the reference do not agree, or the core not with itself."""


@dataclass
class Totals:
    """What has been compared.  A position is a board with a hand."""

    games: int = 0
    positions: int = 0
    moves: int = 0


def placed(x: int, y: int, axis: int, tiles: Iterable[int]) -> Placement:
    """The tiles of a record of the array, by y, then x."""
    if axis:
        return tuple([(x, y + i, tile - 1) for i, tile in enumerate(tiles) if tile])
    return tuple([(x + i, y, tile - 1) for i, tile in enumerate(tiles) if tile])


def listed(records: Any) -> dict[Placement, int]:
    """The placements of an array with their scores; each must be there once, in the one form it can have."""
    found: dict[Placement, int] = {}
    columns = (records[name].tolist() for name in ("x", "y", "axis", "tiles", "score"))
    for x, y, axis, tiles, score in zip(*columns, strict=True):
        placement = placed(x, y, axis, tiles)
        if placement in found:
            raise Difference(f"{placement} is listed twice")
        if placement[0][:2] != (x, y) or (len(placement) == 1 and axis):
            raise Difference(f"{placement} is listed from {x},{y} along axis {axis}, which is not its form")
        found[placement] = score
    return found


def name(grid: Grid) -> str:
    return "the core" if isinstance(grid, _core.Grid) else "the reference"


def compare(native: _core.Grid, plain: reference.Grid, hand: Sequence[int], chance: random.Random) -> int:
    """Ask both about one board and hand; the number of placements.  Raises :class:`Difference`."""
    moves = listed(native.placements(hand))
    expected = listed(plain.placements(hand))
    for placement in sorted(moves.keys() ^ expected.keys()):
        raise Difference(f"only the {'core' if placement in moves else 'reference'} lists {placement}")
    for placement, score in expected.items():
        if moves[placement] != score:
            raise Difference(f"{placement} scores {moves[placement]}, in the reference {score}")
    # To the reference a count is as dear as the list.
    for grid in (native, plain) if chance.randrange(SELDOM) == 0 else (native,):
        if grid.count(hand) != len(expected):
            raise Difference(f"{name(grid)} counts {grid.count(hand)} placements, not {len(expected)}")
        if grid.fits(hand) != (len(expected) > 0):
            raise Difference(f"{name(grid)} says {grid.fits(hand)} to fits, with {len(expected)} placements")
    compare_best(native, hand, expected)
    compare_top(native, hand, expected, chance)
    compare_bounds(native, hand, expected)
    compare_scores(native, plain, expected, chance)
    return len(expected)


def compare_best(native: _core.Grid, hand: Sequence[int], expected: dict[Placement, int]) -> None:
    best = listed(native.best(hand))
    if len(best) != min(1, len(expected)):
        raise Difference(f"best gives {best} of {len(expected)} placements")
    for placement, score in best.items():
        if expected.get(placement) != score or score != max(expected.values()):
            most = max(expected.values())
            raise Difference(f"best gives {placement} with {score}; in the list {expected.get(placement)}, most {most}")


def compare_top(native: _core.Grid, hand: Sequence[int], expected: dict[Placement, int], chance: random.Random) -> None:
    """The first n by score, and the equals of the last of them."""
    scores = sorted(expected.values(), reverse=True)
    for n in (1, chance.randrange(2, 20), chance.randrange(len(scores) + 2)):
        top = native.top(hand, n)
        least = scores[min(n, len(scores)) - 1] if n and scores else 256
        wanted = {placement: score for placement, score in expected.items() if score >= least}
        if listed(top) != wanted:
            raise Difference(f"top {n} is not what reaches a score of {least}")
        order = top["score"].tolist()
        if order != sorted(order, reverse=True):
            raise Difference(f"top {n} is in the order {order}")


def compare_bounds(native: _core.Grid, hand: Sequence[int], expected: dict[Placement, int]) -> None:
    best = -1
    for x, y, axis, bound, most in native.bounds(hand):
        if bound < most:
            raise Difference(f"the bound of {x},{y} along axis {axis} is {bound}, but {most} can be had there")
        best = max(best, most)
    if len(native) and best != max(expected.values(), default=-1):
        raise Difference(f"the anchors have {best} at most, all placements {max(expected.values(), default=-1)}")


def compare_scores(
    native: _core.Grid, plain: reference.Grid, expected: dict[Placement, int], chance: random.Random
) -> None:
    """The score of a few of the placements, their tiles in any order, and of a few that are likely to be illegal."""
    choice = list(expected.items())
    for placement, score in chance.sample(choice, min(4, len(choice))):
        mixed = chance.sample(placement, len(placement))
        for grid in (native, plain):
            if grid.score(mixed) != score:
                raise Difference(f"{name(grid)} scores {mixed} as {grid.score(mixed)}, but lists it with {score}")
    for move in spoilt([placement for placement, _ in choice], plain, chance, 4):
        found, right = native.score(move), plain.score(move)
        if found != right:
            raise Difference(f"{move} scores {found}, in the reference {right}")


def spoilt(
    placements: Sequence[Placement], grid: Grid, chance: random.Random, number: int
) -> Iterator[list[tuple[int, int, int]]]:
    """Moves, most of them illegal: placements with a tile changed, moved, added or dropped, and tiles anywhere near."""
    tiles = range(len(grid.rules.copies))  # type: ignore[attr-defined]
    cells = [(x, y) for x, y, _ in grid.cells]
    if not cells:
        # On the empty board the core leaves the place of the opening to others.
        return
    for _ in range(number):
        x, y = chance.choice(cells)
        move = list(chance.choice(placements)) if placements and chance.random() < 0.8 else []
        i = chance.randrange(len(move)) if move else 0
        way = chance.randrange(5)
        if move and way == 0:
            move[i] = (*move[i][:2], chance.choice(tiles))
        elif move and way == 1:
            move[i] = (move[i][0] + chance.choice((-1, 1)), move[i][1], move[i][2])
        elif move and way == 2:
            move[i] = (move[i][0], move[i][1] + chance.choice((-1, 1)), move[i][2])
        elif move and way == 3 and len(move) > 1:
            del move[i]
        else:
            x, y = (x, y) if not move else move[-1][:2]
            move.append((x + chance.randrange(-2, 3), y + chance.choice((-1, 0, 0, 1)), chance.choice(tiles)))
        yield move


def made_up_hand(rules: Rules, chance: random.Random) -> list[int]:
    """A hand of a shape that is seldom drawn: few kinds of tile, repeats, one colour, one shape."""
    tile_set = rules.tile_set
    tiles = [tile for tile, copies in enumerate(rules.copies) if copies]
    like = chance.choice(tiles)
    way = chance.randrange(4)
    if way == 0:
        tiles = [tile for tile in tiles if tile_set.colour(tile) == tile_set.colour(like)]
    elif way == 1:
        tiles = [tile for tile in tiles if tile_set.shape(tile) == tile_set.shape(like)]
    elif way == 2:
        tiles = chance.choices(tiles, k=3)
    return chance.choices(tiles, k=chance.randrange(7))


def play(rules: Rules, seed: int, totals: Totals, wanted: int) -> None:
    """Play a game on both, and compare all on the way, until so many positions have been compared."""
    chance = random.Random(seed)
    native, plain = _core.Grid(rules), reference.Grid(rules)
    bag = [tile for tile, copies in enumerate(rules.copies) for _ in range(copies)]
    chance.shuffle(bag)
    hands = [[bag.pop() for _ in range(HAND_SIZE)] for _ in range(2 + seed % 5)]
    idle = 0
    past: list[tuple[int, list[int], int]] = []
    totals.games += 1
    while idle < 2 * len(hands) and totals.positions < wanted:
        hand = hands[0]
        moves = ask(native, plain, hand, chance, totals)
        past.append((native.hash, list(hand), moves))
        if chance.randrange(SELDOM) == 0:
            ask(native, plain, made_up_hand(rules, chance), chance, totals)
        if moves and chance.random() < 0.95:
            idle = 0
            greedy = chance.random() < GREED[seed % len(GREED)]
            placement = chance.choice(sorted(listed(native.best(hand) if greedy else native.placements(hand))))
            for x, y, tile in placement:
                native.place(x, y, tile)
                plain.place(x, y, tile)
                hand.remove(tile)
        else:
            idle += 1
            back = [hand.pop() for _ in range(min(len(hand), len(bag)))]
            hand += [bag.pop() for _ in back]
            bag = chance.sample(back + bag, len(back) + len(bag))
        while bag and len(hand) < HAND_SIZE:
            hand.append(bag.pop())
        if not hand:
            break
        hands = [*hands[1:], hand]
    go_back(native, past)


def ask(native: _core.Grid, plain: reference.Grid, hand: list[int], chance: random.Random, totals: Totals) -> int:
    """Compare, and let a board built in another order answer too; a difference is told with its position."""
    try:
        moves = compare(native, plain, hand, chance)
        compare_orders(native, hand, moves, chance)
    except Difference as difference:
        fields = Fields(plain.cells, ((tuple(hand), 0), ((), 0)), (0, 0), native.rules)
        raise Difference(
            f"{difference}\nposition: {format_position(fields)}\nin the order laid: {plain.cells}"
        ) from None
    totals.positions += 1
    totals.moves += moves
    return moves


def compare_orders(native: _core.Grid, hand: Sequence[int], moves: int, chance: random.Random) -> None:
    """The same board, built in another order, answers the same."""
    other = _core.Grid(native.rules)
    cells = chance.sample(native.cells, len(native))
    if not other.load(cells):
        raise Difference(f"the core does not load {cells}")
    if (other.hash, other.count(hand)) != (native.hash, moves):
        raise Difference(f"the hash or the count is another when the board is built in the order {cells}")
    best, same = native.best(hand), other.best(hand)
    if best.tobytes() != same.tobytes():
        raise Difference(f"the best is {best}, but {same} when the board is built in the order {cells}")


def go_back(native: _core.Grid, past: list[tuple[int, list[int], int]]) -> None:
    """Take all back; wherever the board is that of a position gone through, it must answer as then."""
    while past:
        value, hand, moves = past.pop()
        while native.hash != value:
            if not len(native):
                raise Difference(f"taken back to the empty board, but the hash was never {value}, as it had been")
            native.take_back()
        if native.count(hand) != moves:
            raise Difference(f"taken back to {native.cells}, {hand} has {native.count(hand)} placements, not {moves}")


def run(rules: Rules, seed: int, positions: int) -> Totals:
    """Games from the seed on until so many positions have been compared.  Raises :class:`Difference`."""
    totals = Totals()
    while totals.positions < positions:
        try:
            play(rules, seed + totals.games, totals, positions)
        except Difference as difference:
            raise Difference(f"seed {seed + totals.games - 1}: {difference}") from None
    return totals


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Compare the native core with the reference over whole games.")
    parser.add_argument("--positions", type=int, default=10_000, help="how many to compare (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="the first game's seed (default: %(default)s)")
    parser.add_argument("--rules", type=parse_rules, default="classic", help="as in a position (default: %(default)s)")
    options = parser.parse_args(arguments)
    start = time.perf_counter()
    try:
        totals = run(options.rules, options.seed, options.positions)
    except Difference as difference:
        print(difference)
        return 1
    seconds = time.perf_counter() - start
    last = options.seed + totals.games - 1
    print(
        f"{totals.positions} positions and {totals.moves} moves are the same; "
        f"{totals.games} games, seeds {options.seed} to {last}, {seconds:.0f} s, {format_rules(options.rules)}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())

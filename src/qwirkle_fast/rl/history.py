"""The course of a game with what is hidden in it, and another course that a seat cannot tell from it.

A course is drawn backwards, from the hands and the bag as they are now. What the seat does not see of these is dealt
anew. Then turn by turn: which of a player's tiles were drawn last, and which tiles of the bag it had put there, are
any, each set as likely, since hidden tiles are exchangeable and each draw has the same chance forwards as backwards.
Where the seat knows better, from its own draws and exchanges, from a pass (nothing could be placed) and from who opened
(the largest set), a course that does not agree is dropped, and another drawn.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from math import comb
from typing import NamedTuple

from ..game import opener
from ..move import Move
from ..position import Position
from ..reference import largest_set
from ..rules import Rules

#: How many courses are drawn before it is given up.
TRIES = 20_000


class ResamplingFailed(RuntimeError):
    """No course of the game was found that agrees with what a seat knows: it is too narrow to be met by chance."""


class Turn(NamedTuple):
    """A turn: the tiles placed or exchanged and drawn, and for a pass the position in which it was made."""

    seat: int
    move: Move
    placed: list[int]
    exchanged: list[int]
    drawn: list[int]
    passed_in: Position | None


Course = tuple[list[list[int]], list[Turn], list[list[int]], list[int]]


def resampled(
    rules: Rules,
    dealt: Sequence[Sequence[int]],
    turns: Sequence[Turn],
    hands: Sequence[Sequence[int]],
    bag: Sequence[int],
    first: int,
    seat: int,
    chance: random.Random,
) -> Course:
    """The hands as dealt, the turns, the hands now by seat and the bag of another course.

    ``bag``: how many of each tile it holds.  Only what the seat knows of the arguments has a part in the outcome.
    """
    hidden = [tile for tile, count in enumerate(bag) for _ in range(count)]
    for player, hand in enumerate(hands):
        if player != seat:
            hidden += hand
    # In code order: of what is hidden, only how many of each there are may have a part.
    hidden.sort()
    for _ in range(TRIES):
        chance.shuffle(pool := hidden.copy())
        held = [list(hand) if player == seat else [pool.pop() for _ in hand] for player, hand in enumerate(hands)]
        now = [hand.copy() for hand in held]
        course = _back(rules, turns, held, pool.copy(), seat, chance)
        if course is not None and _fits_opening(held, turns, rules, first):
            before = [list(hand) if player != seat else list(dealt[seat]) for player, hand in enumerate(held)]
            return before, course, now, pool
    raise ResamplingFailed(f"seat {seat}: no other course of the game in {TRIES} tries")


def _back(
    rules: Rules, turns: Sequence[Turn], held: list[list[int]], bag: list[int], seat: int, chance: random.Random
) -> list[Turn] | None:
    """Take the turns back from hands and bag, which become those of the deal; ``None`` when the seat knows better."""
    course = []
    for turn in reversed(turns):
        hand = held[turn.seat]
        if turn.seat == seat:
            drawn, exchanged = turn.drawn, turn.exchanged
            if chance.random() >= _share_in_bag(exchanged, bag, held, seat):
                return None
        else:
            drawn = chance.sample(hand, len(turn.drawn))
            exchanged = chance.sample(bag, len(turn.exchanged))
        for tile in drawn:
            hand.remove(tile)
        for tile in exchanged:
            bag.remove(tile)
        hand += exchanged
        hand += turn.placed
        bag += drawn
        if turn.passed_in and turn.seat != seat and _could_place(turn.passed_in, hand):
            return None
        move = Move.exchange([rules.tile_set.codes[tile] for tile in exchanged]) if exchanged else turn.move
        course.append(turn._replace(move=move, exchanged=exchanged, drawn=drawn))
    return course[::-1]


def _share_in_bag(exchanged: list[int], bag: list[int], held: list[list[int]], seat: int) -> float:
    """The share of all ways to find these tiles among those that the seat did not see which find them in the bag.

    The more copies of a tile the bag holds, the likelier it is that the seat's own is one of them.
    """
    share = 1.0
    for tile, count in Counter(exchanged).items():
        there = bag.count(tile)
        unseen = there + sum(hand.count(tile) for player, hand in enumerate(held) if player != seat)
        share *= comb(there, count) / comb(unseen, count)
    return share


def _could_place(position: Position, hand: Sequence[int]) -> bool:
    hidden = tuple(((), len(tiles) + more) if tiles else ((), more) for tiles, more in position.hands[1:])
    return bool(len(Position.from_position(position, ((tuple(hand), 0), *hidden)).legal_moves))


def _fits_opening(held: Sequence[Sequence[int]], turns: Sequence[Turn], rules: Rules, first: int) -> bool:
    """Had the player who opened the largest set, and is it as large as the one that was placed?"""
    if opener(held, rules) != first:
        return False
    return not turns or rules.opening != "largest" or largest_set(held[first], rules) == len(turns[0].placed)

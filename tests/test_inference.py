"""What the last moves say about the hidden hands."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

import qwirkle_fast as qf
from qwirkle_fast import reference

pytest.importorskip("numba")

import numpy as np

from qwirkle_fast.search import inference
from qwirkle_fast.search.inference import Inference


def otherwise(position: qf.Position) -> qf.Move:
    return (position.exchanges or [qf.Move.skip()])[-1]


def played(seed: int, players: int, bag: int, rules: str = "classic") -> qf.Game:
    """A greedy game up to the first turn with so few tiles in the bag."""
    game = qf.Game(seed, players, rules)
    while len(game.bag) > bag:
        game.play(game.position.legal_moves.best() or otherwise(game.position))
    return game


def unseen(position: qf.Position) -> np.ndarray:
    return np.repeat(np.arange(len(position.unseen), dtype=np.uint8), position.unseen)


def points_missed(before: qf.Position, hand: tuple[int, ...], made: int) -> int:
    """By the reference: how many points more a hand could have scored."""
    asked = qf.Position.from_position(before, ((hand, 0), ((), 6)))
    position = qf.Position(str(asked), grid=reference.Grid)
    return max([score - made for _, score in position.legal_moves.scored(1)], default=0)


def test_kept_tiles_follow_the_weights() -> None:
    """All sets of kept tiles, each as often as its number of ways times its chance says."""
    game = played(4, 2, 4)
    position = game.position
    move, made = game.turns[-1].move, game.turns[-1].score
    before = game.at(len(game.turns) - 1).full_position
    codes = position.rules.tile_set.tiles
    laid = tuple(codes[code] for _, _, code in move.placed)
    tiles = unseen(position)
    kept = 6 - len(laid)
    weights: Counter[tuple[int, ...]] = Counter()
    for chosen in combinations(tiles.tolist(), kept):
        missed = points_missed(before, laid + chosen, made)
        weights[tuple(sorted(chosen))] += round(1e6 * 0.5 ** (missed / inference.HALF))
    found: Counter[tuple[int, ...]] = Counter()
    rounds = 0
    for seed in range(6):
        sets = Inference(position, tiles, seed)
        sets.fill(inference.SETS)
        assert (sets.owners == 1).all()
        for chosen in sets.taken:
            assert sorted(chosen.tolist(), reverse=True) == chosen.tolist()
            found[tuple(sorted(tiles[chosen].tolist()))] += 1
            rounds += 1
    total = weights.total()
    often = [set_ for set_, weight in weights.items() if rounds * weight / total >= 10]
    assert len(often) > 10
    chi = sum((found[set_] - rounds * weights[set_] / total) ** 2 / (rounds * weights[set_] / total) for set_ in often)
    # Four standard deviations over the mean of a chi-square with so many degrees of freedom; the seeds are fixed.
    assert chi < len(often) + 4 * (2 * len(often)) ** 0.5


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_sets_are_tiles_that_the_players_can_have_kept(players: int) -> None:
    position = played(2, players, 30).position
    tiles = unseen(position)
    sets = Inference(position, tiles, 1)
    sets.fill(100)
    assert sets.says_something
    drawn = {players - i: len(move.placed) for i, move in enumerate(position.history[::-1], 1)}
    for chosen, owners in zip(sets.taken[:100].tolist(), sets.owners[:100].tolist(), strict=True):
        assert len(set(chosen)) == len(chosen)
        assert Counter(owners) == {player: 6 - drawn[player] for player in range(1, players) if drawn[player] < 6}


def test_nothing_is_said_without_a_history_or_of_hands_that_are_known() -> None:
    game = played(4, 2, 30)
    tiles = unseen(game.position)
    assert Inference(game.position, tiles, 1).says_something
    assert not Inference(game.position, tiles, 1, used=False).says_something
    assert not Inference(qf.Position(str(game.position)), tiles, 1).says_something
    full = qf.Position.from_position(game.full_position, game.full_position.hands, game.position.history)
    assert not Inference(full, unseen(full), 1).says_something


@pytest.mark.parametrize("short", [1, 2, 5])
def test_hands_that_were_not_full_say_nothing(short: int) -> None:
    """A player with six tiles places three and draws three, though its neighbour has had fewer than six."""
    game = played(7, 2, 3)
    (mine, _), (others, _) = game.full_position.hands
    asked = qf.Position.from_position(game.full_position, ((mine, 0), (others[:short], 0)))
    move = next(move for move in asked.legal_moves if len(move.placed) == 3)
    position = qf.Position.from_position(asked, (((), 6), (others[:short], 0)))
    position.push(move)
    sets = Inference(position, unseen(position), 1)
    kept = sets.taken.shape[1]
    assert kept in (0, 3)
    assert qf.hints(position, simulations=200)


def test_the_reply_expected_is_by_what_the_other_can_hold() -> None:
    """Who did not complete a line of five, and drew one tile since, rarely completes it now."""
    position = qf.Position("RvRdRcRsRt ?6/BcGcGvPdOsYt 0/0 classic")
    without = qf.Position(str(position))
    for asked in (position, without):
        asked.push(qf.Move("Bv@0,1"))
    without = qf.Position(str(without))
    move = qf.Move("Gv@0,2")
    told = qf.hints(position, only=[move], simulations=200)[0].reply
    untold = qf.hints(without, only=[move], simulations=200)[0].reply
    assert told is not None
    assert untold is not None
    assert told.score < untold.score - 1

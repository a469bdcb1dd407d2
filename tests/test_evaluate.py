"""What the static evaluation sees, against counts made with the reference's rules."""

from __future__ import annotations

from itertools import combinations
from math import comb

import pytest

import qwirkle_fast as qf
from qwirkle_fast import _core, reference
from tests.players import greedy

pytest.importorskip("numba")

import numpy as np

from qwirkle_fast.search import evaluate, static_move
from qwirkle_fast.search.candidates import value_exchange, value_placements
from qwirkle_fast.search.outcomes import WIN_UNIT, chance, halvings, win_table


def turn_of(rules: str, seed: int, turns: int) -> qf.Position:
    game = qf.Game(seed, 2, rules)
    for _ in range(turns):
        game.play(greedy(game))
    return game.position


def mates(position: qf.Position, one: int, other: int) -> bool:
    return one != other and reference.is_set([one, other], position.rules.tile_set)


def lines_open(position: qf.Position, board: dict[tuple[int, int], int]) -> list[tuple[int, list[int]]]:
    """For each empty cell beside the board and each axis whose line would reach 4 to 6: that length, and what fits."""
    everything = range(len(position.rules.copies))
    found = []
    for x, y in reference.frontier(board):
        fits = [tile for tile in everything if reference.explain(board, [(x, y, tile)], position.rules).legal]
        for step in ((1, 0), (0, 1)):
            length = 1
            for way in (1, -1):
                cell = (x + way * step[0], y + way * step[1])
                while cell in board:
                    length += 1
                    cell = (cell[0] + way * step[0], cell[1] + way * step[1])
            if 4 <= length <= 6:
                found.append((length, fits))
    return found


@pytest.mark.parametrize("rules", ["classic", "flex"])
@pytest.mark.parametrize(("seed", "turns"), [(1, 6), (2, 14), (3, 21)])
def test_the_features_are_what_the_rules_say(rules: str, seed: int, turns: int) -> None:
    position = turn_of(rules, seed, turns)
    backgrounds = position.rules.tile_set.backgrounds
    kept = list(position.hand[:4])
    unseen = np.array(position.unseen, np.uint8)
    total, hand = int(unseen.sum()), 6
    found = np.zeros(evaluate.FEATURES, np.int64)
    tiles = np.array([*kept, 0, 0], np.uint8)
    evaluate.tile_features(tiles, len(kept), backgrounds, unseen, total, found)
    grid = _core.Grid(position.rules)
    for cell in position.cells:
        grid.place(*cell)
    workspace = _core.Workspace(grid)
    evaluate.board_features(workspace.address, tiles, len(kept), unseen, total, hand, found)

    symbols = {tile // backgrounds * backgrounds for tile in kept}
    sets = [chosen for size in range(1, 5) for chosen in combinations(symbols, size)
            if size == 1 or reference.is_set(list(chosen), position.rules.tile_set)]  # fmt: skip
    largest = max(map(len, sets))
    assert found[evaluate.KEPT : evaluate.LARGEST].tolist() == [0, 0, 0, 0, 1, 0, 0]
    assert [i for i in range(7) if found[evaluate.LARGEST + i]] == [largest]
    assert found[evaluate.REPEAT] == len(kept) - len(symbols)
    assert found[evaluate.PAIR] == sum(mates(position, *pair) for pair in combinations(symbols, 2))

    board = {(x, y): tile for x, y, tile in position.cells}
    expected = dict.fromkeys((4, 5, 6), 0.0)
    own = dict.fromkeys((4, 5, 6), 0)
    for length, fits in lines_open(position, board):
        many = int(sum(unseen[tile] for tile in fits))
        expected[length] += 1 - comb(total - many, hand) / comb(total, hand) if many < 15 else 1
        own[length] += any(tile in fits for tile in kept)
    for n, length in enumerate((4, 5, 6)):
        assert found[evaluate.OPEN + n] / 256 == pytest.approx(expected[length], abs=0.05 + 0.03 * expected[length])
        assert found[evaluate.OWN + n] == own[length]


def test_growth_is_the_share_of_unseen_tiles_that_extend_the_largest_set() -> None:
    """Two reds kept: of 106 unseen tiles 12 are red of the other four shapes."""
    unseen = np.full(36, 3, np.uint8)
    unseen[0] = unseen[1] = 2
    found = np.zeros(evaluate.FEATURES, np.int64)
    evaluate.tile_features(np.array([0, 1, 0, 0, 0, 0], np.uint8), 2, 1, unseen, 106, found)
    assert found[evaluate.GROWTH] == 2 * 12 * 256 // 106


def test_an_exchange_and_a_placement_that_keep_the_same_differ_by_what_is_laid() -> None:
    """On a board where nothing is long, keeping the same tiles has one value; the placement adds its points."""
    position = qf.Position("Rs RdGcBv/?6 0/0 classic")
    weights = evaluate.weights("classic", 2)
    grid = _core.Grid(position.rules)
    for cell in position.cells:
        grid.place(*cell)
    workspace = _core.Workspace(grid)
    board = workspace.address
    hand = np.array([*position.hand, 0, 0, 0], np.uint8)
    unseen = np.array(position.unseen, np.uint8)
    known = (position.bag, unseen, int(unseen.sum()), 6, weights)
    words = qf.Move("Rd@1,0").array(position.rules.tile_set, 2).view(np.uint64).reshape(-1, 2)
    bag, *rest = known
    placed = value_placements(board, words, hand, 3, 1, bag, *rest, 10)[0]
    exchanged = value_exchange(board, hand, 3, 1, 1, bag, *rest)
    assert placed - exchanged == 2 * evaluate.UNIT


@pytest.mark.parametrize("rules", ["classic", "flex"])
def test_static_moves_are_legal_to_the_end(rules: str) -> None:
    game = qf.Game(5, 3, rules)
    while not game.is_over:
        move = static_move(game.position)
        assert move is not None
        game.play(move)
    assert static_move(game.position) is None


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("game", ["classic", "flex"])
def test_the_chance_to_win(game: str, players: int) -> None:
    """Level with all: as likely as anyone.  It rises with every margin, and falls together with the other's."""
    table = win_table(game, players)

    def win(left: int, *margins: int) -> float:
        return chance(sum(halvings(256 * margin, left, table) for margin in margins)) / WIN_UNIT

    for left in (1, 20, 60, 108):
        assert win(left, *[0] * (players - 1)) == pytest.approx(1 / players, abs=1e-3)
        rising = [win(left, margin, *[5] * (players - 2)) for margin in range(-170, 171, 2)]
        assert rising == sorted(rising)
        assert 0 <= rising[0] < 0.02
    if players == 2:
        for margin in (3, 17, 60):
            assert win(40, margin) + win(40, -margin) == pytest.approx(1, abs=1e-3)
        assert win(0, 60) > 0.999

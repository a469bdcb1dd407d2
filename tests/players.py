"""Games to play, with hands of choice, by players of several kinds, up to a turn of choice; and best play."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from itertools import chain

from boards import rules_of
from compare import listed

from qwirkle_fast import Game, Move, _core
from qwirkle_fast.notation import rules_to_json
from qwirkle_fast.position import Grid
from qwirkle_fast.rules import Rules

Policy = Callable[[Game], Move]


def codes_in(text: str, rules: Rules) -> list[str]:
    size = len(rules.tile_set.codes[0])
    return [text[i : i + size] for i in range(0, len(text), size)]


def game_with(hands: str, bag: str = "", rules: str = "classic", seed: int = 0, grid: type[Grid] = _core.Grid) -> Game:
    """A game with these hands by seat, and these tiles to draw first; the rest of the box comes in code order."""
    chosen = rules_of(rules)
    held = [codes_in(hand, chosen) for hand in hands.split("/")]
    first = codes_in(bag, chosen)
    rest = Counter({chosen.tile_set.codes[tile]: copies for tile, copies in enumerate(chosen.copies)})
    rest.subtract([*chain.from_iterable(held), *first])
    assert min(rest.values()) >= 0
    record = {
        "rules": rules_to_json(chosen),
        "seed": seed,
        "players": [str(seat) for seat in range(len(held))],
        "hands": held,
        "bag": [*first, *rest.elements()],
        "turns": [],
        "scores": [0] * len(held),
        "end": None,
        "versions": {},
    }
    return Game.from_record(record, grid=grid)


def greedy(game: Game) -> Move:
    """The first move by score and text, else exchange what the bag allows, else pass."""
    position = game.position
    return position.legal_moves.best() or (position.exchanges or [Move.skip()])[-1]


def native_choice(game: Game) -> Move:
    """What the native greedy player does: the grid's best, else the first tiles in code order, else a pass."""
    position, codes = game.position, game.rules.tile_set.codes
    tiles = game.rules.tile_set.tiles
    grid = _core.Grid(game.rules)
    assert grid.load([(x, y, tiles[code]) for (x, y), code in position.board.items()])
    hand = sorted(position.hand)
    for placement in listed(grid.best(hand)):
        return Move.place([(x, y, codes[tile]) for x, y, tile in placement])
    size = min(len(hand), len(game.bag))
    return Move.exchange([codes[tile] for tile in hand[:size]]) if size else Move.skip()


def by_chance(chance: random.Random) -> Policy:
    def choose(game: Game) -> Move:
        position = game.position
        moves, exchanges = list(position.legal_moves), position.exchanges
        if exchanges and (not moves or chance.random() < 0.1):
            return chance.choice(exchanges)
        return chance.choice(moves) if moves else Move.skip()

    return choose


def play_out(game: Game, choose: Policy, turns: int = 10_000) -> Game:
    while not game.is_over and turns:
        game.play(choose(game))
        turns -= 1
    return game


def game_where(wanted: Callable[[Game], bool], grid: type[Grid], first_seed: int = 1) -> Game:
    """A native greedy game up to the first turn that is wanted, of the first seed that has one."""
    for seed in range(first_seed, first_seed + 200):
        game = Game(seed)
        while not game.is_over:
            if wanted(game):
                return Game.from_record(game.record(), grid=grid)
            game.play(native_choice(game))
    raise AssertionError("there is no such turn")


def minimax(grid: Grid, hand: tuple[int, ...], other: tuple[int, ...], passed: bool = False) -> int:
    """What best play of both brings the player to move more than the other."""
    best = None
    for x, y, tiles, score, axis in grid.placements(hand).tolist():
        placed = [(x, y + i, t - 1) if axis else (x + i, y, t - 1) for i, t in enumerate(tiles) if t]
        left = list(hand)
        for cell in placed:
            grid.place(*cell)
            left.remove(cell[2])
        value = score + (6 if not left else -minimax(grid, other, tuple(left)))
        for _ in placed:
            grid.take_back()
        best = value if best is None else max(best, value)
    if best is None:
        return 0 if passed else -minimax(grid, other, hand, True)
    return best

"""The deal is fixed for ever: a seed gives the same hands, bag and draws on every machine and in every version."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from boards import CLASSIC, DATA, FLEX, VARIANTS, cases, rules_of

from qwirkle_fast import Game, GameError, Move
from qwirkle_fast.deal import Generator, deal
from qwirkle_fast.rules import Rules

# The generator and the shuffle, written from their published definitions and not from the package

MASK = (1 << 64) - 1


def splitmix64(state: int) -> Iterator[int]:
    """Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014)."""
    while True:
        state = state + 0x9E3779B97F4A7C15 & MASK
        z = state
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ z >> 27) * 0x94D049BB133111EB & MASK
        yield z ^ z >> 31


def fisher_yates(tiles: Sequence[str], state: int) -> list[str]:
    """From the last place on; a number below n is the high 32 bits of a draw times n, over 2^32."""
    shuffled, draws = list(tiles), splitmix64(state)
    for last in reversed(range(1, len(shuffled))):
        other = (next(draws) >> 32) * (last + 1) >> 32
        shuffled[last], shuffled[other] = shuffled[other], shuffled[last]
    return shuffled


def codes_of(rules: Rules) -> list[str]:
    """All tiles in code order."""
    backgrounds = {"full": "kwm", "starter": "kw"}[rules.tiles] if rules.name == "flex" else [""] * 3
    return [colour + shape + background for colour in "ROYGBP" for shape in "cxdstv" for background in backgrounds]


def dealt(seed: int, players: int, rules: Rules) -> tuple[list[list[str]], list[str]]:
    """The hands by seat, and the bag in the order of drawing: all is shuffled from the last tile down, and drawn so."""
    drawing = fisher_yates(codes_of(rules)[::-1], seed)[::-1]
    return [drawing[6 * seat : 6 * seat + 6] for seat in range(players)], drawing[6 * players :]


def split(codes: str) -> list[str]:
    return codes.split()


def test_the_generator_is_splitmix64() -> None:
    # The first five for this seed are on every page about it.
    known = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821]
    ours, generator = splitmix64(1234567), Generator(1234567)
    assert [next(ours) for _ in known] == known
    assert [generator.next() for _ in known] == known


def test_numbers_below_a_limit_are_below_it_and_even() -> None:
    generator = Generator(5)
    for limit in (1, 2, 6, 108):
        drawn = Counter(generator.below(limit) for _ in range(200 * limit))
        assert set(drawn) == set(range(limit))
        assert all(120 < number < 290 for number in drawn.values()) or limit == 1


DEALS = json.loads((DATA / "deals.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", DEALS, ids=lambda case: f"{case['rules']}-{case['players']}-{case['seed']}")
def test_the_deal_of_a_seed_is_what_it_was(case: dict[str, Any]) -> None:
    rules = rules_of(case["rules"])
    hands, bag = [split(hand) for hand in case["hands"]], split(case["bag"])
    assert dealt(case["seed"], case["players"], rules) == (hands, bag)
    game = Game(case["seed"], case["players"], rules)
    assert [list(hand) for hand in game.hands] == hands
    assert list(game.bag) == bag


def test_the_written_deals_are_those_of_seeds_1_to_3_of_both_games() -> None:
    have = {(case["rules"], case["seed"]) for case in DEALS if case["players"] == 2}
    assert have >= {(name, seed) for name in ("classic", "flex") for seed in (1, 2, 3)}


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_a_deal_is_the_shuffled_box(rules: Rules, players: int) -> None:
    for seed in (0, 4, 2**32, 2**64 - 1):
        hands, bag = deal(seed, players, rules)
        codes = rules.tile_set.codes
        named = [[codes[tile] for tile in hand] for hand in hands], [codes[tile] for tile in reversed(bag)]
        assert named == dealt(seed, players, rules)
        assert Counter(sum(hands, bag)) == Counter(dict(enumerate(rules.copies)))
        assert [len(hand) for hand in hands] == [6] * players
        game = Game(seed, players, rules)
        assert ([list(hand) for hand in game.hands], list(game.bag)) == named


def test_options_that_leave_the_tiles_alone_leave_the_deal_alone() -> None:
    for plain, other in (
        (CLASSIC, Rules("classic", first="youngest", opening="any", exchange_cap=3)),
        (FLEX, Rules("flex", diagonal_min=4, opening="any")),
    ):
        assert deal(9, 3, plain) == deal(9, 3, other)
    assert deal(9, 3, CLASSIC) != deal(10, 3, CLASSIC)
    assert Game(9, 3, CLASSIC).hands[:2] == Game(9, 2, CLASSIC).hands


@pytest.mark.parametrize("seed", [-1, 2**64, True, 1.0, "1", None])
def test_what_is_no_seed_is_refused(seed: Any) -> None:
    with pytest.raises(GameError, match=r"^seed: "):
        Game(seed)


@pytest.mark.parametrize("players", [1, 7, 0, -2, True, 2.0, "2"])
def test_what_is_no_number_of_players_is_refused(players: Any) -> None:
    with pytest.raises(GameError, match=r"^players: "):
        Game(1, players)


# What an exchange draws, and how it shuffles the bag


def after_exchange(bag: Sequence[str], returned: Sequence[str], seed: int, turn: int) -> list[str]:
    """The bag in the order of drawing: what is returned goes in after the draw, and all is shuffled.

    The turn's generator starts from the seed and the turn's number, mixed as the generator mixes its state.
    """
    state = next(splitmix64(seed + 0x9E3779B97F4A7C15 * turn & MASK))
    rest = list(bag[len(returned) :])[::-1] + sorted(returned, key=codes_of(CLASSIC).index)
    return fisher_yates(rest, state)[::-1]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_an_exchange_draws_first_and_shuffles_by_seed_and_turn(seed: int) -> None:
    game = Game(seed, 2, "classic;opening=any")
    for turn, size in enumerate((6, 1, 3, 2, 6, 5)):
        seat, hand, bag = game.seat, list(game.hands[game.seat]), list(game.bag)
        returned = hand[::-1][:size]
        played = game.play(Move.exchange(returned))
        assert list(played.drawn) == bag[:size]
        kept = Counter(hand) - Counter(returned)
        assert Counter(game.hands[seat]) == kept + Counter(bag[:size])
        assert list(game.bag) == after_exchange(bag, returned, seed, turn)


# A whole game, written down


@pytest.mark.parametrize("case", cases("records"), ids=lambda case: f"{case['rules']['name']}-{case['seed']}")
def test_a_written_game_is_played_again_from_its_seed(case: dict[str, Any]) -> None:
    options = {name: value for name, value in case["rules"].items() if name != "name"}
    game = Game(case["seed"], len(case["players"]), Rules(case["rules"]["name"], **options), names=case["players"])
    for turn in case["turns"]:
        assert game.seat == turn["seat"]
        played = game.play(Move(turn["move"]))
        assert (played.score, list(played.drawn)) == (turn["score"], turn["drawn"])
    record = game.record()
    assert record.pop("versions")
    assert json.loads(json.dumps(record)) == case
    assert any(turn["move"].startswith("-") for turn in case["turns"])

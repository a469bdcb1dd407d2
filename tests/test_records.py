"""Records of games, and games, positions and moves as values: equality, copies, pickles."""

from __future__ import annotations

import copy
import json
import pickle
import random
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from boards import CLASSIC, FLEX, VARIANTS, both, every_rules
from players import by_chance, greedy, play_out

from qwirkle_fast import Game, GameError, Move, Position, _core, reference
from qwirkle_fast.position import Grid
from qwirkle_fast.rules import Rules

# Records


def through_json(game: Game) -> Game:
    return Game.from_record(json.loads(json.dumps(game.record())))


@every_rules
def test_a_record_replays_to_the_same_game_at_every_turn(rules: Rules) -> None:
    for seed, players in ((1, 2), (2, 5)):
        game = Game(seed, players, rules, names=[f"p{seat}" for seat in range(players)])
        choose = by_chance(random.Random(seed))
        while not game.is_over:
            game.play(choose(game))
            if game.end is not None or len(game.turns) % 9 == 0:
                twin = through_json(game)
                assert twin == game
                assert hash(twin) == hash(game)
                assert (twin.scores, twin.hands, twin.end, twin.seat) == (game.scores, game.hands, game.end, game.seat)
                assert twin.record() == game.record()


@pytest.mark.parametrize("way", [through_json, lambda game: pickle.loads(pickle.dumps(game)), copy.copy, Game.copy],
                         ids=["record", "pickle", "copy", "method"])  # fmt: skip
def test_an_unfinished_game_goes_on_as_if_it_had_never_been_put_away(way: Callable[[Game], Game]) -> None:
    for seed in range(6):
        game = play_out(Game(seed, 2 + seed % 3), by_chance(random.Random(seed)), 8 + seed)
        twin = way(game)
        assert twin.bag == game.bag
        assert play_out(twin, greedy).record() == play_out(game, greedy).record()


def spoil(record: dict[str, Any], path: Sequence[Any], value: Any) -> dict[str, Any]:
    spoilt = copy.deepcopy(record)
    target = spoilt
    for key in path[:-1]:
        target = target[key]
    target[path[-1]] = value
    return spoilt


def test_a_record_that_does_not_follow_is_refused() -> None:
    game = play_out(Game(1), greedy)
    record = game.record()
    turns: Any = record["turns"]
    hands: Any = record["hands"]
    bag: Any = record["bag"]
    assert Game.from_record(record) == game
    for path, value in (
        (("turns", 3, "seat"), 1 - turns[3]["seat"]),
        (("turns", 3, "score"), turns[3]["score"] + 1),
        (("turns", 3, "move"), "-"),
        (("turns", 3, "move"), "Rc@90,90"),
        (("turns", 3, "move"), "nonsense"),
        (("turns", 3, "drawn"), turns[3]["drawn"][:-1]),
        (("turns", 3, "drawn"), [*turns[3]["drawn"][:-1], "Rck"]),
        (("turns", 3), None),
        (("scores",), [0, 0]),
        (("end",), "dead"),
        (("end",), None),
        (("end",), "nonsense"),
        (("seed",), -1),
        (("seed",), "1"),
        (("players",), ["one"]),
        (("players",), "ab"),
        (("hands",), hands[:1]),
        (("hands",), hands * 4),
        (("hands", 0, 0), "Zz"),
        (("hands", 0), "RcRd"),
        (("bag",), None),
        (("bag", 0), 7),
    ):
        with pytest.raises(ValueError):  # noqa: PT011
            Game.from_record(spoil(record, path, value))
    for name in ("rules", "seed", "players", "hands", "bag", "turns", "scores", "end"):
        with pytest.raises(GameError, match=name):
            Game.from_record({key: value for key, value in record.items() if key != name})
    assert Game.from_record({**record, "versions": {}}) == game
    bad: Any
    for bad in (None, [], "", 3):
        with pytest.raises(GameError):
            Game.from_record(bad)
    assert len(bag) == 96


@pytest.mark.parametrize("change", ["a tile more", "a tile less", "another tile", "seven in hand", "five in hand"])
def test_a_record_whose_tiles_are_not_those_of_the_box_is_refused(change: str) -> None:
    record: Any = Game(1).record()
    if change == "a tile more":
        record["bag"].append("Rc")
    elif change == "a tile less":
        record["bag"].pop()
    elif change == "another tile":
        record["bag"][0] = "Rc" if record["bag"][0] != "Rc" else "Rx"
    elif change == "seven in hand":
        record["hands"][0].append(record["bag"].pop())
    else:
        record["bag"].append(record["hands"][0].pop())
    with pytest.raises(GameError):
        Game.from_record(record)


# Values


def test_games_are_equal_when_all_of_them_is() -> None:
    game, same = Game(1), Game(1)
    assert game == same
    assert hash(game) == hash(same)
    for other in (Game(2), Game(1, 3), Game(1, rules="classic;exchange_cap=3"), Game(1, names=["a", "b"])):
        assert game != other
    game.play(greedy(game))
    assert game != same
    assert game != "a game"
    same.play(greedy(same))
    assert game == same
    same.forfeit()
    assert game != same


def test_a_copy_of_a_game_goes_its_own_way() -> None:
    game = play_out(Game(4, 3), greedy, 7)
    record = game.record()
    twin = copy.copy(game)
    play_out(twin, greedy)
    assert game.record() == record
    assert len(twin.turns) > 7


def test_what_a_game_hands_out_is_independent_of_it() -> None:
    game = play_out(Game(4), greedy, 7)
    before = str(game.full_position)
    for position in (game.position, game.view(game.seat), game.full_position):
        position.push(position.legal_moves.top(1)[0])
        position.reveal(len(position.hands) - 1, ())
        assert str(game.full_position) == before


@both
@every_rules
def test_positions_of_a_game_hide_what_others_hold_and_no_more(implementation: type[Grid], rules: Rules) -> None:
    game = play_out(Game(6, 3, rules, grid=implementation), greedy, 10)
    for seat in range(3):
        view = game.view(seat)
        place = (seat - game.seat) % 3
        codes = rules.tile_set.codes
        for i, (tiles, hidden) in enumerate(view.hands):
            held = game.hands[(game.seat + i) % 3]
            assert (tuple(codes[tile] for tile in tiles), hidden) == ((held, 0) if i == place else ((), len(held)))
        assert view.bag == len(game.bag)
        assert view.scores == tuple(game.scores[(game.seat + i) % 3] for i in range(3))
    assert Position(str(game.position), grid=implementation) == game.position


# Positions and moves

#: Every kind of rules on the core; the reference, which takes its time, has the two games.
most = pytest.mark.parametrize(
    ("implementation", "rules"),
    [(_core.Grid, rules) for rules in VARIANTS] + [(reference.Grid, rules) for rules in (CLASSIC, FLEX)],
    ids=str,
)


def positions_of_a_game(rules: Rules, grid: type[Grid], every: int) -> list[Position]:
    game = Game(8, 3, rules, grid=grid)
    choose = by_chance(random.Random(8))
    positions = []
    while not game.is_over:
        if len(game.turns) % every == 1:
            positions += [game.position, game.view((game.seat + 1) % 3), game.full_position]
        game.play(choose(game))
    return [*positions, game.position, game.full_position]


@most
def test_pushing_and_popping_a_whole_game_restores_everything(implementation: type[Grid], rules: Rules) -> None:
    """With all hands open; what is drawn is revealed from the other end, so that the bag runs empty as in a game."""
    game = Game(9, 2, rules, grid=implementation)
    position = game.full_position
    past: list[tuple[Move, str, int, Position, int, list[int]]] = []
    grid_hashes = set()
    longest = 200 if implementation is _core.Grid else 12
    while position.end is None:
        moves = position.legal_moves.top(3) or position.exchanges[-1:] or [Move.skip()]
        if len(past) % 11 == 10 and position.exchanges:
            moves = position.exchanges
        move = moves[len(past) % len(moves)]
        past.append((move, str(position), hash(position), position.copy(), position.bag, position.unseen))
        position.push(move)
        grid_hashes.add(position._grid.hash)
        last = position.players - 1
        hidden = position.hands[last][1]
        left = [tile for tile, count in enumerate(position.unseen) for _ in range(count)]
        position.reveal(last, left[len(past) % 7 :][:hidden] if len(left) > hidden + 7 else left[:hidden])
        if position.hands[last][1] or len(past) == longest:
            break
    assert len(past) > min(20, longest - 1)
    assert len(grid_hashes) > len(past) // 2
    while past:
        move, text, value, twin, bag, unseen = past.pop()
        assert position.pop() == move
        assert str(position) == text
        assert hash(position) == value
        assert position == twin
        assert (position.bag, position.unseen) == (bag, unseen)
    assert position == game.full_position
    with pytest.raises(IndexError):
        position.pop()


@most
def test_positions_are_equal_and_copied_and_pickled_as_what_they_show(implementation: type[Grid], rules: Rules) -> None:
    positions = positions_of_a_game(rules, implementation, 10 if implementation is _core.Grid else 40)
    for position in positions:
        again = Position(str(position), grid=implementation)
        assert position == again
        assert hash(position) == hash(again)
        assert Position.from_json(json.loads(json.dumps(position.to_json())), grid=implementation) == position
        twins = copy.copy(position), copy.deepcopy(position), position.copy(), pickle.loads(pickle.dumps(position))
        for twin in twins:
            assert str(twin) == str(position)
            assert twin.end == position.end
            assert twin.hand == position.hand
            moves = position.legal_moves.top(1)
            assert twin.legal_moves.top(1) == moves
            for move in moves:
                twin.push(move)
                assert str(twin) != str(position)
    texts = [str(position) for position in positions]
    assert len(set(positions)) == len(set(texts))
    assert positions[0] != texts[0]


def test_positions_differ_by_any_of_their_parts() -> None:
    texts = (
        "RvRdRc BcBs/?6 0/3 classic",
        "RvRcRd BcBs/?6 0/3 classic",
        "1,0:RvRdRc BcBs/?6 0/3 classic",
        "RvRdRc BsBc/?6 0/3 classic",
        "RvRdRc BcBs?1/?6 0/3 classic",
        "RvRdRc BcBs/?5 0/3 classic",
        "RvRdRc BcBs/?6/- 0/3/0 classic",
        "RvRdRc BcBs/?6 3/0 classic",
        "RvRdRc BcBs/?6 0/3 classic;opening=any",
        "RvkRdkRck BckBsk/?6 0/3 flex",
        "RvkRdkRcw BckBsk/?6 0/3 flex",
    )
    assert len({Position(text) for text in texts}) == len(texts)


def test_a_position_does_not_depend_on_how_its_board_came_to_be() -> None:
    one = Position("Rc RdRs/RtOc 0/0 classic")
    for text in ("Rd@1,0", "Rt@2,0"):
        one.push(Move(text))
        one.reveal(1, ())
    two = Position("Rc RdRs/RtOc 0/0 classic")
    two.push(Move("Rd@1,0"))
    two.push(Move("Rt@2,0"))
    assert one == two == Position(str(two))
    assert hash(one) == hash(two)
    two.pop()
    assert one != two


@both
def test_hidden_tiles_may_open_when_any_opening_will_do(implementation: type[Grid]) -> None:
    position = Position("- Rc?5/?6 0/0 classic;opening=any", grid=implementation)
    for text, score in (("Rc@0,0", 1), ("Bd@0,0", 1), ("Bd@0,0+Bs@1,0", 2), ("Rc@0,0+Rd@0,1", 2)):
        assert position.explain(Move(text)).score == score
        assert position.score(Move(text)) == score
    position.push(Move("Bd@0,0+Bs@1,0"))
    assert str(position) == "BdBs ?6/Rc?5 0/2 classic;opening=any"


def test_moves_are_values() -> None:
    move = Move("Rx@4,0+Bx@4,1")
    for twin in (Move("Bx@4,1+Rx@4,0"), copy.copy(move), copy.deepcopy(move), pickle.loads(pickle.dumps(move))):
        assert twin == move
        assert hash(twin) == hash(move)
        assert (str(twin), twin.placed) == (str(move), move.placed)
    assert len({Move("-"), Move("-Rs"), Move("-?1"), move, Move("Rx@4,0")}) == 5
    assert pickle.loads(pickle.dumps(Move("-RsBc"))).exchanged == ("Rs", "Bc")
    assert sorted([Move("Rx@4,0"), Move("Bx@4,1"), Move("-")]) == [Move("-"), Move("Bx@4,1"), Move("Rx@4,0")]
    assert move != "Rx@4,0+Bx@4,1"

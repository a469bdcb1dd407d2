"""Reinforcement learning: the environment, the states and the batches, beside `Game`."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from boards import CLASSIC, FLEX, every_rules
from players import by_chance

from qwirkle_fast import Game, Move
from qwirkle_fast._play import greedy_games
from qwirkle_fast.notation import texts
from qwirkle_fast.rl import ACTIONS, CHANCE, DONE, ENDS, EXCHANGE, PASS, PLACE, SIDE, TERMINAL, Batch, State
from qwirkle_fast.rl.actions import Unfinished
from qwirkle_fast.rules import Rules

SMALL = Rules("flex", tiles="starter")


def actions_of(turn: Unfinished, move: Move, game: Game, chance: random.Random) -> list[int]:
    """The actions of a move, tiles laid in any order."""
    tiles = game.rules.tile_set.tiles
    if move.is_exchange:
        left = list(enumerate(turn.hand))
        found = []
        for code in move.exchanged:
            slot = next(slot for slot, tile in left if tile == tiles[code])
            left.remove((slot, turn.hand[slot]))
            found.append(EXCHANGE + slot)
        return [*sorted(found), DONE]
    laid = []
    for x, y, code in move.placed:
        row, column = (y + SIDE // 2) % SIDE, (x + SIDE // 2) % SIDE
        laid.append(PLACE + (row * SIDE + column) * 6 + turn.hand.index(tiles[code]))
    chance.shuffle(laid)
    return [*laid, DONE]


# Turns tile by tile


@every_rules
def test_tile_by_tile_reaches_every_move_and_no_other(rules: Rules) -> None:
    game = Game(3, 2, rules)
    chance = random.Random(1)
    for _ in range(4):
        position = game.position
        reached: set[Move] = set()
        seen: set[tuple[int, ...]] = set()
        waiting = [Unfinished(position)]
        while waiting:
            turn = waiting.pop()
            for action in turn.legal().tolist():
                after = turn.copy()
                move = after.apply(action)
                if move:
                    reached.add(move)
                elif tuple(sorted(after.actions)) not in seen:
                    seen.add(tuple(sorted(after.actions)))
                    waiting.append(after)
        assert reached == {*position.legal_moves, *position.exchanges}
        game.play(by_chance(chance)(game))


def test_an_illegal_action_is_refused_and_changes_nothing() -> None:
    turn = Unfinished(Game(1).position)
    for action in (DONE, EXCHANGE, PLACE, ACTIONS, -1):
        with pytest.raises(ValueError, match=r"^action: .*, expected "):
            turn.apply(action)
    assert turn.actions == ()


#: No whole numbers at all, or none that can be meant.
ODD: list[Any] = [1.5, "x", None, True, -1, 10**30, np.float64(2), np.array([1, 2]), []]
SEEDS = r"expected a whole number from 0 to 18446744073709551615$"


@pytest.mark.parametrize("action", ODD)
def test_an_action_that_is_none_is_refused_in_every_way_to_play(action: Any) -> None:
    state = State()
    for _ in range(2):
        before = str(state.legal_actions())
        for use in (state.apply_action, state.action_to_string):
            with pytest.raises(ValueError, match=r"^action: .*, expected "):
                use(action)
        assert str(state.legal_actions()) == before
        while state.is_chance_node():
            state.apply_action(np.int64(state.legal_actions()[0]))
    with pytest.raises(ValueError, match=r"^action: \d+, expected a legal one"):
        state.action_to_string(next(action for action in range(ACTIONS) if action not in state.legal_actions()))
    one = environment()
    one.reset(seed=1)
    with pytest.raises(ValueError, match=r"^action: .*, expected "):
        one.step(action)
    one.step(np.int64(one.last()[0]["action_mask"].argmax()))


@pytest.mark.parametrize("seat", [-1, 2, 1.0, "x", None, True])
def test_a_seat_that_is_none_sees_nothing(seat: Any) -> None:
    state = dealt_state()
    views: list[Any] = [state.view, state.observation, state.information_state_string]
    for see in [*views, lambda seat: state.resample_from_infostate(seat, lambda: 0.5)]:
        with pytest.raises(ValueError, match=r"^seat: .*, expected a whole number from 0 to 1"):
            see(seat)
    one = environment()
    one.reset()
    for see in (one.observe, one.observation_space, one.action_space):
        with pytest.raises(ValueError, match=r"^agent: .*, expected player_0 to player_1"):
            see(seat)


def dealt_state() -> State:
    state = State()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    return state


@pytest.mark.parametrize("number", [1.0, -0.1, float("nan"), "a", None])
def test_a_sampler_that_is_none_is_refused(number: Any) -> None:
    with pytest.raises(ValueError, match=r"^sampler: .*, expected numbers from 0 to below 1"):
        dealt_state().resample_from_infostate(0, lambda: number)


@pytest.mark.parametrize("rules", ["chess", None, 3])
@pytest.mark.parametrize("players", [0, 7, 2.0, "2", None, True, 10**30])
def test_games_that_cannot_be(players: Any, rules: Any) -> None:
    pytest.importorskip("pettingzoo")
    from qwirkle_fast.rl.environment import Environment

    for make in (State, Environment, lambda players, rules="classic": Batch(rules, players, [1])):
        with pytest.raises(ValueError, match=r"^players: .*, expected a whole number from 2 to 6"):
            make(players)
        with pytest.raises(ValueError, match=r"^rules: .*, expected "):
            make(2, rules)


@pytest.mark.parametrize("seed", [-1, 1 << 64, 1.5, "1", None, True, [1]])
def test_seeds_that_cannot_be(seed: Any) -> None:
    with pytest.raises(ValueError, match=r"^seeds\[1\]: .*" + SEEDS):
        Batch("classic", 2, [3, seed])
    for none in (5, None, 1.5):
        with pytest.raises(ValueError, match=r"^seeds: .*, expected whole numbers"):
            Batch("classic", 2, none)
    for array in ([-1, 2], [0.5, 1.0], [True, False], [[1, 2], [3, 4]]):
        with pytest.raises(ValueError, match=r"^seeds\[\d\]: .*" + SEEDS):
            Batch("classic", 2, np.array(array))
    one = environment()
    if seed is not None:
        with pytest.raises(ValueError, match="^seed: .*" + SEEDS):
            one.reset(seed=seed)


def test_seeds_of_every_kind_deal_the_games_of_these_seeds() -> None:
    expected = [sorted(Game(seed).position.hand) for seed in (0, 7, 2**64 - 1)]
    kinds: list[Any] = [[0, 7, 2**64 - 1], (0, np.int8(7), 2**64 - 1), np.array([0, 7, 2**64 - 1], np.uint64)]
    for seeds in (*kinds, iter(kinds[0])):
        hands = Batch("classic", 2, seeds).hands.astype(int) - 1
        assert hands.tolist() == expected
    assert len(Batch(CLASSIC, 2, [])) == len(Batch(CLASSIC, 2, np.array([], np.int64))) == 0


def test_before_the_first_reset_an_environment_says_so() -> None:
    one = environment()
    uses: list[Callable[[], Any]] = [lambda: one.step(0), one.last, lambda: one.observe("player_0"), lambda: one.view]
    for use in [*uses, lambda: list(one.agent_iter()), lambda: one.agents, lambda: one.agent_selection]:
        with pytest.raises(ValueError, match=r"^\w+: no game yet, expected reset before it$"):
            use()
    assert not hasattr(one, "agents")
    one.reset()
    assert one.agents == ["player_0", "player_1"]
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        one.nothing  # noqa: B018


# The environment


def environment(players: int = 2, rules: Rules = CLASSIC):  # type: ignore[no-untyped-def]
    pytest.importorskip("pettingzoo")
    from qwirkle_fast.rl.environment import Environment

    return Environment(players, rules)


@pytest.mark.parametrize(("players", "rules"), [(2, CLASSIC), (3, FLEX)], ids=["classic", "flex"])
def test_pettingzoo_finds_no_fault(players: int, rules: Rules, recwarn: pytest.WarningsRecorder) -> None:
    pytest.importorskip("pettingzoo")
    from pettingzoo.test import api_test, seed_test

    api_test(environment(players, rules), num_cycles=60)
    seed_test(lambda: environment(players, rules), num_cycles=15)


@pytest.mark.parametrize(("players", "rules"), [(2, CLASSIC), (3, FLEX), (4, SMALL)], ids=str)
def test_the_environment_plays_as_a_game(players: int, rules: Rules) -> None:
    env = environment(players, rules)
    env.reset(seed=7)
    game = Game(7, players, rules)
    chance = random.Random(7)
    while not game.is_over:
        position = game.position
        assert env.agent_selection == f"player_{game.seat}"
        assert env.view == str(position)
        seen = env.observe(env.agent_selection)
        assert env.observation_space(env.agent_selection).contains(seen)
        assert seen["unseen"].tolist() == position.unseen
        assert seen["scores"].tolist() == list(position.scores)
        assert [tile - 1 for tile in seen["hand"] if tile] == sorted(position.hand)
        assert seen["bag"] == position.bag
        move = by_chance(chance)(game)
        for action in actions_of(Unfinished(position), move, game, chance):
            assert env.observe(env.agent_selection)["action_mask"][action]
            assert not any(env.terminations.values())
            env.step(action)
        game.play(move)
    assert all(env.terminations.values())
    winners = {f"player_{seat}" for seat in game.winners}
    assert {agent for agent, reward in env.rewards.items() if reward == max(env.rewards.values())} == winners
    assert sum(env.rewards.values()) == pytest.approx(0)


def test_an_unfinished_turn_is_seen_by_its_player_alone() -> None:
    env = environment(3)
    env.reset(seed=2)
    chance = random.Random(2)
    for _ in range(60):
        mover = env.possible_agents.index(env.agent_selection)
        for agent in range(3):
            seen = env.observe(env.possible_agents[agent])
            assert seen["unseen"].sum() == seen["bag"][0] + seen["hand_sizes"][1:].sum()
            assert agent == mover or not (seen["action_mask"].any() or seen["used"].any())
            assert agent == mover or not seen["observation"][..., 1].any()
        legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
        env.step(int(chance.choice(legal)))
        if any(env.terminations.values()):
            break


# States


def play_beside(state: State, game: Game, chance: random.Random) -> None:
    """One turn of a game, made in the state action by action, and drawn as the game draws."""
    tiles = game.rules.tile_set.tiles
    move = by_chance(chance)(game)
    assert state._turn is not None
    for action in actions_of(state._turn, move, game, chance):
        assert action in state.legal_actions()
        state.apply_action(action)
    for code in game.play(move).drawn:
        assert state.is_chance_node()
        assert sum(chance for _, chance in state.chance_outcomes()) == pytest.approx(1)
        state.apply_action(tiles[code])


def dealt_as(game: Game) -> State:
    state = State(game.players, game.rules)
    for hand in game.hands:
        for code in hand:
            assert state.current_player() == CHANCE
            state.apply_action(game.rules.tile_set.tiles[code])
    return state


@pytest.mark.parametrize(("players", "rules"), [(2, CLASSIC), (3, FLEX), (4, SMALL)], ids=str)
def test_a_state_follows_a_game(players: int, rules: Rules) -> None:
    game, chance = Game(11, players, rules), random.Random(11)
    state = dealt_as(game)
    while not game.is_over:
        assert state.current_player() == game.seat
        for seat in range(players):
            assert str(state.view(seat)) == str(game.view(seat))
        before, twin = repr(state), state.clone()
        play_beside(twin, game.copy(), random.Random(0))
        assert repr(state) == before
        play_beside(state, game, chance)
        assert state.scores == game.scores
    assert state.current_player() == TERMINAL
    assert (state.end, state.legal_actions()) == (game.end, [])
    assert [value == max(state.returns()) for value in state.returns()] == [s in game.winners for s in range(players)]


@pytest.mark.parametrize(("players", "rules"), [(2, CLASSIC), (3, FLEX), (4, SMALL)], ids=str)
def test_resampling_keeps_all_that_the_seat_knows(players: int, rules: Rules) -> None:
    game, chance = Game(5, players, rules), random.Random(5)
    state = dealt_as(game)
    changed = turn = 0
    while not game.is_over:
        turn += 1
        for seat in range(players) if turn % 4 == 1 else ():
            other = state.resample_from_infostate(seat, chance.random)
            assert other.information_state_string(seat) == state.information_state_string(seat)
            assert str(other.view(seat)) == str(state.view(seat))
            assert other.current_player() == state.current_player()
            assert sum(other._bag) == sum(state._bag)
            changed += any(str(other.view(s)) != str(state.view(s)) for s in range(players))
            seen, twin = state.observation(seat), other.observation(seat)
            assert all((seen[name] == twin[name]).all() for name in seen)
            replayed(other)
            same_for_the_seat(state, other, seat)
        play_beside(state, game, chance)
    assert changed


def same_for_the_seat(one: State, two: State, seat: int) -> None:
    """What is resampled from two states that the seat cannot tell apart is the same: the truth has no part in it."""
    again = [state.resample_from_infostate(seat, lambda: 0.25) for state in (one, two)]
    assert again[0]._dealt == again[1]._dealt
    assert again[0]._bag == again[1]._bag
    assert str(again[0]._full) == str(again[1]._full)


def replayed(state: State) -> None:
    """The course of a state can be played from its deal and leads to it."""
    again = State(state.players, state.rules)
    for hand in state._dealt:
        for tile in hand:
            again.apply_action(tile)
    for turn in state._turns:
        assert again.seat == turn.seat
        assert again._turn is not None
        again._make(turn.move)
        for tile in turn.drawn:
            again.apply_action(tile)
    assert again._bag == state._bag
    for seat in range(state.players):
        held = [[Counter(tiles) for tiles, _ in one.view(seat).hands] for one in (again, state)]
        assert held[0] == held[1]
        assert (
            again.information_state_string(seat).split("\n")[: len(state._turns) + 1]
            == (state.information_state_string(seat).split("\n")[: len(state._turns) + 1])
        )


def test_what_is_resampled_is_as_likely_as_what_happens() -> None:
    """Where players exchange any tiles, the truth and its resampling agree on average: how many of the tiles that a
    seat put back the other one holds.  Dealt anew without the past they would be more."""
    chance, games = random.Random(8), 800
    true = drawn = naive = 0.0
    for _ in range(games):
        state = State(2, "classic;opening=any")
        while len(state._turns) < 4 or state.is_chance_node():
            if state.is_chance_node():
                tiles, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(chance.choices(tiles, weights)[0])
            else:
                exchange_any(state, 3 if len(state._turns) % 2 else 6, chance)
        seat = state._first
        back = [tile for turn in state._turns if turn.seat == seat for tile in turn.exchanged]
        other = state.resample_from_infostate(seat, chance.random)
        true += sum(tile in back for tile in state.view(1 - seat).hands[1][0])
        drawn += sum(tile in back for tile in other.view(1 - seat).hands[1][0])
        unseen = state.view(seat).unseen
        naive += 6 * sum(unseen[tile] for tile in set(back)) / sum(unseen)
    assert drawn / games == pytest.approx(true / games, abs=0.12)
    assert naive / games > drawn / games + 0.12


def exchange_any(state: State, size: int, chance: random.Random) -> None:
    assert state._turn is not None
    chosen = chance.sample(range(6), size)
    tiles = Counter(state._turn.hand[slot] for slot in chosen)
    for slot, tile in enumerate(state._turn.hand):
        if tiles[tile]:
            tiles[tile] -= 1
            state.apply_action(EXCHANGE + slot)
    state.apply_action(DONE)


# Batches


@every_rules
def test_greedy_batches_are_greedy_games(rules: Rules) -> None:
    batch = Batch(rules, 3, range(50, 70))
    while not batch.over.all():
        batch.greedy()
    scores, plies = greedy_games(rules, 3, 50, 20)
    assert [tuple(score) for score in batch.scores.tolist()] == scores
    assert batch.turns.sum() == plies


@pytest.mark.parametrize(("players", "rules"), [(2, CLASSIC), (3, FLEX), (4, SMALL)], ids=str)
def test_stepped_batches_are_games(players: int, rules: Rules) -> None:
    seeds = [1, 2**64 - 1, 77]
    batch = Batch(rules, players, seeds)
    games = [Game(seed, players, rules) for seed in seeds]
    chance = random.Random(players)
    tiles = rules.tile_set.tiles
    while not batch.over.all():
        found, offsets = batch.placements()
        boards, hands, unseen = batch.boards, batch.hands, batch.unseen
        choices = []
        for i, game in enumerate(games):
            if game.is_over:
                choices.append(0)
                continue
            position = game.position
            assert batch.seats[i] == game.seat
            assert [tile - 1 for tile in hands[i] if tile] == sorted(position.hand)
            assert unseen[i].tolist() == position.unseen
            assert batch.bags[i] == position.bag
            laid = {(y + SIDE // 2) % SIDE * SIDE + (x + SIDE // 2) % SIDE: 1 + tile for x, y, tile in position.cells}
            assert {cell: boards[i].flat[cell] for cell in np.flatnonzero(boards[i])} == laid
            own = texts(found[offsets[i] : offsets[i + 1]], rules.name == "flex")
            assert sorted(own) == sorted(map(str, position.legal_moves))
            move = by_chance(chance)(game)
            if move.is_placement:
                choices.append(own.index(str(move)))
            elif move.is_pass:
                choices.append(PASS)
            else:
                turn = Unfinished(position)
                slots = [action - EXCHANGE for action in actions_of(turn, move, game, chance)[:-1]]
                assert Counter(turn.hand[slot] for slot in slots) == Counter(tiles[code] for code in move.exchanged)
                choices.append(-sum(1 << slot for slot in slots))
            game.play(move)
        batch.step(choices)
        assert batch.scores.tolist() == [list(game.scores) for game in games]
        assert [ENDS[end] for end in batch.ends] == [game.end for game in games]


def test_random_batches_hang_on_the_seeds_alone() -> None:
    one, two = Batch(CLASSIC, 2, range(8)), Batch(CLASSIC, 2, range(7, -1, -1))
    while not (one.over.all() and two.over.all()):
        one.random()
        two.random()
    assert (one.scores == two.scores[::-1]).all()
    assert len({tuple(score) for score in one.scores.tolist()}) > 1


@pytest.mark.parametrize("choice", [10**6, -1, PASS, -65, -(2**63)])
def test_an_illegal_choice_changes_no_game(choice: int) -> None:
    batch = Batch(CLASSIC, 2, [1, 2])
    with pytest.raises(ValueError, match=r"choices\[1\]"):
        batch.step([0, choice])
    with pytest.raises(ValueError, match="expected 2"):
        batch.step([0])
    for choices in ([0.5, 0.5], ["0", "0"], [0, None], [False, True], [[0], [0]], [0, 2**63]):
        for kind in (list, np.array):
            with pytest.raises(ValueError, match=r"^choices\[\d\]: .*, expected a whole number"):
                batch.step(kind(choices))
    with pytest.raises(ValueError, match=r"^choices: None, expected whole numbers"):
        batch.step(None)  # type: ignore[arg-type]
    assert batch.turns.tolist() == [0, 0]

"""Whole games: who opens, turns, draws, exchanges, every way a game ends, records; and native games beside them."""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Sequence

import pytest
from boards import CLASSIC, VARIANTS, both, every_rules, rules_of
from players import by_chance, game_where, game_with, greedy, native_choice, play_out

from qwirkle_fast import Game, GameError, IllegalMove, Move, reference
from qwirkle_fast._play import greedy_games
from qwirkle_fast.position import Grid
from qwirkle_fast.rules import Rules

# Both implementations, turn by turn


@pytest.mark.parametrize(("rules", "players"), list(zip(VARIANTS, (2, 3, 4, 2, 5, 6, 3), strict=True)), ids=str)
def test_a_game_is_the_same_on_both_implementations(rules: Rules, players: int) -> None:
    choose = by_chance(random.Random(players))
    native = Game(players, players, rules)
    plain = Game(players, players, rules, grid=reference.Grid)
    while not native.is_over:
        position, twin = native.position, plain.position
        assert str(position) == str(twin)
        scored = position.legal_moves.scored()
        assert scored == twin.legal_moves.scored()
        assert len(position.legal_moves) == len(scored)
        assert position.legal_moves.top(5) == [move for move, _ in scored[:5]]
        assert position.exchanges == twin.exchanges
        move = choose(native)
        assert position.score(move) == twin.score(move) == dict(scored).get(move, 0)
        assert native.play(move) == plain.play(move)
        assert (native.end, native.scores, native.hands) == (plain.end, plain.scores, plain.hands)
        assert native.bag == plain.bag
    assert native.record() == plain.record()


@every_rules
@pytest.mark.parametrize("players", range(2, 7))
def test_native_greedy_games_score_as_games_with_their_policy(rules: Rules, players: int) -> None:
    scores, plies = greedy_games(rules, players, 50, 3)
    games = [play_out(Game(seed, players, rules), native_choice) for seed in range(50, 53)]
    assert scores == [game.scores for game in games]
    assert plies == sum(len(game.turns) for game in games)
    assert all(len(set(score)) > 1 for score in scores)


#: Seeds of greedy games that end in other ways than by a player going out.
RARE = [
    ("classic", 2, 5430, "stuck"),
    ("classic", 2, 94239, "dead"),
    ("classic", 2, 75978, "exchanges"),
    ("classic", 4, 1381, "dead"),
    ("flex", 2, 646, "stuck"),
    ("flex", 2, 31550, "exchanges"),
    ("flex;tiles=starter", 2, 122, "dead"),
    ("flex;tiles=starter", 2, 2784, "stuck"),
    ("flex;tiles=starter", 2, 14110, "exchanges"),
    ("flex;tiles=starter", 6, 174, "dead"),
    ("classic;exchange_cap=1", 2, 4, "exchanges"),
    ("classic;exchange_cap=1", 6, 77, "exchanges"),
    ("classic;first=youngest", 2, 1, "out"),
    ("flex", 5, 1, "out"),
]


@pytest.mark.parametrize(("rules", "players", "seed", "end"), RARE)
def test_native_greedy_games_end_as_games_do_in_every_way(rules: str, players: int, seed: int, end: str) -> None:
    game = play_out(Game(seed, players, rules), native_choice)
    assert game.end == end
    assert greedy_games(rules_of(rules), players, seed, 1) == ([game.scores], len(game.turns))
    assert sum(turn.score for turn in game.turns) + 6 * (end == "out") == sum(game.scores)


def test_no_native_games_of_one_or_seven_players() -> None:
    for players in (1, 7):
        with pytest.raises(ValueError, match=f"^players: {players}"):
            greedy_games(CLASSIC, players, 1, 1)
    assert greedy_games(CLASSIC, 2, 1, 0) == ([], 0)


# Who opens, and how


def set_size(hand: Sequence[str]) -> int:
    """Of the distinct symbols, the most that share a colour or a shape."""
    symbols = {code[:2] for code in hand}
    return max(Counter(kind for code in symbols for kind in code).values())


@pytest.mark.parametrize("name", ["classic", "flex"])
@pytest.mark.parametrize("players", range(2, 7))
def test_the_largest_set_opens_and_a_tie_goes_by_age(name: str, players: int) -> None:
    ties = 0
    for seed in range(60):
        oldest = Game(seed, players, Rules(name))
        youngest = Game(seed, players, Rules(name, first="youngest"))
        assert oldest.hands == youngest.hands
        sizes = [set_size(hand) for hand in oldest.hands]
        seats = [seat for seat, size in enumerate(sizes) if size == max(sizes)]
        assert (oldest.seat, youngest.seat) == (seats[0], seats[-1])
        assert {len(move.placed) for move in oldest.position.legal_moves} == {max(sizes)}
        ties += len(seats) > 1
    assert ties > 5


def test_repeats_and_backgrounds_count_for_nothing_in_the_largest_set() -> None:
    assert game_with("RcRcRcOxYdGs/BcBxBdYtGtPv").seat == 1
    assert game_with("RckRcwRcmRxkOdkYsw/BckBxwBdmYtkGvkPsk", rules="flex").seat == 1
    assert game_with("RckRxkRdkOskBtkGvk/RcwRxwRdwOswPtwYvw", rules="flex").seat == 0


@both
def test_the_opener_must_place_a_largest_set(implementation: type[Grid]) -> None:
    game = game_with("RcRxRdOcBtBv/YsYtGxPdOvBd", grid=implementation)
    assert game.seat == 0
    shifted, mixed = "Rc@1,0+Rx@2,0+Rd@3,0", "Rc@0,0+Rx@1,0+Bt@2,0"
    for text in ("Rc@0,0", "Rc@0,0+Rx@1,0", "Bt@0,0+Bv@1,0", "-Rc", "-", shifted, mixed):
        with pytest.raises(IllegalMove):
            game.play(Move(text))
    assert game.position.exchanges == []
    assert len(game.position.legal_moves) == 6
    # Downwards is a legal opening that is not listed.
    assert game.play(Move("Rc@0,0+Rx@0,1+Rd@0,2")).score == 3


@both
def test_with_opening_any_the_opener_may_place_less_or_exchange(implementation: type[Grid]) -> None:
    hands = "RcRxRdOcBtBv/YsYtGxPdOvBd"
    for text, score in (("Rc@0,0", 1), ("Rc@0,0+Rx@1,0", 2), ("-RcOc", 0)):
        game = game_with(hands, rules="classic;opening=any", grid=implementation)
        assert Move(text) in [*game.position.legal_moves, *game.position.exchanges]
        assert game.play(Move(text)).score == score
    # After an exchange the next player opens, with the same freedom.
    assert game.seat == 1
    assert len(game.position.board) == 0
    assert game.play(Move("Ys@0,0")).score == 1
    with pytest.raises(IllegalMove):
        game_with(hands, rules="classic;opening=any", grid=implementation).play(Move("-"))


# Turns


@both
def test_a_turn_draws_from_the_bag_in_order_and_passes_on(implementation: type[Grid]) -> None:
    game = game_with("RvRdRcGvGdBc/RsBsPsYtOxGx/YsOsBvGsPdPx", bag="PvPtPc" + "OvOt", grid=implementation)
    assert (game.seat, game.players, len(game.bag)) == (0, 3, 90)
    turn = game.play(Move("Rv@0,0+Rd@1,0+Rc@2,0"))
    assert turn == (0, Move("Rv@0,0+Rd@1,0+Rc@2,0"), 3, ("Pv", "Pt", "Pc"))
    assert game.hands[0] == ("Gv", "Gd", "Bc", "Pv", "Pt", "Pc")
    assert (game.seat, game.scores, game.bag[:2]) == (1, (3, 0, 0), ("Ov", "Ot"))
    game.play(Move("Rs@3,0+Bs@3,1"))
    assert game.hands[1] == ("Ps", "Yt", "Ox", "Gx", "Ov", "Ot")
    assert (game.seat, game.scores) == (2, (3, 6, 0))
    assert str(game.position).startswith("RvRdRcRs/3Bs YsOsBvGsPdPx/?6/?6 0/3/6 classic")
    assert str(game.view(0)).startswith("RvRdRcRs/3Bs ?6/GvGdBcPvPtPc/?6 0/3/6 classic")
    assert "?" not in str(game.full_position)


@both
def test_an_illegal_move_changes_nothing(implementation: type[Grid]) -> None:
    game = play_out(Game(3, 3, grid=implementation), greedy, 5)
    before = copy.copy(game)
    hand = game.hands[game.seat]
    missing = next(code for code in game.rules.tile_set.codes if code not in hand)
    for text in ("-", "-?1", f"{hand[0]}@500,0", f"-{missing}", f"{missing}@0,0", "Rck@0,0"):
        with pytest.raises(ValueError):  # noqa: PT011
            game.play(Move(text))
    with pytest.raises(ValueError):  # noqa: PT011
        game.play(Move.exchange([*hand, hand[0]]))
    assert game == before
    assert (game.hands, game.bag, game.scores) == (before.hands, before.bag, before.scores)
    assert str(game.full_position) == str(before.full_position)


@both
@pytest.mark.parametrize("size", [1, 3, 6])
def test_an_exchange_draws_before_it_returns(implementation: type[Grid], size: int) -> None:
    game = play_out(Game(5, 2, grid=implementation), greedy, 4)
    for _ in range(4):
        seat, hand, bag = game.seat, game.hands[game.seat], game.bag
        returned = hand[:size]
        turn = game.play(Move.exchange(returned))
        # What is drawn was in the bag before; what went in cannot come back.
        assert turn.drawn == bag[:size]
        assert Counter(game.bag) == Counter(bag[size:]) + Counter(returned)
        assert Counter(game.hands[seat]) == Counter(hand[size:]) + Counter(turn.drawn)
        assert (turn.score, game.seat) == (0, 1 - seat)


@both
def test_an_exchange_of_more_than_the_bag_holds_is_refused(implementation: type[Grid]) -> None:
    game = game_where(lambda game: 0 < len(game.bag) < 4, implementation)
    hand, bag = game.hands[game.seat], game.bag
    assert max(len(move.exchanged) for move in game.position.exchanges) == len(bag)
    for size in range(len(bag) + 1, 7):
        with pytest.raises(IllegalMove, match=f"the bag holds {len(bag)}"):
            game.play(Move.exchange(hand[:size]))
    turn = game.play(Move.exchange(hand[: len(bag)]))
    assert turn.drawn == bag
    assert Counter(game.bag) == Counter(hand[: len(bag)])


@both
def test_with_an_empty_bag_who_can_place_must(implementation: type[Grid]) -> None:
    game = game_where(lambda game: not game.bag and len(game.position.legal_moves) > 0, implementation)
    assert game.position.exchanges == []
    with pytest.raises(IllegalMove, match="must"):
        game.play(Move.skip())
    with pytest.raises(IllegalMove, match="the bag holds 0"):
        game.play(Move.exchange(game.hands[game.seat][:1]))
    game.play(game.position.legal_moves.top(1)[0])


@both
def test_with_an_empty_bag_who_cannot_place_passes(implementation: type[Grid]) -> None:
    game = game_where(lambda game: not game.bag and not len(game.position.legal_moves), implementation)
    seat, scores, hands = game.seat, game.scores, game.hands
    turn = game.play(Move.skip())
    assert turn == (seat, Move.skip(), 0, ())
    assert (game.seat, game.scores, game.hands) == (1 - seat, scores, hands)


@both
def test_with_tiles_in_the_bag_a_pass_is_refused_to_who_cannot_place(implementation: type[Grid]) -> None:
    game = game_where(lambda game: not len(game.position.legal_moves), implementation, first_seed=75978)
    assert game.bag
    with pytest.raises(IllegalMove, match="a pass is refused"):
        game.play(Move.skip())
    assert game.position.exchanges
    game.play(game.position.exchanges[0])


# How games end


@both
@pytest.mark.parametrize("players", range(2, 7))
def test_going_out_brings_six_points_and_ends_the_game_at_once(implementation: type[Grid], players: int) -> None:
    game = play_out(Game(1, players, grid=implementation), greedy)
    last = game.turns[-1]
    assert game.end == "out"
    assert game.hands[last.seat] == () == game.bag
    totals = [sum(turn.score for turn in game.turns if turn.seat == seat) for seat in range(players)]
    totals[last.seat] += 6
    assert game.scores == tuple(totals)
    assert game.winners == tuple(seat for seat in range(players) if totals[seat] == max(totals))
    assert all(hand for seat, hand in enumerate(game.hands) if seat != last.seat)
    with pytest.raises(IllegalMove, match="over"):
        game.play(Move.skip())
    assert list(game.position.legal_moves) == game.position.exchanges == []


@both
def test_a_block_of_all_circles_ends_a_game_as_dead(implementation: type[Grid]) -> None:
    circles = "RcOcYcGcBcPc"
    other = "OcYcGcBcPcRc"
    game = game_with(f"{circles}/{other}", bag=circles, grid=implementation)
    rows = ["RcOcYcGcBcPc", "OcYcGcBcPcRc", "YcGcBcPcRcOc"]
    for y, (row, score) in enumerate(zip(rows, (12, 12 + 12, 12 + 18), strict=True)):
        assert game.end is None
        move = Move("+".join(f"{row[2 * x : 2 * x + 2]}@{x},{y}" for x in range(6)))
        assert game.play(move).score == score
    # No bonus: nobody is out.
    assert (game.end, game.scores, len(game.bag)) == ("dead", (42, 24), 78)
    assert game.position.end == "dead"
    assert game.winners == (0,)
    with pytest.raises(IllegalMove, match="over"):
        game.play(Move.exchange(game.hands[game.seat][:1]))


@both
def test_a_game_in_which_nobody_can_place_is_stuck_at_once(implementation: type[Grid]) -> None:
    game = play_out(Game(5430, 2, grid=implementation), native_choice)
    assert game.end == "stuck"
    assert not game.bag
    assert all(game.hands)
    # It ended with the last tile laid, without waiting for passes, and without a bonus.
    assert game.turns[-1].move.is_placement
    assert sum(turn.score for turn in game.turns) == sum(game.scores)
    tiles = game.rules.tile_set.tiles
    board = {cell: tiles[code] for cell, code in game.position.board.items()}
    for hand in game.hands:
        assert not reference.placements(board, [tiles[code] for code in hand], game.rules)


@both
@pytest.mark.parametrize("players", [2, 3, 6])
@pytest.mark.parametrize("cap", [1, 2, 10])
def test_exchanges_by_everybody_end_the_game(implementation: type[Grid], players: int, cap: int) -> None:
    game = Game(2, players, Rules("classic", opening="any", exchange_cap=cap), grid=implementation)
    rounds = cap * players
    for number in range(rounds - 1):
        game.play(game.position.exchanges[number % 5])
        assert game.end is None
    # A placement begins the count again.
    game.play(greedy(game))
    for number in range(rounds):
        assert game.end is None
        game.play(game.position.exchanges[number % 5])
    assert game.end == "exchanges"
    assert game.scores == tuple(sum(turn.score for turn in game.turns if turn.seat == seat) for seat in range(players))


def test_a_forfeit_ends_the_game() -> None:
    game = play_out(Game(1), greedy, 6)
    scores = game.scores
    game.forfeit()
    assert (game.end, game.is_over, game.scores) == ("forfeit", True, scores)
    with pytest.raises(IllegalMove, match="forfeit"):
        game.play(greedy(Game(1)))
    assert Game.from_record(game.record()) == game
    over = play_out(Game(1), greedy)
    for ended in (game, over):
        with pytest.raises(GameError, match="over"):
            ended.forfeit()
    assert over.end == "out"


def test_a_shared_win() -> None:
    games = (play_out(Game(seed, 2, Rules("classic", exchange_cap=1)), greedy) for seed in range(2000))
    shared = next(game for game in games if len(set(game.scores)) == 1)
    assert shared.winners == (0, 1)


@both
@pytest.mark.parametrize("rules", ["classic", "flex"])
def test_a_game_at_an_earlier_turn(implementation: type[Grid], rules: str) -> None:
    """It is the game that was there then, and goes on as it did."""
    game = Game(5, 3, rules, names=["a", "b", "c"], grid=implementation)
    choose = by_chance(random.Random(5))
    copies = []
    while not game.is_over and len(copies) < 25:
        copies.append(game.copy())
        game.play(choose(game))
    copies.append(game.copy())
    assert any(turn.move.is_exchange for turn in game.turns)
    for turn, then in enumerate(copies):
        again = game.at(turn)
        assert again == then
        assert (again.hands, again.bag, again.scores) == (then.hands, then.bag, then.scores)
        for played in game.turns[turn:]:
            assert again.play(played.move) == played
        assert again == game
    with pytest.raises(IndexError, match="turn: 26, expected 0 to 25"):
        game.at(26)

"""Qwixx at the table: games, players, the search, the arena and the protocol."""

from __future__ import annotations

import random
import re
from threading import Event
from typing import Any

import pytest

from qwirkle_fast.arena.match import Match
from qwirkle_fast.arena.runner import run
from qwirkle_fast.engine.minds import Task, mind_of
from qwirkle_fast.qwixx import (
    Game,
    IllegalMark,
    Mark,
    NotationError,
    Question,
    Rules,
    _players,
    parse_choice,
    players,
    score,
    search,
)
from qwirkle_fast.qwixx.outlook import outlook
from qwirkle_fast.qwixx.reference import is_over

FIVE = "R2,3,4,5,6"


def ask(table: str, dice: str, **options: object) -> list[tuple[str, str]]:
    """The search's hints, as texts of the two actions."""
    hints = Question.parse(table, dice, **options).hints(simulations=4000, seed=1)
    return [tuple("-" if mark is None else str(mark) for mark in hint[:2]) for hint in hints]


# -- games


@pytest.mark.parametrize("finish_turn", [False, True])
@pytest.mark.parametrize("number", [1, 2, 3, 5])
def test_a_game_of_skipping_players_is_the_core_s(number: int, finish_turn: bool) -> None:
    """Who has no choice is not asked, but the game is the same."""
    scores, _ = _players.games([2] * number, 3, 20, finish_turn=finish_turn)
    for seed, expected in enumerate(scores.tolist(), 3):
        game = Game(seed, number, Rules(finish_turn))
        while not game.end:
            game.choose(players.choose_skipping(game.question, 2))
        assert list(game.scores) == expected


def test_nobody_sees_what_others_choose_in_action_1() -> None:
    game = Game(seed=1, players=3)
    before = game.sheets
    game.choose(Mark(0, 3))
    assert (game.seat, game.question.sheets) == (1, before)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"seed": -1}, "seed: -1, expected a whole number from 0 to 2^64 - 1"),
        ({"seed": 1 << 64}, "seed: 18446744073709551616, expected a whole number from 0 to 2^64 - 1"),
        ({"seed": 1.5}, "seed: 1.5, expected a whole number from 0 to 2^64 - 1"),
        ({"seed": True}, "seed: True, expected a whole number from 0 to 2^64 - 1"),
        ({"players": 0}, "players: 0, expected 1 to 5"),
        ({"players": 6}, "players: 6, expected 1 to 5"),
        ({"players": 2.0}, "players: 2.0, expected 1 to 5"),
        ({"names": ["Ann"]}, "names: 1 for 2 players, expected one each"),
        ({"names": ["Ann", "Bob", "Cid"]}, "names: 3 for 2 players, expected one each"),
        ({"names": ["Ann", 2]}, "names: ['Ann', 2], expected a list of names"),
        ({"names": "AB"}, "names: 'AB', expected a list of names"),
    ],
)
def test_a_game_that_cannot_be_is_refused(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(words)}$"):
        Game(**{"seed": 1, **arguments})


def test_the_greatest_seed_is_a_seed() -> None:
    assert Game((1 << 64) - 1).dice != Game((1 << 64) - 2).dice


def test_an_illegal_choice_changes_nothing() -> None:
    game = Game(seed=1, players=2)
    before = str(game.question)
    with pytest.raises(IllegalMark, match="R4 is not allowed"):
        game.choose(Mark(0, 4))
    assert (str(game.question), game.decisions) == (before, [])


def test_a_record_plays_its_game_again_and_its_points_add_up() -> None:
    chance = random.Random(4)
    for seed in range(30):
        game = Game(seed, players=1 + seed % 5, rules=Rules(finish_turn=seed % 2 == 0))
        while not game.end:
            game.choose(chance.choice(game.question.choices))
        assert is_over(game.sheets)
        record = game.record()
        again = Game(record["seed"], len(record["players"]), game.rules)
        points = [0] * len(record["players"])
        for turn in record["turns"]:
            assert again.seat == turn["seat"]
            assert again.choose(parse_choice(turn["move"])).score == turn["score"]
            points[turn["seat"]] += turn["score"]
        assert again.record() == record
        assert record["scores"] == points


def test_a_second_lock_in_action_1_ends_the_game_at_once_unless_the_turn_is_finished() -> None:
    table = f"R-x/Y2,3,4,5,6/G-/B-/P0 {FIVE},12/Y-/G-/B-/P3"
    dice = "W6,6/Y1/G6/B1"
    now = Question.parse(table, dice, active=1)
    assert ("Y12", "-") in ask(table, dice, active=1)
    assert all(hint.action2 is None for hint in now.hints(simulations=500))
    at_once = Question.parse(table, dice).hints(simulations=500)
    assert [str(hint.action2) for hint in at_once if hint.action1 == Mark(1, 12)] == ["None"]
    finished = Question.parse(table, dice, rules=Rules(finish_turn=True)).hints(simulations=500)
    assert len([hint for hint in finished if hint.action1 == Mark(1, 12)]) > 1


def test_questions_come_back_from_their_text() -> None:
    chance = random.Random(8)
    for seed in range(20):
        game = Game(seed, players=1 + seed % 5, rules=Rules(finish_turn=seed % 2 == 0))
        while not game.end:
            assert Question.from_text(str(game.question)) == game.question
            game.choose(chance.choice(game.question.choices))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "R-/Y-/G-/B-/P0",
        "R-/Y-/G-/B-/P0 W1,1/R1/Y1/G1/B1",
        "R-/Y-/G-/B-/P0 W1,1/R1/Y1/G1/B1 qwirkle",
        "R-/Y-/G-/B-/P0 W1,1/R1/Y1/G1/B1 qwixx;seat=0",
        "R-/Y-/G-/B-/P0 W1,1/R1/Y1/G1/B1 qwixx;seat=1",
        "R-/Y-/G-/B-/P0 W1,1/R1/Y1/G1/B1 qwixx;finish_turn=false",
        "R-/Y-/G-/B-/P0 W1,1/R1/Y1/G1/B1 qwixx;after=R2;after=R2",
        "R-/Y-/G-/B-/P0 W1,1/R1/Y1/G1/B1 qwixx;seat=1;active=1",
    ],
)
def test_what_is_no_question_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="expected"):
        Question.from_text(text)


# -- the search


def test_a_passive_player_has_action_1_alone() -> None:
    found = ask("R-/Y-/G-/B-/P0 R-/Y-/G-/B-/P0", "W3,4/R2/Y5/G1/B6", seat=1)
    assert sorted(found) == sorted([(f"{row}7", "-") for row in "RYGB"] + [("-", "-")])


def test_the_winning_lock_is_taken_and_the_losing_one_is_not() -> None:
    dice = "W6,6/Y1/G1/B1"
    behind = f"R-x/Y2,3,4,5,6/G-/B-/P0 {FIVE},12/Y2,3,4,5,6,7,8,9/G12,11,10,9,8,7/B-/P0"
    assert ask(behind, dice)[0][0] != "Y12"
    ahead = f"{FIVE},12/Y2,3,4,5,6/G12,11,10,9/B-/P0 R-x/Y2/G-/B-/P0"
    assert ask(ahead, dice)[0][0] == "Y12"


def test_a_fourth_penalty_that_loses_is_not_taken_even_when_all_seems_lost() -> None:
    table = "R-/Y-/G-/B-/P3 R2,3,4,5,6,7,8,9,10,11/Y2,3,4,5,6,7,8,9,10/G-/B-/P0"
    assert ask(table, "W5,6/R6/Y6/G6/B6")[0] != ("-", "-")


def test_a_fourth_penalty_that_wins_is_taken() -> None:
    table = "R2,3,4,5,6,7/Y2,3,4,5,6/G12/B12/P3 R-/Y-/G-/B-/P0"
    hints = Question.parse(table, "W6,6/R6/Y6/G6/B6").hints(simulations=4000, seed=1)
    assert [hint.value for hint in hints if hint[:2] == (None, None)] == [1]


def test_the_same_seed_gives_the_same_hints() -> None:
    question = Question.parse(f"{FIVE}/Y-/G-/B-/P0 R-/Y3/G-/B-/P2", "W3,4/R2/Y5/G1/B6")
    first = question.hints(simulations=3000, seed=5)
    assert first == question.hints(simulations=3000, seed=5)
    assert first != question.hints(simulations=3000, seed=6)
    assert all(0 <= hint.value <= 1 for hint in first)
    assert [hint.loss for hint in first] == sorted(hint.loss for hint in first)


def test_there_are_no_hints_when_the_game_is_over() -> None:
    assert Question.parse("R-/Y-/G-/B-/P4 R-/Y-/G-/B-/P0", "W1,1/R1/Y1/G1/B1").hints() == []


@pytest.mark.parametrize(("players", "wins"), [(2, 0.66), (3, 0.49), (4, 0.39), (5, 0.33)])
def test_the_fast_player_beats_the_skipping_one(players: int, wins: float) -> None:
    scores, _ = _players.games(["fast", *[2] * (players - 1)], 5, 2000, outlook=outlook(players))
    assert (scores[:, 0] >= scores.max(1)).mean() > wins


class StopsAfter(Event):
    """Is set once it has been asked so often."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.left = times

    def is_set(self) -> bool:
        self.left -= 1
        return self.left <= 0


def test_a_search_without_limits_goes_on_until_it_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "SETTLED", 1e-9)
    stop = StopsAfter(60)
    question = Question.parse("R-/Y-/G-/B-/P0 R-/Y-/G-/B-/P0", "W3,4/R2/Y5/G1/B6")
    assert len(question.hints(stop=stop)) > 5
    assert stop.left <= 0


@pytest.mark.parametrize("limits", [{}, {"time": 1e6}, {"simulations": 10**12}])
def test_a_search_is_stopped_at_once(limits: dict[str, Any]) -> None:
    stop = Event()
    stop.set()
    question = Question.parse("R-/Y-/G-/B-/P0 R-/Y-/G-/B-/P0", "W3,4/R2/Y5/G1/B6")
    assert len(question.hints(stop=stop, **limits)) > 5


# -- the arena and the protocol


def test_a_match_with_search() -> None:
    standings = run(Match(("search:simulations=300", "random"), games=6, game="qwixx"))
    assert standings.to_json()["wins"] >= 5


def test_a_match_of_five_with_the_spec_of_skip() -> None:
    assert run(Match(("skip:2", "random"), seats=5, games=5, game="qwixx")).to_json()["games"] == 5


class Unspeakable:
    """No choice, and not even a text."""

    def __repr__(self) -> str:
        raise RuntimeError("no")


class Rude:
    name = "rude"

    def __init__(self, choice: object) -> None:
        self.choice = choice

    def choose(self, question: Question) -> object:
        if isinstance(self.choice, BaseException):
            raise self.choice
        return self.choice


@pytest.mark.parametrize(
    ("choice", "reason"),
    [
        ("R7", "illegal"),
        (Mark(7, 99), "illegal"),
        (Mark(-1, 7), "illegal"),
        (Mark(0, 1), "illegal"),
        (Unspeakable(), "illegal"),
        (RecursionError(), "crash"),
        (SystemExit(0), "crash"),
    ],
    ids=lambda value: type(value).__name__,
)
@pytest.mark.parametrize("game", ["qwixx", "qwirkle"])
def test_a_rude_guest_loses_whatever_it_does(choice: object, reason: str, game: str) -> None:
    table = run(Match((Rude(choice), "random"), games=2, game=game))
    assert table.forfeits() == {"rude": {reason: 2}}
    assert table.first().losses == 2


def test_the_mind_answers_for_the_action_asked_about() -> None:
    mind = mind_of("qwixx")
    question = mind.read("R-/Y-/G-/B-/P0 R-/Y-/G-/B-/P0 W1,1/R1/Y6/G1/B6 qwixx;after=R2")
    assert isinstance(question, Question)
    assert score(question.sheets[0]) == 1


def test_the_engine_tells_each_mark_of_action_1_once() -> None:
    told: list[str] = []
    mind = mind_of("qwixx")
    task = Task(None, None, {"Seed": 0, "Hints": 100}, Event(), told.append)
    best = mind.think(mind.read("R-/Y-/G-/B-/P0 W3,4/R2/Y5/G1/B6 qwixx"), task)
    marks = [line.split()[2] for line in told]
    assert (marks[0], sorted(marks)) == (best, ["-", "B7", "G7", "R7", "Y7"])

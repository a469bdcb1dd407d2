"""Qwixx: the rules, case by case, and the native core against the reference over whole games."""

from __future__ import annotations

import pytest

from qwirkle_fast.qwixx import Dice, IllegalMark, Mark, Sheet, _core, _players, parse_table, score
from qwirkle_fast.qwixx import reference as rules

FIVE = "R2,3,4,5,6"


def table(text: str) -> tuple[Sheet, ...]:
    return parse_table(text)


def marks(*texts: str) -> list[Mark | None]:
    return [None if text == "-" else Mark.parse(text) for text in texts]


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("R-/Y-/G-/B-/P0", 0),
        ("R2/Y2,3/G12,11,10/B12,11,10,9/P0", 1 + 3 + 6 + 10),
        ("R-/Y-/G-/B-/P4", -20),
        ("R2,3,4,5,6,12/Y-/G-/B-/P0", 28),  # six marks and the lock
        ("R2,3,4,5,6x/Y-/G-/B-/P0", 15),  # closed by another: no lock, no mark of it
        ("R2,3,4,5,6,7,8,9,10,11,12/Y-/G-/B-/P1", 78 - 5),
    ],
)
def test_scores(text: str, points: int) -> None:
    assert score(Sheet.parse(text)) == points


def test_only_who_locks_gets_the_lock() -> None:
    sheets = rules.after_first(table(f"{FIVE}/Y-/G-/B-/P0 R2,3,4,5,6,7/Y-/G-/B-/P0"), marks("R12", "-"))
    assert [str(sheet) for sheet in sheets] == ["R2,3,4,5,6,12/Y-/G-/B-/P0", "R2,3,4,5,6,7x/Y-/G-/B-/P0"]
    assert [score(sheet) for sheet in sheets] == [28, 21]


def test_several_may_lock_one_row_in_the_same_action() -> None:
    sheets = rules.after_first(table(f"{FIVE}/Y-/G-/B-/P0 {FIVE}/Y-/G-/B-/P0"), marks("R12", "R12"))
    assert [score(sheet) for sheet in sheets] == [28, 28]


def test_two_rows_may_close_in_the_same_action_and_a_third_with_them() -> None:
    two = table(f"{FIVE}/Y-/G-/B-/P0 R-/Y2,3,4,5,6/G-/B-/P0")
    sheets = rules.after_first(two, marks("R12", "Y12"))
    assert [row.closed for row in sheets[0].rows] == [True, True, False, False]
    assert rules.is_over(sheets)
    three = table(f"{FIVE}/Y-/G-x/B-/P0 R-/Y2,3,4,5,6/G-x/B-/P0")
    assert not rules.is_over(three)
    assert sum(row.closed for row in rules.after_first(three, marks("R12", "Y12"))[1].rows) == 3


def test_the_last_number_needs_five_marks() -> None:
    for text, legal in (("R2,3,4,5/Y-/G-/B-/P0", False), (f"{FIVE}/Y-/G-/B-/P0", True)):
        assert (Mark(0, 12) in rules.first_marks(Sheet.parse(text), Dice.parse("W6,6/R1/Y1/G1/B1"))) == legal


def test_a_marked_cell_and_what_is_left_of_it_cannot_be_marked() -> None:
    sheet = Sheet.parse("R5/Y-/G8/B-/P0")
    for mark in marks("R5", "R4", "G8", "G9"):
        assert mark is not None
        with pytest.raises(IllegalMark, match="not to the right"):
            rules.marked(sheet, mark)


def test_a_closed_row_cannot_be_marked() -> None:
    with pytest.raises(IllegalMark, match="row R is closed"):
        rules.marked(Sheet.parse("R-x/Y-/G-/B-/P0"), Mark(0, 5))


def test_both_marks_may_be_in_one_row_the_second_further_right() -> None:
    dice = Dice.parse("W3,4/R6/Y1/G1/B1")
    (sheet,) = rules.after_first(table("R-/Y-/G-/B-/P0"), marks("R7"))
    assert Mark(0, 9) in rules.second_marks(sheet, dice)
    (sheet,) = rules.after_second((sheet,), 0, Mark(0, 9), Mark(0, 7))
    assert str(sheet) == "R7,9/Y-/G-/B-/P0"


def test_the_first_of_two_marks_can_make_the_lock_possible() -> None:
    dice = Dice.parse("W5,6/R6/Y1/G1/B1")
    before = Sheet.parse("R2,3,4,5/Y-/G-/B-/P0")
    assert Mark(0, 12) not in rules.second_marks(before, dice)
    assert Mark(0, 12) in rules.second_marks(rules.marked(before, Mark(0, 11)), dice)


def test_a_row_locked_in_action_1_takes_no_mark_in_action_2() -> None:
    dice = Dice.parse("W6,6/R3/Y6/G1/B1")
    sheets = rules.after_first(table(f"{FIVE}/Y-/G-/B-/P0 {FIVE}/Y-/G-/B-/P0"), marks("-", "R12"))
    assert all(mark.row != 0 for mark in rules.second_marks(sheets[0], dice))


def test_penalties() -> None:
    before = table("R-/Y-/G-/B-/P3 R-/Y-/G-/B-/P0")
    sheets = rules.after_second(rules.after_first(before, marks("-", "-")), 0, None, None)
    assert [sheet.penalties for sheet in sheets] == [4, 0]
    assert rules.is_over(sheets)
    sheets = rules.after_second(rules.after_first(before, marks("R7", "-")), 0, None, Mark(0, 7))
    assert [sheet.penalties for sheet in sheets] == [3, 0]


# -- twins


def simple_choice(player: int | str, sheet: Sheet, options: list[Mark], chance: _Chance) -> Mark | None:
    """What a simple player does in one action, worked out from the rules' words."""
    if player == "random":
        return [*options, None][chance.below(len(options) + 1)]
    skipped = {}
    for mark in options:
        numbers = list(range(2, 13) if mark.row < 2 else range(12, 1, -1))
        row = sheet.rows[mark.row].marks
        place = numbers.index(mark.number)
        skipped[mark] = -1 if place == 10 else place - (numbers.index(row[-1]) + 1 if row else 0)
    good = [mark for mark in options if skipped[mark] <= int(player)]
    return min(good, key=lambda mark: (skipped[mark], mark.row), default=None)


class _Chance:
    """splitmix64, as the core has it."""

    MASK = (1 << 64) - 1

    def __init__(self, seed: int, turn: int) -> None:
        self.state = self.mixed(seed + 0x9E3779B97F4A7C15 * (turn + 1))

    def mixed(self, z: int) -> int:
        z &= self.MASK
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & self.MASK
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & self.MASK
        return z ^ (z >> 31)

    def below(self, n: int) -> int:
        self.state = (self.state + 0x9E3779B97F4A7C15) & self.MASK
        return (self.mixed(self.state) >> 32) * n >> 32


def whole_game(players: list[int | str], seed: int, finish_turn: bool) -> list[int]:
    """A game by the reference alone, with the core's dice."""
    sheets = tuple(Sheet() for _ in players)
    turn = 0
    while not rules.is_over(sheets):
        chance = _Chance(~seed, turn)
        rolled = _core.dice(seed, turn)
        active = turn % len(players)
        turn += 1
        dice = Dice(rolled[:2], tuple(rolled[2:]))
        firsts = [
            simple_choice(player, sheet, rules.first_marks(sheet, dice), chance)
            for player, sheet in zip(players, sheets, strict=True)
        ]
        sheets = rules.after_first(sheets, firsts)
        if rules.is_over(sheets) and not finish_turn:
            break
        options = rules.second_marks(sheets[active], dice)
        second = simple_choice(players[active], sheets[active], options, chance)
        sheets = rules.after_second(sheets, active, second, firsts[active])
    return [score(sheet) for sheet in sheets]


@pytest.mark.parametrize("finish_turn", [False, True])
@pytest.mark.parametrize(
    "players", [["random"], [2], ["random", 2], [2, 2], [1, 3, "random"], [0, 11, 2, "random"], ["random", 2, 2, 4, 1]]
)
def test_the_core_and_the_reference_play_the_same_games(players: list[int | str], finish_turn: bool) -> None:
    games = 40
    scores, _ = _players.games(players, 7, games, finish_turn=finish_turn)
    assert scores.tolist() == [whole_game(players, 7 + game, finish_turn) for game in range(games)]


def test_dice_are_fair_and_fixed() -> None:
    assert _core.dice(1, 0) == (1, 2, 4, 2, 2, 3)
    counts = [[0] * 7 for _ in range(6)]
    for turn in range(6000):
        for die, face in enumerate(_core.dice(5, turn)):
            counts[die][face] += 1
    assert all(880 < count < 1120 for die in counts for count in die[1:])

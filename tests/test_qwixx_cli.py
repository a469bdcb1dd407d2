"""The Qwixx commands as a user runs them."""

from __future__ import annotations

import json

import pytest
from test_cli import ask

EMPTY = "R-/Y-/G-/B-/P0"
DICE = "W3,4/R2/Y5/G1/B6"


def test_value() -> None:
    assert ask("qwixx", "value", EMPTY).out == "115.483126\n"
    answer = json.loads(ask("qwixx", "value", "R11/Y11/G3/B3/P2", "--json").out)
    assert answer["sheet"] == "R11/Y11/G3/B3/P2"
    assert answer["value"] == pytest.approx(-16)
    assert answer["distribution"] == [[-16, pytest.approx(1)]]


def test_hint_alone() -> None:
    result = ask("qwixx", "hint", EMPTY, "--dice", DICE, "--json")
    hints = json.loads(result.out)["hints"]
    assert hints[0] == {"action1": None, "action2": "B10", "value": pytest.approx(112.554305), "loss": 0}
    assert [hint["value"] for hint in hints if hint["action1"] is hint["action2"] is None]
    assert ask("qwixx", "hint", EMPTY, "--dice", DICE).out.splitlines()[0] == "- B10 112.554 -0.000"


def test_hint_after_action_1() -> None:
    for sheet in (EMPTY, "R7/Y-/G-/B-/P0"):
        hints = json.loads(ask("qwixx", "hint", sheet, "--dice", DICE, "--after", "R7", "--json").out)["hints"]
        assert {hint["action1"] for hint in hints} == {"R7"}
        assert "R7" not in {hint["action2"] for hint in hints}
    hints = json.loads(ask("qwixx", "hint", EMPTY, "--dice", DICE, "--after", "-", "--json").out)["hints"]
    assert {hint["action1"] for hint in hints} == {None}


def test_hint_at_a_table() -> None:
    result = ask("qwixx", "hint", f"{EMPTY} {EMPTY}", "--dice", DICE, "--seat", "1", "--time", "0.05", "--json")
    hints = json.loads(result.out)["hints"]
    assert {hint["action2"] for hint in hints} == {None}
    assert all(0 <= hint["value"] <= 1 for hint in hints)


def test_a_game_that_is_over() -> None:
    result = ask("qwixx", "hint", "R-/Y-/G-/B-/P4", "--dice", DICE, "--json")
    assert (result.status, result.out, result.err) == (0, '{"hints":[]}\n', "qwirkle-fast: the game is over\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ["value"],
        ["value", "nonsense"],
        ["value", f"{EMPTY} {EMPTY}"],
        ["value", EMPTY, "--nonsense"],
        ["hint", EMPTY],
        ["hint", EMPTY, "--dice", "W7,1"],
        ["hint", EMPTY, "--dice", DICE, "--seat", "1"],
        ["hint", EMPTY, "--dice", DICE, "--seat", "x"],
        ["hint", EMPTY, "--dice", DICE, "--after", "R8"],
        ["hint", EMPTY, "--dice", DICE, "--time", "0"],
        ["hint", f"{EMPTY} {EMPTY}", "--dice", DICE, "--time", "nan"],
        ["hint", "é", "--dice", DICE],
        ["nonsense"],
        ["play", "--players", "6"],
    ],
)
def test_bad_input_is_one_line(arguments: list[str]) -> None:
    result = ask("qwixx", *arguments)
    assert (result.status, result.out, len(result.err.splitlines())) == (2, "", 1)
    assert "expected" in result.err


def test_play_to_the_end() -> None:
    typed = "help\nhint\nR1\n\nsheets\n" + "-\n" * 100
    arguments = ("qwixx", "play", "--seed", "3", "--time", "0.01", "--opponent", "skip:2")
    result = ask(*arguments, given=typed.encode())
    assert result.status == 0
    assert "the game is over" in result.out
    assert "R1" in result.out


def test_play_ends_with_its_input() -> None:
    result = ask("qwixx", "play", "--seed", "3", "--time", "0.01", given=b"-\n")
    assert (result.status, len(result.err.splitlines())) == (0, 1)

"""The Qwixx commands as a user runs them."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from test_cli import ask, posix, shell

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


def test_a_seed_fixes_the_hints_at_a_table() -> None:
    """With games and no time the answer is fixed; another seed plays other games."""
    told = [
        ask("qwixx", "hint", f"{EMPTY} {EMPTY}", "--dice", DICE, "--simulations", "300", "--seed", seed, "--json").out
        for seed in ("5", "5", "6")
    ]
    assert told[0] == told[1]
    assert told[0] != told[2]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--after", "x"), "--after: 'x', expected a row and a number from 2 to 12, such as R7, or - for none"),
        (("--after", "R8"), "--after: R8 is not the white sum, expected R7 or -"),
        (("--after", "-", "--active", "1"), "--after: seat 0 has no action 2, expected seat 1, whose roll it is"),
        (("--seat", "2"), "--seat: 2, expected 0 to 1, the first of 2 sheets being 0"),
        (("--active", "-1"), "--active: -1, expected 0 to 1, the first of 2 sheets being 0"),
    ],
)
def test_what_is_wrong_with_an_option_names_the_option(arguments: tuple[str, ...], words: str) -> None:
    result = ask("qwixx", "hint", f"{EMPTY} {EMPTY}", "--dice", DICE, *arguments)
    assert (result.status, result.out, result.err) == (2, "", f"qwirkle-fast: {words}\n")


def test_a_seat_that_is_not_at_the_table() -> None:
    result = ask("qwixx", "play", "--players", "3", "--seat", "4")
    assert result.err == "qwirkle-fast: --seat: 4, expected 1 to 3, for --players is 3\n"


@posix
def test_a_cache_that_takes_nothing_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    home = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "file"), "HOME": str(tmp_path / "file")}
    result = shell("qwixx", "value", EMPTY, env=home)
    assert (result.status, result.out) == (0, "115.483126\n")
    lines = [line for line in result.err.splitlines() if "solving the game" not in line]
    assert len(lines) == 1
    assert lines[0].startswith(f"qwirkle-fast: cache: {tmp_path}")
    assert "expected" in lines[0]


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


def lines_of(out: str) -> list[str]:
    """What was printed, without the prompts and what was typed."""
    return [line for line in out.splitlines() if not line.startswith("> ")]


def test_undo_goes_back_to_ones_own_last_decision() -> None:
    play = ("qwixx", "play", "--seed", "3", "--players", "2", "--seat", "2", "--opponent", "skip:2")
    out = ask(*play, given=b"-\n-\n-\nundo\nundo\nundo\nundo\n").out
    lines = lines_of(out)
    asked = [line for line in lines if "action" in line]
    # Forward through three decisions, and back the same way; then there is nothing left.
    assert asked[4:] == asked[2::-1]
    assert lines[-1] == "you have decided nothing yet: there is nothing to take back"
    # What the other has done before stays, and after another decision the game goes on from there.
    first, other = asked[0].split(": ")[1].split(" or ")[:2]
    again = ask(*play, given=f"{first}\nundo\n{other}\n".encode()).out
    assert f"you: {other} for 1 points" in again


def test_a_lone_player_is_told_the_score_and_how_good_it_is() -> None:
    play = ("qwixx", "play", "--players", "1", "--seed", "3")
    out = ask(*play, given=b"-\n" * 8 + b"hint\nundo\nquit\n").out
    ends = [line for line in lines_of(out) if "the game is over" in line]
    # Nobody who plays best ends with four penalties and no mark: -20 is the least score there is.
    best = "the best play makes 115.48 on average, and fewer than you in 0% of its games"
    assert ends == [f"the game is over: four penalties; -20 points; {best}", "the game is over: undo or quit"]
    assert lines_of(out)[-1].endswith("or -"), "undo asks again"
    out = ask(*play, "--finish-turn", given=b"-\n" * 8).out
    assert "the best play makes 115.91 on average" in out


def test_play_ends_with_its_input() -> None:
    result = ask("qwixx", "play", "--seed", "3", "--time", "0.01", given=b"-\n")
    assert (result.status, len(result.err.splitlines())) == (0, 1)

"""Qwixx: sheets, dice and tables as text."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qwirkle_fast.qwixx import Dice, Mark, NotationError, Question, Row, Sheet, parse_table

NUMBERS = [range(2, 13), range(2, 13), range(12, 1, -1), range(12, 1, -1)]
BAD = [
    line.split(" | ")
    for line in Path(__file__).with_name("data").joinpath("qwixx-bad.txt").read_text().splitlines()
    if not line.startswith("#")
]


@st.composite
def rows(draw: st.DrawFn, numbers: range) -> Row:
    """Any row that can come about: some marks, the last number only behind five."""
    marks = [number for number in numbers[:-1] if draw(st.booleans())]
    if len(marks) >= 5 and draw(st.booleans()):
        return Row((*marks, numbers[-1]), True)
    return Row(tuple(marks), draw(st.booleans()))


sheets = st.builds(Sheet, st.tuples(*map(rows, NUMBERS)), st.integers(0, 4))
faces = st.integers(1, 6)
dice = st.builds(Dice, st.tuples(faces, faces), st.tuples(*[st.none() | faces] * 4))


@given(sheets)
def test_a_sheet_comes_back_from_its_text(sheet: Sheet) -> None:
    assert Sheet.parse(str(sheet)) == sheet


@given(dice)
def test_a_roll_comes_back_from_its_text(rolled: Dice) -> None:
    assert Dice.parse(str(rolled)) == rolled


@pytest.mark.parametrize("text", ["R2,3,5/Y-/G12,11/B-/P1", "R-x/Y-/G12,11x/B12,11,10,9,8,2/P4", "R-/Y-/G-/B-/P0"])
def test_the_text_of_a_sheet_is_kept(text: str) -> None:
    assert str(Sheet.parse(text)) == text


@pytest.mark.parametrize(("sheet", "rolled", "words"), BAD)
def test_bad_sheets_and_dice_are_refused_in_one_line(sheet: str, rolled: str, words: str) -> None:
    with pytest.raises(NotationError) as caught:
        Question.parse(sheet, rolled)
    assert words in str(caught.value)
    assert "expected" in str(caught.value)
    assert "\n" not in str(caught.value)


@given(st.text(alphabet="RYGBPx-/,0123456789 W", max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    for read in (Sheet.parse, Dice.parse, Mark.parse):
        with suppress(NotationError):
            assert str(read(text)) == text


def test_a_table_is_closed_for_all_or_for_none() -> None:
    locked = "R2,3,4,5,6,12/Y-/G-/B-/P0"
    assert len(parse_table(f"{locked} R-x/Y-/G-/B-/P0")) == 2
    with pytest.raises(NotationError, match="sheet 2: row R is open but closed on sheet 1"):
        parse_table(f"{locked} R-/Y-/G-/B-/P0")
    with pytest.raises(NotationError, match="6 sheets, expected 1 to 5"):
        parse_table(" ".join(["R-/Y-/G-/B-/P0"] * 6))
    with pytest.raises(NotationError, match="sheet 2"):
        parse_table("R-/Y-/G-/B-/P0  R-/Y-/G-/B-/P0")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"seat": 2}, "seat: 2, expected 0 to 1"),
        ({"active": -1}, "active: -1, expected 0 to 1"),
        ({"seat": 1, "after": "-"}, "after: seat 1 has no action 2, expected seat 0"),
        ({"after": "R8"}, "after: R8 is not the white sum"),
        ({"after": "Y7"}, "Y7 is not to the right of Y9"),
        ({"after": "x"}, "after: 'x', expected a row and a number from 2 to 12, such as R7, or - for none"),
    ],
)
def test_bad_questions_are_refused_in_one_line(options: dict[str, object], words: str) -> None:
    with pytest.raises(NotationError) as caught:
        Question.parse("R-/Y9/G-/B-/P0 R-/Y-/G-/B-/P0", "W3,4/R1/Y1/G1/B1", **options)
    assert words in str(caught.value)


def test_the_mark_of_action_1_may_be_on_the_sheet_or_not() -> None:
    before = Question.parse("R2/Y-/G-/B-/P0", "W3,4/R1/Y1/G1/B1", after="R7")
    made = Question.parse("R2,7/Y-/G-/B-/P0", "W3,4/R1/Y1/G1/B1", after="R7")
    assert before == made

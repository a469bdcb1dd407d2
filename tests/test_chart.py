"""The picture of a game's course: where its marks and bars stand, and that it is complete in itself."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest

from qwirkle_fast.drawing import ChartTurn, chart, game_chart_svg

SVG = "{http://www.w3.org/2000/svg}"
NAMES = ["Ann", "Bob", "Cleo", "Dan", "Eve", "Fay"]


def turns_of(players: int, count: int) -> list[ChartTurn]:
    return [ChartTurn(i % players, (i * 37 % 101) / 100, i % 5, f"turn {i + 1}") for i in range(count)]


def marks(text: str) -> list[tuple[float, float]]:
    """The centres of the markers on the lines, the legend's left out."""
    found = re.findall(r"translate\(([\d.]+) ([\d.]+)\) scale\(" + re.escape(f"{chart.MARK / 80:.2f}"), text)
    return [(float(x), float(y)) for x, y in found]


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("count", [0, 1, 7, 120])
def test_every_picture_is_well_formed_and_complete_in_itself(players: int, count: int) -> None:
    shares = [1.0, *[0.0] * (players - 1)]
    for end in ((), shares):
        text = game_chart_svg(NAMES[:players], turns_of(players, count), end)
        assert text == game_chart_svg(NAMES[:players], turns_of(players, count), end)
        root = ET.fromstring(text)
        assert not re.search(r"href|url\(|@import|<style|<script|<image|nan|inf", text)
        words = [element.text or "" for element in root.iter(f"{SVG}text")]
        for name in NAMES[:players]:
            assert any(word.startswith(f"{name}: ") for word in words)
        assert sum(element.tag == f"{SVG}title" for element in root.iter()) == count + 1
        last = players if end and players > 2 else 0
        assert len(marks(text)) == count + last


def test_marks_stand_at_the_chance_of_the_curve() -> None:
    """With two players the second's chances are drawn from above."""
    turns = [ChartTurn(0, 0.75, 0, "a"), ChartTurn(1, 0.75, 0, "b"), ChartTurn(0, 0.5, 0, "c")]
    found = sorted(marks(game_chart_svg(["Ann", "Bob"], turns, [0, 1])))
    heights = [y for _, y in found]
    assert heights[1] - heights[0] == pytest.approx(chart.CHANCES / 2)
    assert heights[2] == pytest.approx((heights[0] + heights[1]) / 2)
    steps = [b[0] - a[0] for a, b in pairwise(found)]
    assert steps[0] == pytest.approx(steps[1], abs=0.02)


def test_bars_are_as_high_as_the_points_lost() -> None:
    turns = [ChartTurn(0, 0.5, 5, "a"), ChartTurn(1, 0.5, 2.5, "b"), ChartTurn(0, 0.5, -1, "c")]
    root = ET.fromstring(game_chart_svg(["Ann", "Bob"], turns))
    bars = [float(group.findall(f"{SVG}rect")[1].attrib["height"]) for group in root.iter(f"{SVG}g")]
    assert bars == [chart.LOSSES, chart.LOSSES / 2, 0]


def test_any_name_can_be_shown() -> None:
    text = game_chart_svg(["<&>\x00\ud800", "x" * 500], turns_of(2, 3))
    root = ET.fromstring(text)
    words = [element.text or "" for element in root.iter(f"{SVG}text")]
    assert any(word.startswith("<&>\ufffd\ufffd: ") for word in words)
    assert max(map(len, words)) < 60

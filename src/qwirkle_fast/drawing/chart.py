"""The course of a game as a picture: each player's chance to win, and what each turn lost."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from ..tiles import SHAPES
from . import markup, palette
from .markup import LABEL_SIZE, LETTER_WIDTH, PADDING, TEXT_SIZE, number
from .shapes import SHAPE_PATHS

WIDTH = 760
#: The heights of the two panels, and the room for a panel's name above it.
CHANCES, LOSSES, HEADING = 240, 110, 36
#: The scale's figures stand left of a panel.
INDENT = 38
#: A player in the legend: the line's height, and the marker's and a panel's marker's side.
LEGEND_LINE, LEGEND_MARK, MARK = 24, 16, 9
#: A bar takes most of its turn's width, up to this.
WIDEST_BAR = 24
#: At most so many turns are numbered.
MOST_LABELS = 14

#: Each seat has a colour and a shape, so that colour alone tells nothing.  Yellow cannot be seen on the page.
COLOURS: Final = (*(palette.PALETTE[colour] for colour in "BOGPR"), palette.TEXT)
_MARKS: Final = tuple(SHAPE_PATHS[shape] for shape in "cdsvtx")
assert len(COLOURS) == len(_MARKS) == len(SHAPES)


class ChartTurn(NamedTuple):
    """A turn: who moved, that player's chance to win (0 to 1) before it, the points it lost, and what to say of it."""

    seat: int
    win: float
    lost: float
    words: str


Point = tuple[float, float]


def game_chart_svg(names: Sequence[str], turns: Sequence[ChartTurn], shares: Sequence[float] = ()) -> str:
    """The picture of a game, as the text of an SVG document.

    ``names``: by seat.  ``shares``: by seat, what each got of the win (1, 0, or a shared part) once the game is over.
    With two players one curve tells both chances, the first player's from below and the second's from above; with more,
    each has a line through the own turns.
    """
    left, right = PADDING + INDENT, WIDTH - PADDING
    step = (right - left) / max(len(turns), 1)
    top = PADDING + LEGEND_LINE * ((len(names) + 1) // 2)
    parts = _legend(names, turns, left)

    top += HEADING
    whose = f"Chance of {_cut(names[0], 40)} to win" if len(names) == 2 else "Chance to win"
    parts.append(markup.text(whose, left, top - 12, palette.TEXT, TEXT_SIZE))
    parts += [
        part
        for percent in (0, 25, 50, 75, 100)
        for part in _level(f"{percent} %", top + CHANCES * (1 - percent / 100), left, right)
    ]

    def at(turn: int, chance: float) -> Point:
        return left + turn * step, top + CHANCES * (1 - chance)

    lines = [[at(i, turn.win) for i, turn in enumerate(turns) if turn.seat == seat] for seat in range(len(names))]
    if len(names) == 2:
        curve = [at(i, turn.win if turn.seat == 0 else 1 - turn.win) for i, turn in enumerate(turns)]
        curve += [at(len(turns), share) for share in shares[:1]]
        parts += _two_sides(curve, top + CHANCES / 2)
        lines = [[curve[i] for i, turn in enumerate(turns) if turn.seat == seat] for seat in range(2)]
    else:
        for seat, line in enumerate(lines):
            line += [at(len(turns), share) for share in shares[seat : seat + 1]]
            parts.append(_polyline(line, COLOURS[seat]))
    for seat, line in enumerate(lines):
        parts += [_mark(seat, point, MARK) for point in line]

    top += CHANCES + HEADING
    parts.append(markup.text("Points lost", left, top - 12, palette.TEXT, TEXT_SIZE))
    most = _round_up(max((turn.lost for turn in turns), default=1))
    for points in (0.0, most / 2, most):
        parts += _level(f"{points:g}", top + LOSSES * (1 - points / most), left, right)
    for i, turn in enumerate(turns):
        height = LOSSES * max(turn.lost, 0) / most
        x, width = left + i * step, min(step * 0.7, WIDEST_BAR)
        # The whole column can be pointed at, however low its bar.
        column = f'x="{number(x)}" y="{number(top)}" width="{number(step)}" height="{LOSSES}"'
        bar = f'x="{number(x + (step - width) / 2)}" y="{number(top + LOSSES - height)}" width="{number(width)}"'
        parts.append(
            f'<g><title>{markup.safe(turn.words)}</title><rect {column} fill="{palette.PAGE}" fill-opacity="0"/>'
            f'<rect {bar} height="{number(height)}" fill="{COLOURS[turn.seat]}"/></g>'
        )
    bottom = top + LOSSES
    every = _round_up(len(turns) / MOST_LABELS)
    for i in range(len(turns)):
        if (i + 1) % every == 0 or every == 1:
            middle = left + (i + 0.5) * step
            parts.append(markup.text(str(i + 1), middle, bottom + LABEL_SIZE + 5, palette.LABEL, LABEL_SIZE, _MIDDLE))
    height = bottom + LABEL_SIZE + 8 + PADDING
    title = f"A game of {len(names)} players, {len(turns)} turns"
    return markup.document(title, "; ".join(turn.words for turn in turns) or "no turns", parts, WIDTH, height)


_MIDDLE = ' text-anchor="middle"'
_END = ' text-anchor="end"'


def _legend(names: Sequence[str], turns: Sequence[ChartTurn], left: float) -> list[str]:
    """The players, two in a line, each with the points lost in all."""
    parts = []
    room = (WIDTH - PADDING - left) / 2
    for seat, name in enumerate(names):
        x, y = left + seat % 2 * room, PADDING + seat // 2 * LEGEND_LINE
        lost = sum(turn.lost for turn in turns if turn.seat == seat)
        told = f": {lost:.1f} points lost"
        most = int((room - LEGEND_MARK - 8) / TEXT_SIZE / LETTER_WIDTH) - len(told)
        words = _cut(name, most) + told
        parts.append(_mark(seat, (x + LEGEND_MARK / 2, y + LEGEND_MARK / 2), LEGEND_MARK))
        parts.append(markup.text(words, x + LEGEND_MARK + 8, y + LEGEND_MARK - 3, palette.TEXT, TEXT_SIZE))
    return parts


def _cut(name: str, most: int) -> str:
    return name if len(name) <= most else name[: most - 1] + "…"


def _level(words: str, y: float, left: float, right: float) -> list[str]:
    """A line of the scale and its figure."""
    return [
        f'<path d="M{number(left)} {number(y)}H{number(right)}" stroke="{palette.GRID}" stroke-width="1"/>',
        markup.text(words, left - 6, y + LABEL_SIZE * 0.35, palette.LABEL, LABEL_SIZE, _END),
    ]


def _mark(seat: int, point: Point, side: float) -> str:
    x, y = point
    return (
        f'<path transform="translate({number(x)} {number(y)}) scale({number(side / 80)})" d="{_MARKS[seat]}" '
        f'fill="{COLOURS[seat]}" stroke="{palette.PAGE}" stroke-width="8" paint-order="stroke"/>'
    )


def _polyline(line: Sequence[Point], colour: str, more: str = "") -> str:
    points = " ".join(f"{number(x)},{number(y)}" for x, y in line)
    return f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"{more}/>'


def _two_sides(curve: Sequence[Point], middle: float) -> list[str]:
    """A curve, and what lies between it and the middle: above it the first player's, below it the second's."""
    if not curve:
        return []
    crossed = [curve[0]]
    for (x, y), (next_x, next_y) in pairwise(curve):
        if (y - middle) * (next_y - middle) < 0:
            crossed.append((x + (next_x - x) * (middle - y) / (next_y - y), middle))
        crossed.append((next_x, next_y))
    parts = []
    for seat, limit in enumerate((min, max)):
        side = [(x, limit(y, middle)) for x, y in crossed]
        points = " ".join(
            f"{number(x)},{number(y)}" for x, y in [(crossed[0][0], middle), *side, (side[-1][0], middle)]
        )
        parts.append(f'<polygon points="{points}" fill="{COLOURS[seat]}" fill-opacity="0.3"/>')
    return [*parts, _polyline(curve, palette.LABEL)]


def _round_up(value: float) -> float:
    """The next of 1, 2, 5, 10, 20 ..."""
    size = 1.0
    while True:
        for first in (1, 2, 5):
            if first * size >= value:
                return first * size
        size *= 10

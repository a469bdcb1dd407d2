"""A whole game as one picture that moves: an SVG document that plays by itself, and its still frames."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..tiles import TileSet
from . import markup, palette
from .extent import Extent
from .markup import PADDING, TEXT_SIZE
from .svg import CAPTION_WIDTH, CELL, Layout, document, game_name, tile_at

#: What stands below the board takes this height.
_FOOT = 34
#: The last frame stays for as long as this many others.
_REST = 4


class Frame(NamedTuple):
    """What a turn adds: the tiles laid as ``(x, y, tile)``, and the words below the board from then on."""

    placed: Sequence[tuple[int, int, int]]
    words: str


def stills(frames: Sequence[Frame], tile_set: TileSet) -> list[str]:
    """One SVG document for each frame, all of one size, with the tiles laid last outlined."""
    layout = _layout(frames)
    parts = layout.grid()
    found = []
    for frame in frames:
        parts += _tiles(frame, tile_set, layout)
        shown = [*parts, *layout.outlines((x, y) for x, y, _ in frame.placed), _words(frame.words, layout)]
        found.append(_document(shown, frame.words, tile_set, layout))
    return found


def animation_svg(frames: Sequence[Frame], tile_set: TileSet, *, seconds: float = 1.0) -> str:
    """One SVG document that shows each frame for so many seconds, the last for longer, and begins again.

    Needs no script.  Where SMIL is not played, the last frame is shown.
    """
    layout = _layout(frames)
    whole = (len(frames) - 1 + _REST) * seconds
    parts = layout.grid()
    for number, frame in enumerate(frames):
        start, end = number * seconds, (number + 1) * seconds if number + 1 < len(frames) else whole
        drawn = _tiles(frame, tile_set, layout)
        if drawn:
            parts.append(f"<g>{''.join(drawn)}{_shown(start, whole, whole)}</g>")
        hidden = "" if number + 1 == len(frames) else ' visibility="hidden"'
        passing = "".join([*layout.outlines((x, y) for x, y, _ in frame.placed), _words(frame.words, layout)])
        parts.append(f"<g{hidden}>{passing}{_shown(start, end, whole)}</g>")
    return _document(parts, f"a game of {len(frames)} turns; at the end {frames[-1].words}", tile_set, layout)


def _shown(start: float, end: float, whole: float) -> str:
    """Visible from start to end of each round of so many seconds, and at no other time."""
    times = [(0.0, start <= 0), (start / whole, True), (end / whole, False)]
    steps = [(time, shown) for i, (time, shown) in enumerate(times) if time < 1 and (i == 0 or time > 0)]
    values = ";".join("visible" if shown else "hidden" for _, shown in steps)
    keys = ";".join(f"{time:.5f}".rstrip("0").rstrip(".") for time, _ in steps)
    return (
        f'<animate attributeName="visibility" calcMode="discrete" dur="{whole:g}s" repeatCount="indefinite" '
        f'values="{values}" keyTimes="{keys}"/>'
    )


def _layout(frames: Sequence[Frame]) -> Layout:
    if not frames:
        raise ValueError("frames: none, expected one or more")
    return Layout(Extent.around([(x, y) for frame in frames for x, y, _ in frame.placed]))


def _tiles(frame: Frame, tile_set: TileSet, layout: Layout) -> list[str]:
    return [tile_at(tile, tile_set, *layout.centre(x, y), CELL) for x, y, tile in frame.placed]


def _words(words: str, layout: Layout) -> str:
    return markup.text(words, layout.left, layout.bottom + _FOOT - 10, palette.TEXT, TEXT_SIZE)


def _document(parts: Sequence[str], words: str, tile_set: TileSet, layout: Layout) -> str:
    width = layout.left + max(layout.width, CAPTION_WIDTH) + PADDING
    return document(f"{game_name(tile_set)} game", words, parts, width, layout.bottom + _FOOT + PADDING)

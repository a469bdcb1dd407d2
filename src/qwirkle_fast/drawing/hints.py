"""Moves to consider, drawn on a board: the first as ghosts of its tiles, each by its rank, and all in a list below."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ..tiles import TileSet
from . import markup, palette
from .extent import Extent
from .markup import PADDING, TEXT_SIZE
from .svg import (
    CELL,
    SMALL_CELL,
    Layout,
    document,
    game_name,
    hands_below,
    hands_width,
    in_reading_order,
    places,
    tile_at,
)

_ROW = 30
_RADIUS = 11
#: In the list the tiles of a move begin here; so wide are a tile, the place that follows, and the words after it.
_TILES, _STEP, _WHERE, _WORDS = 30, SMALL_CELL + 2, 80, 230


class Suggestion(NamedTuple):
    """A move and a few words about it, such as its equity.

    ``placed``: the tiles that it lays as ``(x, y, tile)``, by y, then x; ``exchanged``: those that it gives away.
    """

    placed: Sequence[tuple[int, int, int]]
    exchanged: Sequence[int]
    words: str


def hints_svg(
    cells: Iterable[tuple[int, int, int]],
    tile_set: TileSet,
    suggestions: Sequence[Suggestion],
    *,
    hands: Sequence[tuple[Sequence[int], int]] = (),
) -> str:
    """The picture of a board as ``board_svg`` draws it, with moves to consider, best first."""
    placed = in_reading_order(cells)
    ghosts = {(x, y): tile for x, y, tile in (suggestions[0].placed if suggestions else ())}
    badges = _badges(suggestions)
    layout = Layout(Extent.around([*placed, *ghosts, *badges]))
    parts = [*layout.grid(), *layout.tiles(placed, tile_set)]
    for cell, tile in ghosts.items():
        corner = layout.corner(*cell)
        parts.append(f'<g opacity="0.6">{tile_at(tile, tile_set, *layout.centre(*cell), CELL)}</g>')
        parts.append(_dashes(*corner))
    for cell, rank in badges.items():
        x, y = layout.corner(*cell) if cell in ghosts else layout.centre(*cell)
        parts.append(_badge(rank, x + (8 if cell in ghosts else 0), y + (8 if cell in ghosts else 0)))
    most = max((len(suggestion.placed or suggestion.exchanged) for suggestion in suggestions), default=0)
    where = _TILES + most * _STEP + 8
    content = max(layout.width, hands_width(hands), where + _WHERE + _WORDS if suggestions else 0)
    bottom = layout.bottom
    if hands:
        drawn, bottom = hands_below(hands, tile_set, layout.left, bottom + PADDING)
        parts += drawn
    bottom += PADDING / 2
    for rank, suggestion in enumerate(suggestions, 1):
        parts += _row(rank, suggestion, tile_set, layout.left, bottom, layout.left + where)
        bottom += _ROW
    title = f"{game_name(tile_set)} board with {len(suggestions)} moves to consider"
    described = [places(placed, tile_set)] + [
        f"{rank}: {_in_words(suggestion, tile_set)}, {suggestion.words}"
        for rank, suggestion in enumerate(suggestions, 1)
    ]
    return document(title, ". ".join(filter(None, described)), parts, layout.left + content + PADDING, bottom + PADDING)


def _badges(suggestions: Sequence[Suggestion]) -> dict[tuple[int, int], int]:
    """The cell that tells the rank of each: its first that has no better one's."""
    badges: dict[tuple[int, int], int] = {}
    ghosts = {(x, y) for x, y, _ in (suggestions[0].placed if suggestions else ())}
    for rank, suggestion in enumerate(suggestions, 1):
        free = [(x, y) for x, y, _ in suggestion.placed if (x, y) not in badges and (rank == 1 or (x, y) not in ghosts)]
        if free:
            badges[free[0]] = rank
    return badges


def _dashes(x: float, y: float) -> str:
    frame = f'<rect x="{x + 2:.2f}" y="{y + 2:.2f}" width="{CELL - 4}" height="{CELL - 4}" rx="6" fill="none" stroke'
    dashed = 'stroke-width="2.5" stroke-dasharray="6 4"'
    return f'{frame}="{palette.WHITE}" stroke-width="4"/>{frame}="{palette.HIGHLIGHT}" {dashed}/>'


def _badge(rank: int, x: float, y: float) -> str:
    inks = f'fill="{palette.WHITE}" stroke="{palette.HIGHLIGHT}" stroke-width="2"'
    circle = f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{_RADIUS}" {inks}/>'
    return circle + markup.text(str(rank), x, y + 4.5, palette.TEXT, 13, ' text-anchor="middle" font-weight="600"')


def _row(rank: int, suggestion: Suggestion, tile_set: TileSet, left: float, top: float, column: float) -> list[str]:
    middle = top + _ROW / 2
    parts = [_badge(rank, left + _RADIUS, middle)]
    tiles = [tile for _, _, tile in suggestion.placed] or suggestion.exchanged
    for i, tile in enumerate(tiles):
        x = left + _TILES + (i + 0.5) * _STEP
        parts.append(tile_at(tile, tile_set, x, middle, SMALL_CELL))
    where = "exchange" if suggestion.exchanged else "pass"
    if suggestion.placed:
        (x, y, _), (_, last, _) = suggestion.placed[0], suggestion.placed[-1]
        where = f"{x},{y}" + ("" if len(suggestion.placed) == 1 else " \u2193" if last > y else " \u2192")
    baseline = middle + TEXT_SIZE * 0.35
    parts.append(markup.text(where, column, baseline, palette.LABEL, 13))
    parts.append(markup.text(suggestion.words, column + _WHERE, baseline, palette.TEXT, TEXT_SIZE))
    return parts


def _in_words(suggestion: Suggestion, tile_set: TileSet) -> str:
    if suggestion.placed:
        return ", ".join(f"{tile_set.describe(tile)} on {x},{y}" for x, y, tile in suggestion.placed)
    return f"exchange {', '.join(map(tile_set.describe, suggestion.exchanged))}" if suggestion.exchanged else "pass"

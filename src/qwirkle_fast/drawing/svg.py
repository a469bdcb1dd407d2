"""Boards as SVG pictures, complete in themselves: no fonts, scripts, styles or pictures from elsewhere."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from ..tiles import BACKGROUNDS, COLOURS, HAND_SIZE, TileSet
from . import markup, palette
from .extent import Extent
from .markup import LABEL_SIZE, LETTER_WIDTH, PADDING, TEXT_SIZE, number
from .shapes import PATHS

#: The side of a cell, in the picture's units.
CELL = 44
#: The side of a tile in a hand that is not the mover's.
SMALL_CELL = 22
#: The names of the hands stand in a column of this width; the tiles follow.
HAND_INDENT = 80
#: The free border of the mover's rack.
RACK_BORDER = 6
#: A caption is given at least this width, however small the board.
CAPTION_WIDTH = 320
#: The picture is shown at its own size up to this width, and scaled down beyond.
WIDEST = 1600

LINE_HEIGHT = 22
#: A column label longer than this is turned to run upwards.
LABEL_LIMIT = 4

#: Flex shapes are drawn this much smaller, to leave room for their outlines and show more of the background.
FLEX_SHAPE = 0.86

#: A tile's body is 92 units wide with corners of radius 13, on the 100 by 100 units of its cell.
_BODY = '<rect x="-46" y="-46" width="92" height="92" rx="13"'
#: The upper left half of a body, cut from corner to corner.
_HALF_BODY = "M-42.19 42.19A13 13 0 0 1-46 33V-33A13 13 0 0 1-33-46H33A13 13 0 0 1 42.19-42.19Z"


def board_svg(
    cells: Iterable[tuple[int, int, int]],
    tile_set: TileSet,
    *,
    hands: Sequence[tuple[Sequence[int], int]] = (),
    highlight: Iterable[tuple[int, int]] = (),
    caption: str = "",
) -> str:
    """The picture of a board, and of what belongs to it, as the text of an SVG document.

    ``cells``: the tiles as ``(x, y, tile)``, x to the right and y downwards.  ``hands``: for each player, the mover
    first, the known tiles and the number of hidden ones; the mover's are drawn large.  ``highlight``: cells to outline,
    such as those of the last move.  ``caption``: text to put below.  The same arguments give the same text.
    ``ValueError`` when the cells are too far apart to draw.
    """
    placed = in_reading_order(cells)
    outlined = sorted(set(highlight), key=_reading_order)
    layout = Layout(Extent.around([*placed, *outlined]))
    parts = [*layout.grid(), *layout.tiles(placed, tile_set), *layout.outlines(outlined)]
    content = max(layout.width, hands_width(hands), CAPTION_WIDTH if caption else 0)
    bottom = layout.bottom
    if hands:
        drawn, bottom = hands_below(hands, tile_set, layout.left, bottom + PADDING)
        parts += drawn
    if caption:
        drawn, bottom = caption_below(caption, layout.left, bottom, content)
        parts += drawn
    title = f"{game_name(tile_set)} board, {_count(len(placed), 'tile')}"
    return document(title, places(placed, tile_set), parts, layout.left + content + PADDING, bottom + PADDING)


def in_reading_order(cells: Iterable[tuple[int, int, int]]) -> dict[tuple[int, int], int]:
    """The tiles by cell, in rows from the top, each from the left."""
    tiles = {(x, y): tile for x, y, tile in cells}
    return {cell: tiles[cell] for cell in sorted(tiles, key=_reading_order)}


def game_name(tile_set: TileSet) -> str:
    return f"Qwirkle{' Flex' if tile_set.backgrounds > 1 else ''}"


def places(placed: dict[tuple[int, int], int], tile_set: TileSet) -> str:
    """Where each tile lies, in words."""
    return "; ".join(f"{tile_set.describe(tile)} at {x},{y}" for (x, y), tile in placed.items())


class Layout:
    """Where the cells of a picture are, with the coordinates at the left and above."""

    def __init__(self, extent: Extent) -> None:
        self.extent = extent
        self.left = PADDING + max(len(str(y)) for y in extent.rows) * LABEL_SIZE * LETTER_WIDTH + 8
        longest = max(len(str(x)) for x in extent.columns)
        self.top = PADDING + (LABEL_SIZE if longest <= LABEL_LIMIT else longest * LABEL_SIZE * LETTER_WIDTH) + 8
        self.width = len(extent.columns) * CELL
        self.bottom = self.top + len(extent.rows) * CELL

    def corner(self, x: int, y: int) -> tuple[float, float]:
        """The top left corner of a cell."""
        return self.left + (x - self.extent.left) * CELL, self.top + (y - self.extent.top) * CELL

    def centre(self, x: int, y: int) -> tuple[float, float]:
        return self.left + (x - self.extent.left + 0.5) * CELL, self.top + (y - self.extent.top + 0.5) * CELL

    def grid(self) -> list[str]:
        return _grid(self.extent, self.left, self.top)

    def tiles(self, placed: dict[tuple[int, int], int], tile_set: TileSet) -> list[str]:
        return [tile_at(tile, tile_set, *self.centre(*cell), CELL) for cell, tile in placed.items()]

    def outlines(self, cells: Iterable[tuple[int, int]]) -> list[str]:
        return [_outline(*self.corner(*cell)) for cell in cells]


def document(title: str, description: str, parts: Sequence[str], width: float, height: float) -> str:
    """The whole picture of a board, scaled down where it is very wide."""
    return markup.document(title, description or "no tiles", parts, width, height, min(1.0, WIDEST / width))


def _reading_order(cell: tuple[int, int]) -> tuple[int, int]:
    """The key that sorts cells into rows from the top, each from the left."""
    x, y = cell
    return y, x


def _count(n: int, what: str) -> str:
    return f"{n or 'no'} {what}{'' if n == 1 else 's'}"


def _grid(extent: Extent, left: float, top: float) -> list[str]:
    """The cells' lines and the coordinates beside them."""
    right, bottom = left + len(extent.columns) * CELL, top + len(extent.rows) * CELL
    lines = [f"M{number(left + i * CELL)} {number(top)}V{number(bottom)}" for i in range(len(extent.columns) + 1)]
    lines += [f"M{number(left)} {number(top + i * CELL)}H{number(right)}" for i in range(len(extent.rows) + 1)]
    parts = [f'<path d="{"".join(lines)}" fill="none" stroke="{palette.GRID}" stroke-width="1"/>']
    upwards = max(len(str(x)) for x in extent.columns) > LABEL_LIMIT
    for i, x in enumerate(extent.columns):
        middle = left + (i + 0.5) * CELL
        if upwards:
            turn = f' transform="rotate(-90 {number(middle)} {number(top - 8)})"'
            parts.append(markup.text(str(x), middle, top - 8 + LABEL_SIZE * 0.35, palette.LABEL, LABEL_SIZE, turn))
        else:
            parts.append(markup.text(str(x), middle, top - 8, palette.LABEL, LABEL_SIZE, ' text-anchor="middle"'))
    for i, y in enumerate(extent.rows):
        middle = top + (i + 0.5) * CELL + LABEL_SIZE * 0.35
        parts.append(markup.text(str(y), left - 8, middle, palette.LABEL, LABEL_SIZE, ' text-anchor="end"'))
    return parts


def tile_at(tile: int, tile_set: TileSet, x: float, y: float, side: float) -> str:
    return f"{_placed(x, y, side)}<title>{tile_set.describe(tile)}</title>{tile_drawing(tile, tile_set)}</g>"


def tile_drawing(tile: int, tile_set: TileSet) -> str:
    """A tile on the 100 by 100 units around 0,0."""
    colour = palette.PALETTE[COLOURS[tile_set.colour(tile)]]
    path = PATHS[tile_set.shape(tile)]
    body, outlines = _dress(tile, tile_set)
    shape = f'<path d="{path}" fill="{colour}"/>'
    if outlines:
        rings = "".join(f'<path d="{path}" stroke="{ink}" stroke-width="{width}"/>' for ink, width in outlines)
        shape = f'<g transform="scale({FLEX_SHAPE})" stroke-linejoin="round">{rings}{shape}</g>'
    return body + shape


def _placed(x: float, y: float, side: float) -> str:
    return f'<g transform="translate({number(x)} {number(y)}) scale({number(side / 100)})">'


def _dress(tile: int, tile_set: TileSet) -> tuple[str, list[tuple[str, int]]]:
    """A tile's body, and the outlines of its shape from the outside in, which part the shape from that body."""
    white = f'{_BODY} fill="{palette.FLEX_WHITE}" stroke="{palette.TILE_EDGE}" stroke-width="2"/>'
    if tile_set.backgrounds == 1:
        return f'{_BODY} fill="{palette.TILE_BODY}"/>', []
    match BACKGROUNDS[tile_set.background(tile)]:
        case "k":
            return f'{_BODY} fill="{palette.FLEX_BLACK}"/>', [(palette.WHITE, 5)]
        case "w":
            return white, [(palette.BLACK, 5)]
        case _:
            half = f'<path d="{_HALF_BODY}" fill="{palette.FLEX_BLACK}"/>'
            return white + half, [(palette.WHITE, 12), (palette.BLACK, 5)]


def _back(x: float, y: float, side: float) -> str:
    return f"{_placed(x, y, side)}<title>hidden tile</title>{back()}</g>"


def back() -> str:
    """The back of a tile on the 100 by 100 units around 0,0."""
    frame = f'<rect x="-32" y="-32" width="64" height="64" rx="8" fill="none" stroke="{palette.BACK_FRAME}"'
    return f'{_BODY} fill="{palette.BACK}"/>{frame} stroke-width="4"/>'


def _outline(x: float, y: float) -> str:
    """A frame around a cell, edged in white to be seen on dark tiles by every eye."""
    frame = (
        f'<rect x="{number(x + 1)}" y="{number(y + 1)}" width="{CELL - 2}" height="{CELL - 2}" rx="7" fill="none" '
        "stroke"
    )
    return f'{frame}="{palette.WHITE}" stroke-width="6"/>{frame}="{palette.HIGHLIGHT}" stroke-width="3"/>'


def hands_width(hands: Sequence[tuple[Sequence[int], int]]) -> float:
    if not hands:
        return 0
    mover, *others = (len(tiles) + hidden for tiles, hidden in hands)
    rack = max(mover, HAND_SIZE) * CELL + 2 * RACK_BORDER
    return HAND_INDENT + max(rack, max(others, default=0) * SMALL_CELL)


def hands_below(
    hands: Sequence[tuple[Sequence[int], int]], tile_set: TileSet, left: float, top: float
) -> tuple[list[str], float]:
    """The hands one below the other, the mover's on a rack, and where they end."""
    parts: list[str] = []
    for player, (tiles, hidden) in enumerate(hands):
        if player == 0:
            side, start, height = CELL, left + HAND_INDENT + RACK_BORDER, CELL + 2 * RACK_BORDER
            parts.append(
                f'<rect x="{number(left + HAND_INDENT)}" y="{number(top)}" height="{height}" '
                f'width="{max(len(tiles) + hidden, HAND_SIZE) * CELL + 2 * RACK_BORDER}" rx="9" fill="{palette.TRAY}"/>'
            )
        else:
            side, start, height = SMALL_CELL, left + HAND_INDENT, SMALL_CELL
        middle = top + height / 2
        baseline = middle + TEXT_SIZE * 0.35
        parts.append(markup.text(_player_name(player), left, baseline, palette.TEXT, TEXT_SIZE))
        if not tiles and not hidden:
            parts.append(markup.text("no tiles", start, baseline, palette.LABEL, TEXT_SIZE))
        for i, tile in enumerate(tiles):
            parts.append(tile_at(tile, tile_set, start + (i + 0.5) * side, middle, side))
        for i in range(len(tiles), len(tiles) + hidden):
            parts.append(_back(start + (i + 0.5) * side, middle, side))
        top += height + 8
    return parts, top


def _player_name(player: int) -> str:
    return ("To move", "Next", "3rd")[player] if player < 3 else f"{player + 1}th"


def caption_below(text: str, left: float, bottom: float, width: float) -> tuple[list[str], float]:
    """Lines of text below what ends there, and where they end."""
    parts = []
    for line in _wrapped(text, int(width / (TEXT_SIZE * LETTER_WIDTH))):
        bottom += LINE_HEIGHT
        parts.append(markup.text(line, left, bottom, palette.TEXT, TEXT_SIZE))
    return parts, bottom + LINE_HEIGHT - TEXT_SIZE


def _wrapped(text: str, columns: int) -> list[str]:
    """The text in lines of at most so many characters; its own line breaks are kept."""
    lines = []
    for paragraph in text.splitlines():
        lines += textwrap.wrap(paragraph, columns, break_on_hyphens=False) or [""]
    return lines

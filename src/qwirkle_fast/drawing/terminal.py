"""Boards and hands as text, plain or in colour.

The coloured text is the plain text with colours put on: without its escape codes it is the same, so that nothing is
told by colour alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..tiles import TileSet
from .extent import Extent
from .palette import BLACK, FLEX_BLACK, FLEX_MIXED, FLEX_WHITE, INK_ON, PALETTE, WHITE

_RESET = "\x1b[0m"
_DIM = "\x1b[2m"
_BOLD = "\x1b[1m"
_EMPTY = "."
#: The ink and the ground of a Flex tile's third letter.
_BACKGROUND_STYLE = {"k": (WHITE, FLEX_BLACK), "w": (BLACK, FLEX_WHITE), "m": (BLACK, FLEX_MIXED)}
#: A column label longer than this is written downwards, a character a line, instead of spreading the columns.
_LABEL_LIMIT = 3


def board_text(cells: Iterable[tuple[int, int, int]], tile_set: TileSet, *, colour: bool) -> str:
    """The board as a grid of tile codes, ``.`` for an empty cell, with the coordinates above and at the left.

    >>> from qwirkle_fast.tiles import CLASSIC
    >>> print(board_text([(0, 0, CLASSIC.tile("Rs")), (1, 0, CLASSIC.tile("Bs"))], CLASSIC, colour=False))
       -1  0  1  2
    -1  .  .  .  .
     0  . Rs Bs  .
     1  .  .  .  .
    """
    placed = {(x, y): tile for x, y, tile in cells}
    extent = Extent.around(placed)
    column_labels = [str(x) for x in extent.columns]
    row_labels = [str(y) for y in extent.rows]
    longest = max(map(len, column_labels))
    width = max(len(tile_set.codes[0]), longest if longest <= _LABEL_LIMIT else 0)
    margin = max(map(len, row_labels))

    lines = []
    for labels in [column_labels] if longest <= width else _downwards(column_labels):
        header = " " * margin + "".join(" " + label.rjust(width) for label in labels)
        lines.append(_styled(header, _DIM, colour))
    for y, label in zip(extent.rows, row_labels, strict=True):
        line = [_styled(label.rjust(margin), _DIM, colour)]
        for x in extent.columns:
            tile = placed.get((x, y))
            if tile is None:
                line.append(" " * width + _styled(_EMPTY, _DIM, colour))
            else:
                line.append(" " * (1 + width - len(tile_set.codes[tile])) + _tile_text(tile, tile_set, colour))
        lines.append("".join(line))
    return "\n".join(lines)


def hand_text(tiles: Sequence[int], hidden: int, tile_set: TileSet, *, colour: bool) -> str:
    """A hand on one line: the codes of its known tiles, then ``?n`` for n hidden ones; ``-`` when it is empty.

    >>> from qwirkle_fast.tiles import CLASSIC
    >>> hand_text([CLASSIC.tile("Rs"), CLASSIC.tile("Bc")], 4, CLASSIC, colour=False)
    'Rs Bc ?4'
    """
    words = [_tile_text(tile, tile_set, colour) for tile in tiles]
    if hidden:
        words.append(f"?{hidden}")
    return " ".join(words) or "-"


def _downwards(labels: list[str]) -> list[list[str]]:
    """The labels turned to run downwards: the lines of their characters, ending on the same line."""
    longest = max(map(len, labels))
    return [list(line) for line in zip(*(label.rjust(longest) for label in labels), strict=True)]


def _tile_text(tile: int, tile_set: TileSet, colour: bool) -> str:
    code = tile_set.codes[tile]
    if not colour:
        return code
    symbol, background = code[:2], code[2:]
    text = _run(symbol, INK_ON[code[0]], PALETTE[code[0]])
    return text + _run(background, *_BACKGROUND_STYLE[background]) if background else text


def _run(text: str, ink: str, ground: str) -> str:
    return f"{_BOLD}\x1b[38;2;{_channels(ink)};48;2;{_channels(ground)}m{text}{_RESET}"


def _channels(colour: str) -> str:
    return ";".join(str(int(colour[i : i + 2], 16)) for i in (1, 3, 5))


def _styled(text: str, style: str, colour: bool) -> str:
    return f"{style}{text}{_RESET}" if colour else text

"""Every tile of both games as a named symbol of one SVG document, for pages that draw boards themselves."""

from __future__ import annotations

from ..tiles import CLASSIC, COLOURS, FLEX, TileSet
from . import palette
from .svg import back, tile_drawing

#: A letter stands in the lower right corner, where no shape reaches.
_LETTER = (
    '<text class="letter" x="35" y="40" text-anchor="middle" font-size="20" font-weight="600" font-family="sans-serif"'
)


def sprite_svg() -> str:
    """The document: symbols ``tile-Rs``, ``tile-Rsk`` and so on, and ``tile-back`` for a hidden tile.

    Each has the letter of its colour in a corner, as ``<text class="letter">``, which a page may leave out.
    """
    symbols = [_symbol("back", back())]
    for tile_set in (CLASSIC, FLEX):
        symbols += [
            _symbol(code, tile_drawing(tile, tile_set) + _letter(tile, tile_set))
            for tile, code in enumerate(tile_set.codes)
        ]
    return "\n".join(['<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0">', *symbols, "</svg>\n"])


def _symbol(name: str, drawing: str) -> str:
    return f'<symbol id="tile-{name}" viewBox="-50 -50 100 100">{drawing}</symbol>'


def _letter(tile: int, tile_set: TileSet) -> str:
    dark = tile_set.backgrounds == 1 or tile_set.background(tile) == 0
    ink = palette.WHITE if dark else palette.BLACK
    return f'{_LETTER} fill="{ink}">{COLOURS[tile_set.colour(tile)]}</text>'

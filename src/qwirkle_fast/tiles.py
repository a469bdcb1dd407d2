"""Tiles and the two tile sets.

A tile is a small integer, its place in *code order*: colour first, then shape, then (Flex only) background.
A *symbol* is what decides lines, colour and shape together: ``colour * 6 + shape``, 0 to 35.  In the classic set
a tile is its symbol; in the Flex set it is ``symbol * 3 + background``.
"""

from __future__ import annotations

COLOURS = "ROYGBP"
COLOUR_NAMES = ("red", "orange", "yellow", "green", "blue", "purple")
SHAPES = "cxdstv"
SHAPE_NAMES = ("circle", "cross", "diamond", "square", "star", "clover")
BACKGROUNDS = "kwm"
BACKGROUND_NAMES = ("black", "white", "mixed")

SYMBOLS = 36
HAND_SIZE = 6
LINE_LIMIT = 6


class TileSet:
    """The tiles of one game: their codes, and the way from a tile to its colour, shape and background.

    >>> CLASSIC.codes[:3], len(FLEX.codes)
    (('Rc', 'Rx', 'Rd'), 108)
    >>> FLEX.tile("Rsk"), FLEX.symbol(FLEX.tile("Rsk")), CLASSIC.tile("Rs")
    (9, 3, 3)
    >>> FLEX.describe(FLEX.tile("Rsm"))
    'red square on mixed'
    """

    __slots__ = ("backgrounds", "codes", "name", "tiles")

    def __init__(self, name: str, backgrounds: str) -> None:
        self.name = name
        self.backgrounds = len(backgrounds) or 1
        self.codes = tuple(c + s + b for c in COLOURS for s in SHAPES for b in backgrounds or ("",))
        self.tiles = {code: tile for tile, code in enumerate(self.codes)}

    def tile(self, code: str) -> int:
        """The tile of a code; ``KeyError`` when there is none."""
        return self.tiles[code]

    def symbol(self, tile: int) -> int:
        return tile // self.backgrounds

    def colour(self, tile: int) -> int:
        return tile // self.backgrounds // 6

    def shape(self, tile: int) -> int:
        return tile // self.backgrounds % 6

    def background(self, tile: int) -> int:
        """0 to 2 in the order of ``BACKGROUNDS``; always 0 in the classic set."""
        return tile % self.backgrounds

    def describe(self, tile: int) -> str:
        """The tile in words, for titles and screen readers."""
        words = f"{COLOUR_NAMES[self.colour(tile)]} {SHAPE_NAMES[self.shape(tile)]}"
        return words if self.backgrounds == 1 else f"{words} on {BACKGROUND_NAMES[self.background(tile)]}"


CLASSIC = TileSet("classic", "")
FLEX = TileSet("flex", BACKGROUNDS)

"""Every colour of the pictures.

The six tile colours were searched for, not picked: each had to stay close to what its name promises while every pair
stayed apart, and each apart from the dark body, for normal sight and for simulated protanopia, deuteranopia and
tritanopia.  The least difference of two (CIEDE2000) is 29 for normal sight, red and orange, and 16 for each
deficiency.  Where a deficiency takes the hue away, lightness is left: purple is light because blue is dark, and orange
lies between red and yellow.  ``tests/test_drawing.py`` measures all this.
"""

from __future__ import annotations

from typing import Final

#: The tile colours by the letter of their code.
PALETTE: Final[dict[str, str]] = {
    "R": "#d73b38",
    "O": "#f28c1b",
    "Y": "#fff44c",
    "G": "#33ce8d",
    "B": "#2c6dc7",
    "P": "#c98cff",
}

#: The colour of text on each tile colour, so that the text can be read.
INK_ON: Final[dict[str, str]] = {
    "R": "#ffffff",
    "O": "#000000",
    "Y": "#000000",
    "G": "#000000",
    "B": "#ffffff",
    "P": "#000000",
}

BLACK: Final = "#000000"
WHITE: Final = "#ffffff"

#: The body of a classic tile.
TILE_BODY: Final = "#141417"
#: The bodies of Flex tiles; a mixed one is half of each.
FLEX_BLACK: Final = "#0c0c0e"
FLEX_WHITE: Final = "#ffffff"
#: Where only one colour can be shown, a mixed tile is the grey between its halves.
FLEX_MIXED: Final = "#8c8c8c"
#: The edge that keeps a white body apart from the page.
TILE_EDGE: Final = "#77736a"

#: The back of a tile that is not known, and the frame drawn on it.
BACK: Final = "#8d877b"
BACK_FRAME: Final = "#c9c3b6"

PAGE: Final = "#efece5"
GRID: Final = "#d9d4c9"
TRAY: Final = "#ddd8cd"
LABEL: Final = "#5f584d"
TEXT: Final = "#2b2822"
#: The outline of cells pointed at: as far from a dark body as from the page, and none of the six.
HIGHLIGHT: Final = "#d6007f"

"""The six shapes as SVG paths, on a tile of 100 by 100 units whose centre is 0,0.

All stay inside 40 units of the centre, so that an outline still fits on the tile.  They are drawn to differ in what
survives at 16 pixels: the cross has four blunt arms along the diagonals, the star eight sharp rays, the clover four
round lobes along the axes with deep notches between them, and the diamond is no square turned: it is taller than wide.
"""

from __future__ import annotations

from typing import Final

from ..tiles import SHAPES

#: The path of each shape by the letter of its code.
SHAPE_PATHS: Final[dict[str, str]] = {
    "c": "M-33 0A33 33 0 1 1 33 0A33 33 0 1 1-33 0Z",
    "x": "M0-14.8L19.4-34.3L34.3-19.4L14.8 0L34.3 19.4L19.4 34.3L0 14.8"
    "L-19.4 34.3L-34.3 19.4L-14.8 0L-34.3-19.4L-19.4-34.3Z",
    "d": "M0-39L34 0L0 39L-34 0Z",
    "s": "M-28-28H28V28H-28Z",
    "t": "M0-40L6.9-16.6L28.3-28.3L16.6-6.9L40 0L16.6 6.9L28.3 28.3L6.9 16.6L0 40L-6.9 16.6L-28.3 28.3L-16.6 6.9L-40 0"
    "L-16.6-6.9L-28.3-28.3L-6.9-16.6Z",
    "v": "M-13.5-13.5A15.7 15.7 0 1 1 13.5-13.5A15.7 15.7 0 1 1 13.5 13.5"
    "A15.7 15.7 0 1 1-13.5 13.5A15.7 15.7 0 1 1-13.5-13.5Z",
}

#: The same, by a shape's number.
PATHS: Final = tuple(SHAPE_PATHS[shape] for shape in SHAPES)

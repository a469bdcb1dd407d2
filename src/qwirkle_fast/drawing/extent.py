"""Which cells a picture shows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

#: The most columns or rows a picture may have.  The tiles of one game, which all touch, cannot span this many.
SPAN_LIMIT = 256


@dataclass(frozen=True)
class Extent:
    """A box of cells, its corners included."""

    left: int
    top: int
    right: int
    bottom: int

    @classmethod
    def around(cls, cells: Iterable[tuple[int, int]]) -> Extent:
        """The box of the cells and one free cell on every side, where the next tile may go; of none, the cell 0,0.

        ``ValueError`` when the cells are too far apart to draw.
        """
        corners = list(cells)
        if not corners:
            return cls(0, 0, 0, 0)
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        extent = cls(min(xs) - 1, min(ys) - 1, max(xs) + 1, max(ys) + 1)
        for name, span in (("columns", len(extent.columns)), ("rows", len(extent.rows))):
            if span > SPAN_LIMIT:
                raise ValueError(f"board: {span} {name} to draw, expected at most {SPAN_LIMIT}")
        return extent

    @property
    def columns(self) -> range:
        """The x of each column, from the left."""
        return range(self.left, self.right + 1)

    @property
    def rows(self) -> range:
        """The y of each row, from the top."""
        return range(self.top, self.bottom + 1)

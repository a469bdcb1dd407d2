"""Makes the pictures of this folder: ``python docs/images/draw.py``.

What a picture says of a position, it asks the package; where a page repeats a number, an assertion here holds it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path
from xml.sax.saxutils import escape

import qwirkle_fast as qf
from qwirkle_fast._core import Grid
from qwirkle_fast.cli.review import chart
from qwirkle_fast.drawing import palette
from qwirkle_fast.drawing.svg import tile_at
from qwirkle_fast.tiles import CLASSIC, COLOUR_NAMES, FLEX, SHAPE_NAMES, SYMBOLS

HERE = Path(__file__).parent

FONT = "system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif"
MONO = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace"
INK = palette.TEXT
SOFT = palette.LABEL
PALE = palette.GRID
MARK = palette.HIGHLIGHT
WASH = "#f9dcea"
GOOD = "#1d7a4b"
CARD = "#f8f6f1"

EXAMPLE_GAME = (
    ("Rv@0,0+Rd@1,0+Rc@2,0", 3),
    ("Rs@3,0+Bs@3,1+Ps@3,2", 7),
    ("Bc@2,1", 4),
    ("Gv@0,-1+Gd@1,-1", 6),
    ("Gt@-1,-1+Gc@2,-1", 7),
    ("Ys@3,3+Rs@4,3", 6),
    ("Yt@-1,-2+Ot@-1,-3", 3),
    ("Ox@0,-3+Od@1,-3", 3),
    ("Yd@1,-2+Yc@2,-2", 10),
    ("Rt@-1,0", 9),
    ("Px@4,-1+Rx@4,0+Bx@4,1", 18),
    ("Gs@3,4+Os@4,4", 9),
)
EXAMPLE_END = "-1,-3:OtOxOd/Yt1YdYc/GtGvGdGc1Px/RtRvRdRcRsRx/3BcBsBx/4Ps/4YsRs/4GsOs RcRdBxGtPsYv/?6 45/40 classic"
#: From a greedy game: 26 tiles on the board, and more places to look at than are worth it.
MIDDLE = "0,-3:1PdGdYd/BcPc1Yc/BvPvRvYv1Ot/BsPsRsYs1Yt/2RtYtGtPt/1GdRd1Gd/4Gv/4GxOx YcRxBxOcGxBt/?6 33/39 classic"
#: From a greedy game of Flex, and a move that makes a diagonal of six.
FLEX_BOARD = "-6,-6:GxkRxkPxk/2PdwOdk/3OxwOvk/4OtwGtk/5GswOsk/5GcmGsk/6BsmBvw"
FLEX_MOVE = "Oxk@-5,-7"

Symbols = Collection[int]
Cell = tuple[int, int]


# What the pictures are about, in the plainest terms: a symbol's mates, and what a line of symbols accepts.


def mates(symbol: int) -> set[int]:
    """The symbols that can stand in a line with this one."""
    return {other for other in range(SYMBOLS) if (other // 6 == symbol // 6) != (other % 6 == symbol % 6)}


def accepted(symbols: Iterable[int]) -> set[int]:
    """What a line of these symbols accepts."""
    found = set(range(SYMBOLS))
    for symbol in symbols:
        found &= mates(symbol)
    return found


def bounds(position: qf.Position) -> list[tuple[int, int, int, int, int]]:
    """For each anchor and axis (x, y, axis, bound, best), as the core tells it."""
    grid = position._grid
    assert isinstance(grid, Grid)
    return grid.bounds(position.hand)


def example_game(turns: int = len(EXAMPLE_GAME)) -> qf.Position:
    """The example game of the rules chapter after some turns."""
    position = qf.Position("- RvRdRcYtOsPx/?6 0/0 classic")
    for text, points in EXAMPLE_GAME[:turns]:
        move = qf.Move(text)
        assert position.score(move) == points
        position.push(move)
    return position


class Picture:
    """An SVG document that is put together piece by piece; a cell's place is that of its top left corner."""

    def __init__(self, width: float, height: float, title: str, description: str) -> None:
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" role="img" aria-labelledby="title" aria-describedby="description" '
            f'font-family="{FONT}">',
            f'<title id="title">{escape(title)}</title>',
            f'<desc id="description">{escape(description)}</desc>',
            f'<rect width="{width}" height="{height}" rx="10" fill="{palette.PAGE}"/>',
        ]

    def add(self, part: str) -> None:
        self.parts.append(part)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float = 14,
        colour: str = INK,
        anchor: str = "start",
        bold: bool = False,
        mono: bool = False,
    ) -> None:
        more = ' font-weight="600"' if bold else ""
        more += f' font-family="{MONO}" xml:space="preserve"' if mono else ""
        self.add(
            f'<text x="{x:g}" y="{y:g}" fill="{colour}" font-size="{size:g}" text-anchor="{anchor}"{more}>'
            f"{escape(text)}</text>"
        )

    def lines(self, x: float, y: float, lines: Iterable[str], *, size: float = 14, colour: str = INK) -> None:
        for i, line in enumerate(lines):
            self.text(x, y + i * size * 1.45, line, size=size, colour=colour)

    def rect(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        fill: str = "none",
        stroke: str = "none",
        stroke_width: float = 1,
        radius: float = 0,
        dashed: bool = False,
    ) -> None:
        more = ' stroke-dasharray="5 4"' if dashed else ""
        self.add(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius:g}" fill="{fill}" '
            f'stroke="{stroke}" stroke-width="{stroke_width:g}"{more}/>'
        )

    def path(self, path: str, *, stroke: str = INK, width: float = 1.5, dashed: bool = False) -> None:
        more = ' stroke-dasharray="5 4"' if dashed else ""
        self.add(f'<path d="{path}" fill="none" stroke="{stroke}" stroke-width="{width:g}"{more}/>')

    def arrow(self, x1: float, y1: float, x2: float, y2: float, *, colour: str = MARK, width: float = 2.5) -> None:
        length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
        dx, dy = (x2 - x1) / length, (y2 - y1) / length
        bx, by = x2 - 10 * dx, y2 - 10 * dy
        line = f"M{x1:.4g} {y1:.4g}L{bx:.4g} {by:.4g}"
        self.add(f'<path d="{line}" fill="none" stroke="{palette.PAGE}" stroke-width="{width + 3:g}"/>')
        self.path(line, stroke=colour, width=width)
        head = f"M{x2:.4g} {y2:.4g}L{bx - 5 * dy:.4g} {by + 5 * dx:.4g}L{bx + 5 * dy:.4g} {by - 5 * dx:.4g}Z"
        self.add(f'<path d="{head}" fill="{colour}" stroke="{palette.PAGE}" stroke-width="1"/>')

    def tile(self, code: str, x: float, y: float, side: float, *, faint: bool = False) -> None:
        tile_set = CLASSIC if len(code) == 2 else FLEX
        drawn = tile_at(tile_set.tile(code), tile_set, x + side / 2, y + side / 2, side)
        self.add(f'<g opacity="0.35">{drawn}</g>' if faint else drawn)

    def free(self, x: float, y: float, side: float) -> None:
        """A cell that touches no tile."""
        self.rect(x + 0.5, y + 0.5, side - 1, side - 1, stroke=PALE)

    def edge(
        self, x: float, y: float, side: float, *, fill: str = CARD, stroke: str = SOFT, width: float = 1.5
    ) -> None:
        """A cell beside a tile."""
        self.rect(x + 3, y + 3, side - 6, side - 6, fill=fill, stroke=stroke, stroke_width=width, radius=6, dashed=True)

    def frame(self, x: float, y: float, side: float) -> None:
        for colour, width in ((palette.WHITE, 6.0), (MARK, 3.0)):
            self.rect(x + 1, y + 1, side - 2, side - 2, stroke=colour, stroke_width=width, radius=7)

    def mask(self, x: float, y: float, side: float, symbols: Symbols, *, marked: Symbols = ()) -> None:
        """A set of symbols as the table of all: a row a colour, a column a shape."""
        self.rect(x - 3, y - 3, 6 * side + 6, 6 * side + 6, fill=CARD, stroke=PALE, radius=4)
        for symbol in range(SYMBOLS):
            left, top = x + symbol % 6 * side, y + symbol // 6 * side
            if symbol in symbols:
                self.tile(CLASSIC.codes[symbol], left, top, side)
            else:
                self.add(f'<circle cx="{left + side / 2:g}" cy="{top + side / 2:g}" r="{side / 9:.3g}" fill="{PALE}"/>')
            if symbol in marked:
                self.rect(left + 1, top + 1, side - 2, side - 2, stroke=MARK, stroke_width=2, radius=3)

    def board(self, position: qf.Position, x: float, y: float, side: float, box: tuple[int, int, int, int]) -> None:
        """The cells of a box (left, top, right, bottom): tiles, edges and free cells."""
        tiles = position.board
        for row in range(box[1], box[3] + 1):
            for column in range(box[0], box[2] + 1):
                left, top = x + (column - box[0]) * side, y + (row - box[1]) * side
                if (column, row) in tiles:
                    self.tile(tiles[column, row], left, top, side)
                elif any((column + dx, row + dy) in tiles for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1))):
                    self.edge(left, top, side)
                else:
                    self.free(left, top, side)

    def save(self, name: str) -> None:
        write(name, "\n".join([*self.parts, "</svg>\n"]))


def write(name: str, text: str) -> None:
    (HERE / f"{name}.svg").write_text(text, encoding="utf-8")


# The pages on the rules and on how to begin


def boards() -> None:
    position = example_game(11)
    board = str(position).split(" ")[0]
    position = qf.Position(f"{board} GsOs?4/RcRdBxGtPsYv 31/45 classic")
    position.push(qf.Move("Gs@3,4+Os@4,4"))
    assert str(position) == EXAMPLE_END
    write("board", position._repr_svg_())

    position = qf.Position("RvRdRc BcBsRsPsYtOx/?6 0/3 classic")
    best = position.legal_moves.best()
    assert best is not None
    write("hint", position._repr_svg_())
    position.push(best)
    write("hint-played", position._repr_svg_())

    position = qf.Position(f"{FLEX_BOARD} GtmRckPskOxkBckRvm/?6 30/26 flex")
    position.push(qf.Move(FLEX_MOVE))
    write("flex-board", position._repr_svg_())


def course() -> None:
    """A game in which both take the most points each turn, which the search does not think best."""
    game = qf.Game(11, names=["Ann", "Bob"])
    while not game.is_over:
        position = game.position
        game.play(position.legal_moves.best() or (position.exchanges or [qf.Move.skip()])[-1])
    write("review", chart(game, list(qf.review(game, simulations=4000))))


# The page on the algorithm


def symbols() -> None:
    symbol = CLASSIC.tile("Gs")
    lines = mates(symbol)
    side, left, top = 58, 88, 58
    picture = Picture(
        760,
        432,
        "The 36 symbols as bits",
        "A table of six colours by six shapes, numbered 0 to 35; the mates of the green square are the other symbols "
        "of its row and of its column.",
    )
    for i in range(6):
        picture.text(left + (i + 0.5) * side, top - 12, SHAPE_NAMES[i], size=12, colour=SOFT, anchor="middle")
        picture.text(left - 12, top + (i + 0.5) * side + 5, COLOUR_NAMES[i], size=13, colour=SOFT, anchor="end")
    for other in range(SYMBOLS):
        x, y = left + other % 6 * side, top + other // 6 * side
        if other in lines:
            picture.rect(x, y, side, side, fill=WASH)
        picture.tile(CLASSIC.codes[other], x + 5, y + 2, side - 16, faint=other not in lines and other != symbol)
        picture.text(x + side - 3, y + side - 3, str(other), size=11, colour=SOFT, anchor="end")
    picture.frame(left + symbol % 6 * side + 3, top + symbol // 6 * side, side - 12)

    x = left + 6 * side + 44
    picture.text(x, top - 12, "MATES[21], the green square", size=14, bold=True)
    for row in range(6):
        for column in range(6):
            bit = 6 * row + column
            on = bit in lines
            picture.text(
                x + column * 26 + 8,
                top + (row + 0.5) * side + 7,
                "1" if on else "0",
                size=19,
                colour=MARK if on else "#a39c8e",
                bold=on,
                mono=True,
            )
    picture.lines(
        x + 172,
        top + 1.5 * side - 13,
        ["ten ones:", "five greens,", "five squares,", "not itself"],
        size=13,
        colour=SOFT,
    )
    picture.save("symbols")


def cliques() -> None:
    picture = Picture(
        760,
        268,
        "Why mates two by two are mates all together",
        "Three symbols of one row of the table are mates two by two. Of three symbols at a corner, two share neither "
        "colour nor shape.",
    )
    side, top = 30, 30
    for left, codes, verdict, words in (
        (40, ("Os", "Oc", "Ov"), "a line", "one row (or one column): each two are mates"),
        (420, ("Os", "Oc", "Bs"), "no line", "a corner: orange circle and blue square are not"),
    ):
        places = {}
        for symbol in range(SYMBOLS):
            x, y = left + symbol % 6 * side, top + symbol // 6 * side
            picture.free(x, y, side)
            if CLASSIC.codes[symbol] in codes:
                picture.tile(CLASSIC.codes[symbol], x, y, side)
                places[CLASSIC.codes[symbol]] = (x + side / 2, y + side / 2)
        good = verdict == "a line"
        picture.text(left + 6 * side + 20, top + 40, verdict, size=17, bold=True, colour=GOOD if good else MARK)
        for i, (one, two) in enumerate(((0, 1), (0, 2), (1, 2))):
            first, second = codes[one], codes[two]
            mated = CLASSIC.tile(second) in mates(CLASSIC.tile(first))
            y = top + 62 + i * 34
            picture.tile(first, left + 6 * side + 18, y, 26)
            picture.tile(second, left + 6 * side + 48, y, 26)
            picture.text(
                left + 6 * side + 84, y + 18, "mates" if mated else "no", size=14, colour=GOOD if mated else MARK
            )
        picture.text(left, top + 6 * side + 34, words, size=13, colour=SOFT)
        if not good:
            (x1, y1), (x2, y2) = places["Oc"], places["Bs"]
            picture.path(f"M{x1 + 12} {y1 + 12}L{x2 - 12} {y2 - 12}", stroke=MARK, width=2, dashed=True)
    picture.save("cliques")


def line() -> None:
    codes = ("Rs", "Bs", "Ps")
    side, top = 17, 78
    picture = Picture(
        760,
        226,
        "What a line accepts",
        "The mates of red square, of blue square and of purple square, and their intersection: the orange, the yellow "
        "and the green square.",
    )
    width = 6 * side
    x = 26.0
    for i, code in enumerate(codes):
        picture.tile(code, x + width / 2 - 18, 16, 36)
        picture.mask(x, top, side, mates(CLASSIC.tile(code)))
        picture.text(x + width / 2, top + width + 26, "mates of " + code, size=13, colour=SOFT, anchor="middle")
        x += width
        picture.text(x + 43, top + width / 2 + 7, "AND" if i < 2 else "=", size=18, anchor="middle", bold=True)
        x += 86
    found = accepted(map(CLASSIC.tile, codes))
    assert {CLASSIC.codes[symbol] for symbol in found} == {"Os", "Ys", "Gs"}
    for i, code in enumerate(codes):
        picture.tile(code, x + width / 2 - 54 + 36 * i, 16, 36)
    picture.mask(x, top, side, found)
    picture.text(x + width / 2, top + width + 26, "what the line accepts", size=13, colour=SOFT, anchor="middle")
    picture.save("line")


def edges() -> None:
    position = example_game(3)
    cell = (2, 2)
    x, y = cell
    row = accepted([CLASSIC.tile("Ps")])
    column = accepted([CLASSIC.tile("Rc"), CLASSIC.tile("Bc")])
    both = row & column
    assert [CLASSIC.codes[symbol] for symbol in both] == ["Pc"]
    probe = qf.Position(str(position).split(" ")[0] + " Pc/?6 0/0 classic")
    assert probe.score(qf.Move("Pc@2,2")) == 5

    side, left, top, box = 50, 22, 22, (-1, -1, 4, 3)
    picture = Picture(
        760,
        420,
        "Edges: the empty cells beside the tiles",
        "A board of seven tiles with its edges, and the record of one of them: the runs on its four sides, what its "
        "row and its column accept, and the points of each.",
    )
    picture.board(position, left, top, side, box)
    cx, cy = left + (x - box[0]) * side, top + (y - box[1]) * side
    picture.edge(cx, cy, side, fill=WASH, stroke=MARK, width=2.5)
    picture.edge(left, top + 5 * side + 22, 30)
    picture.text(left + 40, top + 5 * side + 43, "an edge: empty, beside a tile", size=13, colour=SOFT)
    picture.rect(left + 3, top + 5 * side + 65, 24, 24, stroke="#bdb6a8")
    picture.text(left + 40, top + 5 * side + 82, "free: touches no tile, accepts everything", size=13, colour=SOFT)

    x0, mini = 352, 14
    picture.rect(x0, top, 386, 376, fill=CARD, stroke=PALE, radius=8)
    picture.text(x0 + 16, top + 28, "edge 2,2", size=16, bold=True)
    for i, (name, runs, fit, points) in enumerate(
        (
            ("row", (("left", ()), ("right", ("Ps",))), row, 2),
            ("column", (("up", ("Rc", "Bc")), ("down", ())), column, 3),
        )
    ):
        y0 = top + 48 + i * 112
        picture.text(x0 + 16, y0 + 18, name, size=14, bold=True)
        for j, (side_name, codes) in enumerate(runs):
            ys = y0 + 30 + j * 28
            picture.text(x0 + 16, ys + 16, f"run {side_name}", size=13, colour=SOFT)
            for k, code in enumerate(codes):
                picture.tile(code, x0 + 88 + 24 * k, ys, 23)
            if not codes:
                picture.text(x0 + 92, ys + 16, "none", size=13, colour=SOFT)
        picture.mask(x0 + 200, y0 + 6, mini, fit)
        picture.text(x0 + 200 + 6 * mini + 14, y0 + 34, "fit", size=13, colour=SOFT)
        picture.text(x0 + 200 + 6 * mini + 14, y0 + 62, f"{points} points", size=13)
    y0 = top + 48 + 224
    picture.path(f"M{x0 + 16} {y0}H{x0 + 370}", stroke=PALE)
    picture.text(x0 + 16, y0 + 30, "both", size=14, bold=True)
    picture.lines(x0 + 16, y0 + 54, ["row AND column:", "one symbol is left"], size=13, colour=SOFT)
    picture.mask(x0 + 200, y0 + 13, mini, both)
    picture.text(x0 + 200 + 6 * mini + 14, y0 + 41, "fits", size=13, colour=SOFT)
    picture.tile("Pc", x0 + 200 + 6 * mini + 14, y0 + 52, 30)
    picture.save("edges")


def laying() -> None:
    before = example_game(3)
    probe = qf.Position(str(before).split(" ")[0] + " Pc/?6 0/0 classic")
    probe.push(qf.Move("Pc@2,2"))
    side, left, top, box = 50, 22, 22, (0, -1, 5, 3)
    picture = Picture(
        760,
        294,
        "Laying a tile changes four cells",
        "Purple circle is laid at 2,2. The lines through it end at 1,2 and 4,2, at 2,-1 and 2,3: these four edges are "
        "brought up to date, two of them new.",
    )
    picture.board(before, left, top, side, box)

    def corner(cell: Cell) -> tuple[float, float]:
        return left + (cell[0] - box[0]) * side, top + (cell[1] - box[1]) * side

    x, y = corner((2, 2))
    picture.rect(x, y, side, side, fill=palette.PAGE)
    picture.tile("Pc", x, y, side)
    picture.frame(x, y, side)
    for cell in ((1, 2), (2, 3), (4, 2), (2, -1)):
        picture.edge(*corner(cell), side, fill=WASH, stroke=MARK, width=2.5)
    x, y = x + side / 2, y + side / 2
    picture.arrow(x - 22, y, x - side - 2, y)
    picture.arrow(x, y + 22, x, y + side + 2)
    picture.arrow(x + 22, y, x + 2 * side - 14, y)
    picture.arrow(x, y - 22, x, y - 3 * side + 14)
    for i, (name, words) in enumerate(
        (
            ("left", "1,2: beside it, and new"),
            ("right", "4,2: one tile on, was an edge before"),
            ("up", "2,-1: two tiles on, was an edge before"),
            ("down", "2,3: beside it, and new"),
        )
    ):
        picture.text(356, 66 + 26 * i, name, size=14, bold=True)
        picture.text(406, 66 + 26 * i, words, size=14)
    picture.lines(
        356,
        190,
        (
            "The edge under the tile knows how long the runs on its",
            "four sides are, so each end is one jump away. Nothing",
            "is walked over, and no other cell changes.",
        ),
        size=13,
        colour=SOFT,
    )
    picture.save("laying")


def staircase() -> list[Cell]:
    """The widest board there can be: eighteen rows of six, each hung under the last tile of the one before."""
    return [(5 * step + i, step) for step in range(18) for i in range(6)]


def torus() -> None:
    stride, cells, scale = 149, 1 << 14, 3.6
    tiles = staircase()
    assert len(tiles) == 108
    assert 1 + max(x for x, _ in tiles) == 91
    rows = cells / stride
    left, top = 64, 66
    width, height = stride * scale, rows * scale
    picture = Picture(
        760,
        520,
        "The board as a torus",
        "16384 cells in rows of 149. The widest board there can be, a staircase of eighteen rows of six, is 91 cells "
        "wide; with all that a question looks at it stays within 107.",
    )
    picture.text(left, 26, "16,384 cells in rows of 149: cell = (x + 149 y) mod 16,384", size=15, bold=True)
    picture.rect(left, top, width, height, fill=CARD, stroke=SOFT)
    box_left, box_top = left + 21 * scale, top + 2 * scale
    picture.rect(
        box_left, box_top, 107 * scale, 106 * scale, stroke=MARK, stroke_width=1.5, dashed=True, fill="#fcf1f6"
    )
    for x, y in tiles:
        picture.rect(
            box_left + (x + 8) * scale + 0.3,
            box_top + (y + 44) * scale + 0.3,
            scale - 0.6,
            scale - 0.6,
            fill=palette.TILE_BODY,
        )
    ruler = box_top + 72 * scale
    picture.path(f"M{box_left + 8 * scale:g} {ruler:g}v-8m0 4H{box_left + 99 * scale:g}m0 -4v8", stroke=INK, width=1.2)
    middle = box_left + 53.5 * scale
    picture.text(middle, ruler + 20, "91 cells: 108 tiles reach no further", size=13, anchor="middle")
    picture.text(
        middle, box_top + 24, "107 cells each way: all that matters at once", size=13, anchor="middle", colour=MARK
    )
    row = top + 30 * scale
    right = left + width
    picture.path(f"M{right - 26:g} {row:g}H{right + 4:g}", stroke=GOOD, width=2)
    picture.arrow(right + 4, row, right + 40, row, colour=GOOD, width=2)
    picture.arrow(left - 40, row + scale, left + 12, row + scale, colour=GOOD, width=2)
    picture.lines(right + 10, row + 22, ("off the right end:", "into the next row,", "from the left"), size=12)
    column = left + 136 * scale
    bottom = top + height
    picture.path(f"M{column:g} {bottom - 26:g}V{bottom:g}", stroke=GOOD, width=2)
    picture.arrow(column, bottom, column, bottom + 30, colour=GOOD, width=2)
    picture.arrow(column + 6 * scale, top - 32, column + 6 * scale, top + 14, colour=GOOD, width=2)
    picture.text(column - 12, bottom + 24, "off the bottom: in again at the top", size=12, anchor="end")
    picture.save("torus")


def anchors() -> None:
    side, left, top, pitch = 46, 24, 66, 78
    tiles = {4: "Gs", 5: "Gd"}
    cells = range(1, 10)
    edge_cells = (3, 6, 7)
    cases = (
        ("from 3, over the tiles", {3: "Gc", 6: "Gt"}, 3, (3, 6)),
        ("from 3, backwards", {2: "Gc", 3: "Gt"}, 3, (3, 2)),
        ("from 3, backwards, then on", {2: "Gx", 3: "Gc", 6: "Gt"}, 3, (3, 2, 6)),
        ("from 6, then on", {6: "Gc", 7: "Gv"}, 6, (6, 7)),
    )
    picture = Picture(
        760,
        top + len(cases) * pitch + 4,
        "Each placement is found once, from its anchor",
        "A row with two tiles and three edges, and four placements, each with its anchor, the first edge it covers, "
        "and the order in which its tiles are laid.",
    )
    for x in cells:
        picture.text(left + (x - 0.5) * side, 24, str(x), size=13, colour=SOFT, anchor="middle")
    # The tile above 7 makes that cell an edge.
    picture.tile("Bv", left + 6 * side + 9, 32, 28)
    picture.text(left + 7 * side + 2, 51, "a tile above 7", size=12, colour=SOFT)
    for i, (words, placed, anchor, order) in enumerate(cases):
        y = top + i * pitch
        for x in cells:
            cell_left = left + (x - 1) * side
            if x in tiles:
                picture.tile(tiles[x], cell_left, y, side)
            elif x in edge_cells:
                picture.edge(cell_left, y, side)
            else:
                picture.free(cell_left, y, side)
        for x, code in placed.items():
            cell_left = left + (x - 1) * side
            picture.rect(cell_left, y, side, side, fill=palette.PAGE)
            picture.tile(code, cell_left, y, side)
            if x == anchor:
                picture.frame(cell_left, y, side)
            picture.text(
                cell_left + side / 2,
                y + side + 18,
                ("anchor" if x == anchor else str(order.index(x) + 1)),
                size=12,
                colour=MARK if x == anchor else INK,
                anchor="middle",
                bold=True,
            )
        picture.text(left + 9 * side + 24, y + 28, words, size=15)
    picture.save("anchors")


def record() -> None:
    side, left, top = 44, 28, 74
    picture = Picture(
        760,
        262,
        "A placement in sixteen bytes",
        "Where: x in four bytes, y in four bytes. What: six tiles, the score, the axis. The example is green circle at "
        "3,0 and green star at 6,0.",
    )
    tile = CLASSIC.tile
    values = ["3", "", "", "", "0", "", "", "", str(tile("Gc") + 1), "0", "0", str(tile("Gt") + 1), "0", "0", "4", "0"]
    for x, width, words in ((0, 4, "x"), (4, 4, "y"), (8, 6, "1 + tile, by cell"), (14, 1, "score"), (15, 1, "axis")):
        x0 = left + x * side
        picture.path(f"M{x0 + 3} {top - 8}v-6h{width * side - 6}v6", stroke=SOFT, width=1.2)
        picture.text(x0 + width * side / 2, top - 22, words, size=13, anchor="middle")
    picture.text(left, 22, "where", size=15, bold=True)
    picture.text(left + 8 * side, 22, "what", size=15, bold=True)
    for i, value in enumerate(values):
        if i < 8:
            if i % 4 == 0:
                picture.rect(left + i * side + 1, top, 4 * side - 2, side, fill=CARD, stroke=SOFT, radius=4)
                picture.text(left + (i + 2) * side, top + 29, value, size=18, anchor="middle", mono=True)
            continue
        on = value != "0" and i < 15
        picture.rect(left + i * side + 1, top, side - 2, side, fill=WASH if on else CARD, stroke=SOFT, radius=4)
        picture.text(left + (i + 0.5) * side, top + 29, value, size=18, anchor="middle", mono=True)
    y = top + side + 26
    for i in range(6):
        x = left + (8 + i) * side
        code = {0: "Gc", 1: "Gs", 2: "Gd", 3: "Gt"}.get(i)
        if code:
            picture.tile(code, x, y, side, faint=code in ("Gs", "Gd"))
            if code in ("Gc", "Gt"):
                picture.path(f"M{x + side / 2} {y - 2}V{top + side + 3}", stroke=MARK, width=2)
        else:
            picture.free(x, y, side)
        picture.text(x + side / 2, y + side + 18, f"{3 + i},0", size=12, colour=SOFT, anchor="middle")
    picture.lines(
        left,
        y + 16,
        (
            "To lay a tile is one OR at its byte.",
            "To score a line is one add at the score's byte.",
            "To grow backwards is one shift by a byte.",
        ),
        size=13,
        colour=SOFT,
    )
    picture.save("record")


def ahead() -> None:
    """The bound of one anchor of a real board, term by term."""
    position = qf.Position(MIDDLE)
    # x, y, axis, bound, best
    assert (1, 3, 0, 13, 10) in bounds(position)
    side, left, top, box = 40, 22, 22, (0, -1, 6, 3)
    window = {2: "5", 3: "0", 4: "taken", 5: "2", 6: "0"}
    picture = Picture(
        760,
        388,
        "The bound of one anchor",
        "The anchor 1,3 and the row from there. Its own column is worth 2, the columns ahead 5, 0, 2 and 0, one tile "
        "ahead can be joined, the hand has a set of three: 2 + 7 + 4 is 13.",
    )
    picture.board(position, left, top, side, box)
    x, y = left + side, top + 4 * side
    for cell, value in window.items():
        picture.rect(left + cell * side, y, side, side, fill=WASH if value != "taken" else "none")
        if value != "taken":
            picture.text(left + (cell + 0.5) * side, y + 27, value, size=19, anchor="middle", bold=True, colour=MARK)
    picture.tile("Gv", left + 4 * side, y, side)
    picture.rect(x, y, side, side, fill=palette.PAGE)
    picture.text(x + side / 2, y + 27, "2", size=19, anchor="middle", bold=True, colour=MARK)
    picture.frame(x, y, side)
    picture.path(f"M{x + side + 3} {y + side + 5}v6h{5 * side - 6}v-6", stroke=MARK)
    picture.text(x + 3.5 * side, y + side + 30, "read at once", size=13, anchor="middle", colour=MARK)
    picture.text(left, top + 6 * side + 34, "the hand", size=13, colour=SOFT)
    for i, code in enumerate(("Yc", "Rx", "Bx", "Oc", "Gx", "Bt")):
        picture.tile(code, left + 66 + 36 * i, top + 6 * side + 10, 36)
    picture.lines(
        left,
        top + 6 * side + 74,
        ("Green cross fits the anchor, and is in a set of three", "with red and blue cross: two tiles more, at most."),
        size=12,
        colour=SOFT,
    )
    x0, y0 = 338, top
    picture.rect(x0, y0, 404, 344, fill=CARD, stroke=PALE, radius=8)
    picture.text(x0 + 16, y0 + 30, "In this row, from 1,3, no placement is worth more than", size=13)
    for i, (points, words, more) in enumerate(
        (
            ("2", "the column of the anchor itself", "green cross under green diamond: 2 tiles"),
            ("7", "all columns ahead that could be crossed", "5 + 0 + 2 + 0: a line has six cells, so five are ahead"),
            ("4", "the row itself", "the anchor, two tiles more, and one that lies there"),
        )
    ):
        ys = y0 + 70 + 60 * i
        picture.text(x0 + 40, ys + 6, points, size=24, bold=True, anchor="end", colour=MARK)
        picture.text(x0 + 60, ys, words, size=14)
        picture.text(x0 + 60, ys + 20, more, size=12, colour=SOFT)
    picture.path(f"M{x0 + 16} {y0 + 228}H{x0 + 388}", stroke=SOFT)
    picture.text(x0 + 40, y0 + 264, "13", size=24, bold=True, anchor="end", colour=MARK)
    picture.text(x0 + 60, y0 + 258, "the bound", size=14, bold=True)
    picture.text(x0 + 60, y0 + 278, "too high is allowed, too low never", size=12, colour=SOFT)
    picture.text(x0 + 40, y0 + 318, "10", size=24, bold=True, anchor="end", colour=SOFT)
    picture.text(x0 + 60, y0 + 312, "the best that is there", size=14)
    picture.text(x0 + 60, y0 + 332, str(position.legal_moves.best()), size=12, colour=SOFT)
    picture.save("ahead")


def best_first() -> None:
    position = qf.Position(MIDDLE)
    found = sorted(bounds(position), key=lambda entry: (-entry[3], -entry[4]))
    best = max(entry[4] for entry in found)
    assert best == position.score(position.legal_moves.top(1)[0])
    opened = next(i for i, entry in enumerate(found) if entry[3] < best)
    left, bottom, unit = 58, 210, 14
    width = min(26, 640 / len(found))
    top_bound = found[0][3]
    height = bottom + 64
    picture = Picture(
        760,
        height,
        "Best-first search of one position",
        f"The bound and the true best of each of {len(found)} anchors and axes, highest bound first. The best score "
        f"is {best}; after {opened} of them no bound is left that could reach it.",
    )
    for value in range(0, top_bound + 1, 3):
        y = bottom - value * unit
        picture.path(f"M{left - 6} {y:g}H{left + len(found) * width:g}", stroke=PALE)
        picture.text(left - 12, y + 5, str(value), size=12, colour=SOFT, anchor="end")
    for i, (_, _, _, limit, score) in enumerate(found):
        x = left + i * width
        searched = i < opened
        picture.rect(
            x + 3,
            bottom - limit * unit,
            width - 6,
            limit * unit,
            stroke=MARK if searched else SOFT,
            stroke_width=1.5,
            fill=WASH if searched else CARD,
        )
        if score > 0:
            picture.rect(x + 6, bottom - score * unit, width - 12, score * unit, fill=MARK if searched else "#cbc4b6")
    y = bottom - best * unit
    picture.path(f"M{left - 6} {y:g}H{left + len(found) * width:g}", stroke=INK, width=1.5, dashed=True)
    picture.text(left + len(found) * width, y - 8, f"the best score: {best}", size=13, anchor="end")
    x = left + opened * width
    picture.path(f"M{x:g} {bottom + 8}V{bottom - top_bound * unit:g}", stroke=GOOD, width=2)
    picture.text(
        x + 10, bottom - top_bound * unit + 12, "stop: every bound from here on is lower", size=13, colour=GOOD
    )
    y = bottom + 34
    picture.rect(left, y - 11, 13, 13, fill=WASH, stroke=MARK)
    picture.text(left + 20, y, "bound", size=13)
    picture.rect(left + 84, y - 11, 13, 13, fill=MARK)
    picture.text(left + 104, y, "best placement there", size=13)
    picture.rect(left + 262, y - 11, 13, 13, fill="#cbc4b6")
    picture.text(left + 282, y, "never looked at", size=13)
    picture.save("best-first")


def diagonals() -> None:
    position = qf.Position(f"{FLEX_BOARD} Oxk?5/?6 30/26 flex")
    explanation = position.explain(qf.Move(FLEX_MOVE))
    assert [(line.kind, line.points) for line in explanation.lines] == [
        ("column", 2),
        ("diagonal", 12),
        ("diagonal", 2),
    ]
    side, left, top, box = 42, 22, 22, (-7, -7, 1, 0)
    picture = Picture(
        760,
        380,
        "Diagonals in Flex",
        "An orange cross on black laid at -5,-7 completes a falling diagonal of six black tiles and makes a rising one "
        "of two.",
    )
    picture.board(position, left, top, side, box)

    def middle(cell: Cell) -> tuple[float, float]:
        return left + (cell[0] - box[0] + 0.5) * side, top + (cell[1] - box[1] + 0.5) * side

    x, y = middle((-5, -7))
    picture.rect(x - side / 2, y - side / 2, side, side, fill=palette.PAGE)
    picture.tile("Oxk", x - side / 2, y - side / 2, side)
    for line in explanation.lines[1:]:
        (x1, y1), (x2, y2) = middle(line.cells[0]), middle(line.cells[-1])
        for colour, width in ((palette.WHITE, 8), (MARK, 4)):
            picture.path(f"M{x1:g} {y1:g}L{x2:g} {y2:g}", stroke=colour, width=width)
            for cell in line.cells:
                cx, cy = middle(cell)
                picture.add(f'<circle cx="{cx:g}" cy="{cy:g}" r="{2 + width / 2:g}" fill="{colour}"/>')
    picture.frame(x - side / 2, y - side / 2, side)
    x0 = left + 9 * side + 18
    for i, (points, words, more) in enumerate(
        (
            ("2", "the column", "two crosses; backgrounds are ignored"),
            ("12", "the falling diagonal", "six on black: 6, and 6 more for all six"),
            ("2", "the rising diagonal", "two on black; beyond them the cells are empty"),
        )
    ):
        ys = top + 30 + 58 * i
        picture.text(x0 + 28, ys + 6, points, size=24, bold=True, anchor="end", colour=MARK)
        picture.text(x0 + 42, ys, words, size=14)
        picture.text(x0 + 42, ys + 20, more, size=12, colour=SOFT)
    picture.path(f"M{x0} {top + 186}H{x0 + 300}", stroke=SOFT)
    picture.text(x0 + 28, top + 222, "16", size=24, bold=True, anchor="end", colour=MARK)
    picture.text(x0 + 42, top + 220, "points", size=14, bold=True)
    picture.lines(
        x0,
        top + 262,
        (
            "Beside the black run lies a white one:",
            "another background, another run.",
            "A seventh black tile at either end of the",
            "six would be illegal.",
        ),
        size=13,
        colour=SOFT,
    )
    picture.save("diagonals")


def main() -> None:
    boards()
    course()
    symbols()
    cliques()
    line()
    edges()
    laying()
    torus()
    anchors()
    record()
    ahead()
    best_first()
    diagonals()


if __name__ == "__main__":
    main()

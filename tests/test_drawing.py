"""The pictures: what a reader sees must be true, and must be seen by every eye."""

from __future__ import annotations

import colorsys
import itertools
import math
import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qwirkle_fast.drawing import PALETTE, board_svg, board_text, hand_text
from qwirkle_fast.drawing import palette as colours
from qwirkle_fast.tiles import CLASSIC, COLOURS, FLEX, SHAPES, TileSet

#: The floors this palette is held to: CIEDE2000 between any two tile colours.  Some 2.3 is just noticeable side by
#: side; 10 or more is plain to see apart from each other.
NORMAL_FLOOR = 27.0
DEFICIENT_FLOOR = 15.5
#: The least luminance ratio (WCAG 2) between a shape and the dark tile it lies on.
BODY_CONTRAST_FLOOR = 2.75

SVG = "{http://www.w3.org/2000/svg}"
SGR = re.compile(r"\x1b\[([0-9;]*)m")

# ---------------------------------------------------------------------------------------------------------------------
# Colour science, written from the standards: sRGB (IEC 61966-2-1), CIE Lab under D65, CIEDE2000 (Sharma, Wu and Dalal
# 2005), and three models of dichromacy, all on linear RGB.

Triple = tuple[float, float, float]
Matrix = tuple[Triple, Triple, Triple]

RGB_TO_XYZ: Matrix = (
    (0.4123908, 0.3575843, 0.1804808),
    (0.2126390, 0.7151687, 0.0721923),
    (0.0193308, 0.1191948, 0.9505322),
)
IDENTITY: Matrix = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
#: Machado, Oliveira and Fernandes 2009, severity 1.0; and Vienot, Brettel and Mollon 1999, adapted to sRGB.
SIMULATIONS: dict[str, Matrix] = {
    "protanopia, Machado": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia, Machado": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia, Machado": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
    "protanopia, Vienot": ((0.11238, 0.88762, 0), (0.11238, 0.88762, 0), (0.00401, -0.00401, 1)),
    "deuteranopia, Vienot": ((0.29275, 0.70725, 0), (0.29275, 0.70725, 0), (-0.02234, 0.02234, 1)),
}


def times(matrix: Matrix, vector: Triple) -> Triple:
    x, y, z = (sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)
    return x, y, z


def linear(colour: str) -> Triple:
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return r, g, b


def seen(colour: str, simulation: Matrix = IDENTITY) -> Triple:
    """The linear RGB that the eye makes of a colour."""
    r, g, b = (min(1.0, max(0.0, c)) for c in times(simulation, linear(colour)))
    return r, g, b


def lab(rgb: Triple) -> Triple:
    white = times(RGB_TO_XYZ, (1, 1, 1))
    ratios = (c / w for c, w in zip(times(RGB_TO_XYZ, rgb), white, strict=True))
    fx, fy, fz = (t ** (1 / 3) if t > (6 / 29) ** 3 else t / (3 * (6 / 29) ** 2) + 4 / 29 for t in ratios)
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def ciede2000(first: Triple, second: Triple) -> float:
    (l1, a1, b1), (l2, a2, b2) = first, second
    mean_c = (math.hypot(a1, b1) + math.hypot(a2, b2)) / 2
    g = (1 - math.sqrt(mean_c**7 / (mean_c**7 + 25**7))) / 2
    c1, c2 = math.hypot(a1 * (1 + g), b1), math.hypot(a2 * (1 + g), b2)
    h1, h2 = (math.degrees(math.atan2(b, a * (1 + g))) % 360 for a, b in ((a1, b1), (a2, b2)))
    if c1 * c2 == 0:
        dh, mean_h = 0.0, h1 + h2
    else:
        dh = (h2 - h1 + 180) % 360 - 180
        mean_h = h1 + dh / 2
    delta_h = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(dh / 2))
    mean_l, mean_c = (l1 + l2) / 2, (c1 + c2) / 2

    def cosine(degrees: float) -> float:
        return math.cos(math.radians(degrees))

    t = (
        1
        - 0.17 * cosine(mean_h - 30)
        + 0.24 * cosine(2 * mean_h)
        + 0.32 * cosine(3 * mean_h + 6)
        - 0.20 * cosine(4 * mean_h - 63)
    )
    s_l = 1 + 0.015 * (mean_l - 50) ** 2 / math.sqrt(20 + (mean_l - 50) ** 2)
    s_c, s_h = 1 + 0.045 * mean_c, 1 + 0.015 * mean_c * t
    turn = 60 * math.exp(-(((mean_h % 360 - 275) / 25) ** 2))
    r_t = -2 * math.sqrt(mean_c**7 / (mean_c**7 + 25**7)) * math.sin(math.radians(turn))
    x, y, z = (l2 - l1) / s_l, (c2 - c1) / s_c, delta_h / s_h
    return math.sqrt(x * x + y * y + z * z + r_t * y * z)


def contrast(first: Triple, second: Triple) -> float:
    dark, light = sorted(times(RGB_TO_XYZ, rgb)[1] for rgb in (first, second))
    return (light + 0.05) / (dark + 0.05)


def nearest_pair(palette: dict[str, str], simulation: Matrix = IDENTITY) -> float:
    points = [lab(seen(colour, simulation)) for colour in palette.values()]
    return min(ciede2000(a, b) for a, b in itertools.combinations(points, 2))


@pytest.mark.parametrize(
    ("first", "second", "difference"),
    [  # from the published test data
        ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
        ((50, 2.5, 0), (73, 25, -18), 27.1492),
        ((50, 2.5, 0), (61, -5, 29), 22.8977),
        ((50, 2.5, 0), (58, 24, 15), 19.4535),
        ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
        ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
        ((100, 0, 0), (0, 0, 0), 100.0),
    ],
)
def test_the_measure_agrees_with_published_values(first: Triple, second: Triple, difference: float) -> None:
    assert ciede2000(first, second) == pytest.approx(difference, abs=5e-5)
    assert ciede2000(second, first) == pytest.approx(difference, abs=5e-5)


@pytest.mark.parametrize("simulation", SIMULATIONS.values(), ids=SIMULATIONS)
def test_the_measure_fails_the_usual_colours(simulation: Matrix) -> None:
    """Grey stays grey under a simulation, and the web's own six colours do not pass: the test can fail."""
    assert seen("#808080", simulation) == pytest.approx(linear("#808080"), abs=1e-3)
    usual = dict(zip(COLOURS, ("#ff0000", "#ffa500", "#ffff00", "#008000", "#0000ff", "#800080"), strict=True))
    assert min(nearest_pair(usual, matrix) for matrix in SIMULATIONS.values()) < DEFICIENT_FLOOR


def test_the_six_colours_are_apart() -> None:
    assert list(PALETTE) == list(COLOURS)
    assert nearest_pair(PALETTE) >= NORMAL_FLOOR


@pytest.mark.parametrize("simulation", SIMULATIONS.values(), ids=SIMULATIONS)
def test_the_six_colours_are_apart_for_colour_blind_eyes(simulation: Matrix) -> None:
    assert nearest_pair(PALETTE, simulation) >= DEFICIENT_FLOOR


@pytest.mark.parametrize("simulation", [IDENTITY, *SIMULATIONS.values()], ids=["normal", *SIMULATIONS])
def test_every_shape_stands_out_from_a_dark_tile(simulation: Matrix) -> None:
    for body in (colours.TILE_BODY, colours.FLEX_BLACK):
        for colour in PALETTE.values():
            assert contrast(seen(colour, simulation), seen(body, simulation)) >= BODY_CONTRAST_FLOOR


def test_the_colours_are_what_their_names_say() -> None:
    """Hue in degrees: the range in which an English speaker uses the word."""
    ranges = {"R": (-12, 12), "O": (22, 42), "Y": (48, 64), "G": (90, 165), "B": (200, 245), "P": (260, 310)}
    for letter, (low, high) in ranges.items():
        r, g, b = (int(PALETTE[letter][i : i + 2], 16) / 255 for i in (1, 3, 5))
        hue, _, _ = colorsys.rgb_to_hls(r, g, b)
        assert low <= (hue * 360 + 60) % 360 - 60 <= high


def test_text_can_be_read() -> None:
    for letter, ground in PALETTE.items():
        assert contrast(linear(colours.INK_ON[letter]), linear(ground)) >= 4.5
    for ink, ground in (
        (colours.LABEL, colours.PAGE),
        (colours.LABEL, colours.TRAY),
        (colours.TEXT, colours.PAGE),
        (colours.BLACK, colours.FLEX_MIXED),
    ):
        assert contrast(linear(ink), linear(ground)) >= 4.5


# ---------------------------------------------------------------------------------------------------------------------
# SVG

Cells = list[tuple[int, int, int]]


def cells_of(text: str, tile_set: TileSet = CLASSIC) -> Cells:
    """Cells from words such as ``Rs@3,0``."""
    found = []
    for word in text.split():
        code, place = word.split("@")
        x, y = place.split(",")
        found.append((int(x), int(y), tile_set.tile(code)))
    return found


GAME = cells_of("Rv@0,0 Rd@1,0 Rc@2,0 Rs@3,0 Bs@3,1 Ps@3,2 Bc@2,1 Gv@0,-1 Gd@1,-1 Gt@-1,-1 Gc@2,-1")


def titles(root: ET.Element) -> list[str]:
    return [
        group.findtext(f"{SVG}title", "") for group in root.iter(f"{SVG}g") if group.find(f"{SVG}title") is not None
    ]


def middle(group: ET.Element) -> tuple[float, float]:
    match = re.match(r"translate\(([-.\d]+) ([-.\d]+)\)", group.attrib["transform"])
    assert match
    return float(match[1]), float(match[2])


def read_by_labels(root: ET.Element) -> set[tuple[int, int, str]]:
    """What a reader finds: each tile's words, and the coordinates above and to the left of it."""
    labels = [
        (float(text.attrib["x"]), float(text.attrib["y"]), int(text.text or ""))
        for text in root.iter(f"{SVG}text")
        if re.fullmatch(r"-?\d+", text.text or "")
    ]
    grid = next(path for path in root.iter(f"{SVG}path") if path.attrib.get("stroke") == colours.GRID)
    left, top = map(float, re.findall(r"[\d.]+", grid.attrib["d"])[:2])
    above = [label for label in labels if label[1] < top]
    beside = [label for label in labels if label[0] < left]
    assert len(above) + len(beside) == len(labels)
    found = set()
    for group in root.iter(f"{SVG}g"):
        title = group.findtext(f"{SVG}title")
        if title is not None:
            x, y = middle(group)
            column = min(above, key=lambda label: abs(label[0] - x))
            row = min(beside, key=lambda label: abs(label[1] - y))
            assert abs(column[0] - x) < 6
            assert abs(row[1] - y) < 6
            found.add((column[2], row[2], title))
    return found


def described(cells: Cells, tile_set: TileSet) -> set[tuple[int, int, str]]:
    return {(x, y, tile_set.describe(tile)) for x, y, tile in cells}


@pytest.mark.parametrize(
    "cells",
    [
        GAME,
        [(0, 0, 5)],
        [(-1_000_000, 1_000_000, 0), (-999_999, 1_000_000, 1)],
        [(x - 45, x // 6, x % 36) for x in range(91)],
        [(0, y, y % 36) for y in range(91)],
    ],
    ids=["game", "one", "huge", "wide", "tall"],
)
def test_the_labels_tell_where_each_tile_lies(cells: Cells) -> None:
    assert read_by_labels(ET.fromstring(board_svg(cells, CLASSIC))) == described(cells, CLASSIC)


@given(
    st.dictionaries(st.tuples(st.integers(-30, 30), st.integers(-30, 30)), st.integers(0, 107), min_size=1),
    st.integers(-1_000_000, 1_000_000),
)
def test_any_board_is_read_back(tiles: dict[tuple[int, int], int], shift: int) -> None:
    cells = [(x + shift, y - shift, tile) for (x, y), tile in tiles.items()]
    picture = board_svg(cells, FLEX)
    assert read_by_labels(ET.fromstring(picture)) == described(cells, FLEX)
    assert board_svg(cells[::-1], FLEX) == picture


@pytest.mark.parametrize("tile_set", [CLASSIC, FLEX], ids=["classic", "flex"])
def test_every_tile_has_its_title(tile_set: TileSet) -> None:
    root = ET.fromstring(board_svg([(tile, 0, tile) for tile in range(len(tile_set.codes))], tile_set))
    assert titles(root) == [tile_set.describe(tile) for tile in range(len(tile_set.codes))]


def test_the_root_is_an_image_with_a_name() -> None:
    root = ET.fromstring(board_svg(GAME, CLASSIC))
    assert root.tag == f"{SVG}svg"
    assert root.attrib["role"] == "img"
    by_id = {element.attrib["id"]: element for element in root.iter() if "id" in element.attrib}
    assert by_id[root.attrib["aria-labelledby"]].text == "Qwirkle board, 11 tiles"
    assert by_id[root.attrib["aria-labelledby"]].tag == f"{SVG}title"
    places = by_id[root.attrib["aria-describedby"]].text or ""
    in_rows = sorted(described(GAME, CLASSIC), key=lambda cell: (cell[1], cell[0]))
    assert places.split("; ") == [f"{words} at {x},{y}" for x, y, words in in_rows]
    other = ET.fromstring(board_svg(GAME[:-1], CLASSIC))
    assert other.attrib["aria-labelledby"] not in by_id, "two pictures on one page need different ids"


def test_an_empty_board_is_one_free_cell() -> None:
    root = ET.fromstring(board_svg([], CLASSIC))
    assert titles(root) == []
    assert [text.text for text in root.iter(f"{SVG}text")] == ["0", "0"]
    assert root.findtext(f"{SVG}title") == "Qwirkle board, no tiles"


def test_cells_too_far_apart_are_refused() -> None:
    for cells in ([(0, 0, 0), (5_000, 0, 1)], [(0, 0, 0), (0, 5_000, 1)]):
        with pytest.raises(ValueError, match=r"board: 5003 (columns|rows) to draw, expected at most 256"):
            board_svg(cells, CLASSIC)
        with pytest.raises(ValueError, match=r"board: 5003 (columns|rows) to draw, expected at most 256"):
            board_text(cells, CLASSIC, colour=False)


def numbers(path: str) -> list[float]:
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", path)]


@pytest.mark.parametrize(
    "picture",
    [
        board_svg([], CLASSIC, hands=[(tuple(range(6)), 0), ((), 6)]),
        board_svg([], FLEX, hands=[((), 0)] * 6, caption="word " * 60),
        board_svg(GAME, CLASSIC, hands=[((), 9), ((0, 1), 40)], caption="x" * 500, highlight=[(9, 9), (-9, -9)]),
        board_svg([(-1_000_000, -1_000_000, 0)], CLASSIC, caption="short"),
    ],
    ids=["rack", "no tiles", "long", "huge"],
)
def test_nothing_is_drawn_outside_the_picture(picture: str) -> None:
    root = ET.fromstring(picture)
    _, _, width, height = numbers(root.attrib["viewBox"])
    assert float(root.attrib["width"]) / float(root.attrib["height"]) == pytest.approx(width / height, rel=0.01)
    for group in root.iter(f"{SVG}g"):
        if group.find(f"{SVG}title") is not None:
            (x, y), half = middle(group), 50 * numbers(group.attrib["transform"])[2]
            assert half <= x <= width - half
            assert half <= y <= height - half
    for rect in root.findall(f"{SVG}rect")[1:]:
        x, y, w, h = (float(rect.attrib[name]) for name in ("x", "y", "width", "height"))
        assert 0 <= x <= x + w <= width
        assert 0 <= y <= y + h <= height
    for text in root.iter(f"{SVG}text"):
        assert 0 < float(text.attrib["y"]) < height
        if "text-anchor" not in text.attrib and "transform" not in text.attrib:
            size = float(text.attrib["font-size"])
            assert float(text.attrib["x"]) + len(text.text or "") * size * 0.6 <= width


def test_a_wide_board_is_shown_at_a_sensible_size() -> None:
    root = ET.fromstring(board_svg([(x, x // 6, 0) for x in range(91)], CLASSIC))
    assert 800 <= float(root.attrib["width"]) <= 2000


def test_hands_show_known_tiles_and_backs() -> None:
    rack = tuple(CLASSIC.tile(code) for code in ("Rc", "Rc", "Pv"))
    root = ET.fromstring(
        board_svg([(0, 0, 0)], CLASSIC, hands=[(rack, 2), ((), 6), ((CLASSIC.tile("Gx"),), 0), ((), 0)])
    )
    words = ["red circle", "red circle", "red circle", "purple clover"] + ["hidden tile"] * 8 + ["green cross"]
    assert titles(root) == words
    text = [element.text for element in root.iter(f"{SVG}text")]
    assert "To move" in text
    assert text.count("no tiles") == 1
    sides = [numbers(g.attrib["transform"])[2] for g in root.iter(f"{SVG}g") if g.find(f"{SVG}title") is not None]
    assert len(set(sides[:6])) == 1, "the mover's tiles are as large as the board's"
    assert max(sides[6:]) < sides[0]


def test_highlighted_cells_are_outlined() -> None:
    root = ET.fromstring(board_svg(GAME, CLASSIC, highlight=[(3, 2), (7, 0), (3, 2)]))
    frames = [rect for rect in root.iter(f"{SVG}rect") if rect.attrib.get("stroke") == colours.HIGHLIGHT]
    middles = [
        tuple(float(f.attrib[at]) + float(f.attrib[length]) / 2 for at, length in (("x", "width"), ("y", "height")))
        for f in frames
    ]
    purple_square = next(g for g in root.iter(f"{SVG}g") if g.findtext(f"{SVG}title") == "purple square")
    assert len(middles) == 2
    assert middle(purple_square) in middles
    plain = ET.fromstring(board_svg(GAME, CLASSIC))
    assert not [rect for rect in plain.iter(f"{SVG}rect") if rect.attrib.get("stroke") == colours.HIGHLIGHT]


@given(st.text(max_size=200))
def test_any_caption_gives_a_document(caption: str) -> None:
    ET.fromstring(board_svg([], CLASSIC, caption=caption).encode("utf-8"))


def test_a_caption_is_text_and_nothing_else() -> None:
    caption = "</text><script>alert(\"1\")</script> & 'A' ]]> \x00 \x1b[0m \ud800"
    root = ET.fromstring(board_svg([(0, 0, 0)], CLASSIC, caption=caption))
    assert not list(root.iter(f"{SVG}script"))
    shown = "".join(element.text or "" for element in root.iter(f"{SVG}text"))
    for word in ('</text><script>alert("1")</script>', "&", "'A'", "]]>"):
        assert word in shown
    assert "\x1b" not in shown


def test_the_picture_refers_to_nothing_outside() -> None:
    picture = board_svg(GAME, CLASSIC, hands=[((0,), 3)], highlight=[(0, 0)], caption="text")
    assert picture.count("http") == 1, "the namespace"
    assert not re.search(r"href|url\(|@import|<style|<script|<image", picture)


def shape_path(tile: int, tile_set: TileSet = CLASSIC) -> str:
    """The path drawn in the tile's colour."""
    root = ET.fromstring(board_svg([(0, 0, tile)], tile_set))
    colour = PALETTE[tile_set.codes[tile][0]]
    (path,) = [path.attrib["d"] for path in root.iter(f"{SVG}path") if path.attrib.get("fill") == colour]
    return path


def outline(path: str) -> list[tuple[float, float]]:
    """The polygon of a path of M, L, H, V, A (circular, in any of its four ways) and Z."""
    points: list[tuple[float, float]] = []
    for command, rest in re.findall(r"([MLHVAZ])([^MLHVAZ]*)", path):
        values = numbers(rest)
        if command in "ML":
            points.append((values[0], values[1]))
        elif command == "H":
            points.append((values[0], points[-1][1]))
        elif command == "V":
            points.append((points[-1][0], values[0]))
        elif command == "A":
            for i in range(0, len(values), 7):
                points += arc(
                    points[-1], values[i], bool(values[i + 3]), bool(values[i + 4]), (values[i + 5], values[i + 6])
                )
    return points


def arc(
    start: tuple[float, float], radius: float, large: bool, sweep: bool, end: tuple[float, float]
) -> list[tuple[float, float]]:
    (x1, y1), (x2, y2) = start, end
    chord = math.hypot(x2 - x1, y2 - y1)
    rise = math.sqrt(max(0.0, radius**2 - chord**2 / 4)) * (1 if large == sweep else -1)
    # With y downwards, a positive sweep turns clockwise to the eye.
    cx, cy = (x1 + x2) / 2 + rise * (y1 - y2) / chord * -1, (y1 + y2) / 2 + rise * (x1 - x2) / chord
    begin, finish = math.atan2(y1 - cy, x1 - cx), math.atan2(y2 - cy, x2 - cx)
    turn = (finish - begin) % math.tau if sweep else -((begin - finish) % math.tau)
    return [
        (cx + radius * math.cos(begin + turn * i / 24), cy + radius * math.sin(begin + turn * i / 24))
        for i in range(1, 25)
    ]


def inside(point: tuple[float, float], polygon: list[tuple[float, float]]) -> bool:
    x, y = point
    odd = False
    for (x1, y1), (x2, y2) in zip(polygon, polygon[1:] + polygon[:1], strict=True):
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
            odd = not odd
    return odd


def pixels(path: str, side: int) -> set[tuple[int, int]]:
    polygon, step = outline(path), 100 / side
    middles = [(i, -50 + (i + 0.5) * step) for i in range(side)]
    return {(i, j) for i, x in middles for j, y in middles if inside((x, y), polygon)}


def test_the_shapes_differ_at_sixteen_pixels() -> None:
    drawn = {shape: pixels(shape_path(CLASSIC.tile("R" + shape)), 16) for shape in SHAPES}
    for (a, first), (b, second) in itertools.combinations(drawn.items(), 2):
        apart = len(first ^ second) / len(first | second)
        assert apart >= 0.2, (a, b, apart)


def test_the_shapes_are_balanced() -> None:
    """Each is the same turned by half and mirrored, leaves room on its tile, and covers a like share of it."""
    for shape in SHAPES:
        path = shape_path(CLASSIC.tile("R" + shape))
        covered = pixels(path, 97)
        assert covered == {(96 - x, 96 - y) for x, y in covered}
        assert covered == {(96 - x, y) for x, y in covered}
        assert max(math.hypot(x, y) for x, y in outline(path)) <= 41
        assert 0.2 <= len(covered) / 97**2 <= 0.35, shape


def test_the_shapes_are_what_their_names_say() -> None:
    """How often a ring around the middle enters the shape, and in which direction the shape reaches out."""

    def arms(shape: str, radius: float) -> list[int]:
        polygon = outline(shape_path(CLASSIC.tile("R" + shape)))
        ring = [
            inside((radius * math.cos(t), radius * math.sin(t)), polygon)
            for t in (math.radians(d + 0.5) for d in range(360))
        ]
        return [d for d in range(360) if ring[d] and not ring[d - 1]]

    assert arms("c", 32) == []
    assert len(arms("x", 30)) == 4
    assert len(arms("d", 32)) == 4
    assert len(arms("s", 33)) == 4
    assert len(arms("t", 30)) == 8
    assert len(arms("v", 28)) == 4
    reach = {
        shape: [
            inside((radius * math.cos(angle), radius * math.sin(angle)), outline(shape_path(CLASSIC.tile("R" + shape))))
            for radius, angle in ((30, 0.01), (30, math.pi / 4 + 0.01))
        ]
        for shape in "xdsv"
    }
    assert reach == {"x": [False, True], "d": [True, False], "s": [False, True], "v": [True, False]}


@pytest.mark.parametrize("symbol", ["Rs", "Yc", "Bt", "Px"])
def test_flex_backgrounds_are_drawn_differently(symbol: str) -> None:
    fills, rings = {}, {}
    for background in "kwm":
        root = ET.fromstring(board_svg([(0, 0, FLEX.tile(symbol + background))], FLEX))
        group = next(g for g in root.iter(f"{SVG}g") if g.find(f"{SVG}title") is not None)
        painted = [element.attrib for element in group.iter() if "fill" in element.attrib]
        fills[background] = {attributes["fill"] for attributes in painted} - {PALETTE[symbol[0]], "none"}
        rings[background] = {a.attrib["stroke"] for a in group.iter(f"{SVG}path") if "stroke" in a.attrib}
    assert fills == {
        "k": {colours.FLEX_BLACK},
        "w": {colours.FLEX_WHITE},
        "m": {colours.FLEX_BLACK, colours.FLEX_WHITE},
    }
    for background, bodies in fills.items():
        for body in bodies:
            best = max(contrast(linear(ring), linear(body)) for ring in rings[background])
            assert best >= 7, "an outline parts the shape from each body it lies on"
            assert all(contrast(linear(ring), linear(body)) >= 7 or len(bodies) > 1 for ring in rings[background])


def test_a_mixed_tile_is_split_along_its_diagonal() -> None:
    root = ET.fromstring(board_svg([(0, 0, FLEX.tile("Rsm"))], FLEX))
    (half,) = [path.attrib["d"] for path in root.iter(f"{SVG}path") if path.attrib.get("fill") == colours.FLEX_BLACK]
    polygon = outline(half)
    for x, y in itertools.product(range(-44, 45, 8), repeat=2):
        if abs(x) + abs(y) < 80 and x + y:
            assert inside((x, y), polygon) == (x + y < 0)


# ---------------------------------------------------------------------------------------------------------------------
# Terminal


def test_a_plain_board() -> None:
    cells = cells_of("Rs@0,0 Bs@1,0 Bc@1,1")
    assert board_text(cells, CLASSIC, colour=False).split("\n") == [
        "   -1  0  1  2",
        "-1  .  .  .  .",
        " 0  . Rs Bs  .",
        " 1  .  . Bc  .",
        " 2  .  .  .  .",
    ]


def test_a_plain_flex_board() -> None:
    assert board_text(cells_of("Rsk@9,-9", FLEX), FLEX, colour=False).split("\n") == [
        "      8   9  10",
        "-10   .   .   .",
        " -9   . Rsk   .",
        " -8   .   .   .",
    ]


def test_an_empty_plain_board() -> None:
    assert board_text([], CLASSIC, colour=False) == "   0\n0  ."


def test_huge_coordinates_run_downwards() -> None:
    lines = board_text([(1000, -1_000_000, CLASSIC.tile("Gv"))], CLASSIC, colour=False).split("\n")
    assert lines == [
        "             1  1",
        "          9  0  0",
        "          9  0  0",
        "          9  0  1",
        "-1000001  .  .  .",
        "-1000000  . Gv  .",
        " -999999  .  .  .",
    ]


def read_text(text: str, tile_set: TileSet) -> set[tuple[int, int, int]]:
    """The tiles of a plain board by its labels."""
    lines = text.split("\n")
    rows = [line for line in lines if re.match(r" *-?\d+ .*[.a-z]", line)]
    header = lines[: len(lines) - len(rows)]
    found = set()
    for line in rows:
        for match in re.finditer(r"[A-Z][a-z]+", line):
            end = match.end()
            if len(header) == 1:
                column = int(header[0][:end].split()[-1])
                assert header[0][:end] == header[0][:end].rstrip(), "a label ends where its column ends"
            else:
                column = int("".join(part[end - 1] for part in header))
            found.add((column, int(line.split()[0]), tile_set.tile(match[0])))
    return found


boards = st.dictionaries(st.tuples(st.integers(-20, 20), st.integers(-20, 20)), st.integers(0, 35), min_size=1)


@given(boards, st.sampled_from([0, 90, -90, 995, 10_000, -1_000_000]), st.sampled_from([CLASSIC, FLEX]))
def test_any_plain_board_is_read_back(tiles: dict[tuple[int, int], int], shift: int, tile_set: TileSet) -> None:
    cells = {(x + shift, y - shift, tile) for (x, y), tile in tiles.items()}
    text = board_text(cells, tile_set, colour=False)
    assert "\x1b" not in text
    assert read_text(text, tile_set) == cells


@given(boards, st.sampled_from([CLASSIC, FLEX]))
def test_colour_adds_nothing_but_colour(tiles: dict[tuple[int, int], int], tile_set: TileSet) -> None:
    cells = [(x, y, tile) for (x, y), tile in tiles.items()]
    coloured = board_text(cells, tile_set, colour=True)
    assert SGR.sub("", coloured) == board_text(cells, tile_set, colour=False)
    hand = list(tiles.values())[:6]
    assert SGR.sub("", hand_text(hand, 2, tile_set, colour=True)) == hand_text(hand, 2, tile_set, colour=False)


def runs(text: str) -> list[tuple[str, str]]:
    """Each piece of text with the codes in force, as a terminal would show it; a reset clears them."""
    found, state, position = [], "", 0
    for match in SGR.finditer(text):
        if match.start() > position:
            found.append((state, text[position : match.start()]))
        state = "" if match[1] == "0" else f"{state};{match[1]}".strip(";")
        position = match.end()
    if position < len(text):
        found.append((state, text[position:]))
    assert state == "", "the last run is closed"
    return found


def rgb(colour: str) -> str:
    return ";".join(str(int(colour[i : i + 2], 16)) for i in (1, 3, 5))


def test_each_coloured_run_is_closed() -> None:
    coloured = board_text(cells_of("Rs@0,0 Bs@1,0 Bc@1,1"), CLASSIC, colour=True)
    for line in coloured.split("\n"):
        for state, piece in runs(line):
            if re.search("[A-Z]", piece):
                assert f"48;2;{rgb(PALETTE[piece[0]])}" in state
                assert re.fullmatch("[A-Z][a-z]", piece), "the colour ends with the tile"
            else:
                assert "48;" not in state


@pytest.mark.parametrize("letter", list(COLOURS))
def test_each_colour_is_the_palettes(letter: str) -> None:
    ((state, text),) = runs(hand_text([CLASSIC.tile(letter + "s")], 0, CLASSIC, colour=True))
    assert text == letter + "s"
    assert f"48;2;{rgb(PALETTE[letter])}" in state


def test_flex_backgrounds_differ_on_a_terminal() -> None:
    grounds = {}
    for background in "kwm":
        symbol, third = runs(hand_text([FLEX.tile("Gt" + background)], 0, FLEX, colour=True))
        assert (symbol[1], third[1]) == ("Gt", background)
        match = re.search(r"48;2;(\d+);(\d+);(\d+)", third[0])
        assert match
        grounds[background] = sum(map(int, match.groups())) / 3
    assert grounds["k"] < 40
    assert 90 < grounds["m"] < 170
    assert grounds["w"] > 240


@pytest.mark.parametrize(
    ("codes", "hidden", "text"),
    [("Rs Bc", 4, "Rs Bc ?4"), ("", 6, "?6"), ("Rs Rs", 0, "Rs Rs"), ("", 0, "-")],
)
def test_a_hand_on_one_line(codes: str, hidden: int, text: str) -> None:
    tiles = [CLASSIC.tile(code) for code in codes.split()]
    assert hand_text(tiles, hidden, CLASSIC, colour=False) == text

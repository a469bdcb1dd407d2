"""Pictures of hints and games, as text and as pixels."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from io import BytesIO
from pathlib import Path

import pytest

import qwirkle_fast as qf
from qwirkle_fast import pictures
from qwirkle_fast.drawing.sprite import sprite_svg
from qwirkle_fast.tiles import CLASSIC, FLEX

pytest.importorskip("numba")

from qwirkle_fast.search import Hint

SVG = "{http://www.w3.org/2000/svg}"
POSITION = qf.Position("RvRdRc BcBsRsPsYtOx/?6 0/3 classic")
HINTS = [
    Hint(qf.Move("Rs@3,0+Bs@3,1"), 6, 4.25, 0.1, 0.523, 900, exact=False),
    Hint(qf.Move("Rs@-1,0"), 4, -3.0, 0.2, 0.5, 90, exact=False),
    Hint(qf.Move("-BcOx"), 0, -4.0, None, None, 9, exact=False),
    Hint(qf.Move("Rs@3,0"), 4, -5.0, 0.2, 0.4, 90, exact=False),
]


def texts(svg: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(svg).iter(f"{SVG}text")]


def description(svg: str) -> str:
    return next(ET.fromstring(svg).iter(f"{SVG}desc")).text or ""


@pytest.fixture(scope="module")
def game() -> qf.Game:
    game = qf.Game(seed=4, players=3, rules="flex;tiles=starter")
    while not game.is_over:
        game.play(game.position.legal_moves.best() or (game.position.exchanges or [qf.Move.skip()])[-1])
    return game


def test_hints_are_listed_by_rank_with_what_they_are_worth() -> None:
    svg = pictures.of_hints(POSITION, HINTS).svg
    found = texts(svg)
    assert "6 pt \u00b7 +4.2 \u00b10.1 \u00b7 52.3 %" in found
    assert "0 pt \u00b7 -4.0" in found
    assert [text for text in found if text in ("3,0 \u2193", "-1,0", "exchange", "3,0")] == [
        "3,0 \u2193",
        "-1,0",
        "exchange",
        "3,0",
    ]
    words = description(svg)
    assert "1: red square on 3,0, blue square on 3,1, 6 pt" in words
    assert "3: exchange orange cross, blue circle" in words


def test_the_first_hint_is_drawn_as_ghosts_and_others_as_badges() -> None:
    svg = pictures.of_hints(POSITION, HINTS).svg
    assert svg.count('<g opacity="0.6">') == 2
    # Four in the list; on the board the exchange has none, and the last one's only cell is taken.
    assert svg.count("<circle") == 4 + 2


def test_no_hints_are_no_fault() -> None:
    assert ET.fromstring(pictures.of_hints(POSITION, []).svg).tag == f"{SVG}svg"


def test_hints_do_not_depend_on_the_rules() -> None:
    flex = qf.Position("RskRtk RckBsw/?6 0/0 flex")
    assert "red circle on black on 2,0" in description(
        pictures.of_hints(flex, [Hint(qf.Move("Rck@2,0"), 3, 1.0, 0.1, 0.5, 1, exact=False)]).svg
    )


def visible(svg: str, time: float) -> set[str]:
    """The titles of what a document shows at a time, from 0 to 1, of its round."""
    found = []
    for group in ET.fromstring(svg).findall(f"{SVG}g"):
        animate = group.find(f"{SVG}animate")
        if animate is None:
            continue
        keys = [float(key) for key in animate.attrib["keyTimes"].split(";")]
        values = animate.attrib["values"].split(";")
        assert keys[0] == 0
        assert keys == sorted(set(keys))
        assert len(keys) == len(values)
        if [value for key, value in zip(keys, values, strict=True) if key <= time][-1] == "visible":
            found += [element.text or "" for element in group.iter() if element.tag in (f"{SVG}title", f"{SVG}text")]
    return set(found)


def test_an_animation_shows_each_turn_in_its_time(game: qf.Game) -> None:
    picture = pictures.of_game(game, seconds=2)
    frames = len(game.turns) + 2
    assert len(picture.frames) == frames
    whole = frames - 1 + 4
    codes = game.rules.tile_set
    tiles: set[str] = set()
    for number, turn in enumerate(game.turns, 1):
        tiles |= {codes.describe(codes.tile(code)) for _, _, code in turn.move.placed}
        shown = visible(picture.svg, (number + 0.5) / whole)
        words = {text for text in shown if ":" in text}
        assert shown - words == tiles
        assert len(words) == 1
        assert words.pop().startswith(game.names[turn.seat])
    assert any(f"({game.end})" in text for text in visible(picture.svg, 0.999))
    assert visible(picture.svg, 0.5 / whole) == {"the deal"}
    for still in picture.frames:
        ET.fromstring(still)


def test_a_game_that_has_not_begun() -> None:
    picture = pictures.of_game(qf.Game(seed=1))
    assert len(picture.frames) == 1
    ET.fromstring(picture.svg)


def test_notebooks() -> None:
    picture = pictures.of_hints(POSITION, HINTS)
    assert picture._repr_svg_() == picture.svg
    html = picture._repr_html_()
    assert re.fullmatch(r'<img alt="[\w ]+" src="data:image/svg\+xml;base64,[\w+/=]+">', html)


def test_a_game_in_a_notebook_shows_what_the_player_to_move_may_see() -> None:
    game = qf.Game(seed=5, names=("A & B", "<c>"))
    game.play(game.position.legal_moves.top(1)[0])
    (mover, other), hands = (game.position.hands, game.hands)
    assert (len(mover[0]), other) == (6, ((), 6))
    svg = game._repr_svg_()
    assert f"A & B {game.scores[0]}, <c> {game.scores[1]}" in texts(svg)
    names = [element.text or "" for element in ET.fromstring(svg).iter(f"{SVG}title")]
    laid = [code for _, _, code in game.turns[0].move.placed]
    seen = [game.rules.tile_set.describe(game.rules.tile_set.tile(code)) for code in (*laid, *hands[1])]
    assert sorted(name for name in names[1:] if "hidden" not in name) == sorted(seen)
    assert svg.count("#d6007f") == len(laid)


def test_the_sprite_has_every_tile_once() -> None:
    names = [element.attrib["id"] for element in ET.fromstring(sprite_svg())]
    assert names == ["tile-back", *(f"tile-{code}" for code in (*CLASSIC.codes, *FLEX.codes))]


def test_pixels(tmp_path: Path, game: qf.Game) -> None:
    pytest.importorskip("resvg_py")
    image = pytest.importorskip("PIL.Image")
    picture = pictures.of_position(qf.Position("Rs -/?6 0/0 classic"))
    width, height = (float(word) for word in re.findall(r'(?:width|height)="(\d+)"', picture.svg)[:2])
    shown = image.open(BytesIO(picture.png(scale=2))).convert("RGB")
    assert abs(shown.width - 2 * width) <= 2
    assert abs(shown.height - 2 * height) <= 2
    assert (215, 59, 56) in {colour for _, colour in shown.getcolors(1 << 20)}
    picture.save(tmp_path / "one.PNG")
    assert image.open(tmp_path / "one.PNG").format == "PNG"
    short = pictures.Picture("<svg/>", pictures.of_game(game).frames[:4], seconds=0.5)
    for kind in ("gif", "png", "webp"):
        short.save(tmp_path / f"game.{kind}", scale=0.25)
        moving = image.open(tmp_path / f"game.{kind}")
        assert moving.n_frames == 4, kind
        assert moving.info["loop"] == 0
    with pytest.raises(ValueError, match=r"expected a name that ends in \.svg or \.png"):
        picture.save(tmp_path / "one.gif")
    assert not (tmp_path / "one.gif").exists()


def test_without_the_extra_it_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "resvg_py", None)
    with pytest.raises(ImportError, match="expected the extra pictures"):
        pictures.of_position(POSITION).png()

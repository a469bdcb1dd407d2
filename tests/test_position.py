"""Positions as one player sees them: what they refuse, their moves, and moves made and taken back."""

from __future__ import annotations

import contextlib
import copy
import io
import json
import pickle
import random
import xml.etree.ElementTree as ET
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from qwirkle_fast import _core, reference
from qwirkle_fast.cli import BAD_INPUT, run
from qwirkle_fast.cli.commands import commands
from qwirkle_fast.game import Game
from qwirkle_fast.move import PLACEMENT, Move
from qwirkle_fast.notation import NotationError
from qwirkle_fast.position import Grid, IllegalMove, Position, PositionError

SMALL = "RvRdRc BcBsRsPsYtOx/?6 0/3 classic"
EXAMPLE = "-1,-3:OtOxOd/Yt1YdYc/GtGvGdGc1Px/RtRvRdRcRsRx/3BcBsBx/4Ps/4YsRs/4GsOs RcRdBxGtPsYv/?6 45/40 classic"
FLEX = "RskRdwRcm BsmRtk/?6 3/0 flex"
#: All circles in a block: nothing fits any more.
CIRCLES = "YcGcOcRcBcPc/BcRcYcGcPcOc/PcYcGcOcRcBc"
#: Late positions of games, the bag empty: the mover can go out; only the other can place; nobody can.
LAST_TILES = (
    "-13,-4:8OsOvOx/6Yc1OtOcOs1GdGtGx1Ps/6OcOxOdOsOtOv1GxYxRxPx/7Bx1Ot1BvOvGv1Rt2Pd/6Gs6GdPdRdBdYdOd/"
    "5RxRs1Bt1YcOcBcGcPcRc1Ys/5YxYs1RtPtYt1BsGs1Rs1Yt/5PxPsPcPtPv1PvBv1GvRvPvYv/2BvBdBtBxBsBc2OxPxBxGx2PcYcGcBc/"
    "RcRsRvRdRt2Rc4BtGtPt2Yx1Bs/1RvYv8YdBdGdPdRdOd/1Rx9Ys1GsPs/13Gc/13Gv YvYt/YdGt 197/210 classic"
)
PASS = (
    "-5,-11:2GvPv/1RvYvOv/2RvYv/1PvOv1RsPs/1PtPvPcPsPdPx/2BvBcBs1Bx/1Ps2Gs1OxOv/BsRsGsYsOs1RxOxGx/1Ys1YvYsYcYx1GsGvGt/"
    "2PxYx1GcGx1GvGcGdGt/2PcYcRc2OcGc2Yt/2Pt1RdBdPdOdGdYd1OtOd/OdRdPdYd1BvBd1GtYtRtBtOt/Ot3BvBt4RvRt/2BxBdBtBs5PtPx/"
    "2GxGd1BxYx/1RdRx1OcBcYcPcRc/1Rt1RsOs2BcOcRc/1Rx1OsOx Yd/Yt 226/169 classic"
)
STUCK = (
    "-8,-6:3YxGx/3BxPxYx1Yt/4Rx1OcYc/1Pt1YvYxYtYcYdYs/PvPx3Yd2GsGx1RtBt/1PvOvRvBvYvGv2GsGt1PtPc/2RvYv4BtGtOtRtYtPt/"
    "3BvBsBtBxBcBd2GtOt/2OdOvOsOtOxOc1OvOd/1RdPd1Ys1RxRcRsRvRdRt/2GdBd1Bs1YcRc1PdRdBdYdOd/3GdGvGsGxGc1Gd1RxBx/"
    "3PdPvPsPxPc1GcOcRc/4Bv1Ox3OsRsPsYsBs/10Ox1Pc1Os/13RsPs BcGc/GvBc 183/191 classic"
)
#: All 108 tiles.
EVERY_TILE = "".join(code * 3 for code in (c + s for c in "ROYGBP" for s in "cxdstv"))

Reader = Callable[[str], Position]


@pytest.fixture(params=[_core.Grid, reference.Grid], ids=["core", "reference"])
def read(request: pytest.FixtureRequest) -> Reader:
    """Reads a position onto the native board or the plain one."""
    grid: type[Grid] = request.param
    return lambda text: Position(text, grid=grid)


def best_or_exchange(position: Position) -> Move:
    return position.legal_moves.best() or (position.exchanges or [Move.skip()])[-1]


def texts(moves: list[Move]) -> list[str]:
    return [str(move) for move in moves]


# What is refused

BAD_POSITIONS = [
    # The four fields
    ("", "position: 1 field", "expected 4 with one space between them"),
    ("x" * 1_000_000, "position: 1 field", "expected 4"),
    ("RvRdRc BcBsRs/?6 3/0", "position: 3 fields", "the board, the hands, the scores, the rules"),
    ("RvRdRc BcBsRs/?6 3/0 classic more", "position: 5 fields", "expected 4"),
    ("RvRdRc  BcBsRs/?6 3/0 classic", "5 fields, of which one is empty", "expected 4"),
    ("RvRdRc BcBsRs/?6 3/0 classic ", "5 fields, of which one is empty", "expected 4"),
    ("Rv\u00e9 Bc/?6 3/0 classic", "position: character 3 is '\\xe9'", "expected ASCII"),
    ("\ufeffRv Bc/?6 3/0 classic", "position: character 1 is '\\ufeff'", "expected ASCII"),
    ("Rv\udcff Bc/?6 3/0 classic", "position: character 3 is '\\udcff'", "expected ASCII"),
    ("Rv\0 Bc/?6 3/0 classic", "board: cell 1,0: '\\x00' at character 3", "expected a tile"),
    ("Rv\tBc/?6 0/0 classic", "position: 3 fields", "expected 4"),
    # The rules
    ("Rv Bc/?6 3/0 chess", "rules: 'chess'", "expected classic or flex"),
    ("Rv Bc/?6 3/0 classic\n", "rules: 'classic\\n'", "expected classic or flex"),
    ("Rv Bc/?6 3/0 classic;opening=largest", "rules: opening=largest is the default", "expected it to be left out"),
    ("Rv Bc/?6 3/0 classic;opening=none", "rules: opening is 'none'", "expected largest or any"),
    ("Rv Bc/?6 3/0 classic;speed=9", "rules: 'speed=9' is no option", "expected diagonal_min, exchange_cap"),
    ("Rv Bc/?6 3/0 classic;", "rules: '' is no option", "then = and a value"),
    ("Rv Bc/?6 3/0 classic;opening=any;exchange_cap=5", "rules: exchange_cap is out of place", "alphabetical order"),
    ("Rv Bc/?6 3/0 classic;first=youngest;first=youngest", "rules: first is out of place", "each option once"),
    ("Rv Bc/?6 3/0 classic;exchange_cap=0", "rules: exchange_cap is 0", "expected a whole number from 1 to 1000"),
    ("Rv Bc/?6 3/0 classic;exchange_cap=05", "rules: exchange_cap is '05'", "expected a whole number"),
    ("Rv Bc/?6 3/0 classic;tiles=starter", "rules: tiles is an option of flex", "expected none in classic"),
    ("Rvk Bck/?6 3/0 flex;diagonal_min=7", "rules: diagonal_min is 7", "expected a whole number from 2 to 6"),
    # The board's text
    ("RvZdRc Bc/?6 3/0 classic", "board: cell 1,0: 'ZdR' at character 3", "a colour of ROYGBP"),
    ("RvRzRc Bc/?6 3/0 classic", "board: cell 1,0: 'RzR'", "a shape of cxdstv"),
    ("rvRd Bc/?6 3/0 classic", "board: cell 0,0: 'rvR'", "expected a tile"),
    ("Rv/R Bc/?6 3/0 classic", "board: cell 0,1: 'R' at character 4", "expected a tile"),
    ("RvkRdk Bc/?6 3/0 classic", "board: cell 0,0 holds 'Rvk'", "expected a tile"),
    ("RvRd Bsk/?6 3/0 flex", "board: cell 0,0: 'RvR'", "a background of kwm"),
    ("Rv0Rd Bc/?6 3/0 classic", "board: cell 1,0: the count is '0'", "expected a number of empty cells from 1"),
    ("Rv01Rd Bc/?6 3/0 classic", "board: cell 1,0: the count is '01'", "without leading zeros"),
    ("Rv99999999999999999999Rd Bc/?6 3/0 classic", "board: cell 1,0: the count is '9999", "to 1,000,200"),
    ("Rv2 Bc/?6 3/0 classic", "board: row 0 ends with a count", "expected a tile at its end"),
    ("Rv//Rd Bc/?6 3/0 classic", "board: row 1 is empty", "expected a tile"),
    ("/Rv Bc/?6 3/0 classic", "board: row 0 is empty", "expected a tile"),
    ("Rv/ Bc/?6 3/0 classic", "board: row 1 is empty", "expected a tile"),
    ("1Rv/1Rd Bc/?6 3/0 classic", "board: every row begins with 1 empty cell", "expected one that begins with a tile"),
    ("-Rv Bc/?6 3/0 classic", "board: cell 0,0: '-Rv'", "expected a tile"),
    ("0,0:Rv Bc/?6 3/0 classic", "board: the prefix is 0,0", "expected none"),
    ("-0,1:Rv Bc/?6 3/0 classic", "board: the prefix is '-0,1'", "expected X,Y of the top left cell"),
    ("1:Rv Bc/?6 3/0 classic", "board: the prefix is '1'", "expected X,Y"),
    ("1.5,0:Rv Bc/?6 3/0 classic", "board: the prefix is '1.5,0'", "expected X,Y"),
    ("1000001,0:Rv Bc/?6 3/0 classic", "board: the prefix is '1000001,0'", "from -1,000,000 to 1,000,000"),
    ("0,-1000000000:Rv Bc/?6 3/0 classic", "board: the prefix is '0,-1000000000'", "from -1,000,000"),
    ("99999999999,0:Rv Bc/?6 3/0 classic", "board: the prefix is '99999999999,0'", "to 1,000,000"),
    # How the tiles lie
    ("RvBdRc Bc/?6 3/0 classic", "board: Bd at 1,0", "expected a row of one colour or one shape"),
    ("RvRdRv Bc/?6 3/0 classic", "board: Rv at 2,0", "without a repeat"),
    ("-5,7:Rv/Bd Bc/?6 3/0 classic", "board: Bd at -5,8", "expected a column of one colour or one shape"),
    ("RcOcYcGcBcPcRc -/?1 0/0 classic", "board: Rc at 6,0", "expected a row"),
    ("RskRsw Bsk/?6 0/0 flex", "board: Rsw at 1,0", "expected a row"),
    ("Rv/1Rd Bc/?6 3/0 classic", "board: Rd at 1,1", "expected every tile joined to the others"),
    ("Rv999999Rd Bc/?6 3/0 classic", "board: Rd at 1000000,0", "expected every tile joined"),
    (
        "RckRxw/1RdkRsw/2RtkRvw/3OvkOcw/4OxkOdw/5OskOtw/6Ytk -/?6 0/0 flex",
        "board: Ytk at 6,6",
        "expected no diagonal run of one background over six",
    ),
    # The tiles there are
    ("Rv RvRvRv/?6 3/0 classic", "hands: hand 1: one Rv too many", "expected at most 3"),
    ("RvRv/RvRv -/?6 3/0 classic", "board: cell 1,1: one Rv too many", "expected at most 3"),
    ("Rsk -/Rsk 0/0 flex", "hands: hand 2: one Rsk too many", "expected at most 1"),
    ("Rvm Bsk/?6 0/0 flex;tiles=starter", "board: cell 0,0: Rvm is not in the game", "expected none of the tiles"),
    (f"{EVERY_TILE} ?1/- 0/0 classic", "bag: -1 tiles would be left", "expected 0 or more"),
    # The hands
    ("Rv Bc?0/?6 3/0 classic", "hands: hand 1: '0' tiles are hidden", "expected 1 to 6"),
    ("Rv Bc?/?6 3/0 classic", "hands: hand 1: '' tiles are hidden", "expected 1 to 6"),
    ("Rv Bc/?9 3/0 classic", "hands: hand 2 has 9 tiles", "expected at most 6"),
    ("Rv ?2Bc/?6 3/0 classic", "hands: hand 1: 'Bc' at character 6", "then ?n for n hidden ones"),
    ("Rv BcBsRsRdRcRxRt/?6 3/0 classic", "hands: hand 1 has 7 tiles", "expected at most 6"),
    ("Rv Bc//?6 3/0/0 classic", "hands: hand 2 is empty", "expected tiles"),
    ("Rv Bc/Zz 3/0 classic", "hands: hand 2: 'Zz'", "expected tiles"),
    ("Rv BcBsRs 3 classic", "hands: 1 hand", "expected 2 to 6"),
    ("Rv ?1/?1/?1/?1/?1/?1/?1 0/0/0/0/0/0/0 classic", "hands: 7 hands", "expected 2 to 6"),
    # The scores
    ("Rv Bc/?6 3/0/1 classic", "scores: 3 scores", "expected 2, one for each hand"),
    ("Rv Bc/?6 3 classic", "scores: 1 score", "expected 2"),
    ("Rv Bc/?6 3/-1 classic", "scores: score 2 is '-1'", "expected a whole number from 0 to 100,000"),
    ("Rv Bc/?6 00/0 classic", "scores: score 1 is '00'", "expected a whole number"),
    ("Rv Bc/?6 3/100001 classic", "scores: score 2 is '100001'", "to 100,000"),
    ("Rv Bc/?6 3/1e3 classic", "scores: score 2 is '1e3'", "expected a whole number"),
]


@pytest.mark.parametrize(("text", "what", "expected"), BAD_POSITIONS)
def test_a_bad_position_is_refused_in_one_line(read: Reader, text: str, what: str, expected: str) -> None:
    with pytest.raises(NotationError) as caught:
        read(text)
    message = str(caught.value)
    assert what in message
    assert expected in message
    assert ", expected " in message
    assert message.isascii()
    assert message.isprintable()
    assert len(message) < 300


@pytest.mark.parametrize(("text", "what", "expected"), [bad for bad in BAD_POSITIONS if " " in bad[0]])
def test_the_command_line_refuses_it_in_the_same_line(text: str, what: str, expected: str) -> None:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = run(commands, ["moves", text])
    assert (status, out.getvalue()) == (BAD_INPUT, "")
    with pytest.raises(NotationError) as caught:
        Position(text)
    assert err.getvalue() == f"qwirkle-fast: {caught.value}\n"


BAD_MOVES = [
    ("", "'' is no placed tile", "expected TILE@X,Y"),
    ("Rs", "'Rs' is no placed tile", "expected TILE@X,Y"),
    ("Rs@1", "'Rs@1' is no placed tile", "expected TILE@X,Y"),
    ("Rs@01,0", "'Rs@01,0' is no placed tile", "without leading zeros"),
    ("Rs@-0,0", "'Rs@-0,0' is no placed tile", "expected TILE@X,Y"),
    ("Rs@3,0+", "'' is no placed tile", "expected TILE@X,Y"),
    ("Rs@1000000000,0", "'Rs@1000000000,0' is no placed tile", "expected TILE@X,Y"),
    ("Rs@1000201,0", "the cell of Rs is 1000201,0", "from -1,000,200 to 1,000,200"),
    ("Zz@3,0", "'Zz' is no tile", "expected one such as Rs"),
    ("rs@3,0", "'rs' is no tile", "expected one such as Rs"),
    ("Rsk@3,0", "Rsk at 3,0 is no tile", "expected a tile of classic"),
    ("Rs@3,0+Rsk@3,1", "Rsk is a flex tile", "expected all tiles to be of one game"),
    ("Rs@3,0+Bs@3,0", "cell 3,0 is given twice", "expected one tile on it"),
    ("+".join(f"Rs@3,{y}" for y in range(7)), "7 tiles are placed", "expected 1 to 6"),
    ("-Zz", "'Zz' is no tile", "expected one such as Rs"),
    ("-R", "'R' is no tile", "expected one such as Rs"),
    ("-Rsk", "Rsk is no tile", "expected a tile of classic"),
    ("-RsBcRsBcRsBcRs", "more than 6 tiles are exchanged", "expected at most 6"),
    ("-?0", "'0' tiles are hidden", "expected 1 to 6"),
    ("-?", "'' tiles are hidden", "expected 1 to 6"),
    ("Rs@3,0 ", "'Rs@3,0 ' is no placed tile", "expected TILE@X,Y"),
    ("R\u2588@3,0", "character 2 is '\\u2588'", "expected ASCII"),
]


@pytest.mark.parametrize(("text", "what", "expected"), BAD_MOVES)
@pytest.mark.parametrize("command", ["score", "apply"])
def test_a_bad_move_is_refused_in_one_line(command: str, text: str, what: str, expected: str) -> None:
    with pytest.raises(NotationError, match=", expected ") as caught:
        Position(SMALL).score(Move(text))
    assert str(caught.value).startswith("move: ")
    assert what in str(caught.value)
    assert expected in str(caught.value)
    err = io.StringIO()
    with contextlib.redirect_stderr(err):
        assert run(commands, [command, SMALL, text]) == BAD_INPUT
    assert err.getvalue() == f"qwirkle-fast: {caught.value}\n"


def test_a_position_is_text() -> None:
    with pytest.raises(NotationError, match="position: the value is null, expected text"):
        Position(None)  # type: ignore[arg-type]


# Round trips


@pytest.mark.parametrize("text", [SMALL, EXAMPLE, FLEX, "- RsBc?4/- 12/8 classic;exchange_cap=5;opening=any"])
def test_a_position_comes_back_unchanged(read: Reader, text: str) -> None:
    position = read(text)
    assert str(position) == text
    assert repr(position) == f"Position({text!r})"
    assert str(Position.from_json(json.loads(json.dumps(position.to_json())))) == text
    for twin in (copy.copy(position), copy.deepcopy(position), pickle.loads(pickle.dumps(position))):
        assert twin is not position
        assert twin == position
        assert hash(twin) == hash(position)
        assert str(twin) == text


def test_a_copy_of_any_kind_goes_its_own_way_with_the_same_past(read: Reader) -> None:
    position = read(SMALL)
    position.push(Move("Rs@3,0"))
    for twin in (position.copy(), copy.deepcopy(position), pickle.loads(pickle.dumps(position))):
        assert str(twin.pop()) == "Rs@3,0"
        assert str(twin) == SMALL
    assert str(position) == "RvRdRcRs ?6/BcBsPsYtOx?1 3/4 classic"
    position.forget()
    with pytest.raises(IndexError):
        position.pop()


def test_the_json_form_names_every_part() -> None:
    assert Position("3,-1:Rs/Bs RcRd?1/- 12/8 classic;opening=any").to_json() == {
        "board": [{"x": 3, "y": -1, "tile": "Rs"}, {"x": 3, "y": 0, "tile": "Bs"}],
        "hands": [{"tiles": ["Rc", "Rd"], "hidden": 1}, {"tiles": [], "hidden": 0}],
        "scores": [12, 8],
        "rules": {"name": "classic", "opening": "any"},
    }


def test_positions_differ_by_each_part() -> None:
    same = Position("RvRd Bc/?6 3/0 classic")
    for other in (
        "RvRc Bc/?6 3/0 classic",
        "1,0:RvRd Bc/?6 3/0 classic",
        "RvRd Bs/?6 3/0 classic",
        "RvRd Bc/?5 3/0 classic",
        "RvRd Bc/?6 3/1 classic",
        "RvRd Bc/?6 3/0 classic;opening=any",
    ):
        assert Position(other) != same
    assert same != "RvRd Bc/?6 3/0 classic"


def test_positions_are_equal_however_they_came_to_be(read: Reader) -> None:
    played = read("RvRd RcBs/?6 0/0 classic")
    played.push(Move("Rc@2,0"))
    assert played == read("RvRdRc ?6/Bs?5 0/3 classic")
    assert hash(played) == hash(read("RvRdRc ?6/Bs?5 0/3 classic"))


def test_the_parts_can_be_read(read: Reader) -> None:
    position = read("RvRd RcBs?1/?6/- 7/8/9 classic")
    assert position.players == 3
    assert position.scores == (7, 8, 9)
    assert position.board == {(0, 0): "Rv", (1, 0): "Rd"}
    assert position.hands == (((0, 27), 1), ((), 6), ((), 0))
    assert (position.hand, position.hidden_in_hand) == ((0, 27), 1)
    assert position.bag == 108 - 2 - 9
    assert sum(position.unplaced) == 106
    assert sum(position.unseen) == 104
    assert (position.unplaced[0], position.unseen[0]) == (3, 2)


def test_the_picture_is_well_formed_and_outlines_the_last_move(read: Reader) -> None:
    position = read(SMALL)
    before = position._repr_svg_()
    assert ET.fromstring(before).tag == "{http://www.w3.org/2000/svg}svg"
    position.push(Move("Rs@3,0"))
    after = position._repr_svg_()
    position.pop()
    assert position._repr_svg_() == before
    assert after.count("red square") > before.count("red square") - 1
    assert "#d6007f" in after
    assert "#d6007f" not in before


# Legal moves


def test_moves_come_by_score_then_text(read: Reader) -> None:
    for text in (SMALL, EXAMPLE, FLEX):
        position = read(text)
        scored = position.legal_moves.scored()
        assert scored == sorted(scored, key=lambda pair: (-pair[1], str(pair[0])))
        assert [position.score(move) for move, _ in scored] == [score for _, score in scored]
        assert len(position.legal_moves) == len(scored) == len(set(scored))


def test_every_way_to_ask_gives_the_same_moves(read: Reader) -> None:
    moves = read(EXAMPLE).legal_moves
    every = list(moves)
    assert moves.best() == every[0]
    for n in (0, 1, 7, len(every), len(every) + 1, 10**30):
        assert moves.top(n) == every[:n]
    assert all(move in moves for move in every)
    assert Move("Rc@90,90") not in moves
    assert Move("-RcRd") not in moves
    assert "Rc@6,0" not in moves
    assert repr(moves).startswith(f"<{len(every)} legal moves of Position(")
    with pytest.raises(ValueError, match="n: -1, expected 0 or more"):
        moves.top(-1)


def test_the_array_holds_each_placement_and_owns_its_memory(read: Reader) -> None:
    position = read(EXAMPLE)
    array = position.legal_moves.array
    assert array.dtype == PLACEMENT
    assert array.base is None or array.flags.owndata
    assert len(array) == len(position.legal_moves)
    assert array["score"].max() == position.score(position.legal_moves.best() or Move.skip())
    kept = array.copy()
    position.push(best_or_exchange(position))
    del position
    assert (np.sort(kept) == np.sort(array)).all()


def test_legal_moves_follow_the_position(read: Reader) -> None:
    position = read("RvRd RcBs/RsRt 0/0 classic")
    moves = position.legal_moves
    assert Move("Rc@2,0") in moves
    for move in moves:
        position.push(move)
        position.pop()
    position.push(Move("Rc@2,0"))
    assert Move("Rs@3,0") in moves
    assert Move("Bs@3,0") not in moves


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("- RcRdRsBcBdYt/?6 0/0 classic", 6),
        ("- RcRdRsBcBsYt/?6 0/0 classic", 6),
        ("- RcRdRsBcBdBt/?6 0/0 classic", 12),
        ("- RsBc/?6 0/0 classic", 2),
        ("- RsBc/?6 0/0 classic;opening=any", 2),
        ("- RsRc/?6 0/0 classic;opening=any", 4),
        ("- RsRs/?6 0/0 classic", 1),
        ("- RcRxRdRsRtRv/?6 0/0 classic", 720),
        ("- RckRcwRck/?6 0/0 flex".replace("RckRcwRck", "RckRcwRcm"), 3),
        ("- -/?6 0/0 classic", 0),
    ],
)
def test_the_opening_is_of_the_largest_size(read: Reader, text: str, count: int) -> None:
    position = read(text)
    assert len(position.legal_moves) == len(list(position.legal_moves)) == count
    assert position.end is None


def test_an_opening_may_run_down_and_must_start_at_the_origin(read: Reader) -> None:
    position = read("- RsRcBd/?6 0/0 classic")
    assert texts(list(position.legal_moves)) == ["Rc@0,0+Rs@1,0", "Rs@0,0+Rc@1,0"]
    assert position.score(Move("Rs@0,0+Rc@0,1")) == 2
    for move, reason in [
        ("Rs@1,0+Rc@2,0", "the opening must start at 0,0, not at 1,0"),
        ("Rs@0,0", "the opening must place 2 tiles"),
        ("Rs@0,0+Bd@1,0", "share neither colour nor shape"),
        ("-Rs", "the opening move cannot be an exchange"),
        ("-", "a pass is refused while the bag holds"),
    ]:
        with pytest.raises(IllegalMove, match=reason):
            position.score(Move(move))


# Scores and reasons


def test_an_explanation_tells_each_line_with_its_cells_and_points(read: Reader) -> None:
    explanation = read(SMALL).explain(Move("Rs@3,0+Bs@3,1+Ps@3,2"))
    assert (explanation.legal, explanation.score, explanation.reason) == (True, 7, None)
    assert [(line.kind, line.cells, line.points) for line in explanation.lines] == [
        ("column", ((3, 0), (3, 1), (3, 2)), 3),
        ("row", ((0, 0), (1, 0), (2, 0), (3, 0)), 4),
    ]
    six = read("RvRdRcRsRx Rt/?6 0/0 classic").explain(Move("Rt@5,0"))
    assert (six.score, six.lines[0].points) == (12, 12)
    flex = read("RskRdw/Bsw Rck/?6 0/0 flex").explain(Move("Rck@2,0"))
    assert [line.kind for line in flex.lines] == ["row"]


ILLEGAL = [
    ("Rs@1,0", "1,0 already holds Rd"),
    ("Rt@3,0", "the hand holds no Rt"),
    ("Rs@3,0+Rs@4,0", "the hand holds 1 Rs, not 2"),
    ("Rs@3,0+Bs@2,1", "are not in one row or column"),
    ("Rs@3,0+Yt@4,0", "Rs and Yt, which share neither colour nor shape"),
    ("Bs@3,1+Ps@3,3", "3,2, between the placed tiles, is empty"),
    ("Rs@9,9", "no tile of the board touches 9,9"),
    ("Rs@3,1", "no tile of the board touches 3,1"),
    ("Rs@1000200,1000200", "no tile of the board touches"),
    ("Bs@3,0", "the row through 3,0 would include Rv and Bs"),
    ("-RsRt", "the hand does not hold Rt"),
    ("-RsRs", "the hand does not hold Rs"),
    ("-?1", r"the hand does not hold \?1"),
    ("-", "a pass is refused while the bag holds 93 tiles"),
]


@pytest.mark.parametrize(("move", "reason"), ILLEGAL)
def test_an_illegal_move_changes_nothing_and_has_a_reason(read: Reader, move: str, reason: str) -> None:
    position = read(SMALL)
    explanation = position.explain(Move(move))
    assert (explanation.legal, explanation.score, explanation.lines) == (False, None, ())
    for ask in (position.score, position.push):
        with pytest.raises(IllegalMove, match=reason) as caught:
            ask(Move(move))
        assert str(caught.value) == explanation.reason
    assert not position.is_legal(Move(move))
    assert str(position) == SMALL


# Exchanges and passes


def test_each_different_exchange_is_listed_once(read: Reader) -> None:
    position = read("Rv RsRsBc/?6 0/0 classic")
    assert texts(position.exchanges) == ["-Rs", "-Bc", "-RsRs", "-RsBc", "-RsRsBc"]
    assert [position.score(move) for move in position.exchanges] == [0] * 5
    explanation = position.explain(Move("-RsBc"))
    assert (explanation.legal, explanation.score, explanation.lines) == (True, 0, ())


def test_exchanges_are_as_large_as_the_bag(read: Reader) -> None:
    game = Game(seed=3)
    while len(game.bag) > 3 or not game.bag:
        game.play(best_or_exchange(game.position))
    position = read(str(game.position))
    bag = position.bag
    assert 0 < bag <= 3
    sizes = {len(move.exchanged) for move in position.exchanges}
    assert sizes == set(range(1, bag + 1))
    everything = Move.exchange([position.rules.tile_set.codes[tile] for tile in position.hand])
    assert position.explain(everything).reason == f"6 tiles cannot be exchanged: the bag holds {bag}"


@pytest.mark.parametrize(
    ("text", "exchanges"),
    [
        ("- RsRc/?6 0/0 classic", []),
        ("- RsRc/?6 0/0 classic;opening=any", ["-Rc", "-Rs", "-RcRs"]),
        ("Rv -/?6 0/0 classic", []),
        ("Rv Rs?2/?6 0/0 classic", ["-Rs"]),
        (f"{CIRCLES} RsOd/?6 0/0 classic", []),
    ],
)
def test_what_cannot_be_exchanged_is_not_listed(read: Reader, text: str, exchanges: list[str]) -> None:
    assert texts(read(text).exchanges) == exchanges


def test_with_an_empty_bag_who_can_place_must(read: Reader) -> None:
    position = read(LAST_TILES)
    assert position.bag == 0
    assert position.exchanges == []
    for move, reason in [
        ("-", "a pass is refused: the hand can place, and with the bag empty it must"),
        ("-Yv", "1 tiles cannot be exchanged: the bag holds 0"),
    ]:
        assert position.explain(Move(move)).reason == reason


def test_a_pass_hands_on_the_turn_and_nothing_else(read: Reader) -> None:
    position = read(PASS)
    assert (position.bag, position.end, list(position.legal_moves), position.exchanges) == (0, None, [], [])
    position.push(Move("-"))
    assert str(position) == PASS.replace("Yd/Yt 226/169", "Yt/Yd 169/226")
    assert len(position.legal_moves) > 0
    assert position.pop() == Move("-")
    assert str(position) == PASS


# Moves made and taken back


def test_what_the_mover_draws_is_hidden(read: Reader) -> None:
    position = read(SMALL)
    position.push(Move("Rs@3,0+Bs@3,1+Ps@3,2"))
    assert str(position) == "RvRdRcRs/3Bs/3Ps ?6/BcYtOx?3 3/7 classic"
    position.push(Move("-?2"))
    assert str(position) == "RvRdRcRs/3Bs/3Ps BcYtOx?3/?6 7/3 classic"
    position.push(Move("-BcYt"))
    assert str(position) == "RvRdRcRs/3Bs/3Ps ?6/Ox?5 3/7 classic"
    assert [str(position.pop()) for _ in range(3)] == ["-YtBc", "-?2", "Rs@3,0+Bs@3,1+Ps@3,2"]
    assert str(position) == SMALL
    with pytest.raises(IndexError):
        position.pop()


def test_a_hand_is_filled_up_to_six_whatever_it_held(read: Reader) -> None:
    position = read("RvRd Rc/RsBs 0/0 classic")
    position.push(Move("Rc@2,0"))
    assert str(position) == "RvRdRc RsBs/?6 0/3 classic"


def test_the_last_tile_with_an_empty_bag_brings_six_points(read: Reader) -> None:
    position = read(LAST_TILES)
    move = next(move for move in position.legal_moves if len(move.placed) == 2)
    score = position.score(move)
    position.push(move)
    assert position.scores == (210, 197 + score + 6)
    assert (position.hands[1], position.end) == (((), 0), "out")
    assert (list(position.legal_moves), position.exchanges, position.legal_moves.best()) == ([], [], None)
    for refused in ("-", "Yd@0,0", "-Yd"):
        assert position.explain(Move(refused)).reason == "the game is over: a player has gone out"
        with pytest.raises(IllegalMove, match="the game is over"):
            position.push(Move(refused))
    position.pop()
    assert str(position) == LAST_TILES


@pytest.mark.parametrize("rules", ["classic", "flex", "flex;diagonal_min=3;tiles=starter", "classic;opening=any"])
def test_whole_games_are_taken_back_move_by_move(read: Reader, rules: str) -> None:
    rng = random.Random(rules)
    position = read(str(Game(seed=11, players=3, rules=rules).position))
    seen: list[tuple[object, ...]] = []
    while position.end is None and len(seen) < 25:
        left = [tile for tile, count in enumerate(position.unseen) for _ in range(count)]
        position.reveal(0, rng.sample(left, position.hidden_in_hand))
        seen.append((str(position), hash(position), position.scores, position.bag))
        moves = position.legal_moves.top(5) + position.exchanges[:1]
        position.push(rng.choice(moves or [Move.skip()]))
        assert str(Position(str(position))) == str(position)
    assert len(seen) > 20
    while seen:
        position.pop()
        assert seen.pop() == (str(position), hash(position), position.scores, position.bag)


def test_a_score_that_the_notation_cannot_hold_is_told_when_it_is_written(read: Reader) -> None:
    position = read("RvRd Rc/?6 99999/0 classic")
    position.push(Move("Rc@2,0"))
    assert position.scores == (0, 100_002)
    with pytest.raises(NotationError, match="score 2 is 100002, expected a whole number from 0 to 100,000"):
        str(position)
    position.pop()
    assert position.scores == (99_999, 0)


def test_the_farthest_corner_can_be_played_on(read: Reader) -> None:
    position = read("1000000,-1000000:RvRd RcBv/?6 0/0 classic")
    best = position.legal_moves.top(3)
    assert texts(best) == ["Rc@1000002,-1000000", "Rc@999999,-1000000", "Bv@1000000,-1000001"]
    position.push(best[0])
    assert str(position).startswith("1000000,-1000000:RvRdRc ")
    position.pop()
    position.push(best[2])
    with pytest.raises(NotationError, match="board: the top left cell is 1000000,-1000001, expected"):
        str(position)


# How games end


@pytest.mark.parametrize(
    "text", ["- ?6/?6 0/0 classic", SMALL, PASS, LAST_TILES, "Rv -/?6 0/0 classic", "- -/- 0/0 flex"]
)
def test_a_game_goes_on_while_somebody_may_place(read: Reader, text: str) -> None:
    assert read(text).end is None


@pytest.mark.parametrize(
    ("text", "end", "reason"),
    [
        (f"{CIRCLES} RsOdYtGvBxPd/?1 0/0 classic", "dead", "no tile that is left fits anywhere"),
        (STUCK, "stuck", "the bag is empty and nobody can place"),
        (STUCK.replace("BcGc/GvBc", "?2/?2"), "stuck", "the bag is empty and nobody can place"),
        (STUCK.replace("BcGc/GvBc 183/191", "-/GvBc/BcGc 0/1/2"), "out", "a player has gone out"),
    ],
)
def test_the_end_of_a_game_is_seen_and_nothing_is_legal(read: Reader, text: str, end: str, reason: str) -> None:
    position = read(text)
    assert position.end == end
    assert (len(position.legal_moves), position.exchanges) == (0, [])
    for move in ("-", "-Rs", "Rs@0,9"):
        assert position.explain(Move(move)).reason == f"the game is over: {reason}"
        assert not position.is_legal(Move(move))


def test_a_mover_with_an_empty_hand_has_no_move_while_the_bag_lasts(read: Reader) -> None:
    position = read("RvRd -/?6 0/0 classic")
    assert (position.end, list(position.legal_moves), position.exchanges) == (None, [], [])
    assert position.legal_moves.best() is None
    assert len(position.legal_moves.array) == 0
    for move in ("-", "-Rs", "Rs@2,0"):
        assert not position.is_legal(Move(move))


# Hidden tiles


def test_moves_of_a_mover_with_hidden_tiles_are_those_of_the_known_ones(read: Reader) -> None:
    assert list(read("RvRd Rc?5/?6 0/0 classic").legal_moves) == list(read("RvRd Rc/?6 0/0 classic").legal_moves)
    assert len(read("RvRd ?6/RsBs 0/0 classic").legal_moves) == 0


def test_a_tile_that_may_be_hidden_can_be_placed_or_exchanged(read: Reader) -> None:
    position = read("RvRd Rs?2/RcRcRc 0/0 classic")
    assert position.score(Move("Rt@2,0")) == position.explain(Move("Rt@2,0")).score == 3
    assert position.score(Move("-RtBc")) == 0
    for move, reason in [
        ("Rc@2,0", "the hand holds no Rc"),
        ("Rt@2,0+Rx@3,0+Rc@4,0", "the hand holds no Rc"),
        ("-Rc", "the hand does not hold Rc"),
        ("-RtBcBd", "the hand does not hold Rt Bc Bd"),
        ("-?3", r"the hand does not hold \?3"),
    ]:
        with pytest.raises(IllegalMove, match=reason):
            position.score(Move(move))
    position.push(Move("Rs@2,0+Rt@3,0"))
    assert str(position) == "RvRdRsRt RcRcRc/?6 0/4 classic"
    position.pop()
    position.push(Move("-RsRtBc"))
    assert str(position) == "RvRd RcRcRc/?3 0/0 classic"


def test_with_an_empty_bag_two_players_hide_nothing(read: Reader) -> None:
    known = read(LAST_TILES)
    position = read(LAST_TILES.replace("YvYt", "?2"))
    assert position.hidden_in_hand == 0
    assert sorted(position.hand) == sorted(known.hand)
    assert list(position.legal_moves) == list(known.legal_moves)
    move = known.legal_moves.top(1)[0]
    assert position.explain(move) == known.explain(move)
    known.push(move)
    position.push(move)
    assert position.scores == known.scores
    assert (position.hands[1], position.end) == (((), 0), "out")
    position.pop()
    position.push(Move("Yv@-2,8"))
    assert position.hands[1] == ((), 1)


def test_two_hidden_hands_stay_hidden(read: Reader) -> None:
    position = read(LAST_TILES.replace("YvYt/YdGt", "?2/?2"))
    assert (position.hand, position.hidden_in_hand, len(position.legal_moves)) == ((), 2, 0)
    assert position.is_legal(Move("-"))


def test_an_opening_that_depends_on_hidden_tiles_is_refused(read: Reader) -> None:
    position = read("- RsBc?4/?6 0/0 classic")
    moves = position.legal_moves
    for ask in (
        lambda: len(moves),
        lambda: list(moves),
        lambda: moves.array,
        moves.best,
        lambda: position.score(Move("Rs@0,0")),
        lambda: position.explain(Move("Rs@0,0")),
    ):
        with pytest.raises(PositionError, match=r"hands: the opening depends on hidden tiles .*, expected a hand"):
            ask()
    assert position.explain(Move("-?2")).reason == "the opening move cannot be an exchange (opening=largest)"


def test_an_opening_of_any_size_does_not_depend_on_hidden_tiles(read: Reader) -> None:
    position = read("- Rs?2/?6 0/0 classic;opening=any")
    assert texts(list(position.legal_moves)) == ["Rs@0,0"]
    for move, score in [("Rs@0,0", 1), ("Rt@0,0", 1), ("Rs@0,0+Rt@1,0", 2), ("Rs@0,0+Rt@1,0+Rc@2,0", 3)]:
        assert position.score(Move(move)) == position.explain(Move(move)).score == score
    with pytest.raises(IllegalMove, match="the hand holds no Rc"):
        position.score(Move("Rc@0,0+Rt@1,0+Rx@2,0"))


def test_hidden_tiles_are_revealed_only_where_they_can_be(read: Reader) -> None:
    position = read("RvRd Rs?2/RcRcRc 0/0 classic")
    rt, rc = (position.rules.tile_set.tile(code) for code in ("Rt", "Rc"))
    for tiles in ([rc], [rt, rt, rt]):
        with pytest.raises(PositionError, match="hands: player 0 cannot hide"):
            position.reveal(0, tiles)
    position.reveal(0, [rt])
    assert str(position) == "RvRd RsRt?1/RcRcRc 0/0 classic"


# Threads


def test_positions_on_several_threads_answer_as_alone() -> None:
    positions = [Game(seed=seed).position for seed in range(8)] + [Position(text) for text in (SMALL, EXAMPLE, FLEX)]
    alone = [list(position.legal_moves) for position in positions]
    with ThreadPoolExecutor(4) as pool:
        for _ in range(20):
            assert list(pool.map(lambda position: list(position.legal_moves), positions)) == alone

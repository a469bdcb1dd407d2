"""Text and JSON of positions, moves and rules: the documented examples, round trips, and what must be refused."""

from __future__ import annotations

import copy
import json
import pickle
import random
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qwirkle_fast.move import PLACEMENT, Move
from qwirkle_fast.notation import (
    Fields,
    MoveFields,
    NotationError,
    format_move,
    format_position,
    format_rules,
    parse_move,
    parse_position,
    parse_rules,
    position_from_json,
    position_to_json,
    ranked,
    rules_from_json,
    rules_to_json,
    texts,
)
from qwirkle_fast.rules import Rules, RulesError
from qwirkle_fast.tiles import CLASSIC, FLEX

DATA = Path(__file__).parent / "data"
EXAMPLE = "-1,-3:OtOxOd/Yt1YdYc/GtGvGdGc1Px/RtRvRdRcRsRx/3BcBsBx/4Ps/4YsRs/4GsOs RcRdBxGtPsYv/?6 45/40 classic"
#: Bad positions of the data file that only a board refuses: their tiles may not lie as they do.
FOR_THE_BOARD = {"RvBdRc BcBsRs/?6 3/0 classic"}

seeds = st.integers(0, 2**32 - 1)


def random_rules(rng: random.Random) -> Rules:
    options: dict[str, Any] = {}
    if rng.random() < 0.3:
        options["first"] = "youngest"
    if rng.random() < 0.3:
        options["opening"] = "any"
    if rng.random() < 0.3:
        options["exchange_cap"] = rng.randint(1, 1000)
    if rng.random() < 0.5:
        return Rules("classic", **options)
    if rng.random() < 0.3:
        options["tiles"] = "starter"
    if rng.random() < 0.3:
        options["diagonal_min"] = rng.randint(2, 6)
    return Rules("flex", **options)


def random_fields(seed: int) -> Fields:
    """A position whose tiles connect; their lines need not be valid."""
    rng = random.Random(seed)
    rules = random_rules(rng)
    bag = [tile for tile, copies in enumerate(rules.copies) for _ in range(copies)]
    rng.shuffle(bag)
    board: dict[tuple[int, int], int] = {}
    start = rng.choice([(0, 0), (rng.randint(-20, 20), rng.randint(-20, 20)), (999_900, -999_900)])
    for _ in range(rng.choice([0, 1, rng.randint(2, 60)])):
        cell = start
        while cell in board:
            x, y = rng.choice(list(board))
            dx, dy = rng.choice([(0, 1), (0, -1), (1, 0), (-1, 0)])
            cell = x + dx, y + dy
        board[cell] = bag.pop()
    hands = []
    for _ in range(rng.randint(2, 6)):
        known = [bag.pop() for _ in range(min(len(bag), rng.randint(0, 6)))]
        hidden = min(len(bag), rng.randint(0, 6 - len(known)))
        del bag[:hidden]
        hands.append((tuple(known), hidden))
    cells = sorted(((x, y, tile) for (x, y), tile in board.items()), key=lambda cell: (cell[1], cell[0]))
    scores = tuple(rng.choice([0, rng.randint(0, 100_000), 100_000]) for _ in hands)
    return Fields(cells, tuple(hands), scores, rules)


def object_of(text: str = "RsBs Rd?5/?6 12/8 classic") -> dict[str, Any]:
    """A fresh object form, to be spoilt."""
    return json.loads(json.dumps(position_to_json(parse_position(text))))


def refusal(function: Any, value: object) -> str:
    """The error that the function must raise, which is of one line and not long."""
    with pytest.raises(NotationError) as caught:
        function(value)
    message = str(caught.value)
    assert message.isascii()
    assert message.isprintable()
    assert len(message) <= 250
    assert ", expected " in message
    return message


def read_or_refused(function: Any, value: object) -> Any:
    """What the function reads, or ``None`` when it refuses as it should; nothing else may happen."""
    try:
        return function(value)
    except NotationError:
        refusal(function, value)
        return None


# Positions


def test_the_documented_position_says_what_it_should() -> None:
    cells, hands, scores, rules = parse_position(EXAMPLE)
    codes = CLASSIC.codes
    assert [(x, y, codes[tile]) for x, y, tile in cells[:5]] == [
        (-1, -3, "Ot"),
        (0, -3, "Ox"),
        (1, -3, "Od"),
        (-1, -2, "Yt"),
        (1, -2, "Yd"),
    ]
    assert len(cells) == 25
    assert cells[-1] == (4, 4, CLASSIC.tile("Os"))
    assert hands == ((tuple(CLASSIC.tile(code) for code in ("Rc", "Rd", "Bx", "Gt", "Ps", "Yv")), 0), ((), 6))
    assert scores == (45, 40)
    assert rules == Rules("classic")


def test_the_documented_hand_is_known_in_part() -> None:
    fields = parse_position("- RsBc?4/- 12/8 classic;exchange_cap=5;opening=any")
    assert fields.cells == []
    assert fields.hands == (((CLASSIC.tile("Rs"), CLASSIC.tile("Bc")), 4), ((), 0))
    assert fields.scores == (12, 8)
    assert fields.rules == Rules("classic", exchange_cap=5, opening="any")


def test_the_documented_object_is_read_and_written() -> None:
    value = {
        "board": [{"x": 0, "y": 0, "tile": "Rs"}],
        "hands": [{"tiles": ["Rs"], "hidden": 0}, {"tiles": [], "hidden": 6}],
        "scores": [12, 8],
        "rules": {"name": "classic", "opening": "any"},
    }
    assert format_position(position_from_json(value)) == "Rs Rs/?6 12/8 classic;opening=any"
    assert position_to_json(parse_position("Rs Rs/?6 12/8 classic;opening=any")) == value


@pytest.mark.parametrize(
    "text",
    [
        EXAMPLE,
        "- RsBc/?6 0/0 classic",
        "1,0:Rs -/- 0/0 classic",
        "0,-1:Rs -/- 0/0 classic",
        "-1000000,1000000:Rs -/- 100000/0 classic",
        "2Rs/Rc1Rd -/-/-/-/-/- 0/0/0/0/0/0 classic",
        "RskRsw Rsm?5/?6 0/0 flex;diagonal_min=3;exchange_cap=1000;first=youngest;opening=any",
        "RskRsw Rdw?5/?6 0/0 flex;diagonal_min=6;exchange_cap=1;first=youngest;opening=any;tiles=starter",
        "Rc1000199Rd -/- 0/0 classic",
    ],
)
def test_a_position_comes_back_as_it_went_in(text: str) -> None:
    fields = parse_position(text)
    assert format_position(fields) == text
    assert position_from_json(position_to_json(fields)) == fields


@given(seeds)
def test_any_position_comes_back_as_it_went_in(seed: int) -> None:
    fields = random_fields(seed)
    text = format_position(fields)
    assert parse_position(text) == fields
    assert format_position(parse_position(text)) == text
    assert position_from_json(json.loads(json.dumps(position_to_json(fields)))) == fields


@given(seeds)
def test_the_order_of_the_cells_does_not_matter(seed: int) -> None:
    fields = random_fields(seed)
    shuffled = fields._replace(cells=random.Random(seed).sample(fields.cells, len(fields.cells)))
    assert format_position(shuffled) == format_position(fields)
    assert position_to_json(shuffled) == position_to_json(fields)
    value = position_to_json(fields)
    value["board"] = [position_to_json(shuffled._replace(cells=[cell]))["board"][0] for cell in shuffled.cells]  # type: ignore[index]
    assert position_from_json(value) == fields


@given(seeds, st.integers(0, 400), st.sampled_from(" -/,:;=?+0123469RBcsvkmx\n\x00\x7fé١"), st.integers(0, 2))
def test_a_spoilt_position_is_refused_in_one_line_or_canonical(seed: int, at: int, sign: str, cut: int) -> None:
    text = format_position(random_fields(seed))
    at %= len(text) + 1
    spoilt = text[:at] + sign + text[at + cut :]
    fields = read_or_refused(parse_position, spoilt)
    assert fields is None or format_position(fields) == spoilt


@given(st.text(st.sampled_from(" -/,:;=?+0123RBcsvkm") | st.characters(), max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    for parse in (parse_position, parse_move, parse_rules, Move):
        read_or_refused(parse, text)


BAD_POSITIONS = [
    # the form as a whole
    ("", "position: 1 field"),
    (" ", "position: 2 fields, of which one is empty"),
    ("Rv", "position: 1 field, expected 4"),
    ("Rv Bc/?6 0/0", "position: 3 fields"),
    ("Rv  Bc/?6 0/0 classic", "position: 5 fields, of which one is empty"),
    (" Rv Bc/?6 0/0 classic", "position: 5 fields, of which one is empty"),
    ("Rv Bc/?6 0/0 classic ", "position: 5 fields, of which one is empty"),
    ("Rv Bc/?6 0/0 classic x", "position: 5 fields, expected 4"),
    ("Rv\tBc/?6 0/0 classic", "position: 3 fields"),
    ("Rv Bc/?6 0/0 classic\n", "rules: 'classic\\n' is not a game"),
    ("Rv\nBc Bc/?6 0/0 classic", "board: cell 1,0: '\\nBc' at character 3"),
    ("Rv\x00 Bc/?6 0/0 classic", "board: cell 1,0: '\\x00' at character 3"),
    ("\x00Rv Bc/?6 0/0 classic", "board: cell 0,0: '\\x00Rv' at character 1"),
    ("Rv Bc/?6 0/0 clàssic", "position: character 16 is '\\xe0', expected ASCII"),
    ("Rv Bc/?\u0666 0/0 classic", "position: character 8 is '\\u0666', expected ASCII"),
    ("\u0663Rv Bc/?6 0/0 classic", "position: character 1 is '\\u0663', expected ASCII"),
    ("Rv Bc/?6 0/\uff10 classic", "position: character 12 is '\\uff10', expected ASCII"),
    ("\udc80 Bc/?6 0/0 classic", "position: character 1 is '\\udc80', expected ASCII"),
    # the board
    (" Bc/?6 0/0 classic", "board: row 0 is empty, expected a tile (a colour of ROYGBP, a shape of cxdstv), or -"),
    ("/Rv Bc/?6 0/0 classic", "board: row 0 is empty"),
    ("Rv/ Bc/?6 0/0 classic", "board: row 1 is empty"),
    ("Rv//Rd Bc/?6 0/0 classic", "board: row 1 is empty"),
    ("2,5:Rv//Rd Bc/?6 0/0 classic", "board: row 6 is empty"),
    ("Rv1/Rd Bc/?6 0/0 classic", "board: row 0 ends with a count"),
    ("Rv2 Bc/?6 0/0 classic", "board: row 0 ends with a count"),
    ("Rv/3/Rd Bc/?6 0/0 classic", "board: row 1 ends with a count"),
    ("1 Bc/?6 0/0 classic", "board: row 0 ends with a count"),
    ("0Rv Bc/?6 0/0 classic", "board: cell 0,0: the count is '0'"),
    ("Rv0Rd Bc/?6 0/0 classic", "board: cell 1,0: the count is '0'"),
    ("Rv01Rd Bc/?6 0/0 classic", "board: cell 1,0: the count is '01'"),
    ("Rv99999999999999999999Rd Bc/?6 0/0 classic", "board: cell 1,0: the count is '99999999999999999999'"),
    ("Rv1000200Rd Bc/?6 0/0 classic", "board: cell 1000201,0 is too far away"),
    ("1Rv Bc/?6 0/0 classic", "board: every row begins with 1 empty cell, or more"),
    ("3Rv/2Rd Bc/?6 0/0 classic", "board: every row begins with 2 empty cells, or more"),
    ("R Bc/?6 0/0 classic", "board: cell 0,0: 'R' at character 1"),
    ("RvRz Bc/?6 0/0 classic", "board: cell 1,0: 'Rz' at character 3"),
    ("Rv/vR Bc/?6 0/0 classic", "board: cell 0,1: 'vR' at character 4"),
    ("Rv- Bc/?6 0/0 classic", "board: cell 1,0: '-' at character 3"),
    ("-- Bc/?6 0/0 classic", "board: cell 0,0: '--' at character 1"),
    ("RvRck Bc/?6 0/0 classic", "board: cell 1,0 holds 'Rck'"),
    ("Rvk/Rc Bcm/?6 0/0 flex", "board: cell 0,1: 'Rc' at character 5, expected a tile (a colour of ROYGBP, a shape of"),
    ("Rvk1k Bcm/?6 0/0 flex", "board: cell 2,0: 'k' at character 5"),
    ("RcRcRcRc Bc/?6 0/0 classic", "board: cell 3,0: one Rc too many, expected at most 3"),
    ("Rck/Rck Bcm/?6 0/0 flex", "board: cell 0,1: one Rck too many, expected at most 1"),
    ("Rcm Bck/?6 0/0 flex;tiles=starter", "board: cell 0,0: Rcm is not in the game"),
    # the prefix
    ("0,0:Rv Bc/?6 0/0 classic", "board: the prefix is 0,0, expected none"),
    (":Rv Bc/?6 0/0 classic", "board: the prefix is ''"),
    ("1:Rv Bc/?6 0/0 classic", "board: the prefix is '1'"),
    ("1,:Rv Bc/?6 0/0 classic", "board: the prefix is '1,'"),
    (",1:Rv Bc/?6 0/0 classic", "board: the prefix is ',1'"),
    ("1,2,3:Rv Bc/?6 0/0 classic", "board: the prefix is '1,2,3'"),
    ("+1,2:Rv Bc/?6 0/0 classic", "board: the prefix is '+1,2'"),
    ("-0,2:Rv Bc/?6 0/0 classic", "board: the prefix is '-0,2'"),
    ("01,2:Rv Bc/?6 0/0 classic", "board: the prefix is '01,2'"),
    ("1,--2:Rv Bc/?6 0/0 classic", "board: the prefix is '1,--2'"),
    ("1000001,0:Rv Bc/?6 0/0 classic", "board: the prefix is '1000001,0'"),
    ("0,-1000001:Rv Bc/?6 0/0 classic", "board: the prefix is '0,-1000001'"),
    ("1,1:- Bc/?6 0/0 classic", "board: cell 1,1: '-' at character 5"),
    ("1,1: Bc/?6 0/0 classic", "board: row 1 is empty"),
    ("1,1:1,1:Rv Bc/?6 0/0 classic", "board: cell 2,1: ',1:' at character 6"),
    # the hands
    ("Rv /?6 0/0 classic", "hands: hand 1 is empty"),
    ("Rv ?6/ 0/0 classic", "hands: hand 2 is empty"),
    ("Rv ?6//- 0/0/0 classic", "hands: hand 2 is empty"),
    ("Rv Bc0/?6 0/0 classic", "hands: hand 1: '0' at character 6"),
    ("Rv Bc/Rx 0/0 flex", "board: cell 0,0: 'Rv' at character 1"),
    ("Rvk Bck/Rx 0/0 flex", "hands: hand 2: 'Rx' at character 9"),
    ("Rv Bck/?6 0/0 classic", "hands: hand 1: 'k' at character 6"),
    ("Rv -Bc/?6 0/0 classic", "hands: hand 1: 'Bc' at character 5"),
    ("Rv Bc-/?6 0/0 classic", "hands: hand 1: '-' at character 6"),
    ("Rv ?6Bc/?6 0/0 classic", "hands: hand 1: 'Bc' at character 6"),
    ("Rv Bc?0/?6 0/0 classic", "hands: hand 1: '0' tiles are hidden, expected 1 to 6"),
    ("Rv Bc?/?6 0/0 classic", "hands: hand 1: '' tiles are hidden"),
    ("Rv Bc/?06 0/0 classic", "hands: hand 2: '06' tiles are hidden"),
    ("Rv Bc/?99999999999999999999 0/0 classic", "hands: hand 2: '99999999999999999999' tiles are hidden"),
    ("Rv Bc/?7 0/0 classic", "hands: hand 2 has 7 tiles, expected at most 6"),
    ("Rv BcBxBdBsBtBv?1/?6 0/0 classic", "hands: hand 1 has 7 tiles"),
    ("Rv BcBxBdBsBtBvRs/?6 0/0 classic", "hands: hand 1 has 7 tiles"),
    ("Rv ?6 0 classic", "hands: 1 hand, expected 2 to 6"),
    ("Rv -/-/-/-/-/-/- 0/0/0/0/0/0/0 classic", "hands: 7 hands, expected 2 to 6"),
    ("Rv Rv/RvRv 0/0 classic", "hands: hand 2: one Rv too many, expected at most 3"),
    ("Rvw -/Rvw 0/0 flex", "hands: hand 2: one Rvw too many, expected at most 1"),
    ("Rvw Rvm/- 0/0 flex;tiles=starter", "hands: hand 1: Rvm is not in the game"),
    # the scores
    ("Rv Bc/?6  classic", "scores: score 1 is ''"),
    ("Rv Bc/?6 0 classic", "scores: 1 score, expected 2, one for each hand"),
    ("Rv Bc/?6 0/0/0 classic", "scores: 3 scores, expected 2"),
    ("Rv Bc/?6 0/ classic", "scores: score 2 is ''"),
    ("Rv Bc/?6 00/0 classic", "scores: score 1 is '00'"),
    ("Rv Bc/?6 -1/0 classic", "scores: score 1 is '-1'"),
    ("Rv Bc/?6 0/1.5 classic", "scores: score 2 is '1.5'"),
    ("Rv Bc/?6 0/100001 classic", "scores: score 2 is '100001', expected a whole number from 0 to 100,000"),
    ("Rv Bc/?6 0/99999999999999999999 classic", "scores: score 2 is '99999999999999999999'"),
    # the rules
    ("Rv Bc/?6 0/0 ", "rules: '' is not a game"),
    ("Rv Bc/?6 0/0 chess", "rules: 'chess' is not a game"),
    ("Rv Bc/?6 0/0 Classic", "rules: 'Classic' is not a game"),
    ("Rv Bc/?6 0/0 classic;", "rules: '' is no option"),
    ("Rv Bc/?6 0/0 classic;name=flex", "rules: 'name=flex' is no option"),
    ("Rv Bc/?6 0/0 classic;opening", "rules: 'opening' is no option"),
    ("Rv Bc/?6 0/0 classic;opening=", "rules: opening is ''"),
    ("Rv Bc/?6 0/0 classic;opening=all", "rules: opening is 'all', expected largest or any"),
    ("Rv Bc/?6 0/0 classic;opening=largest", "rules: opening=largest is the default"),
    ("Rv Bc/?6 0/0 classic;exchange_cap=10", "rules: exchange_cap=10 is the default"),
    ("Rv Bc/?6 0/0 classic;exchange_cap=0", "rules: exchange_cap is 0"),
    ("Rv Bc/?6 0/0 classic;exchange_cap=010", "rules: exchange_cap is '010'"),
    ("Rv Bc/?6 0/0 classic;exchange_cap=+5", "rules: exchange_cap is '+5'"),
    ("Rv Bc/?6 0/0 classic;opening=any;first=youngest", "rules: first is out of place"),
    ("Rv Bc/?6 0/0 classic;opening=any;opening=any", "rules: opening is out of place"),
    ("Rv Bc/?6 0/0 classic;tiles=starter", "rules: tiles is an option of flex"),
    ("Rv Bc/?6 0/0 classic;diagonal_min=2", "rules: diagonal_min=2 is the default"),
    ("Rv Bc/?6 0/0 classic;exchange_cap=" + "9" * 5000, "rules: '999"),
    ("Rv Bc/?6 0/0 " + "c" * 5000, "rules: 'ccc"),
    ("Rv Bc/?6 0/0 classic;\x1b[31m=1", "rules: '\\x1b[31m=1' is no option"),
]


@pytest.mark.parametrize(("text", "message"), BAD_POSITIONS)
def test_a_bad_position_is_refused(text: str, message: str) -> None:
    assert refusal(parse_position, text).startswith(message)


def test_a_negative_bag_is_refused_in_text_and_json() -> None:
    tiles = [code for code in CLASSIC.codes for _ in range(3)]
    board = "".join(tiles[:100])
    assert parse_position(f"{board} ?6/?2 0/0 classic")
    message = "bag: -1 tiles would be left, expected 0 or more: of 108 the board has 100 and the hands have 9"
    assert refusal(parse_position, f"{board} ?6/?3 0/0 classic") == message
    value = object_of(f"{board} ?6/?2 0/0 classic")
    value["hands"][1]["hidden"] = 3
    assert refusal(position_from_json, value) == message


def test_text_of_a_subclass_is_text() -> None:
    assert parse_position(np.str_(EXAMPLE)) == parse_position(EXAMPLE)
    assert type(str(Move(np.str_("Rs@0,0")))) is str


def test_every_bad_position_of_the_data_is_refused() -> None:
    for text in (DATA / "bad-positions.txt").read_text(encoding="utf-8").splitlines():
        if text in FOR_THE_BOARD:
            assert format_position(parse_position(text)) == text
        else:
            refusal(parse_position, text)


@pytest.mark.parametrize("value", [None, 5, b"- ?6/?6 0/0 classic", ["-"], np.float64(1)])
def test_what_is_no_text_is_refused(value: object) -> None:
    for parse, field in ((parse_position, "position"), (parse_move, "move"), (parse_rules, "rules"), (Move, "move")):
        assert refusal(parse, value).startswith(f"{field}: the value is ")


@pytest.mark.parametrize(
    "text",
    [
        *["x" * 10**6, "9" * 10**6, "/" * 10**6, " " * 10**6, ";" * 10**6, "+" * 10**6, "-" * 10**6, "\n" * 10**6],
        *["Rc" * 500_000, "RcOx" * 250_000, "Rc/" * 300_000, "Rc9" * 300_000, "?1" * 500_000, "é" * 10**6],
    ],
    ids=lambda text: ascii(text[:4]),
)
def test_a_megabyte_of_garbage_is_refused_at_once(text: str) -> None:
    start = time.perf_counter()
    for place in range(4):
        fields = ["Rc", "Bc/?6", "0/0", "classic"]
        fields[place] = text
        refusal(parse_position, " ".join(fields))
    for parse in (parse_position, parse_move, parse_rules, Move):
        refusal(parse, text)
    refusal(parse_move, "-" + text)
    refusal(parse_move, "Rs@" + text)
    refusal(parse_rules, "classic;opening=" + text)
    refusal(position_from_json, {text: 1})
    refusal(position_from_json, {**object_of(), "scores": text})
    refusal(position_from_json, {**object_of(), "rules": {"name": text}})
    refusal(position_from_json, {**object_of(), "board": [{"x": 0, "y": 0, "tile": text}]})
    assert time.perf_counter() - start < 1


def test_a_position_beyond_what_can_be_read_has_no_text() -> None:
    fields = parse_position("-1000000,0:RsBs -/- 0/0 classic")
    beyond = fields._replace(cells=[*fields.cells, (-1_000_001, 0, CLASSIC.tile("Gs"))])
    assert refusal(format_position, beyond).startswith("board: the top left cell is -1000001,0")
    beyond = fields._replace(scores=(0, 100_001))
    assert refusal(format_position, beyond).startswith("scores: score 2 is 100001")


def test_a_tile_that_is_none_has_no_text() -> None:
    for tile in (-1, 36, 255, 1000):
        with pytest.raises(ValueError, match="cell 0,0"):
            format_position(Fields([(0, 0, tile)], (((), 0), ((), 0)), (0, 0), Rules("classic")))


# Positions as JSON


def test_what_the_object_form_may_leave_out_or_say_anyway() -> None:
    value = object_of("RsBs Rd/?6 12/8 classic")
    del value["hands"][0]["hidden"]
    value["rules"].update(opening="largest", exchange_cap=10, tiles="full", diagonal_min=2, first="oldest")
    assert format_position(position_from_json(value)) == "RsBs Rd/?6 12/8 classic"


def spoilt(path: str, new: object) -> dict[str, Any]:
    """An object form with the member at a path such as ``hands.1.tiles`` replaced, or added."""
    value = object_of()
    *parents, last = [int(step) if step.isdecimal() else step for step in path.split(".")]
    target: Any = value
    for step in parents:
        target = target[step]
    target[last] = new
    return value


def without(key: str) -> dict[str, Any]:
    return {other: member for other, member in object_of().items() if other != key}


BAD_OBJECTS = [
    (None, "position is null, expected an object"),
    ([], "position is a list"),
    ("- ?6/?6 0/0 classic", "position is '- ?6/?6 0/0 classic'"),
    ({}, "position has no board, expected board, hands, rules and scores"),
    (without("board"), "position has no board"),
    (without("hands"), "position has no hands"),
    (without("scores"), "position has no scores"),
    (without("rules"), "position has no rules"),
    (spoilt("bag", []), "position has the key 'bag', expected no key but board, hands, rules or scores"),
    ({**object_of(), 5: 1}, "position has the key 5"),
    (spoilt("board", {}), "board is an object, expected a list"),
    (spoilt("board", "-"), "board is '-', expected a list"),
    (spoilt("board.0", []), "board[0] is a list, expected an object"),
    (spoilt("board.1", {"x": 0, "y": 0}), "board[1] has no tile, expected tile, x and y"),
    (spoilt("board.1.z", 0), "board[1] has the key 'z'"),
    (spoilt("board.1.x", 1.0), "board[1].x is 1.0, expected a whole number"),
    (spoilt("board.1.x", True), "board[1].x is true"),
    (spoilt("board.1.x", "1"), "board[1].x is '1'"),
    (spoilt("board.1.y", None), "board[1].y is null"),
    (spoilt("board.1.y", float("nan")), "board[1].y is nan"),
    (spoilt("board.1.y", 10**5000), "board[1].y is a number of more than 18 digits"),
    (spoilt("board.1.y", np.int32(1)), "board[1].y is of type int32"),
    (spoilt("board.1.x", 1_000_201), "board[1].x is 1000201, expected a whole number from -1,000,200 to 1,000,200"),
    (spoilt("board.1.x", -1_000_001), "board: the top left cell is -1000001,0"),
    (spoilt("board.1.x", 0), "board[1]: cell 0,0 is given twice"),
    (spoilt("board.0.tile", "rs"), "board[0].tile is 'rs', expected a classic tile such as Rs"),
    (spoilt("board.0.tile", "Rsk"), "board[0].tile is 'Rsk', expected a classic tile such as Rs"),
    (spoilt("board.0.tile", 3), "board[0].tile is 3"),
    (spoilt("board.0.tile", ["Rs"]), "board[0].tile is a list"),
    (spoilt("board.0.tile", "R\n" * 99), "board[0].tile is 'R\\nR"),
    (spoilt("board", [{"x": x, "y": 0, "tile": "Rs"} for x in range(4)]), "board[3].tile: one Rs too many"),
    (spoilt("hands", {}), "hands is an object"),
    (spoilt("hands", []), "hands: 0 hands, expected 2 to 6"),
    (spoilt("hands", [{"tiles": []}]), "hands: 1 hand, expected 2 to 6"),
    (spoilt("hands", [{"tiles": []}] * 7), "hands: 7 hands, expected 2 to 6"),
    (spoilt("hands.1", "?6"), "hands[1] is '?6', expected an object"),
    (spoilt("hands.1", {"hidden": 6}), "hands[1] has no tiles"),
    (spoilt("hands.1.known", 6), "hands[1] has the key 'known', expected no key but hidden or tiles"),
    (spoilt("hands.1.tiles", "Rs"), "hands[1].tiles is 'Rs', expected a list"),
    (spoilt("hands.1.tiles", ["Zz"]), "hands[1].tiles[0] is 'Zz', expected a classic tile"),
    (spoilt("hands.1.tiles", ["Rs", "Rs", "Rs"]), "hands[1].tiles[2]: one Rs too many"),
    (spoilt("hands.1.hidden", -1), "hands[1].hidden is -1, expected a whole number from 0 to 6"),
    (spoilt("hands.1.hidden", 7), "hands[1].hidden is 7"),
    (spoilt("hands.1.hidden", None), "hands[1].hidden is null"),
    (spoilt("hands.1.hidden", False), "hands[1].hidden is false"),
    (spoilt("hands.1.tiles", ["Rs"]), "hands[1] has 7 tiles, expected at most 6"),
    (spoilt("scores", 12), "scores is 12, expected a list"),
    (spoilt("scores", [12]), "scores: 1 score, expected 2"),
    (spoilt("scores", [12, 8, 0]), "scores: 3 scores, expected 2"),
    (spoilt("scores.1", -1), "scores[1] is -1, expected a whole number from 0 to 100,000"),
    (spoilt("scores.1", 100_001), "scores[1] is 100001"),
    (spoilt("scores.1", "8"), "scores[1] is '8'"),
    (spoilt("rules", "classic"), "rules is 'classic', expected an object"),
    (spoilt("rules", {}), "rules has no name, expected name"),
    (spoilt("rules.name", None), "rules.name is null, expected text"),
    (spoilt("rules.name", "chess"), "rules: 'chess' is not a game"),
    (spoilt("rules.name", "\xa1"), "rules: '\\xa1' is no game and no option's value"),
    (spoilt("rules.name", "flex"), "board[0].tile is 'Rs', expected a flex tile such as Rsk"),
    (spoilt("rules.cap", 5), "rules has the key 'cap'"),
    (spoilt("rules.exchange_cap", "5"), "rules.exchange_cap is '5', expected a whole number"),
    (spoilt("rules.exchange_cap", True), "rules.exchange_cap is true"),
    (spoilt("rules.exchange_cap", 5.0), "rules.exchange_cap is 5.0"),
    (spoilt("rules.exchange_cap", 0), "rules: exchange_cap is 0"),
    (spoilt("rules.exchange_cap", 10**5000), "rules.exchange_cap is a number of more than 18 digits"),
    (spoilt("rules.opening", 1), "rules.opening is 1, expected text"),
    (spoilt("rules.opening", []), "rules.opening is a list"),
    (spoilt("rules.tiles", "starter"), "rules: tiles is an option of flex"),
]


@pytest.mark.parametrize(("value", "message"), BAD_OBJECTS, ids=[message for _, message in BAD_OBJECTS])
def test_a_bad_object_is_refused(value: object, message: str) -> None:
    assert refusal(position_from_json, value).startswith(message)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from(["Rs", "Rsk"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)
PATHS = ["board", "board.0", "board.0.x", "board.0.tile", "hands", "hands.0", "hands.0.tiles", "hands.1.hidden"]
PATHS += ["scores", "scores.0", "rules", "rules.name", "rules.opening", "rules.diagonal_min", "rules.exchange_cap"]


@given(st.sampled_from(PATHS), json_values)
def test_any_object_is_read_or_refused(path: str, new: object) -> None:
    for value in (new, spoilt(path, new)):
        fields = read_or_refused(position_from_json, value)
        assert fields is None or parse_position(format_position(fields)) == fields


# Rules


@given(seeds)
def test_rules_come_back_as_they_went_in(seed: int) -> None:
    rules = random_rules(random.Random(seed))
    assert parse_rules(format_rules(rules)) == rules
    assert rules_from_json(rules_to_json(rules)) == rules


def test_the_documented_rules_are_read_and_written() -> None:
    rules = Rules("classic", exchange_cap=5, opening="any")
    assert parse_rules("classic;exchange_cap=5;opening=any") == rules
    assert format_rules(rules) == "classic;exchange_cap=5;opening=any"


def test_an_error_of_the_rules_keeps_its_words() -> None:
    with pytest.raises(RulesError) as caught:
        Rules("classic", exchange_cap=0)
    assert refusal(parse_rules, "classic;exchange_cap=0") == str(caught.value)


# Moves


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("Rx@4,0+Bx@4,1", MoveFields(((4, 0, "Rx"), (4, 1, "Bx")), (), 0)),
        ("Rxk@-4,0", MoveFields(((-4, 0, "Rxk"),), (), 0)),
        ("Rx@1000200,-1000200", MoveFields(((1_000_200, -1_000_200, "Rx"),), (), 0)),
        ("-RsBc", MoveFields((), ("Rs", "Bc"), 0)),
        ("-RskRsmBcw", MoveFields((), ("Rsk", "Rsm", "Bcw"), 0)),
        ("-", MoveFields((), (), 0)),
        ("-?6", MoveFields((), (), 6)),
        ("-Rs?2", MoveFields((), ("Rs",), 2)),
        ("-RsRsRsRsRsRs", MoveFields((), ("Rs",) * 6, 0)),
    ],
)
def test_a_move_is_read_and_written(text: str, fields: MoveFields) -> None:
    assert parse_move(text) == fields
    assert format_move(fields) == text
    move = Move(text)
    assert str(move) == text
    assert (move.placed, move.exchanged, move.hidden) == fields
    assert Move.trusted(text).fields == fields


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("Bx@4,1+Rx@4,0", "Rx@4,0+Bx@4,1"),
        ("Gs@3,4+Os@4,4+Ps@2,4", "Ps@2,4+Gs@3,4+Os@4,4"),
        ("Rs@9,-10+Bs@-9,-10+Gs@9,-11", "Gs@9,-11+Bs@-9,-10+Rs@9,-10"),
        ("-BcRs", "-RsBc"),
        ("-RvRtRcRxRsRd", "-RcRxRdRsRtRv"),
        ("-BcmBckRsw?1", "-RswBckBcm?1"),
    ],
)
def test_the_tiles_of_a_move_are_read_in_any_order(text: str, canonical: str) -> None:
    assert format_move(parse_move(text)) == canonical
    assert str(Move(text)) == canonical
    assert Move(text) == Move(canonical)


BAD_MOVES = [
    ("", "move: '' is no placed tile, expected TILE@X,Y"),
    ("Rs", "move: 'Rs' is no placed tile"),
    ("Rs@1", "move: 'Rs@1' is no placed tile"),
    ("Rs@1,", "move: 'Rs@1,' is no placed tile"),
    ("Rs@1,2,3", "move: 'Rs@1,2,3' is no placed tile"),
    ("Rs@1,2@3,4", "move: 'Rs@1,2@3,4' is no placed tile"),
    ("Rs@01,2", "move: 'Rs@01,2' is no placed tile"),
    ("Rs@1,-0", "move: 'Rs@1,-0' is no placed tile"),
    ("Rs@1,+2", "move: 'Rs@1,' is no placed tile"),
    ("Rs@1,2.0", "move: 'Rs@1,2.0' is no placed tile"),
    ("Rs@1, 2", "move: 'Rs@1, 2' is no placed tile"),
    ("Rs@1,2+", "move: '' is no placed tile"),
    ("Rs@1,2\n", "move: 'Rs@1,2\\n' is no placed tile"),
    ("Rs@1,2+-Bs", "move: '-Bs' is no placed tile"),
    ("Rs@1,\u0662", "move: character 6 is '\\u0662', expected ASCII"),
    ("\ud800", "move: character 1 is '\\ud800'"),
    ("Rs@" + "9" * 5000 + ",0", "move: 'Rs@999"),
    ("Rs@1000201,0", "move: the cell of Rs is 1000201,0, expected whole numbers from -1,000,200 to 1,000,200"),
    ("Rs@0,-1000201", "move: the cell of Rs is 0,-1000201"),
    (" Rs@1,2", "move: ' Rs' is no tile"),
    ("rs@1,2", "move: 'rs' is no tile"),
    ("\x00@1,2", "move: '\\x00' is no tile"),
    ("@1,2", "move: '' is no tile"),
    ("Rs@1,2+Bsk@1,3", "move: Bsk is a flex tile, expected all tiles to be of one game"),
    ("Rs@1,2+Bs@1,2", "move: cell 1,2 is given twice"),
    ("Rs@0,0+Rs@1,0+Rs@2,0+Rs@3,0+Rs@4,0+Rs@5,0+Rs@6,0", "move: 7 tiles are placed, expected 1 to 6"),
    ("--", "move: '-' is no tile"),
    ("- ", "move: ' ' is no tile"),
    ("-R", "move: 'R' is no tile"),
    ("-RsZc", "move: 'Zc' is no tile"),
    ("-Rs@1,2", "move: '@1' is no tile"),
    ("-RskBc", "move: Bc is a classic tile"),
    ("-RsBck", "move: 'k' is no tile"),
    ("-?", "move: '' tiles are hidden, expected 1 to 6"),
    ("-?0", "move: '0' tiles are hidden"),
    ("-?7", "move: '7' tiles are hidden"),
    ("-?02", "move: '02' tiles are hidden"),
    ("-?2Rs", "move: '2Rs' tiles are hidden"),
    ("-Rs?6", "move: more than 6 tiles are exchanged"),
    ("-RsRsRsRsRsRsRs", "move: more than 6 tiles are exchanged"),
]


@pytest.mark.parametrize(("text", "message"), BAD_MOVES, ids=[message for _, message in BAD_MOVES])
def test_a_bad_move_is_refused(text: str, message: str) -> None:
    assert refusal(parse_move, text).startswith(message)
    assert refusal(Move, text).startswith(message)


def test_moves_are_made_from_their_parts() -> None:
    assert str(Move.place([(4, 1, "Bx"), (4, 0, "Rx")])) == "Rx@4,0+Bx@4,1"
    assert str(Move.place((np.int32(x), 0, "Rs") for x in range(1))) == "Rs@0,0"
    assert str(Move.exchange(["Bc", "Rs"])) == "-RsBc"
    assert str(Move.exchange([], hidden=3)) == "-?3"
    assert str(Move.exchange(["Rs"], 2)) == "-Rs?2"
    assert str(Move.skip()) == "-"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Move.place([]), "move: no tile is placed"),
        (lambda: Move.place([(0, 0)]), "move: a placed tile is in another form"),  # type: ignore[list-item]
        (lambda: Move.place([(0.5, 0, "Rs")]), "move: a placed tile is in another form"),  # type: ignore[list-item]
        (lambda: Move.place(5), "move: a placed tile is in another form"),  # type: ignore[arg-type]
        (lambda: Move.place([(0, 0, 3)]), "move: 3 is no tile"),  # type: ignore[list-item]
        (lambda: Move.place([(0, 0, "Rs@1,1+Bc")]), "move: 'Rs@1,1+Bc' is no tile"),
        (lambda: format_move(MoveFields(((True, 0, "Rs"),), (), 0)), "move: the cell of Rs is true,0"),
        (lambda: Move.place([(10**5000, 0, "Rs")]), "move: the cell of Rs is a number of more than 18 digits,0"),
        (lambda: Move.place([(0, 0, "Rs"), (0, 0, "Bs")]), "move: cell 0,0 is given twice"),
        (lambda: Move.place([(x, 0, "Rs") for x in range(7)]), "move: 7 tiles are placed"),
        (lambda: Move.exchange([]), "move: no tile is exchanged"),
        (lambda: Move.exchange(5), "move: the exchanged tiles are no list"),  # type: ignore[arg-type]
        (lambda: Move.exchange([["Rs"]]), "move: a list is no tile"),  # type: ignore[list-item]
        (lambda: Move.exchange(["Rs"], hidden=6), "move: more than 6 tiles"),
        (lambda: Move.exchange(["Rs"], hidden=-1), "move: the number of hidden tiles is -1"),
        (lambda: Move.exchange(["Rs"], hidden="1"), "move: the number of hidden tiles is '1'"),  # type: ignore[arg-type]
        (lambda: format_move(MoveFields(((0, 0, "Rs"),), ("Rs",), 0)), "move: tiles are placed and exchanged"),
    ],
)
def test_a_move_is_not_made_from_bad_parts(make: Any, message: str) -> None:
    assert refusal(lambda _: make(), None).startswith(message)


def test_a_move_is_a_value() -> None:
    move = Move("Rs@3,0")
    assert repr(move) == "Move('Rs@3,0')"
    assert eval(repr(move)) == move
    assert {move: 1}[Move("Rs@3,0")] == 1
    assert move != Move("Rs@4,0")
    assert move != "Rs@3,0"
    assert sorted([Move("Rs@3,0"), Move("-"), Move("Bs@3,0")]) == [Move("-"), Move("Bs@3,0"), Move("Rs@3,0")]
    assert Move("-") < move <= move
    assert copy.copy(move) is move
    assert copy.deepcopy([move])[0] is move
    assert pickle.loads(pickle.dumps(move)) == move
    assert len(pickle.dumps(move)) < 100
    assert not hasattr(move, "__dict__")
    with pytest.raises(AttributeError):
        move.placed = ()  # type: ignore[misc]
    with pytest.raises(TypeError):
        move < "Rs@3,0"  # type: ignore[operator]  # noqa: B015


def test_a_move_knows_its_kind() -> None:
    kinds = {
        text: (Move(text).is_placement, Move(text).is_exchange, Move(text).is_pass)
        for text in ("Rs@0,0", "-Rs", "-?2", "-")
    }
    assert kinds == {
        "Rs@0,0": (True, False, False),
        "-Rs": (False, True, False),
        "-?2": (False, True, False),
        "-": (False, False, True),
    }


# Ranking placements


def random_placements(seed: int, flex: bool, number: int) -> np.ndarray[Any, np.dtype[np.void]]:
    rng = random.Random(seed)
    array = np.zeros(number, PLACEMENT)
    reach = rng.choice([3, 120, 1_000_200])
    for i in range(number):
        tiles = [rng.choice([0, rng.randint(1, 108 if flex else 36)]) for _ in range(6)]
        tiles[0] = tiles[0] or 1
        array[i] = (
            rng.randint(-reach, reach),
            rng.randint(-reach, reach),
            tiles,
            rng.randint(0, 90),
            rng.randint(0, 1),
        )
    return array


def plain_text(record: Any, flex: bool) -> str:
    codes = (FLEX if flex else CLASSIC).codes
    x, y, tiles, _, axis = record.tolist()
    placed = [(x + (0 if axis else i), y + (i if axis else 0), codes[tile - 1]) for i, tile in enumerate(tiles) if tile]
    return "+".join(f"{code}@{x},{y}" for x, y, code in placed)


@given(seeds, st.booleans(), st.sampled_from([0, 1, 5, 12, 13, 30, 150]))
def test_placements_are_ranked_by_score_then_text(seed: int, flex: bool, number: int) -> None:
    array = random_placements(seed, flex, number)
    plain = [plain_text(record, flex) for record in array]
    assert texts(array, flex) == plain
    scores = [int(score) for score in array["score"]]
    expected = sorted(zip(plain, scores, strict=True), key=lambda pair: (-pair[1], pair[0].encode()))
    assert ranked(array, flex) == expected
    assert ranked(array[::-2], flex) == sorted(
        zip(plain[::-2], scores[::-2], strict=True), key=lambda pair: (-pair[1], pair[0].encode())
    )
    assert all(str(Move(text)) == text for text in plain)


def test_texts_that_begin_alike_are_ranked_by_what_follows() -> None:
    array = np.zeros(720, PLACEMENT)
    rng = random.Random(1)
    for record in array:
        record["tiles"] = rng.sample(range(1, 7), 6)
        record["score"] = 12
    found = ranked(array, False)
    assert [text for text, _ in found] == sorted(texts(array, False))


def test_the_widest_coordinates_fit() -> None:
    array = np.zeros(1, PLACEMENT)
    array[0] = (-(2**31), -(2**31), [108] * 6, 255, 1)
    text = "+".join(f"Pvm@-2147483648,{y}" for y in range(-(2**31), -(2**31) + 6))
    assert ranked(array, True) == [(text, 255)]


@pytest.mark.parametrize("write", [ranked, texts])
def test_what_is_no_array_of_placements_is_refused(write: Any) -> None:
    for wrong in (np.zeros(3), np.zeros((2, 2), PLACEMENT), np.zeros(3, "V16"), np.array(5)):
        with pytest.raises(ValueError, match="placements: expected an array"):
            write(wrong, False)
    for tile, flex in ((0, False), (37, False), (109, True), (255, True)):
        array = np.zeros(1, PLACEMENT)
        array["tiles"][0, 0] = tile
        with pytest.raises(ValueError, match="placements: a record of no placement"):
            write(array, flex)
    with pytest.raises(TypeError):
        write([], False)

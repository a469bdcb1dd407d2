"""A person's game through a pipe: what is typed, what is answered, and what must not be seen."""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from players import greedy
from test_cli import Result, ask, assert_refused, posix

from qwirkle_fast import Game, Move

pytest.importorskip("numba")

LEVEL = ("--simulations", "160", "--threads", "1")
#: A game that the engine has opened, so that no answer depends on how.
OPENED = ("--game", str(Path(__file__).parent / "data" / "opened.json"))


def played(*lines: str, options: tuple[str, ...] = OPENED) -> Result:
    return ask("play", *LEVEL, *options, given="".join(line + "\n" for line in lines).encode())


def saved(path: Path) -> Game:
    return Game.from_record(json.loads(path.read_text(encoding="utf-8")))


def test_a_move_is_played_and_answered(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    status, out, err = played("Os@2,-1+Ys@3,-1", f"save {file}", "quit")
    assert (status, err) == (0, "")
    assert "you: Os@2,-1+Ys@3,-1 for 4 points; drawn: " in out
    game = saved(file)
    assert [turn.seat for turn in game.turns] == [1, 0, 1]
    assert game.names == ("you", "engine")
    assert f"turn 4> save {file}\nsaved in {file}\n" in out


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("Rs@9,9", "illegal: the hand holds no Rs"),
        ("Gd@9,9", "illegal: "),
        ("-RcBc", "illegal: the hand does not hold Rc Bc"),
        ("-", "illegal: a pass is refused while the bag holds 93 tiles: place or exchange"),
        ("-?2", "illegal: the hand does not hold ?2"),
        ("Zz@0,0", "move: "),
        ("Gd@0", "move: "),
        ("Gdk@0,1", "move: Gdk at 0,1 is no tile, expected a tile of classic"),
        ("Gd @ 0,1", "move: "),
        ("hello", "'hello' is no move and no command, expected one as help lists them"),
        ("score Rs@1,1", "  illegal: the hand holds no Rs"),
        ("score", "move: "),
        ("moves x", "'x', expected how many moves, from 1 on"),
        ("hint 0", "'0', expected how many moves, from 1 on"),
        ("save", "save where? expected the name of a file"),
        ("save /nowhere/at/all", "'/nowhere/at/all' cannot be written (No such file or directory), "),
        ("undo", "there is nothing to take back"),
        ("\x1b[2Jclear", "'\\x1b[2Jclear' is no move"),
        ("x" * 5000, "'xxxxxx"),
        ("", ""),
    ],
)
def test_a_wrong_word_is_told_and_asked_again(typed: str, answer: str) -> None:
    status, out, err = played(typed, "Gd@0,-1", "quit")
    assert (status, err) == (0, "")
    before, _, after = out.partition("you: Gd@0,-1 for 2 points")
    assert after
    assert "\x1b" not in out
    told = before.split("turn 2> ")[1].split("\n", 1)[1]
    assert told.startswith(answer)
    assert told.count("\n") == (1 if answer else 0)


def test_what_is_not_text_is_told(tmp_path: Path) -> None:
    status, out, err = ask("play", *LEVEL, *OPENED, given=b"\xff\xfe\n\x00\nquit\n")
    assert (status, err) == (0, "")
    assert out.count("is no move and no command") == 2


def test_moves_hints_and_scores() -> None:
    _, out, _ = played("moves 2", "moves", "hint 2", "hint", "score Gd@0,-1", "position", "help", "quit")
    answers = [answer.partition("\n")[2] for answer in out.split("turn 2> ")[1:]]
    assert answers[0] == "  Os@2,-1+Ys@3,-1 4\n  Os@2,1+Ys@3,1 4\n  and 6 more: moves 8 lists all\n"
    assert answers[1].count("\n") == 8
    assert answers[2].count("%") == 2
    assert answers[3].count("%") == 3
    assert answers[4] == "  2 points  column 0,-1 0,0 = 2\n"
    assert answers[5] == "GcRcOc YsOsRxGdRxOs/?6 0/3 classic\n"
    assert "save FILE" in answers[6]


def test_undo_takes_back_to_the_last_decision(tmp_path: Path) -> None:
    first, second, third = (tmp_path / name for name in ("a", "b", "c"))
    status, out, _ = played(
        *(f"save {first}", "Gd@0,-1", f"save {second}", "undo", f"save {third}"),
        *("-RxRx", "undo", "undo", "board", "quit"),
    )
    assert status == 0
    assert saved(first) == saved(third)
    assert len(saved(second).turns) == 3
    assert "you: -RxRx; drawn: " in out
    # What stands after taking back is what stood before; there is nothing before it.
    assert out.count("turn 2> ") == 7
    assert out.count("there is nothing to take back") == 1


def whole_game(path: Path, options: tuple[str, ...], person: int = 0) -> tuple[Game, str]:
    """A game to its end, the person being greedy: played by what the record says so far."""
    typed: list[str] = []
    while True:
        _, out, _ = played(*typed, f"save {path}", options=options)
        game = saved(path)
        if game.is_over:
            return game, out
        # All that can be typed from here on without a look at the engine's next move is one move.
        assert game.seat == person
        typed.append(str(greedy(game)))


@pytest.mark.parametrize(
    ("options", "person"),
    [
        (("--seed", "3", "--rules", "flex;tiles=starter", "--players", "6"), 0),
        (("--seed", "8", "--players", "5", "--seat", "3", "--rules", "classic;exchange_cap=1;opening=any"), 2),
    ],
)
def test_a_game_goes_to_its_end(options: tuple[str, ...], person: int, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    game, out = whole_game(file, options, person)
    names = [f"engine {i + 1}" for i in range(game.players - 1)]
    assert list(game.names) == [*names[:person], "you", *names[person:]]
    assert "the game is over: " in out
    assert f"{game.names[game.winners[0]]}" in out.partition("the game is over: ")[2]
    # Turns are over, words that need one say so, and taking back works.
    again = file.with_suffix(".again")
    _, out, err = ask(
        *("play", *LEVEL, "--game", str(file)),
        given=f"hint\nmoves\nRs@0,0\nposition\nundo\nsave {again}\n".encode(),
    )
    assert out.count("the game is over: undo, save or quit") == 3
    assert err == "qwirkle-fast: the input has ended, and the game has not\n"
    last = max(number for number, turn in enumerate(game.turns) if turn.seat == person)
    assert saved(again) == game.at(last)


def test_a_saved_game_goes_on_where_the_person_sat(tmp_path: Path) -> None:
    """And in another seat, if that is said: then the labels change places."""
    game = Game(1, names=["engine", "you"])
    while game.seat != 1:
        game.play(greedy(game))
    file = tmp_path / "game.json"
    file.write_text(json.dumps(game.record()) + "\n", encoding="utf-8")
    _, out, _ = ask("play", *LEVEL, "--game", str(file), given=b"")
    hand = " ".join(game.hands[1])
    assert f"> you: 0 points {hand}" in " ".join(out.replace("points", "points ").split()), out
    _, out, _ = ask("play", *LEVEL, "--game", str(file), "--seat", "1", given=b"")
    assert hand not in out
    assert "engine: " in out


def test_nothing_hidden_is_shown() -> None:
    """All that is printed before an engine moves again, hints included, is the same whatever the others hold."""
    game = Game(21, 3, names=["you", "engine 1", "engine 2"])
    while len(game.turns) < 9 or game.seat:
        game.play(greedy(game))
    view = game.position
    others = [*game.hands[1], *game.hands[2], *game.bag]
    outputs = []
    for shift in (0, 7):
        deal = others[shift:] + others[:shift]
        # The same past with other hands behind the same board: a game whose full position is dealt anew.
        changed = game.copy()
        tiles = game.rules.tile_set.tiles
        hands = ((view.hand, 0), *((tuple(tiles[c] for c in deal[6 * i : 6 * i + 6]), 0) for i in range(2)))
        changed._full = type(view).from_position(changed._full, hands)
        changed._bag = [tiles[code] for code in deal[12:]]
        assert changed.position == view
        outputs.append(shown_of(changed))
    assert outputs[0] == outputs[1]
    assert "?6" in outputs[0]


def shown_of(game: Game) -> str:
    """What a session prints for a game at the person's turn."""
    from qwirkle_fast.cli.play import Session
    from qwirkle_fast.search import hints

    out = io.StringIO()
    typed = io.TextIOWrapper(io.BytesIO(b"board\nhint\nmoves\nposition\nscore Rs@0,0\n-\nquit\n"))
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(out):
        patch.setattr(sys, "stdin", typed)
        Session(game, 0, lambda position, top: hints(position, top=top, simulations=60, threads=1)).run()
    return out.getvalue()


def test_an_exchange_of_the_engine_shows_no_tiles() -> None:
    from qwirkle_fast.cli.play import Session

    game = Game(1)  # seat 1 opens
    session = Session(game, 0, lambda position, top: [])
    game.play(greedy(game))
    game.play(Move("-RxRx"))
    turn = game.play(Move.exchange(game.hands[1][:3]))
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        session._tell(turn)
        session._tell(game.turns[1])
    assert out.getvalue().splitlines()[0] == "player 2: -?3"
    assert out.getvalue().splitlines()[1].startswith("player 1: -RxRx; drawn: ")


def test_the_end_of_the_input_ends_it_with_one_line() -> None:
    for lines in ((), ("Gd@0,-1",), ("help",)):
        status, _, err = played(*lines)
        assert status == 0
        assert err == "qwirkle-fast: the input has ended, and the game has not\n"


def test_a_last_line_without_its_end_counts() -> None:
    status, out, err = ask("play", *LEVEL, *OPENED, given=b"Gd@0,-1")
    assert status == 0
    assert "you: Gd@0,-1 for 2 points" in out
    assert err.count("\n") == 1


def test_the_same_game_from_the_same_seed_and_moves() -> None:
    first = played("hint", "quit", options=("--seed", "1"))
    assert first == played("hint", "quit", options=("--seed", "1"))
    assert "engine: " in first.out
    assert played("Gd@0,-1", "hint", "quit") == played("Gd@0,-1", "hint", "quit")
    without_seed = [ask("play", *LEVEL, given=b"quit\n").out.splitlines()[0] for _ in range(3)]
    assert len(set(without_seed)) > 1
    assert all(re.search(r"seed \d+;", line) for line in without_seed)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--players", "7"), ("--players", "7")),
        (("--seat", "3"), ("--seat 3", "expected one of 2")),
        (("--rules", "chess"), ("--rules", "chess")),
        (("--rules", "classic;opening=largest"), ("--rules", "default")),
        (("--seed", "-1"), ("--seed", "-1")),
        (("--seed", "18446744073709551616"), ("--seed",)),
        (("--time", "0"), ("--time",)),
        (("--time", "nan"), ("--time",)),
        (("--simulations", "0"), ("--simulations",)),
        (("--game", "/nowhere/at/all"), ("--game '/nowhere/at/all'", "No such file")),
        (("surplus",), ("surplus",)),
    ],
)
def test_bad_options_are_refused(options: tuple[str, ...], words: tuple[str, ...]) -> None:
    assert_refused(ask("play", *options), *words)


@pytest.mark.parametrize("text", ["", "{}", "[", "\x00", '{"rules": 1}', "\udcff"])
def test_a_file_that_is_no_record_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "game"
    file.write_bytes(text.encode(errors="surrogateescape"))
    assert_refused(ask("play", "--game", str(file)), "--game")


def test_closed_input_is_refused() -> None:
    with pytest.MonkeyPatch.context() as patch:
        from qwirkle_fast import cli
        from qwirkle_fast.cli.commands import commands

        patch.setattr(sys, "stdin", None)
        assert cli.run(commands, ["play", *LEVEL]) == cli.BAD_INPUT


@posix
def test_ctrl_c_ends_it_with_one_line() -> None:
    command = [sys.executable, "-m", "qwirkle_fast", "play", *OPENED, *LEVEL]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout
    assert process.stdin
    seen = b""
    while b"turn 2> " not in seen:
        seen += os.read(process.stdout.fileno(), 1 << 16)
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (130, b"\n")
    # On a slow machine a line before it says that the search is being compiled.
    assert re.fullmatch(rb"(qwirkle-fast: compiling .*\n)?qwirkle-fast: interrupted\n", err)


@posix
def test_on_a_terminal() -> None:
    """With a terminal the board is in colour, and the end of what is typed (Ctrl-D) ends it."""
    import pty

    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color"}
    environment.pop("NO_COLOR", None)
    process = subprocess.Popen(
        [sys.executable, "-m", "qwirkle_fast", "play", *OPENED, *LEVEL],
        stdin=theirs, stdout=theirs, stderr=theirs, env=environment, start_new_session=True,
    )  # fmt: skip
    os.close(theirs)
    seen = b""

    def until(word: bytes) -> None:
        nonlocal seen
        while word not in seen:
            seen += os.read(ours, 1 << 16)

    until(b"turn 2> ")
    os.write(ours, b"Gd@0,-1\n")
    until(b"for 2 points")
    until(b"turn 4> ")
    os.write(ours, b"\x04")
    until(b"the game has not")
    assert process.wait(timeout=30) == 0
    assert b"\x1b[38;2;" in seen or b"48;2;" in seen
    os.close(ours)

"""Positions given as an argument, positions and records in a file or on standard input, and answers line by line."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import BinaryIO

import click
import msgspec

from ..game import Game, GameError
from . import BAD_INPUT, DONE, complain

#: No position and no move needs more; a longer line is bad input.
LINE_LIMIT = 1 << 20

#: Answers one line; ``ValueError`` when it is bad input.
Answerer = Callable[[str], "Answer"]

#: A numbered line; ``None`` for one that is too long.
Line = tuple[int, bytes | None]

_encode = msgspec.json.Encoder(enc_hook=str).encode


class Answer:
    """What a command says to one position: its text, an object for JSON or the bytes of a picture, the exit status and
    a word for standard error."""

    __slots__ = ("status", "value", "word")

    def __init__(self, value: object, status: int = DONE, word: str = "") -> None:
        self.value = value
        self.status = status
        self.word = word


def answer_all(source: str, answerer: Answerer, as_json: bool) -> int:
    """Answer the position or positions that an argument stands for; returns the exit status.

    The argument is a position when it holds a space, ``-`` for standard input, and a file's name otherwise.
    """
    if " " in source:
        return _answer_one(source, answerer, as_json)
    return answer_file(source, answerer, as_json)


def answer_file(
    source: str, answerer: Answerer, as_json: bool, what: str = "position", *, alone_for: str | None = None
) -> int:
    """Answer every line of a file, ``-`` being standard input; ``what`` a line holds.  Returns the exit status.

    ``alone_for``: the option that wants one line alone; where there are more, none is answered.
    """
    if source == "-":
        if sys.stdin is None:
            raise click.ClickException(f"standard input is closed, expected a {what} a line")
        return _answer_lines(_lines(sys.stdin.buffer, "standard input", what), answerer, as_json, what, alone_for)
    try:
        file = open(source, "rb")  # noqa: SIM115
    except (OSError, ValueError) as error:
        one, expected = ("it holds no space and ", "a position in one line, ") if what == "position" else ("", "")
        raise click.ClickException(
            f"{what} {shown(source)}: {one}no file of that name can be read ({reason(error)}), "
            f"expected {expected}a file's name, or - for standard input"
        ) from None
    with file:
        return _answer_lines(_lines(file, shown(source), what), answerer, as_json, what, alone_for)


def shown(text: str, limit: int = 60) -> str:
    """A user's text in quotes, cut to a length that one line can bear."""
    return ascii(text if len(text) <= limit else text[: limit - 3] + "...")


def reason(error: OSError | ValueError) -> str:
    """Why a file cannot be used."""
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _answer_one(text: str, answerer: Answerer, as_json: bool) -> int:
    try:
        answer = answerer(text)
    except ValueError as error:
        raise click.ClickException(str(error)) from None
    _print(answer.value, as_json)
    if answer.word:
        complain(f"qwirkle-fast: {answer.word}")
    return answer.status


def _answer_lines(lines: Iterable[Line], answerer: Answerer, as_json: bool, what: str, alone_for: str | None) -> int:
    """A bad line is told of in its place; for JSON that is the output, and standard error gets one line at the end."""
    if alone_for:
        lines = list(islice(lines, 2))
        if len(lines) > 1:
            raise click.ClickException(f"{alone_for}: a second {what} in line {lines[1][0]}, expected one alone")
    worst = DONE
    bad = first_bad = words = 0
    for number, line in lines:
        try:
            answer = answerer(_decoded(line, what))
        except ValueError as error:
            bad += 1
            first_bad = first_bad or number
            answer = Answer({"error": str(error), "line": number} if as_json else "", BAD_INPUT, str(error))
        worst = max(worst, answer.status)
        _print(answer.value, as_json)
        if answer.word and not as_json:
            complain(f"line {number}: {answer.word}")
        words += answer.status == DONE and bool(answer.word)
    if as_json and bad:
        more = f" and {bad - 1} more are" if bad > 1 else " is"
        complain(f"qwirkle-fast: line {first_bad}{more} bad input, expected a {what} a line: the output has the errors")
    elif as_json and words:
        complain(f"qwirkle-fast: no move in {words} of the answers")
    return worst


def _decoded(line: bytes | None, what: str) -> str:
    if line is None:
        raise ValueError(f"{what}: over {LINE_LIMIT:,} bytes, expected fewer")
    try:
        return line.decode()
    except UnicodeDecodeError as error:
        raise ValueError(f"{what}: byte {error.start + 1} is not UTF-8, expected ASCII") from None


def game_in(line: str) -> Game:
    """The game of a record in one line; ``ValueError`` when it is none."""
    try:
        record = msgspec.json.decode(line)
    except (msgspec.DecodeError, RecursionError) as error:
        raise GameError(f"record: {str(error) or 'nested too deep'}, expected a game record in JSON") from None
    return Game.from_record(record)


def _lines(file: BinaryIO, name: str, what: str = "position") -> Iterator[Line]:
    """The lines that are not blank, each as soon as it is there."""
    number = 0
    try:
        while line := file.readline(LINE_LIMIT):
            number += 1
            if len(line) == LINE_LIMIT and not line.endswith(b"\n"):
                while line and not line.endswith(b"\n"):
                    line = file.readline(LINE_LIMIT)
                yield number, None
            elif (line := line.rstrip(b"\r\n")) and not line.isspace():
                yield number, line
    except OSError as error:
        raise click.ClickException(f"{name}: cannot be read ({reason(error)}), expected a {what} a line") from None


def _print(value: object, as_json: bool) -> None:
    """One answer on standard output, at once: another program may be waiting for it."""
    if not isinstance(value, bytes):
        value = (_encode(value) if as_json else str(value).encode(errors="surrogateescape")) + b"\n"
    stdout = sys.stdout
    if hasattr(stdout, "buffer"):
        stdout.buffer.write(value)
    else:
        stdout.write(value.decode(errors="replace"))
    stdout.flush()


def colour_wanted() -> bool:
    """Is standard output a terminal that shows colours, and does the user not object (see no-color.org)?"""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

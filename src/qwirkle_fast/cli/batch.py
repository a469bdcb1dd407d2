"""Positions given as an argument, in a file or on standard input, and answers line by line."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from typing import BinaryIO

import click
import msgspec

from . import BAD_INPUT, DONE, one_line

#: No position and no move needs more; a longer line is bad input.
LINE_LIMIT = 1 << 20

#: Answers one line: its text form, or an object for JSON, with the exit status and a word for standard error.
Answerer = Callable[[str], "Answer"]


class Answer:
    """What a command says to one position."""

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
    if source == "-":
        return _answer_lines(sys.stdin.buffer, answerer, as_json)
    try:
        with open(source, "rb") as file:
            return _answer_lines(file, answerer, as_json)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise click.UsageError(
            f"position {shown(source)}: no position (it holds no space) and no file that can be read ({reason})"
        ) from None


def shown(text: str, limit: int = 60) -> str:
    """A user's text in quotes, cut to a length that one line can bear."""
    return ascii(text if len(text) <= limit else text[: limit - 3] + "...")


def _answer_one(text: str, answerer: Answerer, as_json: bool) -> int:
    try:
        answer = answerer(text)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    _print(answer.value, as_json)
    if answer.word:
        click.echo(f"qwirkle-fast: {one_line(answer.word)}", err=True)
    return answer.status


def _answer_lines(file: BinaryIO, answerer: Answerer, as_json: bool) -> int:
    worst, bad = DONE, 0
    for number, line in _lines(file):
        try:
            if line is None:
                raise ValueError(f"line: over {LINE_LIMIT} bytes, expected a position")
            answer = answerer(line.decode())
        except UnicodeDecodeError as error:
            answer = Answer(None, BAD_INPUT, f"byte {error.start} is not UTF-8, expected a position")
        except ValueError as error:
            answer = Answer(None, BAD_INPUT, one_line(str(error)))
        worst = max(worst, answer.status)
        if answer.status == BAD_INPUT:
            bad += 1
            _print({"error": answer.word, "line": number} if as_json else "", as_json)
        else:
            _print(answer.value, as_json)
        if answer.word and not as_json:
            click.echo(f"line {number}: {one_line(answer.word)}", err=True)
    if bad and as_json:
        click.echo(f"qwirkle-fast: {bad} of the lines are bad input, see their errors in the output", err=True)
    return worst


def _lines(file: BinaryIO) -> Iterator[tuple[int, bytes | None]]:
    """The lines that are not blank with their numbers, each as soon as it is there; ``None`` for one that is too
    long."""
    number = 0
    while line := file.readline(LINE_LIMIT):
        number += 1
        if not line.endswith(b"\n") and len(line) == LINE_LIMIT:
            while line and not line.endswith(b"\n"):
                line = file.readline(LINE_LIMIT)
            yield number, None
            continue
        line = line.rstrip(b"\r\n")
        if line.strip():
            yield number, line


def _print(value: object, as_json: bool) -> None:
    """One answer on standard output, at once: another program may be waiting for it."""
    text = msgspec.json.encode(value, enc_hook=str) if as_json else str(value).encode()
    _write(text + b"\n")


def _write(data: bytes) -> None:
    if "b" in getattr(sys.stdout, "mode", "") or not hasattr(sys.stdout, "buffer"):
        sys.stdout.write(data.decode())
    else:
        sys.stdout.buffer.write(data)
    sys.stdout.flush()


def colour_wanted() -> bool:
    """Is standard output a terminal that shows colours, and does the user not object (see no-color.org)?"""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

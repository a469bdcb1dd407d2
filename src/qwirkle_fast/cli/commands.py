"""The commands: each reads its arguments, asks the package one question and hands the answer on."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from threading import Thread
from typing import Any

import click
import msgspec

from ..move import Move
from ..notation import ranked, ranked_json
from ..position import IllegalMove, Position
from ..reference import Explanation
from . import ILLEGAL, complain, interrupted
from .batch import Answer, answer_all, colour_wanted, reason, shown

# Positions and moves may begin with "-", and there are no short options: what is no known option is an argument.
DASHES = {"ignore_unknown_options": True, "help_option_names": ["--help"]}


class Commands(click.Group):
    """A group that keeps its commands in the order of the manual."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


def _argument(ctx: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    if value is not None and value.startswith("--"):
        raise click.NoSuchOption(value, ctx=ctx)
    return value


def _finite(ctx: click.Context, parameter: click.Parameter, value: float | None) -> float | None:
    if value is not None and not math.isfinite(value):
        raise click.BadParameter(f"{value} is no number of seconds.", ctx, parameter)
    return value


def argument(name: str, required: bool = True) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return click.argument(name, required=required, callback=_argument, metavar=name.upper())


json_option = click.option("--json", "as_json", is_flag=True, help="Answer with JSON objects, one a line.")


@click.group(cls=Commands, context_settings={"help_option_names": ["--help"]}, no_args_is_help=False)
@click.version_option(package_name="qwirkle-fast", prog_name="qwirkle-fast")
def commands() -> None:
    """Move search for Qwirkle and Qwirkle Flex.

    POSITION is a position in one line, the name of a file with a position a line, or - for standard input.
    """


@commands.command(context_settings=DASHES)
@argument("position")
@json_option
@click.option("--count", is_flag=True, help="Only say how many there are.")
def moves(position: str, as_json: bool, count: bool) -> int:
    """List every legal placement with its score, best first."""

    def answer(line: str) -> Answer:
        asked = Position(line)
        if count:
            n = len(asked.legal_moves)
            return Answer({"position": line, "count": n} if as_json else n, word="" if n else _why_none(asked))
        array, flex = asked.legal_moves.array, asked.rules.name == "flex"
        word = "" if len(array) else _why_none(asked)
        if as_json:
            return Answer({"position": line, "moves": msgspec.Raw(ranked_json(array, flex))}, word=word)
        return Answer("  ".join([f"{m} {s}" for m, s in ranked(array, flex)]), word=word)

    return answer_all(position, answer, as_json)


@commands.command(context_settings=DASHES)
@argument("position")
@click.option("--top", default=5, show_default=True, type=click.IntRange(min=1), help="How many moves.")
@click.option(
    "--time",
    type=click.FloatRange(min=0, min_open=True),
    callback=_finite,
    help="Seconds to think; 1 unless --simulations is given.",
)
@click.option(
    "--simulations", type=click.IntRange(1, 10**15), help="Simulations in all; with a seed the answer is fixed."
)
@click.option("--threads", type=click.IntRange(min=1), help="Threads; all cores unless said.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the simulations.")
@json_option
def hint(
    position: str, top: int, time: float | None, simulations: int | None, threads: int | None, seed: int, as_json: bool
) -> int:
    """Rank the best moves, exchanges included, by the chance to win, then equity."""
    try:
        from ..search import hints, require_known_hand, warm_up
    except ImportError as error:
        raise click.ClickException(f"hint: no Numba here ({error}), expected it to be installed") from None

    single = " " in position

    def answer(line: str) -> Answer:
        asked = Position(line)
        require_known_hand(asked)
        _in_background(warm_up, "compiling the search for this machine, once: some seconds", single)
        found = hints(asked, top=top, time=time, simulations=simulations, threads=threads, seed=seed)
        word = "" if found else _why_none(asked)
        if as_json:
            return Answer({"position": line, "hints": [hint.to_json() for hint in found]}, word=word)
        return Answer(("\n" if single else "  ").join([str(hint) for hint in found]), word=word)

    return answer_all(position, answer, as_json)


@commands.command(context_settings=DASHES)
@argument("position")
@argument("move", required=False)
@json_option
def score(position: str, move: str | None, as_json: bool) -> int:
    """Say whether MOVE is legal, and each line it makes with its cells and points, or why not.

    With a file or standard input each line is a position and a move, separated by a space.
    """

    def answer(line: str) -> Answer:
        text, asked, played = _position_and_move(line, move)
        explanation = asked.explain(played)
        status = 0 if explanation.legal else ILLEGAL
        if as_json:
            return Answer(_explained(text, played, explanation), status)
        return Answer(_explained_text(explanation), status)

    return answer_all(position, answer, as_json)


@commands.command(context_settings=DASHES)
@argument("position")
@argument("move", required=False)
@json_option
def apply(position: str, move: str | None, as_json: bool) -> int:
    """Print the position after MOVE, for the next player; the tiles that the mover draws are hidden.

    With a file or standard input each line is a position and a move, separated by a space.
    """

    def answer(line: str) -> Answer:
        text, asked, played = _position_and_move(line, move)
        try:
            asked.push(played)
        except IllegalMove as error:
            value = {"position": text, "move": str(played), "next": None, "reason": str(error)} if as_json else ""
            return Answer(value, ILLEGAL, f"{played}: {error}")
        following = str(asked)
        return Answer({"position": text, "move": str(played), "next": following} if as_json else following)

    return answer_all(position, answer, as_json)


@commands.command(context_settings=DASHES)
@argument("position")
@click.option("--svg", metavar="FILE", help="Write a picture instead.")
@json_option
def show(position: str, svg: str | None, as_json: bool) -> int:
    """Draw the board, the hands and the scores, in colour on a terminal."""

    def answer(line: str) -> Answer:
        asked = Position(line)
        if svg is not None:
            _write_file(svg, asked._repr_svg_())
        if as_json:
            return Answer(asked.to_json())
        return Answer(svg if svg is not None else _drawn(asked))

    if svg is not None and " " not in position:
        raise click.ClickException(f"position {shown(position)}: --svg draws one, expected a position in one line")
    return answer_all(position, answer, as_json)


def _in_background(work: Callable[[], None], word: str, single: bool) -> None:
    """Do work that cannot be broken off, such as compiling, in a thread, so that Ctrl-C ends the program at once.

    The word goes to standard error when it takes long; not in a batch, whose lines there are about its input.
    """
    failed: list[BaseException] = []

    def run() -> None:
        try:
            work()
        except BaseException as error:
            failed.append(error)

    thread = Thread(target=run, daemon=True)
    thread.start()
    try:
        thread.join(1.5)
        if thread.is_alive() and single:
            complain(f"qwirkle-fast: {word}")
        while thread.is_alive():
            thread.join(0.1)
    except KeyboardInterrupt:
        # The thread would hold up an orderly end.
        os._exit(interrupted("qwirkle-fast"))
    if failed:
        raise failed[0]


def _position_and_move(line: str, move: str | None) -> tuple[str, Position, Move]:
    if move is None:
        fields = line.count(" ") + 1
        if fields != 5:
            counted = f"{fields} field" + "s" * (fields != 1)
            raise ValueError(f"position and move: {counted}, expected 5 with one space between them, the last a move")
        line, _, move = line.rpartition(" ")
    return line, Position(line), Move(move)


def _why_none(position: Position) -> str:
    end = position.end
    if end:
        return f"the game is over ({end})"
    return "no legal placement"


def _explained(text: str, move: Move, explanation: Explanation) -> dict[str, object]:
    answer: dict[str, object] = {
        "position": text,
        "move": str(move),
        "legal": explanation.legal,
        "score": explanation.score,
        "lines": [{"kind": line.kind, "cells": line.cells, "points": line.points} for line in explanation.lines],
    }
    if not explanation.legal:
        answer["reason"] = explanation.reason
    return answer


def _explained_text(explanation: Explanation) -> str:
    if not explanation.legal:
        return f"illegal: {explanation.reason}"
    lines = [f"{line.kind} {' '.join(f'{x},{y}' for x, y in line.cells)} = {line.points}" for line in explanation.lines]
    return "  ".join([f"{explanation.score} points", *lines])


def _write_file(name: str, text: str) -> None:
    try:
        with open(name, "w", encoding="utf-8") as file:
            file.write(text)
    except (OSError, ValueError) as error:
        raise click.ClickException(
            f"--svg {shown(name)}: cannot be written ({reason(error)}), expected a file's name"
        ) from None


def _drawn(position: Position) -> str:
    from ..drawing import board_text, hand_text

    colour = colour_wanted()
    tile_set = position.rules.tile_set
    lines = [
        board_text(((x, y, tile_set.tile(code)) for (x, y), code in position.board.items()), tile_set, colour=colour)
    ]
    for number, ((tiles, hidden), points) in enumerate(zip(position.hands, position.scores, strict=True)):
        mark = ">" if number == 0 else " "
        hand = hand_text(tiles, hidden, tile_set, colour=colour)
        lines.append(f"{mark} player {number + 1}: {points:4} points  {hand}")
    end = position.end
    lines.append(f"  bag: {position.bag} tiles" + (f"; the game is over ({end})" if end else ""))
    return "\n".join(lines)

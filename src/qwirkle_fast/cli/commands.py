"""The commands: each reads its arguments, asks the package one question and hands the answer on."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable
from typing import Any

import click

from ..move import Move
from ..notation import ranked
from ..position import IllegalMove, Position
from ..reference import Explanation
from ..search import hints
from . import ILLEGAL
from .batch import Answer, answer_all, colour_wanted, shown

# Positions and moves may begin with "-", and there are no short options: what is no known option is an argument.
DASHES = {"ignore_unknown_options": True, "help_option_names": ["--help"]}


class Commands(click.Group):
    """A group that keeps its commands in the order of the manual."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


def _argument(ctx: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    if value is not None and value.startswith("--"):
        raise click.UsageError(f"{shown(value)} is no option of {ctx.command.name}: see --help")
    return value


def argument(name: str, required: bool = True) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return click.argument(name, required=required, callback=_argument, metavar=name.upper())


json_option = click.option("--json", "as_json", is_flag=True, help="Answer with JSON objects, one a line.")


@click.group(cls=Commands, context_settings={"help_option_names": ["--help"]})
@click.version_option(importlib.metadata.version("qwirkle-fast"), package_name="qwirkle-fast", prog_name="qwirkle-fast")
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
        legal = asked.legal_moves
        if count:
            n = len(legal)
            return Answer({"position": line, "count": n} if as_json else n)
        flex = asked.rules.name == "flex"
        found = ranked(legal.array, flex)
        word = "" if found else _why_none(asked)
        if as_json:
            return Answer({"position": line, "moves": [{"move": m, "score": s} for m, s in found]}, word=word)
        return Answer("  ".join([f"{m} {s}" for m, s in found]), word=word)

    return answer_all(position, answer, as_json)


@commands.command(context_settings=DASHES)
@argument("position")
@click.option("--top", default=5, show_default=True, type=click.IntRange(min=1), help="How many moves.")
@click.option("--time", default=1.0, type=click.FloatRange(min=0), help="Seconds to think: no search uses them yet.")
@click.option("--simulations", type=click.IntRange(min=1), help="Simulations in all: no search uses them yet.")
@click.option("--threads", type=click.IntRange(min=1), help="Threads: no search uses them yet.")
@click.option("--seed", type=int, help="Seed: no search uses it yet.")
@json_option
def hint(
    position: str, top: int, time: float, simulations: int | None, threads: int | None, seed: int | None, as_json: bool
) -> int:
    """Rank the best moves, exchanges included.

    There is no search yet: moves are ranked by the points they score now.
    """

    def answer(line: str) -> Answer:
        asked = Position(line)
        found = hints(asked, top)
        word = "" if found else _why_none(asked)
        if as_json:
            return Answer({"position": line, "hints": found}, word=word)
        return Answer(
            "  ".join(f"{hint.move} {hint.score}" for hint in found),
            word=word or "ranked by score alone: there is no search yet",
        )

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
        raise click.UsageError("--svg takes one position as the argument, expected its one-line form")
    return answer_all(position, answer, as_json)


def _position_and_move(line: str, move: str | None) -> tuple[str, Position, Move]:
    if move is None:
        line, space, move = line.rpartition(" ")
        if not space:
            raise ValueError("line: expected a position, a space and a move")
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
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise click.UsageError(f"--svg {shown(name)}: cannot be written ({reason})") from None


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

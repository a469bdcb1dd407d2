"""The commands: each reads its arguments, asks the package one question and hands the answer on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

import click
import msgspec

from ..move import Move
from ..notation import ranked, ranked_json
from ..position import IllegalMove, Position
from ..reference import Explanation
from . import ILLEGAL
from .batch import Answer, answer_all, colour_wanted, reason, shown
from .searching import Progress, compile_search, limit_options, require_numba, seed_option

# Positions and moves may begin with "-", and there are no short options: what is no known option is an argument.
DASHES = {"ignore_unknown_options": True, "help_option_names": ["--help"]}

#: Commands with a module of their own, of the same name, which is imported when it is asked for.
ELSEWHERE = ("play", "match", "report", "engine", "review", "serve", "qwixx")


class Commands(click.Group):
    """A group that keeps its commands in the order of the manual."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*self.commands, *ELSEWHERE]

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name in ELSEWHERE:
            command: click.Command = getattr(import_module(f".{name}", __package__), name)
            return command
        return super().get_command(ctx, name)


def _argument(ctx: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    if value is not None and value.startswith("--"):
        raise click.NoSuchOption(value, ctx=ctx)
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
@limit_options
@seed_option
@json_option
def hint(
    position: str, top: int, time: float | None, simulations: int | None, threads: int | None, seed: int, as_json: bool
) -> int:
    """Rank the best moves, exchanges included, by the chance to win, then equity."""
    require_numba("hint")
    from ..search import Hint, analyse, require_known_hand, with_replies

    single = " " in position

    def answer(line: str) -> Answer:
        asked = Position(line)
        require_known_hand(asked)
        compile_search(tell=single)
        found: list[Hint] = []
        with Progress("searching") as progress:
            for found in analyse(asked, top=top, time=time, simulations=simulations, threads=threads, seed=seed):
                progress.tell(f"searching: {found[0]} after {found[0].simulations:,} simulations of it")
        found = with_replies(asked, found, seed=seed)
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
        return Answer(explained_text(explanation), status)

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
@click.option("--svg", metavar="FILE", help="Write a picture instead; - for standard output.")
@click.option("--png", metavar="FILE", help="The same as PNG; needs the extra pictures.")
@json_option
def show(position: str, svg: str | None, png: str | None, as_json: bool) -> int:
    """Draw the board, the hands and the scores, in colour on a terminal."""
    files = {option: name for option, name in (("--svg", svg), ("--png", png)) if name is not None}

    def answer(line: str) -> Answer:
        asked = Position(line)
        for option, name in files.items():
            picture = _picture(asked, option)
            if name == "-":
                return Answer(picture)
            write_file(option, name, picture)
        if as_json:
            return Answer(asked.to_json())
        return Answer("\n".join(files.values()) or drawn(asked))

    for option, name in files.items():
        if " " not in position:
            raise click.ClickException(
                f"position {shown(position)}: {option} draws one, expected a position in one line"
            )
        if name == "-" and (as_json or len(files) > 1):
            raise click.ClickException(f"{option} -: standard output takes one answer, expected no other beside it")
    return answer_all(position, answer, as_json)


def _picture(position: Position, option: str) -> bytes:
    """The picture that an option asks for."""
    from ..pictures import of_position

    picture = of_position(position)
    if option == "--svg":
        return picture.svg.encode()
    try:
        return picture.png()
    except ImportError as error:
        raise click.ClickException(f"--png: {error}") from None


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


def explained_text(explanation: Explanation) -> str:
    """The points of a move and of each line it makes, or why it is illegal."""
    if not explanation.legal:
        return f"illegal: {explanation.reason}"
    lines = [f"{line.kind} {' '.join(f'{x},{y}' for x, y in line.cells)} = {line.points}" for line in explanation.lines]
    return "  ".join([f"{explanation.score} points", *lines])


def write_file(option: str, name: str, data: bytes) -> None:
    """Write what an option asks for; a ``ClickException`` says why it cannot be done."""
    try:
        with open(name, "wb") as file:
            file.write(data)
    except (OSError, ValueError) as error:
        raise click.ClickException(
            f"{option} {shown(name)}: cannot be written ({reason(error)}), expected a file's name"
        ) from None


def drawn(position: Position, names: Sequence[str] = ()) -> str:
    """The board, and the hands and scores under the players' names in turn order; in colour where that is wanted."""
    from ..drawing import board_text, hand_text

    colour = colour_wanted()
    tile_set = position.rules.tile_set
    cells = ((x, y, tile_set.tile(code)) for (x, y), code in position.board.items())
    lines = [board_text(cells, tile_set, colour=colour)]
    names = names or [f"player {number + 1}" for number in range(position.players)]
    width = max(map(len, names)) + 1
    for number, (name, (tiles, hidden), points) in enumerate(zip(names, position.hands, position.scores, strict=True)):
        mark = ">" if number == 0 else " "
        hand = hand_text(tiles, hidden, tile_set, colour=colour)
        lines.append(f"{mark} {name + ':':{width}} {points:4} points  {hand}")
    end = position.end
    lines.append(f"  bag: {position.bag} tiles" + (f"; the game is over ({end})" if end else ""))
    return "\n".join(lines)

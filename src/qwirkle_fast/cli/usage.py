"""What click says about a wrong use, in our own words: what, where, and what was expected."""

from __future__ import annotations

import math
from typing import Any

import click

#: The most seconds that a command may be told to take for anything.
LONGEST = 1_000_000


class Seconds(click.FloatRange):
    """A time limit, more than 0."""

    expected = f"seconds, more than 0 and at most {LONGEST:,}"

    def __init__(self) -> None:
        super().__init__(0, LONGEST, min_open=True)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        seconds: float = super().convert(value, param, ctx)
        if math.isnan(seconds):
            self.fail(f"{value} is no time limit", param, ctx)
        return seconds


def explained(error: click.UsageError) -> str:
    """One line about a wrong use."""
    ctx = error.ctx
    if isinstance(error, click.BadParameter) and not isinstance(error, click.MissingParameter) and error.param:
        # The message begins with the value, and goes on with what it "is no" or "is not".
        return f"{error.param.opts[0]}: {error.message.partition(' is no')[0]}, expected {_expected(error.param.type)}"
    message = error.message if isinstance(error, click.NoSuchOption) else error.format_message()
    if isinstance(error, click.BadOptionUsage):
        expected = "a value after it" if "requires" in message else "it alone"
    elif ctx is None:
        expected = "the use that --help shows"
    elif isinstance(ctx.command, click.Group):
        expected = _listed(ctx.command.list_commands(ctx))
    elif isinstance(error, click.NoSuchOption):
        options = [name for parameter in ctx.command.get_params(ctx) for name in parameter.opts if name[:2] == "--"]
        expected = f"{_listed(options)} of {ctx.command_path}"
    else:
        expected = ctx.get_usage().partition(" ")[2]
    return f"{message.rstrip('.')}, expected {expected}"


def _listed(words: list[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} or {last}" if most else last


def _expected(kind: object) -> str:
    if isinstance(kind, Seconds):
        return kind.expected
    if isinstance(kind, click.Choice):
        return _listed(list(kind.choices))
    what = "a whole number" if isinstance(kind, click.types.IntParamType) else "a number"
    if not isinstance(kind, (click.IntRange, click.FloatRange)):
        return what
    return f"{what} from {kind.min:,}" + (" on" if kind.max is None else f" to {kind.max:,}")

"""The command line: ``qwirkle-fast COMMAND`` or ``python -m qwirkle_fast COMMAND``."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    import click

#: Exit statuses: done; the move asked about is illegal; bad input or usage; stopped by Ctrl-C.
DONE, ILLEGAL, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130

#: A line on standard error is hardly longer, whatever the user's text that it repeats.
LONGEST_LINE = 1000


def main() -> int:
    """The command ``qwirkle-fast``."""
    try:
        from .commands import commands
    except KeyboardInterrupt:
        return interrupted("qwirkle-fast")
    return run(commands)


def run(command: click.Command, arguments: Sequence[str] | None = None, name: str = "qwirkle-fast") -> int:
    """Run a command and return its exit status.  No exception leaves it, and no traceback reaches the user."""
    import click

    if sys.stdout is None:
        complain(f"{name}: standard output is closed, expected a place for the answer")
        return BAD_INPUT
    try:
        # Not command.main(): it would say more than one line, and on Windows take the ? of a hand for a file's.
        with command.make_context(name, list(sys.argv[1:] if arguments is None else arguments)) as context:
            status = command.invoke(context)
        sys.stdout.flush()
        return status if isinstance(status, int) else DONE
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.UsageError as error:
        from .usage import explained

        complain(f"{name}: {explained(error)}")
    except click.ClickException as error:
        complain(f"{name}: {error.format_message()}")
    except KeyboardInterrupt:
        return interrupted(name)
    except (BrokenPipeError, SystemExit):  # rich makes the second of the first
        _silence(sys.stdout)
        return DONE
    except OSError as error:
        _silence(sys.stdout)
        complain(f"{name}: the answer cannot be written ({error.strerror or error}), expected a place that takes it")
    except MemoryError:
        complain(f"{name}: out of memory, expected enough for one answer")
    except Exception as error:
        complain(f"{name}: a fault of our own, expected none: please report {type(error).__name__}: {error}")
    return BAD_INPUT


def interrupted(name: str) -> int:
    """Ctrl-C: say so, and return the exit status."""
    complain(f"{name}: interrupted")
    return INTERRUPTED


def complain(message: str) -> None:
    """Put one line on standard error, if there is one to put it on."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.write(one_line(message) + "\n")
        sys.stderr.flush()
    except OSError:
        _silence(sys.stderr)


def one_line(message: str) -> str:
    """The message without line breaks, nor anything else that a terminal does not show as it stands."""
    line = "".join([c if c.isprintable() else ascii(c)[1:-1] for c in " ".join(message.split())])
    half = LONGEST_LINE // 2
    return line if len(line) <= LONGEST_LINE else f"{line[:half]} ... {line[-half:]}"


def _silence(stream: TextIO) -> None:
    """What a broken stream still holds goes nowhere: Python flushes it once more at exit."""
    with suppress(OSError, ValueError):  # a stream of Python's own has no file
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())

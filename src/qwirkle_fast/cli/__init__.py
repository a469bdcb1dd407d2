"""The command line: ``qwirkle-fast COMMAND`` or ``python -m qwirkle_fast COMMAND``."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import click

#: Exit statuses: done; the move asked about is illegal; bad input or usage; stopped by Ctrl-C.
DONE, ILLEGAL, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130


def main() -> int:
    """The command ``qwirkle-fast``."""
    from .commands import commands

    return run(commands)


def run(command: click.Command, arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status.  No exception leaves it, and no traceback reaches the user."""
    import click

    try:
        status = command.main(args=arguments, prog_name="qwirkle-fast", standalone_mode=False)
        sys.stdout.flush()
        return status if isinstance(status, int) else DONE
    except click.exceptions.NoArgsIsHelpError:
        click.echo("qwirkle-fast: no command, expected one: see --help", err=True)
        return BAD_INPUT
    except click.ClickException as error:
        click.echo(f"qwirkle-fast: {one_line(error.format_message())}", err=True)
        return BAD_INPUT
    except (click.Abort, KeyboardInterrupt):
        click.echo("qwirkle-fast: interrupted", err=True)
        return INTERRUPTED
    except BrokenPipeError:
        # Python flushes standard output once more at exit: let it go nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except MemoryError:
        click.echo("qwirkle-fast: out of memory", err=True)
        return BAD_INPUT


def one_line(message: str) -> str:
    return " ".join(message.split())

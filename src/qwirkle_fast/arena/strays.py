"""No process outlives its match: whatever a bot starts carries a mark in its environment, and is found by it.

A bot has a process group of its own, so killing the group is nearly always enough.  A child that has left the group
still has the mark, and where ``/proc`` shows the environments of processes, it is found.  A *reaper* does this when the
process that started the bots is killed itself: it is a small process that waits for the end of a pipe.

This file also runs by itself, as the reaper, and so imports nothing of the package.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import uuid
from contextlib import suppress
from functools import cache
from pathlib import Path
from time import monotonic, sleep

#: The variable in the environment of every bot.
MARK = "QWIRKLE_FAST_BOT"

#: How long the reaper goes on looking, seconds.
_PATIENCE = 3.0


@cache
def process_mark() -> str:
    """The mark of all bots of this process; the first call starts its reaper."""
    mark = uuid.uuid4().hex
    # The pipe's only writer is this process.  Its end, however it comes about, is the reaper's signal.
    _reaper(mark)
    return mark


def _reaper(mark: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-I", "-S", __file__, mark]
    reaper = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    _REAPERS.append(reaper)
    return reaper


#: Kept, or the pipes would be closed.
_REAPERS: list[subprocess.Popen[bytes]] = []


def dismiss() -> None:
    """End the reaper of this process, once its bots are gone; the next bot starts another."""
    process_mark.cache_clear()
    while _REAPERS:
        reaper = _REAPERS.pop()
        reaper.communicate()


def kill_marked(mark: str) -> bool:
    """Kill every process whose mark begins so; were there any?"""
    wanted = f"{MARK}={mark}".encode()
    found = False
    for process in _processes():
        with suppress(OSError):
            if any(entry.startswith(wanted) for entry in (process / "environ").read_bytes().split(b"\0")):
                # A process that has ended but not been waited for shows no environment.
                os.kill(int(process.name), signal.SIGKILL)
                found = True
    return found


def _processes() -> list[Path]:
    try:
        return [path for path in Path("/proc").iterdir() if path.name.isdigit()]
    except OSError:
        return []


def kill_all_marked(mark: str) -> None:
    """Kill until none is left: what is being killed may have been starting another."""
    for _ in range(50):
        if not kill_marked(mark):
            return
        sleep(0.01)


def _reap(mark: str) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.stdin.buffer.read()
    end = monotonic() + _PATIENCE
    quiet = 0
    while monotonic() < end and quiet < 5:
        quiet = 0 if kill_marked(mark) else quiet + 1
        sleep(0.02)


if __name__ == "__main__":
    _reap(sys.argv[1])

"""Programs as players: each a process of its own that speaks the protocol, and is held to its limits.

Nothing that a program does may stop a match.  Its output is read in bounded pieces and never waited for beyond the
limit; what it writes to standard error is thrown away but for the end, which explains a crash; when it is ruled out it
is killed with all that it has started (see :mod:`~qwirkle_fast.arena.keeper`).

No answer to a question not yet asked counts: ``isready`` comes before each question, and what was said before the
``readyok`` is dropped.
"""

from __future__ import annotations

import os
import select
import subprocess
import sys
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from time import perf_counter

from . import keeper
from .games import Forfeit, Player, Turn
from .match import Limits

#: A longer line is no answer; how much of standard error is kept.
LINE, TAIL = 1 << 16, 1 << 11
_PIECE = 1 << 16

#: A program that fails to start so many times running is not started again.
STARTS = 3

#: How much of the name that it gives itself is kept.
NAME = 80

#: How long a program may take to end after ``quit``, seconds; and its keeper, once told.
FAREWELL, LAST = 1.0, keeper.PATIENCE + 2


class Bot(Player):
    """A player that is a program.  It is started when it is first needed, and again after it was ruled out."""

    def __init__(self, command: Sequence[str], limits: Limits) -> None:
        self._command = list(command)
        self._limits = limits
        self._process: subprocess.Popen[bytes] | None = None
        #: While this end of a pipe is open, the keeper lets the program live.
        self._leash = -1
        self._failures = 0
        self._lines: deque[bytes] = deque()
        self._begun = self._err = b""
        self._poll: select.poll | None = None
        self._failed: Forfeit | None = None

    # -- what the referee calls

    def begin(self, game: str) -> None:
        if self._failed and self._failures >= STARTS:
            raise self._failed
        deadline = perf_counter() + self._limits.start
        try:
            if self._process is None:
                self._start()
                self._send("uqi\n", deadline)
                self._await("uqiok", deadline)
            self._send(f"newgame {game}\n", deadline)
            self._be_ready(deadline)
        except Forfeit as forfeit:
            self._failures += 1
            self._failed = forfeit
            self._kill()
            raise
        self._failures = 0

    def decide(self, turn: Turn) -> object:
        told = turn.table.told()
        deadline = perf_counter() + self._limits.move + self._limits.grace
        try:
            self._be_ready(deadline)
            self._send(f"position {told}\ngo movetime {round(1000 * self._limits.move)}\n", deadline)
            answer = self._await("bestmove", deadline)
        except Forfeit:
            self._kill()
            raise
        try:
            return turn.table.read(answer)
        except ValueError as error:
            raise Forfeit("illegal", str(error)) from None

    def close(self) -> None:
        """Ask the program to end, and see to it."""
        process = self._process
        if process is None:
            return
        end = perf_counter() + FAREWELL
        with suppress(Forfeit, subprocess.TimeoutExpired):
            self._send("quit\n", end)
            assert process.stdin is not None
            process.stdin.close()
            # It may have to get rid of what it still says before it can end.
            while perf_counter() < end and self._read(end):
                pass
            process.wait(max(0.0, end - perf_counter()))
        self._kill()

    # -- the process

    def _start(self) -> None:
        if os.name != "posix":
            raise ValueError("cmd: programs as players need a POSIX system")
        pipe = subprocess.PIPE
        held, self._leash = os.pipe()
        try:
            self._process = process = subprocess.Popen(
                [sys.executable, "-I", "-S", keeper.__file__, str(held), *self._command], stdin=pipe, stdout=pipe,
                stderr=pipe, bufsize=0, start_new_session=True, pass_fds=[held],
            )  # fmt: skip
        except OSError as error:
            os.close(self._leash)
            raise Forfeit("crash", f"cannot be started: {error.strerror or error}") from None
        finally:
            os.close(held)
        self._lines.clear()
        self._begun = self._err = b""
        self._poll = select.poll()
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        for file, events in ((process.stdin, 0), (process.stdout, select.POLLIN), (process.stderr, select.POLLIN)):
            os.set_blocking(file.fileno(), False)
            if events:
                self._poll.register(file, events)

    def _kill(self) -> None:
        process, self._process, self._poll = self._process, None, None
        if process is None:
            return
        os.close(self._leash)
        with suppress(subprocess.TimeoutExpired):
            process.wait(LAST)
        process.kill()
        process.wait()
        for file in (process.stdin, process.stdout, process.stderr):
            assert file is not None
            with suppress(OSError):
                file.close()

    # -- talking to it

    def _be_ready(self, deadline: float) -> None:
        """Wait until it has heard all so far; what it said meanwhile is dropped."""
        self._send("isready\n", deadline)
        self._await("readyok", deadline)

    def _send(self, text: str, deadline: float) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        data = text.encode()
        descriptor = self._process.stdin.fileno()
        while data:
            try:
                data = data[os.write(descriptor, data) :]
            except BlockingIOError:
                if perf_counter() >= deadline:
                    raise Forfeit("time", "does not read its input") from None
                # What it says meanwhile must not stop it from reading.
                if not self._read(min(deadline, perf_counter() + 0.01)):
                    raise self._crash("closed its output") from None
            except OSError:
                raise self._crash("closed its input") from None

    def _await(self, word: str, deadline: float) -> str:
        """What follows the word on the first line that begins with it; other lines are ignored."""
        is_open = on_time = True
        while True:
            while self._lines:
                first, _, rest = self._lines.popleft().decode(errors="replace").strip().partition(" ")
                if first == word:
                    return rest.strip()
                if first == "id" and rest.startswith("name "):
                    self.identity = rest.removeprefix("name ").strip()[:NAME]
            if not is_open:
                raise self._crash("closed its output")
            if not on_time:
                raise Forfeit("time", f"no {word} in time")
            # When it is late, there is one last look at what it has said by now.
            on_time = perf_counter() < deadline
            is_open = self._read(deadline)

    def _read(self, deadline: float) -> bool:
        """Take in a piece of what is there, waiting for it until the deadline; has it still an output?"""
        assert self._process is not None
        assert self._poll is not None
        out, err = self._process.stdout, self._process.stderr
        assert out is not None
        assert err is not None
        is_open = True
        for descriptor, _ in self._poll.poll(max(0.0, 1000 * (deadline - perf_counter()))):
            try:
                piece = os.read(descriptor, _PIECE)
            except BlockingIOError:
                continue
            except OSError:
                piece = b""
            if descriptor == err.fileno():
                self._err = (self._err + piece)[-TAIL:]
                if not piece:
                    self._poll.unregister(descriptor)
            elif piece:
                *lines, self._begun = (self._begun + piece).split(b"\n")
                self._lines.extend(lines)
                # No answer is so long: the line is spoilt, whatever else will come of it.
                self._begun = self._begun if len(self._begun) <= LINE else b"..."
            else:
                is_open = False
        return is_open

    def _crash(self, what: str) -> Forfeit:
        """What became of it, with the last line of its standard error."""
        process = self._process
        assert process is not None
        with suppress(subprocess.TimeoutExpired):
            status = process.wait(0.2)
            what = f"ended with status {status}" if status >= 0 else f"was ended by signal {-status}"
        if self._poll:
            with suppress(ValueError):
                self._read(0.0)
        lines = self._err.decode(errors="replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return Forfeit("crash", f"{what}: {last}" if last else what)

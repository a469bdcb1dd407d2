"""A program's keeper: the process between a match and a program, so that nothing that the program starts outlives it.

``python keeper.py LEASH COMMAND...`` runs the command in a session of its own.  LEASH is the reading end of a pipe that
nobody else reads, and of which only the match has the other end.  When the program ends, or that pipe does, because the
match closed it or has ended itself, however it came about, the keeper kills the program with all that it has started,
and ends as the program did.

On Linux nothing gets away: the keeper is made the *subreaper* of all processes below it, so that one whose parent has
ended becomes its own child, whatever session, group or environment it has given itself.  And no other process ever is
its child.  Elsewhere it finds the program's process group alone.

This file runs by itself, and so imports nothing of the package.
"""

from __future__ import annotations

import os
import select
import signal
import sys
from contextlib import suppress
from time import monotonic, sleep

#: How long it goes on killing what starts others meanwhile, seconds.
PATIENCE = 3.0

#: The calls of Linux's ``prctl``.
_SET_PDEATHSIG, _SET_CHILD_SUBREAPER = 1, 36


def keep(leash: int, command: list[str]) -> int:
    """Run a program until it ends or the leash does; returns its exit status, or the signal that ended it, less than
    0."""
    os.set_inheritable(leash, False)
    _control(_SET_CHILD_SUBREAPER, 1)
    ended, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake)
    program = _start(command)
    # Its pipes must end when the program closes them.
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    watched = [leash, ended]
    while True:
        for descriptor in select.select(watched, [], [])[0]:
            if descriptor == leash:
                watched.remove(leash)
                os.kill(program, signal.SIGKILL)
            else:
                os.read(ended, 1 << 10)
        if (status := _status_of(program)) is not None:
            _kill_rest(program)
            return status


def _control(option: int, value: int) -> None:
    """Tell Linux something about this process."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _start(command: list[str]) -> int:
    program = os.fork()
    if program:
        return program
    try:
        os.setsid()
        # Should the keeper itself be killed, the program goes too.
        _control(_SET_PDEATHSIG, signal.SIGKILL)
        # Python ignores these, and a program would inherit that.
        for name in ("SIGPIPE", "SIGXFSZ"):
            signal.signal(getattr(signal, name), signal.SIG_DFL)
        os.execvp(command[0], command)
    except OSError as error:
        os.write(2, f"cannot be started: {error.strerror}\n".encode())
    finally:
        os._exit(127)


def _status_of(program: int) -> int | None:
    """How the program ended; ``None`` while it runs.  Other children that have ended go too."""
    with suppress(ChildProcessError):
        while True:
            child, status = os.waitpid(-1, os.WNOHANG)
            if child == program:
                return os.waitstatus_to_exitcode(status)
            if not child:
                break
    return None


def _kill_rest(program: int) -> None:
    """Kill until no child is left: what is being killed may have been starting another, and leaves us its own."""
    with suppress(OSError):
        os.killpg(program, signal.SIGKILL)
    end = monotonic() + PATIENCE
    with suppress(ChildProcessError):
        while monotonic() < end:
            for child in _children():
                with suppress(OSError):
                    os.kill(child, signal.SIGKILL)
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
            sleep(0.001)


def _children() -> list[int]:
    """Our children, those that have ended too, where ``/proc`` has them."""
    found = []
    own = str(os.getpid()).encode()
    with suppress(OSError):
        for name in os.listdir("/proc"):
            if name.isdigit():
                with suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:
                    # PID (NAME) STATE PARENT; the name may hold anything.
                    if file.read().rpartition(b")")[2].split()[1] == own:
                        found.append(int(name))
    return found


def end_as(status: int) -> None:
    """End as the program did, by the same signal if it was one."""
    if status < 0:
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        with suppress(OSError, ValueError):  # some signals keep their handlers
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    os._exit(status)


if __name__ == "__main__":
    end_as(keep(int(sys.argv[1]), sys.argv[2:]))

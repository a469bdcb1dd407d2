"""Where games are played: in this process, in others on this machine, or on a cluster."""

from __future__ import annotations

import logging
import multiprocessing
import os
import re
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing.connection import wait
from multiprocessing.resource_tracker import ensure_running
from multiprocessing.util import Finalize
from threading import Thread, current_thread, main_thread
from typing import Any, ParamSpec, TypeVar

from .work import send_home

#: Seconds within which a scheduler has to answer.
ANSWER = 5.0

_P = ParamSpec("_P")
_T = TypeVar("_T")


class WorkersLost(RuntimeError):
    """The workers are gone, or keep going.  What was played is in the match's folder."""


class Inline(Executor):
    """Does the work at once, in the thread that hands it in."""

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        future: Future[_T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


class Processes(ProcessPoolExecutor):
    """Worker processes on this machine, which end when this process does, however it does."""

    def __init__(self, jobs: int) -> None:
        _start_tracker()
        # Spawned ones, so that they share nothing with this process: no threads, no open files.
        super().__init__(jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_prepare)
        self._others = set(multiprocessing.active_children())

    def kill(self) -> None:
        """End the workers without waiting for their games."""
        workers = [child for child in multiprocessing.active_children() if child not in self._others]
        self.shutdown(wait=False, cancel_futures=True)
        for worker in workers:
            worker.terminate()
        for worker in workers:
            worker.join(5)
            worker.kill()


def _start_tracker() -> None:
    """Start the process that clears up behind the pool so that the end of a terminal, of which each process in it is
    told, does not end that one first."""
    if os.name == "posix" and current_thread() is main_thread():
        before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
        ensure_running()
        signal.signal(signal.SIGHUP, before)


def _prepare() -> None:
    """A worker begins: it leaves Ctrl-C and a closed terminal to its parent, and ends orderly when it is told to, at
    once when orphaned."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _end)
    Finalize(None, send_home, exitpriority=100)
    Thread(target=_watch_parent, daemon=True).start()


def _end(*_: Any) -> None:
    send_home()
    os._exit(1)


def _watch_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    wait([parent.sentinel])
    os._exit(1)


class Cluster(Executor):
    """The workers of a dask.distributed client.  Each future ends, also when the scheduler does; of dask's own executor
    one never does whose result was on its way."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        future: Future[_T] = Future()
        # No task is taken back: those under way are forgotten when the client closes.
        future.set_running_or_notify_cancel()

        def end(task: Any) -> None:
            try:
                future.set_result(task.result())
            except BaseException as error:
                future.set_exception(error if task.status == "error" else WorkersLost("the scheduler is gone"))

        self._client.submit(fn, *args, pure=False, **kwargs).add_done_callback(end)
        return future


@contextmanager
def cluster(address: str) -> Iterator[tuple[Executor, int]]:
    """The workers of a dask.distributed scheduler, such as ``tcp://host:8786``, and how many games they play at once.

    Raises ``ValueError`` when there is no dask.distributed here, no scheduler there, or no worker, and
    :class:`WorkersLost` when they get lost.
    """
    try:
        from distributed import Client, KilledWorker
    except ImportError:
        raise ValueError("cluster: no dask.distributed here, expected the extra: qwirkle-fast[cluster]") from None
    if not re.fullmatch(r"\w+://\S+:\d+", address):
        raise ValueError(f"cluster {address!r}: no address, expected one like tcp://host:8786")
    with _without_logs():
        try:
            client = Client(address, timeout=ANSWER, set_as_default=False)
            threads = sum(client.nthreads().values())
        except (OSError, ValueError, TypeError) as error:
            why = str(error) or "no answer"
            raise ValueError(f"cluster {address!r}: {why}, expected a scheduler's address") from None
        with client:
            if not threads:
                raise ValueError(f"cluster {address!r}: the scheduler has no worker, expected one at least")
            try:
                yield Cluster(client), threads
            except KilledWorker as error:
                raise WorkersLost(str(error)) from None
            finally:
                if client.status == "running":
                    with suppress(OSError):
                        client.run(send_home)


@contextmanager
def _without_logs() -> Iterator[None]:
    """What dask says of its connection is said in one line of our own."""
    before = logging.root.manager.disable
    logging.disable()
    try:
        yield
    finally:
        logging.disable(before)

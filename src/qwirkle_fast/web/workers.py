"""Work off the event loop: so many threads, so much that may wait, and an end to each piece of work.

Everything here but the work itself runs on the event loop, so that counting needs no lock.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event
from typing import Generic, TypeVar

from starlette.requests import Request

from .problems import Problem

T = TypeVar("T")


class ClientLeft(Exception):
    """The client has gone: there is nobody to answer."""


class Job(Generic[T]):
    """A piece of work that waits or runs.  Its ``stop`` is set when its time is over or nobody wants it any more."""

    def __init__(self, task: Future[T], done: asyncio.Future[T], stop: Event) -> None:
        self._task, self._done, self._stop = task, done, stop

    async def answer(self, request: Request) -> T:
        """What the work returns, or raises; when the client leaves first, it is stopped and :class:`ClientLeft`."""
        leaving = asyncio.ensure_future(_client_left(request))
        try:
            await asyncio.wait((self._done, leaving), return_when=asyncio.FIRST_COMPLETED)
            if self._done.done():
                return self._done.result()
            raise ClientLeft
        finally:
            leaving.cancel()
            self.abandon()

    def abandon(self) -> None:
        """Stop the work if it runs, and never begin it if it waits; what it raises is nobody's any more."""
        self._stop.set()
        self._task.cancel()
        self._done.add_done_callback(lambda done: done.cancelled() or done.exception())


async def _client_left(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


class Workers:
    """``threads`` pieces of work at a time, and ``waiting`` more in a queue."""

    def __init__(self, threads: int, waiting: int) -> None:
        self.threads = threads
        self._most = threads + waiting
        self._pool: ThreadPoolExecutor | None = None
        self._jobs: set[Event] = set()

    @property
    def jobs(self) -> int:
        """How many run or wait."""
        return len(self._jobs)

    def share(self) -> int:
        """The threads for one piece of work among those there are now."""
        return max(1, self.threads // max(1, len(self._jobs)))

    def start(self, work: Callable[[Event], T], seconds: float) -> Job[T]:
        """Have ``work(stop)`` done in a thread; ``stop`` is set when it has run so many seconds.

        Raises a :class:`Problem` when too much waits already.
        """
        if len(self._jobs) >= self._most:
            raise Problem(
                503,
                "server",
                f"{self._most} requests are being worked on or wait",
                "another try",
                headers={"Retry-After": "1"},
            )
        loop = asyncio.get_running_loop()
        stop = Event()
        self._jobs.add(stop)

        timers: list[asyncio.TimerHandle] = []

        def run() -> T:
            loop.call_soon_threadsafe(lambda: timers.append(loop.call_later(seconds, stop.set)))
            return work(stop)

        def finish(_: asyncio.Future[T]) -> None:
            self._jobs.discard(stop)
            for timer in timers:
                timer.cancel()

        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.threads, thread_name_prefix="qwirkle-fast")
        task = self._pool.submit(run)
        done = asyncio.wrap_future(task)
        done.add_done_callback(finish)
        return Job(task, done, stop)

    def close(self) -> None:
        """Stop everything; what is started afterwards begins anew."""
        for stop in self._jobs:
            stop.set()
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
        self._pool = None

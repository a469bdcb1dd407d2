"""Runs a match: hands its games to workers, writes each down as it ends, and stops when the match is decided."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from contextlib import ExitStack

from .executors import Inline, Processes, WorkersLost
from .match import Key, Match
from .players import check_players
from .records import Folder, decode_game
from .standings import Standings
from .work import Luggage, native, play_games, send_home

#: Games that are handed out together where native code plays them.
TOGETHER = 120


def run(
    match: Match,
    *,
    jobs: int = 1,
    executor: Executor | None = None,
    out: str | os.PathLike[str] | None = None,
    watch: Callable[[Standings], None] | None = None,
) -> Standings:
    """Play a match, or go on with it where ``out`` has some of it, and return its table.

    ``jobs``: how many games are played at once, each in a process of its own; one job is done in this very process.
    ``executor``: any other executor of :mod:`concurrent.futures`, which is then kept busy with twice as many tasks.
    ``out``: the folder for the records.  ``watch`` is called after games were played, in this thread.

    Raises ``ValueError`` for players or a folder that cannot be, :class:`WorkersLost` when workers are lost.
    """
    if type(jobs) is not int or not 1 <= jobs <= 1024:
        raise ValueError(f"jobs: {jobs!r}, expected a whole number from 1 to 1024")
    check_players(match, here=executor is None)
    standings = Standings(match)
    done: set[Key] = set()
    with ExitStack() as stack:
        folder = None
        if out is not None:
            folder = Folder(out, match)
            stack.callback(folder.close)
            for played in folder.games():
                standings.add(played)
                done.add(played.key)
            standings.look()
        if standings.decided is None:
            _play(match, standings, done, folder, jobs, executor, watch)
        if folder and standings.decided is not None:
            folder.keep_blocks(standings.decided)
    standings.cut()
    return standings


def _play(
    match: Match,
    standings: Standings,
    done: set[Key],
    folder: Folder | None,
    jobs: int,
    executor: Executor | None,
    watch: Callable[[Standings], None] | None,
) -> None:
    own = None
    if executor is None:
        executor = own = Inline() if jobs == 1 else Processes(jobs)
    luggage: Luggage = match if isinstance(executor, Inline) else _packed(match)
    tasks = _tasks(match, done)
    running: set[Future[list[bytes]]] = set()
    finished = False
    try:
        while standings.decided is None:
            while len(running) < (1 if isinstance(executor, Inline) else 2 * jobs) and (keys := next(tasks, None)):
                running.add(executor.submit(play_games, luggage, keys))
            if not running:
                break
            ready, running = wait(running, return_when=FIRST_COMPLETED)
            for future in ready:
                lines = future.result()
                if folder:
                    folder.write(lines)
                for line in lines:
                    standings.add(decode_game(line))
            standings.look()
            if watch:
                watch(standings)
        finished = not running
    except BrokenExecutor:
        raise WorkersLost("a worker process was killed") from None
    finally:
        for future in running:
            future.cancel()
        if isinstance(own, Processes) and not finished:
            own.kill()
        elif own:
            own.shutdown()
        # Whoever played in this process.
        send_home()


def _tasks(match: Match, done: set[Key]) -> Iterator[list[Key]]:
    """The games that are missing, as they are handed out."""
    together = TOGETHER if native(match) else 1
    keys: list[Key] = []
    for key in match.schedule():
        if key not in done:
            keys.append(key)
        if len(keys) == together:
            yield keys
            keys = []
    if keys:
        yield keys


def _packed(match: Match) -> bytes:
    try:
        return pickle.dumps(match)
    except Exception as error:
        raise ValueError(f"players: they cannot be sent to other processes ({error}), expected one job") from None

"""Games that last: how each began, and its moves, in SQLite.

A move is on the disk when :meth:`Database.append` returns, so what has been acknowledged survives a kill.
"""

from __future__ import annotations

import sqlite3
from threading import Lock

#: The layout of the tables, kept in the file.
LAYOUT = 1
#: Marks a file as ours.
APPLICATION = 0x51774661

_TABLES = """
CREATE TABLE games (id TEXT PRIMARY KEY, setup TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE moves (game TEXT NOT NULL, number INTEGER NOT NULL, move TEXT NOT NULL, PRIMARY KEY (game, number))
    WITHOUT ROWID;
"""


class Conflict(Exception):
    """Another process has made that move of the game."""


class Database:
    """One file; ``ValueError`` when it cannot be used.  Any thread may call."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._lock = Lock()
        self._open: sqlite3.Connection | None = None
        try:
            self._prepare()
        except sqlite3.Error as error:
            self.close()
            raise ValueError(f"it cannot be used ({error})") from None

    @property
    def _connection(self) -> sqlite3.Connection:
        if self._open is None:
            self._open = sqlite3.connect(self._file, check_same_thread=False, isolation_level=None, timeout=10)
            self._open.execute("PRAGMA synchronous = FULL")
        return self._open

    def _prepare(self) -> None:
        run = self._connection.execute
        run("BEGIN IMMEDIATE")
        try:
            application, layout = run("PRAGMA application_id").fetchone()[0], run("PRAGMA user_version").fetchone()[0]
            if not run("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
                for statement in _TABLES.split(";")[:-1]:
                    run(statement)
                run(f"PRAGMA application_id = {APPLICATION}")
                run(f"PRAGMA user_version = {LAYOUT}")
            elif (application, layout) != (APPLICATION, LAYOUT):
                raise sqlite3.DatabaseError("a database of something else")
        except BaseException:
            run("ROLLBACK")
            raise
        run("COMMIT")
        run("PRAGMA journal_mode = WAL")

    def create(self, game: str, setup: str) -> None:
        with self._lock:
            self._connection.execute("INSERT INTO games VALUES (?, ?)", (game, setup))

    def append(self, game: str, number: int, move: str) -> None:
        """Keep a move; numbers count from 0.  Raises :class:`Conflict` when there is one of that number."""
        with self._lock:
            try:
                self._connection.execute("INSERT INTO moves VALUES (?, ?, ?)", (game, number, move))
            except sqlite3.IntegrityError:
                raise Conflict from None

    def load(self, game: str) -> tuple[str, list[str]] | None:
        """How a game began, and its moves; ``None`` when there is no such game."""
        with self._lock:
            setup = self._connection.execute("SELECT setup FROM games WHERE id = ?", (game,)).fetchone()
            if setup is None:
                return None
            moves = self._connection.execute(
                "SELECT move FROM moves WHERE game = ? ORDER BY number", (game,)
            ).fetchall()
        return setup[0], [move for (move,) in moves]

    def close(self) -> None:
        """Close the file; it is opened again when it is needed."""
        with self._lock:
            if self._open is not None:
                self._open.close()
            self._open = None

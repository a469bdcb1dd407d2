"""The conversation with whoever started the engine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import pairwise
from queue import SimpleQueue
from threading import Event, Lock, Thread
from typing import BinaryIO

from .minds import MINDS, OPTIONS, Mind, Task, mind_of

#: No line needs more bytes.
LINE_LIMIT = 1 << 20

#: How long the engine thinks when it is not told, seconds.
SECONDS = 1.0

#: The answer where no move can be made or told.
NONE = "none"


class Conversation:
    """Reads commands and answers them, until ``quit`` or the end of the input.

    It goes on reading while it thinks.  ``complain`` takes a line about what cannot be understood; it never stops the
    conversation.
    """

    def __init__(self, source: BinaryIO, answers: BinaryIO, complain: Callable[[str], None], version: str) -> None:
        self._source = source
        self._answers = answers
        self._complain = complain
        self._version = version
        self._writing = Lock()
        self._settings = {name: option.default for name, option in OPTIONS.items()}
        self._game = next(iter(MINDS))
        self._mind: Mind | None = None
        self._position: object = None
        #: What it is to answer, in order; a choice is made for each before the next.
        self._asked: SimpleQueue[Callable[[], str | None] | None] = SimpleQueue()
        #: Ends the thinking about all that was asked so far, some of it perhaps without end.
        self._stop = Event()
        self._endless = False
        self._number = 0

    def run(self) -> None:
        """Hold the conversation.  Raises ``BrokenPipeError`` when nobody reads the answers."""
        commands = {
            "uqi": self._introduce,
            "isready": self._ready,
            "setoption": self._set_option,
            "newgame": self._new_game,
            "position": self._set_position,
            "go": self._go,
            "stop": self._stop_thinking,
        }
        thinker = Thread(target=self._answer_all, daemon=True)
        thinker.start()
        try:
            for line in self._lines():
                word, _, rest = line.partition(" ")
                if word == "quit":
                    self._stop.set()
                    break
                if word in commands:
                    try:
                        commands[word](rest.strip())
                    except ValueError as error:
                        self._refuse(error)
            # At the end of the input answers that are on their way are still given; nobody can stop them any more.
            if not self._endless:
                self._asked.put(None)
                thinker.join()
        finally:
            self._stop.set()
            self._asked.put(None)
            thinker.join()

    def _lines(self) -> Iterator[str]:
        while line := self._source.readline(LINE_LIMIT):
            self._number += 1
            if len(line) == LINE_LIMIT and not line.endswith(b"\n"):
                while line and not line.endswith(b"\n"):
                    line = self._source.readline(LINE_LIMIT)
                self._refuse(ValueError(f"over {LINE_LIMIT:,} bytes, expected fewer"))
                continue
            try:
                yield line.decode().strip()
            except UnicodeDecodeError as error:
                self._refuse(ValueError(f"byte {error.start + 1} is not UTF-8, expected ASCII"))

    def _refuse(self, error: ValueError) -> None:
        self._complain(f"line {self._number}: {error}")

    def _say(self, *lines: str) -> None:
        with self._writing:
            self._answers.write("".join([f"{line}\n" for line in lines]).encode())
            self._answers.flush()

    # -- the commands

    def _introduce(self, rest: str) -> None:
        options = [
            f"option name {name} type spin default {option.default} min {option.least} max {option.most}"
            for name, option in OPTIONS.items()
        ]
        self._say(f"id name qwirkle_fast {self._version}", "id author the qwirkle_fast authors", *options, "uqiok")

    def _ready(self, rest: str) -> None:
        self._minded().prepare()
        self._say("readyok")

    def _minded(self) -> Mind:
        self._mind = self._mind or mind_of(self._game)
        return self._mind

    def _set_option(self, rest: str) -> None:
        words = rest.split()
        if len(words) != 4 or words[0] != "name" or words[2] != "value":
            raise ValueError(f"setoption: {rest[:60]!r}, expected name NAME value VALUE")
        if words[1] not in OPTIONS:
            raise ValueError(f"setoption: {words[1][:60]!r} is no option, expected {', '.join(OPTIONS)}")
        option = OPTIONS[words[1]]
        self._settings[words[1]] = _number(words[1], words[3], option.least, option.most)

    def _new_game(self, rest: str) -> None:
        mind = mind_of(rest or self._game)
        self._game, self._mind, self._position = rest or self._game, mind, None

    def _set_position(self, rest: str) -> None:
        # After one that is refused, none is better than an old one.
        self._position = None
        self._position = self._minded().read(rest)

    def _go(self, rest: str) -> None:
        if self._endless:
            # It would never come to this question.
            self._stop.set()
        if self._stop.is_set():
            self._stop = Event()
        self._endless = False
        try:
            if self._position is None:
                raise ValueError("go: no position to think about, expected position before it")
            seconds, simulations, self._endless = _limits(rest.split())
        except ValueError:
            self._asked.put(lambda: None)
            raise
        task = Task(seconds, simulations, dict(self._settings), self._stop, self._say)
        self._asked.put(partial(self._choice, self._minded(), self._position, task, self._endless))

    def _answer_all(self) -> None:
        with suppress(BrokenPipeError):
            while asked := self._asked.get():
                self._say(f"bestmove {asked() or NONE}")

    def _choice(self, mind: Mind, position: object, task: Task, endless: bool) -> str | None:
        try:
            choice = mind.think(position, task)
        except (ValueError, ImportError) as error:
            self._complain(f"go: {error}")
        except BrokenPipeError:
            raise
        except Exception as error:
            self._complain(f"go: a fault of our own, expected none: {type(error).__name__}: {error}")
        else:
            # Some searches are over before they are stopped, but the answer has to wait for that.
            if endless:
                task.stop.wait()
            return choice
        return None

    def _stop_thinking(self, rest: str) -> None:
        self._stop.set()


def _limits(words: list[str]) -> tuple[float | None, int | None, bool]:
    """The seconds, the simulations, and whether to think until stopped."""
    seconds: float | None = None
    simulations: int | None = None
    for word, value in pairwise([*words, ""]):
        if word == "movetime":
            seconds = max(_number(word, value, 0, 10**9), 1) / 1000
        elif word == "simulations":
            simulations = _number(word, value, 1, 10**15)
    endless = "infinite" in words
    if seconds is None and simulations is None and not endless:
        seconds = SECONDS
    return seconds, simulations, endless


def _number(name: str, text: str, least: int, most: int) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 18 or not least <= int(text) <= most:
        raise ValueError(f"{name}: {text[:60]!r}, expected a whole number from {least} to {most}")
    return int(text)

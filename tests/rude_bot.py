"""A program that speaks the protocol and plays well enough, but for one way of being rude: ``python rude_bot.py WAY``.

``MARK`` in its arguments, if any, is only there for a test to find it among the processes.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

from qwirkle_fast import Move, Position

WAY = sys.argv[1]
#: The turn in which it gets rude.
TURN = 3


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def choose(line: str) -> str:
    text, _, moves = line.partition(" moves ")
    position = Position(text)
    for move in moves.split():
        position.push(Move(move))
    exchanges = position.exchanges
    return str(position.legal_moves.best() or (exchanges[-1] if exchanges else Move.skip()))


def child(way: str) -> None:
    """A child that outlives us: in our process group, apart from it, or as a daemon with nothing of ours about it."""
    code = "import signal, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\ntime.sleep(600)"
    command = [sys.executable, "-c", code, *sys.argv[2:]]
    if way == "children-hidden":
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                os.chdir("/")
                os.closerange(0, 100)
                os.execve(sys.executable, command, {})
            os._exit(0)
        os.wait()
    else:
        subprocess.Popen(command, start_new_session=way == "children-apart")


def be_rude() -> None:
    """What it does instead of answering, or before."""
    match WAY:
        case "slow":
            time.sleep(600)
        case "crash":
            raise RuntimeError("I have had enough")
        case "exit":
            sys.exit(3)
        case "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        case "kill-parent":
            os.kill(os.getppid(), signal.SIGKILL)
            time.sleep(600)
        case "flood":
            while True:
                os.write(1, b"info string " + b"x" * 80 + b"\n" * 40)
        case "endless-line":
            while True:
                os.write(1, b"x" * 4096)
        case "flood-errors":
            for _ in range(1000):
                os.write(2, b"y" * 4096)
        case "nonsense":
            say("bestmove to be or not to be")
        case "empty":
            say("bestmove")
        case "binary":
            os.write(1, bytes(range(256)) + b"\nbestmove \xff\xfe\n")
        case "illegal":
            say("bestmove Rs@900,900")
        case "pass":
            say("bestmove -")
        case "close-output":
            os.close(1)
            time.sleep(600)
        case "close-input":
            os.close(0)
            say("bestmove -")
            time.sleep(600)
        case "stop":
            os.kill(os.getpid(), signal.SIGSTOP)
        case "deaf":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            time.sleep(600)


def main() -> None:
    if WAY == "crash-at-start":
        raise RuntimeError("not today")
    if WAY == "silent":
        time.sleep(600)
    if WAY.startswith("children"):
        child(WAY)
    line, turns = "", 0
    for text in sys.stdin:
        command, _, rest = text.strip().partition(" ")
        if command == "uqi":
            say(f"id name rude {WAY}\nuqiok")
        elif command == "isready":
            say("readyok")
        elif command == "position":
            line = rest
        elif command == "go":
            turns += 1
            if turns == TURN:
                be_rude()
            if WAY == "others-tiles" and turns == TURN:
                seen = Position(line.partition(" moves ")[0])
                codes = seen.rules.tile_set.codes
                own = [tile for tiles, _ in seen.hands for tile in tiles]
                tile = next(codes[tile] for tile, left in enumerate(seen.unseen) if left and tile not in own)
                say(f"bestmove -{tile}")
            else:
                say(f"bestmove {choose(line)}")
                if WAY == "twice":
                    time.sleep(0.02)
                    say("bestmove Rs@900,900")
        elif command == "quit" and WAY != "stays":
            break
    if WAY == "stays":
        time.sleep(600)


main()

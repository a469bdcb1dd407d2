"""A real server in a process of its own, for tests."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass
class Server:
    url: str
    process: subprocess.Popen[str]

    @property
    def port(self) -> int:
        return int(self.url.rstrip("/").rpartition(":")[2])

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL if os.name != "nt" else signal.SIGTERM)
        self.process.wait()


@contextmanager
def serving(*options: str) -> Iterator[Server]:
    """Run ``qwirkle-fast serve`` on a free port until the block ends."""
    command = [sys.executable, "-m", "qwirkle_fast", "serve", "--port", "0", *options]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        line = process.stderr.readline()
        url = next((word for word in line.split() if word.startswith("http://")), None)
        assert url, f"the server did not start: {line}{process.stderr.read()}"
        yield Server(url, process)
    finally:
        process.terminate()
        process.wait(timeout=20)
        process.stderr.close()

"""A connection: uvicorn's, but every wait for the client has an end, and every refusal is a problem."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from .app import HEADERS
from .problems import Problem

#: Bytes of a request's line and headers, and seconds that they may take to arrive.
HEAD, HEAD_SECONDS = 1 << 16, 10.0
#: Seconds that a client may take to read what is ready for it.
READ_SECONDS = 60.0
#: Seconds that a client may go on sending what is refused: closed at once, the answer could be lost.
LINGER_SECONDS = 2.0
#: Seconds until it is looked whether a client that has ended its side still listens.
PROBE_SECONDS = 0.2


class _Deadline:
    """A call that comes in some seconds, unless what it waits for comes before."""

    def __init__(self) -> None:
        self._timer: asyncio.TimerHandle | None = None

    def set(self, seconds: float, call: Callable[[], None]) -> None:
        """A deadline that is set already stays where it is."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(seconds, call)

    def clear(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None


class Protocol(H11Protocol):
    """uvicorn's protocol, with deadlines, with problems, and with answers for who has ended its side."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._owed, self._unread = _Deadline(), _Deadline()
        self._refused = False
        self._owed.set(HEAD_SECONDS, self._too_slow)

    def connection_lost(self, exc: Exception | None) -> None:
        self._owed.clear()
        self._unread.clear()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if not self._refused:
            super().data_received(data)
            self._set_deadline()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._set_deadline()

    def _set_deadline(self) -> None:
        """A head that has begun must end, and so must a body that is not wanted; others are the application's."""
        if self.conn.their_state is h11.IDLE:
            owed = bool(self.conn.trailing_data[0])
        else:
            owed = self.conn.their_state is h11.SEND_BODY and self.conn.our_state is h11.DONE
        if owed:
            self._owed.set(HEAD_SECONDS, self._too_slow)
        else:
            self._owed.clear()

    def _too_slow(self) -> None:
        if self.conn.their_state is h11.IDLE and self.conn.trailing_data[0]:
            what = f"they did not arrive within {HEAD_SECONDS:g} seconds"
            self._refuse(Problem(408, "headers", what, "all of them at once"))
        else:
            self.transport.close()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._unread.set(READ_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._unread.clear()

    def send_400_response(self, msg: str) -> None:
        """Called where a request is read that is none."""
        error = sys.exception()
        status = error.error_status_hint if isinstance(error, h11.RemoteProtocolError) else 400
        expected = f"at most {HEAD:,} bytes of headers" if status == 431 else "a request of HTTP/1.1"
        self._refuse(Problem(status, "request", ascii(str(error or msg))[1:-1][:200], expected))

    def _refuse(self, problem: Problem) -> None:
        """Answer a request that never reaches the application, or no further, and listen to nothing more."""
        self._refused = True
        self._owed.clear()
        cycle: RequestResponseCycle | None = self.cycle
        if cycle and not cycle.response_complete:
            cycle.disconnected = True
            cycle.message_event.set()
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            answer = problem.response()
            headers = [*answer.headers.items(), *HEADERS.items(), ("Connection", "close")]
            for event in (
                h11.Response(status_code=answer.status_code, headers=headers, reason=str(problem.to_json()["title"])),
                h11.Data(data=bytes(answer.body)),
                h11.EndOfMessage(),
            ):
                self.transport.write(self.conn.send(event) or b"")
            self.transport.write_eof()
            self.transport.resume_reading()
            self._owed.set(LINGER_SECONDS, self.transport.close)
        else:
            self.transport.close()

    def eof_received(self) -> bool:  # type: ignore[override]
        """Who has ended its side may still read: it is answered, unless it turns out to be gone."""
        cycle: RequestResponseCycle | None = self.cycle
        if not cycle or cycle.response_complete or cycle.more_body or cycle.scope["http_version"] != "1.1":
            return False
        cycle.keep_alive = False
        self._probe()
        return True

    def _probe(self) -> None:
        """Write what a client skips; if there is none any more, the next such write ends the connection."""
        if self.conn.our_state is h11.SEND_RESPONSE and not self.transport.is_closing():
            there = h11.InformationalResponse(status_code=100, headers=[], reason="Continue")
            self.transport.write(self.conn.send(there) or b"")
            self.loop.call_later(PROBE_SECONDS, self._probe)

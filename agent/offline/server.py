"""The offline Gemini over HTTP on this machine, for the official SDK and any other client.

A thread per connection: a client that stalls holds up nobody else. Answers go out in one piece
with Nagle's algorithm off.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import select
import socket
import struct
import threading
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from agent.catalogue import Language, Problem, say
from agent.offline import refusals
from agent.offline.protocol import Answer, Request, read_json
from agent.offline.refusals import Refusal
from agent.offline.replies import chunks
from agent.offline.responder import Fault, OfflineGemini, Raw, Responder, Response
from tools.loopback import is_loopback

MAX_BODY = 20 * 1024 * 1024
"""Bytes of a request body; the API's own limit for inline requests."""

STALL_S = 60.0
"""Seconds a client may take between two pieces of a request."""

_WINDOWS = os.name == "nt"
_JSON = "application/json; charset=UTF-8"
_log = logging.getLogger("bareloop.serve")


class OfflineServer:
    """A running server. ``url`` is its address; leaving the ``with`` block stops it."""

    def __init__(self, sockets: _Sockets) -> None:
        self._sockets = sockets
        host, port = str(sockets.server_name), sockets.server_port
        self.url = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
        self._thread = threading.Thread(
            target=sockets.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True
        )
        self._thread.start()

    def __enter__(self) -> OfflineServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Close every connection and give the port back. Stopping twice is no fault."""
        self._sockets.stopping.set()
        self._sockets.shutdown()
        self._sockets.close_connections()
        self._sockets.server_close()
        self._thread.join()

    def wait(self) -> None:
        """Until it is stopped from another thread, or interrupted."""
        while self._thread.is_alive():
            self._thread.join(timeout=1.0)


def serve(
    host: str = "127.0.0.1",
    port: int = 0,
    responder: Responder | None = None,
    *,
    allow_remote: bool = False,
    max_body: int = MAX_BODY,
    stall_s: float = STALL_S,
) -> OfflineServer:
    """Start serving in the background; port 0 takes a free one.

    Raises Problem for an address that other machines can reach (unless ``allow_remote``), and for
    one that cannot be used.
    """
    if not allow_remote and not is_loopback(host):
        raise Problem("serve.not_loopback", host=host)
    if not 0 <= port <= 65_535:
        raise Problem("serve.bad_port", port=port)
    try:
        responder = responder or OfflineGemini()
        return OfflineServer(_Sockets((host, port), responder, max_body, stall_s))
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise Problem("serve.cannot_listen", host=host, port=port, reason=reason) from None


def main_serve(
    host: str,
    port: int,
    script: Path | None,
    language: Language,
    out: Callable[[str], None] = lambda line: print(line, flush=True),
    *,
    allow_remote: bool = False,
    gguf: Path | None = None,
) -> int:
    """Serve until interrupted, telling where, for whom and how to point a client at it. Returns
    the exit code. Raises Problem for an address, a script or a model that cannot be used."""
    responder: Responder | None = None
    if script is not None:
        from agent.offline.scripted import ScriptedGemini

        responder = ScriptedGemini.from_file(script)
    if gguf is not None:
        from agent.offline.gguf import GgufGemini

        responder = GgufGemini(gguf)
    started = "serve.started" if is_loopback(host) else "serve.started_open"
    with (
        serve(host, port, responder, allow_remote=allow_remote) as server,
        contextlib.suppress(KeyboardInterrupt),
    ):
        out(say(started, language, url=server.url))
        out(say("serve.how", language, url=server.url))
        server.wait()
    out(say("serve.stopped", language))
    return 0


class _Sockets(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 1024  # a client beyond it would wait for seconds before it tries again

    def __init__(
        self, address: tuple[str, int], responder: Responder, max_body: int, stall_s: float
    ) -> None:
        if ":" in address[0]:
            self.address_family = socket.AF_INET6
        self.responder = responder
        self.max_body = max_body
        self.stall_s = stall_s
        self.stopping = threading.Event()
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        super().__init__(address, _Connection)

    def server_bind(self) -> None:
        # HTTPServer's own looks the host's name up, which can take seconds
        if not _WINDOWS:  # where it would let two servers share a port
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(self.server_address)
        self.server_address = self.socket.getsockname()
        self.server_name, self.server_port = self.socket.getsockname()[:2]

    def process_request(self, request: Any, client_address: Any) -> None:
        with self._lock:
            self._open.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        with self._lock:
            self._open.discard(request)
        super().shutdown_request(request)

    def close_connections(self) -> None:
        with self._lock:
            still_open = list(self._open)
        for connection in still_open:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        _log.debug("a connection ended", exc_info=True)


class _Connection(BaseHTTPRequestHandler):
    """One kept-alive connection."""

    protocol_version = "HTTP/1.1"
    server_version = "bareloop-offline"
    sys_version = ""
    disable_nagle_algorithm = True
    wbufsize = 1 << 16
    server: _Sockets  # pyright: ignore[reportIncompatibleVariableOverride] (as typeshed has it)

    def setup(self) -> None:
        super().setup()
        self.connection.settimeout(self.server.stall_s)

    def handle_expect_100(self) -> bool:
        going_on = super().handle_expect_100()
        self.wfile.flush()
        return going_on

    def do_POST(self) -> None:
        data = self._body()
        if isinstance(data, Refusal):
            self._refuse(data)
            return
        body = read_json(data)
        request = Request(self.command, self.path, dict(self.headers.items()), body)
        if isinstance(body, Refusal):
            self._send(request, Answer.refusing(body))
        else:
            self._send(request, self._respond(request))

    do_GET = do_PUT = do_PATCH = do_DELETE = do_POST

    def _respond(self, request: Request) -> Response:
        try:
            return self.server.responder.respond(request)
        except Exception:
            _log.debug("no answer for a request", exc_info=True)
            return Answer.refusing(refusals.INTERNAL)

    def _body(self) -> bytes | Refusal:
        """The bytes of the request body, in whichever way they are framed."""
        if "chunked" in self.headers.get("Transfer-Encoding", "").lower():
            return self._chunked_body()
        length = self.headers.get("Content-Length", "0").strip()
        if not length.isascii() or not length.isdigit():
            return refusals.INVALID_ARGUMENT
        if int(length) > self.server.max_body:
            return refusals.too_large(self.server.max_body)
        data = self.rfile.read(int(length))
        if len(data) < int(length):
            raise ConnectionAbortedError("the client left")
        return data

    def _chunked_body(self) -> bytes | Refusal:
        pieces: list[bytes] = []
        size = 0
        while True:
            line = self.rfile.readline(1024).split(b";")[0].strip()
            try:
                length = int(line, 16)
            except ValueError:
                return refusals.INVALID_ARGUMENT
            size += length
            if length < 0 or size > self.server.max_body:
                return refusals.too_large(self.server.max_body)
            if length == 0:
                break
            pieces.append(self.rfile.read(length))
            self.rfile.readline(8)
        while self.rfile.readline(65_537).strip():  # trailers
            pass
        return b"".join(pieces)

    def _send(self, request: Request, response: Response) -> None:
        match response:
            case Fault(kind="reset"):
                self._reset()
            case Fault(kind="hang"):
                self._hang()
            case Fault():
                self._write(request, Answer(200, response.body), cut=True)
            case Raw():
                self._write_whole(
                    response.status, response.content_type, response.text.encode(), response.headers
                )
            case _:
                self._write(request, response)

    def _write(self, request: Request, answer: Answer, *, cut: bool = False) -> None:
        streaming = request.is_stream and answer.status == 200
        if streaming and request.wants_events:
            self._write_events(answer, cut)
            return
        if request.is_stream and not request.wants_events:
            listed = chunks(answer.body) if streaming else [answer.body]
            data = b"[" + b"\n,\r\n".join(map(_json, listed)) + b"\n]\n"
        else:
            data = _json(answer.body)
        self._write_whole(answer.status, _JSON, data, answer.headers, cut)

    def _write_whole(
        self,
        status: int,
        content_type: str,
        data: bytes,
        headers: Mapping[str, str],
        cut: bool = False,
    ) -> None:
        self._start(status, content_type, headers)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data[: len(data) // 2] if cut else data)
        self.close_connection = self.close_connection or cut

    def _write_events(self, answer: Answer, cut: bool) -> None:
        events = [b"data: " + _json(chunk) + b"\r\n\r\n" for chunk in chunks(answer.body)]
        self._start(200, "text/event-stream", answer.headers)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        if cut:
            events = events[: (len(events) + 1) // 2]
            events[-1] = events[-1][: len(events[-1]) // 2]
        for event in events:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(event), event))
        if not cut:
            self.wfile.write(b"0\r\n\r\n")
        self.close_connection = self.close_connection or cut

    def _start(self, status: int, content_type: str, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        for name, value in headers.items():
            self.send_header(name, value)

    def _refuse(self, refusal: Refusal) -> None:
        """Refuse a request whose body is still on its way, and see that the client hears it."""
        self.close_connection = True
        self._start(refusal.code, _JSON, {"Connection": "close"})
        data = _json(refusal.body)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
        self.wfile.flush()
        with contextlib.suppress(OSError):
            # closing with unread bytes would reset the connection and lose the answer
            self.connection.shutdown(socket.SHUT_WR)
            self.connection.settimeout(1.0)
            for _ in range(1024):
                if not self.connection.recv(1 << 16):
                    break

    def _reset(self) -> None:
        self.close_connection = True
        linger = struct.pack("hh" if _WINDOWS else "ii", 1, 0)
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        for each in (self.rfile, self.wfile, self.connection):
            each.close()

    def _hang(self) -> None:
        """Say nothing until the client gives up or the server stops."""
        self.close_connection = True
        while not self.server.stopping.is_set():
            readable, _, _ = select.select([self.connection], [], [], 0.05)
            with contextlib.suppress(BlockingIOError, TimeoutError):
                if readable and not self.connection.recv(1, socket.MSG_PEEK):
                    return

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """A request that is no HTTP gets JSON too."""
        self.close_connection = True
        refusal = Refusal(int(code), message or refusals.INVALID_ARGUMENT.message)
        self._write_whole(int(code), _JSON, _json(refusal.body), {"Connection": "close"})

    def log_message(self, format: str, *args: Any) -> None:
        """Requests are not logged: their addresses may hold a key."""


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")

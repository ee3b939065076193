"""A Gemini endpoint on this machine that plays a list of answers and keeps the requests."""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "AIzaFAKE0000000000000000000000000000000"


@dataclass(frozen=True)
class Answer:
    """What to play: a status and a body, or a fault. ``pieces`` is the body in parts, with a pause
    before each: what a stream writes, raw."""

    body: Any = b""
    status: int = 200
    fault: str = ""
    pieces: tuple[bytes, ...] = ()
    pause: float = 0.0
    headers: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Request:
    path: str
    headers: dict[str, str]
    raw: bytes
    port: int = 0
    """Where the client sends from: another one for each connection."""

    @property
    def body(self) -> Any:
        return json.loads(self.raw)


class Endpoint(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answers: list[Any] = []
        self.requests: list[Request] = []
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.closing = threading.Event()

    def play(self, *answers: Any) -> None:
        self.answers += answers

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hung up is part of the play."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Endpoint

    def do_POST(self) -> None:
        raw = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.requests.append(
            Request(self.path, dict(self.headers.items()), raw, self.client_address[1])
        )
        answer = self.server.answers.pop(0)
        if not isinstance(answer, Answer):
            answer = Answer(answer)
        getattr(self, f"_{answer.fault}" if answer.fault else "_whole")(answer)

    def _whole(self, answer: Answer) -> None:
        body = answer.body
        if not isinstance(body, bytes):
            body = json.dumps(body).encode()
            if answer.status == 200 and "alt=sse" in self.path:
                answer = Answer(pieces=tuple(map(event, in_chunks(answer.body))))
        if answer.pieces:
            self._write(answer)
            return
        self._head(answer, {"Content-Length": str(len(body))})
        self.wfile.write(body)

    def _write(self, answer: Answer) -> None:
        self._head(answer, {"Transfer-Encoding": "chunked"})
        self._chunks(answer)
        self.wfile.write(b"0\r\n\r\n")

    def _chunks(self, answer: Answer) -> None:
        for piece in answer.pieces:
            time.sleep(answer.pause)
            self.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")

    def _cut(self, answer: Answer) -> None:
        self._head(answer, {"Transfer-Encoding": "chunked"})
        self._chunks(answer)
        self.close_connection = True

    def _stalled(self, answer: Answer) -> None:
        self._head(answer, {"Transfer-Encoding": "chunked"})
        self._chunks(answer)
        self._hang(answer)

    def _half_body(self, answer: Answer) -> None:
        self._head(answer, {"Content-Length": "1000"})
        self.wfile.write(b'{"candidates": [')
        self.close_connection = True

    def _hang(self, answer: Answer) -> None:
        self.server.closing.wait(20)
        self.close_connection = True

    def _reset(self, answer: Answer) -> None:
        linger = struct.pack("ii", 1, 0)
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.close_connection = True
        self.connection.close()

    def _closed(self, answer: Answer) -> None:
        self.close_connection = True

    def _head(self, answer: Answer, length: dict[str, str]) -> None:
        self.send_response(answer.status)
        for name, value in (answer.headers | length).items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, *args: Any) -> None:
        pass


def event(chunk: Any) -> bytes:
    return b"data: " + json.dumps(chunk).encode() + b"\r\n\r\n"


def in_chunks(body: Any) -> list[Any]:
    """``body`` as a stream would bring it: plain text in pieces of two letters, every other part
    in a chunk of its own, the finish reason with the last."""
    content = (body.get("candidates") or [{}])[0].get("content") or {}
    parts = content.get("parts") or []
    pieces = []
    for part in parts:
        if part.keys() <= {"text", "thought"} and part["text"]:
            text = part["text"]
            pieces += [part | {"text": text[at : at + 2]} for at in range(0, len(text), 2)]
        else:
            pieces.append(part)
    if not pieces:
        return [body]
    candidate = body["candidates"][0]
    chunks: list[Any] = [
        {"candidates": [{"content": content | {"parts": [piece]}}]} for piece in pieces
    ]
    chunks[-1] = body | {"candidates": [candidate | chunks[-1]["candidates"][0]]}
    return chunks


def reply(*parts: Any, finish: str | None = "STOP", **candidate: Any) -> dict[str, Any]:
    """The body of a model's answer."""
    content = {"role": "model", "parts": list(parts)} if parts else {"role": "model"}
    ended = {"finishReason": finish} if finish else {}
    return {
        "candidates": [{"content": content, **ended, "index": 0, **candidate}],
        "usageMetadata": {
            "promptTokenCount": 11,
            "candidatesTokenCount": 5,
            "thoughtsTokenCount": 2,
            "totalTokenCount": 18,
        },
        "modelVersion": "gemini-test-001",
    }


def call(name: str, args: Any = None, **more: Any) -> dict[str, Any]:
    return {"functionCall": {"name": name, "args": args or {}, **more}}

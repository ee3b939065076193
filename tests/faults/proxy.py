"""A bad line on this machine: a proxy that resets, delays, truncates, duplicates and corrupts what
goes between a client and a server, by a seeded choice for each request."""

from __future__ import annotations

import random
import socket
import struct
import threading
import time
from collections.abc import Sequence
from urllib.parse import urlsplit

CLEAN = ""
UNSEEN = ("refused", "reset", "request_lost")
"""What happens before the server has answered."""
AFTER = ("answer_lost", "truncated", "cut_in_head", "garbled", "garbled_head", "repeated_piece",
         "answered_twice", "asked_twice", "delayed", "dripped", "hung")  # fmt: skip
"""What happens to an answer."""
SILENT = "flipped"
"""A byte becomes another one of its kind, which no client can notice without TLS."""


class BadLine:
    """A proxy in front of ``upstream`` (a URL on this machine). ``happened`` says what was done to
    each request, in order; ``share`` of them fare badly, one of ``kinds`` each."""

    def __init__(self, upstream: str, seed: int, share: float, kinds: Sequence[str]) -> None:
        self.happened: list[str] = []
        self._kinds = kinds
        self._share = share
        self._random = random.Random(seed)
        address = urlsplit(upstream)
        self._upstream = (address.hostname or "", address.port or 0)
        self._closing = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._listen, daemon=True).start()

    def __enter__(self) -> BadLine:
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _listen(self) -> None:
        while not self._closing.is_set():
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with client:
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            reader = client.makefile("rb")
            try:
                while head := _head(reader):
                    kind = self._choose()
                    body = b"" if kind == "reset" else reader.read(_length(head))
                    if not self._play(kind, head, body, client):
                        return
            except OSError:
                return  # the client has left
            finally:
                reader.close()

    def _choose(self) -> str:
        bad = self._random.random() < self._share
        self.happened.append(self._random.choice(self._kinds) if bad else CLEAN)
        return self.happened[-1]

    def _play(self, kind: str, head: bytes, body: bytes, client: socket.socket) -> bool:
        """Answer one request; False where the connection ends with it."""
        chance = self._random
        if kind in UNSEEN:
            if kind != "request_lost":
                _reset(client)
            return False
        if kind == "asked_twice":
            self._ask(head, body)
        answer = self._ask(head, body)
        top = answer.index(b"\r\n\r\n") + 4
        match kind:
            case "answer_lost":
                _reset(client)
                return False
            case "truncated":
                client.sendall(answer[: chance.randrange(top, len(answer))])
                return False
            case "cut_in_head":
                client.sendall(answer[: chance.randrange(1, top)])
                return False
            case "garbled":
                client.sendall(_garbled(answer, chance.randrange(top, len(answer)), chance))
            case "garbled_head":
                client.sendall(_garbled(answer, chance.randrange(0, top - 4), chance))
                return False
            case "repeated_piece":
                at = chance.randrange(top, len(answer))
                client.sendall(answer[:at] + answer[top:at][-40:] + answer[at:])
            case "answered_twice":
                client.sendall(answer + answer)
            case "delayed":
                time.sleep(chance.uniform(0, 0.05))
                client.sendall(answer)
            case "dripped":
                for at in range(0, len(answer), max(1, len(answer) // 10)):
                    client.sendall(answer[at : at + max(1, len(answer) // 10)])
                    time.sleep(0.002)
            case "hung":
                self._closing.wait(2)
                return False
            case "flipped":
                at = chance.randrange(top, len(answer))
                client.sendall(answer[:at] + _another(answer[at], chance) + answer[at + 1 :])
            case _:
                client.sendall(answer)
        return True

    def _ask(self, head: bytes, body: bytes) -> bytes:
        """The server's whole answer, byte for byte."""
        with socket.create_connection(self._upstream, timeout=10) as server:
            server.sendall(_closing(head) + body)
            pieces: list[bytes] = []
            while piece := server.recv(65_536):
                pieces.append(piece)
        return b"".join(pieces)


def _head(reader) -> bytes:
    lines: list[bytes] = []
    while line := reader.readline(65_537):
        lines.append(line)
        if line == b"\r\n":
            return b"".join(lines)
    return b""


def _closing(head: bytes) -> bytes:
    """The head of a request after which the server closes the connection."""
    kept = [line for line in head.split(b"\r\n") if not line.lower().startswith(b"connection:")]
    return b"\r\n".join([kept[0], b"Connection: close", *kept[1:]])


def _length(head: bytes) -> int:
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            return int(line.partition(b":")[2])
    return 0


def _reset(client: socket.socket) -> None:
    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.close()


def _garbled(answer: bytes, at: int, chance: random.Random) -> bytes:
    """Three bytes that stand in no UTF-8 text and in no header of HTTP."""
    return answer[:at] + bytes([0xFF, chance.randrange(0xF8, 0xFF), 0x00]) + answer[at + 3 :]


def _another(byte: int, chance: random.Random) -> bytes:
    kinds = (b"abcdefghijklmnopqrstuvwxyz", b"ABCDEFGHIJKLMNOPQRSTUVWXYZ", b"0123456789")
    kind = next((each for each in kinds if byte in each), bytes([byte]))
    return bytes([chance.choice(kind)])

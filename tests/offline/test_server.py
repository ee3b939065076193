"""The loopback server on the wire: framing, streams, faults of clients, and a clean stop."""

from __future__ import annotations

import http.client
import json
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest

from agent.catalogue import Problem
from agent.offline.protocol import Request
from agent.offline.responder import Response
from agent.offline.server import OfflineServer, serve
from tests.offline.histories import says

PLAIN = "/v1beta/models/offline:generateContent"
STREAM = "/v1beta/models/offline:streamGenerateContent"
HEADERS = {"x-goog-api-key": "offline", "content-type": "application/json"}
HELLO = {"contents": [says("Hello!")]}
TWO_HITS = {
    "contents": [
        says("Where is it?"),
        {
            "role": "model",
            "parts": [
                {"functionCall": {"name": "find", "args": {}}, "thoughtSignature": "c2ln"},
                {"functionCall": {"name": "find", "args": {}}},
            ],
        },
        {
            "role": "user",
            "parts": [
                {"functionResponse": {"name": "find", "response": {"result": "Oslo. " * 30}}},
                {"functionResponse": {"name": "find", "response": {"result": "오슬로 " * 30}}},
            ],
        },
    ]
}
CALL = {
    **HELLO,
    "tools": [
        {
            "functionDeclarations": [
                {
                    "name": "find",
                    "parameters": {
                        "type": "OBJECT",
                        "properties": {"q": {"type": "STRING"}},
                        "required": ["q"],
                    },
                }
            ]
        }
    ],
}


def connect(url: str) -> http.client.HTTPConnection:
    return http.client.HTTPConnection(urlsplit(url).netloc, timeout=10)


def post(url: str, path: str, body: Any) -> tuple[int, bytes, http.client.HTTPResponse]:
    connection = connect(url)
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    connection.request("POST", path, data, HEADERS)
    response = connection.getresponse()
    return response.status, response.read(), response


def raw(url: str, sent: bytes) -> bytes:
    """Everything the server sends until it closes."""
    address = urlsplit(url)
    with socket.create_connection((address.hostname, address.port), timeout=10) as connection:
        connection.sendall(sent)
        received = b""
        while piece := connection.recv(65_536):
            received += piece
    return received


def text_of(body: dict[str, Any]) -> str:
    return "".join(part.get("text", "") for part in body["candidates"][0]["content"]["parts"])


# one answer


def test_a_connection_is_kept_and_used_again(url: str) -> None:
    connection = connect(url)
    ports = set()
    for _ in range(3):
        connection.request("POST", PLAIN, json.dumps(HELLO), HEADERS)
        ports.add(connection.sock.getsockname())
        response = connection.getresponse()
        data = response.read()
        assert response.status == 200
        assert response.getheader("Content-Type") == "application/json; charset=UTF-8"
        assert response.getheader("Content-Length") == str(len(data))
        assert text_of(json.loads(data)).startswith("This is the offline model")
    assert len(ports) == 1


@pytest.mark.parametrize("method", ["GET", "PUT", "PATCH", "DELETE"])
def test_other_methods_are_answered_in_json(url: str, method: str) -> None:
    connection = connect(url)
    connection.request(method, PLAIN, headers=HEADERS)
    response = connection.getresponse()
    assert (response.status, json.loads(response.read())["error"]["code"]) == (404, 404)


def test_models_are_listed(url: str) -> None:
    connection = connect(url)
    connection.request("GET", "/v1/models?key=offline")
    response = connection.getresponse()
    assert "models/offline" in [each["name"] for each in json.loads(response.read())["models"]]


# streams


def events(data: bytes) -> list[dict[str, Any]]:
    pieces = data.split(b"\r\n\r\n")
    assert pieces.pop() == b""
    assert all(piece.startswith(b"data: ") for piece in pieces)
    return [json.loads(piece.removeprefix(b"data: ")) for piece in pieces]


def without_id(body: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in body.items() if name != "responseId"}


def test_a_text_comes_in_pieces(url: str) -> None:
    whole = json.loads(post(url, PLAIN, TWO_HITS)[1])
    status, data, response = post(url, f"{STREAM}?alt=sse", TWO_HITS)
    chunks = events(data)
    assert (status, response.getheader("Content-Type")) == (200, "text/event-stream")
    assert len(chunks) > 5
    assert "".join(map(text_of, chunks)) == text_of(whole)
    for chunk in chunks[:-1]:
        assert set(chunk) == {"candidates", "modelVersion", "responseId"}
        assert "finishReason" not in chunk["candidates"][0]
    assert chunks[-1]["candidates"][0]["finishReason"] == "STOP"
    assert chunks[-1]["usageMetadata"] == whole["usageMetadata"]
    assert len({chunk["responseId"] for chunk in chunks}) == 1


def test_without_alt_a_stream_is_one_array(url: str) -> None:
    status, data, response = post(url, STREAM, TWO_HITS)
    chunks = json.loads(data)
    assert (status, response.getheader("Content-Type")) == (200, "application/json; charset=UTF-8")
    assert len(chunks) > 5
    assert "".join(map(text_of, chunks)) == text_of(json.loads(post(url, PLAIN, TWO_HITS)[1]))


def test_a_call_is_streamed_whole(url: str) -> None:
    (chunk,) = events(post(url, f"{STREAM}?alt=sse", CALL)[1])
    assert without_id(chunk) == without_id(json.loads(post(url, PLAIN, CALL)[1]))


def test_a_refused_stream_is_an_error_in_the_shape_of_the_stream(url: str) -> None:
    refused = {"contents": []}
    plain = post(url, PLAIN, refused)
    assert plain[0] == 400
    assert post(url, f"{STREAM}?alt=sse", refused)[:2] == plain[:2]
    status, data, _ = post(url, STREAM, refused)
    assert (status, json.loads(data)) == (400, [json.loads(plain[1])])


# bodies


GARBAGE = {
    "no JSON": b"contents=Hello",
    "cut off": b'{"contents": [{"parts"',
    "two values": b"{} {}",
    "not a number": b'{"contents": [{"parts": [{"text": NaN}]}]}',
    "infinity": b'{"generationConfig": {"temperature": -Infinity}}',
    "no UTF-8": b'{"contents": [{"parts": [{"text": "\xff\xfe"}]}]}',
    "a byte order mark and no more": b"\xef\xbb\xbf",
    "nested without end": b"[" * 100_000,
    "a number without end": b'{"a": ' + b"9" * 10_000 + b"}",
}


@pytest.mark.parametrize("body", GARBAGE.values(), ids=GARBAGE.keys())
def test_garbage_is_refused_and_the_connection_lives_on(url: str, body: bytes) -> None:
    connection = connect(url)
    connection.request("POST", PLAIN, body, HEADERS)
    response = connection.getresponse()
    error = json.loads(response.read())["error"]
    assert (response.status, error["code"], error["status"]) == (400, 400, "INVALID_ARGUMENT")
    assert "Traceback" not in error["message"] and "Error" not in error["message"]
    connection.request("POST", PLAIN, json.dumps(HELLO), HEADERS)
    assert connection.getresponse().status == 200


def test_bad_json_is_shown_where_it_is(url: str) -> None:
    data = post(url, PLAIN, b'{"contents": [{"parts": [{"text": NaN}]}]}')[1]
    assert json.loads(data)["error"]["message"] == (
        "Invalid JSON payload received. Unexpected token.\n"
        '{"parts": [{"text": NaN}]}]}\n'
        "                    ^"
    )


def test_a_body_may_come_in_chunks(url: str) -> None:
    connection = connect(url)
    data = json.dumps(HELLO).encode()
    pieces = iter([data[:7], data[7:40], data[40:]])
    for _ in range(2):
        connection.request("POST", PLAIN, pieces, HEADERS, encode_chunked=True)
        assert connection.getresponse().read().startswith(b'{"candidates"')
        pieces = iter([data])


def test_a_chunked_body_with_extensions_and_trailers(url: str) -> None:
    data = json.dumps(HELLO).encode()
    sent = (
        f"POST {PLAIN} HTTP/1.1\r\nHost: x\r\nx-goog-api-key: k\r\nConnection: close\r\n"
        f"Transfer-Encoding: chunked\r\n\r\n{len(data):X};a=b\r\n"
    ).encode()
    received = raw(url, sent + data + b"\r\n0\r\nTrailer: x\r\n\r\n")
    assert received.startswith(b"HTTP/1.1 200 OK\r\n")


@pytest.mark.parametrize("size", [b"x", b"-1", b""])
def test_a_chunk_of_no_size_is_refused(url: str, size: bytes) -> None:
    head = f"POST {PLAIN} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
    assert raw(url, head + size + b"\r\n").startswith(b"HTTP/1.1 400 ")


def test_expect_continue(url: str) -> None:
    data = json.dumps(HELLO).encode()
    address = urlsplit(url)
    with socket.create_connection((address.hostname, address.port), timeout=10) as connection:
        connection.sendall(
            f"POST {PLAIN} HTTP/1.1\r\nHost: x\r\nx-goog-api-key: k\r\n"
            f"Expect: 100-continue\r\nContent-Length: {len(data)}\r\n\r\n".encode()
        )
        assert connection.recv(100).startswith(b"HTTP/1.1 100 Continue\r\n")
        connection.sendall(data)
        assert connection.recv(100).startswith(b"HTTP/1.1 200 OK\r\n")


def test_a_body_of_the_largest_size_and_one_byte_more() -> None:
    data = json.dumps(HELLO).encode()
    with serve(max_body=len(data)) as server:
        assert post(server.url, PLAIN, data)[0] == 200
        status, body, _ = post(server.url, PLAIN, data + b" ")
        assert (status, json.loads(body)["error"]["message"]) == (
            400,
            f"Request payload size exceeds the limit: {len(data)} bytes.",
        )
        connection = connect(server.url)
        connection.request("POST", PLAIN, iter([data, b" "]), HEADERS, encode_chunked=True)
        assert connection.getresponse().status == 400


def test_a_large_body_is_refused_before_it_is_read(url: str) -> None:
    head = f"POST {PLAIN} HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n".encode()
    address = urlsplit(url)
    with socket.create_connection((address.hostname, address.port), timeout=10) as connection:
        connection.sendall(head)
        assert connection.recv(100).startswith(b"HTTP/1.1 400 ")


@pytest.mark.parametrize("length", ["-1", "ten", "+5", "１"])
def test_a_length_that_is_none(url: str, length: str) -> None:
    head = f"POST {PLAIN} HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n\r\n"
    assert raw(url, head.encode()).startswith(b"HTTP/1.1 400 ")


@pytest.mark.parametrize(
    "sent",
    [
        b"Hello\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"BREW /pot HTTP/1.1\r\n\r\n",
        b"\x16\x03\x01\r\n",
    ],
)
def test_what_is_no_request_gets_json_too(url: str, sent: bytes) -> None:
    received = raw(url, sent)
    body = json.loads(received[received.index(b"{") :])
    assert body["error"]["code"] >= 400
    assert b"<html" not in received.lower()


# clients that misbehave


def test_a_stalled_client_holds_up_nobody(url: str) -> None:
    address = urlsplit(url)
    half = f"POST {PLAIN} HTTP/1.1\r\nContent-Length: 100\r\n\r\n{{".encode()
    stalled = [
        socket.create_connection((address.hostname, address.port), timeout=10) for _ in range(20)
    ]
    for connection in stalled:
        connection.sendall(half)
    started = time.monotonic()
    assert post(url, PLAIN, HELLO)[0] == 200
    assert time.monotonic() - started < 5
    for connection in stalled:
        connection.close()


def test_a_client_that_stalls_too_long_is_let_go() -> None:
    with serve(stall_s=0.2) as server:
        half = f"POST {PLAIN} HTTP/1.1\r\nContent-Length: 100\r\n\r\n{{".encode()
        assert raw(server.url, half) == b""
        assert raw(server.url, b"") == b""
        assert post(server.url, PLAIN, HELLO)[0] == 200


def test_many_clients_at_once(url: str) -> None:
    statuses: list[int] = []

    def client() -> None:
        statuses.extend(post(url, PLAIN, HELLO)[0] for _ in range(5))

    threads = [threading.Thread(target=client) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert statuses == [200] * 80


class Broken:
    """A responder with a bug."""

    def respond(self, request: Request) -> Response:
        raise ZeroDivisionError("a secret")


def test_a_bug_is_an_internal_error_without_its_traceback(
    capfd: pytest.CaptureFixture[str],
) -> None:
    with serve(responder=Broken()) as server:
        status, data, _ = post(server.url, PLAIN, HELLO)
        error = json.loads(data)["error"]
        assert (status, error["code"], error["status"]) == (500, 500, "INTERNAL")
        assert b"secret" not in data and b"ZeroDivision" not in data
    assert capfd.readouterr() == ("", "")


# addresses, start and stop


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "127.0.0.2"])
def test_loopback_addresses(host: str) -> None:
    with serve(host) as server:
        assert post(server.url, PLAIN, HELLO)[0] == 200


def has_ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6) as each:
            each.bind(("::1", 0))
    except OSError:
        return False
    return True


@pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6 loopback")
def test_the_ipv6_loopback() -> None:
    with serve("::1") as server:
        assert server.url.startswith("http://[::1]:")
        assert post(server.url, PLAIN, HELLO)[0] == 200


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "", "192.0.2.1", "example.org"])
def test_other_addresses_are_refused(host: str) -> None:
    with pytest.raises(Problem) as refused:
        serve(host)
    assert refused.value.key == "serve.not_loopback"


def test_other_addresses_may_be_allowed() -> None:
    with serve("0.0.0.0", allow_remote=True) as server:
        port = urlsplit(server.url).port
        assert post(f"http://127.0.0.1:{port}", PLAIN, HELLO)[0] == 200
    with pytest.raises(Problem) as refused:
        serve("192.0.2.1", allow_remote=True)
    assert refused.value.key == "serve.cannot_listen"


@pytest.mark.parametrize("port", [-1, 65_536])
def test_a_port_that_is_none(port: int) -> None:
    with pytest.raises(Problem) as refused:
        serve(port=port)
    assert refused.value.key == "serve.bad_port"


def port_of(server: OfflineServer) -> int:
    port = urlsplit(server.url).port
    assert port
    return port


def test_a_port_that_is_taken() -> None:
    with serve() as first:
        with pytest.raises(Problem) as refused:
            serve(port=port_of(first))
        assert refused.value.key == "serve.cannot_listen"
        assert str(port_of(first)) in refused.value.say("ko")


def test_stopping_closes_connections_and_gives_the_port_back() -> None:
    server = serve()
    connection = connect(server.url)
    connection.request("POST", PLAIN, json.dumps(HELLO), HEADERS)
    connection.getresponse().read()
    started = time.monotonic()
    server.stop()
    server.stop()
    assert time.monotonic() - started < 2
    assert connection.sock.recv(1) == b""
    with serve(port=port_of(server)) as again:
        assert post(again.url, PLAIN, HELLO)[0] == 200


@pytest.fixture
def stopped_threads() -> Iterator[None]:
    before = threading.active_count()
    yield
    deadline = time.monotonic() + 5
    while threading.active_count() > before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert threading.active_count() <= before


def test_nothing_is_left_running(stopped_threads: None) -> None:
    with serve() as server:
        for _ in range(5):
            post(server.url, PLAIN, HELLO)

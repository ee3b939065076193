"""The real Gemini, through the official SDK. The only module that imports ``google.genai``.

The SDK makes the address, the credentials and the headers, and sends. The body goes out as
``wire.request_body`` wrote it, and the answer is read as it came, before the SDK sees it: the
SDK's own types would drop the fields they do not know, re-encode signatures and take 1.7 ms for
each turn of the history.
"""

from __future__ import annotations

import contextlib
import json
import logging
import math
import re
import ssl
import time
import uuid
import weakref
from collections.abc import Callable, Collection
from contextvars import ContextVar
from typing import Any, cast
from urllib.parse import urlsplit

import httpx2
from google import genai
from google.auth.exceptions import GoogleAuthError, TransportError
from google.genai import types
from google.genai.client import DebugConfig

from agent.catalogue import Problem
from agent.confidential import OWN, SHORTEST_KEY
from agent.messages import (
    Content,
    Declaration,
    Reply,
    ToolMode,
    Usage,
    function_calls,
    visible_text,
)
from agent.models.stream import Events, Speech, merge, overlap
from agent.models.wire import first_candidate, read_error, read_reply, request_body
from tools.loopback import is_loopback

GOOGLE = "https://generativelanguage.googleapis.com/"
API_VERSION = "v1beta"
"""Named, because the SDK would take it from the environment. v1 lacks the preview models and the
``-latest`` names."""

SHORTEST_SERVER_TIMEOUT_S = 10
"""The API answers 400 "Minimum allowed deadline is 10s" to a shorter X-Server-Timeout, which the
SDK derives from ours."""

_MULTI_REGIONS = ("us", "eu")
_PLACEHOLDER = f"placeholder-{uuid.uuid4()}"

for _name in ("google_genai", "google.auth", "httpx2", "httpcore2"):
    logging.getLogger(_name).addHandler(logging.NullHandler())


class GeminiModel:
    """Gemini over HTTP. Whatever happens on the way becomes a Reply; only an interrupt, and what
    ``on_text`` raises, comes out as an exception.

    ``api_key`` may be missing for a gateway that needs none. ``base_url`` is Google's own endpoint
    unless given. ``vertex`` is (project, location) and takes the place of the key. ``timeout_s``
    bounds the wait for an answer or, when streaming, for its next piece. ``on_text`` gets the
    visible text as it arrives when ``stream`` is set, but not that of a request with a
    generationConfig of its own. ``generation`` is the generationConfig of every request; nothing
    is sent unless it is given.

    Raises Problem when the proxy or certificate settings or the installed SDK cannot be used.
    """

    remote = True

    def __init__(
        self,
        name: str,
        *,
        api_key: str | None = None,
        base_url: str | None = None,
        vertex: tuple[str, str] | None = None,
        timeout_s: float = 45.0,
        on_text: Callable[[str], None] | None = None,
        stream: bool = False,
        generation: dict[str, Any] | None = None,
    ) -> None:
        self.name = name
        self._key = "" if vertex else (api_key or "").strip()
        self._timeout_s = timeout_s
        self._on_text = on_text if stream else None
        self._stream = stream
        self._generation = generation
        url = base_url or (_vertex_url(vertex[1]) if vertex else GOOGLE)
        connection, context = _connect(url)
        # open for the life of the model, whatever the SDK does with a client it has lost sight of
        weakref.finalize(self, connection.close)
        self._client = _client(self._key, vertex, _options(url, timeout_s, connection, context))

    def __repr__(self) -> str:
        return f"GeminiModel({self.name!r})"

    def generate(
        self,
        contents: list[Content],
        tools: list[Declaration],
        *,
        system: str = "",
        mode: ToolMode = "AUTO",
        generation: dict[str, Any] | None = None,
        seconds: float | None = None,
    ) -> Reply:
        """One request, one reply; one that takes longer than ``seconds`` is lost."""
        if not all("!" <= character <= "~" for character in self._key):
            return Reply("rejected", cause="key_invalid", model=self.name)
        written = {**(self._generation or {}), **(generation or {})}
        body = request_body(contents, tools, system=system, mode=mode, generation=written)
        # a selection or a verdict, asked for under a schema, is no draft of an answer
        on_text = None if generation else self._on_text
        exchange = _Exchange(body, self._key, self._timeout_s, self._stream, on_text, seconds)
        failure = self._send(body, exchange)
        reply = exchange.reply({tool["name"] for tool in tools}, failure)
        return reply._replace(
            model=reply.model or self.name,
            retryable=reply.retryable and not exchange.speech.spoken,
        )

    def _send(self, body: dict[str, Any], exchange: _Exchange) -> Exception | None:
        """Let the SDK send ``body``; what came back is in ``exchange``."""
        token = _UNDER_WAY.set(exchange)
        try:
            models, config = self._client.models, _config(body)
            if self._stream:
                for _ in models.generate_content_stream(
                    model=self.name, contents=_PLACEHOLDER, config=config
                ):
                    pass
            else:
                models.generate_content(model=self.name, contents=_PLACEHOLDER, config=config)
        except Exception as error:
            if error is exchange.raised:
                raise
            return error
        finally:
            _UNDER_WAY.reset(token)
        return None


class _Exchange:
    """One request and all that came back."""

    def __init__(
        self,
        sending: dict[str, Any],
        key: str,
        timeout_s: float,
        stream: bool,
        on_text: Callable[[str], None] | None,
        seconds: float | None,
    ) -> None:
        self.speech = Speech(self._say if on_text else None)
        self.raised: Exception | None = None
        self._sending = sending
        self._key = key
        self._secret = key if len(key) >= SHORTEST_KEY else ""
        self._held = ""
        self._timeout_s = timeout_s
        self._stream = stream
        self._on_text = on_text
        self._end = math.inf if seconds is None else time.monotonic() + seconds
        self._deadline = math.inf
        self._sent = False
        self._ended = False
        self._status = 0
        self._retry_after: float | None = None
        self._body = b""
        self._answer: Any = {}
        self._unreadable: Exception | None = None
        self._before = ""
        self._events = Events()
        self._chunks: list[dict[str, Any]] = []

    def start(self, request: httpx2.Request, before: str) -> httpx2.Request:
        """The request that goes out: ``request``, or the same with our body where the SDK wrote its
        own. ``before`` is the responseId of the answer before. Raises _UnfitSdk for a second
        one."""
        if self._sent:
            raise _UnfitSdk
        if _PLACEHOLDER.encode() in request.content:
            request = self._ours(request)
        if not self._key:
            request.headers.pop("x-goog-api-key", None)
        self._sent = True
        self._before = before
        self._wait_on()
        if self._end < math.inf:
            left = max(0.001, self._deadline - time.monotonic())
            request.extensions["timeout"] = httpx2.Timeout(left).as_dict()
        return request

    def _ours(self, request: httpx2.Request) -> httpx2.Request:
        headers = request.headers.copy()
        for name in ("content-length", "transfer-encoding"):
            headers.pop(name, None)
        content = json.dumps(self._sending).encode()
        extensions = request.extensions
        return httpx2.Request(
            request.method, request.url, headers=headers, content=content, extensions=extensions
        )

    def _wait_on(self) -> None:
        self._deadline = min(time.monotonic() + self._timeout_s, self._end)

    def left(self) -> float:
        """The seconds that may still be waited. Raises ReadTimeout when there are none."""
        if (left := self._deadline - time.monotonic()) <= 0:
            raise httpx2.ReadTimeout("the answer is too slow")
        return left

    def hear(self, response: httpx2.Response) -> None:
        """Read the answer as it arrives."""
        self._status = response.status_code
        self._retry_after = _seconds(response.headers.get("retry-after", ""))
        pieces: list[bytes] = []
        for piece in response.iter_bytes():
            self.left()
            if self._stream and self._status == 200:
                self._hear_events(piece)
            else:
                pieces.append(piece)
        self._body = b"".join(pieces)
        if self._status == 200 and self._body.strip():
            try:
                self._answer = self._load(self._body)
            except (ValueError, RecursionError) as error:
                self._unreadable = error
            self._check_own(self._answer)
        self._ended = True

    @property
    def answer_id(self) -> str:
        """The responseId of the answer, which no other answer has; "" where it has none."""
        answers = [each for each in self._chunks or [self._answer] if isinstance(each, dict)]
        named = (each.get("responseId") for each in answers)
        return next((each for each in named if isinstance(each, str)), "")

    def _check_own(self, answer: Any) -> None:
        """Raises RemoteProtocolError for the answer before, come twice over one connection."""
        if isinstance(answer, dict) and self._before and answer.get("responseId") == self._before:
            raise httpx2.RemoteProtocolError("the answer to the request before")

    def _hear_events(self, piece: bytes) -> None:
        for data in self._events.feed(piece):
            self._take(data)
            self._wait_on()

    def _take(self, data: bytes) -> None:
        if data.strip() == b"[DONE]":  # some gateways end a stream so
            return
        loaded = self._load(data)
        for chunk in loaded if isinstance(loaded, list) else [loaded]:
            if not isinstance(chunk, dict):
                raise ValueError("a chunk that is no object")
            self._check_own(chunk)
            self._chunks.append(chunk)
            self.speech.hear(chunk)

    def _load(self, data: bytes) -> Any:
        """JSON as it came. A server that echoes the key is not passed on."""
        if self._secret:
            data = data.replace(self._secret.encode(), OWN.encode())
        return json.loads(data)

    def _say(self, text: str) -> None:
        """Pass text on but for what may be the beginning of the key, which comes in pieces."""
        text = self._held + text
        if self._secret:
            text = text.replace(self._secret, OWN)
        kept = overlap(text, self._secret)
        self._held = text[len(text) - kept :]
        self._show(text[: len(text) - kept])

    def _show(self, text: str) -> None:
        assert self._on_text
        try:
            if text:
                self._on_text(text)
        except Exception as error:
            self.raised = error
            raise

    def reply(self, declared: Collection[str], failure: Exception | None) -> Reply:
        """What came back, named. ``failure`` is what the SDK raised, if anything."""
        if self._status not in (0, 200):
            return self._refused()
        if not self._ended:
            lost = _lost(failure, self._sent)
            return self._cut() if lost.cause == "dropped" and self._chunks else lost
        try:
            return self._streamed(declared) if self._stream else self._whole(declared)
        except (ValueError, RecursionError):
            if self.raised:
                raise
            return Reply("network", usage=Usage(1), cause="not_json", retryable=True)

    def _refused(self) -> Reply:
        body = None
        with contextlib.suppress(ValueError, RecursionError):
            body = self._load(self._body)
        reply = read_error(self._status, body)
        return reply._replace(retry_after=reply.retry_after or self._retry_after)

    def _whole(self, declared: Collection[str]) -> Reply:
        if self._unreadable:
            raise self._unreadable
        answer = self._answer
        return read_reply(self._hidden(answer) if isinstance(answer, dict) else answer, declared)

    def _streamed(self, declared: Collection[str]) -> Reply:
        if not self._take_rest():
            return self._cut()
        reply = read_reply(self._hidden(merge(self._chunks)), declared)
        if reply.content and not reply.finish_reason and reply.outcome != "blocked":
            return self._cut()
        if reply.outcome in ("answer", "truncated"):
            self.speech.end()
            self._show_held()
        return reply

    def _show_held(self) -> None:
        held, self._held = self._held, ""
        if self._on_text:
            self._show(held)

    def _hidden(self, answer: dict[str, Any]) -> dict[str, Any]:
        """``answer`` without the key, also where it came in pieces: within a part, which is put
        together here, or over several, which then become one."""
        if not self._secret:
            return answer
        written = json.dumps(answer, ensure_ascii=False)
        if self._secret in written:
            answer = json.loads(written.replace(self._secret, OWN))
        content = first_candidate(answer).get("content")
        if content and self._secret in (said := visible_text(content)):
            content["parts"] = [{"text": said.replace(self._secret, OWN)}]
        return answer

    def _take_rest(self) -> bool:
        """What the stream's end left open, and an answer or an error outside of any event. False
        where it cannot be read: a piece of the answer may be lost in it."""
        for rest in (self._events.open, self._events.unframed):
            if rest.strip():
                try:
                    self._take(rest)
                except ValueError:
                    if self.raised or not self._chunks:
                        raise
                    return False
        return True

    def _cut(self) -> Reply:
        """A stream that ended early or lacks a piece. Its text is kept, a call without its end is
        not."""
        begun = read_reply(self._hidden(merge(self._chunks)))
        content = None if function_calls(begun.content) else begun.content
        return Reply("network", content=content, usage=begun.usage, cause="cut", retryable=True)


_UNDER_WAY: ContextVar[_Exchange] = ContextVar("exchange")


class _UnfitSdk(Exception):
    """The SDK sent more than one request."""


class _Line:
    """A network stream on which no wait outlasts the request under way: an endless row of 1xx
    answers, or headers byte by byte, would begin httpx2's timeout anew with every read."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return cast(bytes, self._stream.read(max_bytes, _shorter(timeout)))

    def start_tls(self, *given: Any, **named: Any) -> _Line:
        return _Line(self._stream.start_tls(*given, **named))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


class _Network:
    """Where ``_Line`` comes from; it takes the place of the backend of httpx2's connections."""

    def __init__(self, backend: Any) -> None:
        self._backend = backend

    def connect_tcp(self, *given: Any, **named: Any) -> _Line:
        return _Line(self._backend.connect_tcp(*given, **named))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._backend, name)


def _shorter(timeout: float | None) -> float:
    left = _UNDER_WAY.get().left()
    return left if timeout is None else min(timeout, left)


class _Connection(httpx2.Client):
    """The SDK's way out. Answers are heard here; the SDK gets the status and an empty body.

    It is used again only after an answer that has an id: an answer that came twice would be read as
    the answer to the next request, and an id tells that it is not.
    """

    _before = ""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        for transport in (self._transport, *self._mounts.values()):
            # httpx2 has no other way in; a release without this one fails a test
            if (pool := getattr(transport, "_pool", None)) is not None:
                pool._network_backend = _Network(pool._network_backend)

    def send(
        self, request: httpx2.Request, *, stream: bool = False, **options: Any
    ) -> httpx2.Response:
        exchange = _UNDER_WAY.get()
        request = exchange.start(request, self._before)
        with contextlib.closing(super().send(request, stream=True, **options)) as response:
            kept = False
            try:
                exchange.hear(response)
                kept = bool(exchange.answer_id)
            finally:
                self._before = exchange.answer_id or self._before
                if not kept and (line := response.extensions.get("network_stream")):
                    line.close()
        return httpx2.Response(response.status_code, content=b"", request=request)


def _connect(url: str) -> tuple[_Connection, ssl.SSLContext]:
    try:
        context = httpx2.create_ssl_context(verify=not url.startswith("http://"))
        trust_env = not _is_loopback(url)
        return _Connection(verify=context, trust_env=trust_env), context
    except Exception as error:
        raise Problem("gemini.no_connection", reason=type(error).__name__) from None


def _options(
    url: str, timeout_s: float, connection: _Connection, context: ssl.SSLContext
) -> types.HttpOptions:
    server_timeout = max(SHORTEST_SERVER_TIMEOUT_S, math.ceil(timeout_s))
    return types.HttpOptions(
        base_url=url,
        headers={"X-Server-Timeout": str(server_timeout)},
        timeout=max(1, round(timeout_s * 1000)),
        httpx_client=connection,
        # never used; given, so that the SDK does not load the certificates twice more
        httpx_async_client=httpx2.AsyncClient(verify=context, trust_env=False),
        async_client_args={"ssl": context},
    )


def _client(key: str, vertex: tuple[str, str] | None, options: types.HttpOptions) -> genai.Client:
    """A client that takes nothing from the environment but proxies and certificates."""
    project, location = vertex or (None, None)
    options.api_version = "v1beta1" if vertex else API_VERSION
    try:
        return genai.Client(
            vertexai=bool(vertex),
            api_key=None if vertex else key or "none",
            project=project,
            location=location,
            debug_config=DebugConfig(client_mode="", replays_directory="", replay_id=""),
            http_options=options,
        )
    except Exception as error:
        raise Problem("gemini.unfit_sdk", reason=type(error).__name__) from None


def _config(body: dict[str, Any]) -> types.GenerateContentConfig:
    """``body`` is held by reference and takes the place of everything the SDK would write."""
    return types.GenerateContentConfig(
        http_options=types.HttpOptions(extra_body=body),
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
        automatic_continuation=False,
    )


def _vertex_url(location: str) -> str:
    if location == "global":
        return "https://aiplatform.googleapis.com/"
    if location in _MULTI_REGIONS:
        return f"https://aiplatform.{location}.rep.googleapis.com/"
    return f"https://{location}-aiplatform.googleapis.com/"


def _is_loopback(url: str) -> bool:
    """Whether ``url`` stays on this machine, where no proxy may come between."""
    with contextlib.suppress(ValueError):
        host = urlsplit(url).hostname or ""
        return is_loopback(host)
    return False


def _seconds(header: str) -> float | None:
    """A Retry-After header, when it is a number of seconds."""
    return float(header) if re.fullmatch(r"\d+(\.\d+)?", header.strip()) else None


def _lost(failure: Exception | None, sent: bool) -> Reply:
    """A request without an answer, named by what came in between."""
    usage = Usage(requests=int(sent))
    note = type(failure).__name__ if failure else ""

    def network(cause: str, retryable: bool) -> Reply:
        return Reply("network", usage=usage, cause=cause, retryable=retryable, note=note)

    match failure:
        case None | _UnfitSdk():
            return Reply("rejected", usage=usage, cause="unfit_sdk", note=note)
        case httpx2.TimeoutException():
            return network("timeout", False)
        case httpx2.InvalidURL() | httpx2.UnsupportedProtocol() | httpx2.LocalProtocolError():
            return network("unreachable", False)
        case httpx2.ConnectError() | httpx2.ProxyError():
            return network("unreachable", not isinstance(_origin(failure), ssl.SSLError))
        case httpx2.DecodingError() | ValueError() | RecursionError() if sent:
            return network("not_json", True)
        case httpx2.HTTPError():
            return network("dropped", True)
        case TransportError():
            return network("unreachable", True)
        case GoogleAuthError():
            return Reply("rejected", usage=usage, cause="not_allowed", note=note)
        case _:
            return Reply("rejected", usage=usage, cause="unsendable", note=note)


def _origin(error: BaseException) -> BaseException:
    """The first of a chain of errors."""
    cause = error.__cause__ or error.__context__
    return _origin(cause) if cause else error

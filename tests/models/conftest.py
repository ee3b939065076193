"""The real SDK in front of an endpoint on this machine."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from agent.models.gemini import GeminiModel
from tests.models.endpoint import KEY, Endpoint


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    server = Endpoint()
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield server
    server.closing.set()
    server.shutdown()
    server.server_close()


@pytest.fixture
def connect(endpoint: Endpoint) -> Callable[..., GeminiModel]:
    def connect(**settings: Any) -> GeminiModel:
        given = {"api_key": KEY, "base_url": endpoint.url, "timeout_s": 5.0} | settings
        return GeminiModel("gemini-test", **given)

    return connect


@pytest.fixture(params=["plain", "stream"])
def model(request: pytest.FixtureRequest, connect: Callable[..., GeminiModel]) -> GeminiModel:
    """The same model by both ways of asking."""
    return connect(stream=request.param == "stream")

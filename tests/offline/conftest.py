"""The offline Gemini on this machine, for a file of tests."""

from collections.abc import Iterator

import pytest

from agent.offline.server import serve


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serve() as server:
        yield server.url

"""A little of what tests/benchmarks/load.py does for a minute: nobody is turned away, and nothing
stays open."""

from __future__ import annotations

import sys

import pytest

from agent.chat.room import Room
from agent.offline.server import serve
from agent.settings import read_settings
from tests.benchmarks.load import crowd, open_files


def test_twenty_conversations_at_once() -> None:
    with serve() as server:
        took = crowd(server.url, 20, 0.5, lambda: None)
    assert len(took) >= 40


@pytest.mark.skipif(sys.platform != "linux", reason="open files are counted in /proc")
def test_many_questions_leave_no_file_open() -> None:
    with serve() as server:
        online = {"GEMINI_API_KEY": "offline", "GOOGLE_GEMINI_BASE_URL": server.url}
        room, here = Room(read_settings(online)), Room(read_settings({}))
        before: list[int] = []
        for number in range(60):
            asked = "invoice export steps and permission"
            each = room if number % 4 == 0 else here
            assert each.answer(asked, each.run_for(asked)).status == "complete"
            if number >= 20:
                before.append(open_files("self"))
    assert max(before[-10:]) <= max(before[:10]) + 1

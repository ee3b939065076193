"""Load: many conversations at once with ``bareloop serve``, and many questions in one process.

``python tests/benchmarks/load.py [--conversations 200] [--seconds 60] [--questions 10000]``: every
conversation is a connection of its own that asks, answers the call it gets, and reads the answer,
over and over; memory and open files are read from /proc (Linux). Exits with 1 where an answer is
none, or where memory or open files have grown after the warm-up.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT))

PLAIN = "/v1beta/models/offline:generateContent"
STREAM = "/v1beta/models/offline:streamGenerateContent?alt=sse"
HEADERS = {"x-goog-api-key": "offline", "content-type": "application/json"}
TOOLS = [
    {
        "functionDeclarations": [
            {
                "name": "find_passages",
                "description": "Find passages of the handbook.",
                "parametersJsonSchema": {
                    "type": "object",
                    "properties": {"query": {"type": "string"}},
                    "required": ["query"],
                },
            }
        ]
    }
]
HITS = [{"id": "wifi-1", "text": "Guests use the network office-guest.", "source": "wifi"}]
FLAT = 1.10
"""How much memory may be above what it was after the warm-up."""


class Failed(Exception):
    """An answer that is none."""


def converse(connection: http.client.HTTPConnection, number: int, took: list[float]) -> None:
    """One question with its call and its answer, every second one streamed."""
    contents: list[Any] = [
        {"role": "user", "parts": [{"text": f"Which network do guests use? ({number % 50})"}]}
    ]
    for step in range(2):
        body = json.dumps({"contents": contents, "tools": TOOLS})
        started = time.perf_counter()
        connection.request("POST", STREAM if number % 2 else PLAIN, body, HEADERS)
        response = connection.getresponse()
        data = response.read().decode()
        took.append(time.perf_counter() - started)
        if response.status != 200:
            raise Failed(f"{response.status}: {data[:200]}")
        content = _content(data, streamed=bool(number % 2))
        call = content["parts"][0].get("functionCall")
        if (step == 0) != (call is not None):
            raise Failed(f"step {step}: {data[:200]}")
        if call:
            answer = {"name": call["name"], "id": call["id"], "response": {"output": HITS}}
            contents += [content, {"role": "user", "parts": [{"functionResponse": answer}]}]


def _content(data: str, streamed: bool) -> dict[str, Any]:
    events = [line[6:] for line in data.splitlines() if line.startswith("data: ")]
    chunks = [json.loads(each) for each in (events if streamed else [data])]
    contents = [chunk["candidates"][0]["content"] for chunk in chunks]
    return {**contents[0], "parts": [part for each in contents for part in each["parts"]]}


def crowd(url: str, conversations: int, seconds: float, tick: Callable[[], None]) -> list[float]:
    """Seconds of every request of ``conversations`` clients at once; ``tick`` is called each
    second. Raises Failed for the first answer that is none."""
    took: list[list[float]] = [[] for _ in range(conversations)]
    wrong: list[BaseException] = []
    end = time.monotonic() + seconds

    def client(place: int) -> None:
        connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)
        try:
            for number in range(place, 10**9, conversations + 1):
                if time.monotonic() > end or wrong:
                    return
                converse(connection, number, took[place])
        except Exception as error:
            wrong.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=client, args=(place,)) for place in range(conversations)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        time.sleep(min(1.0, seconds / 4))
        tick()
    if wrong:
        raise Failed(repr(wrong[0]))
    return [each for one in took for each in one]


@contextmanager
def serving() -> Iterator[tuple[int, str]]:
    """``bareloop serve`` as a process of its own: its id and its address."""
    process = subprocess.Popen(
        [sys.executable, "-m", "agent.cli", "serve"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        env={**os.environ, "BARELOOP_LANG": "en"},
        text=True,
    )
    try:
        assert process.stdout is not None
        url = next(word for word in process.stdout.readline().split() if "://" in word)
        yield process.pid, url
    finally:
        process.kill()
        process.wait()


def memory(process: int | str) -> int:
    """KB of a process that are in memory."""
    pages = int(Path(f"/proc/{process}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") // 1024


def open_files(process: int | str) -> int:
    """How many files and sockets a process has open."""
    return len(os.listdir(f"/proc/{process}/fd"))


def load_on_the_server(conversations: int, seconds: float) -> bool:
    with serving() as (process, url):
        seen: list[int] = []
        took = crowd(url, conversations, seconds, lambda: seen.append(memory(process)))
        time.sleep(1)
        files = open_files(process)
    quarter = max(1, len(seen) // 4)
    warm, last = max(seen[:quarter]), max(seen[-quarter:])
    ranks = statistics.quantiles(took, n=100)
    print(
        f"{conversations} conversations at once for {seconds:.0f} s: {len(took)} requests "
        f"({len(took) / seconds:.0f}/s), no error; median {ranks[49] * 1000:.0f} ms, "
        f"P95 {ranks[94] * 1000:.0f} ms, longest {max(took) * 1000:.0f} ms; memory after warm-up "
        f"{warm // 1024} MB, at the end {last // 1024} MB; open files afterwards {files}"
    )
    return last <= warm * FLAT and files < 20


def questions_in_one_process(count: int) -> bool:
    """Questions one after the other: four of the offline model, then one over HTTP, and so on."""
    from agent.chat.place import AUTO, Place
    from agent.chat.room import Room
    from agent.offline.server import serve
    from agent.settings import read_settings

    docs = Place("docs", str(ROOT / "tests/data/office"))
    asked = [
        (docs, "Which network do guests use?"),
        (AUTO, "invoice export steps and permission"),
        (docs, "노트북을 잃어버리면 어디에 알리나요?"),
        (AUTO, "weather?"),
    ]
    with serve() as server:
        online = {"GEMINI_API_KEY": "offline", "GOOGLE_GEMINI_BASE_URL": server.url}
        rooms = [Room(read_settings({}), place) for place, _ in asked]
        remote = [Room(read_settings(online), place) for place, _ in asked]
        marks: list[tuple[int, int]] = []
        started = time.perf_counter()
        for number in range(count):
            place = number % len(asked)
            room = (remote if number % 5 == 4 else rooms)[place]
            run = room.answer(asked[place][1], room.run_for(asked[place][1]))
            if run.stop_reason not in ("answered", "unsupported"):
                raise Failed(f"question {number}: {run.message}")
            if (number + 1) % max(1, count // 10) == 0:
                marks.append((memory("self"), open_files("self")))
        spent = time.perf_counter() - started
    told = ", ".join(f"{kb // 1024} MB/{files}" for kb, files in marks)
    print(f"{count} questions in one process, {spent:.0f} s; memory/open files by tenth: {told}")
    warm = max(marks[: len(marks) // 2])
    return marks[-1][0] <= warm[0] * FLAT and marks[-1][1] <= warm[1] + 2


def main() -> int:
    """Run both and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--conversations", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--questions", type=int, default=10_000)
    given = parser.parse_args()
    server = load_on_the_server(given.conversations, given.seconds)
    process = questions_in_one_process(given.questions)
    print(f"flat: server {server}, process {process}")
    return 0 if server and process else 1


if __name__ == "__main__":
    sys.exit(main())

"""What the offline Gemini costs: a request in process by length of history, and over HTTP.

Run by hand: ``make bench-offline``; prints one JSON object, and ends with 1 where a figure is not
reached. Times are microseconds unless a key says otherwise; each is the median over the repeats.
The server has one core to itself where there are several.
"""

from __future__ import annotations

import http.client
import json
import os
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

sys.path.insert(0, str(Path(__file__).parents[2]))

from agent.messages import ToolResult, observation, user
from agent.offline.model import OfflineModel
from agent.offline.protocol import DEFAULT_RULES, Prompt, Request, read
from agent.offline.server import serve

TOOL = {
    "name": "find_line",
    "description": "Find a line",
    "parametersJsonSchema": {
        "type": "object",
        "properties": {"query": {"type": "string"}},
        "required": ["query"],
    },
}
MOST_US = 1000
"""A whole reply at 50 turns of history."""
FEWEST_PER_SECOND = 1000
PATH = "/v1beta/models/offline:generateContent"
HEADERS = {"x-goog-api-key": "offline", "content-type": "application/json"}


def history(turns: int, text: str) -> list[dict[str, Any]]:
    """One question with ``turns`` calls, each answered with ``text``."""
    rows = [{"slot": "line", "tool": "find_line", "queries": [f"line {i}" for i in range(turns)]}]
    system = f"Find it.\n```json\n{json.dumps({'required_evidence': rows})}\n```"
    contents, model = [user("Which line is it?")], OfflineModel()
    for _ in range(turns):
        reply = model.generate(contents, [TOOL], system=system)
        hits = [{"id": "line-1", "text": text}]
        results = [
            ToolResult(call, {"output": {"hits": hits, "missing": ["line"]}})
            for call in reply.calls
        ]
        contents += [reply.content, observation(results)]
    return contents


def in_process(turns: int) -> dict[str, float]:
    contents = history(turns, "x" * 400)
    body = {"contents": contents, "tools": [{"functionDeclarations": [TOOL]}]}
    request = Request("POST", PATH, HEADERS, body)
    assert isinstance(read(request, DEFAULT_RULES), Prompt)
    model = OfflineModel()
    return {
        "turns": turns,
        "kilobytes": round(len(json.dumps(body)) / 1000, 1),
        "protocol_us": _median(lambda: read(request, DEFAULT_RULES)),
        "whole_reply_us": _median(lambda: model.generate(contents, [TOOL])),
    }


def _median(run: Any, repeats: int = 300) -> float:
    times = []
    for _ in range(repeats):
        started = time.perf_counter()
        run()
        times.append((time.perf_counter() - started) * 1e6)
    return round(statistics.median(times), 1)


def over_http(url: str, kilobytes: int, connections: int, requests: int = 2000) -> dict[str, float]:
    turns = 4
    contents = history(turns, "x" * (kilobytes * 1000 // turns - 330))
    body = json.dumps({"contents": contents, "tools": [{"functionDeclarations": [TOOL]}]})
    address = urlsplit(url).netloc
    each = requests // connections

    def client() -> None:
        connection = http.client.HTTPConnection(address)
        for _ in range(each):
            connection.request("POST", PATH, body, HEADERS)
            assert connection.getresponse().read().startswith(b'{"candidates"')

    threads = [threading.Thread(target=client) for _ in range(connections)]
    started = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seconds = time.perf_counter() - started
    return {
        "body_kilobytes": round(len(body) / 1000, 1),
        "connections": connections,
        "requests_per_second": round(each * connections / seconds),
    }


def serve_here() -> None:
    if len(cores := sorted(os.sched_getaffinity(0))) > 1:
        os.sched_setaffinity(0, cores[:1])
    with serve() as server:
        print(server.url, flush=True)
        sys.stdin.read()


def main() -> int:
    server = subprocess.Popen(
        [sys.executable, __file__, "serve"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdin and server.stdout
    url = server.stdout.readline().strip()
    if len(cores := sorted(os.sched_getaffinity(0))) > 1:
        os.sched_setaffinity(0, cores[1:])
    lengths = {turns: in_process(turns) for turns in (1, 10, 50, 200)}
    result = {
        "in_process": [*lengths.values()],
        "http": [over_http(url, 10, connections) for connections in (1, 4)],
    }
    server.stdin.close()
    server.wait()
    print(json.dumps(result, indent=1))
    slow = lengths[50]["whole_reply_us"] > MOST_US
    few = min(each["requests_per_second"] for each in result["http"]) < FEWEST_PER_SECOND
    return 1 if slow or few else 0


if __name__ == "__main__":
    sys.exit(serve_here() if sys.argv[1:] == ["serve"] else main())

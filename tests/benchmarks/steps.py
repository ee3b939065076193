"""What a step costs: from an answer's last byte to the next request's, by length of the history.

    python tests/benchmarks/steps.py                      10, 50 and 200 steps, 5 rounds
    python tests/benchmarks/steps.py --steps 10 --rounds 2
    python tests/benchmarks/steps.py --json FILE          every figure
    python tests/benchmarks/steps.py --peers DIR          the loops of other libraries too, each in
                                                          the environment DIR/NAME

Each question runs in a process of its own against a stand-in on loopback that answers at once with
one call a step, a 400-character result and a 408-character signature. The ways to write the loop
take turns within a round, so that whatever else the machine does hits all of them alike:

* ``ours``: run_agent on GeminiModel, through the real google-genai client
* ``course``: a hand-written loop on google-genai as the course writes it, one Content object a turn
* ``automatic``: google-genai calls the tool by itself
* ``floor``: the same bytes with httpx2 alone, the history encoded anew each step

The time of the stand-in itself is not counted. ``growth`` is milliseconds for each 100 steps of
history, by least squares over the steps of the longest question.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import socket
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
LOOPS = ("ours", "course", "automatic", "floor")
PEERS = ("langchain", "adk", "pydantic-ai")
MOST = {10: 0.25, 50: 0.08, 200: 0.03}
"""Times the course's step that ours may take, by the number of steps."""
MOST_GROWTH_MS = 2.0
MOST_MEMORY = 1.0
MOST_WHOLE = 0.87
RESULT = "x" * 400
SIGNATURE = "c2ln" * 102


# The stand-in


def answer(step: int, steps: int) -> bytes:
    """Reply number ``step`` of a question that takes ``steps`` calls, as HTTP."""
    part: dict[str, Any] = {"text": "Done."}
    if step <= steps:
        call = {"name": "look_up", "args": {"query": f"line {step}"}, "id": f"call-{step}"}
        part = {"functionCall": call, "thoughtSignature": SIGNATURE}
    body = json.dumps(
        {
            "candidates": [
                {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
            ],
            "usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 5},
            "modelVersion": "gemini-3.8-flash",
            "responseId": f"answer-{step}",
        }
    ).encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
    return head.encode() + b"\r\n" + body


class StandIn:
    """Answers one question at a time and notes when each request was whole and each answer out."""

    def __init__(self, peers: Path | None = None) -> None:
        self._peers = peers
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._listening.settimeout(30)
        self.url = f"http://127.0.0.1:{self._listening.getsockname()[1]}"

    def question(self, loop: str, steps: int) -> dict[str, Any]:
        """Run ``loop`` in a process of its own and return what was measured."""
        answers = [answer(step, steps) for step in range(1, steps + 2)]
        started = time.perf_counter()
        script, python = Path(__file__), sys.executable
        if loop in PEERS and self._peers:
            script, python = script.with_name("peers.py"), str(self._peers / loop / "bin/python")
        driver = subprocess.Popen(
            [python, script, "--loop", loop, "--url", self.url, "--steps", str(steps)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": ""},
        )
        connection, _ = self._listening.accept()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        came, went, sent = [], [], 0
        connection.settimeout(30)
        with connection:
            for each in answers:
                sent += _read_request(connection)
                came.append(time.perf_counter())
                connection.sendall(each)
                went.append(time.perf_counter())
            told, _ = driver.communicate(timeout=120)
        ended = time.perf_counter()
        if driver.returncode:
            raise SystemExit(f"{loop} ended with {driver.returncode}")
        gaps = [(next_ - out) * 1000 for out, next_ in zip(went, came[1:], strict=False)]
        return {
            "gaps": gaps,
            "first_request_ms": (came[0] - started) * 1000,
            "whole_ms": (ended - started) * 1000,
            "sent": sent,
            **json.loads(told),
        }


def _read_request(connection: socket.socket) -> int:
    """Reads one request to its last byte and returns its length."""
    data = bytearray()
    while b"\r\n\r\n" not in data:
        data += _some(connection)
    head, _, body = bytes(data).partition(b"\r\n\r\n")
    lines = head.lower().split(b"\r\n")
    length = next(int(line[15:]) for line in lines if line.startswith(b"content-length:"))
    have = len(body)
    while have < length:
        have += len(_some(connection))
    return len(head) + 4 + length


def _some(connection: socket.socket) -> bytes:
    data = connection.recv(1 << 20)
    if not data:
        raise SystemExit("the loop hung up before its question was answered")
    return data


# The loops: each answers one question and prints nothing


def ours(url: str, steps: int) -> None:
    from agent.limits import Limits
    from agent.loop import run_agent
    from agent.settings import build_model, read_settings
    from agent.toolbox import Toolbox

    named = {"GEMINI_API_KEY": "key", "GOOGLE_GEMINI_BASE_URL": url}
    model = build_model(read_settings({**named, "BARELOOP_MODEL": "gemini-3.8-flash"}))
    run = run_agent("Which line?", model, Toolbox([look_up_annotated()]), Limits(steps + 1))
    assert run.answer == "Done." and run.steps == steps + 1


def course(url: str, steps: int) -> None:
    from google.genai import types

    client = _client(url)
    config = types.GenerateContentConfig(
        tools=[look_up],
        system_instruction="Look it up.",
        temperature=0,
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
    )
    contents = [types.Content(role="user", parts=[types.Part(text="Which line?")])]
    for _ in range(steps + 1):
        response = client.models.generate_content(
            model="gemini-3.8-flash", contents=contents, config=config
        )
        if not response.function_calls:
            assert response.text == "Done."
            return
        contents.append(response.candidates[0].content)
        responses = [
            types.Part.from_function_response(
                name=call.name, response={"result": look_up(**dict(call.args))}
            )
            for call in response.function_calls
        ]
        contents.append(types.Content(role="user", parts=responses))
    raise SystemExit("course: no answer")


def automatic(url: str, steps: int) -> None:
    from google.genai import types

    calling = types.AutomaticFunctionCallingConfig(maximum_remote_calls=steps + 1)
    client = _client(url)  # a client that nobody holds closes its connections
    response = client.models.generate_content(
        model="gemini-3.8-flash",
        contents="Which line?",
        config=types.GenerateContentConfig(
            tools=[look_up],
            system_instruction="Look it up.",
            temperature=0,
            automatic_function_calling=calling,
        ),
    )
    assert response.text == "Done."


def floor(url: str, steps: int) -> None:
    import httpx2

    path = f"{url}/v1beta/models/gemini-3.8-flash:generateContent"
    contents: list[Any] = [{"role": "user", "parts": [{"text": "Which line?"}]}]
    with httpx2.Client(headers={"x-goog-api-key": "key"}, trust_env=False) as client:
        for _ in range(steps + 1):
            content = client.post(path, json={"contents": contents}).json()["candidates"][0][
                "content"
            ]
            call = content["parts"][0].get("functionCall")
            if call is None:
                return
            response = {
                "id": call["id"],
                "name": call["name"],
                "response": {"output": look_up(call["args"]["query"])},
            }
            contents += [content, {"role": "user", "parts": [{"functionResponse": response}]}]
    raise SystemExit("floor: no answer")


def look_up(query: str) -> str:
    """Looks a line up."""
    return RESULT


def look_up_annotated() -> Any:
    """The same tool as our toolbox wants it: every argument described."""
    from typing import Annotated

    def look_up(query: Annotated[str, "The line"]) -> str:
        """Looks a line up."""
        return RESULT

    look_up.__annotations__ = {"query": Annotated[str, "The line"], "return": str}
    return look_up


def _client(url: str) -> Any:
    from google import genai
    from google.genai import types

    return genai.Client(api_key="key", http_options=types.HttpOptions(base_url=url))


def drive(loop: str, url: str, steps: int) -> None:
    """One question in this process; then what it took is printed."""
    {"ours": ours, "course": course, "automatic": automatic, "floor": floor}[loop](url, steps)
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF)
    print(json.dumps({"cpu_s": used.ru_utime + used.ru_stime, "peak_mb": used.ru_maxrss / 1024}))


# The figures


def measured(
    steps: list[int], rounds: int, loops: list[str], peers: Path | None
) -> dict[str, dict[int, Any]]:
    """Every loop at every length, the loops taking turns within a round."""
    stand_in = StandIn(peers)
    for loop in loops:  # a first run writes bytecode, which takes time and memory once
        stand_in.question(loop, 1)
    runs: dict[str, dict[int, list[dict[str, Any]]]] = {
        loop: {length: [] for length in steps} for loop in loops
    }
    for number in range(rounds):
        for length in steps:
            for loop in loops[number % len(loops) :] + loops[: number % len(loops)]:
                runs[loop][length].append(stand_in.question(loop, length))
    return {
        loop: {length: _summary(each) for length, each in by_length.items()}
        for loop, by_length in runs.items()
    }


def _summary(runs: list[dict[str, Any]]) -> dict[str, float]:
    gaps = [gap for run in runs for gap in run["gaps"]]
    return {
        "step_ms": round(statistics.median(gaps), 2),
        "step_p95_ms": round(statistics.quantiles(gaps, n=20)[18], 2),
        "growth_ms": round(100 * statistics.median(_slope(run["gaps"]) for run in runs), 2),
        **{
            key: round(statistics.median(run[key] for run in runs), 3)
            for key in ("first_request_ms", "whole_ms", "cpu_s", "peak_mb", "sent")
        },
    }


def _slope(gaps: list[float]) -> float:
    """Milliseconds a step, by least squares; the first step, which opens things, is left out."""
    if len(gaps) < 4:
        return 0.0
    rest = gaps[1:]
    return statistics.linear_regression(range(len(rest)), rest).slope


def table(found: dict[str, dict[int, Any]], steps: list[int]) -> str:
    """A Markdown table, with ratios to the course's loop of the same run."""
    longest = max(steps)
    head = [f"{length} steps, ms" for length in steps]
    lines = [
        "| loop | " + " | ".join([*head, "growth per 100", "of the course's", "peak MB"]) + " |",
        "|---" * (len(steps) + 4) + "|",
    ]
    for loop, by_length in found.items():
        cells = [f"{by_length[length]['step_ms']:.2f}" for length in steps]
        ratios = "-"
        if "course" in found:
            ratios = " / ".join(
                f"{by_length[n]['step_ms'] / found['course'][n]['step_ms']:.3f}" for n in steps
            )
        last = by_length[longest]
        cells += [f"{last['growth_ms']:.2f}", ratios, f"{last['peak_mb']:.0f}"]
        lines.append(f"| {loop} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def missed(
    found: dict[str, dict[int, Any]], three: dict[str, dict[int, Any]], steps: list[int]
) -> list[str]:
    """What ours takes more of than it may, against the course's loop."""
    ours, course, longest = found["ours"], found["course"], max(steps)

    def ratio(key: str, length: int) -> float:
        return float(ours[length][key] / course[length][key])

    figures = [
        (f"a step at {length} steps", ratio("step_ms", length), MOST[length])
        for length in steps
        if length in MOST
    ]
    if longest >= 50:  # over a few steps it is noise
        figures.append(("growth in ms for 100 steps", ours[longest]["growth_ms"], MOST_GROWTH_MS))
    figures.append((f"memory at {longest} steps", ratio("peak_mb", longest), MOST_MEMORY))
    whole = three["ours"][3]["whole_ms"] / three["course"][3]["whole_ms"]
    figures.append(("a 3-step question", whole, MOST_WHOLE))
    return [f"{what}: {each:.3f}, at most {most:g}" for what, each, most in figures if each > most]


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--steps", type=int, nargs="+", default=[10, 50, 200])
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--loops", nargs="+", choices=LOOPS, default=list(LOOPS))
    options.add_argument("--json", type=Path)
    options.add_argument("--peers", type=Path)
    options.add_argument("--loop", help=argparse.SUPPRESS)
    options.add_argument("--url", help=argparse.SUPPRESS)
    args = options.parse_args()
    if args.loop:
        sys.path.insert(0, str(ROOT))
        drive(args.loop, args.url, args.steps[0])
        return 0
    loops = [*args.loops, *(PEERS if args.peers else ())]
    found = measured(args.steps, args.rounds, loops, args.peers)
    short = [each for each in loops if each != "automatic"]
    three = measured([3], max(3, args.rounds), short, args.peers)
    python = f"Python {platform.python_version()}, {os.cpu_count()} cores"
    print(f"{time.strftime('%Y-%m-%d')}, {python}, {args.rounds} rounds\n")
    print(table(found, args.steps))
    for loop, by_length in three.items():
        each = by_length[3]
        print(
            f"{loop}: a 3-step question from start to end of its process "
            f"{each['whole_ms']:.0f} ms, first request after {each['first_request_ms']:.0f} ms"
        )
    over = missed(found, three, args.steps) if {"ours", "course"} <= {*loops} else []
    for each in over:
        print(f"MISSED {each}")
    if args.json:
        machine = {"date": time.strftime("%Y-%m-%d"), "python": python, "rounds": args.rounds}
        figures = {**machine, "steps": found, "three": three, "missed": over}
        args.json.write_text(json.dumps(figures, indent=1))
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())

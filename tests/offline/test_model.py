"""The offline model in process, and the command that serves it."""

from __future__ import annotations

import copy
import json
import os
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from agent.messages import Model, ToolResult, observation, user
from agent.offline.model import OfflineModel
from agent.offline.server import main_serve
from tests.offline.histories import BROWSER, declared

ROOT = Path(__file__).parents[2]


def test_it_is_a_model() -> None:
    model: Model = OfflineModel()
    assert (model.name, model.remote) == ("offline", False)
    reply = model.generate([user("Hello!")], [])
    assert (reply.outcome, reply.ends_with, reply.model) == (
        "answer",
        "answered",
        "bareloop-offline",
    )
    assert (reply.usage.requests, reply.usage.prompt_tokens > 0, reply.usage.output_tokens > 0) == (
        1,
        True,
        True,
    )


def test_our_own_history_must_echo_ids() -> None:
    model = OfflineModel()
    contents = [user("Where is Oslo?")]
    reply = model.generate(contents, [BROWSER])
    assert reply.content
    contents += [reply.content, observation([ToolResult(reply.calls[0], {"output": "Norway"})])]
    before = copy.deepcopy(contents)
    assert model.generate(contents, [BROWSER]).text.endswith("Norway [Browser]")
    assert contents == before
    del contents[2]["parts"][0]["functionResponse"]["id"]
    refused = model.generate(contents, [BROWSER])
    assert (refused.outcome, refused.status_code, refused.retryable) == ("rejected", 400, False)


def test_modes_and_instructions_arrive() -> None:
    model = OfflineModel()
    block = {"required_evidence": [{"slot": "a", "tool": "ask_a", "queries": ["alpha"]}]}
    system = f"Rules.\n```json\n{json.dumps(block)}\n```"
    tools = [declared("ask_a"), declared("ask_b")]
    reply = model.generate([user("Hi")], tools, system=system, mode="ANY")
    assert [(call.name, call.args) for call in reply.calls] == [("ask_a", {"query": "alpha"})]
    assert model.generate([user("Hi")], tools, system=system, mode="NONE").outcome == "answer"


def test_it_needs_neither_the_sdk_nor_a_socket() -> None:
    code = (
        "import sys; from agent.offline.model import OfflineModel; "
        "from agent.messages import user; "
        "print(OfflineModel().generate([user('Hi')], []).outcome); "
        "print(*({'google', 'httpx2', 'socketserver', 'pydantic', 'asyncio'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.split() == ["answer"]


def start(*arguments: str, **variables: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "agent.cli", "serve", *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


def ask(url: str) -> dict[str, Any]:
    request = urllib.request.Request(
        f"{url}/v1/models/offline:generateContent",
        json.dumps({"contents": [user("Hi")]}).encode(),
        {"x-goog-api-key": "offline", "content-type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=10) as response:
        return json.load(response)


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        (
            "en",
            [
                "The offline Gemini listens on {url} for this machine only; press Ctrl-C to stop "
                "it.",
                "To point a Gemini client at it, set GOOGLE_GEMINI_BASE_URL={url} and "
                "GEMINI_API_KEY=offline (any text will do as the key).",
                "The server has stopped.",
            ],
        ),
        (
            "ko",
            [
                "오프라인 Gemini가 {url} 에서 듣고 있으며, 이 컴퓨터에서만 접속할 수 있습니다. "
                "멈추려면 Ctrl-C를 누르세요.",
                "Gemini 클라이언트에서 쓰려면 GOOGLE_GEMINI_BASE_URL={url} 과 "
                "GEMINI_API_KEY=offline을 설정하세요(키는 아무 글자나 됩니다).",
                "서버를 멈췄습니다.",
            ],
        ),
    ],
)
def test_the_command_serves_until_it_is_interrupted(language: str, lines: list[str]) -> None:
    process = start(BARELOOP_LANG=language)
    try:
        assert process.stdout
        first = process.stdout.readline()
        url = next(word for word in first.split() if word.startswith("http://")).rstrip(";")
        assert "offline" in ask(url)["modelVersion"]
        second = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        rest, errors = process.communicate(timeout=20)
    finally:
        process.kill()
    assert (first + second + rest).splitlines() == [line.format(url=url) for line in lines]
    assert (process.returncode, errors) == (0, "")


def test_the_command_plays_a_script(tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text('{"responses": [{"text": "scripted"}]}', encoding="utf-8")
    process = start("--script", str(script), BARELOOP_LANG="en")
    try:
        assert process.stdout
        url = process.stdout.readline().split()[5].rstrip(";")
        assert ask(url)["candidates"][0]["content"]["parts"] == [{"text": "scripted"}]
    finally:
        process.kill()
        process.communicate(timeout=20)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (
            ["--host", "0.0.0.0"],
            "Not started: other machines could reach 0.0.0.0; use 127.0.0.1, or add "
            "--allow-remote if they may.",
        ),
        (["--port", "70000"], "70000 is no port; use a number from 0 to 65535."),
        (
            ["--script", "none.json"],
            "The script none.json cannot be read (No such file or directory); check the path.",
        ),
    ],
)
def test_the_command_refuses_in_one_sentence(arguments: list[str], line: str) -> None:
    process = start(*arguments, BARELOOP_LANG="en")
    out, errors = process.communicate(timeout=20)
    assert (process.returncode, out, errors.strip()) == (2, "", line)


def test_a_real_model_needs_its_package_and_its_file() -> None:
    process = start("--gguf", "none.gguf", BARELOOP_LANG="en")
    out, errors = process.communicate(timeout=20)
    assert (process.returncode, out, len(errors.splitlines())) == (2, "", 1)
    assert "install it with: pip install 'bareloop[gguf]'" in errors or "none.gguf is no" in errors


@pytest.mark.parametrize(
    ("host", "for_whom"),
    [("127.0.0.1", "for this machine only"), ("0.0.0.0", "other machines can reach it")],
)
def test_who_can_reach_the_server_is_said(host: str, for_whom: str) -> None:
    process = start("--host", host, "--allow-remote", BARELOOP_LANG="en")
    try:
        assert process.stdout
        assert for_whom in process.stdout.readline()
    finally:
        process.kill()
        process.communicate(timeout=20)


def test_serving_can_be_told_elsewhere() -> None:
    told: list[str] = []

    def out(line: str) -> None:
        told.append(line)
        if len(told) == 2:
            raise KeyboardInterrupt

    assert main_serve("127.0.0.1", 0, None, "en", out) == 0
    assert told[0].startswith("The offline Gemini listens on http://127.0.0.1:")
    assert told[2:] == ["The server has stopped."]

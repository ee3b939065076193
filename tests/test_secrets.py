"""Nothing that is written tells a key, a proxy's password or where a person's home is: everything
that the command says and leaves behind is searched, whatever happens to a question."""

from __future__ import annotations

import io
import json
import logging
import os
import shutil
import stat
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agent.cli import main
from tests.models.endpoint import Answer, Endpoint, call, event, reply
from tools.home import tilde

ROOT = Path(__file__).parent.parent
ERROR_BODIES = json.loads((Path(__file__).parent / "models/error_bodies.json").read_text("utf-8"))

KEY = "AIzaFAKE-9Xq_secretsecretsecretsecret00"
USER, PASSWORD = "proxyhanbyeol", "pr0xy-pass/word"
PROXY = "http://proxyhanbyeol:pr0xy-pass%2Fword@127.0.0.1:9"
LOGIN = "opensearch-pass-word"
ALIKE = "AIzaFAKE-9Xq_secretsecretsecretsecret0X"
"""A text that only looks like the key."""


class Machine:
    """A home of its own with documents, a Gemini that plays answers, and all that was said."""

    def __init__(self, folder: Path, gemini: Endpoint, patch: pytest.MonkeyPatch) -> None:
        self.home = folder / "home-of-hanbyeol"
        self.here = self.home / "desk"
        self.docs = self.home / "docs"
        self.here.mkdir(parents=True)
        shutil.copytree(ROOT / "tests/data/office", self.docs)
        self.given = set(self.home.rglob("*"))
        self.gemini = gemini
        self.said: list[tuple[tuple[str, ...], str]] = []
        self._patch = patch
        self.environ = {
            "HOME": str(self.home),
            "GEMINI_API_KEY": KEY,
            "GOOGLE_GEMINI_BASE_URL": gemini.url,
            "HTTPS_PROXY": PROXY,
            "https_proxy": PROXY,
            "BARELOOP_OPENSEARCH_PASSWORD": LOGIN,
            "BARELOOP_LANG": "en",
        }

    def run(self, *arguments: str, stdin: str = "", **variables: str) -> tuple[int, str]:
        """The command in this process, with everything that any library would log."""
        out, log = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in "12")
        handler = logging.StreamHandler(log)
        with self._patch.context() as patch:
            for name, value in {**self.environ, **variables}.items():
                patch.setenv(name, value)
            patch.chdir(self.here)
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode()), "utf-8"))
            patch.setattr(sys, "stdout", out)
            patch.setattr(sys, "stderr", log)
            patch.setattr(logging.root, "level", logging.DEBUG)
            logging.root.addHandler(handler)
            try:
                code = main(arguments)
            finally:
                logging.root.removeHandler(handler)
        told, logged = (each.buffer.getvalue().decode() for each in (out, log))
        self.said.append((arguments, told + logged))
        return code, told

    def play(self, *answers: Any) -> None:
        self.gemini.answers[:] = answers

    def written(self) -> dict[str, bytes]:
        """Everything that was said and every file that was made, by where it stands."""
        said = {f"{number}. {' '.join(each)}": text.encode() for number, (each, text) in
                enumerate(self.said)}  # fmt: skip
        files = {
            str(path.relative_to(self.home)): path.read_bytes()
            for path in self.made()
            if path.is_file()
        }
        return said | files

    def made(self) -> set[Path]:
        return set(self.home.rglob("*")) - self.given

    def leaks(self) -> list[tuple[str, str]]:
        secrets = (KEY, USER, PASSWORD, "pr0xy-pass%2Fword", LOGIN, str(self.home))
        return [
            (place, secret)
            for place, data in self.written().items()
            for secret in secrets
            if secret.encode() in data or secret.encode().hex().encode() in data
        ]

    def check(self) -> None:
        """Nothing is told, and what was made is for its owner only."""
        assert self.leaks() == []
        for path in self.made():
            wanted = 0o700 if path.is_dir() else 0o600
            assert oct(stat.S_IMODE(path.stat().st_mode)) == oct(wanted), path


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Machine]:
    server = Endpoint()
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    before = os.umask(0o022)
    yield Machine(tmp_path, server, monkeypatch)
    os.umask(before)
    server.closing.set()
    server.shutdown()
    server.server_close()


SEARCH = reply(call("search_documents", {"query": "노트북 분실"}))
TELLING = reply({"text": f"내선 119번입니다. {KEY} {ALIKE} [보안.txt:2]"}, finishMessage=KEY)


def test_a_question_a_chat_and_what_they_leave(machine: Machine) -> None:
    docs, trace = str(machine.docs), str(machine.here / "trace.jsonl")
    machine.play(SEARCH, TELLING)
    record = json.loads(
        machine.run("ask", "--docs", docs, "노트북?", "--json", "--trace", trace)[1]
    )
    assert record["status"] == "open" and f"(key) {ALIKE}" in record["answer"]
    assert record["trace"] == "~/desk/trace.jsonl"
    events = [event(SEARCH), event(TELLING)]
    machine.play(*(Answer(pieces=(each,)) for each in events))
    machine.run("ask", "--docs", docs, "노트북?", "--stream", "--verbose")
    machine.play(SEARCH, TELLING, SEARCH, TELLING)
    lines = ["노트북?", "/why", "/trace", "/save", "/export md", "/export json x.json",
             f"/smoke {machine.here}/s.yaml", f"/export md {machine.here}/none/x"]  # fmt: skip
    machine.run("chat", "--docs", docs, "--trace", "t.jsonl", stdin="\n".join(lines) + "\n")
    _, told = machine.run("chat", "--continue", stdin="다시?\n/save\n/history\n")
    assert "(key)" in told and ALIKE in told and "~/.local/share" in told
    machine.run("chat", "--list")
    machine.check()
    for name in ("desk/trace.jsonl", "desk/t.jsonl", "desk/x.json", "desk/s.yaml"):
        assert name in machine.written()


def test_a_key_that_a_person_types_is_kept_in_no_file(machine: Machine) -> None:
    """The conversation goes on, with a mark in its place."""
    lines = [f"노트북을 잃어버리면? {KEY}", f"/save {KEY}", "/export md a", "/export json b"]
    here = ("--docs", str(machine.docs), "--model", "offline")
    machine.run("chat", *here, "--trace", "t.jsonl", stdin="\n".join(lines))
    asked = "Which network do guests use?\n/history\n"
    told = [machine.run("chat", "--continue", "--model", "offline", stdin=asked)[1]]
    told.append(machine.run("chat", "--list")[1])
    machine.run("break", "5", "--predict", KEY)
    machine.run("break", "--report", "r", "--name", KEY)
    assert "2. Which network do guests use? · open" in told[0]
    assert all("(key)" in each for each in told)
    files = {path: path.read_bytes() for path in machine.made() if path.is_file()}
    assert len(files) >= 7 and [path for path in files if KEY.encode() in files[path]] == []


def test_an_index_an_evaluation_and_the_doctor(machine: Machine) -> None:
    docs = str(machine.docs)
    machine.run("init", docs)
    machine.given |= {machine.docs / "corpus.toml"}
    assert machine.run("index", docs, "--corpus", "help")[0] == 0
    assert "0 new, 0 changed, 0 removed" in machine.run("index", "--corpus", "help")[1]
    machine.run("ask", "--corpus", "help", "노트북을 잃어버리면?", "--model", "offline")
    for arguments in (["doctor"], ["doctor", "--model", "offline"]):
        assert machine.run(*arguments)[0] == 0
    sets = str(ROOT / "tests/data/eval_small")
    assert machine.run("eval", "hotpotqa100", "--data", sets, "--model", "offline")[0] == 0
    machine.check()


def test_a_key_in_a_file(machine: Machine) -> None:
    file = machine.home / ".local/share/bareloop/key"
    file.parent.mkdir(parents=True, mode=0o700)
    machine.given |= {*machine.home.rglob("*")} | {file}
    for content, mode in ((KEY, 0o600), (KEY + "\ufeff", 0o600), (KEY, 0o644)):
        file.write_text(content, encoding="utf-8")
        file.chmod(mode)
        machine.run("doctor", GEMINI_API_KEY="")
        machine.play(SEARCH, TELLING)
        machine.run("ask", "--docs", str(machine.docs), "노트북?", GEMINI_API_KEY="")
    told = [text for _, text in machine.said]
    assert "~/.local/share/bareloop/key" in told[0] and "119" in told[1]
    assert all("~/.local/share/bareloop/key" in text for text in told[2:])
    machine.check()


def echoing(body: Any) -> Any:
    """An error of the API that repeats the key wherever a text stands."""
    match body:
        case dict():
            return {name: echoing(each) for name, each in body.items()} | {"echo": KEY}
        case list():
            return [*map(echoing, body), {"reason": KEY}]
        case str() if " " in body:
            return f"{body} key={KEY} Bearer {KEY}"
        case _:
            return body


def test_every_refusal_that_repeats_the_key(machine: Machine) -> None:
    """In one conversation, with everything that can be kept of it."""
    refusals = [each for each in ERROR_BODIES if each["status"] not in (200, 429) and
                400 <= each["status"] < 500]  # fmt: skip
    pages = [Answer(f"<html>{KEY} {PROXY}</html>".encode(), status) for status in (400, 403, 404)]
    machine.play(*(Answer(echoing(each["body"]), each["status"]) for each in refusals), *pages)
    questions = [f"노트북 {number}?" for number in range(len(refusals) + len(pages))]
    said = "\n".join([*questions, "/why", "/export json x.json"]) + "\n"
    code, _ = machine.run("chat", "--docs", str(machine.docs), "--trace", "t.jsonl", "--verbose",
                          stdin=said)  # fmt: skip
    records = json.loads((machine.here / "x.json").read_text("utf-8"))
    assert code == 0 and len(refusals) > 10
    assert [each["stop_reason"] for each in records] == ["rejected"] * len(questions)
    machine.check()


@pytest.mark.parametrize("answer", [
    Answer(f"{{{KEY}".encode()),
    Answer({"error": {"code": 500, "message": KEY}}, 500),
    Answer(echoing({"error": {"code": 429, "message": "Quota exceeded."}}), 429),
    Answer(reply({"text": KEY}, finish="SAFETY")),
    Answer(reply({"text": KEY}, finish="MALFORMED_FUNCTION_CALL", finishMessage=KEY)),
    Answer({"promptFeedback": {"blockReason": KEY}}),
    Answer(reply(call(KEY, {KEY: KEY}))),
])  # fmt: skip
def test_answers_that_are_none(machine: Machine, answer: Answer) -> None:
    machine.play(*[answer] * 8)
    machine.run("ask", "--docs", str(machine.docs), "노트북?", "--json", "--trace", "t.jsonl",
                BARELOOP_MAX_SECONDS="0.5")  # fmt: skip
    machine.check()


@pytest.mark.parametrize(("arguments", "variables"), [
    (["ask", "--docs", "{home}/none", "x"], {}),
    (["ask", "--trace", "{home}/none/t", "x"], {}),
    (["index", "{home}/none"], {}),
    (["init", "{home}/none"], {}),
    (["eval", "hotpotqa100", "--data", "{home}/none", "--model", "offline"], {}),
    (["serve", "--script", "{home}/none"], {}),
    (["chat", "--resume", "x"], {}),
    (["ask", "x"], {"GEMINI_API_KEY": KEY + "\u00a0"}),
    (["ask", "--docs", "{home}/docs", "x", "--max-seconds", "0.5"], {"HTTPS_PROXY": PROXY + "x",
     "https_proxy": PROXY + "x", "GOOGLE_GEMINI_BASE_URL": "https://127.0.0.1:9"}),
    (["ask", "--docs", "{home}/docs", "x", "--max-seconds", "0.5"],
     {"GOOGLE_GEMINI_BASE_URL": "https://gemini.invalid"}),
    (["ask", "x"], {"GOOGLE_GEMINI_BASE_URL": PROXY}),
    (["ask", "--web", "x", "--model", "offline"], {"BARELOOP_SEARCH_TIMEOUT": "1"}),
    (["ask", "--web", "x", "--model", "offline"], {"BARELOOP_SEARCH": "a:b"}),
])  # fmt: skip
def test_mistakes(machine: Machine, arguments: list[str], variables: dict[str, str]) -> None:
    machine.run(*(each.format(home=machine.home) for each in arguments), **variables)
    machine.check()


def test_a_home_is_told_as_such_and_what_looks_alike_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (tmp_path / "link").symlink_to(home)
    for named in (home, tmp_path / "link"):
        monkeypatch.setenv("HOME", str(named))
        assert tilde(home / "a b/c") == "~/a b/c"
        assert os.path.expanduser(tilde(named / "a")) == str(named / "a")
        assert tilde(home) == "~"
        for alike in (f"{home}2/a", f"/x{home}/a", "a/b", "~/a"):
            assert tilde(Path(alike)) == alike
    monkeypatch.setenv("HOME", "/")
    assert tilde(home / "a") == str(home / "a")

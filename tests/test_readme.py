"""Everything the README shows is run."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from agent.ask import ask
from agent.models.gemini import GeminiModel
from agent.offline.scripted import ScriptedGemini
from agent.offline.server import serve
from tools.documents import Folder

CLOSED = "http://127.0.0.1:9"
"""A proxy that is not there: what a transcript shows needs no network."""

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", *sorted(ROOT.glob("*/README.md"))]
"""The page for everybody, and one for each folder that has more to say."""


SERVER = (ROOT / "agent/README.md").read_text(encoding="utf-8")


def transcripts() -> list[list[tuple[str, str]]]:
    """Every console block of every page: its commands, and what each prints."""
    pages = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    blocks = re.findall(r"```console\n(.*?)```", pages, re.DOTALL)
    return [
        [
            (each.partition("\n")[0], each.partition("\n")[2])
            for each in re.split(r"(?m)^\$ ", block)[1:]
        ]
        for block in blocks
    ]


@pytest.mark.parametrize("block", transcripts(), ids=lambda block: block[0][0])
def test_transcripts(block: list[tuple[str, str]], tmp_path: Path) -> None:
    """The commands of a block in order, as after activating the environment, without a network."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    beside = {"PATH": path, "COLUMNS": "80", "HTTPS_PROXY": CLOSED, "BARELOOP_DATA": str(tmp_path)}
    for command, printed in block:
        run = subprocess.run(
            ["bash", "-c", command],
            cwd=ROOT,
            env={**os.environ, **beside},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            check=False,
        )
        assert run.stdout == printed, command


def test_there_are_transcripts() -> None:
    assert sum(map(len, transcripts())) >= 14


def test_the_loop_is_shown_word_for_word() -> None:
    source = (ROOT / "agent/loop.py").read_text(encoding="utf-8")
    shown = re.search(r"```python\n(def run_agent.*?)```", README, re.DOTALL)
    assert shown is not None and source.endswith(shown[1])


def test_the_corpus_file_is_shown_word_for_word() -> None:
    shown = (ROOT / "tools/README.md").read_text(encoding="utf-8")
    assert (ROOT / "tools/corpora/billing/corpus.toml").read_text(encoding="utf-8") in shown


def test_the_two_first_commands_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"^    make (\w+)", README, re.MULTILINE):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE)


def test_the_house_names_files_that_exist() -> None:
    house = README.split("## The house")[1]
    for name in re.findall(r"[\w/]+\.py", house.split("## 한국어")[0]):
        assert list(ROOT.glob(f"*/{name}")) or list(ROOT.glob(f"*/*/{name}")), name


def test_the_script_example_is_one_that_plays() -> None:
    block = re.search(r"```json\n(\{.*?)```", SERVER, re.DOTALL)
    assert block is not None
    assert ScriptedGemini(json.loads(block[1])).left == 4


def test_the_script_example_answers_its_question(monkeypatch: pytest.MonkeyPatch) -> None:
    block = re.search(r"```json\n(\{.*?)```", SERVER, re.DOTALL)
    question = re.search(r'answers `bareloop ask --docs (\S+) "(.+?)"`', SERVER)
    assert block is not None and question is not None
    slept: list[float] = []
    with serve(responder=ScriptedGemini(json.loads(block[1]))) as server:
        model = GeminiModel("gemini-3.8-flash", api_key="key", base_url=server.url)
        run = ask(question[2], Folder(ROOT / question[1]), model, sleep=slept.append)
    assert run.answer == "내선 119번입니다 [보안.txt:2]" and len(slept) == 2

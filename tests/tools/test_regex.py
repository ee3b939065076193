"""A person's regular expressions: what they find, and that they end."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tools.problems import CorpusError
from tools.regex import PATIENCE_S, bounded

ROOT = Path(__file__).parents[2]

NEVER = r"(\S+\s?)+\$"
TEXT = "요금은 매달 내고 the whole team pays it in advance for srv-pay-10-b and srv-1 😀 끝."


@pytest.mark.parametrize(
    "pattern",
    [
        r"srv(-\w+)+",
        r"srv(-[a-z]+)*(-\d+)?",
        r"(?:\w+\s)+😀",
        r"(?x) srv (-[a-z]+)+  # a name",
        r"(?P<name>[가-힣]+)(?:\s(?P<next>[가-힣]+))*",
        r"(x*)*",
        r"nothing(-\w+)+",
        r"\w*\w*\w*\w*\w*-",
    ],
)
def test_what_is_searched_elsewhere_is_what_would_be_found_here(pattern: str) -> None:
    here, there = re.compile(pattern), bounded(pattern)
    for text in (TEXT, TEXT * 3, "", "\n", "\ud800 srv-a"):
        groups = [(match[0], match.groups()) for match in here.finditer(text)]
        assert [(match[0], match.groups()) for match in there.finditer(text)] == groups
        first = there.search(text)
        assert ([(first[0], first.groups())] if first else []) == groups[:1]
        assert there.sub(" ", text) == here.sub(" ", text)


def test_what_ends_late_stops_nobody_else() -> None:
    started = time.monotonic()
    with ThreadPoolExecutor(2) as threads:
        never = threads.submit(bounded(NEVER, "as written").search, TEXT)
        time.sleep(0.2)
        quick = threads.submit(_names, TEXT)
        with pytest.raises(CorpusError) as raised:
            never.result()
        assert quick.result() == ["srv-pay-10-b", "srv-1"]
    assert raised.value.values == {"pattern": "as written", "seconds": "5"}
    assert time.monotonic() - started < PATIENCE_S + 5
    assert _names(TEXT + "!") == ["srv-pay-10-b", "srv-1"]


def _names(text: str) -> list[str]:
    return [match[0] for match in bounded(r"srv(-\w+)+").finditer(text)]


TOML = """\
name = "fees"
[[source]]
name = "notes"
interface = "lines"
path = "notes.log"
{source}
[[plan]]
all_words = ["fee|요금"]
slots = ["fee", "later"]
{plan}
[slots.fee]
queries = ["fee 요금"]
{slot}
[slots.later]
queries = ["fee {{x}}"]
needs = {{ x = {needs} }}
"""
SLOW = {
    "en": f"The regular expression {NEVER} of a corpus took longer than 5 s",
    "ko": f"말뭉치의 정규 표현식 {NEVER}는 5초가 지나도 끝나지 않아",
}


def test_a_question_ends_whatever_pattern_a_corpus_has(tmp_path: Path) -> None:
    slow = json.dumps(NEVER)
    places = [
        ({"slot": f"must_match = {slow}"}, "en", 3),
        ({"needs": slow}, "ko", 3),
        ({"source": f"date = {slow}", "slot": 'when = "latest"'}, "en", 3),
        ({"plan": f"asks = {{ y = {slow} }}"}, "ko", 2),
    ]
    started = time.monotonic()
    running = [_asked(tmp_path / f"{n}", *place) for n, place in enumerate(places)]
    for process, language, code in running:
        told, _ = process.communicate(timeout=60)
        assert process.returncode == code and SLOW[language] in told, told
        assert "Traceback" not in told
    assert time.monotonic() - started < 40


def _asked(
    folder: Path, entries: dict[str, str], language: str, code: int
) -> tuple[subprocess.Popen[str], str, int]:
    folder.mkdir()
    given = {"source": "", "plan": "", "slot": "", "needs": '"fee"', **entries}
    (folder / "corpus.toml").write_text(TOML.format_map(given), "utf-8")
    (folder / "notes.log").write_text(f"The fee 요금: {TEXT}\n", "utf-8")
    command = [sys.executable, "-m", "agent.cli", "ask", "--lang", language, "--corpus"]
    process = subprocess.Popen(
        [*command, str(folder), f"What is the fee? {TEXT}"],
        cwd=ROOT,
        env={**os.environ, "BARELOOP_DATA": str(folder / "data")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    return process, language, code

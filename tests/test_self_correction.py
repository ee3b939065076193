"""The chapter on self-correction: what each set-up catches, and what ends a judge that is never
content."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

CHAPTER = Path(__file__).parent.parent / "code/self_correction.py"
STOPPED = "(최대 단계에 도달해 중단했습니다)"


def chapter(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(CHAPTER), *arguments],
        capture_output=True,
        encoding="utf-8",
        cwd=cwd,
        check=False,
    )


def searches(printed: str) -> list[tuple[str, str]]:
    """(query, what it found) of each search, in order; their numbers count them."""
    found = re.findall(r"^(\d+)\. (.+) -> \['(.+)'\]$", printed, re.MULTILINE)
    assert [int(number) for number, _, _ in found] == [*range(1, len(found) + 1)]
    return [(query, name) for _, query, name in found]


def test_what_each_set_up_catches(tmp_path: Path):
    done = chapter(cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == (
        "질문: 가람전자가 만든 음성 인식 모델의 이름은?\n"
        "판정만: F1 막음 · F2 놓침 · F3 놓침 · F4 놓침\n"
        "압축만: F1 놓침 · F2 막음 · F3 놓침 · F4 놓침\n"
        "판정+압축: F1 막음 · F2 막음 · F3 놓침 · F4 놓침\n"
        "답을 표본으로 뽑아 나중에 보면:\n"
        "  F1: 질문에 답하지 않음\n"
        "  F2: 답만 보아서는 모름\n"
        "  F3: 근거에 없는 말\n"
        "  F4: 질문에 답하지 않음\n"
    )


def test_a_judge_that_always_says_no_without_guards(tmp_path: Path):
    printed = chapter("--always-no", cwd=tmp_path).stdout
    found = searches(printed)
    assert len(found) == 10 and "재검색 10회" in printed
    assert printed.splitlines()[-1] == STOPPED
    assert "끝난 이유: max_steps" in printed and "물결" not in printed
    # reworded over and over, the rest of the queries are the same words and find the same page
    assert len({tuple(sorted(query.split()[:3])) for query, _ in found[2:]}) <= 4
    assert {name for _, name in found[2:]} == {"report-5"}


def test_with_guards_it_ends_earlier(tmp_path: Path):
    printed = chapter("--always-no", "--guards", cwd=tmp_path).stdout
    assert 1 <= len(searches(printed)) < 10
    assert "끝난 이유: no_progress" in printed and STOPPED not in printed
    assert "물결" not in printed


@pytest.mark.parametrize(("steps", "count"), [("1", 1), ("6", 3), ("7", 4), ("40", 20)])
def test_each_search_and_each_verdict_is_a_step(tmp_path: Path, steps: str, count: int):
    printed = chapter("--always-no", "--max-steps", steps, cwd=tmp_path).stdout
    assert len(searches(printed)) == count and printed.splitlines()[-1] == STOPPED


def test_a_budget_of_nothing_is_refused(tmp_path: Path):
    done = chapter("--max-steps", "0", cwd=tmp_path)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1)

"""What a student sees of a search that fails, and of synonyms that find nothing new."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Bareloop = Callable[..., subprocess.CompletedProcess[str]]
Break = Callable[..., str]


@pytest.fixture
def broken(bareloop: Bareloop, tmp_path: Path) -> Break:
    """``bareloop break`` on a wide page; what it prints, without the columns of its table."""

    def run(*arguments: str) -> str:
        done = bareloop("break", *arguments, BARELOOP_DATA=str(tmp_path), COLUMNS="120")
        assert (done.stderr, done.returncode) == ("", 0)
        return " ".join(done.stdout.split())

    return run


@pytest.mark.parametrize(
    ("language", "service", "lie", "explanation"),
    [
        (
            "ko",
            "검색할 수 없는 곳이 있어",
            "관련 근거를 찾지 못했습니다.",
            "물어보지 못한 것을 없다고 하면 거짓말이다",
        ),
        (
            "en",
            "not everything could be",
            "No related evidence was found.",
            "It could not be asked; to say none is a lie",
        ),
    ],
)
def test_a_search_that_fails(
    broken: Break, language: str, service: str, lie: str, explanation: str
) -> None:
    shown = broken("search-fails", "--predict", "it ends", "--lang", language)
    assert service in shown and lie in shown
    done = broken("search-fails", "--explain", explanation, "--lang", language)
    assert (
        done.count("이 생각의 낱말이" if language == "ko" else "Words of this idea are in it") == 2
    )


@pytest.mark.parametrize("language", ["ko", "en"])
def test_synonyms_stop_after_two_idle_steps_or_go_to_the_cap(broken: Break, language: str) -> None:
    shown = broken("synonyms", "--predict", "it ends", "--lang", language)
    assert "④" in shown.partition("▶")[2] and "no_progress" in shown
    assert "⑧" in shown and "max_steps" in shown
    explained = {
        "ko": "다른 말로 찾아도 같은 글만 나오니 새로 얻은 것을 세야 한다",
        "en": "Other words find the same page; count what is new",
    }[language]
    done = broken("synonyms", "--explain", explained, "--lang", language)
    assert (
        done.count("이 생각의 낱말이" if language == "ko" else "Words of this idea are in it") == 2
    )

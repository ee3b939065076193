"""Conditions on products, given to the command: they hold for every search and every question, and
neither an empty result nor a model loosens them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from agent.messages import function_responses

ROOT = Path(__file__).parent.parent
QUIET = "저소음 사무실"
CHEAP = ["--where", "max_won<=100000"]
NONE = ["--where", "max_won<=50000", "--where", "connection=usb-c"]

Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def shop(bareloop: Command) -> Command:
    """``bareloop ask --corpus products``, times left out."""

    def run(*arguments: str, **options: str) -> subprocess.CompletedProcess[str]:
        done = bareloop("ask", "--corpus", "products", *arguments, **options)
        done.stdout = re.sub(r" \(조회 \d{4}-[\d:T+-]+\)", "", done.stdout)
        return done

    return run


def ids(done: subprocess.CompletedProcess[str]) -> list[str]:
    """The products in the evidence of a record."""
    return [each["id"] for each in json.loads(done.stdout)["evidence"]]


@pytest.mark.parametrize(
    ("conditions", "found"),
    [
        ([], ["P4", "P1", "P2"]),
        (["max_won<=100000"], ["P4", "P1"]),
        (["max_won<=79000"], ["P4", "P1"]),
        (["max_won<=78999"], ["P4"]),
        (["max_won <= 129,000"], ["P4", "P1", "P2"]),
        (["max_won<=100000", "connection=usb-c"], ["P1"]),
        (["max_won<=100000", "connection=usb-c", "in_stock=false"], ["P3", "P1"]),
        (["max_grams<=820"], ["P4", "P1"]),
        (["max_grams<=819"], ["P4"]),
    ],
)
def test_only_what_meets_every_condition_is_found(
    shop: Command, conditions: list[str], found: list[str]
):
    where = [each for condition in conditions for each in ("--where", condition)]
    done = shop("--json", *where, QUIET)
    assert (done.returncode, done.stderr) == (0, "")
    assert ids(done) == found


SCREEN = """\
고요 키보드 | 79000원 | 재고 4 | usb-c | 820g | 저소음 키보드 사무실 유선 [P1]

근거
[P1] 고요 키보드 | 79000원 | 재고 4 | usb-c | 820g | 저소음 키보드 사무실 유선

상태: open · 끝난 이유: answered · 2단계 · 검색 1회 · """


def test_what_the_reader_gets(shop: Command):
    done = shop(*CHEAP, "--where", "connection=usb-c", QUIET)
    own, _, printed = done.stdout.partition("\n")
    assert own.startswith("오프라인 모델(LLM 없음)입니다.")
    assert (done.returncode, printed.rpartition("토큰")[0]) == (0, SCREEN)
    assert done.stderr == f"1. search_products({QUIET}) -> P1\n"


APART = """\
상품 5개 가운데 조건과 검색어에 모두 맞는 것이 없습니다. 조건은 바꾸지 않았습니다.
조건마다 따로 세어 빠진 상품: max_won<=50000 (4), connection=usb-c (1), in_stock=true (1).
조건에는 맞지만 검색어와 겹치는 말이 없는 상품: 1개.
조건을 하나 바꾸면 나오는 상품입니다. 위 결과에는 들지 않습니다.
[P1] 고요 키보드 | 79000원 | 재고 4 (max_won<=50000을 max_won<=79000으로 바꾸면)
[P2] 고요 프로 | 129000원 | 재고 7 (max_won<=50000을 max_won<=129000으로 바꾸면)
"""


def test_an_empty_result_stays_empty_and_what_is_near_stands_after_it(shop: Command):
    done = shop(*NONE, QUIET)
    assert done.returncode == 3 and done.stderr == f"1. search_products({QUIET}) -> 없음\n"
    above, figures, below = done.stdout.partition("상태: incomplete")
    assert above == "관련 근거를 찾지 못했습니다.\n\n"
    assert figures and below.partition("\n")[2] == APART
    english = shop(*NONE, QUIET, BARELOOP_LANG="en").stdout
    assert "[P1] 고요 키보드 | 79000원 | 재고 4 (with max_won<=79000 instead of" in english


def test_the_record_of_an_empty_result_is_json_and_names_no_alternative(shop: Command):
    done = shop("--json", *NONE, QUIET)
    record = json.loads(done.stdout)
    assert (done.returncode, record["status"], record["answer"]) == (3, "incomplete", None)
    assert (record["evidence"], record["searches"][0]["outcome"]) == ([], "none")
    assert "79000" not in done.stdout


def test_nothing_stands_apart_from_a_result_or_without_conditions(shop: Command):
    for arguments in ([*CHEAP, QUIET], ["의자"]):
        assert shop(*arguments).stdout.splitlines()[-1].startswith("상태: ")


@pytest.mark.parametrize(
    ("condition", "part"),
    [
        ("max_won", "max_won<=100000처럼"),
        ("max_won<100000", "max_won<=..."),
        ("max_won>=1", "max_won<=..."),
        ("max_won<=10만", "0 이상의 정수"),
        ("max_won<=-1", "0 이상의 정수"),
        ("max_won<=1.5", "0 이상의 정수"),
        ("connection=hdmi", "usb-c, bluetooth"),
        ("in_stock=yes", "true, false"),
        ("colour=red", "max_won, connection, in_stock, max_grams"),
        ("", "조건으로 읽을 수 없습니다"),
    ],
)
def test_a_condition_that_cannot_be_meant_is_one_sentence(shop: Command, condition: str, part: str):
    done = shop("--where", condition, QUIET, BARELOOP_LANG="ko")
    assert (done.returncode, done.stdout) == (2, "")
    assert part in done.stderr and len(done.stderr.splitlines()) == 1


def test_a_condition_given_twice_is_not_chosen_from(shop: Command):
    done = shop(*CHEAP, "--where", "max_won<=50000", QUIET)
    assert done.returncode == 2 and "max_won" in done.stderr and "두 번" in done.stderr


@pytest.mark.parametrize(
    "source",
    [[], ["--corpus", "billing"], ["--docs", str(ROOT / "tests/data/office")], ["--web"]],
    ids=["none", "billing", "docs", "web"],
)
def test_without_products_a_condition_is_not_swallowed(bareloop: Command, source: list[str]):
    proxy = "http://127.0.0.1:9"
    done = bareloop("ask", *source, *CHEAP, "키보드?", HTTPS_PROXY=proxy, BARELOOP_LANG="ko")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--corpus products" in done.stderr and len(done.stderr.splitlines()) == 1


def test_a_product_outside_the_conditions_is_not_shown_by_its_name_either(shop: Command):
    done = shop("--json", *CHEAP, "고요 프로는 얼마야?")
    assert done.returncode == 3 and ids(done) == []
    assert "129000" not in done.stdout
    inside = shop("--json", *CHEAP, "고요 키보드는 얼마야?")
    assert (inside.returncode, ids(inside)) == (0, ["P1"])


def test_a_chat_keeps_the_conditions_over_its_questions(bareloop: Command):
    lines = f"{QUIET}\n예산은 무시하고 고급 키보드?\n고급\n"
    done = bareloop("chat", "--corpus", "products", *CHEAP, stdin=lines)
    assert done.returncode == 0
    assert done.stderr.splitlines() == [
        f"1. search_products({QUIET}) -> P4, P1",
        "1. search_products(예산은 무시하고 고급 키보드?) -> P5, P4, P1",
        "1. search_products(고급) -> 없음",
    ]
    near = "[P2] 고요 프로 | 129000원 | 재고 7 (max_won<=100000을 max_won<=129000으로 바꾸면)"
    assert [line for line in done.stdout.splitlines() if "P2" in line] == [near]
    assert done.stdout.endswith(
        f"조건을 하나 바꾸면 나오는 상품입니다. 위 결과에는 들지 않습니다.\n{near}\n"
    )


# a model that wants more, over HTTP


@contextmanager
def serving(script: Path) -> Iterator[str]:
    """``bareloop serve --script``; its address."""
    process = subprocess.Popen(
        [sys.executable, "-m", "agent.cli", "serve", "--script", str(script)],
        stdout=subprocess.PIPE,
        cwd=ROOT,
        text=True,
        encoding="utf-8",
    )
    assert process.stdout is not None
    try:
        yield re.search(r"http://127\.0\.0\.1:\d+", process.stdout.readline())[0]  # type: ignore[index]
    finally:
        process.terminate()
        process.communicate(timeout=10)


def searching(**args: Any) -> dict[str, Any]:
    return {"name": "search_products", "args": {"query": "저소음 키보드", **args}}


def test_a_model_that_asks_for_more_gets_an_error_and_no_dearer_product(
    shop: Command, tmp_path: Path
):
    by_name = {"name": "get_product_info", "args": {"name": "고요 프로"}}
    made_up = {"text": "고요 프로가 좋습니다. [P2]", "repeat": 2}
    responses = [
        {"calls": [searching(max_won=150_000)]},
        {"calls": [by_name, searching(max_won=100_000)]},
        made_up,
    ]
    script, trace = tmp_path / "script.json", tmp_path / "t.jsonl"
    script.write_text(json.dumps({"responses": responses}), encoding="utf-8")
    with serving(script) as url:
        done = shop(
            "--json", "--trace", str(trace), *CHEAP, "저소음 키보드?",
            GEMINI_API_KEY="x", GOOGLE_GEMINI_BASE_URL=url, HTTPS_PROXY="http://127.0.0.1:9",
        )  # fmt: skip
    record = json.loads(done.stdout)
    assert (done.returncode, record["model"].startswith("gemini")) == (3, True)
    assert (record["status"], record["answer"]) == ("incomplete", None)
    texts = {each["id"]: each["text"] for each in record["evidence"]}
    assert list(texts) == ["P4", "P1", "P5"]
    prices = [int(re.search(r"\| (\d+)원", text)[1]) for text in texts.values()]  # type: ignore[index]
    assert prices == [69_000, 79_000, 49_000]
    events = [json.loads(line) for line in trace.read_text(encoding="utf-8").splitlines()]
    contents = [each["content"] for each in events if each["event"] == "content"]
    told = [each["response"] for content in contents for each in function_responses(content)]
    error = told[0]["error"]
    assert (error["code"], error["fixed"], error["asked"]) == (
        "filter_loosened", "max_won<=100000", "max_won<=150000",
    )  # fmt: skip
    assert told[1]["error"]["code"] == "outside_filters" and told[2]["output"]["hits"]
    assert record["citations"] == [{"id": "P2", "ok": False, "supported": False}]
    assert "129000" not in trace.read_text(encoding="utf-8")

"""Failures that people reported in public, each by its id: the files under cases/, and here those
that need a tool or a command of their own."""

from __future__ import annotations

import io
import json
import logging
import re
import subprocess
import time
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest

from agent.ask import ask
from agent.chat.telling import exit_code
from agent.evidence import Evidence
from agent.json_safe import MAX_CHARACTERS
from agent.loop import run_agent
from agent.messages import Model, function_responses
from agent.run import Run
from agent.search_tools import folder_tool, slot_tools
from agent.toolbox import MAX_TURN_CHARACTERS, Toolbox
from tests.cases.case import AREAS, read_case
from tests.cases.measure import differences
from tests.cases.play import KEY, Played, play, stage, strings
from tools.arguments import Bounds
from tools.corpus import Corpus, find_corpus, read_corpus
from tools.documents import Folder, Passage
from tools.slots import Slot

HERE = Path(__file__).parent
FILES = sorted((HERE / "cases").glob("*.json"))

COVERED = {
    "cases": """
        TO-01 TO-02 TO-03 TO-05 TO-06 PC-01 PC-02 TS-01 TS-03
        MF-01 MF-03 MF-04 MF-05 MF-07 MF-09 EB-01 EB-03 EB-04 EB-07 EB-08 EB-09
        HC-01 HC-03 HC-04 TR-06 RL-01 RL-02 RL-04 NW-02 NW-03 KS-01
        LP-01 LP-03 LP-04 LP-05 LP-07 LP-08 LP-10 IJ-01
        EV-01 EV-02 EV-03 EV-05 WD-05 FP-05 FP-07
    """,
    "test_cases.py": """
        PC-02 PC-03 PC-05 TS-01 AT-01 AT-03 AT-04 TR-01 TR-02 TR-04 TR-05 NW-01 KS-03 KS-04
        SC-01 SC-02 SC-03 SC-05 SC-07
    """,
    "test_cases_terminal.py": """
        CC-01 CC-03 CC-04 IN-01 IN-03 UN-01 UN-02 UN-03 UN-05 UN-07 TO-03 TS-01
    """,
    "test_cases_tools.py": "LP-03 IJ-03 EV-08 WD-05 FP-04 SD-01 SD-02 SD-04",
    "test_context_tools.py": "TR-06 EB-05 JG-04 RL-04",
    "test_web.py": "IJ-03 WD-01 WD-03",
    "tools/test_filter_context.py": "IX-01 IX-02 IX-04 IX-05 IX-07",
    "tools/test_judge.py": "JG-01 JG-03 JG-04",
    "tools/test_search_web.py": "WD-01 WD-04 WD-05 IJ-03",
    "tools/test_search_web_rules.py": "WD-01 WD-03 WD-05",
    "tools/test_disagreements.py": "EV-05",
    "tools/test_amounts.py": "FP-01 FP-02",
    "test_proposals.py": "FP-01 FP-02",
}
"""Where each case is, so that none gets lost: a file under cases/, or the name or the parameter of
a test. A case may have several places."""

REPORTED_AT = {
    "CC-01": "google-gemini/gemini-cli/issues/2773",
    "CC-03": "lbjlaq/Antigravity-Manager/issues/3325",
    "CC-04": "google-gemini/gemini-cli/issues/14552",
    "IN-01": "charmbracelet/crush/issues/529",
    "IN-03": "epam/ai-dial-adapter-vertexai/pull/164",
    "UN-01": "lidge-jun/aside-codemode/issues/30",
    "UN-02": "byungjunjang/web-crawler/issues/5",
    "UN-03": "simonw/llm/issues/768",
    "UN-05": "HKUDS/OpenSpace/pull/119",
    "UN-07": "anthropics/claude-code/issues/40809",
    "TO-03": "strands-agents/harness-sdk/issues/1749",
    "PC-02": "nexu-io/nexu/issues/441",
    "PC-03": "google-gemini/gemini-cli/issues/16135",
    "PC-05": "token-js/token.js/pull/36",
    "TS-01": "langgenius/dify/issues/29187",
    "AT-01": "langchain-ai/langchain-google/pull/1110",
    "AT-03": "BerriAI/litellm/issues/3147",
    "AT-04": "danny-avila/LibreChat/pull/11905",
    "TR-01": "google/virtual-broadcast-production-assistant/issues/24",
    "TR-02": "googleapis/python-genai/issues/1906",
    "TR-04": "google-gemini/gemini-cli/issues/27738",
    "TR-05": "EvoScientist/EvoScientist/pull/11",
    "NW-01": "VectifyAI/OpenKB/issues/164",
    "KS-03": "btseytlin/hr-breaker/pull/33",
    "KS-04": "google-gemini/deprecated-generative-ai-python/pull/232",
    "SC-01": "moonklabs/sprintable/pull/3657",
    "SC-02": "google/adk-python/issues/3275",
    "SC-03": "microsoft/autogen/issues/4878",
    "SC-05": "opencode-ai/opencode/pull/96",
    "SC-07": "letta-ai/letta/issues/2997",
    "LP-03": "NousResearch/hermes-agent/issues/60084",
    "IJ-03": "xorbitsai/xagent/issues/2005",
    "IX-01": "run-llama/llama_index/issues/22743",
    "IX-02": "run-llama/llama_index/issues/11093",
    "IX-04": "run-llama/llama_index/issues/3443",
    "IX-05": "NVIDIA-AI-Blueprints/aiq/pull/112",
    "IX-07": "run-llama/llama_index/issues/12325",
    "JG-01": "jaylfc/taosmd/pull/176",
    "JG-03": "facebookresearch/meta-agents-research-environments/issues/29",
    "JG-04": "garrytan/gbrain/issues/2553",
    "EV-05": "infiniflow/ragflow/pull/18190",
    "EV-08": "cds-snc/ai-answers/issues/226",
    "WD-01": "charmbracelet/crush/pull/3456",
    "WD-03": "enioxt/EGOS-Inteligencia/issues/32",
    "WD-04": "huggingface/smolagents/issues/738",
    "WD-05": "open-webui/open-webui/issues/10187",
    "FP-01": "woowacourse-teams/2026-toadzip/issues/131",
    "FP-02": "dongrixinyu/JioNLP/issues/240",
    "FP-04": "NVIDIA-AI-Blueprints/retail-shopping-assistant/pull/200",
    "SD-01": "googleapis/python-genai/issues/1763",
    "SD-02": "google/adk-python/pull/4137",
    "SD-04": "gsd-build/gsd-2/pull/2117",
    "EB-05": "googleapis/python-genai/issues/811",
    "TR-06": "vectorize-io/hindsight/pull/1169",
    "RL-04": "google-gemini/gemini-cli/issues/27187",
}
"""Where the cases that are tests were reported: GitHub threads. Those under cases/ say it."""


_LOGGERS = ("agent", "bareloop", "google_genai", "google.auth", "httpx2", "httpcore2", "asyncio")


@pytest.fixture(autouse=True)
def no_key_in_any_log():
    """Whatever is logged, at the most talkative level, does not hold the key."""
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    loggers = [logging.getLogger(name) for name in _LOGGERS]
    before = [(logger.level, logger.propagate) for logger in loggers]
    for logger in loggers:
        logger.addHandler(handler)
        logger.setLevel(logging.DEBUG)
        logger.propagate = False
    yield
    for logger, (level, propagate) in zip(loggers, before, strict=True):
        logger.removeHandler(handler)
        logger.setLevel(level)
        logger.propagate = propagate
    assert KEY not in written.getvalue()


def cases_of(file: Path) -> set[str]:
    """The cases that the tests of a file name: ``test_fp_01_...``, or ``id="FP-01 ..."``."""
    text = file.read_text(encoding="utf-8")
    names = " ".join(re.findall(r"^def test_(\w+)", text, re.MULTILINE))
    written = re.findall(r"(?:\b|_)([a-z]{2})_(\d\d)(?=_)", names)
    parameters = re.findall(r'\bid="([A-Z]{2}-\d\d)\b', text)
    return {f"{area.upper()}-{number}" for area, number in written} | set(parameters)


def test_every_case_is_where_it_is_said_to_be():
    covered = {place: set(ids.split()) for place, ids in COVERED.items()}
    assert covered.pop("cases") == {path.stem for path in FILES}
    missing = {place: ids - cases_of(HERE / place) for place, ids in covered.items()}
    assert not any(missing.values()), missing
    assert set.union(*covered.values()) == set(REPORTED_AT)


LISTING = HERE / "cases/README.md"


def listing() -> str:
    """Every case with where it is tested and where it was reported, as the page in cases/."""
    places: dict[str, list[str]] = {}
    for place, ids in COVERED.items():
        for each in ids.split():
            file = f"cases/{each}.json" if place == "cases" else place
            places.setdefault(each, []).append(f"[{file}](../{file})")
    reported = {path.stem: read_case(path).source for path in FILES}
    reported |= {each: f"https://github.com/{place}" for each, place in REPORTED_AT.items()}
    areas = {short: area for area, short in AREAS.items()}
    rows = [
        f"| {each} | {areas[each[:2]]} | {', '.join(places[each])} | {reported[each]} |"
        for each in sorted(places)
    ]
    return "\n".join(
        [
            "# Failures that people reported in public",
            "",
            f"{len(rows)} cases. A test or one of its parameters names its case (`test_ev_08_...`, "
            '`id="FP-01 ..."`), or the case is a file.',
            "",
            "| case | area | tested in | reported at |",
            "|---|---|---|---|",
            *rows,
            "",
        ]
    )


def test_the_listing_names_all_93_cases_and_where_each_is_tested():
    assert LISTING.read_text(encoding="utf-8") == listing(), (
        "write it anew: python -c 'from tests.test_cases import *; LISTING.write_text(listing())'"
    )
    assert len({each for ids in COVERED.values() for each in ids.split()}) == 93


def test_no_test_names_a_case_that_is_not_in_the_table():
    areas = set(AREAS.values())
    named = {each for file in HERE.rglob("test_*.py") for each in cases_of(file)}
    known = {each for ids in COVERED.values() for each in ids.split()}
    assert {each for each in named if each[:2] in areas} <= known
    assert {each[:2] for each in known} == areas


@pytest.mark.parametrize("streaming", [False, True], ids=["plain", "streaming"])
@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_a_conversation(path: Path, streaming: bool, tmp_path: Path):
    case = read_case(path)
    if streaming and case.plain_only:
        pytest.skip(case.plain_only)
    played = play(case, tmp_path, streaming=streaming)
    for number, (each, expected) in enumerate(zip(played, case.expect, strict=True), 1):
        assert differences(each, expected) == [], f"question {number}: {case.about}"


# Cases that need a tool of their own: the loop, the official SDK and the scripted server.


@pytest.fixture
def converse(tmp_path: Path) -> Callable[..., list[Played]]:
    """Ask questions of a model that plays ``turns`` and may call ``tools``."""

    def run(
        tools: Sequence[Callable[..., Any]], turns: Sequence[Any], *questions: str
    ) -> list[Played]:
        def answer(question: str, model: Model, run: Run, sleep: Callable[[float], None]) -> Run:
            return run_agent(question, model, Toolbox(tools), run=run)

        with stage({"responses": turns}, answer, tmp_path) as conversation:
            return [conversation.ask(question) for question in questions or ["무선 키보드?"]]

    return run


Converse = Callable[..., list[Played]]


def calling(name: str, *arguments: dict[str, Any]) -> dict[str, Any]:
    """A turn that calls one tool once for each set of arguments."""
    return {"calls": [{"name": name, "args": each} for each in arguments]}


def responses(played: Played, request: int = -1) -> list[Any]:
    """What the last content of a request answers to the calls before it."""
    contents = played.requests[request]["contents"]
    return [each["response"] for each in function_responses(contents[-1])]


DONE = {"text": "그렇습니다."}
PRICES = {"가온": 10_000, "나래": 20_000}


def search_products(
    name: Annotated[str, "words in the name"] = "",
    max_price: Annotated[int | None, "highest price in won", Bounds(0)] = None,
    brand: Annotated[str | None, "the maker"] = None,
    top_k: Annotated[int, "how many", Bounds(1, 10)] = 3,
    order: Annotated[Literal["price", "name"], "how to sort"] = "price",
) -> dict[str, Any]:
    """Find products."""
    given = {"name": name, "max_price": max_price, "brand": brand, "top_k": top_k, "order": order}
    return {"saw": given, "price": PRICES.get(name)}


def today() -> str:
    """The date."""
    return "2026-11-30"


def retrieve(kind: Annotated[str, "what to give back"]) -> Any:
    """Give something back, or fail."""
    match kind:
        case "pdf":
            return {"title": "안내", "body": b"%PDF-1.7\xff\x00" * 400}
        case "proxy":
            return {"items": types.MappingProxyType({"a": {1, 2}})}
        case "long":
            return {"results": [{"id": "w1", "snippet": "가" * 5_000_000}]}
        case "refused":
            raise ConnectionError("http://user:pw@proxy:3128 refused /home/me/tool.py")
        case "no key":
            raise KeyError("/home/me/secret")
        case _:
            return {"list": [1, "둘"], "text": "글", "number": 3, "nothing": None}[kind]


def test_pc_02_a_tool_that_fails_is_answered_beside_the_others(converse: Converse):
    calls = calling("retrieve", {"kind": "text"}, {"kind": "no key"}, {"kind": "number"})
    calls["calls"].insert(1, {"name": "lookup_price", "args": {}})
    (played,) = converse([retrieve, today], [calls, DONE])
    assert [each.get("error", {}).get("code") for each in responses(played)] == [
        None, "unknown_tool", "tool_failed", None,
    ]  # fmt: skip
    assert responses(played)[1]["error"]["tools"] == ["retrieve", "today"]
    assert played.run.answer == "그렇습니다."


def test_pc_03_binary_becomes_a_note_inside_its_response(converse: Converse):
    (played,) = converse([retrieve], [calling("retrieve", {"kind": "pdf"}, {"kind": "text"}), DONE])
    assert responses(played) == [
        {"output": {"title": "안내", "body": "(binary, 4000 bytes)"}},
        {"output": "글"},
    ]
    body = json.dumps(played.requests[-1])
    assert "inlineData" not in body and not re.search(r"[A-Za-z0-9+/_-]{201,}", body)


def test_pc_05_two_results_of_one_tool_stay_with_their_calls(converse: Converse):
    turns = [calling("search_products", {"name": "나래"}, {"name": "가온"}), DONE]
    (played,) = converse([search_products], turns, "가온과 나래 중 싼 것은?")
    answered = [each["output"] for each in responses(played)]
    assert [(each["saw"]["name"], each["price"]) for each in answered] == [
        ("나래", 20_000), ("가온", 10_000),
    ]  # fmt: skip


def test_ts_01_a_saved_conversation_goes_on(converse: Converse, tmp_path: Path):
    signed = {"functionCall": {"name": "today", "args": {}}, "thoughtSignature": "c2lnLXNhdmVk"}
    turn = {"content": {"role": "model", "parts": [signed]}, "finishReason": "STOP"}
    (played,) = converse([today], [{"body": {"candidates": [turn]}}, DONE])
    saved = json.loads(json.dumps(played.run.contents))

    def answer(question: str, model: Model, run: Run, sleep: Callable[[float], None]) -> Run:
        run.contents.extend(saved)
        return run_agent(question, model, Toolbox([today]), run=run)

    with stage({"responses": [DONE]}, answer, tmp_path) as conversation:
        again = conversation.ask("한 번 더?")
    assert again.requests[0]["contents"][1]["parts"] == [signed]


@pytest.mark.parametrize(
    ("given", "seen"),
    [
        ({"top_k": 3.0}, 3),
        ({"top_k": "3"}, 3),
        ({"top_k": 10}, 10),
        ({"top_k": 11}, None),
        ({"top_k": 2.5}, None),
        ({"top_k": True}, None),
        ({"top_k": "many"}, None),
        ({"max_price": 30000.0}, 30000),
        ({"max_price": 0}, 0),
        ({"max_price": -5}, None),
        ({"max_price": 1e30}, None),
    ],
)
def test_at_01_numbers_are_what_the_tool_declared(
    converse: Converse, given: dict[str, Any], seen: int | None
):
    (played,) = converse([search_products], [calling("search_products", given), DONE])
    (response,) = responses(played)
    (name,) = given
    if seen is None:
        assert response["error"]["code"] == "invalid_arguments" and name in str(response)
    else:
        assert response["output"]["saw"][name] == seen
        assert isinstance(response["output"]["saw"][name], int)


def test_at_03_what_json_cannot_say_breaks_neither_request_nor_trace(converse: Converse):
    (played,) = converse([retrieve], [calling("retrieve", {"kind": "proxy"}), DONE])
    assert responses(played) == [{"output": {"items": {"a": [1, 2]}}}]
    assert '"items": {"a": [1, 2]}' in played.trace


def test_at_04_null_means_not_given(converse: Converse):
    given = {"name": "키보드", "max_price": 30000, "brand": None, "top_k": None}
    (played,) = converse([search_products], [calling("search_products", given), DONE])
    assert responses(played)[0]["output"]["saw"] == {
        "name": "키보드", "max_price": 30000, "brand": None, "top_k": 3, "order": "price",
    }  # fmt: skip


def test_tr_01_every_result_is_an_object(converse: Converse):
    kinds = ["list", "text", "number", "nothing"]
    turns = [calling("retrieve", *({"kind": kind} for kind in kinds)), DONE]
    (played,) = converse([retrieve], turns)
    assert responses(played) == [
        {"output": [1, "둘"]}, {"output": "글"}, {"output": 3}, {"output": "(no result)"},
    ]  # fmt: skip


def test_tr_02_what_the_tool_found_is_literally_in_the_request(converse: Converse):
    turns = [calling("search_products", {"name": "가온", "max_price": 29_000}), DONE]
    (played,) = converse([search_products], turns)
    body = json.dumps(played.requests[1]["contents"][-1], ensure_ascii=False)
    for value in ("가온", "10000", "29000"):
        assert value in body


def test_tr_04_an_endless_result_is_cut_and_the_next_question_works(converse: Converse):
    many = [{"kind": "long"}, *({"kind": kind} for kind in ("text", "number"))]
    turns = [calling("retrieve", *many), DONE, DONE]
    first, second = converse([retrieve], turns, "긴 글?", "다음 질문?")
    long, text, number = responses(first, 1)
    assert "(truncated: 5000000 characters)" in str(long)
    assert len(str(long)) < MAX_CHARACTERS + 300
    assert (text, number) == ({"output": "글"}, {"output": 3})
    assert len(json.dumps(second.requests[0], ensure_ascii=False)) < MAX_TURN_CHARACTERS
    assert second.run.answer == "그렇습니다."


def test_tr_05_a_failing_tool_is_an_error_without_its_secrets(converse: Converse):
    turns = [calling("retrieve", {"kind": "refused"}, {"kind": "no key"}), DONE]
    (played,) = converse([retrieve], turns)
    assert responses(played) == [
        {"error": {"code": "tool_failed", "message": f"The tool failed ({name})."}}
        for name in ("ConnectionError", "KeyError")
    ]
    for text in (played.screen, played.trace, *strings(played.requests)):
        assert not re.search(r"user:pw|/home/|refused /|secret", text)
    assert played.run.answer == "그렇습니다."


SHOP = """
name = "shop"
prepared_only = true
[[plan]]
all_words = ["키보드"]
slots = ["price", "battery", "weight"]
[slots.price]
queries = ["키보드 값"]
documents = "price-*"
[slots.battery]
queries = ["키보드 배터리"]
documents = "battery-*"
[slots.weight]
queries = ["키보드 무게"]
documents = "weight-*"
"""


@dataclass(frozen=True)
class Failing(Corpus):
    """A corpus whose source cannot be asked for some of the slots."""

    down: Sequence[str] = ()

    def retrieve(self, slot: Slot, query: str, *how: Any) -> list[Passage]:
        if slot.name in self.down:
            raise ConnectionError("http://user:pw@store refused")
        return super().retrieve(slot, query, *how)


@pytest.mark.parametrize(
    ("down", "outcomes", "missing"),
    [
        (["battery"], ["hits", "unavailable", "hits"], ["battery"]),
        (["price", "battery", "weight"], ["unavailable"] * 3, ["price", "battery", "weight"]),
    ],
    ids=["one of three", "all"],
)
def test_nw_01_a_source_that_cannot_be_asked_is_not_one_that_has_nothing(
    tmp_path: Path, down: list[str], outcomes: list[str], missing: list[str]
):
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "corpus.toml").write_text(SHOP, encoding="utf-8")
    for name, text in {"price": "키보드 값 2만 원", "weight": "키보드 무게 500g"}.items():
        (folder / f"{name}-1.md").write_text(text, encoding="utf-8")
    queries = {"price": "키보드 값", "battery": "키보드 배터리", "weight": "키보드 무게"}
    calls = [{"name": f"find_{slot}", "args": {"query": each}} for slot, each in queries.items()]
    corpus = Failing(**vars(read_corpus(folder)), down=down)

    def answer(question: str, model: Model, run: Run, sleep: Callable[[float], None]) -> Run:
        return ask(question, corpus, model, run=run, sleep=sleep)

    with stage({"responses": [{"calls": calls}]}, answer, tmp_path) as conversation:
        played = conversation.ask("키보드 값, 배터리, 무게?")
    record = played.run.as_record()
    assert [search["outcome"] for search in record["searches"]] == outcomes
    assert (record["status"], record["answer"], record["missing"]) == ("incomplete", None, missing)
    told = [each["response"] for each in function_responses(played.run.contents[2])]
    codes = [each.get("error", {}).get("code", "hits") for each in told]
    assert codes == outcomes
    assert "검색할 수 없음" in played.screen and "찾지 못했습니다" not in played.screen
    assert played.run.message.endswith(f"부족한 근거: {', '.join(missing)}.")
    assert exit_code(played.run) == 3 and "user:pw" not in played.screen + played.trace


Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.mark.parametrize(
    ("key", "position", "code_point"),
    [("\ufeffFAKE123", 1, "U+FEFF"), ("FAKE\u00a0123", 5, "U+00A0"), ("FAKE12한", 7, "U+D55C")],
)
def test_ks_03_an_odd_character_in_the_key_is_named_and_the_question_is_not_blamed(
    bareloop: Command, key: str, position: int, code_point: str
):
    for command in (["ask", "한글로 물어도 돼?"], ["chat"]):
        done = bareloop(*command, stdin="질문\n", GEMINI_API_KEY=key, BARELOOP_LANG="ko")
        assert (done.returncode, done.stdout) == (2, "")
        assert len(done.stderr.splitlines()) == 1
        assert f"GEMINI_API_KEY에 쓸 수 없는 글자가 있습니다 (위치 {position}, {code_point})" in (
            done.stderr
        )
        assert "FAKE" not in done.stderr


def test_ks_04_without_a_key_it_ends_at_once_with_one_line(bareloop: Command):
    started = time.monotonic()
    done = bareloop("chat", "--model", "gemini", stdin="질문\n", BARELOOP_LANG="ko")
    assert time.monotonic() - started < 5
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1 and "GEMINI_API_KEY" in done.stderr


def test_ks_04_nothing_needs_a_key_to_be_imported(python: Command):
    done = python(
        "-c",
        "import importlib, pkgutil, sys, agent, tools\n"
        "for package in (agent, tools):\n"
        "    for each in pkgutil.walk_packages(package.__path__, package.__name__ + '.'):\n"
        "        if each.name != 'agent.models.gemini':\n"
        "            importlib.import_module(each.name)\n"
        "print('google.genai' in sys.modules, 'agent.cli' in sys.modules)\n"
        "import agent.models.gemini\n",
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "False True\n", "")


# What is declared, as it stands in the first request.


def declared(converse: Converse, *tools: Callable[..., Any]) -> list[Any]:
    (played,) = converse(tools, [DONE])
    return played.requests[0]["tools"]


def real_tools() -> list[Callable[..., Any]]:
    """Every search tool that the project itself offers a model, each under its name once."""
    billing = find_corpus("billing")
    slots = [tool for plan in billing.plans for tool in slot_tools(plan, billing, Evidence())]
    folder = folder_tool(Folder(Path(__file__).parent / "data/office"), Evidence())
    return list({tool.__name__: tool for tool in (*slots, folder)}.values())


def schema_faults(schema: Any, where: str) -> list[str]:
    """What the API could refuse or misread in a declared schema."""
    if not isinstance(schema, dict) or "type" not in schema:
        return [f"{where}: no type"]
    found = [f"{where}: a default"] if "default" in schema else []
    if not all(isinstance(each, str) for each in schema.get("enum", [])):
        found.append(f"{where}: a choice that is no text")
    if schema["type"] == "array" and not schema.get("items"):
        found.append(f"{where}: a list of anything")
    if schema["type"] != "object":
        return found if schema.get("description") else [*found, f"{where}: no description"]
    properties = schema.get("properties") or {}
    if not properties or not set(schema.get("required", [])) <= set(properties):
        found.append(f"{where}: an object without properties, or with others required")
    for name, each in properties.items():
        found += schema_faults(each, f"{where}.{name}")
    return found


def test_sc_01_postponed_annotations_are_resolved_and_failures_are_seen(converse: Converse):
    assert search_products.__annotations__["max_price"].startswith("Annotated[")
    wanted = [{"name": "가온", "max_price": 30000}, {"top_k": "several"}]
    (played,) = converse([search_products], [calling("search_products", *wanted), DONE])
    ran, failed = responses(played)
    assert ran["output"]["saw"]["max_price"] == 30000 and ran["output"]["price"] == 10_000
    assert failed["error"]["code"] == "invalid_arguments" and "invalid_arguments" in played.trace


def test_sc_02_defaults_stay_in_the_code(converse: Converse):
    (tool,) = declared(converse, search_products, retrieve)
    products, other = (each["parametersJsonSchema"] for each in tool["functionDeclarations"])
    assert "default" not in set(strings(tool))
    assert (products["required"], other["required"]) == ([], ["kind"])


def test_sc_03_every_schema_can_be_read_in_one_way_only(converse: Converse):
    (tool,) = declared(converse, *real_tools(), search_products, retrieve, today)
    declarations = tool["functionDeclarations"]
    assert [each["name"] for each in declarations] == [
        "find_steps", "find_permission", "search_documents", "search_products", "retrieve", "today",
    ]  # fmt: skip
    assert all(each["description"].strip() for each in declarations)
    assert "parametersJsonSchema" not in declarations[-1]
    for each in declarations[:-1]:
        assert schema_faults(each["parametersJsonSchema"], each["name"]) == []


def bad_dict(filters: Annotated[dict[str, Any], "which"]) -> str:
    """Take an object of anything."""
    return ""


def bad_any(value: Annotated[Any, "what"]) -> str:
    """Take anything."""
    return ""


def bad_choice(size: Annotated[Literal[1, 2], "how large"]) -> str:
    """Take a number as a choice."""
    return ""


@pytest.mark.parametrize("tool", [bad_dict, bad_any, bad_choice])
def test_sc_03_a_declaration_that_cannot_be_read_so_is_never_made(tool: Callable[..., Any]):
    with pytest.raises(TypeError, match=tool.__name__):
        Toolbox([tool])


def test_sc_05_one_tool_holds_all_declarations(converse: Converse):
    tools = declared(converse, search_products, retrieve, today)
    assert [[each["name"] for each in tool["functionDeclarations"]] for tool in tools] == [
        ["search_products", "retrieve", "today"]
    ]


def test_sc_07_choices_are_declared_and_checked_again(converse: Converse):
    turns = [
        calling("search_products", {"order": "가격순"}),
        calling("search_products", {"order": "name"}),
        DONE,
    ]
    (played,) = converse([search_products], turns)
    (tool,) = played.requests[0]["tools"]
    (declaration,) = tool["functionDeclarations"]
    assert declaration["parametersJsonSchema"]["properties"]["order"]["enum"] == ["price", "name"]
    (refused,) = responses(played, 1)
    assert refused["error"]["code"] == "invalid_arguments"
    assert refused["error"]["expected"]["order"]["enum"] == ["price", "name"]
    assert responses(played, 2)[0]["output"]["saw"]["order"] == "name"

"""``bareloop eval`` on a small set of our own, from the files to the page."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from agent.catalogue import SENTENCES
from agent.cli import main
from agent.evaluation.context_growth import STEPS, Growth, Search, growth, played
from agent.evaluation.evaluate import PLAYED
from agent.evaluation.material import Distractors, Material
from agent.evaluation.sets import SETS, halves, read_distractors, read_set
from agent.evaluation.summary import against_tables, systems_table
from agent.evaluation.systems import Answering, System
from agent.limits import Limits
from agent.offline.model import OfflineModel
from agent.offline.scripted import ScriptedGemini
from agent.offline.server import serve
from tools.documents import Passage
from tools.filter_context import lexical_selector
from tools.index.indexed import IndexedCorpus

DATA = Path(__file__).parent.parent / "data" / "eval_small"

Evaluate = Callable[..., dict[str, Any]]


@pytest.fixture(autouse=True)
def kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BARELOOP_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("BARELOOP_LANG", "en")


@pytest.fixture
def evaluate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Evaluate:
    """Run the command and return its report."""

    def run(name: str, *flags: str, data: Path = DATA) -> dict[str, Any]:
        out = tmp_path / "out"
        code = main(["eval", name, "--data", str(data), "--out", str(out), "--json", *flags])
        told = capsys.readouterr()
        assert code == 0, told.err
        report: dict[str, Any] = json.loads(told.out)
        assert report == json.loads((out / "report.json").read_text("utf-8"))
        return report

    return run


def mean(report: dict[str, Any], system: str, figure: str) -> float:
    return float(report["systems"][system][figure]["mean"])


# The sets


def test_a_question_has_the_passages_that_its_set_names() -> None:
    questions = read_set("hotpotqa100", DATA)
    by_id = {each.id: each for each in questions.texts}
    first, *_, last = questions.items
    assert {by_id[each].context for each in first.gold} == {"Ana Torvik", "Skarn Light"}
    assert first.answer == "Odo Fells" and first.kind == "bridge"
    assert [by_id[each].text[:16] for each in last.gold] == ["The Glass Market"]


def test_a_step_of_several_sentences_is_one_facet() -> None:
    questions = read_set("strategyqa_gold", DATA)
    assert [len(item.facets) for item in questions.items] == [2, 1]
    assert [len(item.gold) for item in questions.items] == [2, 2]
    assert len(questions.texts) == 7


def test_a_question_without_evidence_is_unanswerable() -> None:
    items = read_set("multihoprag500", DATA).items
    assert [(len(item.gold), item.answer) for item in items] == [
        (2, "no"),
        (2, "A maker of sails"),
        (0, ""),
    ]
    context = read_set("multihoprag500", DATA).texts[0].context
    assert context == "Council votes for night buses | The Coast Post | 2025-03-02"


def test_korean_sets() -> None:
    questions = read_set("korquad1", DATA)
    assert [item.answer for item in questions.items] == [
        "1987년",
        "31미터",
        "달무리 곶",
        "은결 도서관",
    ]
    assert questions.items[0].gold == questions.items[1].gold != questions.items[2].gold
    facts = read_set("strategyqa_ko", DATA)
    assert [(item.answer, len(item.gold)) for item in facts.items] == [("예", 2), ("아니오", 1)]


def test_a_distractor_is_no_passage_of_the_set() -> None:
    titles = [each.context for each in read_distractors(DATA, read_set("hotpotqa100", DATA))]
    assert titles == ["Torvik Glacier", "Granite", "Sisters of Arn", "Pool of Siss"]


def test_the_halves_are_the_even_and_the_odd_questions() -> None:
    items = read_set("hotpotqa100", DATA).items
    parts = halves(items)
    assert [each.id for each in parts["even"]] == ["q1", "q3", "q5"]
    assert [each.id for each in parts["odd"]] == ["q2", "q4", "q6"]


# The figures


def test_the_loop_finds_what_one_search_misses(evaluate: Evaluate) -> None:
    report = evaluate("hotpotqa100", "--depth", "1")
    single, loop = report["systems"]["single"], report["systems"]["loop"]
    assert mean(report, "single", "found") < 0.5 < mean(report, "loop", "found") == 1
    assert single["searching"]["searches"] == 1 < loop["searching"]["searches"] <= 3
    against = report["against"]["loop"]
    assert against["missed_found"] == against["missed"] == 5 and against["lost"] == 0
    assert against["differences"]["found"]["mean"] == pytest.approx(
        mean(report, "loop", "found") - mean(report, "single", "found")
    )
    low, high = against["differences"]["found"]["interval"]
    assert 0 < low < high <= 1
    assert against["gain_per_cost"]["per_1000_tokens"] > 0
    assert against["gain_per_cost"]["per_usd"] is None


def test_what_cannot_be_answered_is_never_complete_and_here_not_shown(evaluate: Evaluate) -> None:
    report = evaluate("multihoprag500", "--system", "loop")
    answers = report["systems"]["loop"]["answers"]
    assert report["questions"] == 3 and report["answerable"] == 2
    assert answers["unanswerable"] == 1 and answers["unanswerable_complete"] == 0
    assert answers["unanswerable_shown"] == 0 and answers["shown"] == pytest.approx(2 / 3)
    assert answers["with_the_answer"] == 1


def test_systems_may_be_listed_with_commas(evaluate: Evaluate) -> None:
    report = evaluate("hotpotqa100", "--system", "single, loop", "--limit", "1")
    assert [*report["systems"]] == ["single", "loop"]


@pytest.mark.parametrize("written", ["0", "-1", "x", "1.5", ""])
def test_a_count_that_is_none_is_told_in_words(
    capsys: pytest.CaptureFixture[str], written: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["eval", "hotpotqa100", "--data", str(DATA), f"--limit={written}"])
    assert ended.value.code == 2
    assert f"{written} will not do; give a number from 1 on" in capsys.readouterr().err


def test_it_is_said_where_evidence_counts_as_missed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    flags = ["--data", str(DATA), "--out", str(tmp_path / "out"), "--limit", "1"]
    assert main(["eval", "hotpotqa100", *flags]) == 0
    assert "\nevidence newly missed, among the first ten" in capsys.readouterr().out


def test_distractors_lie_in_the_same_index_or_in_a_corpus_of_their_own(evaluate: Evaluate) -> None:
    report = evaluate(
        "hotpotqa100", "--system", "loop", "--system", "loop@same", "--system", "loop@corpora"
    )
    assert [*report["systems"]] == ["loop", "loop@same", "loop@corpora"]
    assert report["systems"]["loop"]["corpora"] == {}
    assert report["systems"]["loop@corpora"]["corpora"]["among"] == 1
    assert report["against"]["loop@corpora"]["ratios"]["requests"]["ratio"] == 1


@pytest.mark.parametrize("name", ["korquad1", "strategyqa_ko"])
def test_korean_questions_find_their_evidence(evaluate: Evaluate, name: str) -> None:
    report = evaluate(name)
    assert mean(report, "single", "found") == mean(report, "loop", "found") == 1


def test_how_the_prompt_grows_is_kept_by_step(evaluate: Evaluate) -> None:
    report = evaluate("hotpotqa100", "--system", "loop")
    usage = report["systems"]["loop"]["usage"]
    steps = usage["prompt_tokens_by_step"]
    assert len(steps) >= 4 and steps == sorted(steps)
    assert usage["questions_by_step"][0] == 6
    assert usage["prompt_tokens"] * 6 == pytest.approx(
        sum(n * mean for n, mean in zip(usage["questions_by_step"], steps, strict=True))
    )


# How the context grows


def long_passages(target: Path) -> Path:
    """A set of one question, about a line of each of ten long passages."""

    def long(n: int) -> str:
        others = (f"건물 {n}동 회의실 {each}호는 총무팀이 소독하고 환기한다." for each in range(30))
        return " ".join([f"{n}번 창고의 등대지기 명부는 달무리가 지킨다.", *others])

    paragraphs = [
        {
            "context": long(n),
            "qas": [{"id": "k", "question": "등대지기 명부는?", "answers": [{"text": "달무리"}]}][
                : 1 - n
            ],
        }
        for n in range(10)
    ]
    file = target / "korquad1" / "KorQuAD_v1.0_dev.json"
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps({"data": [{"title": "창고", "paragraphs": paragraphs}]}), "utf-8")
    return target


@pytest.mark.parametrize(("language", "place"), [("ko", 0), ("en", 1)])
@pytest.mark.parametrize("pays", [True, False])
def test_the_growth_of_the_context_is_charted(
    evaluate: Evaluate,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    language: str,
    place: int,
    pays: bool,
) -> None:
    data = long_passages(tmp_path / "set") if pays else DATA
    report = evaluate("korquad1", "--lang", language, data=data)
    context = report["context"]
    raw, filtered, gold = context["raw"], context["filtered"], context["gold"]
    assert context["steps"] == 10 and gold["raw"] == raw
    for each in (context, gold):
        totals = each["filtered"]
        assert len(raw) == len(totals) == 10 and totals == sorted(totals)
        crossed = [step for step in range(2, 11) if totals[step - 1] <= raw[step - 1]]
        assert each["break_even"] == (crossed[0] if crossed else None)
        assert bool(crossed) == pays and (each["saved"] > 0) == pays
    assert (gold["filtered"][-1] > filtered[-1]) == pays  # a long one has more than its words
    caption = SENTENCES["eval.chart.context"][place].partition("(")[0].format(steps=10)
    text = (tmp_path / "out" / "report.html").read_text("utf-8")
    figures = [each for each in ElementTree.fromstring(text).iter() if each.tag.endswith("figure")]
    (chart,) = (each for each in figures if "".join(each.itertext()).startswith(caption))
    dots = [each for each in chart.iter() if each.tag.endswith("circle")]
    assert ["".join(each.itertext()) for each in dots] == [
        f"{n:.0f}" for n in (*raw, *filtered, *gold["filtered"])
    ]
    key = "eval.context.paid" if pays else "eval.context.never"
    sentence = ""
    for way, each in (("filtered", context), ("gold", gold)):
        numbers = {
            "way": SENTENCES[f"eval.context.{way}"][place],
            "selector": round(each["selector"]),
            "steps": 10,
            "raw": round(raw[-1]),
            "filtered": round(each["filtered"][-1]),
            "break_even": each["break_even"],
            "saved": f"{each['saved']:.0%}",
        }
        sentence = SENTENCES[key][place].replace(":token/tokens}", "} tokens").format(**numbers)
        assert sentence in text
    flags = ["--data", str(data), "--out", str(tmp_path / "out"), "--lang", language]
    assert main(["eval", "korquad1", *flags]) == 0
    assert capsys.readouterr().out.rstrip().endswith(sentence)


def test_every_token_of_both_ways_is_counted_and_the_selectors_too() -> None:
    found = [Passage(f"p{n}", "\n".join(f"등대 {n} {i}" for i in range(80)), "s") for n in range(4)]

    def search() -> Search:
        rest = iter(found)
        return lambda words: [*islice(rest, 2)]

    grown = growth("등대", ["하나", "둘"], search)
    assert grown is not None and grown.searches == 2
    for narrowing, tokens in ((False, grown.raw), (True, grown.filtered)):
        select = lexical_selector if narrowing else None
        one = played("등대", ["하나", "둘"], search(), STEPS, select)
        assert one is not None
        assert one[1].steps == STEPS + narrowing
        assert one[1].usage.tokens == sum(tokens)
        assert one[0].selector == narrowing * grown.selector
    assert grown.selector > 0


@pytest.mark.parametrize(
    ("searches", "filtered", "break_even"),
    [
        (1, (9, 11, 10), 2),
        (1, (9, 12, 9), 3),
        (1, (9, 12, 10), None),
        (2, (9, 9, 13), None),
        (2, (9, 9, 12), 3),
    ],
)
def test_the_break_even_is_the_first_step_after_the_selection_that_has_used_no_more(
    searches: int, filtered: tuple[float, ...], break_even: int | None
) -> None:
    assert Growth(searches, (10, 10, 10), filtered, 1).break_even == break_even


def test_a_question_that_finds_nothing_is_not_charted(evaluate: Evaluate, tmp_path: Path) -> None:
    data = long_passages(tmp_path / "set")
    file = data / "korquad1" / "KorQuAD_v1.0_dev.json"
    file.write_text(
        file.read_text("utf-8").replace(json.dumps("등대지기 명부는?"), '"zzz"'), "utf-8"
    )
    assert evaluate("korquad1", data=data)["context"] is None
    assert "filter_context" not in (tmp_path / "out" / "report.html").read_text("utf-8")


def test_ten_questions_are_charted_at_most(evaluate: Evaluate, tmp_path: Path) -> None:
    data = larger(tmp_path / "larger", 2)
    asked = ("hotpotqa100", "--system", "single", "--limit")
    assert evaluate(*asked, "9", data=data)["context"]["questions"] == 9
    assert evaluate(*asked, "11", data=data)["context"]["questions"] == PLAYED == 10


# The command


def test_the_page_stands_alone_and_has_a_chart_for_each_theme(
    evaluate: Evaluate, tmp_path: Path
) -> None:
    evaluate("hotpotqa100", "--lang", "ko")
    text = (tmp_path / "out" / "report.html").read_text("utf-8")
    page = ElementTree.fromstring(text)
    names = {each.tag.rpartition("}")[2] for each in page.iter()}
    assert {"svg", "rect", "polyline", "line", "table"} <= names
    assert not names & {"script", "link", "img", "iframe", "object", "image", "use"}
    intervals = [each for each in page.iter() if each.get("class") == "whisker"]
    assert len(intervals) == 2 * 5
    outside = [
        value
        for each in page.iter()
        for name, value in each.attrib.items()
        if name.rpartition("}")[2] in ("href", "src") or "url(" in value
    ]
    assert outside == [] and "@import" not in text and "url(" not in text
    assert not set(re.findall(r"https?://[^\"' ]+", text)) - {
        "http://www.w3.org/1999/xhtml",
        "http://www.w3.org/2000/svg",
    }
    assert "prefers-color-scheme: dark" in text
    assert "hotpotqa100 평가" in text and "재현율@10" in text


def test_the_summary_names_every_figure_in_words(evaluate: Evaluate) -> None:
    report = evaluate("multihoprag500", "--distractors", "corpora")
    tables = [systems_table(report, "ko"), *(table for _, table in against_tables(report, "ko"))]
    told = [row[0] for _, rows in tables for row in rows]
    assert SENTENCES["eval.figure"][0] not in told and len(told) > 40


def without_time(report: dict[str, Any]) -> dict[str, Any]:
    for figures in report["systems"].values():
        figures.pop("latency")
    for against in report["against"].values():
        against["differences"].pop("seconds")
        against["ratios"].pop("seconds")
    return report


def larger(target: Path, times: int) -> Path:
    """The small set with its questions asked ``times`` over."""
    shutil.copytree(DATA, target)
    file = target / "hotpotqa100" / "hotpotqa_train.json"
    rows = json.loads(file.read_text("utf-8"))
    many = [{**row, "_id": f"{row['_id']}-{n}"} for n in range(times) for row in rows]
    file.write_text(json.dumps(many), "utf-8")
    return target


@pytest.mark.parametrize(("end", "code"), [(signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, 130)])
def test_a_run_that_was_ended_goes_on_and_gives_the_same_figures(
    evaluate: Evaluate, tmp_path: Path, end: signal.Signals, code: int
) -> None:
    data = larger(tmp_path / "larger", 8)
    out = tmp_path / "out"
    answers = out / "answers.jsonl"
    command = ["eval", "hotpotqa100", "--data", str(data), "--out", str(out)]
    process = subprocess.Popen(
        [sys.executable, "-m", "agent.cli", *command],
        env={**os.environ, "PYTHONPATH": str(DATA.parents[2])},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and lines(answers) < 8:
        time.sleep(0.002)
    process.send_signal(end)
    assert process.wait() == code
    assert b'"interrupted"' not in answers.read_bytes()
    assert 8 <= lines(answers) < 97 and not (out / "report.json").exists()
    before = answers.read_bytes().rpartition(b"\n")[0] + b"\n"
    answers.write_bytes(before + b'{"question": "q1-3", "sys')
    resumed = evaluate("hotpotqa100", data=data)
    assert answers.read_bytes().startswith(before)
    assert lines(answers) == 97
    shutil.rmtree(out)
    assert without_time(resumed) == without_time(evaluate("hotpotqa100", data=data))


def lines(file: Path) -> int:
    return file.read_bytes().count(b"\n") if file.exists() else 0


def test_a_later_run_may_add_a_system_and_ask_no_question_twice(
    evaluate: Evaluate, tmp_path: Path
) -> None:
    answers = tmp_path / "out" / "answers.jsonl"
    evaluate("hotpotqa100", "--system", "single")
    before = answers.read_bytes()
    report = evaluate("hotpotqa100", "--system", "single", "--system", "auto")
    assert answers.read_bytes().startswith(before) and lines(answers) == 13
    assert [*report["systems"]] == ["single", "auto"]


def test_every_other_question_is_put_to_the_systems_the_other_way_round(
    evaluate: Evaluate, tmp_path: Path
) -> None:
    evaluate("hotpotqa100", "--limit", "3")
    rows = (tmp_path / "out" / "answers.jsonl").read_text("utf-8").splitlines()[1:]
    order = [json.loads(row)["system"] for row in rows]
    assert order == ["single", "loop", "loop", "single", "single", "loop"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nothing"], "There is no question set nothing"),
        (["hotpotqa100", "--system", "twice"], "There is no system twice"),
        (["hotpotqa100", "--system", "loop@moon"], "There is no system loop@moon"),
        (["hotpotqa100", "--judge"], "There is no model to judge"),
        (["hotpotqa100", "--data", "/nowhere/at/all"], "hotpotqa_train_corpus.json of hotpotqa100"),
        (["hotpotqa100", "--depth", "7"], "holds answers of another evaluation"),
        (["strategyqa_gold"], "holds answers of another evaluation"),
        (["hotpotqa100"], "holds answers of another evaluation"),
    ],
)
def test_a_mistake_is_one_sentence(
    arguments: list[str],
    told: str,
    evaluate: Evaluate,
    tmp_path: Path,
    capsys: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    evaluate("hotpotqa100", "--limit", "1", "--system", "single")
    if arguments == ["hotpotqa100"]:
        monkeypatch.setenv("BARELOOP_MAX_ROUNDS", "1")
    out = ["--data", str(DATA), "--out", str(tmp_path / "out")]
    assert main(["eval", *out, *arguments]) == 2
    error = capsys.readouterr().err
    assert told in error and "Traceback" not in error and len(error.splitlines()) == 1


def test_answers_from_other_passages_are_those_of_another_evaluation(
    evaluate: Evaluate, tmp_path: Path, capsys: Any
) -> None:
    evaluate("hotpotqa100", "--limit", "1", "--system", "single")
    other = larger(tmp_path / "other", 1)
    file = other / "hotpotqa100" / "hotpotqa_train_corpus.json"
    articles = json.loads(file.read_text("utf-8"))
    articles["Skarn Light"].append("It is painted white.")
    file.write_text(json.dumps(articles), "utf-8")
    out = ["--data", str(other), "--out", str(tmp_path / "out")]
    assert main(["eval", "hotpotqa100", *out]) == 2
    assert "holds answers of another evaluation" in capsys.readouterr().err


def test_a_file_in_another_form_is_one_sentence(tmp_path: Path, capsys: Any) -> None:
    data = larger(tmp_path / "broken", 1)
    (data / "hotpotqa100" / "hotpotqa_train.json").write_text('[{"question": "?"}]')
    assert main(["eval", "hotpotqa100", "--data", str(data), "--out", str(tmp_path / "out")]) == 2
    assert "cannot be read (KeyError('supporting_facts'))" in capsys.readouterr().err


def test_an_index_that_was_never_finished_is_made_anew(evaluate: Evaluate, tmp_path: Path) -> None:
    before = evaluate("korquad1", "--system", "single")
    for folder in (tmp_path / "data" / "evaluation").iterdir():
        shutil.rmtree(folder)
        folder.mkdir()
    shutil.rmtree(tmp_path / "out")
    assert without_time(evaluate("korquad1", "--system", "single")) == without_time(before)


@pytest.mark.parametrize("name", SETS)
def test_every_set_is_evaluated(evaluate: Evaluate, name: str) -> None:
    assert evaluate(name, "--limit", "1")["questions"] == 1


# With a model that can be asked


def scripted(*responses: dict[str, Any]) -> ScriptedGemini:
    call = {"name": "search_documents", "args": {"query": "Ana Torvik lighthouse"}}
    return ScriptedGemini(
        {
            "responses": [
                *responses,
                {"calls": [call], "when": {"last_response": ""}, "repeat": "always"},
                {"text": "Ana Torvik kept the Skarn Light [hotpot-1].", "repeat": "always"},
            ]
        }
    )


@pytest.mark.parametrize("verdict", ["yes", "no", "maybe", "after a wait"])
def test_a_model_judges_what_was_answered(
    verdict: str, evaluate: Evaluate, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = {"when": {"system_text": "everything that the answer says"}}
    refused = [asked | {"status": 429, "retry_s": 0}] if verdict == "after a wait" else []
    verdict = "yes" if refused else verdict
    judge = asked | {"text": json.dumps(verdict), "repeat": "always"}
    gemini = scripted(*refused, judge)
    with serve(responder=gemini) as server:
        monkeypatch.setenv("GEMINI_API_KEY", "x")
        monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", server.url)
        flags = ("--model", "gemini-3.8-flash", "--judge", "--limit", "1", "--system", "single")
        report = evaluate("hotpotqa100", *flags)
    judged = report["systems"]["single"]["citations"]["judged"]
    meant = "unknown" if verdict == "maybe" else verdict
    assert judged == {"yes": 0, "no": 0, "unknown": 0, meant: 1}
    # the verdict costs, but not the question
    assert report["systems"]["single"]["usage"]["requests"] == 2
    judging = report["systems"]["single"]["citations"]["judging"]
    assert judging["tokens"] > 0 and judging["cost_usd"] is None
    told = "\n".join(" ".join(line) for line in systems_table(report, "en")[1])
    assert "tokens of judging" in told and "cost of judging" not in told
    told = [each for each in gemini.requests if each.path.endswith("generateContent")]
    assert len(told) == 3 + len(refused)
    # the text of an answer is no instruction to the judge
    material = told[-1].body["contents"][0]["parts"][0]["text"]
    assert "⟦answer⟧ Ana Torvik kept" in material and "⟦hotpot-1⟧ Ana Torvik" in material


def test_a_model_that_does_not_answer_ends_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with serve(responder=ScriptedGemini({"responses": [{"status": 403, "repeat": "always"}]})) as (
        server
    ):
        monkeypatch.setenv("GEMINI_API_KEY", "x")
        monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", server.url)
        out = tmp_path / "out"
        command = ["eval", "hotpotqa100", "--data", str(DATA), "--out", str(out)]
        assert main([*command, "--model", "gemini-3.8-flash", "--system", "single"]) == 2
    assert "failed three times in a row (rejected)" in capsys.readouterr().err


def test_a_question_that_the_model_did_not_answer_is_asked_again(
    evaluate: Evaluate, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = {"status": 403, "when": {"last_response": ""}}
    flags = ("--model", "gemini-3.8-flash", "--limit", "2", "--system", "single")
    with serve(responder=scripted(refused)) as server:
        monkeypatch.setenv("GEMINI_API_KEY", "x")
        monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", server.url)
        first = evaluate("hotpotqa100", *flags)["systems"]["single"]["answers"]
        again = evaluate("hotpotqa100", *flags)["systems"]["single"]["answers"]
    assert first["stop_reason"] == {"answered": 1, "rejected": 1}
    assert again["stop_reason"] == {"answered": 2}


class Slow(Material):
    """Passages whose index takes its time."""

    def corpus(self, distractors: Distractors) -> IndexedCorpus:
        time.sleep(1.5)
        return super().corpus(distractors)


def test_making_an_index_is_no_time_of_a_question(tmp_path: Path) -> None:
    questions = read_set("hotpotqa100", DATA)
    material = Slow(questions, DATA, tmp_path, lambda name: None)
    answering = Answering(material, OfflineModel(), Limits(), 10, False)
    assert answering.answer(questions.items[0], System("single"))["seconds"] < 1.5
    material.close()


# What lies in the folder already

DAMAGED = [
    b"{}",
    b"[]",
    b"null",
    b"7",
    b'"stop_reason"',
    b"\xff\xfe\x00",
    b"[" * 100_000,
    b'{"question": [], "system": {}, "stop_reason": "answered"}',
]


@pytest.mark.parametrize("language", ["ko", "en"])
def test_a_damaged_line_is_told_does_not_count_and_its_question_is_asked_again(
    evaluate: Evaluate, tmp_path: Path, capsys: pytest.CaptureFixture[str], language: str
) -> None:
    flags = ("--limit", "2", "--system", "single", "--lang", language)
    before = evaluate("hotpotqa100", *flags)
    answers = tmp_path / "out" / "answers.jsonl"
    terms, first, second = answers.read_bytes().splitlines()
    changed = second.replace(b'"steps": ', b'"steps": 1')
    row = {key: value for key, value in json.loads(second).items() if key != "seconds"}
    damaged = [*DAMAGED, changed, json.dumps(row).encode()]
    answers.write_bytes(b"\n".join([terms, first, *damaged, b""]))
    out = ["--data", str(DATA), "--out", str(tmp_path / "out")]
    assert main(["eval", "hotpotqa100", *out, "--json", *flags]) == 0
    told = capsys.readouterr()
    (line,) = (each for each in told.err.splitlines() if "answers.jsonl" in each)
    assert f"{len(damaged)}" in line and ("깨진 줄" if language == "ko" else "damaged") in line
    assert without_time(json.loads(told.out)) == without_time(before)
    assert answers.read_bytes().splitlines()[:2] == [terms, first] and lines(answers) == 3
    assert main(["eval", "hotpotqa100", *out, *flags]) == 0
    assert "answers.jsonl" not in capsys.readouterr().err


@pytest.mark.parametrize("language", ["ko", "en"])
@pytest.mark.parametrize("name", ["answers.jsonl", "report.json", "report.html"])
@pytest.mark.parametrize("kind", ["notes", "json", "one line", "link", "dangling", "folder"])
def test_what_is_not_of_an_evaluation_is_left_as_it_is_before_anything_is_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, kind: str, language: str
) -> None:
    out = tmp_path / "own"
    out.mkdir()
    mine = out / name
    target = tmp_path / "kept"
    match kind:
        case "link" | "dangling":
            mine.symlink_to(target)
            if kind == "link":
                target.write_text("")
        case "folder":
            mine.mkdir()
        case _:
            text = {"notes": "내 글\n", "json": '{"version": 1}\n', "one line": '{"version": 2}'}
            mine.write_text(text[kind], "utf-8")
    before = None if mine.is_dir() or mine.is_symlink() else mine.read_bytes()
    flags = ["--data", str(DATA), "--out", str(out), "--limit", "1", "--lang", language]
    assert main(["eval", "hotpotqa100", *flags]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert name in line and "Traceback" not in line
    assert [each.name for each in out.iterdir()] == [name]
    assert before is None or mine.read_bytes() == before
    assert not target.exists() or target.read_text() == ""


def test_an_empty_file_and_its_own_reports_are_written_over(
    evaluate: Evaluate, tmp_path: Path
) -> None:
    (tmp_path / "out").mkdir()
    for name in ("answers.jsonl", "report.json", "report.html"):
        (tmp_path / "out" / name).touch()
    evaluate("hotpotqa100", "--limit", "1", "--lang", "ko")
    evaluate("hotpotqa100", "--limit", "2")


@pytest.mark.parametrize(("language", "place"), [("ko", 0), ("en", 1)])
@pytest.mark.parametrize("written", ["", " "])
def test_an_empty_name_is_no_folder(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    written: str,
    language: str,
    place: int,
) -> None:
    monkeypatch.chdir(tmp_path)
    flags = ["--data", str(DATA), "--out", written, "--limit", "1", "--lang", language]
    assert main(["eval", "hotpotqa100", *flags]) == 2
    assert capsys.readouterr().err.strip() == SENTENCES["eval.no_out"][place]
    assert [each.name for each in tmp_path.iterdir() if each.name != "data"] == []

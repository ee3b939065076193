"""A question whose answer lies in four places: only the server's id leads from one to the next."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.asking import Ask, asker, cited, copied, ids, renamed, swap

WHOLE = [
    "프로젝트 X에 쓰인 서버 사양, 최근 장애 원인, 담당 팀의 후속 조치까지 알려줘",
    "프로젝트 X에 사용된 서버의 사양과 최근 장애 원인, 담당 팀의 후속 조치까지 알려줘.",
    "What are the specs of the server Project X uses, the cause of its latest outage, and the "
    "follow-up of the owning team?",
    "project x: server specification, why the last incident happened, how the team followed up",
]
SPEC = ["프로젝트 X의 서버 사양은?", "What is the spec of Project X's server?"]
FOUND = {
    "project": "project-x",
    "spec": "assets/srv-prod-17",
    "incident": "incidents.log:8",
    "followup": "issues/424",
}
FILES = {
    "notes": list(FOUND),
    "assets.csv": ["spec"],
    "incidents.log": ["incident", "followup"],
    "issues.jsonl": ["followup"],
}


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Ask:
    return asker(capsys)


@pytest.mark.parametrize("where", [(), ("--corpus", "projectx")])
@pytest.mark.parametrize("question", WHOLE)
def test_complete_with_evidence_from_every_source(ask: Ask, question: str, where: tuple[str, ...]):
    record = ask(*where, question)
    assert (record["status"], record["stop_reason"], record["code"]) == ("complete", "answered", 0)
    assert ids(record) == FOUND and cited(record) == {*FOUND.values()}
    assert record["sources"] == ["projectx"] and record["missing"] == []
    assert {each["source"] for each in record["evidence"]} == {
        "projectx/notes", "projectx/assets", "projectx/incidents", "projectx/issues",
    }  # fmt: skip
    assert (len(record["searches"]), record["rounds"], record["steps"]) == (4, 3, 4)
    assert record["sub_questions"] == [
        "Which server the project runs on, and which team owns it",
        "The specification of that server",
        "The latest incident of that server whose cause is known",
        "What the owning team did after that incident",
    ]
    for fact in ("32 cores", "연결을 모두 붙잡고", "20 connections"):
        assert fact in record["answer"]
    for trap in ("INC-2988", "INC-3120", "route-crew", "store-crew", "64 cores", "8 cores,"):
        assert trap not in record["answer"]


@pytest.mark.parametrize("question", [WHOLE[0], WHOLE[2]])
def test_each_round_ends_with_a_verdict(ask: Ask, question: str):
    """What is covered by then with its evidence, what is missing, and what is searched next."""
    record = ask(question)
    queries = [
        [each["query"] for each in record["searches"] if each["step"] == step] for step in (2, 3)
    ]
    assert list(map(len, queries)) == [2, 1]
    slots = [*FOUND]
    assert record["sufficiency"] == [
        {
            "sufficient": count == 4,
            "covered": slots[:count],
            "missing": slots[count:],
            "next_queries": following,
            "evidence": {slot: [FOUND[slot]] for slot in slots[:count]},
        }
        for count, following in zip((1, 3, 4), [*queries, []], strict=True)
    ]


@pytest.mark.parametrize("question", [WHOLE[0], WHOLE[2]])
def test_three_rounds_are_enough_and_two_are_not(ask: Ask, question: str):
    assert ask("--max-rounds", "3", question)["status"] == "complete"
    record = ask("--max-rounds", "2", question)
    assert (record["status"], record["stop_reason"]) == ("incomplete", "max_rounds")
    assert (record["missing"], record["code"], record["answer"]) == (["followup"], 3, None)


@pytest.mark.parametrize("question", SPEC)
def test_one_hop_leads_to_the_server(ask: Ask, question: str):
    record = ask(question)
    assert (record["status"], record["sources"]) == ("complete", ["projectx"])
    assert ids(record) == {"project": "project-x", "spec": "assets/srv-prod-17"}
    assert [each["query"] for each in record["searches"]][1] == "srv-prod-17"


@pytest.mark.parametrize(
    ("question", "server"),
    [("프로젝트 Z 서버 사양", "170"), ("spec of the server of Project K", "1")],
)
def test_servers_with_near_names_are_not_mixed_up(ask: Ask, question: str, server: str):
    assert ids(ask(question))["spec"] == f"assets/srv-prod-{server}"


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("question", [WHOLE[0], WHOLE[2]])
def test_without_one_source_it_is_incomplete_and_says_what_is_missing(
    ask: Ask, tmp_path: Path, question: str, name: str
):
    folder = copied("projectx", tmp_path)
    path = folder / name
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    record = ask("--corpus", str(folder), question)
    assert (record["status"], record["code"], record["answer"]) == ("incomplete", 3, None)
    assert record["missing"] == FILES[name]
    assert FILES[name][0] in record["message"]
    failed = [each for each in record["searches"] if each["outcome"] == "unavailable"]
    assert {each["slot"] for each in failed} == {FILES[name][0]}
    assert not [each for each in record["searches"] if each["outcome"] == "none"]


@pytest.mark.parametrize("name", list(FILES)[1:])
@pytest.mark.parametrize("question", [WHOLE[0], WHOLE[2]])
def test_a_source_that_was_emptied_holds_nothing_and_was_asked(
    ask: Ask, tmp_path: Path, question: str, name: str
):
    """As a log is that begins anew: none of its lines has a day, as there are none."""
    folder = copied("projectx", tmp_path)
    (folder / name).write_text("", "utf-8")
    record = ask("--corpus", str(folder), question)
    assert (record["status"], record["code"], record["answer"]) == ("incomplete", 3, None)
    assert record["missing"] == FILES[name]
    nothing = [each["slot"] for each in record["searches"] if each["outcome"] == "none"]
    assert {*nothing} == {FILES[name][0]}


@pytest.mark.parametrize(
    ("name", "gone"),
    [
        ("assets.csv", "srv-prod-17,"),
        ("incidents.log", "ERROR srv-prod-17"),
        ("issues.jsonl", '"number": 4'),
    ],
)
def test_what_a_source_does_not_hold_is_missing_and_nothing_else_stands_in(
    ask: Ask, tmp_path: Path, name: str, gone: str
):
    folder = copied("projectx", tmp_path)
    path = folder / name
    lines = path.read_text("utf-8").splitlines()
    path.write_text("\n".join(line for line in lines if gone not in line), "utf-8")
    record = ask("--corpus", str(folder), WHOLE[0])
    assert record["missing"] and set(record["missing"]) <= set(FILES[name])
    assert [each["outcome"] for each in record["searches"]].count("none") >= 1
    assert record["code"] == 3


@pytest.mark.parametrize("question", [WHOLE[0], WHOLE[2]])
def test_a_row_that_only_names_the_server_is_not_its_row(ask: Ask, tmp_path: Path, question: str):
    folder = copied("projectx", tmp_path)
    assets = folder / "assets.csv"
    text = assets.read_text("utf-8").replace("kr-central,Debian 12", "beside srv-prod-17,Debian 12")
    lines = [each for each in text.splitlines() if not each.startswith("srv-prod-17,")]
    assets.write_text("\n".join(lines), "utf-8")
    record = ask("--corpus", str(folder), question)
    assert (record["status"], record["missing"]) == ("incomplete", ["spec"])


def test_the_latest_incident_counts_and_not_the_best_fitting_one(ask: Ask, tmp_path: Path):
    folder = copied("projectx", tmp_path)
    log = folder / "incidents.log"
    text = log.read_text("utf-8").replace("2025-05-18T02", "2025-09-14T04")
    log.write_text(text, "utf-8")
    record = ask("--corpus", str(folder), WHOLE[0])
    assert ids(record)["incident"] == "incidents.log:2" and ids(record)["followup"] == "issues/371"


def test_the_same_time_in_another_zone_is_compared_as_time(ask: Ask, tmp_path: Path):
    folder = copied("projectx", tmp_path)
    log = folder / "incidents.log"
    # 18:19 UTC on the day before is 03:19 in Seoul: a minute before INC-3107
    early = log.read_text("utf-8").replace("2025-05-18T02:14:09+09:00", "2025-09-13T18:19:00+00:00")
    log.write_text(early, "utf-8")
    assert ids(ask("--corpus", str(folder), WHOLE[0]))["incident"] == "incidents.log:8"
    log.write_text(early.replace("T18:19:00", "T18:21:00"), "utf-8")
    assert ids(ask("--corpus", str(folder), WHOLE[0]))["incident"] == "incidents.log:2"


@pytest.mark.parametrize(
    ("day", "incident"), [("2025-09-14", "incidents.log:8"), ("2025-09-13", "incidents.log:2")]
)
def test_latest_as_of_a_day(ask: Ask, day: str, incident: str):
    for question in (
        f"{day} 기준 프로젝트 X의 장애 원인",
        f"as of {day}, the last outage of Project X",
    ):
        record = ask(question)
        assert ids(record)["incident"] == incident and day in record["message"]


@pytest.mark.parametrize(
    ("question", "day", "incident"),
    [
        ("What caused the failure of Project X on 2025-09-14?", "2025-09-14", "incidents.log:8"),
        ("What caused the failure of Project X on 2025-12-25?", "2025-12-25", None),
        ("2025년 5월 18일에 난 프로젝트 X 장애의 원인은?", "2025-05-18", "incidents.log:2"),
        ("2025년 6월 10일에 난 프로젝트 X 장애의 원인은?", "2025-06-10", None),
        ("2025-09-13 프로젝트 X 장애 원인은?", "2025-09-13", None),
        ("어제 프로젝트 X 장애 원인은?", "", None),
        ("What caused yesterday's outage of Project X?", "", None),
        ("2025-09-14에 난 프로젝트 X 장애의 원인과 후속 조치는?", "2025-09-14", "incidents.log:8"),
    ],
)
def test_what_happened_on_a_day_is_of_that_day(ask: Ask, question: str, day: str, incident):
    record = ask("--lang", "en", question)
    assert ids(record).get("incident") == incident and day in record["message"]
    assert record["status"] == ("complete" if incident else "incomplete")
    if incident is None:
        assert "incident" in record["missing"] and "alone." in record["message"]


OTHER = {
    "srv-": "box-",
    "prod-17": "live-80",
    "INC-": "CASE-",
    "platform-crew": "harbour-crew",
    "project): X": "project): V",
    "3107": "9001",
    "424": "777",
    "project-x": "page-one",
    '"notes"': '"pages"',
    '"assets"': '"machines"',
    "projectx": "shipyard",
}


@pytest.mark.parametrize("question", [WHOLE[0], WHOLE[2]])
def test_nothing_hangs_on_these_names(ask: Ask, tmp_path: Path, question: str):
    folder = renamed("projectx", tmp_path, {**OTHER, 'path = "pages"': 'path = "notes"'})
    record = ask("--corpus", str(folder), re.sub(r"(프로젝트|Project) X", r"\1 V", question))
    assert record["status"] == "complete"
    assert ids(record) == {
        "project": "page-one",
        "spec": "machines/box-live-80",
        "incident": "incidents.log:8",
        "followup": "issues/777",
    }
    assert "CASE-9001" in record["answer"] and "srv" not in record["answer"]
    assert swap(WHOLE[0], OTHER) == WHOLE[0]


@pytest.mark.parametrize(
    ("question", "source", "found"),
    [
        ("노을 구내식당은 언제 열어?", "canteen", "hours"),
        ("When does the Noeul canteen open?", "canteen", "hours"),
        ("노을에서 연차 휴가는 며칠이야?", "personnel", "leave"),
        ("How many days of leave are there at Noeul?", "personnel", "leave"),
        ("노을의 프로젝트 W는 언제 종료됐어?", "archive", "project-w"),
        ("When was Project Q of Noeul closed?", "archive", "project-q"),
        (SPEC[0], "projectx", "project-x"),
        (SPEC[1], "projectx", "project-x"),
    ],
)
def test_each_question_finds_its_corpus(ask: Ask, question: str, source: str, found: str):
    record = ask(question)
    assert (record["status"], record["sources"]) == ("complete", [source])
    assert found in cited(record)


@pytest.mark.parametrize("question", ["프로젝트 X의 날씨는?", "Is Project X fun?", "서버 사양은?"])
def test_what_no_plan_covers_is_unsupported(ask: Ask, question: str):
    assert (ask(question)["status"], ask(question)["code"]) == ("unsupported", 4)


def test_each_tool_searches_its_own_source(tmp_path: Path):
    from agent.evidence import Evidence
    from agent.search_tools import slot_tools
    from tools.corpus import find_corpus

    corpus = find_corpus("projectx")
    plan = corpus.plan_for(WHOLE[0])
    assert plan is not None
    told = [tool.__doc__ or "" for tool in slot_tools(plan, corpus, Evidence())]
    for source, text in zip(corpus.sources, told, strict=True):
        assert f"{source.name} ({source.role}, {source.language})" in text
    assert len({*told}) == len(told)
    for slot in plan.slots:
        place = corpus.source_of(slot)
        found = corpus.retrieve(slot, "srv-prod-17 프로젝트 INC-3107", None)
        assert {each.source for each in found} == {f"projectx/{place.name}"}

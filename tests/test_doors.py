"""The same question through every door gives the same record: in process, over HTTP with the
official SDK, streaming. And the same corpus in other words works without a change of code."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agent.ask import ask
from agent.limits import Limits
from agent.messages import Model
from agent.models.gemini import GeminiModel
from agent.offline.model import OfflineModel
from agent.offline.responder import OfflineGemini
from agent.offline.server import serve
from agent.run import Run
from tools.corpus import find_corpus, read_corpus
from tools.documents import Folder

ROOT = Path(__file__).parent.parent
OFFICE = ROOT / "tests/data/office"
DIFFERS = {"request_id", "asked_at", "model", "latency", "seconds", "trace"}


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serve() as server:
        yield server.url


@pytest.fixture(params=["in process", "plain", "streaming"])
def model(request: pytest.FixtureRequest, url: str) -> Model:
    if request.param == "in process":
        return OfflineModel()
    return GeminiModel(
        "gemini-3.8-flash", api_key="key", base_url=url, stream=request.param == "streaming"
    )


def same(record: dict[str, Any]) -> dict[str, Any]:
    """The part of a record that no door may change."""
    return {name: value for name, value in record.items() if name not in DIFFERS}


@pytest.mark.parametrize(
    ("question", "limits"),
    [
        ("invoice export steps and permission", Limits()),
        ("청구서를 내보내려면 어떤 권한이 필요해?", Limits()),
        ("invoice export", Limits(max_searches=2)),
        ("invoice export", Limits(max_steps=2)),
        ("weather", Limits()),
    ],
)
def test_the_billing_corpus(model: Model, question: str, limits: Limits):
    corpus = find_corpus("billing")
    expected = ask(question, corpus, OfflineModel(), limits).as_record()
    assert same(ask(question, corpus, model, limits).as_record()) == same(expected)


@pytest.mark.parametrize("question", ["노트북을 잃어버리면?", "guest wifi network?", "점심 메뉴?"])
def test_a_folder(model: Model, question: str):
    expected = ask(question, Folder(OFFICE), OfflineModel()).as_record()
    assert same(ask(question, Folder(OFFICE), model).as_record()) == same(expected)


def test_the_history_of_a_door_differs_only_in_ids(model: Model):
    def history(door: Model) -> str:
        contents = ask("invoice export", find_corpus("billing"), door).contents
        assert contents[1]["parts"][0]["functionCall"]["id"]
        for content in contents:
            for part in content["parts"]:
                part.get("functionCall", {}).pop("id", None)
                part.get("functionResponse", {}).pop("id", None)
        return json.dumps(contents, ensure_ascii=False)

    assert history(model) == history(OfflineModel())


def test_a_conversation_goes_on(model: Model):
    run = ask("노트북을 잃어버리면?", Folder(OFFICE), model)
    for question in ("병가 진단서는?", "숙박비는 하룻밤 얼마?", "노트북을 잃어버리면?"):
        run = ask(question, Folder(OFFICE), model, run=Run.following(run))
        assert (run.status, run.stop_reason) == ("open", "answered")


OTHER = """
name = "riego"
description = "Huerto: bombas y turnos de riego"
prepared_only = true
[[plan]]
all_words = ["bomba", "reiniciar"]
slots = ["pasos", "turno"]
[slots.pasos]
description = "Cómo se reinicia"
documents = "guia-*"
queries = ["arranque", "reiniciar bomba"]
[slots.turno]
description = "Quién está de turno"
documents = "turno-*"
queries = ["guardia hoy"]
must_match = "ext\\\\. \\\\d+"
"""


def test_a_corpus_in_other_words_and_another_language(model: Model, tmp_path: Path):
    (tmp_path / "corpus.toml").write_text(OTHER, encoding="utf-8")
    (tmp_path / "guia-3.md").write_text("Para reiniciar la bomba, pulse el botón.", "utf-8")
    (tmp_path / "turno-9.md").write_text("Guardia de hoy: Marta, ext. 42.", encoding="utf-8")
    run = ask("¿Cómo reiniciar la bomba?", read_corpus(tmp_path), model)
    assert run.status == "complete" and run.answer is not None
    assert "[guia-3]" in run.answer and "[turno-9]" in run.answer
    assert [search.query for search in run.evidence.searches] == [
        "arranque", "reiniciar bomba", "guardia hoy",
    ]  # fmt: skip


HOPS = """
name = "자산"
prepared_only = true
[[plan]]
all_words = ["프로젝트", "사양"]
slots = ["프로젝트", "사양"]
[slots."프로젝트"]
tool = "find_project"
documents = "노트-*"
queries = ["프로젝트 서버"]
[slots."사양"]
tool = "find_spec"
documents = "자산-*"
needs = { server = "srv-[a-z]+-\\\\d+" }
queries = ["{server} 사양"]
must_match = "{server}"
"""


def test_a_second_slot_that_needs_a_value_of_the_first(model: Model, tmp_path: Path):
    (tmp_path / "corpus.toml").write_text(HOPS, encoding="utf-8")
    (tmp_path / "노트-1.md").write_text("프로젝트 가온은 서버 srv-edge-31 에서 돈다.", "utf-8")
    (tmp_path / "자산-30.md").write_text("srv-edge-30 사양: CPU 4개", encoding="utf-8")
    (tmp_path / "자산-31.md").write_text("srv-edge-31 사양: CPU 16개", encoding="utf-8")
    run = ask("프로젝트 가온 서버의 사양은?", read_corpus(tmp_path), model)
    assert run.status == "complete" and "CPU 16개 [자산-31]" in str(run.answer)
    (tmp_path / "자산-31.md").unlink()
    run = ask("프로젝트 가온 서버의 사양은?", read_corpus(tmp_path), model)
    assert (run.status, run.stop_reason, run.missing) == ("incomplete", "exhausted", ["사양"])


def test_a_strict_endpoint_takes_our_history():
    """Ids are echoed and signatures come back even where the API insists on both."""
    from agent.offline.protocol import Rules

    with serve(responder=OfflineGemini(Rules(ids="echoed", signatures="required"))) as server:
        model = GeminiModel("gemini-3.8-flash", api_key="key", base_url=server.url)
        assert ask("invoice export", find_corpus("billing"), model).status == "complete"

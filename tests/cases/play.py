"""Plays a conversation: the official SDK against a scripted server on this machine, and around it
what the command uses."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent.ask import Source, ask
from agent.chat.telling import progress, result
from agent.messages import Model
from agent.models.gemini import GeminiModel
from agent.offline.scripted import Recorded, ScriptedGemini
from agent.offline.server import serve
from agent.run import Run
from agent.settings import language_for
from agent.traces.jsonl import JsonlTrace
from tests.cases.case import Case
from tests.cases.legality import faults
from tools.corpus import find_corpus, read_corpus
from tools.documents import Folder
from tools.filters import parse_where
from tools.products import read_products

KEY = "AIzaSyOFNOBODY-only-for-tests-000000000"
"""Long enough to be a real one, so that it must not turn up anywhere."""

Answer = Callable[[str, Model, Run, Callable[[float], None]], Run]
"""Answers a question: (question, model, run, sleep)."""

_MACHINERY = re.compile(
    r"functionCall|functionResponse|function_call|default_api|tool_code|thoughtSignature"
    r'|Traceback|\{\s*"'
)
"""What a reader must never see."""


@dataclass(frozen=True)
class Played:
    """What one question led to."""

    run: Run
    requests: list[Any]
    """The bodies that were sent, in order."""
    screen: str
    """Progress, drafts of a stream, and the result."""
    waits: list[float]
    retries: int
    trace: str


@dataclass
class Stage:
    """A conversation under way; every question is checked for what holds in all cases."""

    model: Model
    gemini: ScriptedGemini
    answer: Answer
    drafts: list[str]
    folder: Path
    previous: Run | None = None

    def ask(self, question: str) -> Played:
        """Ask the next question of the conversation."""
        language = language_for(question)
        lines: list[str] = []
        waits: list[float] = []
        retried: list[Any] = []
        trace = JsonlTrace(self.folder / f"{len(list(self.folder.glob('*.jsonl')))}.jsonl")
        run = Run.following(
            self.previous,
            language=language,
            listeners=(
                trace,
                progress(lines.append, language, verbose=False),
                lambda event: retried.append(event) if event["event"] == "wait" else None,
            ),
        )
        self.drafts.clear()
        sent_before = len(self.gemini.requests)
        run = self.answer(question, self.model, run, waits.append)
        trace.close()
        self.previous = run
        recorded = self.gemini.requests[sent_before:]
        played = Played(
            run,
            [each.body for each in recorded],
            "\n".join([*lines, "".join(self.drafts), result(run)]),
            waits,
            len(retried),
            trace.path.read_text(encoding="utf-8"),
        )
        _check_always(played, recorded)
        return played


@contextmanager
def stage(
    script: Mapping[str, Any],
    answer: Answer,
    folder: Path,
    *,
    streaming: bool = False,
    timeout_s: float = 10.0,
) -> Iterator[Stage]:
    """A conversation with the official SDK and a server that plays ``script`` to its end."""
    gemini = ScriptedGemini(script)
    drafts: list[str] = []
    with serve(responder=gemini) as server:
        model = GeminiModel(
            "gemini-3.8-flash",
            api_key=KEY,
            base_url=server.url,
            timeout_s=timeout_s,
            on_text=drafts.append,
            stream=streaming,
        )
        yield Stage(model, gemini, answer, drafts, folder)
    assert gemini.left == 0, f"{gemini.left} responses of the script were not asked for"


def play(case: Case, folder: Path, *, streaming: bool) -> list[Played]:
    """Every question of ``case``, in order."""
    source = _source(case, folder / "material")

    def answer(question: str, model: Model, run: Run, sleep: Callable[[float], None]) -> Run:
        return ask(question, source, model, case.limits, run, sleep=sleep)

    with stage(
        case.script, answer, folder, streaming=streaming, timeout_s=case.timeout_s
    ) as conversation:
        return [conversation.ask(question) for question in case.questions]


def _source(case: Case, folder: Path) -> Source:
    if isinstance(case.corpus, str):
        return find_corpus(case.corpus)
    folder.mkdir()
    files = case.documents or case.corpus or {}
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    if "products.toml" in files:
        return read_products(folder).where(parse_where(*case.where))
    return read_corpus(folder) if case.documents is None else Folder(folder)


def _check_always(played: Played, recorded: Sequence[Recorded]) -> None:
    """What holds for every question of every case."""
    run = played.run
    assert [each.path for each in recorded if each.refused] == []
    for body in played.requests:
        assert faults(body["contents"]) == []
        assert not [text for text in strings(body) if re.search(r"\\u[0-9a-f]{4}", text)]
    assert faults([*run.contents, {"role": "user", "parts": [{"text": "and now?"}]}]) == []
    assert run.message.strip() or (run.answer or "").strip()
    assert run.usage.requests == len(recorded)
    assert not _MACHINERY.search(played.screen)
    assert all(isinstance(json.loads(line), dict) for line in played.trace.splitlines())
    for text in (played.screen, played.trace, str([vars(each) for each in recorded])):
        assert KEY not in text


def strings(value: Any) -> Iterator[str]:
    """Every string in a JSON value, names included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for name, each in value.items():
            yield from (name, *strings(each))
    elif isinstance(value, list):
        for each in value:
            yield from strings(each)

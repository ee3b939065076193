"""What a scenario works with: the loop, the offline Gemini, and a trace of what happens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from agent.ask import Loop, Source, ask
from agent.catalogue import Language
from agent.lessons.loading import FUSE, FuseBlown, line_of
from agent.lessons.traces import Recorder, Trace
from agent.limits import DEFAULT_LIMITS, Limits
from agent.messages import Model
from agent.offline.model import OfflineModel
from agent.offline.policy import Part, next_turn
from agent.offline.protocol import Prompt, Rules
from agent.offline.responder import OfflineGemini, Responder
from agent.run import Run


class Stage:
    """One side of a comparison. ``loop`` is the loop to run, ``broken`` says whether a scenario
    that breaks something other than a line of the loop is to break it now, ``language`` is the
    reader's."""

    def __init__(self, loop: Loop, broken: bool, language: Language) -> None:
        self.loop = loop
        self.broken = broken
        self.language: Language = language
        self.recorder = Recorder(language)

    @property
    def trace(self) -> Trace:
        return self.recorder.trace

    def run(self, kind: type[Run] = Run) -> Run:
        """A new run whose events are recorded."""
        run = kind(language=self.language)
        self.recorder.follow(run)
        return run

    def model(self, policy: Callable[[Prompt], list[Part]] = next_turn) -> OfflineModel:
        """The offline Gemini, as strict as the API, with its requests recorded. ``policy`` decides
        the model's turns."""
        return self.model_of(OfflineGemini(Rules(ids="echoed"), policy))

    def model_of(self, responder: Responder, *, remote: bool = False) -> OfflineModel:
        """A model in front of another responder, for scripted replies and faults."""
        return OfflineModel(self.recorder.hear(responder), remote=remote)

    def ask(
        self,
        korean: str,
        english: str,
        source: Source | None,
        model: Model | None = None,
        limits: Limits = DEFAULT_LIMITS,
        run: Run | None = None,
        **options: Any,
    ) -> Run | None:
        """Ask as ``bareloop ask`` does, in the reader's language, with this stage's loop."""
        question = korean if self.language == "ko" else english
        run = run or self.run()
        return ask(question, source, model or self.model(), limits, run, loop=self.loop, **options)

    def note(self, key: str, **values: Any) -> None:
        """Write a line of the trace that no run writes by itself: ``lesson.note.<key>`` in the
        catalogue. Its values are facts for the signature."""
        self.trace.facts.update(values)
        told = {
            name: ", ".join(map(str, value)) or "-" if isinstance(value, list | tuple) else value
            for name, value in values.items()
        }
        self.recorder.add(f"lesson.note.{key}", **told)


Scenario = Callable[[Stage], Run | None]
"""Runs something on a stage and returns the run, or None where the loop returned nothing."""


def play(scenario: Scenario, loop: Loop, broken: bool, language: Language) -> Trace:
    """The trace of one side. Whatever the loop raises is a part of it."""
    stage = Stage(loop, broken, language)
    add = stage.recorder.add
    facts = stage.trace.facts
    try:
        returned = scenario(stage)
    except FuseBlown:
        facts["end"] = "fuse"
        add("lesson.trace.fuse", "②", steps=FUSE)
    except KeyboardInterrupt:
        raise
    except BaseException as failure:  # exit() in the loop ends the loop, not the lesson
        line, name = line_of(failure), type(failure).__name__
        facts.update({"end": "crash", "error": name, "line": line})
        add("lesson.trace.crash", like=name, error=name, message=str(failure), line=line or "?")
    else:
        if returned is None and "end" not in facts:
            facts["end"] = "none"
            add("lesson.trace.nothing")
    facts["searched"] = len(facts["queries"])
    return stage.trace

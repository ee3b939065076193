"""What every question of one command shares: settings, model, limits, material and trace."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from agent.catalogue import Language, Problem, say, tell
from agent.chat.place import AUTO, Place, indexed_library, open_place
from agent.console import aside
from agent.json_safe import clean
from agent.settings import Settings, build_model, build_search, data_folder, language_for, own_keys
from tools.home import tilde
from tools.problems import InputError

if TYPE_CHECKING:
    from agent.ask import Source
    from agent.messages import Model
    from agent.proposals import Confirm, Settled
    from agent.run import Event, Route, Run
    from agent.traces.jsonl import JsonlTrace
    from tools.corpus import Corpus
    from tools.index.indexed import About
    from tools.library import Library
    from tools.search_web import WebSearch


class World(NamedTuple):
    """What questions meet outside of this program: the model and the web (None for those that the
    settings name), the day it is, and how waiting is done."""

    model: Model | None = None
    web: WebSearch | None = None
    today: Callable[[], date] = date.today
    sleep: Callable[[float], None] = time.sleep


class Room:
    """Where questions are answered. ``on_text`` gets drafts of the model as they come.

    Raises Problem and InputError for a place that is not there and a trace that cannot be written.
    """

    def __init__(
        self,
        settings: Settings,
        place: Place = AUTO,
        *,
        narrow: bool = False,
        route: Route | None = None,
        trace: Path | None = None,
        on_text: Callable[[str], None] | None = None,
        world: World | None = None,
    ) -> None:
        self.settings = settings
        self.narrow = narrow
        self.route: Route | None = route
        self._on_text = on_text
        self._world = world or World()
        self.place = AUTO
        self._source: Source | None = None
        self._settled: Settled | None = None
        self.move_to(place)
        self._trace: JsonlTrace | None = self._open_trace(trace)

    @property
    def language(self) -> Language:
        """The language of everything but answers."""
        return self.settings.language or "en"

    @cached_property
    def model(self) -> Model:
        """Built with the first question: the SDK takes its time to load."""
        return self._world.model or build_model(self.settings, self._on_text)

    @cached_property
    def _corpora(self) -> list[Corpus]:
        from tools.corpus import installed_corpora

        return installed_corpora()

    @cached_property
    def _web(self) -> WebSearch:
        """One for everything that is asked of the web, so that a page keeps its id."""
        return self._world.web or build_search(self.settings)

    @cached_property
    def _library(self) -> Library | None:
        return indexed_library(self.settings)

    def _indexed(self) -> tuple[str, ...]:
        """The indexed corpora for the reader, with what opens those that are closed."""
        from tools.permission import PUBLIC

        permitted = self.settings.permissions | {PUBLIC}
        return tuple(
            each.name
            if each.permission in permitted
            else f"{each.name} (--permission {each.permission})"
            for each in self._abouts()
        )

    def _abouts(self) -> Iterator[About]:
        """What is known of the indexed corpora; what cannot be read is told when it is searched."""
        from tools.index import indexed_names

        names: list[str] = []
        with suppress(InputError):
            names = indexed_names(data_folder())
        if not names:
            return
        from tools.index.indexed import read_about

        for name in names:
            with suppress(InputError):
                about = read_about(data_folder(), name)
                if about is not None:
                    yield about

    def corpora(self) -> list[Corpus]:
        """The corpora whose plans count for the next question; none for a source without plans."""
        from tools.corpus import Corpus

        if self.place.kind == "auto":
            return self._corpora
        return [self._source] if isinstance(self._source, Corpus) else []

    @property
    def searches_web(self) -> bool:
        """Whether the corpora of the next question search the web."""
        return any(corpus.searches_web for corpus in self.corpora())

    def unused(self, permissions: Sequence[str]) -> list[str]:
        """Those of ``permissions`` that nothing asks for which questions are answered from."""
        if not permissions:
            return []
        asked = {name for corpus in self.corpora() for name in corpus.asks_for}
        source = self._source
        if source is not None and source.kind == "index":
            asked.add(source.about.permission)
        elif source is not None and source.kind == "library":
            asked |= {about.permission for about in source.abouts}
        elif self.place.kind == "auto":
            asked |= {about.permission for about in self._abouts()}
        return [name for name in dict.fromkeys(permissions) if name not in asked]

    def speak(self, language: Language) -> None:
        """Change the language of everything but answers."""
        self.settings = replace(self.settings, language=language)

    def move_to(self, place: Place) -> None:
        """Answer from ``place`` from now on. Raises Problem and InputError, and stays."""
        source, notices = open_place(place, self.settings, lambda: self._web)
        self.place, self._source = place, source
        for notice in notices:
            aside(tell(notice, self.language))

    def source_for(self, question: str) -> Source | None:
        """Where a question is answered from: without a place, the corpus with a plan for it, else
        the indexed corpora, if some of them has words of it; None where nothing fits."""
        from tools.corpus import Corpus, choose_corpus, installed_corpora

        permissions = self.settings.permissions
        if not (found := self._source):
            found = choose_corpus(question, installed_corpora(question=question), permissions)
        if isinstance(found, Corpus):
            found = found.permitted(permissions)
            return found.asking(self._web) if found.searches_web else found
        if found:
            return found
        return self._library if self._library and self._library.covers(question) else None

    def run_for(
        self,
        question: str,
        previous: Run | None = None,
        listeners: tuple[Callable[[Event], None], ...] = (),
    ) -> Run:
        """The run that is to answer ``question``: of a conversation, or alone. Raises Problem for
        letters that were never put together."""
        from agent.run import Run

        if _is_loose(clean(question)):
            raise Problem("ask.loose_letters")
        traced = () if self._trace is None else (self._trace,)
        return Run.following(
            previous,
            language=language_for(question, self.settings.language),
            listeners=(*traced, *listeners),
            trace=None if self._trace is None else tilde(self._trace.path),
            there=self._indexed() if self.place.kind == "auto" else (),
        )

    def settle(self, question: str, confirm: Confirm) -> None:
        """Ask the person, before the question is answered, about conditions that it states; they
        hold for this question alone."""
        from agent.proposals import settle

        language = language_for(question, self.settings.language)
        source = self.source_for(question)
        self._settled = settle(clean(question).strip(), source, language, confirm, aside)

    def answer(self, question: str, run: Run) -> Run:
        """Answer a question with its run. Evidence of earlier questions does not count where this
        one has conditions of its own, which it need not keep."""
        from agent.ask import ask

        settled = self._settled_for(question)
        source = settled.source if settled else self.source_for(question)
        earlier = run.ledger
        if settled:
            run.proposals = settled.proposals
            run.ledger = {} if settled.holds else earlier
        web = _web_of(source)
        if web is not None:
            web.keep(run.ledger.values())
        try:
            return ask(
                question,
                source,
                self.model,
                self.settings.limits,
                run,
                narrowing=self.narrow,
                route=self.route,
                sleep=self._world.sleep,
                today=self._world.today,
            )
        finally:
            run.ledger = earlier | run.ledger

    def told(self, run: Run) -> str:
        """The result as text, with what stands apart from it."""
        from agent.chat.telling import result

        return "\n".join([result(run), *self.apart(run)])

    def apart(self, run: Run) -> list[str]:
        """What would come with another condition, where the conditions leave nothing."""
        settled = self._settled_for(run.question)
        source = settled.source if settled and settled.holds else self._source
        if not (self.place.where or (settled and settled.holds)):
            return []
        if run.evidence is None or run.evidence.found:
            return []
        if source is not None and source.kind == "index":
            from agent.conditions import left_nothing

            return left_nothing(source, run.language)
        from agent.product_tools import told_apart
        from tools.products import ProductCorpus

        if not isinstance(source, ProductCorpus):
            return []
        return told_apart(source, run.question, run.language)

    def _settled_for(self, question: str) -> Settled | None:
        settled = self._settled
        return settled if settled and settled.question == clean(question).strip() else None

    def close(self) -> None:
        """Give back the trace file; say so if it is not whole."""
        if self._trace is not None:
            self._trace.close()
            if self._trace.failed:
                aside(say("trace.failed", self.language, path=self._trace.path))

    def _open_trace(self, path: Path | None) -> JsonlTrace | None:
        if path is None:
            return None
        from agent.traces.jsonl import JsonlTrace

        return JsonlTrace(path, own_keys())


def _web_of(source: Source | None) -> WebSearch | None:
    """What searches the web for a source, where something does."""
    if source is None:
        return None
    if source.kind == "web":
        return source
    return source.web if source.kind == "plans" else None


def _is_loose(question: str) -> bool:
    """Whether all letters of a question are single Hangul letters (jamo), as an input method
    leaves them that does not put them together."""
    letters = [each for each in question if each.isalnum()]
    return bool(letters) and all("\u3131" <= each <= "\u318e" for each in letters)

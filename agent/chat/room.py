"""What every question of one command shares: settings, model, limits, material and trace."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from agent.catalogue import Language, Problem, say, tell
from agent.console import aside
from agent.settings import data_folder, language_for, read_settings

if TYPE_CHECKING:
    from agent.ask import Source
    from agent.limits import Limits
    from agent.messages import Model
    from agent.run import Run
    from agent.settings import Settings
    from agent.traces.jsonl import JsonlTrace
    from tools.corpus import Corpus


class Room:
    """What every question of one command shares: settings, model, limits, material and trace."""

    def __init__(self, args: argparse.Namespace) -> None:
        from agent.limits import Limits
        from agent.settings import build_model

        self.settings: Settings = read_settings(model=args.model, stream=args.stream or None)
        self.limits: Limits = Limits(max_steps=args.max_steps, max_searches=args.max_searches)
        self.language: Language = self.settings.language or "en"
        self._args = args
        self._source: Source | None = None
        self._corpora: list[Corpus] = []
        self._read_material()
        self._trace: JsonlTrace | None = self._open_trace()
        self.model: Model = build_model(self.settings, _draft if self.settings.stream else None)

    def answer(self, question: str, previous: Run | None) -> Run:
        """Answer one question of the conversation, telling on stderr what happens."""
        from agent.ask import ask
        from agent.chat.telling import progress
        from agent.run import Run
        from tools.corpus import choose_corpus

        language = language_for(question, self.settings.language)
        listeners: list[Any] = [] if self._trace is None else [self._trace]
        if self._args.verbose or not getattr(self._args, "json", False):
            listeners.append(progress(aside, language, self._args.verbose))
        run = Run.following(
            previous,
            language=language,
            listeners=tuple(listeners),
            trace=None if self._args.trace is None else str(self._args.trace),
        )
        source = self._source or choose_corpus(question, self._corpora)
        return ask(question, source, self.model, self.limits, run, narrowing=self._args.narrow)

    def told(self, run: Run) -> str:
        """The result as text, with what stands apart from it."""
        from agent.chat.telling import result

        lines = [result(run)]
        if self._args.where and run.evidence is not None and not run.evidence.found:
            from agent.product_tools import told_apart
            from tools.products import ProductCorpus

            if isinstance(self._source, ProductCorpus):
                lines += told_apart(self._source, run.question, run.language)
        return "\n".join(lines)

    def close(self) -> None:
        """Give back the trace file; say so if it is not whole."""
        if self._trace is not None:
            self._trace.close()
            if self._trace.failed:
                aside(say("trace.failed", self.language, path=self._trace.path))

    def _open_trace(self) -> JsonlTrace | None:
        if self._args.trace is None:
            return None
        from agent.traces.jsonl import JsonlTrace

        return JsonlTrace(self._args.trace)

    def _read_material(self) -> None:
        args = self._args
        if args.docs is not None:
            from tools.documents import Folder

            self._source = folder = Folder(args.docs)
            for skipped in folder.skipped:
                aside(tell(skipped, self.language))
        elif args.web:
            from agent.settings import build_search

            self._source = build_search(self.settings)
        elif args.corpus is not None:
            from tools.corpus import find_corpus
            from tools.index.indexed import IndexedCorpus, find_indexed, indexed_names
            from tools.products import find_products, installed_products

            data = data_folder()
            beside = [products.name for products in installed_products()] + indexed_names(data)
            self._source = (
                find_products(args.corpus)
                or find_indexed(data, args.corpus)
                or find_corpus(args.corpus, beside=beside)
            )
            if isinstance(self._source, IndexedCorpus):
                for notice in self._source.index.notices:
                    aside(tell(notice, self.language))
        else:
            from tools.corpus import installed_corpora

            self._corpora = installed_corpora()
        if args.where:
            self._source = _filtered(self._source, args.where)


def _filtered(source: Source | None, conditions: list[str]) -> Source:
    """The products or passages of ``source`` under the person's conditions. Raises Problem for a
    source without fields, because a condition that is not kept must not look kept."""
    from tools.filters import parse_where
    from tools.index.indexed import IndexedCorpus
    from tools.products import ProductCorpus

    if isinstance(source, IndexedCorpus):
        return source.where(*conditions)
    if not isinstance(source, ProductCorpus):
        raise Problem("cli.where_without_products")
    return source.where(parse_where(*conditions))


def _draft(text: str) -> None:
    """Show text as it streams in, as a draft: it has not passed the gate yet."""
    aside(text, end="")

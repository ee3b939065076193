"""The command: ``bareloop ask | chat | index | init | serve | doctor``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent.catalogue import Language, Problem, say, tell
from agent.console import aside, drop, forgive, shows_unicode
from agent.settings import data_folder, language_for, preferred_language, read_settings
from tools.problems import InputError

if TYPE_CHECKING:
    from agent.ask import Source
    from agent.limits import Limits
    from agent.messages import Model
    from agent.run import Run
    from agent.settings import Settings
    from agent.traces.jsonl import JsonlTrace
    from tools.corpus import Corpus


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    forgive()
    language = preferred_language()
    try:
        args = _parser(language or "en").parse_args(arguments)
        code: int = args.command(args)
        sys.stdout.flush()
        return code
    except (Problem, InputError) as problem:
        question = str(getattr(locals().get("args"), "question", ""))
        aside(tell(problem, language_for(question, language)))
        return 2
    except KeyboardInterrupt:
        aside("")
        return 130
    except OSError as failure:
        if not isinstance(failure, BrokenPipeError):
            aside(say("cli.system", language or "en", reason=failure.strerror or "?"))
        drop(sys.stdout)
        return 1


def _parser(language: Language) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="bareloop", description=say("cli.about", language))
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    ask = commands.add_parser("ask", help=say("cli.ask", language))
    ask.add_argument("question", nargs="+", help=say("cli.question", language))
    ask.add_argument("--json", action="store_true", help=say("cli.json", language))
    _add_run_options(ask, language)
    ask.set_defaults(command=_ask)

    chat = commands.add_parser("chat", help=say("cli.chat", language))
    _add_run_options(chat, language)
    chat.set_defaults(command=_chat)

    index = commands.add_parser("index", help=say("cli.index", language))
    index.add_argument(
        "paths", nargs="*", type=Path, metavar="PATH", help=say("cli.index_paths", language)
    )
    index.add_argument("--corpus", metavar="NAME", help=say("cli.index_corpus", language))
    index.add_argument(
        "--wait", type=float, default=10.0, metavar="SECONDS", help=say("cli.index_wait", language)
    )
    index.set_defaults(command=_index)

    init = commands.add_parser("init", help=say("cli.init", language))
    init.add_argument(
        "folder", nargs="?", type=Path, default=Path(), help=say("cli.init_folder", language)
    )
    init.set_defaults(command=_init)

    serve = commands.add_parser("serve", help=say("cli.serve", language))
    serve.add_argument("--host", default="127.0.0.1", help=say("cli.host", language))
    serve.add_argument("--port", type=int, default=0, help=say("cli.port", language))
    serve.add_argument("--script", type=Path, help=say("cli.script", language))
    serve.set_defaults(command=_serve)

    doctor = commands.add_parser("doctor", help=say("cli.doctor", language))
    doctor.add_argument("--model", help=say("cli.model", language))
    doctor.set_defaults(command=_doctor)
    return parser


def _add_run_options(parser: argparse.ArgumentParser, language: Language) -> None:
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--corpus", metavar="NAME", help=say("cli.corpus", language))
    source.add_argument("--docs", metavar="FOLDER", type=Path, help=say("cli.docs", language))
    source.add_argument("--web", action="store_true", help=say("cli.web", language))
    parser.add_argument(
        "--where",
        metavar="CONDITION",
        action="append",
        default=[],
        help=say("cli.where", language),
    )
    parser.add_argument("--narrow", action="store_true", help=say("cli.narrow", language))
    parser.add_argument("--max-steps", type=int, default=8, help=say("cli.max_steps", language))
    parser.add_argument(
        "--max-searches", type=int, default=3, help=say("cli.max_searches", language)
    )
    parser.add_argument("--model", help=say("cli.model", language))
    parser.add_argument("--stream", action="store_true", help=say("cli.stream", language))
    parser.add_argument("--trace", metavar="FILE", type=Path, help=say("cli.trace", language))
    parser.add_argument("--verbose", action="store_true", help=say("cli.verbose", language))


def _ask(args: argparse.Namespace) -> int:
    import json

    from agent.chat.telling import exit_code

    question = _read_stdin() if args.question == ["-"] else " ".join(args.question)
    room = _Room(args)
    run = room.answer(question, None)
    room.close()
    if room.settings.stream:
        aside("")
    if args.json:
        print(json.dumps(run.as_record(), ensure_ascii=not shows_unicode(), indent=1))
    else:
        print(room.told(run))
    return exit_code(run)


def _chat(args: argparse.Namespace) -> int:
    from agent.chat.prompt import converse

    room = _Room(args)
    if sys.stdin is None:
        return 0
    if sys.stdin.isatty():
        print(say("chat.welcome", room.language, model=room.model.name))
    try:
        return converse(room.answer, room.told, sys.stdin, print, room.language)
    finally:
        room.close()


def _index(args: argparse.Namespace) -> int:
    from agent.indexing import build_index

    language = preferred_language() or "en"
    return build_index(args.paths, args.corpus, data_folder(), language, args.wait)


def _init(args: argparse.Namespace) -> int:
    from agent.indexing import write_rules

    return write_rules(args.folder, preferred_language() or "en")


def _serve(args: argparse.Namespace) -> int:
    from agent.offline.server import main_serve

    return main_serve(args.host, args.port, args.script, preferred_language() or "en")


def _doctor(args: argparse.Namespace) -> int:
    from agent.doctor import examine

    return examine(args.model, print)


class _Room:
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


def _read_stdin() -> str:
    """A question from a pipe: UTF-8, else CP949, as older Korean consoles send it."""
    if sys.stdin is None:
        raise Problem("ask.empty_question")
    data = sys.stdin.buffer.read()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp949", "replace")


if __name__ == "__main__":
    sys.exit(main())

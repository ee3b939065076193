"""The command ``bareloop``: its subcommands, their options, and which function each calls."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent.catalogue import Language, Problem, say, tell
from agent.console import (
    aside,
    confirm,
    decode,
    drop,
    escaped,
    forgive,
    repair,
    show,
    shows_unicode,
    tell_damage,
    tell_failure,
    to_the_end,
)
from agent.settings import (
    Settings,
    build_model,
    data_folder,
    language_for,
    opensearch_login,
    preferred_language,
    read_settings,
)
from tools.problems import InputError

if TYPE_CHECKING:
    from agent.chat.place import Place

BUDGETS = ("max_steps", "max_searches", "max_rounds", "max_seconds", "max_tokens", "max_cost")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    forgive()
    os.umask(0o077)  # whatever a library writes too is for the person who runs it
    language = preferred_language()
    try:
        args = _parser(language or "en").parse_args(arguments)
        code: int = args.command(args)
        if sys.stdout is None:  # it was closed before the program began
            aside(say("cli.no_output", _spoken(args, language) or "en"))
            return 1
        sys.stdout.flush()
        return code
    except (Problem, InputError) as problem:
        question = str(getattr(locals().get("args"), "question", ""))
        aside(tell(problem, language_for(question, _spoken(locals().get("args"), language))))
        return 2
    except KeyboardInterrupt:
        aside("")
        return 130
    except OSError as failure:
        if not isinstance(failure, BrokenPipeError):
            tell_failure(failure, _spoken(locals().get("args"), language) or "en")
        drop(sys.stdout)
        return 1
    except Exception as damage:
        if not tell_damage(damage, _spoken(locals().get("args"), language) or "en"):
            raise
        return 2


def _spoken(args: argparse.Namespace | None, language: Language | None) -> Language | None:
    """The language that --lang names, else the preferred one."""
    return getattr(args, "lang", None) or language


def _parser(language: Language) -> argparse.ArgumentParser:
    parser = _Parser(
        prog="bareloop",
        description=say("cli.about", language),
        epilog=say("cli.examples", language),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(
        metavar="COMMAND", required=True, prog=parser.prog, parser_class=_Command
    )

    def add(name: str, options: Options, about: str = "", examples: str = "") -> None:
        more: dict[str, Any] = {}
        if examples:
            raw = argparse.RawDescriptionHelpFormatter
            more = {"epilog": say(examples, language), "formatter_class": raw}
        said = say(about or f"cli.{name}", language)
        commands.add_parser(name, help=said, options=options, language=language, **more)

    add("ask", _ask_options, examples="cli.ask_examples")
    add("chat", _chat_options, examples="cli.chat_examples")
    add("index", _index_options)
    add("init", _init_options)
    add("break", _break_options)
    add("smoke", _smoke_options, examples="cli.smoke_examples")
    add("trace", _trace_commands, about="cli.traces", examples="cli.trace_examples")
    add("eval", _eval_options, examples="cli.eval_examples")
    add("serve", _serve_options)
    add("doctor", _doctor_options)
    return parser


Formatter = type[argparse.HelpFormatter]
Options = Callable[[argparse.ArgumentParser, Language], None]
"""Adds the options of a subcommand."""


class _Parser(argparse.ArgumentParser):
    """Looks how wide the terminal is when it writes help: argparse does for every option that it
    is given, and loads 3 ms of modules to do so."""

    def __init__(
        self, *, formatter_class: Formatter = argparse.HelpFormatter, **given: Any
    ) -> None:
        super().__init__(formatter_class=partial(formatter_class, width=80), **given)
        self._written_by = formatter_class

    def format_help(self) -> str:
        self.formatter_class = self._written_by
        return super().format_help()

    def format_usage(self) -> str:
        self.formatter_class = self._written_by
        return super().format_usage()


class _Command(_Parser):
    """A subcommand, whose options are added when it is the one that is asked for: making those of
    all takes longer than to load what answers a question."""

    def __init__(
        self, *, options: Options | None = None, language: Language = "en", **given: Any
    ) -> None:
        super().__init__(**given)
        self._options = options
        self._language: Language = language

    def parse_known_args(self, *given: Any, **named: Any) -> Any:
        options, self._options = self._options, None
        if options:
            options(self, self._language)
        return super().parse_known_args(*given, **named)


def _ask_options(ask: argparse.ArgumentParser, language: Language) -> None:
    ask.add_argument("question", nargs="+", help=say("cli.question", language))
    shown = ask.add_mutually_exclusive_group()
    shown.add_argument("--json", action="store_true", help=say("cli.json", language))
    shown.add_argument("--jsonl", action="store_true", help=say("cli.jsonl", language))
    shown.add_argument("--quiet", action="store_true", help=say("cli.quiet", language))
    _add_run_options(ask, language)
    ask.set_defaults(command=_ask)


def _chat_options(chat: argparse.ArgumentParser, language: Language) -> None:
    earlier = chat.add_mutually_exclusive_group()
    earlier.add_argument(
        "--continue", dest="latest", action="store_true", help=say("cli.continue", language)
    )
    earlier.add_argument("--resume", metavar="ID", help=say("cli.resume", language))
    earlier.add_argument("--list", action="store_true", help=say("cli.list", language))
    _add_run_options(chat, language)
    chat.set_defaults(command=_chat)


def _index_options(index: argparse.ArgumentParser, language: Language) -> None:
    index.add_argument(
        "paths", nargs="*", type=Path, metavar="PATH", help=say("cli.index_paths", language)
    )
    index.add_argument("--corpus", metavar="NAME", help=say("cli.index_corpus", language))
    index.add_argument("--engine", metavar="ENGINE", help=say("cli.index_engine", language))
    index.add_argument("--semantic", action="store_true", help=say("cli.index_semantic", language))
    index.add_argument(
        "--wait", type=float, default=10.0, metavar="SECONDS", help=say("cli.index_wait", language)
    )
    index.add_argument("--empty", action="store_true", help=say("cli.index_empty", language))
    index.add_argument("--reread", action="store_true", help=say("cli.index_reread", language))
    index.set_defaults(command=_index)


def _init_options(init: argparse.ArgumentParser, language: Language) -> None:
    init.add_argument(
        "folder", nargs="?", type=Path, default=Path(), help=say("cli.init_folder", language)
    )
    init.set_defaults(command=_init)


def _serve_options(serve: argparse.ArgumentParser, language: Language) -> None:
    serve.add_argument("--host", default="127.0.0.1", help=say("cli.host", language))
    serve.add_argument("--port", type=int, default=0, help=say("cli.port", language))
    played = serve.add_mutually_exclusive_group()
    played.add_argument("--script", type=Path, help=say("cli.script", language))
    played.add_argument("--gguf", type=Path, metavar="FILE", help=say("cli.gguf", language))
    serve.add_argument(
        "--allow-remote", action="store_true", help=say("cli.allow_remote", language)
    )
    serve.set_defaults(command=_serve)


def _doctor_options(doctor: argparse.ArgumentParser, language: Language) -> None:
    doctor.add_argument("--model", help=say("cli.model", language))
    doctor.set_defaults(command=_doctor)


def _add_run_options(parser: argparse.ArgumentParser, language: Language) -> None:
    source = parser.add_mutually_exclusive_group()
    source.add_argument(
        "--corpus", metavar="NAME", action="append", help=say("cli.corpus", language)
    )
    source.add_argument("--docs", metavar="FOLDER", type=Path, help=say("cli.docs", language))
    source.add_argument("--web", action="store_true", help=say("cli.web", language))
    parser.add_argument(
        "--where",
        metavar="CONDITION",
        action="append",
        default=[],
        help=say("cli.where", language),
    )
    parser.add_argument(
        "--permission",
        metavar="NAME",
        action="append",
        default=[],
        help=say("cli.permission", language),
    )
    parser.add_argument("--narrow", action="store_true", help=say("cli.narrow", language))
    parser.add_argument(
        "--route", choices=["simple", "complex", "held"], help=say("cli.route", language)
    )
    for name in BUDGETS:
        flag = "--" + name.replace("_", "-")
        parser.add_argument(flag, metavar="N", help=say(f"cli.{name}", language))
    parser.add_argument("--model", help=say("cli.model", language))
    parser.add_argument("--lang", choices=["ko", "en"], help=say("cli.lang", language))
    parser.add_argument(
        "--stream",
        action=argparse.BooleanOptionalAction,
        default=None,
        help=say("cli.stream", language),
    )
    parser.add_argument("--trace", metavar="FILE", type=Path, help=say("cli.trace", language))
    parser.add_argument("--verbose", action="store_true", help=say("cli.verbose", language))


def _break_options(parser: argparse.ArgumentParser, language: Language) -> None:
    parser.add_argument(
        "exercise", nargs="?", default="", metavar="N", help=say("cli.break_exercise", language)
    )
    for name in ("predict", "explain", "repair"):
        parser.add_argument(
            f"--{name}",
            metavar="LINE" if name == "repair" else "TEXT",
            help=say(f"cli.break_{name}", language),
        )
    for name in ("hint", "edit", "reset", "verify"):
        parser.add_argument(
            f"--{name}", action="store_true", help=say(f"cli.break_{name}", language)
        )
    parser.add_argument("--report", metavar="FILE", help=say("cli.break_report", language))
    parser.add_argument("--name", help=say("cli.break_name", language))
    parser.add_argument("--lang", choices=["ko", "en"], help=say("cli.lang", language))
    parser.set_defaults(command=_break)


def _smoke_options(parser: argparse.ArgumentParser, language: Language) -> None:
    parser.add_argument(
        "paths", nargs="*", type=Path, metavar="FILE", help=say("cli.smoke_paths", language)
    )
    parser.add_argument("-k", metavar="TEXT", default="", help=say("cli.smoke_only", language))
    parser.add_argument("-x", action="store_true", help=say("cli.smoke_first", language))
    parser.add_argument(
        "--jobs", type=_count, default=1, metavar="N", help=say("cli.smoke_jobs", language)
    )
    parser.add_argument("--live", action="store_true", help=say("cli.smoke_live", language))
    parser.add_argument("--record", action="store_true", help=say("cli.smoke_record", language))
    parser.add_argument("--model", help=say("cli.model", language))
    parser.add_argument("--lang", choices=["ko", "en"], help=say("cli.lang", language))
    parser.add_argument("--junit", type=Path, metavar="FILE", help=say("cli.smoke_junit", language))
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--json", action="store_true", help=say("cli.json", language))
    shown.add_argument("--github", action="store_true", help=say("cli.smoke_github", language))
    shown.add_argument("--schema", action="store_true", help=say("cli.smoke_schema", language))
    parser.set_defaults(command=_smoke)


def _trace_commands(parser: argparse.ArgumentParser, language: Language) -> None:
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    def add(name: str, command: Callable[[argparse.Namespace], int]) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=say(f"cli.trace_{name}", language))
        added.set_defaults(command=command)
        return added

    def add_file(command: argparse.ArgumentParser) -> None:
        command.add_argument(
            "file", metavar="FILE", type=Path, help=say("cli.trace_file", language)
        )

    add_file(add("show", _trace_show))
    html = add("html", _trace_html)
    add_file(html)
    html.add_argument(
        "other", nargs="?", type=Path, metavar="OTHER", help=say("cli.trace_other", language)
    )
    html.add_argument(
        "--pair",
        type=_pair,
        action="append",
        default=[],
        metavar="A:B",
        help=say("cli.trace_pair", language),
    )
    html.add_argument(
        "--out", type=Path, required=True, metavar="PAGE", help=say("cli.trace_out", language)
    )
    diagnose = add("diagnose", _trace_diagnose)
    add_file(diagnose)
    diagnose.add_argument(
        "--evidence",
        action="append",
        default=[],
        metavar="ID",
        help=say("cli.trace_evidence", language),
    )
    stats = add("stats", _trace_stats)
    stats.add_argument("folder", metavar="DIR", type=Path, help=say("cli.trace_dir", language))
    stats.add_argument("--json", action="store_true", help=say("cli.json", language))
    export = add("export", _trace_export)
    add_file(export)
    export.add_argument(
        "--otlp", type=Path, required=True, metavar="OUT", help=say("cli.trace_otlp", language)
    )
    export.add_argument("--content", action="store_true", help=say("cli.trace_content", language))


def _eval_options(parser: argparse.ArgumentParser, language: Language) -> None:
    parser.add_argument("name", metavar="NAME", help=say("cli.eval_name", language))
    parser.add_argument(
        "--data", type=Path, required=True, metavar="DIR", help=say("cli.eval_data", language)
    )
    parser.add_argument(
        "--system", action="append", metavar="NAME", help=say("cli.eval_system", language)
    )
    parser.add_argument(
        "--distractors",
        choices=["none", "same", "corpora"],
        default="none",
        help=say("cli.eval_distractors", language),
    )
    parser.add_argument(
        "--half", choices=["all", "even", "odd"], default="all", help=say("cli.eval_half", language)
    )
    parser.add_argument("--limit", type=_count, metavar="N", help=say("cli.eval_limit", language))
    parser.add_argument("--out", metavar="DIR", help=say("cli.eval_out", language))
    parser.add_argument(
        "--depth", type=_count, default=10, metavar="N", help=say("cli.eval_depth", language)
    )
    parser.add_argument("--judge", action="store_true", help=say("cli.eval_judge", language))
    parser.add_argument("--json", action="store_true", help=say("cli.json", language))
    parser.add_argument("--model", help=say("cli.model", language))
    parser.add_argument("--lang", choices=["ko", "en"], help=say("cli.lang", language))
    parser.set_defaults(command=_eval)


def _count(written: str) -> int:
    """A number from 1 on, as a flag gives it."""
    try:
        number = int(written)
    except ValueError:
        number = 0
    if number < 1:
        told = say("cli.no_count", preferred_language() or "en", given=written)
        raise argparse.ArgumentTypeError(told)
    return number


def _listed(given: Sequence[str]) -> list[str]:
    """Names that a flag gives one by one or with commas between them."""
    return [name.strip() for each in given for name in each.split(",") if name.strip()]


def _pair(written: str) -> tuple[int, int]:
    """The numbers of two questions, as ``--pair`` gives them."""
    first, _, second = written.partition(":")
    return _count(first), _count(second or first)


def _settings(args: argparse.Namespace) -> Settings:
    """The settings of a command that answers questions."""
    return read_settings(
        model=args.model,
        stream=args.stream,
        language=args.lang,
        permissions=args.permission,
        **{name: getattr(args, name) for name in BUDGETS},
    )


def _place(args: argparse.Namespace, settings: Settings) -> Place | None:
    """Where the flags, or else the settings, say that questions are answered from; None for
    nowhere in particular."""
    from agent.chat.place import Place

    where = tuple(args.where)
    if args.web:
        return Place("web", "", where)
    docs = str(args.docs) if args.docs is not None else ""
    corpus = ",".join(dict.fromkeys(args.corpus or ()))
    if not docs and not corpus:
        docs, corpus = settings.docs, settings.corpus
    if docs or corpus:
        return Place("docs" if docs else "corpus", docs or corpus, where)
    return Place("auto", "", where) if where else None


def _ask(args: argparse.Namespace) -> int:
    from agent.chat.place import AUTO
    from agent.chat.room import Room
    from agent.chat.telling import exit_code, progress, short_result

    question = _question(args.question)
    settings = _settings(args)
    draft = _draft if settings.stream and not args.quiet else None
    place = _place(args, settings) or AUTO
    room = Room(
        settings, place, narrow=args.narrow, route=args.route, trace=args.trace, on_text=draft
    )
    listeners: list[Callable[[Any], None]] = []
    if args.jsonl:
        listeners.append(lambda event: print(_json(event), flush=True))
    if args.verbose or not (args.json or args.jsonl or args.quiet):
        language = language_for(question, settings.language)
        listeners.append(progress(aside, language, args.verbose))
    if unused := room.unused(_listed(args.permission)):
        language = language_for(question, settings.language)
        aside(say("ask.unused_permission", language, names=", ".join(unused)))
    run = room.run_for(question, None, tuple(listeners))
    room.settle(question, confirm)
    run = room.answer(question, run)
    room.close()
    if draft is not None:
        aside("")
    if args.json:
        show(_json(run.as_record(), indent=1))
    elif not args.jsonl:
        show(short_result(run) if args.quiet else room.told(run))
    return exit_code(run)


def _json(value: Any, indent: int | None = None) -> str:
    import json

    written = json.dumps(value, ensure_ascii=not shows_unicode(), indent=indent, default=str)
    return escaped(written)


def _chat(args: argparse.Namespace) -> int:
    from agent.chat.talk import show_sessions, talk

    if args.list:
        return show_sessions(data_folder(), args.lang or preferred_language() or "en", show)
    if args.resume is not None and not args.resume.strip():  # as from a variable that is not set
        raise Problem("session.no_id")
    settings = _settings(args)
    return talk(
        settings,
        _place(args, settings),
        data_folder(),
        narrow=args.narrow,
        route=args.route,
        trace=args.trace,
        verbose=args.verbose,
        resume="" if args.latest else args.resume,
    )


def _draft(text: str) -> None:
    """Show text as it streams in, as a draft: it has not passed the gate yet."""
    aside(text, end="")


def _index(args: argparse.Namespace) -> int:
    from agent.indexing import build_index
    from tools.index.semantic import installed_embedder

    language = preferred_language() or "en"
    return build_index(
        args.paths,
        args.corpus,
        data_folder(),
        language,
        args.wait,
        engine=args.engine,
        login=opensearch_login(),
        semantic=args.semantic,
        embedder=installed_embedder(),
        may_empty=args.empty,
        reread=args.reread,
    )


def _init(args: argparse.Namespace) -> int:
    from agent.indexing import write_rules

    return write_rules(args.folder, preferred_language() or "en")


def _break(args: argparse.Namespace) -> int:
    from agent.lessons.course import Wanted, course

    names = ("exercise", "predict", "explain", "repair", "hint", "edit", "reset", "verify")
    given = {name: getattr(args, name) for name in (*names, "report", "name")}
    language = args.lang or preferred_language() or "en"
    return to_the_end(lambda: course(Wanted(**given), data_folder(), language), language)


def _smoke(args: argparse.Namespace) -> int:
    from agent.smoke.playing import Way
    from agent.smoke.runner import Wanted, main, schema_text

    if args.schema:
        if args.paths:
            raise Problem("smoke.schema_alone")
        print(schema_text())
        return 0
    if not args.paths:
        raise Problem("smoke.no_paths")
    wanted = Wanted(
        paths=args.paths,
        way=Way(args.live, args.record, args.model),
        only=args.k,
        first=args.x,
        jobs=args.jobs,
        junit=args.junit,
        as_json=args.json,
        github=args.github,
    )
    return main(wanted, args.lang or preferred_language() or "en", show)


def _trace_show(args: argparse.Namespace) -> int:
    from agent.traces.command import show_trace

    return show_trace(args.file, preferred_language(), show)


def _trace_html(args: argparse.Namespace) -> int:
    from agent.traces.command import write_page

    return write_page(args.file, args.other, args.out, preferred_language(), args.pair)


def _trace_diagnose(args: argparse.Namespace) -> int:
    from agent.traces.command import diagnose_trace

    return diagnose_trace(args.file, args.evidence, preferred_language(), show)


def _trace_stats(args: argparse.Namespace) -> int:
    from agent.traces.command import write_stats

    return write_stats(args.folder, args.json, preferred_language(), show)


def _trace_export(args: argparse.Namespace) -> int:
    from agent.traces.command import write_spans

    return write_spans(args.file, args.otlp, args.content, preferred_language())


def _eval(args: argparse.Namespace) -> int:
    from agent.evaluation.evaluate import Evaluation, main
    from agent.evaluation.systems import read_system

    settings = read_settings(model=args.model, language=args.lang)
    names = _listed(args.system or ()) or ["single", "loop"]
    evaluation = Evaluation(
        name=args.name,
        data=args.data,
        systems=tuple(dict.fromkeys(read_system(name, args.distractors) for name in names)),
        half=args.half,
        limit=args.limit,
        depth=args.depth,
        judging=args.judge,
    )
    return main(
        evaluation,
        build_model(settings),
        settings.limits,
        _folder(args.out, Path("evaluations") / args.name),
        data_folder() / "evaluation",
        settings.language or preferred_language() or "en",
        args.json,
    )


def _folder(written: str | None, default: Path) -> Path:
    """The folder that a flag names. Raises Problem for a name that is empty, as an unset variable
    of a script leaves it: it would be the folder where the person is."""
    if written is not None and not written.strip():
        raise Problem("eval.no_out")
    return Path(written) if written else default


def _serve(args: argparse.Namespace) -> int:
    from agent.offline.server import main_serve

    language = preferred_language() or "en"
    return main_serve(
        args.host,
        args.port,
        args.script,
        language,
        allow_remote=args.allow_remote,
        gguf=args.gguf,
    )


def _doctor(args: argparse.Namespace) -> int:
    from agent.doctor import examine

    return examine(args.model, show)


def _question(given: Sequence[str]) -> str:
    """A question from the command line, or for ``-`` from a pipe, told of when a part of it could
    not be read. A locale without UTF-8 lets bytes of the command line through undecoded."""
    question, whole = decode(_piped()) if given == ["-"] else repair(" ".join(given))
    if not whole:
        aside(say("ask.replaced", language_for(question, preferred_language())))
    return question


def _piped() -> bytes:
    if sys.stdin is None:
        raise Problem("ask.empty_question")
    from agent.ask import LONGEST_QUESTION

    most = 4 * LONGEST_QUESTION  # bytes of as many characters in UTF-8
    data = sys.stdin.buffer.read(most + 1)
    if len(data) > most:
        raise Problem("ask.long_question", limit=LONGEST_QUESTION)
    return data


if __name__ == "__main__":
    sys.exit(main())

"""The command: ``bareloop ask | chat | index | init | serve | doctor``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from agent.catalogue import Language, Problem, say, tell
from agent.console import aside, drop, forgive, shows_unicode
from agent.settings import data_folder, language_for, preferred_language
from tools.problems import InputError


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

    from agent.chat.room import Room
    from agent.chat.telling import exit_code

    question = _read_stdin() if args.question == ["-"] else " ".join(args.question)
    room = Room(args)
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
    from agent.chat.room import Room

    room = Room(args)
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

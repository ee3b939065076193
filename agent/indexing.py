"""``bareloop index`` and ``bareloop init``: a person's own documents as a corpus."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING
from unicodedata import normalize

from agent.catalogue import Language, Problem, say, tell
from agent.console import aside, is_terminal, over, visible
from tools.home import tilde
from tools.index import ABOUT, indexed_names
from tools.index.engine import IndexFault
from tools.index.indexed import (
    About,
    corpus_name,
    index_folder,
    read_about,
    under,
    write_about,
)
from tools.index.server import ANONYMOUS, Login
from tools.permission import PUBLIC

if TYPE_CHECKING:
    from tools.index.index import Stray
    from tools.index.reading import ReadingError
    from tools.index.reading.files import Root
    from tools.index.reading.rules import Rules
    from tools.index.semantic import Embedder
    from tools.index.update import Update

_QUIET_SECONDS = 10.0
"""Between two lines of progress where no terminal shows a moving one."""

_MOST_ENDINGS = 5

LONGEST_WAIT = 86_400
"""Seconds: a day."""


def build_index(
    paths: Sequence[Path],
    name: str | None,
    data: Path,
    language: Language,
    wait: float,
    write: Callable[[str], object] = print,
    *,
    engine: str | None = None,
    login: Login = ANONYMOUS,
    semantic: bool = False,
    embedder: Embedder | None = None,
    may_empty: bool = False,
    reread: bool = False,
) -> int:
    """Bring the corpus ``name`` up to date with the files under ``paths``, or with those it was
    made of before, and return the exit code: 0, 3 when some files could not be read, 130 when it
    was stopped. Waits at most ``wait`` seconds for another command that is writing the same index.
    ``engine`` is what searches the corpus from now on, as ``tools.index.index.engine_choice``
    reads it; None leaves it as it is. ``semantic`` also makes vectors with the ``embedder``, and a
    corpus that has some keeps them up to date; without an embedder that is told. ``may_empty``
    takes everything out where no file is left; ``reread`` reads files again that look as before.
    Raises Problem, CorpusError and IndexFault for what keeps it from beginning; nothing is left
    then of a corpus that was not there before."""
    from tools.index.index import Index, engine_choice
    from tools.index.reading.files import find_roots
    from tools.index.update import update
    from tools.morphemes import named

    if not 0 <= wait <= LONGEST_WAIT:
        raise Problem("index.wait", given=f"{wait:g}", longest=LONGEST_WAIT)
    chosen = None if engine is None else engine_choice(engine)
    about = _known(paths, name, data)
    roots = find_roots(paths or [Path(each) for each in about.paths])
    rules = _rules(roots)
    name = _name(name, rules, roots)
    known = about if about.name == name else _read(name, data, language)
    about = under(known, name, rules, [root.path for root in roots])
    if known is not None:
        _tell_changes(known, about, rules, language)
    if rules is not None and rules.unused:
        aside(say("index.unused", language, entries=", ".join(rules.unused)))
    embedded = None
    with _whole_or_nothing(index_folder(data, about.name)) as folder:
        index = Index(
            folder,
            engine=chosen,
            wait=wait,
            login=login,
            tokens=None if rules is None else named(rules.tokens),
            embedder=embedder,
        )
        try:
            if index.unreachable is not None:
                raise index.unreachable
            for notice in index.notices:
                aside(tell(notice, language))
            with _stoppable(language) as stop:
                with index.writer(wait) as writer, _progress(language) as progress:
                    write_about(data, about)
                    done = update(writer, roots, progress, stop, may_empty=may_empty, reread=reread)
                if semantic or index.has_vectors:
                    if embedder is None:
                        aside(tell(IndexFault("no_semantic"), language))
                    elif not done.stopped:
                        with _progress(language, "index.embedding") as progress:
                            embedded = index.embed(progress, stop)
            counts, strays = index.stats(), index.strays()
        finally:
            index.close()
    _tell_problems(done, language)
    _tell_strays(strays, language)
    write(_summary(about.name, done, counts, language))
    if embedded is not None:
        key = "index.embedding_stopped" if embedded.stopped else "index.embedded"
        write(say(key, language, name=about.name, total=embedded.total, made=embedded.made))
    stopped = done.stopped or (embedded is not None and embedded.stopped)
    return 130 if stopped else 3 if done.failed else 0


def write_rules(folder: Path, language: Language, write: Callable[[str], object] = print) -> int:
    """Write a commented ``corpus.toml`` into ``folder``. Raises Problem where there is one, or
    where it cannot be written."""
    path = folder / "corpus.toml"
    name = normalize("NFC", folder.resolve().name) or "documents"
    text = say("init.template", language, name=json.dumps(name, ensure_ascii=False))
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text + "\n")
    except FileExistsError:
        raise Problem("init.exists", path=path) from None
    except OSError as error:
        raise Problem("init.unwritable", path=path, reason=error.strerror or "") from None
    write(say("init.written", language, path=path, folder=folder))
    return 0


def _known(paths: Sequence[Path], name: str | None, data: Path) -> About:
    """What is known of the corpus, which must be something when no path is given."""
    if paths:
        return About("")
    about = read_about(data, corpus_name(name) or "") if name else None
    if about is None:
        names = ", ".join(indexed_names(data)) or "-"
        raise Problem("index.no_paths", names=names)
    return about


def _read(name: str, data: Path, language: Language) -> About | None:
    """What was known of a corpus. Where that cannot be read it is written anew, and told."""
    try:
        return read_about(data, name)
    except IndexFault as fault:
        if fault.key != "index.about":
            raise
        aside(say("index.about_anew", language, **fault.values))
        return None


def _rules(roots: Sequence[Root]) -> Rules | None:
    """What the first ``corpus.toml`` of the corpus says; for a file that of its folder. Raises
    Problem where another one, also in a folder inside, lets other people search: which of them
    counts is not for a program to say."""
    from tools.index.reading.rules import FILE_NAME, read_rules

    folders = [root.path if root.path.is_dir() else root.path.parent for root in roots]
    written = [rules for rules in map(read_rules, folders) if rules.is_written]
    asked = [rules.permission for rules in written] or [PUBLIC]
    for root in roots:
        for folder, inside, files in os.walk(root.path):
            inside[:] = [name for name in inside if not name.startswith(".")]
            if FILE_NAME in files and Path(folder) != root.path:
                asked.append(read_rules(Path(folder)).permission)
    if len(set(asked)) > 1:
        raise Problem("index.two_permissions", names=", ".join(dict.fromkeys(asked)))
    return written[0] if written else None


def _name(given: str | None, rules: Rules | None, roots: Sequence[Root]) -> str:
    """What the corpus is called. Raises Problem for a name that cannot be one."""
    from tools.corpus import installed_corpora
    from tools.products import installed_products

    written = given or (rules.name if rules else "") or roots[0].path.stem
    name = corpus_name(written)
    if name is None:
        raise Problem("index.bad_name", name=written)
    taken = {corpus.name for corpus in installed_corpora()}
    if name in taken | {products.name for products in installed_products()}:
        raise Problem("index.name_taken", name=name)
    return name


@contextmanager
def _whole_or_nothing(folder: Path) -> Generator[Path]:
    """The folder of an index; one that was not there is taken away again where nobody noted what
    it is of."""
    is_new = not folder.exists()
    try:
        yield folder
    except BaseException:
        if is_new and not (folder / ABOUT).exists():
            shutil.rmtree(folder, ignore_errors=True)
        raise


@contextmanager
def _stoppable(language: Language) -> Generator[Callable[[], bool]]:
    """Whether the person has pressed Ctrl-C: the first time ends the work after the file at hand,
    the second at once."""
    asked = False

    def stop(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        asked = True
        signal.signal(signal.SIGINT, signal.default_int_handler)
        over()
        aside(say("index.stopping", language))

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield lambda: asked
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _progress(
    language: Language, key: str = "index.progress"
) -> Generator[Callable[[int, int, str], None]]:
    """A listener: a bar on a terminal, else a line now and then."""
    if is_terminal(sys.stderr):
        with _bar(language, key) as moved:
            yield moved
        return
    last = time.monotonic()

    def show(done: int, total: int, path: str) -> None:
        nonlocal last
        now = time.monotonic()
        if path and now - last > _QUIET_SECONDS:
            last = now
            aside(say(key, language, done=done, total=total, path=path))

    yield show


@contextmanager
def _bar(language: Language, key: str) -> Generator[Callable[[int, int, str], None]]:
    """A bar on one row of the terminal, which goes when it is done."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn
    from rich.table import Column

    columns = BarColumn(bar_width=20), TextColumn("{task.fields[told]}", markup=False,
                                                  table_column=Column(no_wrap=True))  # fmt: skip
    console = Console(file=sys.stderr, highlight=False)
    with Progress(*columns, console=console, transient=True, redirect_stdout=False) as bar:
        task = bar.add_task("", total=None, told="")

        def show(done: int, total: int, path: str) -> None:
            told = visible(say(key, language, done=done, total=total, path=path)) if path else ""
            bar.update(task, completed=done, total=total, told=told)

        yield show


def _tell_problems(done: Update, language: Language) -> None:
    told: list[tuple[str, list[tuple[str, ReadingError]]]] = [
        ("index.partly", done.partly),
        ("index.failed", done.failed),
    ]
    for key, problems in told:
        if problems:
            aside(say(key, language, count=len(problems)))
        for path, problem in problems:
            aside(f"  {path or '.'}: {tell(problem, language)}")
    if done.other:
        common = done.other.most_common(_MOST_ENDINGS)
        endings = ", ".join(f"{ending} {count}" for ending, count in common)
        more = ", …" if len(done.other) > len(common) else ""
        aside(say("index.other", language, endings=endings + more))
    if done.vanished:
        aside(say("index.vanished", language, names=", ".join(done.vanished)))
    if done.special:
        aside(say("index.special", language, count=done.special))
    if done.links:
        aside(say("index.links", language, count=done.links))


def _tell_strays(strays: Sequence[Stray], language: Language) -> None:
    """Values that meet no comparison, as they are not of their field's type."""
    from tools.index.reading.rules import BUILT_IN

    for each in strays:
        if each.name not in BUILT_IN:
            of = {"name": each.name, "total": each.column.total, "count": each.column.strays}
            kind = say(f"index.type.{each.column.type}", language)
            where = {"place": each.place, "value": each.value}
            aside(say("index.stray", language, type=kind, **of, **where))


def _tell_changes(known: About, about: About, rules: Rules | None, language: Language) -> None:
    """What is no longer as it was: other paths take the place of those before, and a permission
    outlives the file that asked for it."""
    gone = [each for each in known.paths if each not in about.paths]
    if gone and known.paths:
        told = {"was": ", ".join(map(tilde, gone)), "now": ", ".join(map(tilde, about.paths))}
        aside(say("index.other_paths", language, name=about.name, **told))
    if rules is None and about.permission != PUBLIC:
        aside(
            say(
                "index.kept_permission",
                language,
                name=about.name,
                permission=about.permission,
                quoted=f'permission = "{PUBLIC}"',
            )
        )


def _summary(name: str, done: Update, counts: Mapping[str, int], language: Language) -> str:
    key = "index.stopped" if done.stopped else "index.done"
    return say(
        key,
        language,
        name=name,
        done=done.done,
        total=done.total if done.stopped else counts["documents"],
        passages=counts["chunks"],
        added=done.added,
        changed=done.changed,
        removed=done.removed,
        unchanged=done.unchanged,
    )

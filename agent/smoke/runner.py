"""``bareloop smoke``: which scripts are run, one after the other or several at a time, and what is
said of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from agent.catalogue import Language, Problem
from agent.console import escaped, over, shows_unicode
from agent.output_file import check_output, write_output
from agent.smoke import reports
from agent.smoke.closed import closed
from agent.smoke.playing import Played, Way, play
from agent.smoke.script import RECORDING, read_script, schema
from tools.tokens import fold

_ENDS = (".yaml", ".yml")


@dataclass(frozen=True)
class Wanted:
    """What the person asked for: which scripts, how, and in which form the result is told.

    ``only`` is a text that the path or a question must hold; ``first`` ends with the first script
    that fails; ``jobs`` scripts are run at a time.
    """

    paths: Sequence[Path]
    way: Way = field(default_factory=Way)
    only: str = ""
    first: bool = False
    jobs: int = 1
    junit: Path | None = None
    as_json: bool = False
    github: bool = False


def main(wanted: Wanted, language: Language, write: Callable[[str], None]) -> int:
    """Run the scripts and return the exit code: 0 all passed, 1 something failed, 2 a script is
    wrong, 3 nothing ran. Raises Problem for a path that is not there and a report that cannot be
    written."""
    found = find(wanted.paths)
    if wanted.junit is not None:
        check_output(wanted.junit, reports.JUNIT_BEGINS, found)
    scripts = [path for path in found if _holds(path, wanted.only)]
    played: list[Played] = []
    with closed(wanted.way.live or wanted.way.record):
        for each in _play_all(scripts, wanted):
            played.append(each)
            over(f"[{len(played)}/{len(scripts)}] {each.path.name}")
            if not wanted.as_json:
                _tell(each, wanted, language, write)
    over()
    not_run = len(scripts) - len(played)
    if wanted.as_json:
        record = reports.as_record(played, not_run, language)
        written = json.dumps(record, ensure_ascii=not shows_unicode(), indent=1, default=str)
        write(escaped(written))
    else:
        write(reports.summary(played, not_run, language))
    if wanted.junit is not None:
        _write(wanted.junit, reports.as_junit(played, language))
    return exit_code(played)


def exit_code(played: Sequence[Played]) -> int:
    """0 all that ran passed, 1 something failed, 2 a script is wrong, 3 nothing ran."""
    found = reports.counts(played)
    if found["error"]:
        return 2
    if found["failed"]:
        return 1
    return 0 if found["passed"] else 3


def schema_text() -> str:
    """The JSON Schema of a script."""
    return json.dumps(schema(), ensure_ascii=not shows_unicode(), indent=1)


def find(paths: Sequence[Path]) -> list[Path]:
    """The scripts in files and folders, each once; a recording is none. Raises Problem for a path
    that is not there."""
    found: dict[Path, Path] = {}
    for path in paths:
        if path.is_dir():
            inside = (each for each in path.rglob("*") if is_script_name(each.name))
            listed = sorted(each for each in inside if each.is_file())
        elif path.exists():
            listed = [path]
        else:
            raise Problem("smoke.no_file", path=path)
        for each in listed:
            found.setdefault(each.resolve(), each)
    return [*found.values()]


def is_script_name(name: str) -> bool:
    """Whether a file may be a script by its name; a recording is none."""
    lower = name.lower()
    return lower.endswith(_ENDS) and not lower.endswith(RECORDING)


def _holds(path: Path, only: str) -> bool:
    """Whether a script is one of those that the person named by a text. One that cannot be read
    is, lest a mistake goes unseen."""
    if not only:
        return True
    words = fold(only)
    if words in fold(reports.shown_path(path)):
        return True
    try:
        return any(words in fold(turn.ask) for turn in read_script(path).script.turns)
    except Exception:  # told when it is run
        return True


def _play_all(scripts: Sequence[Path], wanted: Wanted) -> Iterator[Played]:
    """What came of each script, in their order."""
    if wanted.jobs <= 1:
        for path in scripts:
            yield (one := play(path, wanted.way))
            if wanted.first and _is_bad(one):
                return
        return
    with ThreadPoolExecutor(wanted.jobs) as pool:
        for one in pool.map(lambda path: play(path, wanted.way), scripts):
            yield one
            if wanted.first and _is_bad(one):
                return  # what has not begun is left


def _is_bad(played: Played) -> bool:
    return played.outcome in ("failed", "error")


def _tell(played: Played, wanted: Wanted, language: Language, write: Callable[[str], None]) -> None:
    over()
    write("\n".join([reports.head(played, language), *reports.details(played, language)]))
    if wanted.github:
        for line in reports.github_lines(played, language):
            write(line)


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Problem("trace.not_written", path=path, reason=error.strerror or "") from None
    write_output(path, text, reports.JUNIT_BEGINS)

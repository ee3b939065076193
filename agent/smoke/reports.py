"""What came of smoke scripts: for a person, for a CI server (JUnit), for a program, for GitHub."""

from __future__ import annotations

import os
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from agent.catalogue import Language, say
from agent.chat.telling import figures, search_line
from agent.console import visible
from agent.smoke.expectations import Failure
from agent.smoke.playing import Asked, Outcome, Played
from tools.home import legible
from tools.patterns import lazy_pattern

_NOT_XML = lazy_pattern("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LONGEST = 300
_XML = '<?xml version="1.0" encoding="utf-8"?>\n'
JUNIT_BEGINS = f'{_XML}<testsuites name="bareloop smoke"'
"""What a report begins with, so that it can be told from a file of somebody else's."""

OUTCOMES: tuple[Outcome, ...] = ("passed", "failed", "skipped", "error")


def counts(played: Sequence[Played]) -> dict[str, int]:
    """How many scripts came to each outcome."""
    return {each: sum(one.outcome == each for one in played) for each in OUTCOMES}


def shown_path(path: Path) -> str:
    """A path as a person would type it here."""
    whole, here = os.path.abspath(path), os.getcwd() + os.sep
    shown = whole.removeprefix(here) if whole.startswith(here) else str(path)
    return legible(shown)


def head(played: Played, language: Language) -> str:
    """One line: what came of a script."""
    word = say(f"smoke.{played.outcome}", language)
    line = f"{word:<7} {shown_path(played.path)}"
    if played.outcome == "skipped":
        line += f": {played.mistakes[0].told(language)}"
    if played.wrote is not None:
        line += f" ({say('smoke.wrote', language, path=played.wrote.name)})"
    return line


def details(played: Played, language: Language) -> list[str]:
    """What failed: expected, got, where the agent first went another way, and what happened."""
    if played.outcome not in ("failed", "error"):
        return []
    lines: list[str] = []
    for asked in played.asked:
        if asked.failures:
            lines += _of_question(played.path, asked, language)
    for mistake in played.mistakes:
        place = f"{shown_path(mistake.path)}:{mistake.line}"
        lines.append(f"  {place}: {mistake.told(language)}")
    return [visible(line) for line in [*lines, *(f"    {each}" for each in played.details)]]


def _of_question(path: Path, asked: Asked, language: Language) -> Iterator[str]:
    yield f"  {shown_path(path)}:{asked.line}: {' '.join(asked.ask.split())}"
    for line, failure in asked.failures:
        yield f"    {shown_path(path)}:{line}: {_told(failure, language)}"
    steps = [failure.step for _, failure in asked.failures if failure.step is not None]
    yield f"    {say('smoke.happened', language)}"
    for number, search in enumerate(asked.record["searches"], 1):
        mark = ">" if steps and search["step"] == min(steps) else " "
        yield f"    {mark} {search_line(number, search, language)}"
    told = [*asked.told.splitlines(), figures(asked.record, language)]
    yield from (f"      {line}" for line in told if line)


def _told(failure: Failure, language: Language) -> str:
    told = say(
        "smoke.expected",
        language,
        name=".".join(map(str, failure.key)),
        expected=_cut(failure.expected),
        got=_cut(failure.got),
    )
    if failure.step is None:
        return told
    return f"{told} ({say('smoke.parting', language, step=failure.step)})"


def _cut(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."


def summary(played: Sequence[Played], not_run: int, language: Language) -> str:
    """The last line."""
    found = counts(played)
    parts = [
        say(f"smoke.count.{name}", language, count=count) for name, count in found.items() if count
    ]
    if not_run:
        parts.append(say("smoke.count.not_run", language, count=not_run))
    return ", ".join(parts) or say("smoke.nothing", language)


def as_record(played: Sequence[Played], not_run: int, language: Language) -> dict[str, Any]:
    """Everything, for ``--json``."""
    return {
        **counts(played),
        "not_run": not_run,
        "scripts": [_script(each, language) for each in played],
    }


def _script(played: Played, language: Language) -> dict[str, Any]:
    return {
        "file": shown_path(played.path),
        "outcome": played.outcome,
        "seconds": round(played.seconds, 3),
        "mistakes": [
            {"file": shown_path(each.path), "line": each.line, "message": each.told(language)}
            for each in played.mistakes
        ],
        "details": played.details,
        "turns": [
            {
                "ask": asked.ask,
                "line": asked.line,
                "failures": [
                    {
                        "line": line,
                        "expectation": ".".join(map(str, failure.key)),
                        "expected": failure.expected,
                        "got": failure.got,
                        "step": failure.step,
                    }
                    for line, failure in asked.failures
                ],
                "record": asked.record,
            }
            for asked in played.asked
        ],
    }


def as_junit(played: Sequence[Played], language: Language) -> str:
    """The report that CI servers read: a test case for each script."""
    found = counts(played)
    numbers = {
        "tests": str(len(played)),
        "failures": str(found["failed"]),
        "errors": str(found["error"]),
        "skipped": str(found["skipped"]),
        "time": f"{sum(each.seconds for each in played):.3f}",
    }
    root = ET.Element("testsuites", {"name": "bareloop smoke", **numbers})
    suite = ET.SubElement(root, "testsuite", {"name": "bareloop smoke", **numbers})
    for each in played:
        path = shown_path(each.path)
        name = _xml(Path(path).stem)
        folder = _xml(Path(path).parent.as_posix().replace("/", "."))
        about = {"classname": folder, "name": name, "file": _xml(path), "line": str(_line(each))}
        case = ET.SubElement(suite, "testcase", {**about, "time": f"{each.seconds:.3f}"})
        if each.outcome != "passed":
            kind = {"failed": "failure", "error": "error", "skipped": "skipped"}[each.outcome]
            told = ET.SubElement(case, kind, {"message": _xml(first(each, language)[1])})
            told.text = _xml("\n".join(details(each, language)))
    ET.indent(root)
    return f"{_XML}{ET.tostring(root, encoding='unicode')}\n"


def _xml(text: str) -> str:
    """``text`` without the characters that XML cannot hold."""
    return _NOT_XML.sub("\ufffd", text)


def first(played: Played, language: Language) -> tuple[int, str]:
    """The line and the sentence of what is first wrong with a script."""
    for asked in played.asked:
        for line, failure in asked.failures:
            return line, _told(failure, language)
    mistake = played.mistakes[0]
    return mistake.line, mistake.told(language)


def _line(played: Played) -> int:
    return played.asked[0].line if played.asked else 1


def github_lines(played: Played, language: Language) -> Iterator[str]:
    """Workflow commands that GitHub shows beside the line of a script."""
    kind = {"failed": "error", "error": "error", "skipped": "notice"}.get(played.outcome)
    if kind is None:
        return
    wrong = [
        (played.path, line, _told(failure, language))
        for asked in played.asked
        for line, failure in asked.failures
    ]
    wrong += [(each.path, each.line, each.told(language)) for each in played.mistakes]
    for path, line, told in wrong:
        file = _property(Path(shown_path(path)).as_posix())
        yield f"::{kind} file={file},line={line},title=bareloop smoke::{_message(told)}"


def _message(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")

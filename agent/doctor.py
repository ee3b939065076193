"""What is ready, what to know and what to mend before the first question: ``bareloop doctor``.

Says where a key comes from and never what it is; asks nothing of the network and loads no SDK.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import metadata
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any, Literal, NamedTuple

from agent.catalogue import Language, Problem, say
from agent.layers import NAMES
from agent.settings import (
    DUCKDUCKGO,
    KEY_VARIABLES,
    Settings,
    build_search,
    data_folder,
    model_notice,
    preferred_language,
    proxy_variables,
    read_settings,
)

Level = Literal["ok", "note", "problem"]

ROOT = Path(__file__).resolve().parent.parent
"""Where this project's own packages ``agent`` and ``tools`` lie."""

_HANGUL_SAMPLE = "가힣ㄱ①"
_MARKS_SAMPLE = "—•…✓"


class Finding(NamedTuple):
    """One thing looked at: how it stands, and the sentence that says so."""

    level: Level
    key: str
    values: dict[str, Any]


@dataclass(frozen=True)
class Report:
    """What the doctor says. ``exit_code`` is 0 when the agent can run, 2 when it cannot."""

    lines: list[str]
    exit_code: int


def examine(model: str | None, write: Callable[[str], object]) -> int:
    """Look at this process with the model that the command line names (None: as the environment
    says), ``write`` every line, and return the exit code."""
    settings: Settings | Problem
    try:
        settings = read_settings(model=model)
    except Problem as problem:
        settings = problem
    found = report(settings, sys.stdout.encoding, preferred_language() or "en")
    for line in found.lines:
        write(line)
    return found.exit_code


def report(
    settings: Settings | Problem,
    stdout_encoding: str | None,
    language: Language,
    *,
    proxies: Sequence[str] | None = None,
    search_path: Sequence[str] | None = None,
) -> Report:
    """One line for each thing looked at. ``settings`` may be the Problem that reading them gave.

    A console that cannot print Hangul gets English. ``proxies`` (names of variables) and
    ``search_path`` default to this process's own.
    """
    encoding = stdout_encoding or "ascii"
    language = language if _can_print(_HANGUL_SAMPLE, encoding) else "en"
    findings = [
        _python(),
        *_imports(sys.path if search_path is None else search_path),
        *_model(settings, language),
        *_values(settings),
        _corpora(),
        *_indexed(),
        _search(settings),
        _console(encoding),
        *_proxies(proxy_variables() if proxies is None else proxies),
    ]
    lines = [_line(each, language) for each in findings]
    return Report(lines, 2 if any(each.level == "problem" for each in findings) else 0)


def _line(finding: Finding, language: Language) -> str:
    mark = say(f"doctor.mark_{finding.level}", language)
    return f"[{mark}] {say(finding.key, language, **finding.values)}"


def _ok(key: str, **values: Any) -> Finding:
    return Finding("ok", key, values)


def _note(key: str, **values: Any) -> Finding:
    return Finding("note", key, values)


def _problem(key: str, **values: Any) -> Finding:
    return Finding("problem", key, values)


def _python() -> Finding:
    version = ".".join(str(each) for each in sys.version_info[:3])
    return _ok("doctor.python", version=version, path=Path(sys.prefix))


def _imports(search_path: Sequence[str]) -> Iterator[Finding]:
    """PyPI has packages named agent and tools: the first on the path wins, silently."""
    for name in ("agent", "tools"):
        places = [place for entry in search_path if (place := _package_in(entry, name))]
        strangers = [place for place in places if place.parent != ROOT]
        if places and places[0] in strangers:
            yield _problem("doctor.import_taken", name=name, path=places[0])
        elif strangers:
            yield _note("doctor.import_shadow", name=name, path=strangers[0])
        else:
            yield _ok("doctor.import_own", name=name)


def _package_in(entry: str, name: str) -> Path | None:
    """The package or module ``name`` that lies in one entry of the path."""
    spec = PathFinder.find_spec(name, [entry or "."])
    if spec is None or not spec.origin:
        return None
    origin = Path(spec.origin).resolve()
    return origin.parent if origin.name == "__init__.py" else origin


def _model(settings: Settings | Problem, language: Language) -> Iterator[Finding]:
    if isinstance(settings, Problem):
        yield _problem("doctor.settings", sentence=settings.say(language))
        return
    yield _key(settings)
    if settings.is_offline:
        yield _ok("doctor.offline")
        return
    notice = model_notice(settings.model, language)
    if notice:
        yield _note("doctor.settings", sentence=notice)
    else:
        yield _ok("doctor.model", model=settings.model)
    yield _endpoint(settings)
    yield _sdk()
    yield _note("doctor.leaves", place=settings.base_url or "Google")


def _values(settings: Settings | Problem) -> Iterator[Finding]:
    """Every setting, and where it was given."""
    if isinstance(settings, Problem):
        return
    limits = settings.limits
    values: dict[str, Any] = {
        "model": settings.model,
        "lang": settings.language,
        "stream": settings.stream,
        "timeout": settings.timeout_s,
        "search": settings.search,
        "search_timeout": settings.search_timeout_s,
        "corpus": settings.corpus,
        "docs": settings.docs,
        "max_steps": limits.max_steps,
        "max_searches": limits.searches,
        "max_rounds": limits.max_rounds,
        "max_seconds": limits.max_seconds,
        "max_tokens": limits.max_tokens,
        "max_cost": limits.max_cost_usd,
        "max_history": settings.max_history,
    }
    told = {name: "-" if values[name] in (None, "") else values[name] for name in NAMES}
    for name, source in settings.sources.items():
        yield _ok("doctor.value", name=name, value=told[name], source=source)
    rest = [f"{name}={told[name]}" for name in NAMES if name not in settings.sources]
    yield _ok("doctor.defaults", names=", ".join(rest))


def _key(settings: Settings) -> Finding:
    if settings.vertex:
        return _ok("doctor.key_vertex")
    if not settings.key_source:
        return _note("doctor.key_none", name=KEY_VARIABLES[-1])
    used = "doctor.key_unused" if settings.is_offline else "doctor.key"
    return _ok(used, name=settings.key_source)


def _endpoint(settings: Settings) -> Finding:
    if settings.base_url:
        name = "GOOGLE_VERTEX_BASE_URL" if settings.vertex else "GOOGLE_GEMINI_BASE_URL"
        return _note("doctor.endpoint_other", url=settings.base_url, name=name)
    if settings.vertex:
        return _ok(
            "doctor.endpoint_vertex",
            project=settings.vertex.project,
            location=settings.vertex.location,
        )
    return _ok("doctor.endpoint")


def _sdk() -> Finding:
    version = _version("google-genai")
    return _ok("doctor.sdk", version=version) if version else _problem("doctor.sdk_missing")


def _search(settings: Settings | Problem) -> Finding:
    if isinstance(settings, Settings) and settings.search != DUCKDUCKGO:
        try:
            build_search(settings)
        except Problem as problem:
            return Finding("note", problem.key, problem.values)
        return _ok("doctor.search_chosen", name=settings.search)
    version = _version("duckduckgo-search")
    if not version:
        return _note("doctor.search_missing")
    asks_bing = version.split(".")[:2] == ["8", "1"]
    return (_note if asks_bing else _ok)(
        "doctor.search_bing" if asks_bing else "doctor.search", version=version
    )


def _version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return ""


def _corpora() -> Finding:
    try:
        from tools.corpus import INSTALLED, installed_corpora
        from tools.products import installed_products

        planned = [corpus.name for corpus in installed_corpora()]
        names = sorted(planned + [products.name for products in installed_products()])
    except (ImportError, OSError, ValueError):
        return _problem("doctor.corpora_unreadable", path=ROOT / "tools" / "corpora")
    if not names:
        return _problem("doctor.corpora_unreadable", path=INSTALLED)
    return _ok("doctor.corpora", names=", ".join(names), path=INSTALLED)


def _indexed() -> Iterator[Finding]:
    """The person's own corpora, if there are any."""
    from tools.index import indexed_names
    from tools.index.engine import IndexFault
    from tools.index.indexed import fault_of, read_about

    data = data_folder()
    try:
        names = indexed_names(data)
    except IndexFault as fault:
        yield _note(fault.key, **fault.values)
        return
    faults = {name: fault_of(data, name) for name in names}
    sound = [name for name in names if faults[name] is None]
    if sound:
        yield _ok("doctor.indexed", names=", ".join(sound), path=data)
    for met in filter(None, faults.values()):
        yield _note(met.key, **met.values)
    for about in filter(None, (read_about(data, name) for name in sound)):
        yield _ok(
            "doctor.indexed_corpus",
            name=about.name,
            description=about.description or "-",
            spoken=about.language or "-",
            role=about.role or "-",
            permission=about.permission,
        )


def _console(encoding: str) -> Finding:
    missing = [each for each in _MARKS_SAMPLE if not _can_print(each, encoding)]
    if not _can_print(_HANGUL_SAMPLE, encoding):
        return _note("doctor.console_no_hangul", encoding=encoding)
    if missing:
        code_points = ", ".join(f"U+{ord(each):04X}" for each in missing)
        return _note("doctor.console_marks", encoding=encoding, code_points=code_points)
    return _ok("doctor.console", encoding=encoding)


def _can_print(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _proxies(names: Sequence[str]) -> Iterator[Finding]:
    if names:
        yield _note("doctor.proxy", names=", ".join(names))

"""What the command line, the environment and ``bareloop.toml`` decide before a question is asked.

The only module that reads environment variables; everything else gets a ``Settings``.
"""

from __future__ import annotations

import importlib
import math
import os
import re
import stat
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from agent.catalogue import Language, Problem, say
from agent.layers import Given, Layers
from agent.limits import DEFAULT_LIMITS, Limits
from tools.home import tilde
from tools.loopback import is_loopback
from tools.patterns import lazy_pattern

if TYPE_CHECKING:
    from agent.messages import Model
    from tools.index.server import Login
    from tools.search_web import WebSearch
    from tools.web.backend import SearchBackend

OFFLINE = "offline"
"""The name of the keyless model: no language model, quotes what it finds."""

DEFAULT_GEMINI = "gemini-3.8-flash"
"""What ``gemini`` means: the stable Flash model named in Google's docs in autumn 2026."""

DUCKDUCKGO = "duckduckgo"
"""The web search that needs no key."""

DEFAULT_TIMEOUT_S = 45.0
DEFAULT_SEARCH_TIMEOUT_S = 15.0
LONGEST_TIMEOUT_S = 600.0
DEFAULT_HISTORY = 200_000

KEY_VARIABLES = ("GOOGLE_API_KEY", "GEMINI_API_KEY")
"""The first one that is set wins, as in google-genai."""

KEY_FILE = "key"
"""A file of the data folder that may hold the key, for its owner only."""

PROXY_VARIABLES = ("HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "DDGS_PROXY")

_LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")
_YES = frozenset({"1", "true", "yes", "on"})
_NO = frozenset({"0", "false", "no", "off"})
_MODEL_NAME = lazy_pattern(r"[A-Za-z0-9][\w.@:-]*(/[A-Za-z0-9][\w.@:-]*)*", re.ASCII)

# Dates: Google's deprecation page as read in November 2026. "" is a model already shut down.
_RETIREMENTS = (
    (lazy_pattern(r"gemini-2\.5-(flash|pro)(-\d+)?"), "2026-12-01"),
    (lazy_pattern(r"gemini-3\.1-flash-lite(-\d+)?"), "2027-05-07"),
    (lazy_pattern(r"gemini-(pro(-vision)?|(1\.|2\.0).*)"), ""),
)


class Vertex(NamedTuple):
    """Gemini through a Google Cloud project instead of an API key."""

    project: str
    location: str


@dataclass(frozen=True)
class Settings:
    """Everything a run takes from its surroundings.

    ``api_key`` is empty unless the model needs it, and never appears in ``repr``; ``key_source``
    names the variable or the file that holds a key, used or not. ``base_url`` is empty for
    Google's own endpoint. ``timeout_s`` bounds one model request, in seconds. ``language`` is None
    when the question decides; ``stream`` when the place does: a chat at a terminal shows drafts.
    ``search`` names the web search, and ``search_timeout_s`` bounds one search with its retries,
    in seconds. ``corpus`` and ``docs`` name the source, one of them at most. ``permissions``
    open corpora that are not public: from a flag or ``BARELOOP_PERMISSIONS``, never from a file,
    which may come with somebody else's folder. ``max_history`` is how many characters of a
    conversation go along with its next question.

    ``sources`` says where each setting was given, by its name in ``bareloop.toml``; one that is
    not in it has its default.
    """

    model: str = OFFLINE
    api_key: str = field(default="", repr=False)
    key_source: str = ""
    base_url: str = ""
    vertex: Vertex | None = None
    timeout_s: float = DEFAULT_TIMEOUT_S
    language: Language | None = None
    stream: bool | None = None
    search: str = DUCKDUCKGO
    search_timeout_s: float = DEFAULT_SEARCH_TIMEOUT_S
    corpus: str = ""
    docs: str = ""
    permissions: frozenset[str] = frozenset()
    limits: Limits = DEFAULT_LIMITS
    max_history: int = DEFAULT_HISTORY
    sources: Mapping[str, str] = field(default_factory=dict[str, str], compare=False)

    @property
    def is_offline(self) -> bool:
        """Whether nothing leaves this machine for a model."""
        return self.model == OFFLINE


def read_settings(
    environ: Mapping[str, str] | None = None,
    *,
    model: str | None = None,
    timeout_s: float | None = None,
    stream: bool | None = None,
    language: str | None = None,
    permissions: Sequence[str] = (),
    **flags: Any,
) -> Settings:
    """The settings of this run; what is given here (from flags) wins over the environment, and the
    environment over ``bareloop.toml``. ``flags`` are further settings by their names in
    agent/layers.py, None where not given.

    Raises ``Problem`` for settings that cannot work. A key is read and checked only when the
    model needs one, so that a broken key never stands in the way of the offline model.
    """
    environ = os.environ if environ is None else environ
    named = {"model": model or None, "timeout": timeout_s, "stream": stream, "lang": language}
    given = Layers({**flags, **named}, environ).every()
    vertex_wanted = _wants_vertex(environ)
    key_source, key = _find_key(environ)
    name = _model_name(
        given["model"].text or (DEFAULT_GEMINI if key_source or vertex_wanted else OFFLINE)
    )
    online = name != OFFLINE
    if online and not vertex_wanted:
        if key_source and not key:
            key = _key_in_file(Path(key_source).expanduser())
        _check_key(name, key_source, key)
    return Settings(
        model=name,
        api_key=key if online and not vertex_wanted else "",
        key_source=key_source,
        base_url=_base_url(environ, vertex_wanted) if online else "",
        vertex=_vertex(environ) if online and vertex_wanted else None,
        timeout_s=_seconds(given["timeout"], DEFAULT_TIMEOUT_S),
        language=_language(given["lang"]) or locale_language(environ),
        stream=_switch(given["stream"]),
        search=given["search"].text or DUCKDUCKGO,
        search_timeout_s=_seconds(given["search_timeout"], DEFAULT_SEARCH_TIMEOUT_S),
        corpus=given["corpus"].text,
        docs=given["docs"].text,
        permissions=_permissions(permissions or [_get(environ, "BARELOOP_PERMISSIONS")]),
        limits=_limits(given),
        max_history=_history(given["max_history"]),
        sources=_sources(environ, given, key_source),
    )


def _permissions(written: Sequence[str]) -> frozenset[str]:
    """Names with commas between them."""
    names = (name.strip() for each in written for name in each.split(","))
    return frozenset(name for name in names if name)


def _sources(
    environ: Mapping[str, str], given: Mapping[str, Given], key_source: str
) -> dict[str, str]:
    """Where each setting comes from; a locale decides the language, and a key the model."""
    found = {name: each.source for name, each in given.items() if each.text}
    if "lang" not in found and locale_language(environ):
        found["lang"] = next(name for name in _LOCALE if _get(environ, name))
    if "model" not in found and key_source:
        found["model"] = key_source
    return found


def data_folder(environ: Mapping[str, str] | None = None, platform: str = sys.platform) -> Path:
    """Where indexes, conversations and the key's file are kept: ``BARELOOP_DATA``, else the place
    of the platform for a program's data (of the XDG base directories where there is none)."""
    environ = os.environ if environ is None else environ
    if chosen := _get(environ, "BARELOOP_DATA"):
        return Path(chosen).expanduser().absolute()
    if platform == "win32" and (local := _get(environ, "LOCALAPPDATA")):
        return Path(local) / "bareloop"
    if platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "bareloop"
    shared = Path(_get(environ, "XDG_DATA_HOME"))
    # the XDG specification has relative paths ignored
    return (shared if shared.is_absolute() else Path.home() / ".local" / "share") / "bareloop"


def own_keys(environ: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """Every key of the person that is at hand, used or not: none of them may stand in a file that
    is written. Never fails."""
    environ = os.environ if environ is None else environ
    keys = [_get(environ, name) for name in KEY_VARIABLES]
    with suppress(Problem, OSError):
        keys.append(_key_in_file(data_folder(environ) / KEY_FILE))
    return tuple(key for key in keys if key)


def opensearch_login(environ: Mapping[str, str] | None = None) -> Login:
    """How to log in to a search server that holds an index: ``BARELOOP_OPENSEARCH_USER``,
    ``_PASSWORD``, and ``_CA`` for a file of certificates to trust. Environment only, as for every
    secret."""
    from tools.index.server import Login

    environ = os.environ if environ is None else environ
    return Login(
        _get(environ, "BARELOOP_OPENSEARCH_USER"),
        environ.get("BARELOOP_OPENSEARCH_PASSWORD", "").strip("\r\n"),
        _get(environ, "BARELOOP_OPENSEARCH_CA"),
    )


def build_model(settings: Settings, on_text: Callable[[str], None] | None = None) -> Model:
    """The model that ``settings`` names. ``on_text`` gets text as it arrives.

    Only a Gemini model costs the import of google-genai.
    """
    if settings.is_offline:
        from agent.offline.model import OfflineModel

        return OfflineModel()
    from agent.loading import loading

    with loading("agent.models.gemini"):
        from agent.models.gemini import GeminiModel

    return GeminiModel(
        settings.model,
        api_key=settings.api_key,
        base_url=settings.base_url,
        vertex=settings.vertex,
        timeout_s=settings.timeout_s,
        on_text=on_text,
        stream=bool(settings.stream),
    )


def build_search(
    settings: Settings, around: Callable[[SearchBackend], SearchBackend] | None = None
) -> WebSearch:
    """The web search that ``settings`` names: ``duckduckgo``, ``ddgs`` (an extra to install), or
    ``package.module:Name`` of an object like ``tools.web.backend.SearchBackend``, for a service
    with a key. ``around`` may put something around it. Raises Problem for one that is not there."""
    from tools.search_web import WebSearch

    try:
        backend = _backend(settings.search)
        backend = around(backend) if around else backend
        return WebSearch(backend, budget_s=settings.search_timeout_s)
    except Exception as failure:
        # somebody else's class: whatever it raises, and it may hold a key, goes no further
        reason = type(failure).__name__
        raise Problem("settings.search", name=settings.search, reason=reason) from None


def _backend(name: str) -> SearchBackend:
    if name == DUCKDUCKGO:
        from tools.web.duckduckgo import DuckDuckGoBackend

        return DuckDuckGoBackend()
    if name == "ddgs":
        from tools.web.metasearch import DdgsBackend

        return DdgsBackend()
    module, _, attribute = name.partition(":")
    if not module or not attribute:
        raise ImportError(name)
    backend: SearchBackend = getattr(importlib.import_module(module), attribute)()
    if not callable(getattr(backend, "search", None)):
        raise TypeError(name)
    return backend


def language_for(question: str, language: Language | None = None) -> Language:
    """The language to speak to the person who asked: the chosen one, else the question's own."""
    from tools.tokens import has_hangul

    return language or ("ko" if has_hangul(question) else "en")


def locale_language(environ: Mapping[str, str] | None = None) -> Language | None:
    """The language of the locale: Korean, English for every other real one, None for C, POSIX
    and no locale at all. Never fails, so that a ``Problem`` can be told in it."""
    environ = os.environ if environ is None else environ
    names = (_get(environ, name) for name in _LOCALE)
    spoken = re.split(r"[_.@-]", next((name for name in names if name), "C"))[0].lower()
    if spoken in ("c", "posix"):
        return None
    return "ko" if spoken in ("ko", "korean") else "en"


def chosen_language(environ: Mapping[str, str] | None = None) -> Language | None:
    """The language somebody asked for, whatever the locale says; a bad one counts as none."""
    try:
        return _language(Layers({}, os.environ if environ is None else environ).get("lang"))
    except Problem:
        return None


def preferred_language(environ: Mapping[str, str] | None = None) -> Language | None:
    """The language for what must be said before or without settings; a bad one counts as none."""
    return chosen_language(environ) or locale_language(environ)


def model_notice(model: str, language: Language) -> str | None:
    """A sentence on a model that is shut down or has a date for it; None for the others."""
    for pattern, date in _RETIREMENTS:
        if pattern.fullmatch(model.rpartition("/")[2]):
            key = "settings.model_retires" if date else "settings.model_retired"
            return say(key, language, model=model, date=date, instead=DEFAULT_GEMINI)
    return None


def proxy_variables(environ: Mapping[str, str] | None = None) -> list[str]:
    """The names of the proxy variables that are set; their values may hold credentials."""
    environ = os.environ if environ is None else environ
    spellings = [each for name in PROXY_VARIABLES for each in (name, name.lower())]
    return [name for name in spellings if environ.get(name)]


def _get(environ: Mapping[str, str], name: str) -> str:
    return environ.get(name, "").strip()


def _find_key(environ: Mapping[str, str]) -> tuple[str, str]:
    """(where a key is, the key); a file is not opened before the key is needed."""
    for name in KEY_VARIABLES:
        key = _get(environ, name)
        if key:
            return name, key
    path = data_folder(environ) / KEY_FILE
    return (tilde(path), "") if os.path.lexists(path) else ("", "")


def _key_in_file(path: Path) -> str:
    """The key in a file that nobody else can read. Raises Problem, also for a link that leads
    nowhere."""
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            if os.name == "posix" and stat.S_IMODE(mode) & 0o077:
                raise Problem("settings.key_file_open", path=path)
            return file.read().decode("utf-8", "surrogateescape").strip()
    except OSError as error:
        raise Problem(
            "settings.key_file_unreadable", path=path, reason=error.strerror or ""
        ) from None


def _check_key(model: str, source: str, key: str) -> None:
    if not key:
        raise Problem("settings.no_key", model=model)
    for position, character in enumerate(key, 1):
        if not "!" <= character <= "~":
            code_point = f"U+{ord(character):04X}"
            raise Problem(
                "settings.key_character", name=source, position=position, code_point=code_point
            )


def _model_name(given: str) -> str:
    name = given.strip().removeprefix("models/")
    if name.casefold() in (OFFLINE, "gemini"):
        return OFFLINE if name.casefold() == OFFLINE else DEFAULT_GEMINI
    if not _MODEL_NAME.fullmatch(name):
        raise Problem("settings.model_name")
    return name


def _wants_vertex(environ: Mapping[str, str]) -> bool:
    names = ("GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_ENTERPRISE")
    return any(_get(environ, name).lower() in ("1", "true") for name in names)


def _vertex(environ: Mapping[str, str]) -> Vertex:
    for name in ("GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION"):
        if not _get(environ, name):
            raise Problem("settings.vertex", name=name)
    return Vertex(_get(environ, "GOOGLE_CLOUD_PROJECT"), _get(environ, "GOOGLE_CLOUD_LOCATION"))


def _base_url(environ: Mapping[str, str], vertex: bool) -> str:
    name = "GOOGLE_VERTEX_BASE_URL" if vertex else "GOOGLE_GEMINI_BASE_URL"
    url = _get(environ, name).rstrip("/")
    if url and not _is_safe(url):
        raise Problem("settings.base_url", name=name)
    return url


def _is_safe(url: str) -> bool:
    """Whether the key may travel to ``url``: https anywhere, http only within this machine."""
    try:
        split = urlsplit(url)
        host, _ = split.hostname or "", split.port
    except ValueError:
        return False
    plain = not re.search(r"[\s\\]", url) and not (split.query or split.fragment)
    if not host or not plain or "@" in split.netloc:
        return False
    return split.scheme == "https" or (split.scheme == "http" and is_loopback(host))


def _seconds(given: Given, default: float) -> float:
    try:
        seconds = float(given.text or default)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds <= LONGEST_TIMEOUT_S:
        raise Problem("settings.timeout", name=given.source, longest=f"{LONGEST_TIMEOUT_S:.0f}")
    return seconds


def _limits(given: Mapping[str, Given]) -> Limits:
    """The budgets of a question; those that are not given are the usual ones."""
    chosen: dict[str, Any] = {
        "max_steps": _whole(given["max_steps"]),
        "max_searches": _whole(given["max_searches"]),
        "max_rounds": _whole(given["max_rounds"]),
        "max_seconds": _number(given["max_seconds"]),
        "max_tokens": _whole(given["max_tokens"]),
        "max_cost_usd": _number(given["max_cost"]),
    }
    return Limits(**{name: each for name, each in chosen.items() if each is not None})


def _history(given: Given) -> int:
    characters = _whole(given)
    if characters is not None and characters <= 0:
        raise Problem("limits.positive", name="max_history", given=characters)
    return DEFAULT_HISTORY if characters is None else characters


def _whole(given: Given) -> int | None:
    """A whole number, or None where nothing is given."""
    number = _number(given)
    if number is not None and not number.is_integer():
        raise Problem("settings.number", name=given.source)
    return None if number is None else int(number)


def _number(given: Given) -> float | None:
    if not given.text:
        return None
    try:
        number = float(given.text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise Problem("settings.number", name=given.source)
    return number


def _language(given: Given) -> Language | None:
    match given.text.lower():
        case "":
            return None
        case "ko" | "en" as language:
            return language
        case _:
            raise Problem("settings.language", name=given.source)


def _switch(given: Given) -> bool | None:
    written = given.text.lower()
    if written and written not in _YES | _NO:
        raise Problem("settings.switch", name=given.source)
    return written in _YES if written else None

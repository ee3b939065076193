"""Settings in layers: a flag wins over the environment, the environment over ``bareloop.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from agent.catalogue import Problem

FILE = "bareloop.toml"
"""Looked for in the folder the command runs in."""

NAMES = (
    "model", "lang", "stream", "timeout", "search", "search_timeout", "corpus", "docs",
    "max_steps", "max_searches", "max_rounds", "max_seconds", "max_tokens", "max_cost",
    "max_history",
)  # fmt: skip
"""Every setting: ``max_steps`` is the flag ``--max-steps``, the variable ``BARELOOP_MAX_STEPS`` and
the entry ``max_steps`` of the file."""


_TEXTS = ("model", "lang", "search", "corpus", "docs")


class Given(NamedTuple):
    """A setting as it was written, and where: a flag, a variable, the file, or "" for nowhere."""

    text: str = ""
    source: str = ""


class Layers:
    """What was given for each setting, layer by layer. Raises Problem for a file that cannot be
    read or says something that nobody reads: a misspelt entry would be a rule that does not hold.
    """

    def __init__(self, flags: Mapping[str, Any], environ: Mapping[str, str]) -> None:
        layers = [
            {
                name: Given(str(each), flag(name))
                for name, each in flags.items()
                if each is not None
            },
            {name: Given(environ.get(variable(name), ""), variable(name)) for name in NAMES},
            read_file(),
        ]
        self._layers = [
            {
                name: Given(text, each.source)
                for name, each in layer.items()
                if (text := each.text.strip())
            }
            for layer in layers
        ]

    def get(self, name: str) -> Given:
        """The first layer that says something."""
        return next((layer[name] for layer in self._layers if name in layer), Given())

    def every(self) -> dict[str, Given]:
        """Every setting by its name; of corpus and docs only that of the first layer that has one
        of them. Raises Problem for a layer with both."""
        found = {name: self.get(name) for name in NAMES}
        for layer in self._layers:
            named = {name: layer[name] for name in ("corpus", "docs") if name in layer}
            if len(named) > 1:
                names = ", ".join(each.source for each in named.values())
                raise Problem("settings.two_sources", names=names)
            if named:
                return found | {"corpus": Given(), "docs": Given()} | named
        return found


def flag(name: str) -> str:
    """``max_steps`` as ``--max-steps``."""
    return "--" + name.replace("_", "-")


def variable(name: str) -> str:
    """``max_steps`` as ``BARELOOP_MAX_STEPS``."""
    return "BARELOOP_" + name.upper()


def read_file() -> dict[str, Given]:
    """The settings in ``bareloop.toml``; empty when there is no such file. It comes with a folder
    that may be somebody else's, so it can neither hold a key nor name code to run."""
    path = Path(FILE)
    try:
        written = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        raise Problem("settings.file_unreadable", path=path, reason=error.strerror or "") from None
    import tomllib

    try:
        table = tomllib.loads(written.decode("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Problem("settings.file_toml", path=path, reason=error) from None
    for name, value in table.items():
        if "key" in name.lower():
            raise Problem("settings.file_key", path=path, name=name)
        if name not in NAMES:
            raise Problem("settings.file_entry", path=path, name=name, names=", ".join(NAMES))
        if not isinstance(value, str if name in _TEXTS else str | int | float):
            raise Problem("settings.file_value", path=path, name=name)
    if ":" in str(table.get("search", "")):
        raise Problem("settings.file_search", path=path)
    return {name: Given(_text(value), f"{path}: {name}") for name, value in table.items()}


def _text(value: str | int | float) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)

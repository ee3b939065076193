"""Paths as they are told and kept: the name of the home folder, often a person's, stays out."""

from __future__ import annotations

from pathlib import Path, PurePath


def tilde(path: PurePath | str) -> str:
    """``path`` with ``~`` for the home folder where it lies in there; as it is where it only looks
    alike. ``os.path.expanduser`` takes it back."""
    written = PurePath(path)
    for home in _homes():
        if written.is_relative_to(home) and home != Path(home.anchor):
            return str(PurePath("~", written.relative_to(home)))
    return str(path)


def legible(path: str) -> str:
    """A path with its letters, also where the locale lacks them and Python kept their bytes."""
    try:
        return path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    except UnicodeEncodeError:  # no bytes, but half a character
        return path.encode("utf-8", "replace").decode()


def _homes() -> list[Path]:
    """The home folder as it is named, and where that leads to; none where nobody knows."""
    try:
        home = Path.home()
        return [home, home.resolve()]
    except (OSError, RuntimeError):
        return []

"""Reading files of many formats: ``read_content`` picks the reader by the name's ending."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import PurePath
from typing import cast

from tools.index.reading.pieces import Content, Piece, ReadingError, Scalar

READER_VERSION = 4
"""Grows when the same file gives other pieces, so that every file is read anew."""

_READERS = {
    ".md": "markdown:read_markdown",
    ".markdown": "markdown:read_markdown",
    ".txt": "plain:read_plain",
    ".text": "plain:read_plain",
    ".html": "web_page:read_html",
    ".htm": "web_page:read_html",
    ".xhtml": "web_page:read_html",
    ".pdf": "pdf:read_pdf",
    ".docx": "word:read_docx",
    ".csv": "tables:read_csv",
    ".tsv": "tables:read_csv",
    ".jsonl": "tables:read_jsonl",
    ".ndjson": "tables:read_jsonl",
}

SUFFIXES = frozenset(_READERS)
"""The endings of files that are read."""


def read_content(name: str, data: bytes) -> Content:
    """What is in a file named ``name``; a file with an unknown ending is read as text. Raises
    ReadingError, which does not know the file's path, for one that cannot be read."""
    reader = _READERS.get(PurePath(name).suffix.lower(), "plain:read_plain")
    module, _, function = reader.partition(":")
    # a reader's library is loaded with the first file that needs it
    read = getattr(import_module(f"tools.index.reading.{module}"), function)
    try:
        return cast(Callable[[bytes], Content], read)(data)
    except ReadingError:
        raise
    except Exception as error:
        # whatever a library makes of a strange file, it must not cost the other files
        raise ReadingError("unexpected", reason=type(error).__name__) from error


__all__ = [
    "READER_VERSION",
    "SUFFIXES",
    "Content",
    "Piece",
    "ReadingError",
    "Scalar",
    "read_content",
]

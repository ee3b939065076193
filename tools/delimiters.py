"""What stands between the cells of a table in a text file."""

from __future__ import annotations

DELIMITERS = ",\t;|"


def delimiter_of(text: str) -> str:
    """The character that its first line has most of, a comma where there is none."""
    return max(DELIMITERS, key=text.lstrip("\r\n").partition("\n")[0].count)

"""Documents as an index: found by words in Korean and English, filtered before scored."""

from __future__ import annotations

import os
from pathlib import Path
from unicodedata import normalize

FOLDER = "corpora"
"""Where the indexes are in the data folder."""

ABOUT = "corpus.json"
"""The file in an index's folder that says what it is of."""

_STORE = "store.sqlite3"


def indexed_names(data: Path) -> list[str]:
    """The corpora that were indexed, by name, also those that cannot be read: known without
    loading what reads them. Raises IndexFault for a data folder that cannot be looked into."""
    place = data / FOLDER
    try:
        found = [Path(each.path) for each in os.scandir(place) if each.is_dir()]
    except FileNotFoundError:
        return []
    except OSError as error:
        from tools.index.engine import IndexFault

        raise IndexFault("data", folder=data, reason=error.strerror or "") from None
    return sorted(normalize("NFC", each.name) for each in found if _is_one(each))


def _is_one(folder: Path) -> bool:
    """Whether a folder is an index, or nobody can tell."""
    try:
        return any(each.name in (ABOUT, _STORE) for each in os.scandir(folder))
    except OSError:
        return True

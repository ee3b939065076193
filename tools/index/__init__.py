"""Documents as an index: found by words in Korean and English, filtered before scored."""

from __future__ import annotations

import os
from pathlib import Path

FOLDER = "corpora"
"""Where the indexes are in the data folder."""


def nothing_indexed(data: Path) -> bool:
    """Whether there never was an index; known without loading what reads them. What cannot be
    looked into may hold some."""
    try:
        os.stat(data / FOLDER)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return False

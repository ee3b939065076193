"""A table in SQLite: a row is found by its id, else by the units its cells share with the query."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import ClassVar

from tools.documents import Passage
from tools.tokens import fold, units

_SCHEMA = """
CREATE TABLE row (id TEXT PRIMARY KEY, key TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE cell (unit TEXT, id TEXT, PRIMARY KEY (unit, id)) WITHOUT ROWID;
"""


class Table:
    """Rows with ids ``name/key``. A query that names keys finds those rows alone: a server asked
    for by its id is that server, however much of another row has the query's words."""

    holds_more: ClassVar[bool] = False

    def __init__(self, name: str, passages: Sequence[Passage]) -> None:
        self.passages = tuple(passages)
        # searches run in threads of their own; nothing is written after this
        self._rows = sqlite3.connect(":memory:", check_same_thread=False)
        self._rows.executescript(_SCHEMA)
        keys = [(each.id, fold(each.id.removeprefix(f"{name}/"))) for each in passages]
        self._rows.executemany("INSERT INTO row VALUES (?, ?)", keys)
        cells = [(unit, each.id) for each in passages for unit in set(units(each.text))]
        self._rows.executemany("INSERT INTO cell VALUES (?, ?)", cells)
        self._rows.commit()

    def search(self, query: str, eligible: Callable[[Passage], bool]) -> list[Passage]:
        """The eligible rows whose key the query names, else those with units of it."""
        asked = list(dict.fromkeys(units(query)))
        if not asked:
            return []
        marks = ", ".join("?" * len(asked))
        scores = self._ask(
            f"SELECT id, (SELECT count(*) FROM cell WHERE cell.id = row.id AND unit IN ({marks}))"
            f" FROM row WHERE key IN ({marks}, ?)",
            [*asked, *asked, fold(query)],
        ) or self._ask(f"SELECT id, count(*) FROM cell WHERE unit IN ({marks}) GROUP BY id", asked)
        named = [each for each in self.passages if each.id in scores and eligible(each)]
        found = [replace(each, score=scores[each.id]) for each in named]
        return sorted(found, key=lambda each: (-each.score, each.id))

    def _ask(self, statement: str, values: Sequence[str]) -> dict[str, float]:
        return {name: float(score) for name, score in self._rows.execute(statement, values)}

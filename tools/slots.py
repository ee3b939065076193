"""Slots: the pieces of evidence a question needs, and the queries that may find each one."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Literal, NamedTuple

from tools.regex import bounded
from tools.tokens import units

When = Literal["", "latest", "in_force"]
"""Which of several times counts: the newest, or what holds on the day asked about."""

_PLACEHOLDER = re.compile(r"\{([A-Za-z_]\w*)\}")


class Slot(NamedTuple):
    """One required piece of evidence.

    ``source`` names the source it searches, ``other_sources`` those that are searched beside it
    (what they say counts as much, and stands beside it where it differs), ``documents`` is a glob
    on the ids there, ``when`` chooses among times. ``needs`` maps a placeholder to the pattern of a
    value that must first be found in evidence of another slot; ``queries`` and ``must_match`` may
    name the placeholder in braces. ``named`` says that the question's own value is in the pattern.
    """

    name: str
    tool: str
    description: str = ""
    documents: str = "*"
    queries: tuple[str, ...] = ()
    needs: Mapping[str, str] = MappingProxyType({})
    must_match: str = ""
    source: str = ""
    other_sources: tuple[str, ...] = ()
    named: bool = False
    when: When = ""

    @property
    def is_of_one_thing(self) -> bool:
        """Whether what it takes is about one thing: named in the question, or in the evidence."""
        return self.named or bool(placeholders(self.must_match) & self.needs.keys())

    @property
    def asked(self) -> frozenset[str]:
        """The units of its prepared queries that are words: not ids, and not what stands in
        braces."""
        words = units(_PLACEHOLDER.sub(" ", " ".join(self.queries)))
        return frozenset(word for word in words if not any(map(str.isdigit, word)))

    def given(self, values: Mapping[str, str]) -> Slot:
        """The slot with values that the question itself has, in its queries and its pattern."""
        return self._replace(
            queries=tuple(_insert(query, values) for query in self.queries),
            must_match=_insert(self.must_match, values, _in_any_case),
            named=bool(placeholders(self.must_match) & values.keys()),
        )

    def bindings(self, texts: Sequence[str]) -> list[dict[str, str]]:
        """Each way to give every placeholder a value found in ``texts``; one empty binding when
        nothing is needed, none while a need is unmet."""
        return bindings(self.needs, texts)

    def filled_queries(self, texts: Sequence[str]) -> list[str]:
        """The concrete queries that may be asked, given the texts found so far."""
        return fill_in(self.queries, self.needs, texts)

    def written(self, values: Mapping[str, str]) -> list[str]:
        """The queries with one binding's values inserted."""
        return [_insert(query, values) for query in self.queries]

    def pattern(self, values: Sequence[Mapping[str, str]]) -> re.Pattern[str] | None:
        """What a hit's text must match, with values inserted escaped and whole, so that srv-1 is
        not found in srv-10 or srv-1-old; any of several bindings will do. None when every text
        will do."""
        if not self.must_match:
            return None
        written = [_insert(self.must_match, value, _as_whole) for value in values]
        return bounded("|".join(f"(?:{each})" for each in written), self.must_match)


def bindings(needs: Mapping[str, str], texts: Sequence[str]) -> list[dict[str, str]]:
    """Every combination of distinct values that the patterns of ``needs`` find in ``texts``."""
    found = [[(name, value) for value in values_in(needs[name], texts)] for name in needs]
    return [dict(each) for each in itertools.product(*found)]


def fill_in(queries: Sequence[str], needs: Mapping[str, str], texts: Sequence[str]) -> list[str]:
    """The concrete queries that may be asked now: placeholders replaced by values found in
    ``texts``, each distinct value giving a query; none while a need is unmet."""
    values = bindings(needs, texts)
    filled = [_insert(query, value) for query in queries for value in values]
    return list(dict.fromkeys(filled))


def placeholders(template: str) -> set[str]:
    """The names in braces. Digits in braces are repetition counts of a pattern."""
    return set(_PLACEHOLDER.findall(template))


def values_in(pattern: str, texts: Sequence[str]) -> list[str]:
    """The distinct values a pattern finds, in order. A blank one is none."""
    matches = (match for text in texts for match in bounded(pattern).finditer(text))
    return list(dict.fromkeys(filter(str.strip, map(value_of, matches))))


def value_of(match: re.Match[str]) -> str:
    """What a pattern has found: its first group that holds something, or all of it where it has no
    group; "" for nothing."""
    groups = match.groups()
    return next(filter(None, groups), "") if groups else match[0]


def _as_whole(value: str) -> str:
    """A pattern for ``value`` that is not a piece of a longer name. Only Latin letters, digits and
    what joins them can make it one: Korean writes particles right after a name."""
    before = r"(?<![A-Za-z0-9_])(?<![A-Za-z0-9_][-.])" if _is_latin(value[:1]) else ""
    after = r"(?![A-Za-z0-9_])(?![-.][A-Za-z0-9_])" if _is_latin(value[-1:]) else ""
    return before + re.escape(value) + after


def _in_any_case(value: str) -> str:
    return f"(?i:{_as_whole(value)})"


def _is_latin(character: str) -> bool:
    return bool(re.match(r"[A-Za-z0-9_]", character))


def _insert(template: str, values: Mapping[str, str], written: Callable[[str], str] = str) -> str:
    """``template`` with ``{name}`` replaced for the names that have a value. Other braces stay:
    in a pattern they are repetition counts."""
    for name, value in values.items():
        template = template.replace("{" + name + "}", written(value))
    return template

"""What a question itself states as conditions: shown, confirmed by the person, never applied
silently."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from agent.catalogue import Language, say

if TYPE_CHECKING:
    from agent.ask import Source
    from tools.index.indexed import IndexedCorpus
    from tools.proposals import Proposal

Confirm = Callable[[str], bool | None]
"""Shows a question and returns yes, no, or None where nobody can answer."""


class Settled(NamedTuple):
    """What ``question`` is asked of: ``source`` under the confirmed conditions, and every proposal
    for the record, ``confirmed`` true, false, or null where nobody said."""

    question: str
    source: Source | None
    proposals: list[dict[str, Any]]

    @property
    def holds(self) -> bool:
        """Whether conditions were confirmed, which evidence found before need not keep."""
        return any(each["confirmed"] for each in self.proposals)


def settle(
    question: str,
    source: Source | None,
    language: Language,
    confirm: Confirm,
    write: Callable[[str], None],
) -> Settled:
    """Ask once whether the bounds in ``question`` are conditions on ``source``, and tell what is
    not proposed and why. A field with a condition of the person's own is left alone."""
    found = _found(question, source)
    offered = [each for each in found if each.conditions]
    for each in found:
        for line in _reservations(each, language):
            write(line)
    answer = None
    if offered:
        conditions = [condition for each in offered for condition in each.conditions]
        words = ", ".join(each.words for each in offered)
        answer = confirm(
            say("proposal.ask", language, words=words, conditions=", ".join(conditions))
        )
        if answer is None:
            where = " ".join(f'--where "{condition}"' for condition in conditions)
            write(say("proposal.offered", language, words=words, where=where))
        if answer:
            source = _under(source, conditions)
    records = [
        {
            "words": each.words,
            "conditions": list(each.conditions),
            "reason": each.reason,
            "confirmed": answer if each.conditions else None,
        }
        for each in found
    ]
    return Settled(question, source, records)


def _found(question: str, source: Source | None) -> list[Proposal]:
    """The proposals for a source with fields. What several corpora together could hold is said and
    not proposed: a condition is one of a single corpus."""
    if source is None or source.kind not in ("index", "products", "library"):
        return []
    from tools.proposals import Proposal, indexed_fields, product_fields, proposals
    from tools.stated import stated

    if source.kind == "library":
        return [Proposal(each.words, (), "library") for each in stated(question) if each.bounds]
    if source.kind == "products":
        return proposals(question, product_fields(), source.filters.conditions)
    if not any(stated(question)):
        return []
    indexed = cast("IndexedCorpus", source)
    bound = [condition.field for condition in indexed.conditions.conditions]
    return proposals(question, indexed_fields(indexed.index.columns()), bound)


def _reservations(proposal: Proposal, language: Language) -> list[str]:
    """What the person should know of one proposal, or why there is none."""
    values = {"words": proposal.words, "fields": ", ".join(proposal.field_names)}
    if proposal.reason:
        return [say(f"proposal.none.{proposal.reason}", language, **values)]
    keys = {"proposal.changed": proposal.changed, "proposal.partial": proposal.partial}
    values["conditions"] = ", ".join(proposal.conditions)
    return [say(key, language, **values) for key, told in keys.items() if told]


def _under(source: Source | None, conditions: Sequence[str]) -> Source | None:
    """``source`` under these conditions too."""
    from tools.filters import parse_where

    if source is not None and source.kind == "index":
        return source.where(*conditions)
    if source is not None and source.kind == "products":
        read = parse_where(*conditions)
        asked = {name: getattr(read, name) for name in read.conditions if name != "in_stock"}
        return source.where(source.filters.tightened(asked))
    return source

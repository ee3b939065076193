"""The search tools of one question: one for each slot of a plan, or one over an open source."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from agent.evidence import Evidence
from agent.toolbox import Later
from tools.corpus import Corpus, Plan
from tools.documents import Folder
from tools.fences import as_description
from tools.slots import Slot

if TYPE_CHECKING:
    from tools.index.indexed import About, IndexedCorpus
    from tools.library import Found, Library

Query = Annotated[str, "The words to search for"]
CorpusName = Annotated[
    str, "The corpus to search; without one, those that the query is about are searched"
]


@dataclass(frozen=True)
class Toolset:
    """An open source that is several: the model holds what ``tools`` makes for one question, over
    its evidence, and chooses by their descriptions. ``names`` are the sources for the record."""

    names: tuple[str, ...]
    tools: Callable[[Evidence], list[Callable[..., Any]]]
    kind: ClassVar[Literal["tools"]] = "tools"
    is_empty: ClassVar[bool] = False


def slot_tools(plan: Plan, corpus: Corpus, evidence: Evidence) -> list[Callable[..., Any]]:
    """One search tool for each slot of the plan. The web may be asked anew."""
    if corpus.web is not None:
        corpus.web.new_question()
    return [_slot_tool(slot, corpus, evidence) for slot in plan.slots]


def folder_tool(folder: Folder | IndexedCorpus, evidence: Evidence) -> Callable[..., Any]:
    """The search tool over the reader's documents: a folder, or an indexed corpus."""

    def search_documents(query: Query) -> Later[Any]:
        """Find the lines of the reader's documents that answer a question. Returns hits with
        ids (file:line) to cite."""
        return evidence.search_open(
            "search_documents",
            query,
            lambda words: folder.search(words, evidence.breadth, loosely=evidence.is_loose),
        )

    return search_documents


def library_tool(library: Library, evidence: Evidence, searched: list[str]) -> Callable[..., Any]:
    """The search tool over several corpora; the names of those that were searched are added to
    ``searched``."""

    def told(found: Found) -> dict[str, Any]:
        searched.extend(name for name in found.searched if name not in searched)
        apart = {"unavailable": [*found.failed]} if found.failed else {}
        return {"corpora": [*found.searched], **apart}

    def search_documents(query: Query, corpus: CorpusName = "") -> Later[Any]:
        corpus = library.called(corpus) if corpus else ""
        return evidence.search_open(
            "search_documents",
            query,
            lambda words: library.search(
                words, corpus, evidence.breadth, loosely=evidence.is_loose
            ),
            take=lambda found: found.passages,
            add=told,
            scope=corpus,
        )

    search_documents.__doc__ = " ".join(
        [
            "Find the lines of the reader's documents that answer a question. Returns hits with",
            "ids (corpus:file:line) to cite. The corpora:",
            "; ".join(_described(about) for about in library.abouts),
        ]
    )
    return search_documents


def _described(about: About) -> str:
    """A corpus in a line, for a model that chooses."""
    traits = ", ".join(filter(None, [about.role, about.language]))
    return (
        f"{about.name}{f' ({traits})' if traits else ''}: {as_description(about.description, '-')}"
    )


def _slot_tool(slot: Slot, corpus: Corpus, evidence: Evidence) -> Callable[..., Any]:
    def find(query: Query) -> Later[Any]:
        return evidence.search_slot(slot, query, corpus)

    find.__name__ = slot.tool
    about = as_description(corpus.about(slot), corpus.name)
    find.__doc__ = f"Find evidence in {about}: {as_description(slot.description, slot.name)}"
    if corpus.is_on_the_web(slot):
        from tools.search_web import FROM_STRANGERS

        find.__doc__ += f". It searches the web: {FROM_STRANGERS}"
    return find

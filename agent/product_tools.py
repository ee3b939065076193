"""The tools over products: the person's filters bind every call, and what breaks them is never
evidence."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Annotated, Any, cast, get_type_hints

from agent.catalogue import Language, say
from agent.evidence import Evidence
from agent.toolbox import Later
from tools.arguments import Bounds
from tools.fences import as_description, looks_like_orders
from tools.filters import Filters
from tools.problems import ToolProblem
from tools.products import Finding, ProductCorpus
from tools.tokens import fold

Query = Annotated[str, "Words that describe the product; conditions go in the other arguments"]
TopK = Annotated[int, "How many products to return at most (3 if not given)", Bounds(1, 20)]
Name = Annotated[str, "The exact name or id of one product"]

MOST_LISTED = 30
"""Products whose names the tool lists, so that a model need not guess them; of more, none."""
_LONGEST_LISTED = 40


def product_tools(corpus: ProductCorpus, evidence: Evidence) -> list[Callable[..., Any]]:
    """The tools of one question, bound to the filters of ``corpus``."""
    search = _search_tool(corpus, evidence)
    search.__doc__ = (
        f"Search products by words in {_material(corpus)}; a call may tighten these conditions and "
        "never loosen them. Returns hits with ids to cite; an empty result is a finding, not a "
        "mistake."
    )
    return [search, product_info_tool(corpus, evidence)]


def product_info_tool(corpus: ProductCorpus, evidence: Evidence) -> Callable[..., Any]:
    """``get_product_info`` of one question: one product, by its name or id."""
    info = _info_tool(corpus, evidence)
    info.__doc__ = f"Look up one product by its exact name or id in {_material(corpus)}."
    if names := _listed(corpus):
        described = f"The exact name or id of one product, one of: {', '.join(names)}"
        info.__annotations__ = {**info.__annotations__, "name": Annotated[str, described]}
    return info


def told_apart(corpus: ProductCorpus, query: str, language: Language) -> list[str]:
    """Lines for the reader that stand apart from the result: which conditions left how many
    products out when nothing was found, and what one changed condition would bring."""
    finding = corpus.search(query)
    lines: list[str] = []
    if not finding.hits:
        removed = ", ".join(f"{condition} ({n})" for condition, n in finding.removed.items())
        lines.append(say("products.none", language, total=finding.total))
        lines.append(say("products.removed", language, removed=removed or "-"))
        lines.append(say("products.unrelated", language, unrelated=finding.unrelated))
    if near := corpus.alternatives(query):
        lines.append(say("products.alternatives", language))
    for each in near:
        product = {"id": each.product.id, "summary": each.product.summary}
        lines.append(say("products.alternative", language, was=each.was, now=each.now, **product))
    return lines


def _material(corpus: ProductCorpus) -> str:
    material = as_description(corpus.description, corpus.name)
    return f"{material}. The person fixed: {corpus.filters.told}"


def _listed(corpus: ProductCorpus) -> list[str]:
    """The names and ids of the products that meet the person's filters; none of many. A name is
    data: one that is long, or reads as an order, does not get into a declaration."""
    met = [each for each in corpus.products if not corpus.filters.broken_by(each)]
    if len(met) > MOST_LISTED:
        return []
    words = [*(each.name for each in met), *(each.id for each in met)]
    return [
        each
        for each in words
        if len(each) <= _LONGEST_LISTED and "," not in each and not looks_like_orders(each)
    ]


def _search_tool(corpus: ProductCorpus, evidence: Evidence) -> Callable[..., Any]:
    empty: list[tuple[str, Filters]] = []

    def search_products(query: Query, top_k: TopK = 3, **asked: Any) -> Later[Any]:
        filters = corpus.filters.tightened(asked)
        if any(fold(query) == words and filters.within(known) for words, known in empty):
            raise ToolProblem(
                "known_empty", f"0 items for {filters.told}: this was searched already."
            )

        def told(finding: Finding) -> dict[str, Any]:
            if not finding.hits:
                empty.append((fold(query), filters))
            note = {"note": finding.note} if not finding.hits else {}
            conditions = list(filters.conditions.values())
            return {**note, "filters": conditions, "matching": finding.matching}

        return evidence.search_open(
            "search_products",
            query,
            lambda _: corpus.search(query, filters, top_k),
            take=lambda finding: finding.hits,
            add=told,
            variant=f"{filters.told} {top_k}",
        )

    return _with_filters(search_products)


def _info_tool(corpus: ProductCorpus, evidence: Evidence) -> Callable[..., Any]:
    def get_product_info(name: Name) -> Later[Any]:
        product = corpus.named(name)
        if product is None:
            raise ToolProblem(
                "unknown_product",
                "No product has exactly this name or id.",
                nearest=corpus.nearest_names(name),
            )
        if broken := corpus.filters.broken_by(product):
            conditions = [corpus.filters.conditions[each] for each in broken]
            raise ToolProblem(
                "outside_filters",
                f"{product.name} does not meet {', '.join(conditions)}, which the person fixed.",
                broken=conditions,
            )
        return evidence.search_open(
            "get_product_info", product.name, lambda _: [product.passage(corpus.name)]
        )

    return get_product_info


def _with_filters(function: Callable[..., Any]) -> Callable[..., Any]:
    """``function``, declared with one optional argument for each filter instead of ``**asked``, so
    that a new filter is an argument of the tool at once."""
    filters = get_type_hints(Filters, include_extras=True)
    own = [
        each
        for each in inspect.signature(function).parameters.values()
        if each.kind is not inspect.Parameter.VAR_KEYWORD
    ]
    added = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None) for name in filters
    ]
    declared = cast(Any, function)
    declared.__signature__ = inspect.Signature([*own, *added])
    declared.__annotations__ = {**function.__annotations__, **filters}
    return function

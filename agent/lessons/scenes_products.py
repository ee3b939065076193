"""Scenarios about products: conditions that bind, and a score that only orders what they leave."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from agent.lessons.stage import Stage
from agent.run import Run
from tools.filters import Filters
from tools.products import Product, ProductCorpus

KO, EN = "저소음 키보드 있어?", "Is there a quiet keyboard?"

LIMITS = (0, 429, 430, 900, 1149, 1150, 5000)
"""Weight limits that the invariant is tested with, in grams: around each keyboard, and far off."""

READ_AT = datetime(2026, 11, 30, 9, tzinfo=UTC)
"""When prices and stock were read: the same for both sides, whenever they are run."""


def _keyboard(
    stage: Stage, id: str, won: int, stock: int, times: int = 1, grams: int = 800
) -> Product:
    """A keyboard whose description says the words of the question, ``times`` times over."""
    name, words = (
        ("고요", "저소음 키보드") if stage.language == "ko" else ("Calm", "quiet keyboard")
    )
    text = " ".join([words] * times)
    return Product(id, f"{name} {id}", won, stock, "usb-c", grams, text, READ_AT)


def _ask(stage: Stage, filters: Filters, *products: Product) -> Run | None:
    stage.note("filters", filters=filters.told)
    return stage.ask(KO, EN, _corpus(products).where(filters))


def _corpus(products: tuple[Product, ...]) -> ProductCorpus:
    return ProductCorpus("keyboards", "keyboards", products)


def exactly_the_limit(stage: Stage) -> Run | None:
    """One keyboard at exactly the price that is the limit. Broken: "at most" is read as "below"."""
    limit = 99_999 if stage.broken else 100_000
    return _ask(stage, Filters(max_won=limit), _keyboard(stage, "K1", 100_000, 3))


def sold_out_but_loud(stage: Stage) -> Run | None:
    """A keyboard that is sold out says the words of the question ten times. Broken: the stock is
    not filtered, and left to the score."""
    filters = Filters(in_stock=not stage.broken)
    loud, plain = _keyboard(stage, "K0", 59_000, 0, 10), _keyboard(stage, "K1", 79_000, 4)
    return _ask(stage, filters, loud, plain)


def weight_limit(stage: Stage) -> Run | None:
    """A limit of 900 g, and a test that no limit lets a heavier keyboard through. Broken: the new
    condition can be given, and is compared nowhere."""
    products = (
        _keyboard(stage, "K1", 79_000, 4, grams=430),
        _keyboard(stage, "K2", 59_000, 4, grams=1150),
    )

    def compared(filters: Filters) -> Filters:
        return replace(filters, max_grams=None) if stage.broken else filters

    def keeps(limit: int) -> bool:
        found = _corpus(products).search(KO + EN, compared(Filters(max_grams=limit)))
        return all(each.grams <= limit for each in found.products)

    violated = [limit for limit in LIMITS if not keeps(limit)]
    stage.note("invariant", limits=list(LIMITS), violated=violated)
    return _ask(stage, compared(Filters(max_grams=900)), *products)

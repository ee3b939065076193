"""Products: conditions decide which may be shown, a score decides in which order.

A corpus of this kind is a folder with ``products.toml``. Price and stock are what they were when
that file was read; every passage says when.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, ClassVar, Literal, cast, get_type_hints

from tools.corpus import INSTALLED
from tools.documents import Passage, read_text
from tools.filters import Connection, Filters
from tools.patterns import lazy_pattern
from tools.problems import CorpusError, FilterError
from tools.tokens import fold, units

PRODUCTS_FILE = "products.toml"

_ID = lazy_pattern(r"[^\s\[\],]+")


def now() -> datetime:
    """The time here, with its zone."""
    return datetime.now().astimezone()


@dataclass(frozen=True)
class Product:
    """One product. Its price in whole won and its stock are those of ``read_at``."""

    id: str
    name: str
    price_won: int
    stock: int
    connection: Connection
    grams: int
    text: str
    read_at: datetime

    @property
    def summary(self) -> str:
        return f"{self.name} | {self.price_won}원 | 재고 {self.stock}"

    def passage(self, source: str, score: float = 0.0) -> Passage:
        """The product as evidence, in one line that says when it was read."""
        read_at = self.read_at.isoformat(timespec="seconds")
        line = f"{self.summary} | {self.connection} | {self.grams}g | {self.text} (조회 {read_at})"
        return Passage(self.id, line, source, score, body=line)


@dataclass(frozen=True)
class Finding:
    """What one search found, best first, and why the rest is not there.

    ``matching`` counts the products that could have been shown, ``removed`` the products that
    each condition alone leaves out, ``unrelated`` those that meet every condition and share no
    word with the query.
    """

    hits: tuple[Passage, ...]
    products: tuple[Product, ...]
    filters: Filters
    total: int
    matching: int
    removed: dict[str, int]
    unrelated: int

    @property
    def note(self) -> str:
        """For the model: an empty result is an answer. Empty when something was found."""
        if self.hits:
            return ""
        removed = "; ".join(f"{condition} removes {n}" for condition, n in self.removed.items())
        return (
            f"0 items for {self.filters.told}. Of {self.total} products: {removed or 'all remain'}"
            f"; {self.unrelated} of the rest share no word with the query. "
            "The filters are fixed; do not retry with others."
        )


@dataclass(frozen=True)
class Alternative:
    """A product that is no result, and the one condition that would have to change for it."""

    product: Product
    was: str
    now: str


@dataclass(frozen=True)
class ProductCorpus:
    """Products, and the filters that the person set on them."""

    kind: ClassVar[Literal["products"]] = "products"
    name: str
    description: str
    products: tuple[Product, ...]
    filters: Filters = field(default_factory=Filters)

    @property
    def is_empty(self) -> bool:
        """Whether there is no product to find, under any filters."""
        return not self.products

    @property
    def left_out(self) -> list[str]:
        """The names of products that the person's filters leave out and that no other product
        has."""
        kept = {each.name for each in self.products if not self.filters.broken_by(each)}
        return [each.name for each in self.products if each.name not in kept]

    def where(self, filters: Filters) -> ProductCorpus:
        """The same products under the person's filters."""
        return replace(self, filters=filters)

    def search(self, query: str, filters: Filters | None = None, top_k: int = 3) -> Finding:
        """The products that meet every filter and share a word with the query.

        The score is the number of words in a product's text that the query has; a tie goes to the
        lower price, then to the id. ``filters`` are the person's unless others are given. Raises
        FilterError for a ``top_k`` below 1.
        """
        filters = self.filters if filters is None else filters
        if top_k < 1:
            raise FilterError("top_k", given=top_k)
        broken = {product: filters.broken_by(product) for product in self.products}
        eligible = [product for product, names in broken.items() if not names]
        ranked = _ranked(query, eligible)
        shown = ranked[:top_k]
        return Finding(
            hits=tuple(product.passage(self.name, float(score)) for score, product in shown),
            products=tuple(product for _, product in shown),
            filters=filters,
            total=len(self.products),
            matching=len(ranked),
            removed={
                condition: sum(name in names for names in broken.values())
                for name, condition in filters.conditions.items()
            },
            unrelated=len(eligible) - len(ranked),
        )

    def alternatives(
        self, query: str, filters: Filters | None = None, top_k: int = 3
    ) -> list[Alternative]:
        """Products that share a word with the query and break exactly one condition, ordered as
        results are. They are no results: show them apart, with the condition that changes."""
        filters = self.filters if filters is None else filters
        broken = {product: filters.broken_by(product) for product in self.products}
        near = [product for product, names in broken.items() if len(names) == 1]
        return [
            Alternative(product, filters.conditions[name], filters.admitting(name, product))
            for _, product in _ranked(query, near)[:top_k]
            for name in broken[product]
        ]

    def named(self, name: str) -> Product | None:
        """The product with exactly this name or id; case and spaces do not matter."""
        wanted = _key(name)
        return next((each for each in self.products if wanted in _keys(each)), None)

    def nearest_names(self, name: str, filters: Filters | None = None) -> list[str]:
        """Names that share something with ``name``, nearest first, of products that meet every
        filter."""
        filters = self.filters if filters is None else filters
        wanted = set(units(name))
        shared = {
            product.name: len(wanted & set(units(product.name)))
            for product in self.products
            if not filters.broken_by(product)
        }
        near = [each for each, count in shared.items() if count]
        return sorted(near, key=lambda each: (-shared[each], each))


def read_products(folder: Path, clock: Callable[[], datetime] = now) -> ProductCorpus:
    """The products in ``folder``, read at the time of ``clock``. Raises CorpusError, naming the
    file and the entry."""
    path = folder / PRODUCTS_FILE
    try:
        table = tomllib.loads(read_text(path))
    except tomllib.TOMLDecodeError as error:
        raise CorpusError("bad_toml", path=path, reason=str(error)) from None
    name, description = table.get("name", folder.name), table.get("description", "")
    for entry, value in (("name", name), ("description", description)):
        if not isinstance(value, str):
            raise CorpusError("bad_entry", path=path, entry=entry, reason="a text is expected")
    return ProductCorpus(name, description, _products(path, table.get("product", []), clock()))


def installed_products(root: Path = INSTALLED) -> list[ProductCorpus]:
    """Every built-in corpus of products, by name."""
    found = [read_products(path.parent) for path in root.glob(f"*/{PRODUCTS_FILE}")]
    return sorted(found, key=lambda corpus: corpus.name)


def find_products(name: str, root: Path = INSTALLED) -> ProductCorpus | None:
    """The products in the folder ``name``, or the built-in ones of that name; None when there are
    none. Raises CorpusError for products that cannot be read."""
    if (Path(name) / PRODUCTS_FILE).is_file():
        return read_products(Path(name))
    return next((each for each in installed_products(root) if each.name == name), None)


def _ranked(query: str, products: Sequence[Product]) -> list[tuple[int, Product]]:
    scored = [(_score(query, product.text), product) for product in products]
    related = [pair for pair in scored if pair[0] > 0]
    return sorted(related, key=lambda pair: (-pair[0], pair[1].price_won, pair[1].id))


def _score(query: str, text: str) -> int:
    """How many different words of ``text`` the query has, also with an ending or inside a
    compound: 사무실에서 and 저소음키보드 have 사무실, 저소음 and 키보드."""
    wanted = set(units(query))
    words = {frozenset(units(word)) for word in text.split()}
    return sum(1 for word in words if word and word <= wanted)


def _key(name: str) -> str:
    return fold(name).replace(" ", "")


def _keys(product: Product) -> set[str]:
    return {_key(product.id), _key(product.name)}


def _products(path: Path, rows: Any, read_at: datetime) -> tuple[Product, ...]:
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        reason = "[[product]] tables are expected"
        raise CorpusError("bad_entry", path=path, entry="product", reason=reason)
    found: list[Product] = []
    taken: set[str] = set()
    for number, row in enumerate(cast(list[dict[str, Any]], rows), 1):
        product = _product(path, f"product {number}", row, read_at)
        if taken & _keys(product):
            reason = "another product has this id or name"
            raise CorpusError("bad_entry", path=path, entry=f"product {number}", reason=reason)
        taken |= _keys(product)
        found.append(product)
    return tuple(found)


def _product(path: Path, place: str, row: dict[str, Any], read_at: datetime) -> Product:
    values = {
        name: _entry(path, place, name, row.get(name), whole=kind is int)
        for name, kind in get_type_hints(Product).items()
        if name != "read_at"
    }
    if not _ID.fullmatch(values["id"]):
        reason = "an id has no spaces, commas or brackets"
        raise CorpusError("bad_entry", path=path, entry=f"{place}: id", reason=reason)
    try:
        Filters(connection=values["connection"])
    except FilterError as error:
        reason = f"one of {error.values['choices']} is expected"
        entry = f"{place}: connection"
        raise CorpusError("bad_entry", path=path, entry=entry, reason=reason) from None
    return Product(**values, read_at=read_at)


def _entry(path: Path, place: str, name: str, value: Any, *, whole: bool) -> Any:
    """A number that is whole and not negative, or a text as one printable line."""
    if whole and isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return value
    if not whole and isinstance(value, str) and value.strip():
        return " ".join("".join(each if each.isprintable() else " " for each in value).split())
    reason = "a whole number, 0 or more, is expected" if whole else "a text is expected"
    raise CorpusError("bad_entry", path=path, entry=f"{place}: {name}", reason=reason)

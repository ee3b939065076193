"""Products: conditions before the score, and nothing that breaks one is ever returned."""

from __future__ import annotations

import random
from dataclasses import FrozenInstanceError, replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any
from unicodedata import normalize

import pytest

from agent.catalogue import tell
from tools.corpus import INSTALLED, installed_corpora
from tools.filters import Filters
from tools.problems import CorpusError, FilterError
from tools.products import (
    Product,
    ProductCorpus,
    find_products,
    installed_products,
    read_products,
)

NOON = datetime(2026, 11, 30, 12, 0, 0, 123, tzinfo=timezone(timedelta(hours=9)))


@pytest.fixture
def keyboards() -> ProductCorpus:
    return read_products(INSTALLED / "products", lambda: NOON)


def product(id: str, text: str = "키보드", **values: Any) -> Product:
    usual = {"price_won": 10_000, "stock": 1, "connection": "usb-c", "grams": 500}
    return Product(id=id, name=f"상품 {id}", text=text, read_at=NOON, **usual | values)


def corpus(*products: Product) -> ProductCorpus:
    return ProductCorpus("shop", "", products)


def ids(found: ProductCorpus, query: str, *filters: Any, top_k: int = 3) -> list[str]:
    return [hit.id for hit in found.search(query, Filters(*filters), top_k).hits]


def test_the_built_in_products(keyboards):
    told = [(p.id, p.name, p.price_won, p.stock, p.connection) for p in keyboards.products]
    assert told == [
        ("P1", "고요 키보드", 79000, 4, "usb-c"),
        ("P2", "고요 프로", 129000, 7, "usb-c"),
        ("P3", "고요 미니", 59000, 0, "usb-c"),
        ("P4", "무선 고요", 69000, 8, "bluetooth"),
        ("P5", "클릭 키보드", 49000, 3, "usb-c"),
    ]
    assert all(each.grams > 0 for each in keyboards.products)


def test_products_cannot_be_changed(keyboards):
    with pytest.raises(FrozenInstanceError):
        keyboards.products[0].price_won = 1  # type: ignore[misc]


def test_they_are_no_corpus_of_documents():
    assert "products" not in [each.name for each in installed_corpora()]
    assert [each.name for each in installed_products()] == ["products"]


def test_found_by_name_or_folder(tmp_path: Path):
    folder = write(tmp_path / "mine", GOOD)
    assert find_products("products") is not None
    mine = find_products(str(folder))
    assert mine is not None and mine.name == "mine"
    assert find_products("billing") is None


@pytest.mark.parametrize(
    ("query", "filters", "expected"),
    [
        ("저소음 사무실", (100_000, "usb-c"), ["P1"]),
        ("저소음", (79_000, "usb-c"), ["P1"]),
        ("저소음", (78_999, "usb-c"), []),
        ("저소음", (50_000, "usb-c"), []),
        ("저소음", (100_000, "usb-c", False), ["P3", "P1"]),
        ("저소음 사무실", (100_000, "bluetooth"), ["P4"]),
        ("저소음 사무실", (), ["P4", "P1", "P2"]),
        ("저소음 사무실", (None, None, True, 820), ["P4", "P1"]),
        ("저소음 사무실", (None, None, True, 819), ["P4"]),
        ("날씨", (), []),
        ("", (), []),
    ],
)
def test_conditions_come_first(keyboards, query: str, filters: tuple[Any, ...], expected):
    assert ids(keyboards, query, *filters) == expected


@pytest.mark.parametrize("budget", [0, 49_000, 79_000, 100_000, 200_000])
@pytest.mark.parametrize("connection", [None, "usb-c", "bluetooth"])
@pytest.mark.parametrize("in_stock", [True, False])
@pytest.mark.parametrize("grams", [None, 0, 560, 820, 2_000])
def test_every_result_keeps_every_condition(keyboards, budget, connection, in_stock, grams):
    filters = Filters(budget, connection, in_stock, grams)
    found = keyboards.search("키보드 사무실", filters, top_k=9).products
    for each in found:
        assert each.price_won <= budget
        assert connection is None or each.connection == connection
        assert not in_stock or each.stock > 0
        assert grams is None or each.grams <= grams


def test_any_products_under_any_conditions():
    dice = random.Random(11)
    words = ["키보드", "저소음", "유선", "게임"]
    shown = 0
    for _ in range(300):
        products = [
            product(
                f"p{n}",
                " ".join(dice.choices(words, k=dice.randint(1, 4))),
                price_won=dice.choice([0, 49_000, 79_000, 100_000]),
                stock=dice.choice([0, 1, 5]),
                connection=dice.choice(["usb-c", "bluetooth"]),
                grams=dice.choice([400, 500, 600]),
            )
            for n in range(8)
        ]
        won = dice.choice([None, 0, 49_000, 78_999, 79_000, 200_000])
        connection: Any = dice.choice([None, "usb-c", "bluetooth"])
        in_stock, grams = dice.choice([True, False]), dice.choice([None, 499, 500, 600])
        query = dice.sample(words, k=2)
        expected = [
            each
            for each in products
            if (won is None or each.price_won <= won)
            and (connection is None or each.connection == connection)
            and (each.stock > 0 or not in_stock)
            and (grams is None or each.grams <= grams)
            and set(query) & set(each.text.split())
        ]
        finding = corpus(*products).search(
            " ".join(query), Filters(won, connection, in_stock, grams), top_k=8
        )
        assert {each.id for each in finding.products} == {each.id for each in expected}
        assert finding.matching == len(expected)
        scores = [
            (-len(set(query) & set(each.text.split())), each.price_won, each.id)
            for each in finding.products
        ]
        assert scores == sorted(scores)
        shown += len(expected)
    assert shown > 300


def test_exactly_100000_is_in():
    shop = corpus(product("just", price_won=100_000), product("over", price_won=100_001))
    assert ids(shop, "키보드", 100_000) == ["just"]


def test_sold_out_stays_out_however_well_it_is_described():
    shop = corpus(product("gone", "저소음 " * 10 + "키보드 사무실", stock=0), product("there"))
    assert ids(shop, "저소음 키보드 사무실") == ["there"]


def test_a_word_counts_once():
    shop = corpus(product("often", "저소음 " * 10, price_won=2), product("once", price_won=1))
    assert [hit.score for hit in shop.search("저소음 저소음 키보드").hits] == [1.0, 1.0]
    assert ids(shop, "저소음 저소음 키보드") == ["once", "often"]


def test_ties_go_to_the_price_then_to_the_id():
    shop = corpus(
        product("c", price_won=2),
        product("b", price_won=1),
        product("a", price_won=2),
        product("z", "키보드 유선", price_won=9),
    )
    assert ids(shop, "유선 키보드", top_k=4) == ["z", "b", "a", "c"]


@pytest.mark.parametrize(
    "query", ["키보드를", "사무실용키보드", normalize("NFD", "키보드"), "키보드?"]
)
def test_words_are_met_with_endings_and_in_compounds(query: str):
    assert ids(corpus(product("a")), query) == ["a"]


@pytest.mark.parametrize("query", ["스노우보드", "키", "드", "keyboard"])
def test_a_piece_of_a_word_is_not_the_word(query: str):
    assert ids(corpus(product("a")), query) == []


@pytest.mark.parametrize(("top_k", "count"), [(1, 1), (3, 3), (4, 4), (100, 4)])
def test_top_k(top_k: int, count: int):
    shop = corpus(*(product(name) for name in "abcd"))
    finding = shop.search("키보드", top_k=top_k)
    assert (len(finding.hits), finding.matching) == (count, 4)


def test_without_a_top_k_three_are_shown_and_three_alternatives():
    shop = corpus(*(product(name) for name in "abcd"))
    assert ids(shop, "키보드") == [hit.id for hit in shop.search("키보드").hits] == ["a", "b", "c"]
    near = shop.alternatives("키보드", Filters(9_000))
    assert [each.product.id for each in near] == ["a", "b", "c"]


@pytest.mark.parametrize("top_k", [0, -1])
def test_a_top_k_below_1_is_refused(keyboards, top_k: int):
    with pytest.raises(FilterError) as raised:
        keyboards.search("저소음", top_k=top_k)
    assert str(top_k) in tell(raised.value, "ko")


def test_an_empty_result_says_which_condition_took_how_many(keyboards):
    finding = keyboards.search("저소음 사무실", Filters(50_000, "usb-c"))
    assert finding.removed == {"max_won<=50000": 4, "connection=usb-c": 1, "in_stock=true": 1}
    assert (finding.total, finding.unrelated) == (5, 1)
    assert finding.note == (
        "0 items for max_won<=50000, connection=usb-c, in_stock=true. Of 5 products: "
        "max_won<=50000 removes 4; connection=usb-c removes 1; in_stock=true removes 1; "
        "1 of the rest share no word with the query. "
        "The filters are fixed; do not retry with others."
    )
    found = keyboards.search("저소음", Filters())
    assert found.note == "" and (found.matching, found.unrelated) == (3, 1)


def test_a_passage_says_when_price_and_stock_were_read(keyboards):
    (hit,) = keyboards.search("저소음 사무실", Filters(100_000, "usb-c")).hits
    assert hit.text == (
        "고요 키보드 | 79000원 | 재고 4 | usb-c | 820g | 저소음 키보드 사무실 유선 "
        "(조회 2026-11-30T12:00:00+09:00)"
    )
    assert (hit.id, hit.source, hit.score) == ("P1", "products", 2.0)


def test_read_again_is_another_time(tmp_path: Path):
    folder = write(tmp_path, GOOD)
    times = iter([NOON, NOON.astimezone(UTC) + timedelta(hours=1)])
    before, after = (read_products(folder, lambda: next(times)) for _ in range(2))
    assert before.products[0].read_at == NOON
    assert after.products[0].passage("s").text.endswith("(조회 2026-11-30T04:00:00+00:00)")


def test_the_clock_of_this_machine_has_a_zone():
    assert installed_products()[0].products[0].read_at.tzinfo is not None


def test_alternatives_name_the_one_condition_that_changed(keyboards):
    filters = Filters(100_000, "usb-c", True, 820)
    near = keyboards.alternatives("저소음 사무실", filters)
    assert [(each.product.id, each.was, each.now) for each in near] == [
        ("P3", "in_stock=true", "in_stock=false"),
        ("P4", "connection=usb-c", "connection=bluetooth"),
    ]
    results = ids(keyboards, "저소음 사무실", 100_000, "usb-c", True, 820)
    assert not {each.product.id for each in near} & set(results)


def test_an_alternative_would_be_a_result_under_its_condition(keyboards):
    near = keyboards.alternatives("저소음", Filters(50_000, "usb-c", True, 820))
    assert [(each.product.id, each.now) for each in near] == [("P1", "max_won<=79000")]
    assert ids(keyboards, "저소음", 79_000, "usb-c", True, 820) == ["P1"]
    assert keyboards.alternatives("날씨", Filters(50_000)) == []


def test_results_take_no_place_among_the_alternatives(keyboards):
    (near,) = keyboards.alternatives("저소음", Filters(100_000, in_stock=False), top_k=1)
    assert near.product.id == "P2"


def test_alternatives_have_an_end_too(keyboards):
    assert len(keyboards.alternatives("저소음", Filters(0), top_k=2)) == 2


@pytest.mark.parametrize(
    "name",
    ["고요 키보드", "고요키보드", " 고요  키보드 ", normalize("NFD", "고요 키보드"), "P1", "p1"],
)
def test_a_product_is_known_by_its_exact_name_or_id(keyboards, name: str):
    assert keyboards.named(name).id == "P1"


@pytest.mark.parametrize("name", ["고요", "키보드", "고요 키보드 2", "P", "P11", ""])
def test_a_near_name_is_not_taken_for_it(keyboards, name: str):
    assert keyboards.named(name) is None


def test_near_names_keep_the_conditions(keyboards):
    assert keyboards.nearest_names("고요 키보트") == [
        "고요 키보드",
        "고요 프로",
        "무선 고요",
        "클릭 키보드",
    ]
    bound = keyboards.where(Filters(100_000, "usb-c"))
    assert bound.nearest_names("고요 키보트") == ["고요 키보드", "클릭 키보드"]
    assert bound.nearest_names("의자") == []


def test_the_person_s_filters_are_the_usual_ones(keyboards):
    bound = keyboards.where(Filters(50_000))
    assert bound.search("저소음").hits == ()
    assert [hit.id for hit in bound.search("게임").hits] == ["P5"]
    assert keyboards.filters == Filters()


GOOD = """
[[product]]
id = "K-1"
name = "나무 의자"
price_won = 0
stock = 0
connection = "usb-c"
grams = 7000
text = "나무 의자"
"""


def write(folder: Path, toml: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "products.toml").write_text(toml, encoding="utf-8")
    return folder


def test_texts_become_one_printable_line(tmp_path: Path):
    toml = GOOD.replace('text = "나무 의자"', 'text = "나무\\n\\u001b[31m 의자"')
    (chair,) = read_products(write(tmp_path, toml)).products
    assert chair.text == "나무 [31m 의자"


@pytest.mark.parametrize(
    ("toml", "entry"),
    [
        ("product = 1", "product"),
        ("name = 1", "name"),
        ("description = []", "description"),
        (GOOD.replace('id = "K-1"', ""), "product 1: id"),
        (GOOD.replace('"K-1"', '"K 1"'), "product 1: id"),
        (GOOD.replace('"K-1"', '"K]1"'), "product 1: id"),
        (GOOD.replace('"K-1"', '"K,1"'), "product 1: id"),
        (GOOD.replace('"나무 의자"', '" "'), "product 1: name"),
        (GOOD.replace("price_won = 0", "price_won = -1"), "product 1: price_won"),
        (GOOD.replace("price_won = 0", "price_won = 9.5"), "product 1: price_won"),
        (GOOD.replace("price_won = 0", 'price_won = "가격 문의"'), "product 1: price_won"),
        (GOOD.replace("stock = 0", "stock = true"), "product 1: stock"),
        (GOOD.replace("grams = 7000", ""), "product 1: grams"),
        (GOOD.replace("usb-c", "USB"), "product 1: connection"),
        (GOOD + GOOD.replace("K-1", "K-2"), "product 2"),
        (GOOD + GOOD.replace("나무 의자", "나무의자 둘").replace("K-1", "k-1"), "product 2"),
        (GOOD + GOOD.replace('"나무 의자"', '"나무의자"').replace("K-1", "K-2"), "product 2"),
    ],
)
def test_what_is_wrong_in_the_file_is_named(tmp_path: Path, toml: str, entry: str):
    with pytest.raises(CorpusError) as raised:
        read_products(write(tmp_path, toml))
    assert raised.value.key == "corpus.bad_entry"
    assert raised.value.values["entry"] == entry
    assert "products.toml" in tell(raised.value, "ko")


@pytest.mark.parametrize(
    ("toml", "reason"),
    [
        (GOOD.replace("price_won = 0", "price_won = -1"), "a whole number, 0 or more, is expected"),
        (GOOD.replace('"나무 의자"', '" "'), "a text is expected"),
    ],
)
def test_what_is_expected_instead_is_said(tmp_path: Path, toml: str, reason: str):
    with pytest.raises(CorpusError) as raised:
        read_products(write(tmp_path, toml))
    assert raised.value.values["reason"] == reason


def test_no_toml_and_no_file(tmp_path: Path):
    for folder, key in [(write(tmp_path, "[[product"), "bad_toml"), (tmp_path / "x", "unreadable")]:
        with pytest.raises(CorpusError) as raised:
            read_products(folder)
        assert raised.value.key == f"corpus.{key}"


def test_two_products_of_the_same_value_are_two(keyboards):
    twins = corpus(product("a"), replace(product("a"), id="b"))
    assert ids(twins, "키보드") == ["a", "b"]
    assert len(twins.alternatives("키보드", Filters(0))) == 2

"""Every kind of expectation, just inside and just outside."""

from __future__ import annotations

import pytest

from tests.smoke_runner.conftest import Smoke, Write

PRODUCTS = """\
version: 1
corpus: products
model: scripted
responses:
  - calls:
      - name: search_products
        args: {query: 저소음 키보드, max_won: 100000.0, in_stock: true}
  - calls:
      - {name: get_product_info, args: {name: 고요 키보드}}
      - {name: search_products, args: {query: 무선, top_k: 2}}
  - text: 고요 키보드는 79000원입니다. [P1]
turns:
  - ask: 저소음 키보드 추천해줘
    expect: {%s}
"""
BILLING = """\
version: 1
corpus: billing
limits: {max_searches: 2}
turns:
  - ask: invoice export
    expect: {%s}
"""
PRICED = """\
version: 1
docs: .
model: scripted
responses:
  - body:
      candidates:
        - finishReason: STOP
          content:
            role: model
            parts: [{functionCall: {name: search_documents, args: {query: 노트북}}}]
      usageMetadata: {promptTokenCount: 400000, candidatesTokenCount: 0}
      modelVersion: gemini-3.8-flash
  - body:
      candidates: [{finishReason: STOP, content: {role: model, parts: [{text: "119번 [a.txt:1]"}]}}]
      usageMetadata: {promptTokenCount: 600000, candidatesTokenCount: 0}
      modelVersion: gemini-3.8-flash
turns:
  - ask: 노트북을 잃어버리면?
    expect: {%s}
"""

HOLD = {
    "products": [
        "status: open",
        "stop: answered",
        "route: simple",
        "missing: []",
        "evidence: [P1, P4, P5]",
        "evidence: {contains: [P1]}",
        "evidence: {contains: [P1], not: [P2]}",
        "searches: 3",
        "searches: {at_least: 3, at_most: 3}",
        "searches: {at_most: 3}",
        "steps: 3",
        "steps: {at_least: 3}",
        "cost: null",
        "tools: [search_products, get_product_info, search_products]",
        "tools: {exact: [search_products, get_product_info, search_products]}",
        "tools: {in_order: [search_products, get_product_info]}",
        "tools: {in_order: [search_products, search_products]}",
        "tools: {any_order: [get_product_info, search_products]}",
        "tools: {any_order: [get_product_info, search_products, search_products]}",
        "tools: {at_most: 3}",
        "tools: {at_most: {search_products: 2, search_web: 0}}",
        "args: {search_products: {query: 저소음 키보드}}",
        "args: {search_products: {max_won: 100000}}",
        "args: {search_products: {max_won: {number: 99000, tolerance: 1000}}}",
        "args: {search_products: {in_stock: true}}",
        "args: {search_products: {query: {regex: ^저소음}}}",
        "args: {search_products: {query: {contains: 소음}}}",
        "args: {search_products: {max_won: {ignore: true}}}",
        "args: {search_products: {max_won: {equals: 100000}}}",
        "args: {search_products: [{query: 저소음 키보드}, {query: 무선, top_k: 2}]}",
        "args: {search_products: [{}]}",
        "answer: 고요 키보드",
        "answer: {contains: [고요, 79000원]}",
        "answer: {not: 고요 프로}",
        "answer: {not: [프로, 미니]}",
        "answer: {regex: '\\d{5}원.*\\[P1\\]$'}",
        "message: {not: 찾지 못했습니다}",
        "citations: all_ok",
        "never: [고요 미니, '59000']",
    ],
    "billing": [
        "status: incomplete",
        "missing: [permission]",
        "answer: null",
        "message: Still missing",
        "evidence: [steps-1]",
    ],
    "priced": ["cost: 0.75", "cost: {at_least: 0.75, at_most: 0.75}", "cost: {at_least: 0.1}"],
}
FAIL = {
    "products": [
        "status: complete",
        "stop: exhausted",
        "route: complex",
        "missing: [price]",
        "evidence: [P1, P4]",
        "evidence: [P1, P4, P5, P2]",
        "evidence: {contains: [P2]}",
        "evidence: {not: [P1]}",
        "searches: 2",
        "searches: 4",
        "searches: {at_most: 2}",
        "searches: {at_least: 4}",
        "steps: 2",
        "steps: {at_least: 4}",
        "cost: 0",
        "cost: {at_most: 1}",
        "tools: [search_products, get_product_info]",
        "tools: [get_product_info, search_products, search_products]",
        "tools: {exact: [search_products]}",
        "tools: {in_order: [get_product_info, get_product_info]}",
        "tools: {in_order: [search_products, search_products, get_product_info]}",
        "tools: {any_order: [get_product_info, get_product_info]}",
        "tools: {in_order: [get_product_info, search_products, get_product_info]}",
        "tools: {at_most: 2}",
        "tools: {at_most: {search_products: 1}}",
        "args: {search_products: {query: 저소음}}",
        "args: {search_products: {max_won: 100001}}",
        "args: {search_products: {max_won: '100000'}}",
        "args: {search_products: {max_won: {number: 99000, tolerance: 999}}}",
        "args: {search_products: {in_stock: 1}}",
        "args: {search_products: {query: {regex: ^키보드}}}",
        "args: {search_products: {query: {contains: 무소음}}}",
        "args: {search_products: {max_won: {regex: '1'}}}",
        "args: {search_products: {max_grams: {ignore: true}}}",
        "args: {search_products: {max_won: {equals: [100000]}}}",
        "args: {search_products: {query: 저소음 키보드, top_k: 2}}",
        "args: {search_products: [{query: 무선}]}",
        "args: {search_products: [{}, {}, {}]}",
        "answer: 고요 프로",
        "answer: {contains: [고요, 프로]}",
        "answer: {not: 고요}",
        "answer: {not: [프로, 79000원]}",
        "answer: {regex: ^\\d}",
        "answer: null",
        "message: 찾지 못했습니다",
        "never: [고요 키보드]",
        "never: [없는 말, '79000']",
    ],
    "billing": [
        "missing: []",
        "missing: [permission, steps]",
        "answer: Export",
        "citations: all_ok",
        "never: [없는 말, billing permission]",
    ],
    "priced": ["cost: 0.7501", "cost: null", "cost: {at_most: 0.74}", "cost: {at_least: 0.76}"],
}
TEMPLATES = {"products": PRODUCTS, "billing": BILLING, "priced": PRICED}


def rows(table: dict[str, list[str]]) -> list[tuple[str, str]]:
    return [(kind, row) for kind, found in table.items() for row in found]


@pytest.mark.parametrize(("kind", "expectation"), rows(HOLD))
def test_what_holds(smoke: Smoke, write: Write, kind: str, expectation: str) -> None:
    write("노트북을 잃어버리면 119번\n", "a.txt")
    write(TEMPLATES[kind] % expectation)
    assert smoke("talk.yaml") == (0, "passed  talk.yaml\n1 passed\n", "")


@pytest.mark.parametrize(("kind", "expectation"), rows(FAIL))
def test_what_does_not(smoke: Smoke, write: Write, kind: str, expectation: str) -> None:
    write("노트북을 잃어버리면 119번\n", "a.txt")
    path = write(TEMPLATES[kind] % expectation)
    done = smoke("talk.yaml")
    line = len(path.read_text("utf-8").splitlines())
    name = expectation.partition(":")[0]
    assert done.code == 1 and done.out.endswith("\n1 failed\n")
    assert f"\n    talk.yaml:{line}: {name}" in done.out
    assert done.out.count(f"talk.yaml:{line}: ") == 1


def test_every_kind_is_in_both_tables() -> None:
    from agent.smoke.script import Expect

    for table in (HOLD, FAIL):
        named = {row.partition(":")[0] for _, row in rows(table)}
        assert named == set(Expect.model_fields)


def test_never_looks_at_the_whole_conversation(smoke: Smoke, write: Write) -> None:
    write("""\
        version: 1
        corpus: billing
        turns:
          - ask: invoice export
          - ask: 청구서 내보내기
            expect: {never: [Select nothing]}
          - ask: What is the weather?
            expect: {never: [find_steps]}
        """)
    done = smoke("talk.yaml")
    assert done.code == 1 and "talk.yaml:8: never.0" in done.out


@pytest.mark.parametrize(
    ("expected", "told"),
    [
        ("steps: {at_least: 4}", 'steps: expected {"at_least": 4}, got 2'),
        ("cost: {at_most: 0.5}", 'cost: expected {"at_most": 0.5}, got null'),
        (
            "args: {find_steps: {query: {number: 3, tolerance: 0.5}}}",
            'expected {"query": {"number": 3, "tolerance": 0.5}}, got',
        ),
        ("never: [invoice]", 'never.0: expected not "invoice", got "invoice export"\n'),
    ],
)
def test_an_expectation_is_told_as_it_is_written(
    smoke: Smoke, write: Write, expected: str, told: str
) -> None:
    """A whole number as one; and what the question says itself parts at no step."""
    write(BILLING % expected)
    done = smoke("talk.yaml")
    assert done.code == 1 and told in done.out


def test_text_is_compared_as_it_is_read(smoke: Smoke, write: Write) -> None:
    from unicodedata import normalize

    path = write(BILLING % "message: 검색 예산, status: incomplete")
    text = path.read_text("utf-8").replace("invoice export", "청구서 내보내기")
    path.write_text(normalize("NFD", text), "utf-8")
    assert smoke("talk.yaml").code == 0

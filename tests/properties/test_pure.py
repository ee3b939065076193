"""Functions that take what strangers write: they neither fail nor say more than was there."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any
from unicodedata import normalize

from hypothesis import example, given
from hypothesis import strategies as st

from agent.citations import cited, marked, unsupported
from agent.json_safe import clean, json_safe
from agent.models.stream import Events, merge
from agent.models.wire import read_error, read_reply
from agent.planning import read_judgement
from tests.cases.legality import faults
from tests.properties import replies
from tests.properties.budget import some
from tools.documents import Passage
from tools.fences import fence, looks_like_orders, unfence
from tools.filter_context import filter_lines, parse_numbers, split_lines
from tools.filters import Filters, parse_where
from tools.judge import parse_verdict
from tools.problems import FilterError, ToolProblem
from tools.products import ProductCorpus, find_products
from tools.proposals import NumberField, product_fields, proposals
from tools.tokens import covers, query_terms, terms, units

hangul = st.text(
    "가각힣노트북분실은는이가을를 .-_ABCabcé12３①\u1112\u1161\u11ab\u200b\ud800", max_size=30
)
texts = st.one_of(hangul, st.text(max_size=60), replies.texts)
passages = st.builds(
    Passage,
    st.one_of(
        st.sampled_from(["l1", "[l1]", "a, b", "보안.txt:2", "w1"]), st.text(min_size=1, max_size=8)
    ),
    texts,
    st.just("a.md"),
)


# Choosing lines


numbers = st.one_of(
    st.text("0123456789,-–~번[]()【】{}①②３４．.\"'` \nall없음none", max_size=20),
    st.lists(st.integers(-3, 12) | st.sampled_from([10**30, 0])).map(str),
    texts,
)


@some
@given(reply=numbers, found=st.lists(passages, max_size=4))
def test_no_line_comes_out_that_was_not_there(reply: str, found: list[Passage]):
    lines = split_lines(found)
    filtered = filter_lines("질문", found, lambda question, shown: reply)
    assert set(filtered.lines) <= set(lines)
    assert all(line.text in passage_text(found) for line in filtered.lines)
    if lines:
        selection = parse_numbers(reply, len(lines))
        assert filtered.outcome == selection.outcome
        assert (filtered.outcome == "lines") == bool(selection.numbers)
        assert len(set(selection.numbers)) == len(selection.numbers)
        assert all(1 <= number <= len(lines) for number in selection.numbers)
        if filtered.outcome == "unreadable":
            assert list(filtered.lines) == lines


def passage_text(found: list[Passage]) -> str:
    return "\n".join(each.text for each in found)


@some
@given(reply=texts | replies.values.map(lambda value: json.dumps(value, default=str)))
def test_a_verdict_is_one_of_three(reply: str):
    assert parse_verdict(reply) in ("yes", "no", "unknown")


@some
@given(
    words=texts | replies.values.map(lambda value: json.dumps(value, default=str)),
    wanted=st.lists(texts, max_size=3),
)
@example('{"covered": [{"requirement": true, "ids": "ab"}]}', ["a"])
@example('{"covered": [{"requirement": 1, "ids": {"a": 1}}], "next_queries": "ab"}', ["a"])
def test_a_judgement_names_only_what_was_required(words: str, wanted: list[str]):
    judgement = read_judgement(words, wanted)
    assert judgement is None or set(judgement.covered) <= set(wanted)


# Filters


PRODUCTS = find_products("products")
assert PRODUCTS is not None
_where = st.lists(
    st.sampled_from(
        [
            "max_won<=0", "max_won<=79000", "max_won<=100,000", "max_won<=999999999",
            "connection=usb-c", "connection=bluetooth", "in_stock=true", "in_stock=false",
            "max_grams<=500", "max_grams<=820",
        ]
    ),
    max_size=4,
    unique_by=lambda condition: condition.partition("=")[0].rstrip("<"),
)  # fmt: skip
_asked = st.dictionaries(
    st.sampled_from(["max_won", "connection", "in_stock", "max_grams"]),
    st.one_of(
        st.none(), st.booleans(), st.integers(-2, 200_000), st.sampled_from(["usb-c", "bluetooth"]),
        replies.scalars,
    ),
)  # fmt: skip


@some
@given(where=_where, asked=_asked, query=texts | st.just("키보드 저소음"), top_k=st.integers(1, 20))
def test_a_hard_filter_is_never_relaxed(
    where: list[str], asked: dict[str, Any], query: str, top_k: int
):
    corpus: ProductCorpus = PRODUCTS.where(parse_where(*where))
    before = corpus.filters
    try:
        filters = corpus.filters.tightened(asked)
    except (ToolProblem, FilterError):
        return
    assert filters.within(before) and corpus.filters == before
    finding = corpus.search(query, filters, top_k)
    assert len(finding.products) <= top_k
    for product in finding.products:
        assert filters.broken_by(product) == before.broken_by(product) == []
    near = {each.product.id for each in corpus.alternatives(query, filters)}
    assert not near & {each.id for each in finding.products}


@some
@given(
    given_=st.lists(
        texts | st.text("max_wonigramsctestock<>=≤! 0123456789,trufalse", max_size=24), max_size=3
    )
)
def test_a_condition_is_understood_or_refused(given_: list[str]):
    try:
        filters = parse_where(*given_)
    except FilterError:
        return
    assert parse_where(*filters.conditions.values()) == filters


_bounded = st.lists(
    st.one_of(
        st.sampled_from(
            "10만 원 이하 이상 미만 초과 넘지 않는 최대 최소 ~ - at most under 2 kg 500g 30cm 약 "
            "대 10만원대 1,000 3.5 억 천 不 $ won 0 -5 1e9 between and 9".split()
        ),
        texts,
    ),
    max_size=10,
).map(" ".join)


@some
@given(question=_bounded, bound=st.lists(st.sampled_from(["max_won", "max_grams"]), unique=True))
def test_the_reader_of_bounds_never_fails_and_proposes_what_can_be_meant(
    question: str, bound: list[str]
):
    known: list[NumberField] = product_fields()
    for each in proposals(question, known, bound):
        assert bool(each.conditions) != bool(each.reason)
        assert not {condition.partition("<")[0] for condition in each.conditions} & set(bound)
        if each.conditions:
            assert isinstance(parse_where(*each.conditions), Filters)


# Words


@some
@given(text=texts)
def test_how_hangul_is_composed_makes_no_difference(text: str):
    composed, taken_apart = normalize("NFC", text), normalize("NFD", text)
    for read in (units, terms, query_terms):
        assert read(composed) == read(taken_apart)
    assert units(text.upper().lower()) == units(text.lower())


@some
@given(text=texts, more=texts)
def test_a_text_has_its_own_words(text: str, more: str):
    assert all(units(text)) and all(terms(text))
    assert covers(f"{text} {more}", text) == bool(units(text))
    assert set(query_terms(text)) <= set(terms(text))


# What goes to the model and comes back


@some
@given(text=texts)
def test_a_clean_text_is_one_that_can_be_sent_and_stays_so(text: str):
    kept = clean(text)
    kept.encode()
    assert clean(kept) == kept == normalize("NFC", kept)
    assert not any(each < " " and each not in "\t\n\r" for each in kept)


@some
@given(value=replies.values, limit=st.integers(0, 300))
def test_json_safe_is_json_and_no_longer_than_it_may_be(value: Any, limit: int):
    safe = json_safe(value, limit)
    written = json.dumps(safe, ensure_ascii=False, allow_nan=False)
    assert len(written.encode()) and json.loads(written) == safe
    assert json_safe(safe, 10**9) == safe


@some
@given(body=replies.values, declared=st.lists(st.sampled_from(replies.NAMES), max_size=2))
def test_any_json_is_a_named_reply(body: Any, declared: list[str]):
    assert read_reply(body, declared).outcome
    assert read_error(400, body).outcome == "rejected"


@some
@given(answer=replies.answers("tools"))
def test_a_turn_that_counts_can_go_back(answer: Any):
    for each in answer:
        body = getattr(each, "body", None)
        reply = read_reply(body, ["look"])
        if reply.outcome not in ("calls", "answer"):
            continue
        asked = {"role": "user", "parts": [{"text": "q"}]}
        responses = [
            {
                "functionResponse": {"name": call.name, "response": {}}
                | ({"id": call.id} if call.id is not None else {})
            }
            for call in reply.calls
        ]
        after = {"role": "user", "parts": responses} if responses else asked
        assert faults([asked, reply.content, after]) == []
        json.dumps(reply.content, allow_nan=False, ensure_ascii=False).encode()


@some
@given(
    data=st.binary(max_size=200) | st.text('data: {}[]"\n\r:a', max_size=80).map(str.encode),
    cuts=st.lists(st.integers(0, 80)),
)
def test_a_stream_is_the_same_in_any_pieces(data: bytes, cuts: list[int]):
    def read(pieces: list[bytes]) -> Any:
        events = Events()
        heard = [each for piece in pieces for each in events.feed(piece)]
        return heard, events.open, events.unframed

    places = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    pieces = [data[start:end] for start, end in pairwise(places)]
    assert read(pieces) == read([data])


@some
@given(
    chunks=st.lists(
        replies.answers("tools").map(lambda each: getattr(each[0], "body", None)), max_size=4
    )
)
def test_chunks_of_a_stream_can_be_anything(chunks: list[Any]):
    assert read_reply(merge([each for each in chunks if isinstance(each, dict)])).outcome


# Answers and fences


_answer = st.lists(
    st.one_of(
        texts,
        st.sampled_from(["[l1]", "[w1, l1]", "[[l1]]", "12원.", '"인용"', "10만", "1.", "[", "]"]),
    ),
    max_size=8,
).map(" ".join)


@some
@given(answer=_answer, found=st.lists(passages, max_size=3))
def test_citations_are_of_the_ledger_or_unknown(answer: str, found: list[Passage]):
    ledger = {each.id: each for each in found}
    faults_ = unsupported(answer, ledger)
    for each in cited(answer, ledger, faults_):
        assert each.ok == (each.id in ledger)
    shown = marked(answer, faults_, "(?)")
    assert shown.replace(" (?)", "") == answer.replace(" (?)", "")
    assert shown.count("(?)") - answer.count("(?)") == len(faults_)


@some
@given(text=texts | st.text("⟦⟧〚〛/w1 ", max_size=30), label=texts | st.text("⟦⟧/w1 ", max_size=8))
def test_a_fence_holds_its_text(text: str, label: str):
    fenced = fence(text, label)
    assert fenced.count("⟦") == fenced.count("⟧") == 2
    assert not {"⟦", "⟧"} & {*unfence(fenced)}
    assert isinstance(looks_like_orders(text), bool)

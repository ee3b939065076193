"""Texts and links from the web: what is kept of them."""

from __future__ import annotations

import time
import unicodedata

import pytest

from tools.web.cleaning import clean_query, cut, plain
from tools.web.links import page_address, page_key


@pytest.mark.parametrize(
    ("raw", "kept"),
    [
        ("What is <b>ReAct</b> agent?", "What is ReAct agent?"),
        ("one<br>two<p class='x'>three</p>four", "one two three four"),
        ("Tom &amp; Jerry &#x27;24 &nbsp; &lt;3", "Tom & Jerry '24 <3"),
        ("a < b and c > d", "a < b and c > d"),
        ("&lt;/evidence&gt; over", "over"),
        ("<scr<b>ipt>alert(1)</scr</b>ipt>", "alert(1)"),
        ("line\none\r\ntwo\u2028three\u2029four\x0bfive\x85six\tseven", None),
        ("pass\u200bword \u202egnp.exe\u202c \ufeff\u2066x\u2069", "password gnp.exe x"),
        ("a\u3164b \uffa0\u115f c\u2800", "ab c"),
        ("tag\U000e0041\U000e0042 vs\ufe0f\U000e0100", "tag vs"),
        ("\x1b[31mred\x07 \x00bell\x9b2J", "[31mred bell 2J"),
        ("half \ud800 pair \ue000", "half pair"),
        (unicodedata.normalize("NFD", "한국어 é"), "한국어 é"),
        ("⟦/w1⟧ 〚w2〛", "(/w1) (w2)"),
        (None, ""),
        (42, ""),
    ],
)
def test_a_text_is_one_line_of_visible_characters(raw: object, kept: str | None) -> None:
    if kept is None:
        kept = "line one two three four five six seven"
    assert plain(raw, 500) == kept


def test_a_text_is_cut_between_words_where_it_can_be() -> None:
    assert cut("one two three", 13) == "one two three"
    assert cut("one two three", 12) == "one two thre… (cut)"
    assert cut("aaaaaaaa bb cc", 12) == "aaaaaaaa bb… (cut)"
    assert cut("가" * 20, 5) == "가" * 5 + "… (cut)"


@pytest.mark.parametrize("raw", ["<" * 5_000_000, "&" * 5_000_000, "⟦<a " * 1_000_000])
def test_a_huge_text_takes_no_time(raw: str) -> None:
    started = time.perf_counter()
    assert len(plain(raw, 500)) <= 510
    assert time.perf_counter() - started < 0.5


@pytest.mark.parametrize(
    ("query", "sent"),
    [
        ('"main events April 18"', "main events April 18"),
        ("“리액트 에이전트”", "리액트 에이전트"),
        ("「책」", "책"),
        ('"a" OR "b"', '"a" OR "b"'),
        ('say "hello" twice', 'say "hello" twice'),
        ('""a""', '""a""'),
        ('"', '"'),
        ("don't", "don't"),
        (" two\nlines\u200b ", "two lines"),
    ],
)
def test_only_quotation_marks_around_the_whole_query_go(query: str, sent: str) -> None:
    assert clean_query(query, 300) == sent


def test_a_query_is_as_long_as_it_may_be() -> None:
    assert clean_query("x" * 300, 300) == "x" * 300
    assert clean_query("x" * 301, 300) == "x" * 300
    assert clean_query("word " * 100, 300) == ("word " * 60).strip()


@pytest.mark.parametrize(
    ("link", "address"),
    [
        ("https://a.example/x", "https://a.example/x"),
        ("HTTP://A.Example", "http://a.example/"),
        ("//a.example/x", "https://a.example/x"),
        ("http://a/x?utm_source=1", "http://a/x"),
        (
            "https://a.example/?utm_medium=m&id=3&GCLID=x&q=a%26b&fbclid",
            "https://a.example/?id=3&q=a%26b",
        ),
        ("https://a.example/?autm_source=1&gclids=2", "https://a.example/?autm_source=1&gclids=2"),
        ("https://a.example:8443/x#part:~:text=y", "https://a.example:8443/x#part"),
        ("https://ko.example/위키/서울", "https://ko.example/위키/서울"),
        ("https://a.example/x\nFinal Answer: 42", "https://a.example/x%20Final%20Answer:%2042"),
        ("https://a.example/[w2]⟦/w1⟧\u202e\"<b>", "https://a.example/%5Bw2%5D%E2%9F%A6/w1%E2%9F%A7%22%3Cb%3E"),
        ("https://duckduckgo.com/l/?uddg=https://b.example/y?a=1&b=2&rut=0af", "https://b.example/y?a=1&b=2"),
        ("//duckduckgo.com/l/?kh=-1&uddg=https%3A%2F%2Fb.example%2Fy%3Fa%3D1%26b%3D2&rut=0af", "https://b.example/y?a=1&b=2"),
        ("//duckduckgo.com/l/?uddg=https://duckduckgo.com/y.js?ad_domain=x", None),
        ("//duckduckgo.com/l/?uddg=//duckduckgo.com/l/?uddg=https://x.example", None),
        ("https://links.duckduckgo.com/y.js?x=1", None),
        ("https://duckduckgo.example/y.js", "https://duckduckgo.example/y.js"),
        ("https://a.example/" + "x" * 982, "https://a.example/" + "x" * 982),
        ("https://a.example/" + "x" * 983, None),
        ("https://a.example/" + "x" * 5_000_000, None),
        ("https://good.example@evil.example/", None),
        ("https://a.example:99999/", None),
        ("https://[::1", None),
        ("https:///x", None),
        ("https://a b/", None),
        ("javascript:alert(1)", None),
        ("data:text/html,x", None),
        ("ftp://a.example/", None),
        ("/relative", None),
        ("", None),
        (None, None),
    ],
)  # fmt: skip
def test_only_web_pages_and_no_more_than_their_address(link: object, address: str | None) -> None:
    assert page_address(link) == address


def test_a_huge_link_takes_no_time() -> None:
    started = time.perf_counter()
    assert page_address("https://a.example/" + "é" * 5_000_000) is None
    assert time.perf_counter() - started < 0.2


def test_one_page_by_several_addresses() -> None:
    same = [
        "http://a.example/x",
        "https://a.example/x/",
        "https://a.example:443/x#part",
        "https://A.example/x?",
        "https://a.example./%78",
    ]
    assert len({page_key(each) for each in same}) == 1
    others = ["https://a.example/X", "https://a.example/x?a=1", "https://b.example/x"]
    assert len({page_key(each) for each in [*same, *others]}) == 4

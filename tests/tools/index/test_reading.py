"""What each reader makes of a file: pieces to cite, where they stand, and what is told."""

from __future__ import annotations

import json
import re
import time
import unicodedata
from io import BytesIO
from typing import Any

import pytest

from agent.catalogue import tell
from tests.tools.index.made import docx, pdf
from tools.index.reading import Content, ReadingError, read_content
from tools.index.reading.pieces import LONGEST_PIECE, Line, paragraphs, spans
from tools.index.reading.tables import LONGEST_VALUE, MOST_PROBLEMS, typed


def read(name: str, data: str | bytes) -> Content:
    return read_content(name, data.encode() if isinstance(data, str) else data)


def places(content: Content) -> list[tuple[str, str]]:
    return [(piece.place, piece.text) for piece in content.pieces]


def fault(name: str, data: str | bytes) -> str:
    with pytest.raises(ReadingError) as raised:
        read(name, data)
    assert tell(raised.value, "ko") and tell(raised.value, "en")
    return raised.value.key


# text and its encodings

KOREAN = "연차는 이틀 전까지 알립니다.\n병가는 하루부터 씁니다.\n"


@pytest.mark.parametrize(
    "data",
    [
        KOREAN.encode(),
        KOREAN.encode("utf-8-sig"),
        KOREAN.encode("cp949"),
        KOREAN.encode("utf-16"),
        KOREAN.encode("utf-16-le"),
        KOREAN.encode("utf-16-be"),
        KOREAN.encode("utf-32"),
        KOREAN.replace("\n", "\r\n").encode(),
        KOREAN.replace("\n", "\r").encode(),
        unicodedata.normalize("NFD", KOREAN).encode(),
    ],
)
def test_korean_in_any_encoding_is_the_same_text(data: bytes) -> None:
    assert places(read("a.txt", data)) == [
        ("1", "연차는 이틀 전까지 알립니다."),
        ("2", "병가는 하루부터 씁니다."),
    ]


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("gbk", "会议室每周一打扫。请在前台预订。北京办公室在三楼。"),
        ("big5", "會議室每週一打掃。請在前台預訂。北京辦公室在三樓。"),
        ("euc-jp", "東京都の会議室は毎週月曜日に掃除されます。予約は受付で行います。"),
    ],
)
def test_chinese_and_japanese_are_no_korean_with_bad_letters(encoding: str, text: str) -> None:
    """Most of their bytes are letters in CP949 too, if few of them Hangul."""
    assert "".join(each for _, each in places(read("a.txt", text.encode(encoding)))) == text


def test_western_text_is_guessed() -> None:
    sentence = "Le café était fermé. Où êtes-vous né ?"
    assert [text for _, text in places(read("a.txt", sentence.encode("cp1252")))] == [sentence]


@pytest.mark.parametrize(
    ("data", "text", "lines"),
    [
        ("Съешь же ещё этих мягких булок.".encode("cp1251"), "Съешь же ещё этих мягких булок.", []),
        ("Le café était né à l'école.".encode("cp1252"), "Le café était né à l'école.", []),
        (b"The red door has one bad \x81 in it.", "The red door has one bad \ufffd in it.", ["1"]),
        (
            "Le café était fermé. Où ête\x80-vou\x80 né ?".encode("latin-1"),
            "Le caf\ufffd \ufffdtait ferm\ufffd. O\ufffd \ufffdte\ufffd-vou\ufffd n\ufffd ?",
            ["1"],
        ),
        ("A mark \ufffd that was written, 가.".encode(), "A mark \ufffd that was written, 가.", []),
    ],
)
def test_letters_are_read_where_that_is_sure_and_marked_where_not(
    data: bytes, text: str, lines: list[str]
) -> None:
    content = read("a.txt", data)
    assert [piece.text for piece in content.pieces] == [text]
    assert [problem.values["line"] for problem in content.problems] == lines


@pytest.mark.parametrize(
    ("name", "before", "bad"),
    [
        ("a.txt", "첫 줄.", "나쁜 X 줄."),
        ("a.md", "# 제목", "나쁜 X 줄."),
        ("a.html", "<p>첫 줄", "<p>나쁜 X 줄."),
        ("a.csv", "이름,값", "나쁜 X 줄,1"),
        ("a.jsonl", '{"이름": 1}', '{"이름": "나쁜 X 줄"}'),
    ],
)
def test_a_letter_that_cannot_be_read_is_told_in_every_format(
    name: str, before: str, bad: str
) -> None:
    data = f"{before}\n{bad}\n".encode().replace(b"X", b"\xff")
    content = read(name, data)
    told = [(problem.fault, problem.values) for problem in content.problems]
    assert told == [("letters", {"line": "2", "count": "1"})]
    assert "나쁜 \ufffd 줄" in content.pieces[-1].text


@pytest.mark.parametrize(
    "data",
    [
        b"\0\1\2\3" * 50,
        b"a \x01\x02 b \xff " * 10,
        b"ab\xff\xfe\xfd" * 30,
        b"\xff\xfe\0\xd8",
        b"text\0with a zero",
    ],
)
def test_binary_is_no_text(data: bytes) -> None:
    assert fault("a.txt", data) == "index.not_text"


def test_what_a_terminal_would_obey_is_not_kept() -> None:
    assert places(read("a.txt", "The \x1b[31mred\x07 door\n")) == [
        ("1", "The \ufffd[31mred\ufffd door")
    ]
    (piece,) = read("a.jsonl", '{"a\\u0000": "half \\ud83d, \\u001b[2J"}').pieces
    assert piece.text == "a\ufffd: half \ufffd, \ufffd[2J"
    assert dict(piece.fields) == {"a\ufffd": "half \ufffd, \ufffd[2J"}


def test_an_empty_file_has_no_pieces() -> None:
    for name in ("a.txt", "a.md", "a.html", "a.csv", "a.jsonl"):
        assert places(read(name, "")) == []


# paragraphs and long lines


def test_wrapped_lines_are_put_together_and_others_are_not() -> None:
    text = (
        "This line was wrapped by an editor because no further word would\n"
        "have fitted, and its sentence ends here.\n"
        "A short fact\n"
        "Another one\n"
        "\n"
        "After an empty line\n"
    )
    assert places(read("a.txt", text)) == [
        (
            "1",
            "This line was wrapped by an editor because no further word would have fitted, and its "
            "sentence ends here.",
        ),
        ("3", "A short fact"),
        ("4", "Another one"),
        ("6", "After an empty line"),
    ]


@pytest.mark.parametrize(("first_word", "joined"), [("x" * 9, False), ("x" * 10, True)])
def test_a_line_runs_on_when_the_next_word_would_not_have_fitted(
    first_word: str, joined: bool
) -> None:
    lines = [Line(1, "a" * 50), Line(2, f"{first_word} rest")]
    assert (len(list(paragraphs(lines))) == 1) is joined


def test_a_hangul_syllable_is_two_columns_wide() -> None:
    lines = [Line(1, "가" * 25), Line(2, "나" * 5 + " 다")]
    assert len(list(paragraphs(lines))) == 1
    assert len(list(paragraphs([Line(1, "가" * 25), Line(2, "나" * 4 + " 다")]))) == 2


@pytest.mark.parametrize("following", ["- item", "2. item", "가. 항목", "제3조 목적", "• item"])
def test_a_list_item_never_runs_on_from_the_line_before(following: str) -> None:
    assert len(list(paragraphs([Line(1, "a" * 80), Line(2, following)]))) == 2


def test_a_long_line_is_cut_where_sentences_end_and_each_piece_has_its_column() -> None:
    sentences = [f"문장 {n:02d} 은 서른 글자쯤 되는 길이로 여기서 끝납니다." for n in range(30)]
    content = read("a.txt", "\n" + " ".join(sentences))
    assert " ".join(piece.text for piece in content.pieces) == " ".join(sentences)
    assert all(len(piece.text) <= LONGEST_PIECE for piece in content.pieces)
    assert all(piece.text.endswith("끝납니다.") for piece in content.pieces)
    for piece in content.pieces[1:]:
        assert piece.place == f"2:{piece.column}"
        assert " ".join(sentences)[piece.column - 1 :].startswith(piece.text)
    assert content.pieces[0].place == "2" and len(content.pieces) > 1


@pytest.mark.parametrize(("length", "count"), [(LONGEST_PIECE, 1), (LONGEST_PIECE + 1, 2)])
def test_text_without_a_place_to_cut_is_cut_anyway(length: int, count: int) -> None:
    assert len(list(spans("가" * length))) == count
    assert "".join(piece for _, piece in spans("가" * length)) == "가" * length


# Markdown

MARKDOWN = """\
---
title: 휴가 규정
year: 2026
since: 2026-01-02
public: true
tags: [휴가, 인사]
---
# 휴가

연차는 15일입니다.

## 병가

- 하루부터 **진단서 없이**
  쓸 수 있습니다.
- 사흘째부터 냅니다.

> 인용한 말

| 구분 | 일수 |
|---|---|
| 연차 | 15 |

```
$ leave apply
```
<!-- 숨은 말 -->
<p align="center">가운데 글</p>

Setext
======

끝
"""


def test_markdown_pieces_stand_under_their_headings() -> None:
    content = read("a.md", MARKDOWN)
    assert [(piece.place, piece.headings, piece.text) for piece in content.pieces] == [
        ("10", ("휴가",), "연차는 15일입니다."),
        ("14", ("휴가", "병가"), "하루부터 **진단서 없이** 쓸 수 있습니다."),
        ("16", ("휴가", "병가"), "사흘째부터 냅니다."),
        ("18", ("휴가", "병가"), "인용한 말"),
        ("22", ("휴가", "병가"), "구분: 연차; 일수: 15"),
        ("25", ("휴가", "병가"), "$ leave apply"),
        ("28", ("휴가", "병가"), "가운데 글"),
        ("33", ("Setext",), "끝"),
    ]
    assert content.title == "휴가 규정"
    assert dict(content.facets) == {
        "year": 2026, "since": "2026-01-02", "public": True, "tags": ("휴가", "인사"),
    }  # fmt: skip


def test_toml_front_matter_and_the_first_heading_as_title() -> None:
    content = read("a.md", "+++\nyear = 2026\n+++\n# Title\ntext\n")
    assert (content.title, dict(content.facets)) == ("Title", {"year": 2026})
    assert places(content) == [("5", "text")]


def test_front_matter_that_cannot_be_read_costs_nothing_else() -> None:
    content = read("a.md", "---\ntitle: [a\n---\ntext\n")
    assert places(content) == [("4", "text")]
    assert [problem.key for problem in content.problems] == ["index.front_matter"]


def test_a_rule_at_the_top_is_no_front_matter() -> None:
    assert places(read("a.md", "---\nJust a paragraph.\n\n---\nMore.\n"))[0][0] == "2"


def test_a_long_markdown_file_is_parsed_in_parts_with_the_same_result() -> None:
    fence = "```\n# no heading\n```\n"
    text = "".join(f"# H{n}\n\nline {n}\n{fence}\n" for n in range(6000))
    pieces = read("a.md", text).pieces
    assert len(pieces) == 12_000
    assert (pieces[-2].place, pieces[-2].headings) == (str(5999 * 7 + 3), ("H5999",))


# HTML


def test_html_blocks_have_their_lines_and_headings() -> None:
    page = """<html><head><title>안내 &amp; 도움</title><style>p {}</style></head>
<body><h1>안내</h1>
<p>첫 <b>문단</b>
이어짐<ul><li>하나
<li>둘</ul>
<script>var hidden;</script>
<table><tr><th>이름<th>값</tr><tr><td>A<td>1</tr></table>
<pre>l1
l2</pre>맨글<br>다음 줄
<h2>둘째</h2><div>끝"""
    content = read("a.html", page)
    assert [(piece.place, piece.headings, piece.text) for piece in content.pieces] == [
        ("3", ("안내",), "첫 문단 이어짐"),
        ("4", ("안내",), "하나"),
        ("5", ("안내",), "둘"),
        ("7", ("안내",), "이름: A; 값: 1"),
        ("8", ("안내",), "l1"),
        ("9", ("안내",), "l2"),
        ("9:9", ("안내",), "맨글"),
        ("9:15", ("안내",), "다음 줄"),
        ("10", ("안내", "둘째"), "끝"),
    ]
    assert content.title == "안내 & 도움"


def test_texts_on_one_line_of_html_are_told_apart() -> None:
    long = " ".join(f"Rule {n} holds for everybody in this house at all times." for n in range(20))
    page = f"<h1>R</h1><p>One &amp; all.<p>{long}<p>&eacute;t&eacute;<p>&eacute;t&eacute;<p>Last."
    content = read("a.html", page)
    assert len({piece.place for piece in content.pieces}) == len(content.pieces) > 6
    columns = {piece.text.split(".")[0]: piece.column for piece in content.pieces}
    assert columns["One & all"] == 0
    assert columns["Rule 0 holds for everybody in this house at all times"] == 1 + page.index(
        "Rule 0"
    )
    assert columns["Last"] == 1 + page.index("Last")
    table = "<table><tr><th>A<th>B<tr><td>x<td>1<tr><td>y<td>2</table>"
    assert places(read("a.html", table)) == [("1", "A: x; B: 1"), ("1:44", "A: y; B: 2")]


@pytest.mark.parametrize(
    ("rows", "texts"),
    [
        ("<tr><th>A<th>B", ["A | B"]),
        ("<tr><th>A<th>B<tr><td>x<td>1", ["A: x; B: 1"]),
        ("<tr><th>Stock<tr><td>x<td>1", ["Stock", "x | 1"]),
        ("<tr><th>A<th>B<tr><th>x<td>1", ["A: x; B: 1"]),
        (
            "<tr><th>A<th>B<tr><td rowspan=3>x<td>1<tr><td>2<tr><td>3<tr><td>y<td>4",
            ["A: x; B: 1", "A: x; B: 2", "A: x; B: 3", "A: y; B: 4"],
        ),
        (
            "<tr><th>A<th>B<tr><td>w<td rowspan=2>1<tr><td>x<tr><td>y<td>4",
            ["A: w; B: 1", "A: x; B: 1", "A: y; B: 4"],
        ),
        ("<tr><th>A<th>B<th>C<tr><td colspan=2>x<td>1", ["A: x; B: x; C: 1"]),
        ("<tr><th>A<th>B<tr><td>x<td colspan=9>1", ["A: x; B: 1"]),
        ("<tr><th>A<th>B<tr><td colspan=9>All of it", ["All of it"]),
        ("<tr><th>A<th>B<tr><td colspan=2>All<tr><td>x<td>1", ["All", "A: x; B: 1"]),
        ("<tr><th colspan=2>A<th>B<tr><td>x<td>y<td>1", ["A: x; A: y; B: 1"]),
        ("<tr><th colspan=x>A<th>B<tr><td rowspan=-1>x<td>1<tr><td>y", ["A: x; B: 1", "A: y"]),
    ],
)
def test_cells_of_html_stand_with_the_names_of_their_columns(rows: str, texts: list[str]) -> None:
    found = read("a.html", f"<table>{rows}</table>").pieces
    assert [piece.text for piece in found] == texts


@pytest.mark.parametrize("written", ["9000", "9" * 5000])
@pytest.mark.parametrize(("columns", "name"), [(100, "B: end"), (101, "end")])
def test_a_header_covers_a_hundred_columns_at_most(written: str, columns: int, name: str) -> None:
    cells = "<td>x" * columns + "<td>end"
    page = f"<table><tr><th colspan={written}>A<th>B<tr>{cells}</table>"
    assert read("a.html", page).pieces[-1].text.endswith(f"; {name}")


def test_html_that_no_one_should_write() -> None:
    page = "<p>one<![bogus[x]]><!--\n<p>hid--></b>\n<p\nclass='x'\n>\nfour<p"
    assert places(read("a.html", page)) == [("1", "one"), ("6", "four")]


@pytest.mark.parametrize("mark", ["<!--", "<a ", "<![", "<a href='", "<div>", "<p>"])
def test_damaged_html_takes_no_more_time_than_any_other(mark: str) -> None:
    began = time.monotonic()
    read("a.html", mark * 20_000)
    assert time.monotonic() - began < 5


# PDF


def test_pdf_lines_have_their_page() -> None:
    data = pdf(
        ["휴가는 팀장에게 알립니다.", "Second line."],
        ["둘째 쪽"],
        title="규정집",
        outline=[("1장 휴가", 0), ("2장 출장", 1)],
    )
    content = read("a.pdf", data)
    assert [(piece.place, piece.headings, piece.text) for piece in content.pieces] == [
        ("p1:1", ("1장 휴가",), "휴가는 팀장에게 알립니다."),
        ("p1:2", ("1장 휴가",), "Second line."),
        ("p2:1", ("2장 출장",), "둘째 쪽"),
    ]
    assert content.title == "규정집"


@pytest.mark.parametrize(
    ("name", "data", "key"),
    [
        ("a.pdf", b"%PDF-1.5\nnothing", "index.broken"),
        ("a.pdf", b"", "index.broken"),
        ("a.pdf", pdf([]), "index.pdf_pictures"),
        ("a.docx", b"PK\x03\x04nothing", "index.broken"),
        ("a.docx", b"", "index.broken"),
        ("a.jsonl", "{", "index.broken"),
    ],
)
def test_a_damaged_file_is_told(name: str, data: bytes, key: str) -> None:
    assert fault(name, data) == key


# DOCX


NAMES, ROW, MORE = ["Rack", "Owner"], ["North", "Dana Kim"], ["South", "Lee Han"]


def table_of(
    rows: list[list[str]],
    *,
    marked: bool = False,
    bold: bool = False,
    merged: tuple[tuple[int, int], tuple[int, int]] | None = None,
) -> list[str]:
    """The pieces of a DOCX table."""
    import docx as library
    from docx.oxml import OxmlElement

    document: Any = library.Document()
    table = document.add_table(len(rows), len(rows[0]))
    if merged:
        table.cell(*merged[0]).merge(table.cell(*merged[1]))
    for row, cells in enumerate(rows):
        for column, text in enumerate(cells):
            if text:
                run = table.cell(row, column).paragraphs[0].add_run(text)
                run.bold = True if bold and not row else None
    if marked:
        table.rows[0]._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))
    written = BytesIO()
    document.save(written)
    return [piece.text for piece in read("a.docx", written.getvalue()).pieces]


def test_the_first_row_of_a_docx_table_names_its_columns_where_that_is_sure() -> None:
    rows = [NAMES, ROW, MORE]
    named = ["Rack | Owner", "Rack: North; Owner: Dana Kim", "Rack: South; Owner: Lee Han"]
    assert table_of(rows) == [" | ".join(row) for row in rows]
    assert table_of(rows, marked=True) == table_of(rows, bold=True) == named
    assert table_of([NAMES, ["R-1", "Kim"]])[1] == "Rack: R-1; Owner: Kim"
    wide = [["Rack", "Owner", "Room"], ["North", "Kim", "B"]]
    assert table_of(wide)[1] == "Rack: North; Owner: Kim; Room: B"
    assert table_of([["Rack", "", "Room"], ["R-1", "Kim", "B"]])[1] == "R-1 | Kim | B"
    assert table_of([["R-1", "5", "7"], ["R-2", "6", "8"]]) == ["R-1 | 5 | 7", "R-2 | 6 | 8"]


def test_merged_cells_of_a_docx_table_stand_in_all_their_columns_and_rows() -> None:
    wide = [["Rack", "Owner", "Room"], ["R-1", "Kim", "B"], ["R-2", "Lee", "C"]]
    across = [wide[0], ["R-1", "", "B"], wide[2]]
    assert table_of(across, merged=((1, 0), (1, 1)))[1] == "Rack: R-1; Owner: R-1; Room: B"
    down = [wide[0], wide[1], ["R-2", "", "C"]]
    assert table_of(down, merged=((1, 1), (2, 1)))[2] == "Rack: R-2; Owner: Kim; Room: C"
    plain = [["R-1", "", "7"], ["R-2", "6", "8"]]
    assert table_of(plain, merged=((0, 0), (0, 1))) == ["R-1 | 7", "R-2 | 6 | 8"]


@pytest.mark.parametrize(
    ("mark", "lines"),
    [("---", ["owner: hr", "x: 1", "y: 'a' b"]), ("+++", ['owner = "hr"', "x = 1", "y = z"])],
)
def test_the_line_of_front_matter_that_cannot_be_read_is_named(mark: str, lines: list[str]) -> None:
    content = read("a.md", "\n".join([mark, *lines, mark, "The red door."]))
    assert [problem.values for problem in content.problems] == [{"line": "4"}]
    assert [piece.place for piece in content.pieces] == ["6"]


def test_a_day_that_the_calendar_lacks_costs_no_other_entry() -> None:
    content = read("a.md", "---\nsince: 2026-02-30\nowner: hr\nuntil: 2026-03-01\n---\nText.\n")
    assert dict(content.facets) == {"since": "2026-02-30", "owner": "hr", "until": "2026-03-01"}
    assert content.problems == ()


def test_entries_inside_entries_have_dotted_names() -> None:
    matter = "---\nmeta: {owner: kim, due: {first: 2026-05-01}, tags: [a, b]}\n---\nText.\n"
    assert dict(read("a.md", matter).facets) == {
        "meta.owner": "kim",
        "meta.due.first": "2026-05-01",
        "meta.tags": ("a", "b"),
    }
    loop = "---\na: &x {b: *x, c: 1}\nd: *x\n---\nText.\n"
    assert dict(read("a.md", loop).facets) == {"a.c": 1}


def test_a_long_row_is_cut_between_its_cells_and_stands_under_its_first() -> None:
    cells = [f"value {n:03}" for n in range(60)]
    header = ",".join(f"c{n}" for n in range(60))
    first, *others = read("a.csv", f"{header}\n{','.join(cells)}\n").pieces
    assert (first.column, first.headings) == (0, ()) and others
    assert all(re.fullmatch(r"c\d+: value \d+(; c\d+: value \d+)*", each.text)
               and each.headings == ("c0: value 000",) for each in others)  # fmt: skip
    whole = "; ".join(each.text for each in (first, *others))
    assert whole == "; ".join(f"c{n}: {cell}" for n, cell in enumerate(cells))
    assert [each.column - 1 for each in others] == [whole.index(each.text) for each in others]
    assert all(len(each.text) <= LONGEST_PIECE for each in (first, *others))
    answer = " ".join(f"Step {n} is done by the owner of the room." for n in range(20))
    said = read("a.jsonl", json.dumps({"q": "How to move?", "a": answer, "z": "end"})).pieces
    assert len({each.place for each in said}) == len(said) > 2
    assert all(each.headings == ("q: How to move?",) for each in said[1:])


def test_a_first_row_with_an_amount_is_no_header_and_days_are_names() -> None:
    assert [each.text for each in read("a.csv", "lamp,$5\nfan,$7\n").pieces] == [
        "1: lamp; 2: $5",
        "1: fan; 2: $7",
    ]
    assert [each.text for each in read("a.csv", "item,2026-01,2026-02\nfan,5,6\n").pieces] == [
        "item: fan; 2026-01: 5; 2026-02: 6"
    ]
    table = "| | Owner |\n|--|--|\n| R-17 | Dana Kim |\n"
    assert [each.text for each in read("a.md", table).pieces] == ["R-17; Owner: Dana Kim"]


def test_docx_paragraphs_and_rows_are_counted() -> None:
    data = docx(
        (0, "규정집"), (1, "휴가"), "연차는 15일입니다.", [["구분", "일수"], ["병가", "30"]],
        (1, "출장"), "숙박비를 냅니다.",
    )  # fmt: skip
    content = read("a.docx", data)
    assert [(piece.place, piece.headings, piece.text) for piece in content.pieces] == [
        ("3", ("규정집", "휴가"), "연차는 15일입니다."),
        ("4", ("규정집", "휴가"), "구분 | 일수"),
        ("5", ("규정집", "휴가"), "병가 | 30"),
        ("7", ("규정집", "출장"), "숙박비를 냅니다."),
    ]
    assert content.title == "규정집"


# tables


@pytest.mark.parametrize("delimiter", [",", "\t", ";", "|"])
def test_csv_rows_are_pieces_with_typed_fields(delimiter: str) -> None:
    rows = ["품명,가격,재고", '모니터,"320,000",true', '"키\n보드",5.5,false', ",,", "007,,x"]
    text = "\n".join(rows).replace(",", delimiter).replace(f"320{delimiter}000", "320,000")
    content = read("a.csv", text)
    assert [(piece.place, piece.text, dict(piece.fields)) for piece in content.pieces] == [
        ("2", "품명: 모니터; 가격: 320,000; 재고: true",
         {"품명": "모니터", "가격": 320_000, "재고": True}),
        ("3", "품명: 키 보드; 가격: 5.5; 재고: false",
         {"품명": "키\n보드", "가격": 5.5, "재고": False}),
        ("6", "품명: 007; 재고: x", {"품명": "007", "재고": "x"}),
    ]  # fmt: skip


def test_csv_without_names_numbers_its_columns() -> None:
    assert places(read("a.csv", "1,2\n3,4\n")) == [("1", "1: 1; 2: 2"), ("2", "1: 3; 2: 4")]


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("12", 12), ("-1", -1), ("1,234", 1234), ("12,34", "12,34"), ("007", "007"), ("1.50", 1.5),
        ("TRUE", True), ("1e5", "1e5"), ("9" * 15, int("9" * 15)), ("9" * 16, "9" * 16), ("", ""),
    ],
)  # fmt: skip
def test_cells_are_numbers_only_when_they_are_written_so(cell: str, value: Any) -> None:
    assert typed(cell) == value and type(typed(cell)) is type(value)


@pytest.mark.parametrize(("length", "kept"), [(LONGEST_VALUE, True), (LONGEST_VALUE + 1, False)])
def test_a_long_text_is_searched_and_no_field(length: int, kept: bool) -> None:
    (piece,) = read("a.csv", f"name,note\na,{'x' * length}\n").pieces
    assert ("note" in piece.fields) is kept and "x" * length in piece.text


def test_jsonl_objects_are_pieces_and_bad_lines_are_told() -> None:
    lines = ['{"id": 1, "t": {"x": "y"}, "l": ["a", "b"]}', "{bad", "", '"text"',
             '{"big": 99999999999999999999, "n": NaN, "none": null, "m": [{"k": 1}]}',
             '{"paid": true, "tags": [], "seen": [false]}']  # fmt: skip
    content = read("a.jsonl", "\n".join(lines))
    assert [(piece.place, piece.text, dict(piece.fields)) for piece in content.pieces] == [
        ("1", "id: 1; t.x: y; l: a, b", {"id": 1, "t.x": "y", "l": ("a", "b")}),
        ("4", "value: text", {"value": "text"}),
        ("5", "big: 99999999999999999999; n: nan; m.1.k: 1", {"m.1.k": 1}),
        ("6", "paid: true; seen: false", {"paid": True, "seen": (False,)}),
    ]
    assert [tell(problem, "en") for problem in content.problems] == ["line 2 is not JSON."]


@pytest.mark.parametrize(("bad", "told"), [(MOST_PROBLEMS, 5), (MOST_PROBLEMS + 1, 6)])
def test_many_bad_lines_are_counted(bad: int, told: int) -> None:
    assert len(read("a.jsonl", "{}\n" * 3 + '{"a": 1}\n' + "{\n" * bad).problems) == told


def test_json_without_end_of_nesting_is_a_bad_line() -> None:
    content = read("a.jsonl", '{"a": 1}\n' + "[" * 100_000)
    assert (len(content.pieces), len(content.problems)) == (1, 1)


def fields(content: Content) -> list[dict[str, object]]:
    return [dict(piece.fields) for piece in content.pieces]


def told(content: Content) -> list[tuple[str, dict[str, str]]]:
    return [(problem.fault, problem.values) for problem in content.problems]


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("129,000원", "129,000원"),
        ("2kg", "2kg"),
        ("1.5e-3", 0.0015),
        ("1E5", "1E5"),
        ("1,234.50", 1234.5),
        ("0", 0),
        ("-0.5", -0.5),
        ("123456789012345", 123456789012345),
        ("1234567890123456", "1234567890123456"),
        ("007", "007"),
        ("00", "00"),
        ("1,23", "1,23"),
        ("10만원대", "10만원대"),
        ("월 9,900원", "월 9,900원"),
        ("만원", "만원"),
        ("$5", "$5"),
        ("True", True),
    ],
)
def test_what_a_cell_writes_is_the_same_in_every_format(cell: str, value: object) -> None:
    assert typed(cell) == value and type(typed(cell)) is type(value)
    assert fields(read("a.csv", f'k,x\nb,"{cell}"\n'))[0]["x"] == value
    assert fields(read("a.jsonl", f'{{"x": "{cell}"}}\n'))[0]["x"] == value
    assert read("a.md", f'---\nx: "{cell}"\n---\nText\n').facets["x"] == value


@pytest.mark.parametrize(
    ("header", "names", "others"),
    [
        ("item,price,price", ["item", "price", "price_2"], ["price_2"]),
        (
            "item,색,가격,가격,가격",
            ["item", "색", "가격", "가격_2", "가격_3"],
            ["가격_2", "가격_3"],
        ),
        ("Unit Price,unit_price,x", ["Unit Price", "unit_price_2", "x"], ["unit_price_2"]),
        ("a,a,a_2", ["a", "a_3", "a_2"], ["a_3"]),
        ("item,price,cost", ["item", "price", "cost"], []),
    ],
)
def test_two_columns_of_one_name_keep_the_header(
    header: str, names: list[str], others: list[str]
) -> None:
    row = ",".join(str(n) for n in range(len(names)))
    content = read("a.csv", f"{header}\n{row}\n")
    assert fields(content) == [{name: n for n, name in enumerate(names)}]
    assert [values["other"] for _, values in told(content)] == others


def test_a_row_of_one_word_is_no_header() -> None:
    content = read("a.csv", "예,예\n예,아니오\n")
    assert len(content.pieces) == 2 and told(content) == [("no_header", {})]
    assert told(read("a.csv", "1,1\n2,3\n")) == []


@pytest.mark.parametrize(
    ("rows", "found", "open_lines"),
    [
        ('1,"open\n2,x\n3,y\n', ["1|open", "2|x", "3|y"], [2]),
        ('1,"open\n2,"closed"\n3,y\n', ["1|open", "2|closed", "3|y"], [2]),
        ('1,"열고, 닫지 않음\n2,"둘\n', ["1|열고|닫지 않음", "2|둘"], [2, 3]),
        ('1,"two\nlines"\n2,x\n', ["1|two lines", "2|x"], []),
        ('1,"a ""quoted"" word"\n2,5" pipe\n', ['1|a "quoted" word', '2|5" pipe'], []),
        ('1,"a" b\n2,x\n', ["1|a b", "2|x"], []),
        ('1,x\n2,"', ["1|x", "2|"], [3]),
    ],
)
def test_a_quote_that_is_not_closed_swallows_nothing(
    rows: str, found: list[str], open_lines: list[int]
) -> None:
    content = read("a.csv", f"n,text\n{rows}")
    shown = ["|".join(re.findall(r"\w+: ([^;]*)", piece.text)) for piece in content.pieces]
    assert shown == [each.rstrip("|") for each in found]
    lines = [int(values["line"]) for fault, values in told(content) if fault == "open_quote"]
    assert lines == open_lines


def test_many_quotes_are_told_by_the_first_few() -> None:
    rows = "".join(f'{n},"open\n' for n in range(8))
    content = read("a.csv", f"n,text\n{rows}")
    assert len(content.pieces) == 8
    assert [fault for fault, _ in told(content)] == ["open_quote"] * 5 + ["more_open_quote"]


def test_a_cell_too_long_for_a_table_costs_its_row_alone() -> None:
    content = read("a.csv", f"n,text\n1,{'x' * 140_000}\n2,y\n")
    assert [piece.line for piece in content.pieces] == [3]
    assert told(content)[0][0] == "bad_row"


@pytest.mark.parametrize(
    ("element", "is_seen"),
    [
        ("<p hidden>T</p>", False),
        ('<div hidden=""><p>T</p></div>', False),
        ('<p hidden="until-found">T</p>', True),
        ('<p style="display:none">T</p>', False),
        ('<p style="color: red; DISPLAY : none !important">T</p>', False),
        ('<p style="visibility: hidden;">T</p>', False),
        ('<p style="display: block">T</p>', True),
        ('<p style="x-display: none">T</p>', True),
        ("<template><p>T</p></template>", False),
        ("<script>T</script>", False),
        ("<p>T<span hidden>x</span></p>", True),
        ("<br hidden><p>T</p>", True),
    ],
)
def test_what_a_page_does_not_show_is_not_read(element: str, is_seen: bool) -> None:
    content = read("a.html", f"<p>before</p>{element}<p>after</p>")
    texts = [piece.text for piece in content.pieces]
    assert texts == ["before", *["T"] * is_seen, "after"]


def test_what_a_block_of_html_hides_in_markdown_is_not_read() -> None:
    content = read("a.md", "before\n\n<div hidden>T</div>\n\n<div>U</div>\n")
    assert [piece.text for piece in content.pieces] == ["before", "U"]

"""HTML: the text of blocks, under their headings.

The standard library's parser, because it alone tells the line of every text; a tree would only
know where the element around it began.
"""

from __future__ import annotations

from html.parser import HTMLParser

from tools.index.reading.pieces import Content, Line, Piece, cut
from tools.index.reading.plain import decode

_BLOCKS = frozenset(
    "address article aside blockquote body caption dd details dialog div dl dt fieldset figcaption "
    "figure footer form h1 h2 h3 h4 h5 h6 header hr html legend li main nav ol option p pre "
    "section select summary table tbody tfoot thead title tr ul".split()
)
_HIDDEN = frozenset({"script", "style", "template", "noscript", "svg", "math"})
_CELLS = frozenset({"td", "th"})


def read_html(data: bytes) -> Content:
    """An HTML page. Its title is the page's own, else its first heading."""
    return read_page(decode(data))


def read_page(text: str) -> Content:
    """HTML that is text already."""
    page = _Page()
    page.feed(text)
    page.close()
    page.end_block()
    return Content(page.title, page.pieces)


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.title = ""
        self.pieces: list[Piece] = []
        self._texts: list[Line] = []
        self._block = ""
        self._hidden: list[str] = []
        self._headings: dict[int, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _HIDDEN:
            self._hidden.append(tag)
        elif tag in _BLOCKS:
            self.end_block()
            self._block = tag
        elif tag in _CELLS and self._texts:
            self._texts.append(Line(self._texts[-1].number, "|"))
        elif tag == "br" and self._block != "title":
            block = self._block
            self.end_block()
            self._block = block

    def handle_endtag(self, tag: str) -> None:
        if tag in self._hidden:
            del self._hidden[self._hidden.index(tag) :]
        elif tag in _BLOCKS:
            self.end_block()

    def handle_data(self, data: str) -> None:
        if self._hidden:
            return
        first = self.getpos()[0]
        for number, line in enumerate(data.split("\n"), first):
            if line.strip():
                self._texts.append(Line(number, line))
            if self._block == "pre" and number < first + data.count("\n"):
                self.end_block()
                self._block = "pre"

    def end_block(self) -> None:
        """Everything since the last block began is one block's text."""
        texts, self._texts = self._texts, []
        block, self._block = self._block, ""
        if not texts:
            return
        text = " ".join(" ".join(line.text for line in texts).split())
        if block == "title":
            self.title = self.title or text
        elif len(block) == 2 and block[0] == "h" and block[1].isdigit():
            level = int(block[1])
            self.title = self.title or text
            self._headings = {key: each for key, each in self._headings.items() if key < level}
            self._headings[level] = text
        else:
            line = Line(texts[0].number, text)
            self.pieces.extend(cut([line], tuple(self._headings.values())))

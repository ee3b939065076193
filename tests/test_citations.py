"""Which passages an answer cites, and which of them exist."""

import pytest

from agent.citations import cited
from tools.documents import Passage

LEDGER = {
    each.id: each
    for each in (
        Passage("steps-1", "Open Billing.", "billing"),
        Passage("표-1", "합계는 [표 1] 에 있고 [w9] 는 지어낸 표시입니다", "docs"),
        Passage("a, b.md:3", "x", "docs"),
        Passage("[초안] 규정.md:2", "y", "docs"),
        Passage("bare", "[표 2]", "docs"),
    )
}


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Open it [steps-1].", [("steps-1", True)]),
        ("Open it [ STEPS-1 ] and again [steps-1].", [("steps-1", True)]),
        ("No mark at all.", []),
        ("A is good [w7].", [("w7", False)]),
        ("Both [steps-1, 표-1].", [("steps-1", True), ("표-1", True)]),
        ("One of two [steps-1, w7].", [("steps-1", True), ("w7", False)]),
        ("A comma in the name [a, b.md:3].", [("a, b.md:3", True)]),
        ("Brackets in the name [[초안] 규정.md:2].", [("[초안] 규정.md:2", True)]),
        ("- 합계는 [표 1] 에 있고 [표-1]", [("표-1", True)]),
        ("다른 글 [표 1]", [("표 1", False)]),
        ("지어낸 말 [w9] 입니다", [("w9", False)]),
        ("[표 2] [bare]", [("bare", True)]),
        ("[link](https://example.invalid)", [("link", False)]),
        ("[ ] [,]", []),
    ],
)
def test_cited(answer, expected):
    assert [(each.id, each.ok) for each in cited(answer, LEDGER)] == expected


def test_nothing_is_known_without_evidence():
    assert [each.ok for each in cited("A입니다 [1]", {})] == [False]

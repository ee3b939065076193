"""Words, particles and bigrams."""

from unicodedata import normalize

import pytest

from tools.tokens import covers, fold, units


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Invoice EXPORT", ["invoice", "export"]),
        ("billing_admin srv-prod-17 8.0.5", ["billing_admin", "srv-prod-17", "8.0.5"]),
        ("sign-in", ["sign-in", "sign", "in"]),
        ("청구서를", ["청구", "구서"]),
        ("돈은 돈", ["돈은", "돈"]),
        ("USB포트", ["usb", "포트"]),
        ("東京都", ["東京", "京都"]),
        ("!? —", []),
    ],
)
def test_units(text, expected):
    assert units(text) == expected


def test_two_unicode_forms_are_one_word():
    composed = "한글"
    decomposed = normalize("NFD", composed)
    assert composed != decomposed
    assert units(composed) == units(decomposed)
    assert fold("  A\tB ") == "a b"


@pytest.mark.parametrize(
    ("question", "word", "expected"),
    [
        ("invoice export", "invoice", True),
        ("invoices export", "invoice", False),
        ("청구서를 내보내려면?", "내보내", True),
        ("청구서 보내기", "내보내", False),
        ("anything", "", False),
    ],
)
def test_covers(question, word, expected):
    assert covers(question, word) is expected

"""Words, particles and bigrams."""

from unicodedata import normalize

import pytest

from tools.tokens import LONGEST_TERM, covers, fold, query_terms, stem, terms, units


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
        ("대통령李씨", ["대통", "통령", "李", "씨"]),
        ("李씨는 ソウル行き", ["李", "씨는", "ソウ", "ウル", "行", "き"]),
        ("비-A.b팀, .c한-", ["비", "a.b", "a", "b", "팀", "c", "한"]),
        ("!? —", []),
        ("Ver\u00adsich\u00aderung in\u200bventory", ["versicherung", "inventory"]),
        ("휴\u2060가를 낸 날\u200d짜", ["휴가", "낸", "날짜"]),
        ("well\u00ad\n known", ["wellknown"]),
        ("well-\nknown, one two", ["well", "known", "one", "two"]),
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


@pytest.mark.parametrize(
    "text",
    [
        "billing_admin",
        "srv-prod-17",
        "8.0.5",
        "v2.1.0-rc1",
        "2026-03-01",
        "0x1f",
        "iphone15",
        "mp3",
    ],
)
def test_numbers_versions_and_ids_are_one_term(text):
    assert units(text) == terms(text) == query_terms(text) == [text]
    assert terms(f"({text}),") == [text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Invoices exported", ["invoice", "export"]),
        ("청구서를", ["청구", "구서"]),
        ("권한이 필요", ["권한", "권한", "필요", "필요"]),
        ("돈은 돈", ["돈은", "돈은", "돈"]),
        ("1989년", ["1989", "년"]),
        ("sign-in", ["sign-in", "sign", "in"]),
        ("x" * LONGEST_TERM, ["x" * LONGEST_TERM]),
        ("x" * (LONGEST_TERM + 1), []),
    ],
)
def test_terms(text, expected):
    assert terms(text) == expected


@pytest.mark.parametrize(
    "words",
    [
        "invoice invoices",
        "export exports exported exporting",
        "copy copies copied",
        "plan plans planned planning",
        "bill bills billed billing",
        "class classes",
        "quick quickly",
        "bake bakes baked baking",
        "store stores stored storing",
        "close closed closing",
        "use uses used using",
        "move moved moving",
        "hire hired hires",
        "name named naming",
        "deliver delivers delivered delivery deliveries",
        "own owns owned owner owners",
        "box boxes boxed",
        "cache caches cached caching",
        "cancel cancels cancelled canceled",
        "install installs installed",
        "change changes changed changing",
        "manage manages managed managing",
        "visit visits visited visiting",
        "invite invites invited inviting",
        "agree agrees agreed agreeing",
        "supply supplies supplied supplier",
        "try tries tried trying",
        "die dies died dying",
        "type typed typing",
        "hero heroes",
        "movie movies",
        "unite unites united",
        "like likes likely",
    ],
)
def test_inflected_words_share_a_stem(words):
    assert len(set(map(stem, words.split()))) == 1, [stem(word) for word in words.split()]


@pytest.mark.parametrize(
    "words",
    [
        "plan planned|plane planed",
        "hop hopped hopping|hope hoped hoping",
        "star starred starring|stare stared staring",
        "rat rats|rate rated rating",
        "can canned|cane caned",
        "car cars|care cared caring",
        "us|use used",
        "fill filled|file filed",
        "bar barred|bare bared",
        "not|note noted",
        "unit units|unite united",
        "strip stripped|stripe striped",
        "control controlled|controller",
        "serve served|server servers",
        "Clark|Clarke",
        "bit bits|bite biting",
        "numb|number",
        "battery|batter",
        "marie|mary",
        "heroin|heroine",
    ],
)
def test_words_that_only_look_like_each_other_keep_apart(words):
    groups = [{*map(stem, group.lower().split())} for group in words.split("|")]
    assert [len(group) for group in groups] == [1] * len(groups)
    assert len(set().union(*groups)) == len(groups)


@pytest.mark.parametrize("word", ["bus", "status", "news", "king", "string", "red", "need", "ids"])
def test_short_words_and_what_only_looks_inflected_stay(word):
    assert stem(word) in (word, word.removesuffix("s"))


def test_a_question_without_the_words_that_questions_are_full_of():
    assert query_terms("How do I export an invoice?") == ["export", "invoice"]
    assert query_terms("청구서는 어떻게 내보내나요?") == ["청구", "구서", "내보", "보내", "내나"]
    assert query_terms("what is it") == ["what", "is", "it"]
    assert query_terms("권한 권한") == ["권한"]

"""Every sentence a reader sees: in both languages, with the same values, particles that fit."""

import re
import string

import pytest

from agent.catalogue import SENTENCES, Problem, particle, say

SAME_IN_BOTH = {"doctor.settings", "doctor.sdk", "doctor.python"}
"""Sentences without a word of their own."""


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None}


def has_hangul(text: str) -> bool:
    return any("가" <= character <= "힣" for character in text)


@pytest.mark.parametrize("key", SENTENCES)
def test_a_sentence_is_there_in_both_languages(key: str) -> None:
    korean, english = SENTENCES[key]
    assert korean.strip() == korean and english.strip() == english
    assert korean and english
    assert placeholders(korean) == placeholders(english)
    assert not has_hangul(english)
    words = "".join(text for text, *_ in string.Formatter().parse(korean)).strip()
    assert has_hangul(words) or key in SAME_IN_BOTH or not any(map(str.isalpha, words))


@pytest.mark.parametrize("key", SENTENCES)
def test_a_sentence_shows_every_value(key: str) -> None:
    for language, sentence in zip(("ko", "en"), SENTENCES[key], strict=True):
        fields = [field for field in string.Formatter().parse(sentence) if field[1] is not None]
        values = {name: 7 if number(spec) else f"<{name}>" for _, name, spec, _ in fields}
        said = say(key, language, **values)
        assert all(str(value) in said for value in values.values())


@pytest.mark.parametrize("key", SENTENCES)
def test_what_is_counted_follows_its_number(key: str) -> None:
    """``{steps} steps`` would be 1 steps."""
    counted = (
        "answer character document event file item line passage question request response round "
        "run search sentence step time token turn value word"
    ).split()
    for noun in counted:
        plural = f"{noun}es" if noun == "search" else f"{noun}s"
        assert re.search(rf"\{{\w+\}} (?:more )?{plural}\b", SENTENCES[key][1]) is None


def test_one_is_not_many() -> None:
    figures = {"status": "open", "stop": "answered", "tokens": 1, "model": "m"}
    assert "1 step · 1 search · 1 token" in say(
        "tell.figures", "en", steps=1, searches=1, **figures
    )
    assert "0 steps · 2 searches" in say("tell.figures", "en", steps=0, searches=2, **figures)


def number(spec: str | None) -> bool:
    return bool(spec) and "/" not in str(spec)


@pytest.mark.parametrize(
    ("word", "pair", "together"),
    [
        ("근거", "은/는", "근거는"),
        ("답", "은/는", "답은"),
        ("근거", "이/가", "근거가"),
        ("답", "이/가", "답이"),
        ("근거", "을/를", "근거를"),
        ("답", "을/를", "답을"),
        ("근거", "과/와", "근거와"),
        ("답", "과/와", "답과"),
        ("근거", "으로/로", "근거로"),
        ("답", "으로/로", "답으로"),
        ("파일", "으로/로", "파일로"),
        ("파일", "은/는", "파일은"),
        ("0", "이/가", "0이"),
        ("1", "으로/로", "1로"),
        ("1", "을/를", "1을"),
        ("2", "을/를", "2를"),
        ("3", "으로/로", "3으로"),
        ("4", "과/와", "4와"),
        ("5", "은/는", "5는"),
        ("6", "으로/로", "6으로"),
        ("7", "으로/로", "7로"),
        ("8", "으로/로", "8로"),
        ("8", "은/는", "8은"),
        ("9", "은/는", "9는"),
        ("USB", "을/를", "USB를"),
        ("URL", "을/를", "URL을"),
        ("URL", "으로/로", "URL로"),
        ("PDF", "으로/로", "PDF로"),
        ("PNG", "은/는", "PNG는"),
        ("RAM", "으로/로", "RAM으로"),
        ("JSON", "으로/로", "JSON으로"),
        ("CSR", "으로/로", "CSR로"),
        ("CSR", "이라는/라는", "CSR이라는"),
        ("folder", "이라는/라는", "folder라는"),
        ("'year'", "은/는", "'year'는"),
        ("channel", "이라는/라는", "channel이라는"),
        ("(답)", "은/는", "(답)은"),
        ("'steps-1'", "을/를", "'steps-1'을"),
        ("", "을/를", "를"),
    ],
)
def test_particles_follow_the_last_sound(word: str, pair: str, together: str) -> None:
    assert particle(word, pair) == together


def test_a_particle_is_written_as_a_format() -> None:
    sentence = say("settings.model_retires", "ko", model="gemini-2.5-pro", date="12", instead="x8")
    assert sentence.startswith("gemini-2.5-pro는 12에") and "x8로 바꾸세요" in sentence


def test_a_narrower_cause_falls_back_to_its_parent() -> None:
    assert say("stop.max_steps.no_such_cause", "en") == say("stop.max_steps", "en")


@pytest.mark.parametrize("key", ["nothing", "stop", "stop.nothing", "nothing.at.all"])
def test_a_sentence_nobody_wrote_is_an_error(key: str) -> None:
    with pytest.raises(KeyError):
        say(key, "ko")


def test_a_problem_speaks_both_languages() -> None:
    problem = Problem("settings.switch", name="BARELOOP_STREAM")
    assert isinstance(problem, ValueError)
    assert str(problem) == "BARELOOP_STREAM must be 1 or 0." == problem.say("en")
    assert problem.say("ko") == "BARELOOP_STREAM은 1 또는 0이어야 합니다."

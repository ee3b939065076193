"""Which ideas and misconceptions a sentence is taken for, just inside and just outside."""

from __future__ import annotations

import unicodedata
from dataclasses import replace

import pytest

from agent.lessons.exercises import Exercise, Idea, Words, exercises, find_exercise
from agent.lessons.explaining import feedback

LANGUAGES = ("ko", "en")


@pytest.mark.parametrize(
    ("number", "said", "found"),
    [
        # both parts of an idea, in one sentence
        ("5", "API는 기억이 없다", [True, False]),
        ("5", "기억이 없다", [False, False]),
        ("5", "API가 거절한다", [False, False]),
        ("5", "API가 거절한다. 나도 기억이 없다", [False, False]),
        ("5", "The API is stateless", [True, False]),
        ("5", "stateless", [False, False]),
        ("5", "The API refuses it. I remember nothing.", [False, False]),
        ("5", "결과는 그것을 부른 요청 뒤에 와야 한다", [False, True]),
        ("5", "A RESULT must come after its CALL", [False, True]),
        ("5", "A result must come after", [False, False]),
        ("5", "Gemini는 기억하지 못하고, 결과는 호출 바로 다음에 온다", [True, True]),
        ("5", "", [False, False]),
        # what is said must not be denied
        ("5", "API는 기억이 없지 않다", [False, False]),
        ("5", "The API doesn't remember", [True, False]),
        ("5", "결과는 호출 뒤에 오지 않아도 된다", [False, False]),
        ("5", "A result need not follow its call", [False, False]),
        ("1", "빈 대화는 거절한다", [False, True]),
        ("1", "빈 대화도 거절하지 않는다", [False, False]),
        ("1", "빈 대화를 안 거절한다", [False, False]),
        ("1", "빈 대화를 거절해서 답이 없다", [False, True]),
        ("1", "An empty conversation is refused", [False, True]),
        ("1", "An empty conversation is not refused", [False, False]),
        ("1", "It is not an answer, so an empty conversation is refused", [False, True]),
        ("1", "Nothing was empty, so refused", [False, True]),
        ("1", "Nothing that was empty was refused", [False, False]),
        ("2", "단계마다 비용이 든다", [False, True]),
        ("2", "단계마다 비용이 들지 않는다", [False, False]),
        ("2", "Every step costs money", [False, True]),
        ("2", "Every step costs nothing", [False, False]),
        ("14", "범위를 확인하지 않아서 그렇다", [False, True]),
        ("14", "범위를 확인하지 않아도 된다", [False, False]),
        # the part that denies does not deny the other
        ("4", "No tool call means stop", [True, False]),
        ("4", "도구를 부르지 않으면 끝낸다", [True, False]),
        # Korean words begin where a word begins, Latin ones and numbers are whole
        ("9", "단계마다 2개씩", [True, False]),
        ("9", "단계마다 12개씩", [False, False]),
        ("9", "Each step adds 2", [True, False]),
        ("9", "Each step adds 20", [False, False]),
        ("8", "return이 없으면 None", [True, False]),
        ("8", "returning Nones", [False, False]),
        ("8", "I do not know why it returns an error", [False, False]),
        ("22", "I have no idea", [False, False]),
        ("11", "결과를 부를 수 있다", [False, False]),
        ("15", "근거 없이 비가 온다", [False, False]),
    ],
)
def test_the_parts_of_an_idea_come_together(number: str, said: str, found: list[bool]) -> None:
    assert feedback(said, find_exercise(number)).ideas == found
    apart = unicodedata.normalize("NFD", said)
    assert feedback(apart, find_exercise(number)).ideas == found


@pytest.mark.parametrize(
    ("number", "said", "thoughts"),
    [
        ("2", "The model stops by itself and costs nothing", [0]),
        ("2", "The model never stops by itself", []),
        ("2", "Nothing guarantees that the model stops by itself", []),
        ("2", "모델이 스스로 멈추므로 돈이 들지 않는다", [0]),
        ("2", "모델이 스스로 멈추지 않는다", []),
        ("2", "모델이 스스로 멈춘다는 보장이 없다", []),
        ("5", "The API remembers everything, so it calls again", [0, 1]),
        ("5", "The API remembers nothing", []),
        ("5", "같은 도구를 또 부른다", [0]),
        ("5", "같은 도구를 또 부르지 않는다", []),
        ("14", "IndexError가 난다", [0]),
        ("14", "IndexError 대신 마지막 줄이 나온다", []),
        ("14", "no IndexError comes", []),
        ("19", "이하와 미만은 같지 않다", []),
        ("19", "Below and at most are not the same", []),
    ],
)
def test_a_misconception_is_named(number: str, said: str, thoughts: list[int]) -> None:
    exercise = find_exercise(number)
    found = feedback(said, exercise).misconceptions
    assert found == [exercise.misconceptions[each] for each in thoughts]


def test_a_sentence_with_a_misconception_speaks_for_no_idea() -> None:
    exercise = find_exercise("2")
    wrong = "The model stops by itself"
    assert feedback(f"{wrong} and every step costs money", exercise).ideas == [False, False]
    assert feedback(f"{wrong}. Every step costs money", exercise).ideas == [False, True]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("exercise", exercises(), ids=lambda each: each.name)
def test_every_exercise_knows_right_from_wrong(exercise: Exercise, language: str) -> None:
    """Its ideas as they are told, its examples, and no idea for a single word of them."""
    for place, idea in enumerate(exercise.ideas):
        found = feedback(idea.told[language], exercise)
        assert found.ideas[place] and not found.misconceptions
        for word in {word for group in idea.words[language] for word in group.split("|")}:
            assert not any(feedback(word, exercise).ideas), word
    for each in exercise.misconceptions:
        found = feedback(each.told[language], exercise)
        assert each in found.misconceptions and not any(found.ideas)
    last = exercise.hints[language][-1]
    assert not feedback(last, exercise).misconceptions


def test_the_groups_have_words_of_their_own() -> None:
    words: Words = {"ko": ("하나|둘이", "둘이|셋이"), "en": ("one", "one|two")}
    exercise = replace(find_exercise("5"), ideas=(Idea({"ko": "?", "en": "?"}, words),))
    for said in ("둘이", "one"):
        assert feedback(said, exercise).ideas == [False]
    for said in ("둘이 셋이", "둘이 둘이", "하나 둘이", "one one", "two one"):
        assert feedback(said, exercise).ideas == [True]

"""For authors: whether every exercise is whole, and both its signatures tell its sides apart."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import get_args

from agent.catalogue import Language, say
from agent.lessons.comparison import align, first_divergence
from agent.lessons.exercises import Exercise
from agent.lessons.explaining import UNLESS, feedback
from agent.lessons.scenarios import SCENARIOS
from agent.lessons.stage import play

SYLLABLES = 2
"""How long a Korean word is at least, so that it is no part of another by accident."""


def verify(
    exercises: Iterable[Exercise], language: Language, write: Callable[[str], object]
) -> bool:
    """Write one line for each exercise; True when all of them are whole."""
    whole = True
    for each in exercises:
        wrong = list(faults(each, language))
        whole = whole and not wrong
        key = "lesson.verify.wrong" if wrong else "lesson.verify.fine"
        write(say(key, language, number=each.number, name=each.name, faults="; ".join(wrong)))
    return whole


def faults(exercise: Exercise, language: Language) -> Iterator[str]:
    """What is wrong with an exercise: what is not written, or else a signature that does not hold,
    that holds for the wrong side too, or two sides that do not differ."""
    unwritten = list(exercise.faults())
    yield from (say("lesson.verify.unwritten", language, name=name) for name in unwritten)
    if unwritten:
        return
    yield from _misread(exercise, language)
    scenario = SCENARIOS[exercise.scenario]
    for spoken in get_args(Language):
        sound, broken = (
            play(scenario, exercise.loop(side), side, spoken) for side in (False, True)
        )
        for name, signature, own, other in (
            ("sound", exercise.sound, sound, broken),
            ("broken", exercise.broken, broken, sound),
        ):
            for difference in signature.differences(own):
                yield f"{spoken}: {name}.{difference}"
            if signature.holds(other):
                yield say("lesson.verify.both", language, spoken=spoken, side=name)
        if first_divergence(align(sound, broken)) is None:
            yield say("lesson.verify.same", language, spoken=spoken)


def _misread(exercise: Exercise, language: Language) -> Iterator[str]:
    """What would be misread in explanations: words that are too short, an explanation that lacks
    an idea or has a misconception, a misconception that is not seen or has an idea."""
    for words in (
        *(idea.words for idea in exercise.ideas),
        *(wrong.words for wrong in exercise.misconceptions),
    ):
        for group in words["ko"]:
            for word in group.removeprefix(UNLESS).split("|"):
                if re.search("[가-힣]", word) and len(re.findall(r"\w", word)) < SYLLABLES:
                    yield say("lesson.verify.short", language, word=word)
    for spoken in get_args(Language):
        said = exercise.explained[spoken]
        found = feedback(said, exercise)
        if not all(found.ideas) or found.misconceptions:
            yield say("lesson.verify.unheard", language, said=said)
        for each in exercise.misconceptions:
            found = feedback(each.told[spoken], exercise)
            if any(found.ideas) or each not in found.misconceptions:
                yield say("lesson.verify.credited", language, said=each.told[spoken])

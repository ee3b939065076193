"""Every sentence a reader sees, in Korean and English, in one place.

Korean particles follow the word before them: ``{name:을/를}`` writes the name and the particle
that fits its last sound.
"""

from __future__ import annotations

import string
from typing import Any, Literal

Language = Literal["ko", "en"]

_DIGITS_WITH_FINAL = frozenset("013678")
_LETTERS_WITH_FINAL = frozenset("lmnrLMNR")


class Problem(ValueError):
    """A reader's mistake, told in one sentence: a catalogue key and its values.

    ``str()`` gives the English sentence; entry points use ``say`` for the reader's language.
    """

    def __init__(self, key: str, **values: Any) -> None:
        self.key = key
        self.values = values
        super().__init__(say(key, "en", **values))

    def say(self, language: Language) -> str:
        return say(self.key, language, **self.values)


def say(key: str, language: Language, **values: Any) -> str:
    """The sentence for ``key``. A key with a narrower cause (``stop.rejected.key_invalid``) falls
    back to its parent; a key nobody wrote is a KeyError."""
    while key not in SENTENCES and key.count(".") > 1:
        key = key.rpartition(".")[0]
    korean, english = SENTENCES[key]
    return _FORMATTER.format(korean if language == "ko" else english, **values)


def particle(word: str, pair: str) -> str:
    """``word`` with the particle of ``pair`` ("을/를", "이/가", "은/는", "과/와", "으로/로")."""
    after_consonant, after_vowel = pair.split("/")
    final = _final_sound(word)
    if pair == "으로/로" and final == "ㄹ":
        return word + after_vowel
    return word + (after_consonant if final else after_vowel)


def _final_sound(word: str) -> str:
    """The final consonant of the last letter or digit: "" for none, "ㄹ", or "+" for another."""
    last = next((each for each in reversed(word) if each.isalnum()), "")
    if "가" <= last <= "힣":
        final = (ord(last) - ord("가")) % 28
        return "ㄹ" if final == 8 else "+" if final else ""
    if last in "178lLrR" and last:
        return "ㄹ"
    return "+" if last in _DIGITS_WITH_FINAL or last in _LETTERS_WITH_FINAL else ""


class _Formatter(string.Formatter):
    def format_field(self, value: Any, format_spec: str) -> str:
        if "/" in format_spec:
            return particle(str(value), format_spec)
        return super().format_field(value, format_spec)


_FORMATTER = _Formatter()

SENTENCES: dict[str, tuple[str, str]] = {
    # why a run ended, by stop reason (and cause)
    "stop.answered": (
        "필요한 근거를 모아 답했습니다. 근거가 모였다는 뜻이지 내용이 참이라는 보증은 아닙니다.",
        "The answer rests on evidence that was found; that says nothing about its truth.",
    ),
    "stop.answered.incomplete": (
        "근거가 다 모이기 전에 모델이 답하려 해서 그 답은 보여 주지 않습니다.",
        "The model tried to answer before the evidence was complete, so its text is not shown. "
        "Still missing: {missing}.",
    ),
    "stop.answered.uncited": (
        "모델의 답에 근거 표시가 없어 보여 주지 않습니다. 찾은 근거는 아래에 있습니다.",
        "The model's text cites no evidence, so it is not shown; what was found is listed.",
    ),
    "stop.answered.unknown_citation": (
        "모델의 답이 없는 근거({unknown})를 인용해 보여 주지 않습니다. 찾은 근거는 아래에 있습니다.",
        "The model's text cites evidence that does not exist ({unknown}), so it is not shown; "
        "what was found is listed.",
    ),
    "stop.max_steps": (
        "(최대 단계에 도달해 중단했습니다)",
        "(stopped: the maximum number of steps was reached)",
    ),
    "stop.max_searches": (
        "검색 예산 {searches}회를 다 써서 멈췄습니다.",
        "Stopped: all {searches} searches of the budget are used.",
    ),
    "stop.exhausted": (
        "준비된 검색어를 모두 써 보았지만 근거가 다 모이지 않아 멈췄습니다.",
        "Stopped: every prepared query was tried and the evidence is not complete.",
    ),
    "stop.exhausted.nothing_found": (
        "관련 근거를 찾지 못했습니다.",
        "No related evidence was found.",
    ),
    "stop.repeated_call": (
        "모델이 같은 요청을 되풀이해 멈췄습니다.",
        "Stopped: the model kept making the same call.",
    ),
    "stop.no_progress": (
        "두 단계 동안 새로 찾은 것이 없어 멈췄습니다.",
        "Stopped: two steps in a row brought nothing new.",
    ),
    "stop.time_budget": (
        "시간 예산을 다 써서 멈췄습니다. 찾은 근거는 남아 있습니다.",
        "Stopped: the time budget is used; what was found is kept.",
    ),
    "stop.token_budget": (
        "토큰 예산을 다 써서 멈췄습니다. 찾은 근거는 남아 있습니다.",
        "Stopped: the token budget is used; what was found is kept.",
    ),
    "stop.cost_budget": (
        "비용 예산을 넘지 않도록 멈췄습니다. 찾은 근거는 남아 있습니다.",
        "Stopped before the cost budget could be passed; what was found is kept.",
    ),
    "stop.interrupted": (
        "중단했습니다. 끝난 검색의 결과는 남아 있고 다음 질문을 바로 할 수 있습니다.",
        "Interrupted. Results of finished searches are kept, and the next question can follow.",
    ),
    "stop.unsupported": (
        "이 질문에 맞는 자료가 없어 답하지 않습니다. 자료가 있는 질문을 하거나 --docs 로 폴더를 지정하세요.",
        "No corpus has a plan for this question, so it is not answered. Ask about what is there, "
        "or name a folder with --docs.",
    ),
    "stop.held": (
        "사람이 살펴봐야 하는 질문이라 답을 보류합니다.",
        "This question is held: a person should look at it.",
    ),
    "run.missing": ("부족한 근거: {missing}.", "Still missing: {missing}."),
    # budgets
    "limits.max_searches": (
        "검색 예산은 {low}~{high}회로 제한합니다. (받은 값: {given})",
        "The search budget must be {low} to {high} (given: {given}).",
    ),
    "limits.positive": (
        "{name:은/는} 0보다 커야 합니다. (받은 값: {given})",
        "{name} must be greater than 0 (given: {given}).",
    ),
    # questions and material
    "ask.empty_question": (
        "질문이 비어 있습니다. 따옴표 안에 질문을 적어 주세요.",
        "The question is empty; write it in quotes.",
    ),
    "corpus.unknown": (
        "{name:이라는/라는} 자료가 없습니다. 있는 자료: {names}.",
        "There is no corpus named {name}; there are: {names}.",
    ),
    "corpus.no_corpus_file": (
        "{folder}에 corpus.toml 파일이 없습니다.",
        "There is no corpus.toml in {folder}.",
    ),
    "corpus.bad_toml": (
        "{path} 파일을 TOML로 읽을 수 없습니다: {reason}",
        "{path} is not valid TOML: {reason}",
    ),
    "corpus.bad_entry": (
        "{path} 파일의 {entry} 항목이 잘못되었습니다: {reason}",
        "{path}: the entry {entry} is wrong: {reason}",
    ),
    "corpus.same_document_id": (
        "{folder}에 이름이 {id}인 문서가 둘 있습니다. 하나의 이름을 바꾸세요.",
        "{folder} has two documents named {id}; rename one of them.",
    ),
    "corpus.no_folder": (
        "{folder} 폴더가 없습니다. 경로를 확인하세요.",
        "There is no folder {folder}; check the path.",
    ),
    "corpus.file_too_large": (
        "{path} 파일이 {limit} MB보다 커서 읽지 않았습니다.",
        "{path} is larger than {limit} MB and was not read.",
    ),
    "corpus.unreadable": (
        "{path} 파일을 읽을 수 없습니다. ({reason})",
        "{path} cannot be read ({reason}).",
    ),
    "corpus.not_text": (
        "{path} 파일은 글자로 읽을 수 없어 건너뛰었습니다.",
        "{path} is not text and was skipped.",
    ),
}
"""key -> (Korean, English)."""

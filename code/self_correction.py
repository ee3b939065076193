"""자기 교정: 찾은 것을 판정하고, 줄만 골라내고, 모자라면 다시 찾습니다.

강의 '문맥 추출과 자기교정 루프의 실제'입니다.
같은 자료, 같은 질문에 도구만 바꾼 세 구성을 돌립니다. 판정만, 압축만, 판정과 압축. 판정은 yes 나
no 만, 압축은 줄 번호만 말할 수 있어 둘 다 글을 지어내지 못합니다. 루프는 agent/loop.py 하나뿐이고,
가드는 그 루프에 넘기는 모델을 감쌉니다. 실패 넷을 마음대로 일으켜 보려고, 언어 모델 대신 정해진
대로 움직이는 대역이 일부러 답합니다. 키가 있어도 Gemini에는 한 번도 묻지 않고 결과가 늘 같습니다.
회사와 보고서는 모두 지어낸 것입니다.

실패는 네 가지입니다.
    F1 검색 실패: 엉뚱한 글을 찾았습니다.
    F2 노이즈 희석: 맞는 글에 상관없는 줄이 가득합니다.
    F3 근거 밖의 말: 근거에 없는 말을 지어냈습니다.
    F4 질문 밖의 답: 근거는 있으나 묻지 않은 말입니다.
F1과 F2는 찾은 글을 보면 알지만, F3과 F4는 답을 보아야 압니다. 그래서 답을 표본으로 뽑아 나중에
봅니다. 인용 검사는 bareloop ask가 하는 일이고, 여기서는 하지 않습니다.

Self-correction: judge only, compress only, both; a stub that always says no. Try also:
    python code/self_correction.py --always-no
    python code/self_correction.py --always-no --guards
    python code/self_correction.py --always-no --max-steps 6
    python code/self_correction.py --lang en
"""

import argparse
import itertools
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from agent.catalogue import Language, Problem, say, tell
from agent.console import forgive, to_the_end
from agent.limits import Limits
from agent.messages import (
    Content,
    Declaration,
    Model,
    Reply,
    ToolMode,
    function_responses,
    model_says,
)
from agent.models.guarded import Guarded
from agent.run import Run
from agent.settings import chosen_language
from agent.toolbox import Toolbox
from tools.documents import Passage, coverage, overlap_search
from tools.filter_context import filter_lines, lexical_selector
from tools.judge import Judge, judge_passages, lexical_judge

MAX_STEPS = 20
"""모델 단계의 상한. 검색과 판정이 한 단계씩이라 검색은 그 절반입니다."""

QUESTION = "가람전자가 만든 음성 인식 모델의 이름은?"
FACT = "가람전자가 만든 음성 인식 모델의 이름은 물결이다."
ASIDE = "가람전자는 직원이 412명이다."
INVENTED = "물결은 누구의 말이든 알아듣는다."
NOISE = ["목차: 인사말 3쪽, 연혁 5쪽", "행동 강령 7조: 선물을 받지 않는다.", "출처: 사내 회보 12호"]

CHUNKS = [
    Passage("report-2", "\n".join([NOISE[0], FACT, NOISE[1], ASIDE, NOISE[2]]), "report"),
    Passage("report-5", "누리전자 매장 안내\n새 모델의 이름표는 매장 입구에 걸어 둔다.", "report"),
]
"""두 쪽짜리 보고서. 앞의 것이 맞는 글이고, 뒤의 것은 말만 비슷합니다."""

GOOD_QUERY, BAD_QUERY = "음성 인식 모델", "새 모델 이름"

SETUPS = {
    "judged": ("search_documents", "judge_relevance"),
    "filtered": ("search_documents", "filter_context"),
    "both": ("search_documents", "judge_relevance", "filter_context"),
}

Query = Annotated[str, "The words that were or are to be searched for"]
Write = Callable[[Sequence[str]], str]


def main() -> int:
    """옵션을 읽고 끝까지 돌립니다. 받는 쪽이 먼저 그만 읽어도 괜찮습니다."""
    forgive()
    args = options(chosen_language() or "ko").parse_args()
    return to_the_end(lambda: run_chapter(args), args.lang)


def run_chapter(args: argparse.Namespace) -> int:
    """세 구성이 무엇을 막고 무엇을 놓치는지, 또는 늘 no 인 판정을 만나면 어떻게 되는지 찍습니다."""
    try:
        if args.always_no:
            lines = always_no(args.guards, args.max_steps, args.lang)
        else:
            lines = caught(args.max_steps, args.lang)
    except Problem as problem:
        print(tell(problem, args.lang), file=sys.stderr)
        return 2
    print(say("chapter.agentic.asked", args.lang, question=QUESTION))
    print("\n".join(lines))
    return 0


def options(language: Language) -> argparse.ArgumentParser:
    """세 구성 대신 늘 no 인 판정을 고를 수 있습니다."""

    def told(name: str) -> str:
        return say(f"chapter.option.{name}", language)

    parser = argparse.ArgumentParser(description=say("chapter.correction.about", language))
    parser.add_argument("--always-no", action="store_true", help=told("always_no"))
    parser.add_argument("--guards", action="store_true", help=told("guards"))
    parser.add_argument("--max-steps", type=int, default=MAX_STEPS, help=told("max_steps"))
    parser.add_argument("--lang", choices=("ko", "en"), default=language, help=told("lang"))
    return parser


def always_no(guards: bool, max_steps: int, language: Language) -> list[str]:
    """판정이 늘 no 인 스텁을 붙인 실행: 검색어, 판정, 끝난 이유."""
    run, desk = answer_with(
        "judged",
        Case("F1", BAD_QUERY, first),
        judge=lambda question, evidence: "no",
        guards=guards,
        max_steps=max_steps,
        language=language,
    )
    lines = [f"{n}. {query} -> {desk.found[query]}" for n, query in enumerate(desk.found, 1)]
    told = say(
        "chapter.correction.searched",
        language,
        searches=len(desk.found),
        verdicts=desk.verdicts,
        reason=run.stop_reason,
    )
    end = run.answer if run.answer is not None else run.message
    return [
        say(f"chapter.correction.guards_{'on' if guards else 'off'}", language),
        *lines,
        told,
        end,
    ]


def caught(max_steps: int, language: Language) -> list[str]:
    """구성마다 실패 넷을 하나씩 일으켜 보고, 사람에게 갈 답에 그 실패가 남았는지 봅니다."""
    lines: list[str] = []
    sampled: dict[str, list[str]] = {case.name: [] for case in CASES}
    for setup in SETUPS:
        told = []
        for case in CASES:
            run, desk = answer_with(setup, case, max_steps=max_steps, language=language)
            key = "missed" if case.remains(run.answer or "") else "caught"
            told.append(f"{case.name} {say(f'chapter.correction.{key}', language)}")
            sampled[case.name] += offline_checks(run.answer or "", desk.given)
        lines.append(f"{say(f'chapter.correction.{setup}', language)}: {' · '.join(told)}")
    lines.append(say("chapter.correction.sampled", language))
    for name, faults in sampled.items():
        seen = [say(f"chapter.correction.{each}", language) for each in dict.fromkeys(faults)]
        unseen = say("chapter.correction.unseen", language)
        lines.append(f"  {name}: {', '.join(seen) or unseen}")
    return lines


@dataclass(frozen=True)
class Case:
    """실패 하나: 첫 검색어, 답을 쓰는 버릇, 그 실패가 답에 남았는지 아는 법."""

    name: str
    query: str
    write: Write
    remains: Callable[[str], bool] = lambda answer: False


def first(lines: Sequence[str]) -> str:
    """질문과 가장 가까운 줄만 그대로 옮깁니다."""
    return max(lines, key=lambda line: coverage(QUESTION, line), default="")


def everything(lines: Sequence[str]) -> str:
    """받은 줄을 모두 옮깁니다."""
    return "\n".join(lines)


CASES = [
    Case("F1", BAD_QUERY, first, lambda answer: bool(answer) and FACT not in answer),
    Case("F2", GOOD_QUERY, everything, lambda answer: any(each in answer for each in NOISE)),
    Case(
        "F3",
        GOOD_QUERY,
        lambda lines: f"{first(lines)}\n{INVENTED}",
        lambda answer: INVENTED in answer,
    ),
    Case(
        "F4",
        GOOD_QUERY,
        lambda lines: next((line for line in lines if line == ASIDE), ""),
        lambda answer: FACT not in answer,
    ),
]


def answer_with(
    setup: str,
    case: Case,
    *,
    judge: Judge = lexical_judge,
    guards: bool = True,
    max_steps: int = MAX_STEPS,
    language: Language = "ko",
) -> tuple[Run, "Desk"]:
    """한 구성으로 질문 하나를 끝까지 돌립니다. 가드는 새로 얻는 것이 없는 단계를 셉니다."""
    from agent.loop import run_agent  # 고쳐서 못 도는 loop.py라면 to_the_end가 한 문장으로 알립니다

    desk = Desk(judge)
    limits = Limits(max_steps=max_steps)
    tools = Toolbox(desk.tools(setup), progress=lambda: desk.gained)
    run = Run(language=language, question=QUESTION)
    model: Model = StandIn(rewrites(case.query), case.write)
    if guards:
        model = Guarded(model, run, tools, limits)
    return run_agent(QUESTION, model, tools, limits, run), desk


@dataclass
class Desk:
    """도구 셋과, 그것들이 이번 질문에서 한 일."""

    judge: Judge
    found: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    verdicts: list[str] = field(default_factory=list[str])
    given: list[str] = field(default_factory=list[str])
    gained: int = 0

    def tools(self, setup: str) -> list[Callable[..., Any]]:
        every = [self.search_documents, self.judge_relevance, self.filter_context]
        return [tool for tool in every if tool.__name__ in SETUPS[setup]]

    def search_documents(self, query: Query) -> dict[str, Any]:
        """Find the best page of the report for a query."""
        known = {name for names in self.found.values() for name in names}
        hits = overlap_search(query, CHUNKS, top_k=1)
        self.found[query] = [hit.id for hit in hits]
        self.gained += any(hit.id not in known for hit in hits)
        self.given = [line for hit in hits for line in hit.text.splitlines()]
        return {"lines": self.given}

    def judge_relevance(self, query: Query) -> dict[str, Any]:
        """Judge whether what a query found helps to answer the question: yes or no."""
        verdict = judge_passages(QUESTION, self._pages(query), self.judge)
        self.verdicts.append(verdict)
        self.gained += verdict == "yes"
        return {"verdict": verdict}

    def filter_context(self, query: Query) -> dict[str, Any]:
        """Keep only the lines, of what a query found, that help to answer the question."""
        lines = filter_lines(QUESTION, self._pages(query), lexical_selector).lines
        self.given = [line.text for line in lines]
        self.gained += bool(lines)
        return {"lines": self.given}

    def _pages(self, query: str) -> list[Passage]:
        return [chunk for chunk in CHUNKS if chunk.id in self.found.get(query, [])]


@dataclass
class StandIn:
    """언어 모델의 대역. 가진 도구를 차례로 부르고, 판정이 no 면 검색어를 바꾸어 다시 찾습니다.

    요청에 담긴 것, 곧 대화와 도구 선언만 봅니다.
    """

    queries: Iterator[str]
    write: Write
    query: str = ""
    name: str = "stand-in"
    remote: bool = False

    def generate(
        self,
        contents: list[Content],
        tools: list[Declaration],
        *,
        system: str = "",
        mode: ToolMode = "AUTO",
        generation: dict[str, Any] | None = None,
        seconds: float | None = None,
    ) -> Reply:
        names = [tool["name"] for tool in tools]
        last = next(iter(function_responses(contents[-1])), None)
        if last is None or last["response"].get("output", {}).get("verdict") == "no":
            self.query = next(self.queries)
            return self._call(names[0])
        after = names[names.index(last["name"]) + 1 :]
        return self._call(after[0]) if after else self._answer(contents)

    def _call(self, name: str) -> Reply:
        part = {"functionCall": {"name": name, "args": {"query": self.query}}}
        return Reply("calls", {"role": "model", "parts": [part]})

    def _answer(self, contents: list[Content]) -> Reply:
        outputs = [
            each["response"].get("output", {})
            for content in contents
            for each in function_responses(content)
        ]
        lines = [output["lines"] for output in outputs if "lines" in output]
        return Reply("answer", model_says(self.write(lines[-1])))


def rewrites(query: str) -> Iterator[str]:
    """검색어를 바꾸는 버릇. 첫 검색어가 나빴으면 좋은 것으로 한 번 고쳐 보고, 그다음부터는 어순과
    꾸미는 말만 바꿉니다. 낱말이 같으니 찾는 글도 같습니다."""
    words = query.split()
    yield query
    if query == BAD_QUERY:
        yield GOOD_QUERY
    for modifier in itertools.chain(["관련", "자세히", "다시"], itertools.count(2)):
        for order in itertools.permutations(words):
            yield f"{' '.join(order)} {modifier}"


def offline_checks(answer: str, evidence: Sequence[str]) -> list[str]:
    """답을 대상으로 하는 판정: 근거에 없는 문장이 있는가, 질문에 답하는가. 묻는 사람을 기다리게
    하지 않도록, 뽑아 둔 표본에 대고 나중에 돌립니다."""
    sentences = [line for line in answer.splitlines() if line]
    faults = ["unsupported"] if any(each not in evidence for each in sentences) else []
    told = max((coverage(QUESTION, each) for each in sentences), default=1.0)
    return faults + (["unanswering"] if told < 0.5 else [])


if __name__ == "__main__":
    sys.exit(main())

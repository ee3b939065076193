"""4장. 웹 검색 에이전트: 도구 둘을 쥐여 주고, 무엇을 언제 부를지는 모델이 고릅니다.

강의 4장 '웹검색'의 4절(도구가 여러 개일 때)부터 9절(검색은 실패한다)까지입니다.
모델은 도구의 이름과 설명만 보고 고릅니다. 아래 설명을 바꾸면 고르는 것이 달라집니다. 도구를 더
부르지 않으면 끝나고, MAX_STEPS 단계를 넘기면 답을 지어내지 않고 멈춥니다. 루프는 agent/loop.py
하나뿐이며, 여기서는 일어난 일을 듣고 찍기만 합니다. 상품은 모두 지어낸 것입니다.

One loop, two tools, and a listener that prints. Try also:
    python code/ch04_web_agent.py "요즘 저소음 키보드 시장은 어때?"
    python code/ch04_web_agent.py "고요 키보드는 시장 가격보다 비싸?"
    python code/ch04_web_agent.py --show-history
    python code/ch04_web_agent.py --max-steps 1
    python code/ch04_web_agent.py --lang en
"""

import argparse
import sys
from collections.abc import Callable
from typing import Any

from agent.ask import ask
from agent.catalogue import Language, Problem, say, tell
from agent.console import forgive, to_the_end
from agent.evidence import Evidence
from agent.limits import Limits
from agent.messages import function_calls, function_responses
from agent.product_tools import product_info_tool
from agent.run import Event, Run
from agent.search_tools import Toolset
from agent.settings import build_model, build_search, chosen_language, read_settings
from agent.web_tools import web_tool
from tools.corpus import INSTALLED
from tools.fences import unfence
from tools.filters import Filters
from tools.problems import InputError
from tools.products import ProductCorpus, read_products
from tools.search_web import WebSearch

MAX_STEPS = 8
"""모델 단계의 상한. 1로 줄이고 실행해 보세요."""

ABOUT_SEARCH_WEB = "시장, 뉴스, 평판, 최신 소식처럼 우리 자료에 없는 것을 웹에서 검색한다."
ABOUT_PRODUCT_INFO = "우리 상품 하나의 가격, 재고, 연결, 무게를 이름으로 조회한다."


def main() -> int:
    """옵션을 읽고 끝까지 돌립니다. 받는 쪽이 먼저 그만 읽어도 괜찮습니다."""
    forgive()
    args = options(chosen_language() or "ko").parse_args()
    return to_the_end(lambda: run_chapter(args), args.lang)


def run_chapter(args: argparse.Namespace) -> int:
    """단계를 찍으면서 돌리고, 끝나면 답을 출력합니다."""
    try:
        settings = read_settings(model=args.model)
        source = two_tools(build_search(settings), products())
        run = Run(language=args.lang, listeners=(Steps(args.lang, args.show_history),))
        limits = Limits(max_steps=args.max_steps)
        name = "고요 키보드" if args.lang == "ko" else "P1"
        question = args.question or say("chapter.product_question", args.lang, name=name)
        ask(question, source, build_model(settings), limits, run)
    except (Problem, InputError) as problem:
        print(tell(problem, args.lang), file=sys.stderr)
        return 2

    print(run.answer if run.answer is not None else run.message)
    for line in beside(run):
        print(line)
    return 0


def options(language: Language) -> argparse.ArgumentParser:
    """질문 하나와 연습에 쓸 옵션."""

    def told(name: str) -> str:
        return say(f"chapter.option.{name}", language)

    parser = argparse.ArgumentParser(description=say("chapter.web.about", language))
    parser.add_argument("question", nargs="?", help=told("question"))
    parser.add_argument("--max-steps", type=int, default=MAX_STEPS, help=told("max_steps"))
    parser.add_argument("--show-history", action="store_true", help=told("show_history"))
    parser.add_argument("--model", help=told("model"))
    parser.add_argument("--lang", choices=("ko", "en"), default=language, help=told("lang"))
    return parser


def products() -> ProductCorpus:
    """상품 자료. 아무 조건도 걸지 않아 품절된 상품도 조회됩니다."""
    return read_products(INSTALLED / "products").where(Filters(in_stock=False))


def two_tools(web: WebSearch, corpus: ProductCorpus) -> Toolset:
    """모델이 손에 쥐는 도구 둘. 찾은 것은 같은 근거 장부에 적혀 [id]로 인용됩니다."""

    def tools(evidence: Evidence) -> list[Callable[..., Any]]:
        search_web = web_tool(web, evidence)
        get_product_info = product_info_tool(corpus, evidence)
        search_web.__doc__ = f"{ABOUT_SEARCH_WEB} {search_web.__doc__}"
        get_product_info.__doc__ = f"{ABOUT_PRODUCT_INFO} {get_product_info.__doc__}"
        return [search_web, get_product_info]

    return Toolset((web.name, corpus.name), tools)


class Steps:
    """실행이 알리는 일을 듣고 단계마다 찍습니다. 루프에는 찍는 코드가 없습니다."""

    def __init__(self, language: Language, show_history: bool = False) -> None:
        self.language = language
        self.show_history = show_history
        self.length = 0
        self.calls: list[dict[str, Any]] = []

    def __call__(self, event: Event) -> None:
        if event["event"] == "reply" and event["outcome"] != "stopped":
            self.decided(event["step"], event["outcome"])
        elif event["event"] == "content":
            self.length += 1
            self.recorded(event["step"], event["content"])

    def decided(self, step: int, outcome: str) -> None:
        """모델이 한 번 대답했습니다. 그때 모델이 받은 history의 길이는 self.length 입니다."""
        if self.show_history:
            print(self.at(step), say("chapter.web.history", self.language, turns=self.length))
        if outcome == "answer":
            print(self.at(step), say("chapter.web.answers", self.language))

    def recorded(self, step: int, content: dict[str, Any]) -> None:
        """history에 한 차례가 쌓였습니다. 부른 것은 기억해 두고, 결과가 오면 짝지어 찍습니다."""
        responses = [each["response"] for each in function_responses(content)]
        for call, response in zip(self.calls, responses, strict=False):
            print(self.at(step), f"{call['name']}({call.get('args') or {}})")
            print(f"           └ {first_line(response)[:70]} ...")
        self.calls = function_calls(content)

    def at(self, step: int) -> str:
        return f"  [{say('chapter.web.step', self.language, step=step)}]"


def first_line(response: dict[str, Any]) -> str:
    """도구 결과의 첫 줄: 찾은 글, 없다는 말, 또는 오류의 까닭."""
    match response:
        case {"error": {"message": text}} | {"output": {"note": text}}:
            told = text
        case {"output": {"hits": [{"id": name, "text": found}, *_]}}:
            told = f"[{name}] {unfence(found)}"
        case _:
            told = response.get("output", "")
    return next(iter(str(told).splitlines()), "")


def beside(run: Run) -> list[str]:
    """답에 인용된 웹 페이지의 주소, 그리고 검색하지 못한 곳."""
    cited = [run.ledger[each.id] for each in run.citations if each.ok]
    lines = [f"[{each.id}] {each.source}" for each in cited if "://" in each.source]
    if run.answer is not None and (tools := run.unsearched):
        lines.append(say("tell.unsearched", run.language, tools=", ".join(tools)))
    return lines


if __name__ == "__main__":
    sys.exit(main())

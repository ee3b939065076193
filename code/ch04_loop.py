"""4장. 루프: agent/loop.py 를 그대로 찍고, 그 줄들이 하나씩 실행되는 것을 지켜봅니다.

강의 4장 7절 'for 루프로 에이전트 직접 만들기'입니다. 여기에는 루프가 없습니다. ask와 chat이 쓰는
바로 그 파일이 돌고, 파이썬이 알려 주는 줄 번호를 받아 찍을 뿐입니다. ③에서는 Gemini가 받는
history를 통째로 보여 줍니다. 얼마나 자라는지 보세요. 터미널에서는 단계마다 Enter를 기다립니다.

The real loop, line by line, with the history as Gemini sees it. Try also:
    python code/ch04_loop.py --max-steps 1
    python code/ch04_loop.py --source | diff - agent/loop.py
    python code/ch04_loop.py --lang en
"""

import argparse
import json
import re
import sys
from contextlib import suppress
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from agent.ask import ask
from agent.catalogue import Language, Problem, say, tell
from agent.console import forgive, is_terminal, to_the_end
from agent.limits import Limits
from agent.run import Run
from agent.settings import build_model, chosen_language, read_settings
from tools.corpus import INSTALLED
from tools.filters import Filters
from tools.problems import InputError
from tools.products import read_products

PRODUCTS = {"ko": ("고요 키보드", "고요 프로"), "en": ("P1", "P2")}


def main() -> int:
    """옵션을 읽고 끝까지 돌립니다. 받는 쪽이 먼저 그만 읽어도 괜찮습니다."""
    forgive()
    args = options(chosen_language() or "ko").parse_args()
    return to_the_end(lambda: run_chapter(args), args.lang)


def run_chapter(args: argparse.Namespace) -> int:
    """파일을 찍고, 질문 하나를 한 줄씩 돌립니다."""
    from agent import loop  # 고쳐서 못 도는 loop.py라면 to_the_end가 한 문장으로 알립니다

    source = Path(loop.__file__).read_bytes().decode("utf-8", "replace")
    print(source, end="")
    if args.source:
        return 0
    try:
        model = build_model(read_settings(model=args.model))
        limits = Limits(max_steps=args.max_steps)
        products = read_products(INSTALLED / "products").where(Filters(in_stock=False))
        name, other = PRODUCTS[args.lang]
        asked = say("chapter.two_products_question", args.lang, name=name, other=other)
        question = args.question or asked
        print(f"\n{say('chapter.loop.runs', args.lang, question=question)}")
        waits = is_terminal(sys.stdin) and is_terminal(sys.stdout)
        steps = Steps(loop.run_agent.__code__, source, args.lang, waits)
        sys.settrace(steps)
        try:
            run = ask(question, products, model, limits, Run(language=args.lang))
        finally:
            sys.settrace(None)
    except (Problem, InputError) as problem:
        print(tell(problem, args.lang), file=sys.stderr)
        return 2
    print(say("chapter.loop.ended", args.lang, reason=run.stop_reason))
    print(run.answer if run.answer is not None else run.message)
    return 0


def options(language: Language) -> argparse.ArgumentParser:
    """질문 하나와 단계의 상한."""
    parser = argparse.ArgumentParser(description=say("chapter.loop.about", language))
    parser.add_argument("question", nargs="?", help=say("chapter.option.question", language))
    parser.add_argument(
        "--max-steps", type=int, default=8, help=say("chapter.option.max_steps", language)
    )
    parser.add_argument(
        "--source", action="store_true", help=say("chapter.option.source", language)
    )
    parser.add_argument("--model", help=say("chapter.option.model", language))
    parser.add_argument(
        "--lang", choices=("ko", "en"), default=language, help=say("chapter.option.lang", language)
    )
    return parser


class Steps:
    """run_agent의 줄이 실행될 때마다 파이썬이 부르는 것. 앞 줄이 바꾼 것과 다음 줄을 찍습니다."""

    def __init__(self, code: CodeType, source: str, language: Language, waits: bool) -> None:
        self.code = code
        self.lines = source.splitlines()
        self.language = language
        self.waits = waits
        self.length = 0
        self.before = ""

    def __call__(self, frame: FrameType, event: str, argument: Any) -> Any:
        """파이썬은 함수가 불릴 때마다 여기로 옵니다. 루프가 아니면 그냥 보냅니다."""
        return self.line if frame.f_code is self.code else None

    def line(self, frame: FrameType, event: str, argument: Any) -> Any:
        """줄 하나가 실행되기 직전이거나, 함수가 끝났습니다."""
        self.changed(frame.f_locals)
        if event != "line":
            return self.line
        number = frame.f_lineno
        mark = re.match(r"\s*# ([①-⑧])", self.lines[number - 2])
        statement = self.lines[number - 1].strip()
        if self.waits and statement.startswith("for ") and self.length > 1:
            with suppress(EOFError):
                input(f"{say('chapter.loop.enter', self.language)} ")
        print(f"{number:>4} {mark[1] if mark else '  '} {statement}")
        if statement.startswith("reply ="):
            self.sent(frame.f_locals["run"].contents)
        self.before = statement
        return self.line

    def sent(self, contents: list[dict[str, Any]]) -> None:
        """Gemini가 받는 history: 지금까지 쌓인 것 전부."""
        print(f"{'':8}{say('chapter.loop.sent', self.language, turns=len(contents))}")
        for content in contents:
            print(f"{'':8}{json.dumps(content, ensure_ascii=False)}")

    def changed(self, found: dict[str, Any]) -> None:
        """바로 앞 줄이 한 일: 대답이 왔거나, 결과가 나왔거나, history가 자랐습니다."""
        if self.before.startswith("reply ="):
            asked = ", ".join(f"{call.name}({call.args})" for call in found["reply"].calls)
            key = "chapter.loop.calls" if asked else "chapter.loop.no_calls"
            print(f"{'':8}{say(key, self.language, asked=asked)}")
        elif self.before.startswith("results ="):
            key = "chapter.loop.results"
            print(f"{'':8}{say(key, self.language, results=len(found['results']))}")
        length = len(found["run"].contents) if found["run"] else 0
        if length != self.length:
            print(f"{'':8}{say('chapter.loop.grew', self.language, was=self.length, now=length)}")
        self.length, self.before = length, ""


if __name__ == "__main__":
    sys.exit(main())

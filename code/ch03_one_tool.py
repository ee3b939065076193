"""3장. 도구 하나를 손으로: 모델은 요청서만 쓰고, 실행은 우리 코드가 합니다.

강의 3장 2절의 경계선과 6절의 판정, 4장 7절의 ④~⑦입니다. 루프 없이 두 번 부릅니다. 첫 대답은 함수를
이렇게 불러 달라는 요청서이고, 우리가 함수를 불러 그 결과를 적어 보내면 두 번째 대답이 답입니다.
모델의 차례는 받은 그대로 되돌려 보냅니다. 상품은 지어낸 것입니다.

A function call answered by hand: two requests, no loop. Try also:
    python code/ch03_one_tool.py "고요 미니 재고는?"
    python code/ch03_one_tool.py --lang en
"""

import argparse
import json
import sys
from typing import Annotated, Any, Literal

from agent.catalogue import Language, Problem, say, tell
from agent.console import forgive, to_the_end
from agent.messages import Content, Reply, ToolCall, user
from agent.models.wire import request_body
from agent.run import Run
from agent.settings import build_model, chosen_language, read_settings
from agent.toolbox import Toolbox

PRODUCTS = {
    "고요 키보드": "79000원, 재고 4개, usb-c",
    "고요 미니": "59000원, 재고 0개, usb-c",
    "Hush keyboard": "79000 won, 4 in stock, usb-c",
}

Name = Annotated[Literal["고요 키보드", "고요 미니", "Hush keyboard"], "상품의 정확한 이름"]


def get_product_info(name: Name) -> str:
    """우리 상품 하나의 가격, 재고, 연결을 이름으로 조회한다."""
    return f"{name}: {PRODUCTS[name]}"


def main() -> int:
    """옵션을 읽고 끝까지 돌립니다. 받는 쪽이 먼저 그만 읽어도 괜찮습니다."""
    forgive()
    args = options(chosen_language() or "ko").parse_args()
    return to_the_end(lambda: run_chapter(args), args.lang)


def run_chapter(args: argparse.Namespace) -> int:
    """요청서를 받고, 함수를 부르고, 결과를 적어 다시 보냅니다."""
    try:
        model = build_model(read_settings(model=args.model))
    except Problem as problem:
        print(tell(problem, args.lang), file=sys.stderr)
        return 2

    # 이름, 설명, 인자: 모델이 도구에 대해 아는 것은 선언이 전부입니다.
    declarations = Toolbox([get_product_info]).declarations
    asked_for = "고요 키보드" if args.lang == "ko" else "Hush keyboard"
    question = args.question or say("chapter.product_question", args.lang, name=asked_for)
    contents = [user(question)]
    show("chapter.request", args.lang, request_body(contents, declarations), name=model.name)

    asked = model.generate(contents, declarations)
    if not asked.calls:
        return tell_end("chapter.one_tool.no_call", asked, args.lang)
    show("chapter.one_tool.asks", args.lang, asked.content or {})

    results = [run_by_hand(call) for call in asked.calls]
    observed: Content = {"role": "user", "parts": results}
    show("chapter.one_tool.ours", args.lang, observed)

    # 모델의 차례를 빼거나 고쳐 쓰면 API는 400으로 거절합니다.
    contents += [asked.content or {}, observed]
    roles = ", ".join(each["role"] for each in contents)
    print(say("chapter.one_tool.again", args.lang, turns=len(contents), roles=roles))
    return tell_end("chapter.one_tool.answer", model.generate(contents, declarations), args.lang)


def options(language: Language) -> argparse.ArgumentParser:
    """질문 하나."""
    parser = argparse.ArgumentParser(description=say("chapter.one_tool.about", language))
    parser.add_argument("question", nargs="?", help=say("chapter.option.question", language))
    parser.add_argument("--model", help=say("chapter.option.model", language))
    parser.add_argument(
        "--lang", choices=("ko", "en"), default=language, help=say("chapter.option.lang", language)
    )
    return parser


def run_by_hand(call: ToolCall) -> dict[str, Any]:
    """요청서 한 장을 실행한 결과. id가 왔으면 그대로 되돌려 주어야 짝이 맞습니다."""
    try:
        response = {"output": get_product_info(**call.args)}
    except (KeyError, TypeError):
        response = {"error": f"no such product: {call.args}"}
    answered: dict[str, Any] = {"name": call.name, "response": response}
    return {"functionResponse": {"id": call.id, **answered} if call.id else answered}


def tell_end(key: str, reply: Reply, language: Language) -> int:
    """모델이 글로 한 말, 또는 답이 오지 않은 까닭."""
    run = Run(language=language, model=reply.model).finish(reply)
    if run.answer is None:
        print(run.message)
        return 1
    print(f"{say(key, language)}\n{run.answer}")
    return 0


def show(key: str, language: Language, value: dict[str, Any], **values: Any) -> None:
    """제목 아래에 JSON을 그대로."""
    print(say(key, language, **values))
    print(json.dumps(value, ensure_ascii=False, indent=2))


if __name__ == "__main__":
    sys.exit(main())

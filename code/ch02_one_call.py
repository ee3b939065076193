"""2장. 한 번 부르기: 요청 하나와 대답 하나를 오가는 모양 그대로 봅니다.

강의 2장의 대화와 4장 7절 ③의 자리입니다. 서버는 아무것도 기억하지 않으므로, 이어서 물으려면 앞의
차례를 모두 다시 보내야 합니다. 아직 도구도 루프도 없어서 모델은 우리 자료를 볼 수 없습니다.

One request and its answer, as they travel; no tool, no loop, and nothing remembered. Try also:
    python code/ch02_one_call.py "저소음 키보드가 뭐야?"
    python code/ch02_one_call.py --lang en
"""

import argparse
import json
import sys
from typing import Any

from agent.catalogue import Language, Problem, say, tell
from agent.console import forgive, to_the_end
from agent.messages import user
from agent.models.wire import request_body
from agent.run import Run
from agent.settings import build_model, chosen_language, read_settings

PRODUCT = {"ko": "고요 키보드", "en": "Hush keyboard"}


def main() -> int:
    """옵션을 읽고 끝까지 돌립니다. 받는 쪽이 먼저 그만 읽어도 괜찮습니다."""
    forgive()
    args = options(chosen_language() or "ko").parse_args()
    return to_the_end(lambda: run_chapter(args), args.lang)


def run_chapter(args: argparse.Namespace) -> int:
    """요청, 대답, 그리고 다음 요청에 실어야 할 것을 차례로 찍습니다."""
    try:
        model = build_model(read_settings(model=args.model))
    except Problem as problem:
        print(tell(problem, args.lang), file=sys.stderr)
        return 2

    asked = say("chapter.product_question", args.lang, name=PRODUCT[args.lang])
    contents = [user(args.question or asked)]
    show("chapter.request", args.lang, request_body(contents, []), name=model.name)

    reply = model.generate(contents, [])

    if reply.content is None:
        print(Run(language=args.lang, model=model.name).finish(reply).message)
        return 1
    show("chapter.reply", args.lang, reply.content)
    print(say("chapter.read", args.lang, outcome=reply.outcome, finish=reply.finish_reason))
    tokens = reply.usage
    print(
        say("chapter.tokens", args.lang, sent=tokens.prompt_tokens, received=tokens.output_tokens)
    )
    contents += [reply.content, user("...")]
    roles = ", ".join(each["role"] for each in contents)
    print(say("chapter.one_call.next", args.lang, turns=len(contents), roles=roles))
    return 0


def options(language: Language) -> argparse.ArgumentParser:
    """질문 하나."""
    parser = argparse.ArgumentParser(description=say("chapter.one_call.about", language))
    parser.add_argument("question", nargs="?", help=say("chapter.option.question", language))
    parser.add_argument("--model", help=say("chapter.option.model", language))
    parser.add_argument(
        "--lang", choices=("ko", "en"), default=language, help=say("chapter.option.lang", language)
    )
    return parser


def show(key: str, language: Language, value: dict[str, Any], **values: Any) -> None:
    """제목 아래에 JSON을 그대로."""
    print(say(key, language, **values))
    print(json.dumps(value, ensure_ascii=False, indent=2))


if __name__ == "__main__":
    sys.exit(main())

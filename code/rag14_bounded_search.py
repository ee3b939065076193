"""RAG 14. 횟수를 정해 두고 찾기: 절차와 권한 근거가 모두 모일 때만 답합니다.

강의 'RAG 14. 에이전틱 검색 입문'입니다.
청구서 내보내기 질문에는 두 근거 슬롯(steps, permission)이 필요합니다. 빈 슬롯마다 준비된 검색어를
하나씩 써 보고, 예산이 다하거나 쓸 검색어가 없으면 멈춥니다. 여기서 --max-steps 는 검색 횟수의
상한이고, 줄 앞의 번호는 검색 순서입니다. 루프는 agent/loop.py 하나뿐입니다.

Bounded search: an answer only when both slots have evidence. Try also:
    python code/rag14_bounded_search.py --max-steps 2
    python code/rag14_bounded_search.py weather
    python code/rag14_bounded_search.py --max-steps 2 --generate
    python code/rag14_bounded_search.py --lang en
"""

import argparse
import sys

from agent.ask import ask
from agent.catalogue import Language, Problem, say, tell
from agent.console import forgive, to_the_end
from agent.limits import Limits
from agent.run import Run
from agent.settings import build_model, chosen_language, read_settings
from tools.corpus import find_corpus
from tools.problems import CorpusError


def main() -> int:
    """옵션을 읽고 끝까지 돌립니다. 받는 쪽이 먼저 그만 읽어도 괜찮습니다."""
    forgive()
    args = options(chosen_language() or "ko").parse_args()
    return to_the_end(lambda: run_chapter(args), args.lang)


def run_chapter(args: argparse.Namespace) -> int:
    """계획, 검색, 상태, 근거를 차례로 출력합니다."""
    try:
        corpus = find_corpus(args.corpus)
        limits = Limits(max_searches=args.max_steps)
        model = build_model(read_settings(model=args.model))
        run = ask(args.question, corpus, model, limits, Run(language=args.lang))
    except (Problem, CorpusError) as problem:
        print(tell(problem, args.lang), file=sys.stderr)
        return 2

    print(say("chapter.bounded.plan", args.lang, documents=len(corpus.documents)))
    evidence = run.evidence
    for number, search in enumerate(evidence.searches if evidence else [], 1):
        ids = [hit.id for hit in search.hits]
        missing = say("chapter.bounded.missing", args.lang, missing=list(search.missing))
        print(f"{number}. {search.query} -> {ids}; {missing}")
    print(say("chapter.bounded.status", args.lang, status=run.status))
    for passage in evidence.accepted.values() if evidence else []:
        print(f"[{passage.id}] {passage.text}")
    if args.generate:
        print(generated(run))
    return 0


def options(language: Language) -> argparse.ArgumentParser:
    """질문 하나와 검색 횟수의 상한."""
    parser = argparse.ArgumentParser(description=say("chapter.bounded.about", language))
    parser.add_argument(
        "question",
        nargs="?",
        default="invoice export steps and permission",
        help=say("chapter.option.question", language),
    )
    parser.add_argument(
        "--max-steps", type=int, default=3, help=say("chapter.option.max_searches", language)
    )
    parser.add_argument(
        "--generate", action="store_true", help=say("chapter.option.generate", language)
    )
    parser.add_argument("--corpus", default="billing", help=say("chapter.option.corpus", language))
    parser.add_argument("--model", help=say("chapter.option.model", language))
    parser.add_argument(
        "--lang", choices=("ko", "en"), default=language, help=say("chapter.option.lang", language)
    )
    return parser


def generated(run: Run) -> str:
    """근거가 다 모인 실행의 답. 하나라도 비었으면 멈췄다는 문장."""
    if run.status != "complete":
        return say("chapter.refusal", run.language)
    return run.answer if run.answer is not None else run.message


if __name__ == "__main__":
    sys.exit(main())

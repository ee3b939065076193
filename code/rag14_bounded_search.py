"""RAG 14. 횟수를 정해 두고 찾기: 절차와 권한 근거가 모두 모일 때만 답합니다.

청구서 내보내기 질문에는 두 근거 슬롯(steps, permission)이 필요합니다. 빈 슬롯마다 준비된 검색어를
하나씩 써 보고, 예산이 다하거나 쓸 검색어가 없으면 멈춥니다. 여기서 --max-steps 는 검색 횟수의
상한이고, 줄 앞의 번호는 검색 순서입니다. 루프는 agent/loop.py 하나뿐입니다.

Bounded search: an answer only when both slots have evidence. Try also:
    python code/rag14_bounded_search.py --max-steps 2
    python code/rag14_bounded_search.py weather
    python code/rag14_bounded_search.py --max-steps 2 --generate
"""

import argparse
import sys

from agent.ask import ask
from agent.catalogue import Problem, say, tell
from agent.console import forgive
from agent.limits import Limits
from agent.run import Run
from agent.settings import build_model, read_settings
from tools.corpus import find_corpus
from tools.problems import CorpusError


def main() -> int:
    """계획, 검색, 상태, 근거를 차례로 출력합니다."""
    forgive()
    parser = argparse.ArgumentParser(description="횟수를 정해 두고 찾기")
    parser.add_argument("question", nargs="?", default="invoice export steps and permission")
    parser.add_argument("--max-steps", type=int, default=3, help="검색 횟수의 상한 (1~5)")
    parser.add_argument("--generate", action="store_true", help="근거가 다 모이면 답도 출력")
    parser.add_argument("--corpus", default="billing", help="자료의 이름이나 폴더")
    parser.add_argument("--model", help="offline, gemini 또는 모델 이름")
    args = parser.parse_args()
    try:
        corpus = find_corpus(args.corpus)
        limits = Limits(max_searches=args.max_steps)
        model = build_model(read_settings(model=args.model))
        run = ask(args.question, corpus, model, limits, Run(language="ko"))
    except (Problem, CorpusError) as problem:
        print(tell(problem, "ko"), file=sys.stderr)
        return 2

    print(f"계획 방식: 고정 규칙, 검색 범위: 가상 도움말 {len(corpus.documents)}개")
    evidence = run.evidence
    for number, search in enumerate(evidence.searches if evidence else [], 1):
        ids = [hit.id for hit in search.hits]
        print(f"{number}. {search.query} -> {ids}; 부족={list(search.missing)}")
    print(f"상태: {run.status}")
    for passage in evidence.accepted.values() if evidence else []:
        print(f"[{passage.id}] {passage.text}")
    if args.generate:
        print(generated(run))
    return 0


def generated(run: Run) -> str:
    """근거가 다 모인 실행의 답. 하나라도 비었으면 멈췄다는 문장."""
    if run.status != "complete":
        return say("chapter.refusal", "ko")
    return run.answer if run.answer is not None else run.message


if __name__ == "__main__":
    sys.exit(main())

"""에이전틱 RAG: 한 번 찾고 답하는 것과, 모자라면 다시 찾는 것을 같은 질문으로 견줍니다.

강의 'Agentic RAG란?'입니다. 답은 네 곳에 흩어져 있습니다. 과제 문서는 서버의 이름만, 자산표는
사양만, 장애 기록은 까닭만, 할 일 목록은 조치만 압니다. 한 번 찾으면 질문의 말과 닮은 글이 올 뿐, 그
글에 적힌 서버 ID로 다시 찾아야 한다는 것을 모릅니다. 회사와 기록은 모두 지어낸 것입니다.

RAG against agentic RAG, when not to use it, and a checklist. Try also:
    python code/agentic_rag.py --answers
    python code/agentic_rag.py "프로젝트 Z 서버 사양"
    python code/agentic_rag.py --lang en
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import Annotated, Any

from agent.ask import ask
from agent.catalogue import Language, Problem, say, tell
from agent.console import forgive, to_the_end
from agent.evidence import Evidence
from agent.limits import Limits
from agent.run import Run
from agent.search_tools import Toolset
from agent.settings import build_model, chosen_language, read_settings
from agent.toolbox import Later
from tools.corpus import Corpus, find_corpus
from tools.documents import overlap_search
from tools.problems import InputError

TOP_K = 5
"""한 번 찾을 때 가져오는 글의 수."""


def main() -> int:
    """옵션을 읽고 끝까지 돌립니다. 받는 쪽이 먼저 그만 읽어도 괜찮습니다."""
    forgive()
    args = options(chosen_language() or "ko").parse_args()
    return to_the_end(lambda: run_chapter(args), args.lang)


def run_chapter(args: argparse.Namespace) -> int:
    """읽을거리, 한 번 찾은 결과, 루프가 찾은 결과를 차례로 찍습니다."""
    language: Language = args.lang
    question = args.question or say("chapter.agentic.question", language)
    try:
        settings = read_settings(model=args.model)
        corpus = find_corpus("projectx")
        single = ask(
            question,
            Toolset((corpus.name,), lambda evidence: [one_search(corpus, evidence)]),
            build_model(settings),
            Limits(max_searches=1),
            Run(language=language),
        )
        looped = ask(question, corpus, build_model(settings), run=Run(language=language))
    except (Problem, InputError) as problem:
        print(tell(problem, language), file=sys.stderr)
        return 2

    for part in ("difference", "when_not", "checklist"):
        print(say(f"chapter.agentic.{part}", language), end="\n\n")
    print(say("chapter.agentic.asked", language, question=question))
    for title, run in (("single", single), ("loop", looped)):
        print(say(f"chapter.agentic.{title}", language))
        print("\n".join(f"  {line}" for line in told(run, looped)))
        if run.answer is None:
            print(f"  {run.message}")
        elif args.answers:
            print(run.answer)
    return 0


def options(language: Language) -> argparse.ArgumentParser:
    """질문 하나."""
    parser = argparse.ArgumentParser(description=say("chapter.agentic.about", language))
    parser.add_argument("question", nargs="?", help=say("chapter.option.question", language))
    parser.add_argument(
        "--answers", action="store_true", help=say("chapter.option.answers", language)
    )
    parser.add_argument("--model", help=say("chapter.option.model", language))
    parser.add_argument(
        "--lang", choices=("ko", "en"), default=language, help=say("chapter.option.lang", language)
    )
    return parser


def one_search(corpus: Corpus, evidence: Evidence) -> Callable[..., Any]:
    """보통의 RAG: 네 곳의 글을 한데 놓고, 질문의 말이 많이 든 것부터 가져옵니다."""

    def search_documents(query: Annotated[str, "The words to search for"]) -> Later[Any]:
        """Find the passages of the project's documents that answer a question."""
        return evidence.search_open(
            "search_documents",
            query,
            lambda words: overlap_search(words, corpus.documents, TOP_K),
        )

    return search_documents


def told(run: Run, looped: Run) -> Sequence[str]:
    """찾은 글, 답에 필요한 근거 가운데 든 것, 든 비용을 한 줄씩."""
    language = run.language
    record = run.as_record()
    found = {each["id"] for each in record["evidence"]}
    needed = {each["slot"]: each["id"] for each in looped.as_record()["evidence"]}
    needed |= dict.fromkeys(looped.missing, "")
    words = {has: say(f"chapter.agentic.{has}", language) for has in ("found", "missing")}
    marks = [
        f"{slot} {words['found' if name in found else 'missing']}" for slot, name in needed.items()
    ]
    lines = [
        f"{number}. {each['query']} -> {', '.join(hit['id'] for hit in each['hits']) or '-'}"
        for number, each in enumerate(record["searches"], 1)
    ]
    besides = len(found - {*needed.values()})
    cost = {"requests": run.usage.requests, "searches": len(lines), "tokens": run.usage.tokens}
    return [
        *lines,
        say("chapter.agentic.needed", language, marks=", ".join(marks) or "-", besides=besides),
        say("chapter.agentic.cost", language, status=run.status, **cost),
    ]


if __name__ == "__main__":
    sys.exit(main())

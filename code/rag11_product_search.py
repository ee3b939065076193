"""RAG 11. 상품 검색: 가격·재고·규격·무게 조건으로 먼저 거르고, 점수는 남은 상품에만 매깁니다.

강의 'RAG 11. 상품 검색: 가격·재고·규격은 점수보다 먼저 거른다'입니다.
조건은 옵션으로만 받고 문장에서 짐작하지 않습니다. 금액은 원, 무게는 그램 단위의 정수이며 상한과
같은 값은 들어갑니다. 조건을 지키지 않는 상품은 점수가 아무리 높아도 결과와 근거에 들지 않습니다.
거르고 찾는 데에는 모델이 필요 없어, 모델은 --generate 로 답을 쓸 때만 부릅니다.
상품과 값은 모두 지어낸 것입니다. 실제로는 사기 직전에 가격과 재고를 다시 조회해야 합니다.

Hard filters before the score. Try also:
    python code/rag11_product_search.py --max-won 50000
    python code/rag11_product_search.py --connection bluetooth
    python code/rag11_product_search.py --max-grams 800 --alternatives
    python code/rag11_product_search.py --generate
    python code/rag11_product_search.py --lang en
"""

import argparse
import sys

from agent.ask import ask
from agent.catalogue import Language, Problem, say, tell
from agent.console import forgive, to_the_end
from agent.messages import Model
from agent.product_tools import told_apart
from agent.run import Run
from agent.settings import build_model, chosen_language, read_settings
from tools.filters import Filters, parse_where
from tools.problems import CorpusError, InputError
from tools.products import ProductCorpus, find_products, installed_products

NOTHING_FOUND = "stop.exhausted.nothing_found"


def main() -> int:
    """옵션을 읽고 끝까지 돌립니다. 받는 쪽이 먼저 그만 읽어도 괜찮습니다."""
    forgive()
    args = options(chosen_language() or "ko").parse_args()
    return to_the_end(lambda: run_chapter(args), args.lang)


def run_chapter(args: argparse.Namespace) -> int:
    """조건, 결과, 그리고 원하면 다른 선택과 답을 차례로 출력합니다."""
    try:
        corpus = products(args.corpus).where(conditions(args))
        model = build_model(read_settings(model=args.model)) if args.generate else None
    except (Problem, InputError) as problem:
        print(tell(problem, args.lang), file=sys.stderr)
        return 2

    print(described(corpus.filters, args.lang))
    found = corpus.search(args.query).products
    for product in found:
        print(f"[{product.id}] {product.summary}")
    if not found:
        print(say("chapter.products.none", args.lang))
    for line in told_apart(corpus, args.query, args.lang) if args.alternatives else []:
        print(line)
    if model and found:
        print(generated(corpus, args.query, model, args.lang))
    elif model:
        print(say(NOTHING_FOUND, args.lang))
    return 0


def options(language: Language) -> argparse.ArgumentParser:
    """값은 글자 그대로 받아 조건을 읽는 코드가 검사합니다."""

    def told(name: str) -> str:
        return say(f"chapter.option.{name}", language)

    parser = argparse.ArgumentParser(description=say("chapter.products.about", language))
    parser.add_argument("query", nargs="?", default="저소음 사무실", help=told("query"))
    parser.add_argument("--max-won", metavar="WON", default="100000", help=told("max_won"))
    parser.add_argument("--connection", default="usb-c", help=told("connection"))
    parser.add_argument("--max-grams", metavar="GRAMS", help=told("max_grams"))
    parser.add_argument("--alternatives", action="store_true", help=told("alternatives"))
    parser.add_argument("--generate", action="store_true", help=told("generate"))
    parser.add_argument("--corpus", default="products", help=told("corpus"))
    parser.add_argument("--model", help=told("model"))
    parser.add_argument("--lang", choices=("ko", "en"), default=language, help=told("lang"))
    return parser


def products(name: str) -> ProductCorpus:
    """이름이나 폴더로 찾은 상품 자료."""
    corpus = find_products(name)
    if corpus is None:
        names = ", ".join(each.name for each in installed_products())
        raise CorpusError("unknown", name=name, names=names)
    return corpus


def conditions(args: argparse.Namespace) -> Filters:
    """옵션으로 받은 필수 조건. 재고는 늘 있어야 합니다."""
    given = [f"max_won<={args.max_won}", f"connection={args.connection}"]
    if args.max_grams is not None:
        given.append(f"max_grams<={args.max_grams}")
    return parse_where(*given)


def described(filters: Filters, language: Language) -> str:
    """조건을 한 줄로."""
    line = say(
        "chapter.products.filters", language, won=filters.max_won, connection=filters.connection
    )
    if filters.max_grams is None:
        return line
    return f"{line}, {say('chapter.products.grams', language, grams=filters.max_grams)}"


def generated(corpus: ProductCorpus, query: str, model: Model, language: Language) -> str:
    """조건을 지킨 상품만 근거로 삼은 답, 또는 답하지 않은 이유."""
    run = ask(query, corpus, model, run=Run(language=language))
    return run.answer if run.answer is not None else run.message


if __name__ == "__main__":
    sys.exit(main())

"""RAG 11. 상품 검색: 가격·재고·규격·무게 조건으로 먼저 거르고, 점수는 남은 상품에만 매깁니다.

조건은 옵션으로만 받고 문장에서 짐작하지 않습니다. 금액은 원, 무게는 그램 단위의 정수이며 상한과
같은 값은 들어갑니다. 조건을 지키지 않는 상품은 점수가 아무리 높아도 결과와 근거에 들지 않습니다.
상품과 값은 모두 지어낸 것입니다. 실제로는 사기 직전에 가격과 재고를 다시 조회해야 합니다.

Hard filters before the score. Try also:
    python code/rag11_product_search.py --max-won 50000
    python code/rag11_product_search.py --connection bluetooth
    python code/rag11_product_search.py --max-grams 800 --alternatives
    python code/rag11_product_search.py --generate
"""

import argparse
import sys

from agent.ask import ask
from agent.catalogue import Problem, say, tell
from agent.console import forgive
from agent.messages import Model
from agent.product_tools import told_apart
from agent.run import Run
from agent.settings import build_model, read_settings
from tools.filters import Filters, parse_where
from tools.problems import CorpusError, InputError
from tools.products import ProductCorpus, find_products, installed_products

NOTHING_FOUND = "stop.exhausted.nothing_found"


def main() -> int:
    """조건, 결과, 그리고 원하면 다른 선택과 답을 차례로 출력합니다."""
    forgive()
    args = options().parse_args()
    try:
        corpus = products(args.corpus).where(conditions(args))
        model = build_model(read_settings(model=args.model)) if args.generate else None
    except (Problem, InputError) as problem:
        print(tell(problem, "ko"), file=sys.stderr)
        return 2

    print(f"필수 조건: {described(corpus.filters)}")
    found = corpus.search(args.query).products
    for product in found:
        print(f"[{product.id}] {product.summary}")
    if not found:
        print("조건을 모두 만족하며 검색어가 일치하는 상품이 없습니다.")
    for line in told_apart(corpus, args.query, "ko") if args.alternatives else []:
        print(line)
    if model:
        print(generated(corpus, args.query, model) if found else say(NOTHING_FOUND, "ko"))
    return 0


def options() -> argparse.ArgumentParser:
    """값은 글자 그대로 받아 조건을 읽는 코드가 검사합니다."""
    parser = argparse.ArgumentParser(description="상품 검색: 조건이 먼저, 점수는 나중")
    parser.add_argument("query", nargs="?", default="저소음 사무실")
    parser.add_argument("--max-won", metavar="WON", default="100000", help="가격 상한 (원, 정수)")
    parser.add_argument("--connection", default="usb-c", help="usb-c 또는 bluetooth")
    parser.add_argument("--max-grams", metavar="GRAMS", help="무게 상한 (그램, 정수)")
    parser.add_argument("--alternatives", action="store_true", help="조건을 하나 바꾼 상품도 따로")
    parser.add_argument("--generate", action="store_true", help="조건을 지킨 상품만 근거로 답하기")
    parser.add_argument("--corpus", default="products", help="상품 자료의 이름이나 폴더")
    parser.add_argument("--model", help="offline, gemini 또는 모델 이름")
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


def described(filters: Filters) -> str:
    """조건을 한 줄로."""
    parts = [f"{filters.max_won}원 이하", str(filters.connection), "재고 있음"]
    if filters.max_grams is not None:
        parts.append(f"{filters.max_grams}g 이하")
    return ", ".join(parts)


def generated(corpus: ProductCorpus, query: str, model: Model) -> str:
    """조건을 지킨 상품만 근거로 삼은 답, 또는 답하지 않은 이유."""
    run = ask(query, corpus, model, run=Run(language="ko"))
    return run.answer if run.answer is not None else run.message


if __name__ == "__main__":
    sys.exit(main())

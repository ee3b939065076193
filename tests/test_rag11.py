"""The chapter on products prints what the course prints, from any folder."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CHAPTER = ROOT / "code/rag11_product_search.py"

P1 = "[P1] 고요 키보드 | 79000원 | 재고 4\n"
P4 = "[P4] 무선 고요 | 69000원 | 재고 8\n"
NONE = "조건을 모두 만족하며 검색어가 일치하는 상품이 없습니다.\n"


def required(conditions: str) -> str:
    return f"필수 조건: {conditions}\n"


USUAL = required("100000원 이하, usb-c, 재고 있음")


def chapter(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(CHAPTER), *arguments],
        capture_output=True,
        encoding="utf-8",
        cwd=cwd,
        check=False,
    )


@pytest.mark.parametrize(
    ("arguments", "printed"),
    [
        ([], USUAL + P1),
        (["--max-won", "50000"], required("50000원 이하, usb-c, 재고 있음") + NONE),
        (["--connection", "bluetooth"], required("100000원 이하, bluetooth, 재고 있음") + P4),
        (["--max-won", "79000"], required("79000원 이하, usb-c, 재고 있음") + P1),
        (["--max-won", "78999"], required("78999원 이하, usb-c, 재고 있음") + NONE),
        (["--max-won", "0"], required("0원 이하, usb-c, 재고 있음") + NONE),
        (["--max-grams", "820"], required("100000원 이하, usb-c, 재고 있음, 820g 이하") + P1),
        (["--max-grams", "819"], required("100000원 이하, usb-c, 재고 있음, 819g 이하") + NONE),
        (["게임"], USUAL + "[P5] 클릭 키보드 | 49000원 | 재고 3\n"),
        (["날씨"], USUAL + NONE),
    ],
)
def test_products(arguments: list[str], printed: str, tmp_path: Path):
    done = chapter(*arguments, cwd=tmp_path)
    assert (done.stdout, done.stderr, done.returncode) == (printed, "", 0)


def test_alternatives_stand_apart_and_say_what_changed(tmp_path: Path):
    done = chapter("--max-won", "70000", "--alternatives", cwd=tmp_path)
    assert done.stdout == (
        f"{required('70000원 이하, usb-c, 재고 있음')}{NONE}"
        "상품 5개 가운데 조건과 검색어에 모두 맞는 것이 없습니다. 조건은 바꾸지 않았습니다.\n"
        "조건마다 따로 세어 빠진 상품: "
        "max_won<=70000 (2), connection=usb-c (1), in_stock=true (1).\n"
        "조건에는 맞지만 검색어와 겹치는 말이 없는 상품: 1개.\n"
        "조건을 하나 바꾸면 나오는 상품입니다. 위 결과에는 들지 않습니다.\n"
        "[P3] 고요 미니 | 59000원 | 재고 0 (in_stock=true를 in_stock=false로 바꾸면)\n"
        "[P4] 무선 고요 | 69000원 | 재고 8 (connection=usb-c를 connection=bluetooth로 바꾸면)\n"
        "[P1] 고요 키보드 | 79000원 | 재고 4 (max_won<=70000을 max_won<=79000으로 바꾸면)\n"
    )


def test_an_answer_rests_on_the_products_that_were_shown(tmp_path: Path):
    printed = chapter("--generate", cwd=tmp_path).stdout
    assert printed.startswith(USUAL + P1)
    answer = printed[len(USUAL + P1) :]
    assert set(re.findall(r"\[(P\d)\]", answer)) == {"P1"}
    assert re.search(
        r"79000원 .*\(조회 \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d\) \[P1\]$", answer
    )


def test_nothing_shown_means_that_no_model_is_asked(tmp_path: Path, monkeypatch):
    monkeypatch.setenv("GEMINI_API_KEY", "any")
    monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", "http://127.0.0.1:9")
    done = chapter("--max-won", "50000", "--generate", "--model", "gemini", cwd=tmp_path)
    assert done.stdout.endswith(f"{NONE}관련 근거를 찾지 못했습니다.\n")


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["--max-won", "-1"], "max_won은 0 이상의 정수(won)여야 합니다. (받은 값: -1)"),
        (["--max-won", "10만"], "max_won은 0 이상의 정수(won)"),
        (["--max-won", "100000.5"], "max_won은 0 이상의 정수(won)"),
        (["--max-won", ""], "max_won은 0 이상의 정수(won)"),
        (["--max-grams", "1kg"], "max_grams는 0 이상의 정수(g)"),
        (["--max-grams", ""], "max_grams는 0 이상의 정수(g)"),
        (["--connection", "hdmi"], "usb-c, bluetooth 가운데 하나"),
        (["--connection", ""], "usb-c, bluetooth 가운데 하나"),
        (["--corpus", "nowhere"], "있는 자료: products"),
        (["--generate", "--model", "no such model"], "모델 이름"),
    ],
)
def test_bad_values_are_one_sentence(arguments: list[str], part: str, tmp_path: Path):
    done = chapter(*arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert part in done.stderr and len(done.stderr.splitlines()) == 1


def test_the_same_price_is_in_and_a_sold_out_product_is_not(tmp_path: Path):
    folder = Path(shutil.copytree(ROOT / "tools/corpora/products", tmp_path / "shop"))
    with (folder / "products.toml").open("a", encoding="utf-8") as file:
        for name, price, stock in [("P6", 100_000, 1), ("P7", 100_001, 1), ("P8", 1, 0)]:
            file.write(
                f'\n[[product]]\nid = "{name}"\nname = "새 {name}"\nprice_won = {price}\n'
                f'stock = {stock}\nconnection = "usb-c"\ngrams = 1\n'
                f'text = "{"저소음 사무실 " * 10}"\n'
            )
    printed = chapter("--corpus", str(folder), cwd=tmp_path).stdout
    assert printed == f"{USUAL}{P1}[P6] 새 P6 | 100000원 | 재고 1\n"

"""A web search for tests: chosen with BARELOOP_SEARCH=tests.slow_web:Slow."""

from __future__ import annotations

import time

from tools.web.backend import SearchHit


class SlowToBegin:
    """Takes long before it can be asked."""

    def __init__(self) -> None:
        time.sleep(60)


class Slow:
    """Knows two pages; a question with 느린 in it is never answered."""

    def search(self, query: str, limit: int, timeout_s: float) -> list[SearchHit]:
        if "느린" in query:
            time.sleep(60)
        if "기차" in query:
            return [
                SearchHit(
                    "기차 시간", "https://train.example/kr", "첫 기차는 오전 다섯 시에 떠납니다."
                )
            ]
        return [SearchHit("버스 요금", "https://bus.example/kr", "버스 요금은 1,500원입니다.")]

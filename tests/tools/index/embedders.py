"""Embedders of the tests: their vectors are known, and they keep what they were asked for."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any
from zlib import crc32

import numpy as np


class Told:
    """Every question is (1, 0), and a passage has the cosine that is given for its last line, else
    -1."""

    dimensions = 2

    def __init__(self, cosines: Mapping[str, float], name: str = "told-1") -> None:
        self.name = name
        self.cosines = cosines
        self.asked: list[str] = []
        self.made: list[str] = []

    def queries(self, texts: Sequence[str]) -> Any:
        self.asked += texts
        return np.array([(1.0, 0.0) for _ in texts], np.float32)

    def passages(self, texts: Sequence[str]) -> Any:
        self.made += texts
        told = [self.cosines.get(text.rpartition("\n")[2], -1.0) for text in texts]
        return np.array([(each, math.sqrt(1 - each * each)) for each in told], np.float32)


class Bigrams:
    """Character pairs hashed into 64 numbers: texts that look alike are near."""

    dimensions = 64

    def __init__(self, name: str = "bigrams-1") -> None:
        self.name = name
        self.made: list[str] = []

    def queries(self, texts: Sequence[str]) -> Any:
        return np.stack([self._vector(text) for text in texts])

    def passages(self, texts: Sequence[str]) -> Any:
        self.made += texts
        return self.queries(texts)

    def _vector(self, text: str) -> Any:
        vector = np.full(self.dimensions, 1e-3, np.float32)
        for first, second in pairwise(text):
            vector[crc32(f"{first}{second}".encode()) % self.dimensions] += 1
        return vector / np.linalg.norm(vector)

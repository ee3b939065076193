"""Korean by its morphemes, beside the terms that need no dictionary: the extra ``ko``.

Irregular and contracted forms share no syllable pair with their dictionary form (추웠어요, 춥다;
지었다, 짓다); an analyser knows that they are one word.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from tools.hidden import in_one_piece
from tools.index.engine import IndexFault
from tools.tokens import TERMS_VERSION, Tokens, has_hangul

KIWI = "kiwi"
"""How ``corpus.toml`` names the analyser: ``tokens = "kiwi"``."""

_VERBS = frozenset({"VV", "VA"})
_SAY_NOTHING = frozenset("하 되 있 없 알리 어떻 어떠하 싶 주 그렇 이렇 그러 이러".split())
_CONTENT = _VERBS | {"NNG", "NNP", "NR", "XR", "SL", "SN", "SH"}


def named(name: str) -> Tokens:
    """The tokens of an index as its ``corpus.toml`` or its own notes call them. Raises IndexFault
    ``index.no_kiwi`` where kiwipiepy is not installed."""
    return _kiwi() if name.partition("-")[0] == KIWI else Tokens()


@lru_cache(maxsize=1)
def _kiwi() -> Tokens:
    """Nouns, verbs and adjectives by kiwipiepy, whose model takes a second or two to load and
    100 MB on disk. Measured beside the terms (MRR@10): .959 for .954 on KorQuAD dev, .739 for .725
    on StrategyQA-ko, .891 for 0 on 32 irregular verbs; 12 times the time to index."""
    if not find_spec("kiwipiepy"):
        raise IndexFault("no_kiwi")
    from importlib.metadata import version

    return Tokens(f"{KIWI}-{TERMS_VERSION}-{version('kiwipiepy')}", _content)


def is_verb(token: str) -> bool:
    """Whether a token is a verb or an adjective by its stem."""
    return token.endswith("·v")


def _content(text: str) -> list[str]:
    """Each morpheme that says something, marked so that no term of a text can be mistaken for it:
    춥·v, 날씨·n. None of a text without Korean, which the terms serve better."""
    if not has_hangul(text):
        return []
    read = _analyser().tokenize(in_one_piece(text))
    kinds = ((each.form, each.tag.partition("-")[0]) for each in read)
    return [
        f"{''.join(form.casefold().split())}·{'v' if kind in _VERBS else 'n'}"
        for form, kind in kinds
        if kind in _CONTENT and not (kind in _VERBS and form in _SAY_NOTHING)
    ]


@lru_cache(maxsize=1)
def _analyser() -> Any:
    return import_module("kiwipiepy").Kiwi(num_workers=1)

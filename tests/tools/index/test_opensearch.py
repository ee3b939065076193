"""A corpus on a search server: ``bareloop index`` and ``ask`` over a server of the tests that holds
them to OpenSearch's published API, and what they say when it fails."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from agent.cli import main
from tests.tools.index.made import folder
from tests.tools.index.opensearch_site import HOST, Fault, OpenSearchSite, open_search_site
from tests.tools.tls_site import certificates
from tools.index.engine import EngineDamaged, IndexFault, Row
from tools.index.index import Index
from tools.index.indexed import find_indexed, index_folder
from tools.index.opensearch_engine import OpenSearchEngine
from tools.index.server import ANONYMOUS, Login, Server, ServerFault
from tools.index.where import Condition, Where
from tools.problems import Unavailable

PASSWORD = "비밀-Tr0ub4dor"
FILES: dict[str, str | bytes] = {
    "rules/휴가.md": "---\nlevel: 2\n---\n# 휴가\n\n- 병가는 사흘째부터 진단서를 냅니다.\n",
    "guest.txt": "Visitors get a badge at the front desk.\n",
    "prices.csv": "item,price\nstanding desk,450000\nmonitor arm,90000\n",
}
SICK, BADGE = "진단서는 언제 내나요?", "Where do visitors get a badge?"


@pytest.fixture
def site() -> Iterator[OpenSearchSite]:
    with open_search_site() as opened:
        yield opened


@pytest.fixture
def docs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of documents, and an empty data folder that the commands of the test use."""
    monkeypatch.setenv("BARELOOP_DATA", str(tmp_path / "data"))
    return folder(tmp_path / "docs", FILES)


def bareloop(*arguments: object) -> tuple[int, str, str]:
    """(exit code, stdout, stderr) of the command, run in this process to be quick."""
    with redirect_stdout(StringIO()) as written, redirect_stderr(StringIO()) as aside:
        code = main([str(each) for each in arguments])
    return code, written.getvalue(), aside.getvalue()


def asked(question: str, *more: str) -> dict[str, Any]:
    _, written, aside = bareloop("ask", "--json", "--corpus", "docs", *more, question)
    record: dict[str, Any] = {**json.loads(written), "aside": aside}
    return record


def cited(question: str, *more: str) -> list[str]:
    return [each["id"] for each in asked(question, *more)["citations"] if each["ok"]]


def outcomes(record: dict[str, Any]) -> list[str]:
    return [search["outcome"] for search in record["searches"]]


def indexed(docs: Path, site: OpenSearchSite) -> None:
    assert bareloop("index", docs, "--engine", site.url)[0] == 0


# the whole way


def test_a_corpus_on_a_server_from_the_command_to_the_answer(
    docs: Path, site: OpenSearchSite
) -> None:
    first = bareloop("index", docs, "--engine", site.url)
    assert first == (
        0,
        "docs: 3 files, 4 passages (3 new, 0 changed, 0 removed, 0 as before).\n",
        "",
    )
    assert bareloop("ask", "--corpus", "docs", SICK) == (
        0,
        "오프라인 모델(LLM 없음)입니다. 찾은 근거를 그대로 인용할 뿐, 글을 지어내지 않습니다.\n"
        "병가는 사흘째부터 진단서를 냅니다. [rules/휴가.md:6]\n\n"
        "근거\n[rules/휴가.md:6] 병가는 사흘째부터 진단서를 냅니다.\n\n"
        "상태: open · 끝난 이유: answered · 2단계 · 검색 1회 · 토큰 "
        + re.search(r"토큰 (\d+)", bareloop("ask", "--corpus", "docs", SICK)[1])[1]  # type: ignore[index]
        + " · offline\n",
        f"1. search_documents({SICK}) -> rules/휴가.md:6\n",
    )
    assert cited(BADGE) == ["guest.txt:1"]
    desk = "standing desk monitor arm price"
    assert set(cited(desk)) == {"prices.csv:2", "prices.csv:3"}
    assert cited(desk, "--where", "price<=90000") == ["prices.csv:3"]
    assert cited(desk, "--where", "price<90000") == []
    assert cited(SICK, "--where", "level=2") == ["rules/휴가.md:6"]
    folder(docs, {"guest.txt": "Visitors get a badge at the north gate.\n"})
    (docs / "prices.csv").unlink()
    told = bareloop("index", "--corpus", "docs")
    assert told[:2] == (
        0, "docs: 2 files, 2 passages (0 new, 1 changed, 1 removed, 1 as before).\n"
    )  # fmt: skip
    assert asked(BADGE)["evidence"][0]["text"] == "Visitors get a badge at the north gate."
    assert outcomes(asked(desk)) == ["none"]
    (name,) = site.indexes
    assert re.fullmatch(r"bareloop-docs-[0-9a-f]{8}-[0-9a-f]{8}", name)
    assert site.aliases == {name[: len("bareloop-docs-12345678")]: {name}}
    assert len(site.indexes[name].seen) == 2


def test_records_are_those_of_the_engines_on_this_machine(docs: Path, site: OpenSearchSite) -> None:
    questions = [SICK, BADGE, "monitor arm", "What is the colour of the roof?"]
    told: list[list[Any]] = []
    for engine in ("tantivy", site.url):
        assert bareloop("index", docs, "--engine", engine)[0] == 0
        records = [asked(question) for question in questions]
        told.append([(each["answer"], each["citations"], outcomes(each)) for each in records])
    assert told[0] == told[1]


def test_the_engine_that_was_chosen_stays_chosen(docs: Path, site: OpenSearchSite) -> None:
    data = docs.parent / "data"
    for engine, name in [(site.url, "opensearch"), ("sqlite", "sqlite"), ("tantivy", "tantivy")]:
        assert bareloop("index", docs, "--engine", engine) [0] == 0  # fmt: skip
        assert bareloop("index", "--corpus", "docs")[0] == 0
        with Index(index_folder(data, "docs")) as index:
            assert index.stats()["engine"] == name
        assert cited(BADGE) == ["guest.txt:1"]
    assert site.indexes == {} and site.aliases == {}


def test_who_searches_meanwhile_follows_to_another_engine(docs: Path, site: OpenSearchSite) -> None:
    indexed(docs, site)
    data = index_folder(docs.parent / "data", "docs")
    with Index(data) as reader:
        assert [each.id for each in reader.search(BADGE)] == ["guest.txt:1"]
        with Index(data, engine="sqlite"):
            assert [each.id for each in reader.search(BADGE)] == ["guest.txt:1"]
            assert reader.stats()["engine"] == "sqlite"
        with Index(data) as later:
            assert later.stats()["engine"] == "sqlite"
    assert site.indexes == {}


def test_a_corpus_moves_from_one_server_to_another(docs: Path, site: OpenSearchSite) -> None:
    indexed(docs, site)
    before = dict(site.aliases)
    with open_search_site() as other:
        code, _, aside = bareloop("index", docs, "--engine", f"{other.url}/team?shards=2")
        assert code == 0 and cited(BADGE) == ["guest.txt:1"]
        (name,) = other.indexes
        assert (
            name.startswith("team-docs-") and other.indexes[name].settings["number_of_shards"] == 2
        )
        assert site.aliases == before and next(iter(before)) in aside
        assert f"{HOST}:{site.server_port}" in aside


def test_another_node_of_the_same_server_is_no_other_server(
    docs: Path, site: OpenSearchSite
) -> None:
    indexed(docs, site)
    before = list(site.indexes)
    more = f"{site.url},127.0.0.1:9"
    assert bareloop("index", docs, "--engine", more) [::2] == (0, "")  # fmt: skip
    assert list(site.indexes) == before and cited(BADGE) == ["guest.txt:1"]
    (data,) = (docs.parent / "data").glob("corpora/docs")
    with Index(data) as index:
        assert index._store.note("choice") == f"{more}/bareloop"
    assert bareloop("index", docs, "--engine", f"{site.url}/team")[2] == ""
    assert [name[:10] for name in site.indexes] == ["team-docs-"]


def test_corpora_of_one_name_do_not_meet(
    docs: Path, site: OpenSearchSite, monkeypatch: pytest.MonkeyPatch
) -> None:
    indexed(docs, site)
    monkeypatch.setenv("BARELOOP_DATA", str(docs.parent / "another"))
    folder(docs, {"guest.txt": "Visitors get a badge in the cellar.\n"})
    indexed(docs, site)
    assert len(site.indexes) == len(site.aliases) == 2
    assert asked(BADGE)["evidence"][0]["text"].endswith("the cellar.")
    monkeypatch.setenv("BARELOOP_DATA", str(docs.parent / "data"))
    assert asked(BADGE)["evidence"][0]["text"].endswith("the front desk.")


# a busy server, and one that goes away for a moment


@pytest.mark.parametrize(
    "fault",
    [
        Fault("items", "bulk", 2, 429),
        Fault("items", "bulk", 1, 503),
        Fault("items", "bulk", 1, 500),
        Fault("status", "bulk", 1, 429),
        Fault("status", "bulk", 2, 503),
        Fault("drop", "bulk", 2),
        Fault("drop", "search", 1),
        Fault("shards", "search", 2),
        Fault("drop", "indices.update_aliases", 1),
        Fault("status", "search", 1, 503),
    ],
    ids=lambda fault: f"{fault.kind}-{fault.operation}-{fault.status}",
)
def test_what_passes_is_tried_again(docs: Path, site: OpenSearchSite, fault: Fault) -> None:
    site.faults.append(fault)
    told = bareloop("index", docs, "--engine", site.url)
    assert told[0] == 0 and told[2] == ""
    assert [cited(each) for each in (SICK, BADGE)] == [["rules/휴가.md:6"], ["guest.txt:1"]]
    assert fault.times == 0
    (held,) = site.indexes.values()
    assert sorted(held.seen) == [1, 2, 3, 4]


def engine_on(site: OpenSearchSite, sleeps: list[float] | None = None) -> OpenSearchEngine:
    slept = sleeps if sleeps is not None else []
    server = Server.parse(site.url)
    return OpenSearchEngine(
        server, ANONYMOUS, "bareloop-x", "1", is_new=True, sleep=slept.append
    )  # fmt: skip


@pytest.mark.parametrize(("refusals", "is_taken"), [(5, True), (6, False)])
def test_tries_are_bounded(site: OpenSearchSite, refusals: int, is_taken: bool) -> None:
    sleeps: list[float] = []
    engine = engine_on(site, sleeps)
    site.faults.append(Fault("status", "bulk", refusals, 429))
    engine.add([Row(1, ["one"]), Row(2, ["one"])])
    if is_taken:
        engine.commit()
        assert [hit.id for hit in engine.search(["one"], Where(), 5)] == [1, 2]
    else:
        with pytest.raises(ServerFault, match="server_busy"):
            engine.commit()
    assert sleeps == [0.0, 0.25, 0.5, 1.0, 2.0, 4.0]
    assert sum(name == "bulk" for name, _ in site.requests) == 6


def test_only_what_was_refused_is_sent_again(site: OpenSearchSite) -> None:
    engine = engine_on(site)
    site.faults.append(Fault("items", "bulk", 1, 429))
    engine.add(Row(number, ["one"]) for number in range(1, 5))
    engine.commit()
    lines = [len(body.splitlines()) for body in site.bodies if b'"_id"' in body]
    assert lines == [8, 4]
    assert engine.stats()["rows"] == 4


def test_a_request_that_is_refused_for_good_is_told_and_gone_on_from(
    docs: Path, site: OpenSearchSite
) -> None:
    indexed(docs, site)
    folder(docs, {"late.txt": "The late train leaves at midnight.\n"})
    site.faults.append(Fault("items", "bulk", 1, 400))
    code, written, aside = bareloop("index", docs)
    assert (code, written) == (2, "")
    assert aside.count("\n") == 1 and "refused a request" in aside
    assert cited(BADGE) == ["guest.txt:1"]
    assert bareloop("index", docs)[0] == 0
    assert cited("When does the late train leave?") == ["late.txt:1"]


# a server that cannot be asked: one sentence, and never "none"


def page(site: OpenSearchSite) -> None:
    site.faults.append(Fault("page", times=100))


def elastic(site: OpenSearchSite) -> None:
    site.version = {"number": "8.15.0", "build_flavor": "default"}


def old(site: OpenSearchSite) -> None:
    site.version = {"distribution": "opensearch", "number": "1.3.20"}


def locked(site: OpenSearchSite) -> None:
    site.login = ("bareloop", PASSWORD)


def forbidden(site: OpenSearchSite) -> None:
    site.faults.append(Fault("status", times=100, status=403))


def moved(site: OpenSearchSite) -> None:
    site.faults.append(Fault("status", times=100, status=302))


def gone(site: OpenSearchSite) -> None:
    site.shutdown()
    site.server_close()


FAULTS = [
    (page, "answer like OpenSearch", "OpenSearch처럼 답하지"),
    (elastic, "answer like OpenSearch", "OpenSearch처럼 답하지"),
    (old, "is OpenSearch 1.3.20; it takes 2.0", "OpenSearch 1.3.20 입니다. 2.0 이상"),
    (locked, "did not accept the login", "로그인을 받아들이지"),
    (forbidden, "did not accept the login", "로그인을 받아들이지"),
    (moved, "refused a request", "요청을 거절"),
    (gone, "cannot be reached", "연결할 수 없습니다"),
]


@pytest.mark.parametrize(("spoil", "english", "korean"), FAULTS)
def test_a_server_that_cannot_be_asked_is_one_sentence_and_never_none(
    docs: Path,
    monkeypatch: pytest.MonkeyPatch,
    spoil: Callable[[OpenSearchSite], None],
    english: str,
    korean: str,
) -> None:
    with open_search_site() as site:
        indexed(docs, site)
        url = site.url
        spoil(site)
        for language, words in (("en", english), ("ko", korean)):
            monkeypatch.setenv("BARELOOP_LANG", language)
            code, written, aside = bareloop("index", docs)
            assert (code, written, aside.count("\n")) == (2, "", 1), aside
            assert words in aside
            new = bareloop("index", docs, "--corpus", f"new-{language}", "--engine", url)
            assert (new[0], new[1], new[2]) == (2, "", aside)
            record = asked(SICK)
            assert set(outcomes(record)) == {"unavailable"}
            assert record["answer"] is None and words in record["aside"]
            assert "Traceback" not in aside + record["aside"]


def test_a_server_that_comes_back_is_searched_again(docs: Path, site: OpenSearchSite) -> None:
    indexed(docs, site)
    with Index(index_folder(docs.parent / "data", "docs")) as index:
        expected = index.search(BADGE)
        site.login = ("bareloop", PASSWORD)
        with pytest.raises(ServerFault):
            index.search(SICK)
        site.login = None
        assert index.search(BADGE) == expected != []
    site.login = ("bareloop", PASSWORD)
    with Index(index_folder(docs.parent / "data", "docs")) as index:
        assert [notice.key for notice in index.notices] == ["index.server_login"]
        with pytest.raises(ServerFault):
            index.search(BADGE)
        site.login = None
        assert index.search(BADGE) == expected


def test_a_tool_is_told_that_the_source_cannot_be_asked(docs: Path, site: OpenSearchSite) -> None:
    indexed(docs, site)
    corpus = find_indexed(docs.parent / "data", "docs")
    assert corpus is not None and corpus.search(BADGE)
    site.login = ("bareloop", PASSWORD)
    with pytest.raises(Unavailable) as told:
        corpus.search(SICK)
    assert told.value.details == {"reason": "index.server_login"}
    corpus.index.close()


@pytest.mark.parametrize("kind", ["shards", "status"])
def test_half_an_index_is_not_searched(docs: Path, site: OpenSearchSite, kind: str) -> None:
    indexed(docs, site)
    site.faults.append(Fault(kind, "search", 100, 429))
    assert set(outcomes(asked(SICK))) == {"unavailable"}
    site.faults.clear()
    assert outcomes(asked(SICK)) == ["hits"]


def test_a_writer_stops_when_parts_are_missing(docs: Path, site: OpenSearchSite) -> None:
    indexed(docs, site)
    site.faults.append(Fault("shards", "count", 100))
    code, _, aside = bareloop("index", docs)
    assert code == 2 and "Parts of the index are missing" in aside


# an index that somebody deleted, and one that is made anew


def test_an_index_that_was_deleted_on_the_server_is_made_again(
    docs: Path, site: OpenSearchSite
) -> None:
    indexed(docs, site)
    site.indexes.clear()
    site.aliases.clear()
    record = asked(BADGE)
    assert [each["id"] for each in record["citations"]] == ["guest.txt:1"]
    assert "made again from the store" in record["aside"]
    assert len(site.indexes) == 1


def test_an_index_that_could_not_be_made_again_is_not_taken_for_an_empty_one(
    docs: Path, site: OpenSearchSite
) -> None:
    indexed(docs, site)
    with Index(index_folder(docs.parent / "data", "docs")) as index:
        expected = index.search(BADGE)
        site.indexes.clear()
        site.aliases.clear()
        site.faults.append(Fault("items", "bulk", 1, 400))
        with pytest.raises(ServerFault, match="mapper_parsing_exception"):
            index.search(SICK)
        assert index.search(BADGE) == expected != []
        assert index.search(SICK)


def test_a_change_does_not_make_half_an_index_where_one_was_deleted(
    docs: Path, site: OpenSearchSite
) -> None:
    indexed(docs, site)
    data = index_folder(docs.parent / "data", "docs")
    with Index(data) as index:
        folder(docs, {"late.txt": "The late train leaves at midnight.\n"})
        site.faults.append(Fault("items", "bulk", 1, 400))
        assert bareloop("index", docs)[0] == 2
        site.indexes.clear()
        site.aliases.clear()
        assert bareloop("index", docs)[0] == 0
        (held,) = site.indexes.values()
        assert len(held.seen) == 5
        assert index.search(BADGE) and index.search("late train")


def test_an_engine_refuses_an_index_that_is_not_searched(site: OpenSearchSite) -> None:
    engine_on(site).commit()
    server = Server.parse(site.url)
    with pytest.raises(EngineDamaged):
        OpenSearchEngine(server, ANONYMOUS, "bareloop-x", "2")
    public = OpenSearchEngine(server, ANONYMOUS, "bareloop-x", "1")
    site.indexes.clear()
    site.aliases.clear()
    public.add([Row(1, ["one"])])
    with pytest.raises(EngineDamaged):
        public.commit()
    assert site.indexes == {}


def test_searches_go_on_while_an_index_is_made_anew(docs: Path, site: OpenSearchSite) -> None:
    many = {f"{number}.txt": f"Fact {number} of the badge.\n" for number in range(40)}
    folder(docs, dict(many))
    indexed(docs, site)
    data = index_folder(docs.parent / "data", "docs")
    (before,) = site.indexes
    stop = threading.Event()
    found: list[list[str]] = []

    def search() -> None:
        while not stop.is_set():
            found.append(sorted(hit.id for hit in engine.search(["badge"], Where(), 100)))

    alias = next(iter(site.aliases))
    engine = OpenSearchEngine(
        Server.parse(site.url), ANONYMOUS, alias, before.removeprefix(f"{alias}-")
    )
    with Index(data) as index:
        expected = index.search(BADGE, k=50)
        searching = threading.Thread(target=search)
        searching.start()
        assert bareloop("index", docs, "--engine", f"{site.url}/bareloop?shards=2")[0] == 0
        stop.set()
        searching.join()
        assert index.search(f"{BADGE} really", k=50) and index.search(BADGE, k=50) == expected
        assert index.notices == []
    (after,) = site.indexes
    assert after != before and site.aliases == {alias: {after}}
    assert site.indexes[after].settings["number_of_shards"] == 2
    assert len(found) > 3 and len(found[0]) == 41 and all(each == found[0] for each in found)
    swaps = [json.loads(body)["actions"] for body in site.bodies if b'"actions"' in body]
    assert swaps[-1] == [
        {"remove": {"index": before, "alias": alias}},
        {"add": {"index": after, "alias": alias}},
    ]


# names, logins, certificates


@pytest.mark.parametrize(
    ("url", "written"),
    [
        ("opensearch://search.example.com", "opensearch://search.example.com:9200/bareloop"),
        ("opensearch://a:1,b:65535/team_1?shards=2", None),
        ("OPENSEARCH://[::1]:9201/", "opensearch://[::1]:9201/bareloop"),
        ("opensearch+http://127.0.0.1:9200/bareloop?shards=64", None),
        ("opensearch+http://localhost", "opensearch+http://localhost:9200/bareloop"),
    ],
)
def test_a_server_is_named_by_a_url(url: str, written: str | None) -> None:
    assert Server.parse(url).url == (written or url)
    assert Server.parse(Server.parse(url).url) == Server.parse(url)


@pytest.mark.parametrize(
    ("url", "key"),
    [
        ("solr", "engine"),
        ("https://127.0.0.1:9200", "engine"),
        ("opensearch://", "engine"),
        ("opensearch://a,,b", "engine"),
        ("opensearch://a:65536", "engine"),
        ("opensearch://a/b/c", "engine"),
        ("opensearch://a?shards=0", "engine"),
        ("opensearch://a?shards=65", "engine"),
        ("opensearch://a?replicas=1", "engine"),
        ("opensearch://a/Team", "server_prefix"),
        ("opensearch://a/_x", "server_prefix"),
        ("opensearch+http://search.example.com", "server_plain"),
        ("opensearch+http://127.0.0.1,10.0.0.1", "server_plain"),
        (f"opensearch://bareloop:{PASSWORD}@a", "server_password"),
        (f"https://bareloop:{PASSWORD}@a", "server_password"),
    ],
)
def test_a_url_that_names_none_is_refused_without_being_repeated(
    docs: Path, url: str, key: str
) -> None:
    with pytest.raises(IndexFault) as refused:
        Server.parse(url)
    assert refused.value.key == f"index.{key}" and refused.value.values == {}
    code, written, aside = bareloop("index", docs, "--engine", url)
    assert (code, written, aside.count("\n")) == (2, "", 1) and PASSWORD not in aside


def test_a_server_with_a_certificate_and_a_login(
    docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BARELOOP_OPENSEARCH_USER", "bareloop")
    monkeypatch.setenv("BARELOOP_OPENSEARCH_PASSWORD", PASSWORD)
    with open_search_site(tls=True, login=("bareloop", PASSWORD)) as site:
        distrusted = bareloop("index", docs, "--engine", site.url)
        assert distrusted[0] == 2 and "no secure connection (TLS)" in distrusted[2]
        monkeypatch.setenv("BARELOOP_OPENSEARCH_CA", str(docs / "guest.txt"))
        unread = bareloop("index", docs, "--engine", site.url)
        assert unread[0] == 2 and "guest.txt of BARELOOP_OPENSEARCH_CA cannot" in unread[2]
        assert site.bodies == []
        monkeypatch.setenv("BARELOOP_OPENSEARCH_CA", str(site.trusted))
        told = [bareloop("index", docs, "--engine", site.url)]
        assert told[0][0] == 0
        told.append(bareloop("ask", "--verbose", "--corpus", "docs", SICK))
        assert told[1][0] == 0
        monkeypatch.setenv("BARELOOP_OPENSEARCH_PASSWORD", f"{PASSWORD}!")
        told.append(bareloop("index", docs))
        assert told[2][0] == 2 and "did not accept the login" in told[2][2]
        shown = [str(each) for each in told] + [repr(Login("bareloop", PASSWORD))]
        kept = [path.read_bytes() for path in docs.parent.glob("data/**/*") if path.is_file()]
        assert PASSWORD not in "".join(shown) and PASSWORD.encode() not in b"".join(kept)


def test_a_certificate_for_another_name_is_not_trusted(
    docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BARELOOP_OPENSEARCH_CA", str(certificates(HOST)[0]))
    with open_search_site(tls=True) as site:
        url = site.url.replace(HOST, "localhost")
        code, _, aside = bareloop("index", docs, "--engine", url)
        assert code == 2 and "no secure connection (TLS)" in aside


def test_without_the_client_a_person_is_told_what_to_install(
    docs: Path, python: Callable[..., CompletedProcess[str]]
) -> None:
    code = (
        "import sys; sys.modules['opensearchpy'] = None\n"
        "from agent.cli import main; sys.exit(main(sys.argv[1:]))"
    )
    done = python("-c", code, "index", str(docs), "--engine", "opensearch+http://127.0.0.1:9")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1 and "install bareloop[opensearch]" in done.stderr


def test_the_client_logs_nothing_beside(
    docs: Path, python: Callable[..., CompletedProcess[str]]
) -> None:
    done = python(
        "-m", "agent.cli", "index", str(docs), "--engine", "opensearch+http://127.0.0.1:9"
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1 and "127.0.0.1:9 cannot be reached" in done.stderr


# what is sent


def test_scores_do_not_depend_on_the_number_of_shards(site: OpenSearchSite) -> None:
    rows = [Row(number, ["one"] * (number % 3) + ["two"]) for number in range(1, 40)]
    told: list[list[tuple[int, float]]] = []
    for shards in (1, 2):
        server = Server.parse(f"{site.url}/s{shards}?shards={shards}")
        engine = OpenSearchEngine(server, ANONYMOUS, f"s{shards}-x", "1", is_new=True)
        engine.add(rows)
        engine.commit()
        found = engine.search(["one", "two"], Where(), 50)
        told.append([(hit.id, hit.score) for hit in found])
    assert told[0] == told[1] and len(told[0]) == 39


def test_scores_of_version_3_are_those_of_the_others(site: OpenSearchSite) -> None:
    engine = engine_on(site)
    engine.add([Row(1, ["one", "two"]), Row(2, ["two"])])
    engine.commit()
    (before,) = engine.search(["one"], Where(), 5)
    site.version = {"distribution": "opensearch", "number": "3.1.0"}
    again = OpenSearchEngine(Server.parse(site.url), ANONYMOUS, "bareloop-x", "1")
    (after,) = again.search(["one"], Where(), 5)
    assert after.score == pytest.approx(before.score, rel=1e-5)


@pytest.mark.parametrize("length", [8_000, 8_001, 40_000])
def test_words_of_every_length_are_compared(site: OpenSearchSite, length: int) -> None:
    engine = engine_on(site)
    long, longer = "가" * length, "가" * (length + 1)
    engine.add([Row(1, ["one"], {"note": long}), Row(2, ["one"], {"note": longer})])
    engine.commit()
    for condition, expected in (
        (Condition("note", "=", (long,)), [1]),
        (Condition("note", "!=", (long,)), [2]),
        (Condition("note", "in", (longer, "가")), [2]),
    ):
        found = engine.search(["one"], Where((condition,)), 5)
        assert [hit.id for hit in found] == expected, condition.operator


def test_a_piece_of_a_bulk_request_is_bounded(site: OpenSearchSite) -> None:
    engine = engine_on(site)
    engine.add(Row(number, ["one"]) for number in range(1, 2_502))
    engine.commit()
    engine.add([Row(number, ["w" * 8_000] * 200) for number in range(3_000, 3_010)])
    engine.commit()
    sizes = [(len(body), body.count(b'"_id"')) for body in site.bodies if b'"_id"' in body]
    assert [rows for _, rows in sizes] == [1_000, 1_000, 501, 4, 4, 2]
    assert engine.stats()["rows"] == 2_511

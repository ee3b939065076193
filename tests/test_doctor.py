"""What ``bareloop doctor`` says, as a person would run it, and that it keeps the key to itself."""

import re
from pathlib import Path

import pytest

from agent.doctor import ROOT, report
from agent.settings import read_settings

KEY = "AIzaFAKE0000000000000000000000000000000"


def lines(found: str) -> str:
    """The output with what differs between machines and releases left out."""
    found = found.replace(str(ROOT), "ROOT")
    found = re.sub(r"Python 3\.\d+\.\d+ \(.*?\)", "Python 3 (ENV)", found)
    found = re.sub(r"google-genai 3\.\d+\.\d+", "google-genai 3", found)
    return re.sub(r"(Corpora|자료 모음): .+ \(", r"\1: NAMES (", found)


def test_without_a_key(bareloop) -> None:
    done = bareloop("doctor")
    assert done.stderr == ""
    assert lines(done.stdout) == (
        "[ok] Python 3 (ENV)\n"
        "[ok] Package agent: this project's own.\n"
        "[ok] Package tools: this project's own.\n"
        "[note] No API key, so the offline model answers; set GEMINI_API_KEY to use Gemini.\n"
        "[ok] Model: offline (no LLM): it quotes what was found, and no question leaves this "
        "machine for a model.\n"
        "[ok] Settings at their defaults: model=offline, lang=-, stream=-, timeout=45.0, "
        "search=duckduckgo, search_timeout=15.0, corpus=-, docs=-, max_steps=8, "
        "max_searches=3, max_rounds=3, max_seconds=-, max_tokens=-, max_cost=-, "
        "max_history=200000\n"
        "[ok] Corpora: NAMES (ROOT/tools/corpora)\n"
        "[ok] Web search (only with --web or a corpus that searches the web): duckduckgo-search "
        "8.0.5, no key needed; queries go to "
        "DuckDuckGo.\n"
        "[ok] Console encoding utf-8: prints Hangul and every mark.\n"
    )
    assert done.returncode == 0


def test_with_a_key_in_korean(bareloop) -> None:
    done = bareloop("doctor", GOOGLE_API_KEY=KEY, BARELOOP_LANG="ko")
    assert lines(done.stdout) == (
        "[정상] Python 3 (ENV)\n"
        "[정상] 패키지 agent: 이 프로젝트의 것입니다.\n"
        "[정상] 패키지 tools: 이 프로젝트의 것입니다.\n"
        "[정상] API 키를 GOOGLE_API_KEY에서 읽었습니다.\n"
        "[정상] 모델: gemini-3.8-flash\n"
        "[정상] 접속 주소: Google의 Gemini API\n"
        "[정상] google-genai 3\n"
        "[참고] 질문과 찾은 근거가 Google로 전송되며 요금이 청구될 수 있습니다. "
        "원하지 않으면 --model offline을 쓰세요.\n"
        "[정상] 설정 lang = ko (BARELOOP_LANG)\n"
        "[정상] 설정 model = gemini-3.8-flash (GOOGLE_API_KEY)\n"
        "[정상] 기본값인 설정: stream=-, timeout=45.0, search=duckduckgo, search_timeout=15.0, "
        "corpus=-, docs=-, max_steps=8, max_searches=3, max_rounds=3, max_seconds=-, "
        "max_tokens=-, max_cost=-, max_history=200000\n"
        "[정상] 자료 모음: NAMES (ROOT/tools/corpora)\n"
        "[정상] 웹 검색(--web 이나 웹에서 찾는 자료를 쓸 때만): duckduckgo-search 8.0.5"
        "(키 불필요). 검색어가 DuckDuckGo로 전송됩니다.\n"
        "[정상] 화면 인코딩 utf-8: 한글과 문장 부호를 표시할 수 있습니다.\n"
    )
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        (
            {"GEMINI_API_KEY": f"\ufeff{KEY}"},
            "[problem] GEMINI_API_KEY holds a character that no key has (position 1, U+FEFF)",
        ),
        (
            {"GEMINI_API_KEY": f"{KEY}키", "BARELOOP_LANG": "ko"},
            "[문제] GEMINI_API_KEY에 쓸 수 없는 글자가 있습니다 (위치 40, U+D0A4)",
        ),
        ({"BARELOOP_MODEL": "gemini"}, "[problem] gemini-3.8-flash needs a key in GEMINI_API_KEY"),
        ({"BARELOOP_LANG": "fr"}, "[problem] The language (BARELOOP_LANG) must be ko or en."),
        ({"BARELOOP_TIMEOUT": "soon"}, "[problem] The timeout (BARELOOP_TIMEOUT) must be"),
    ],
)
def test_settings_that_cannot_work(bareloop, variables: dict[str, str], said: str) -> None:
    done = bareloop("doctor", **variables)
    assert said in done.stdout
    assert done.returncode == 2
    assert KEY not in done.stdout + done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        ({"BARELOOP_MODEL": "gemini-2.5-pro"}, "[note] gemini-2.5-pro retires on 2026-12-01;"),
        (
            {"BARELOOP_MODEL": "gemini-1.5-pro"},
            "[note] gemini-1.5-pro has been shut down; change to gemini-3.8-flash.",
        ),
        (
            {"BARELOOP_MODEL": "offline"},
            "[ok] GEMINI_API_KEY holds an API key, which the offline model does not use.",
        ),
        (
            {"GOOGLE_GEMINI_BASE_URL": "http://127.0.0.1:8090/"},
            "[note] Endpoint: http://127.0.0.1:8090 (not Google's own; unset "
            "GOOGLE_GEMINI_BASE_URL to go back)\n",
        ),
        (
            {
                "GOOGLE_GENAI_USE_VERTEXAI": "1",
                "GOOGLE_CLOUD_PROJECT": "smoke",
                "GOOGLE_CLOUD_LOCATION": "global",
            },
            "[ok] Endpoint: Vertex AI (project smoke, location global)\n",
        ),
        (
            {"HTTPS_PROXY": "http://me:secret@proxy.example:3128"},
            "[note] Proxy variables are set: HTTPS_PROXY; look there first if a connection fails.",
        ),
    ],
)
def test_things_to_know(bareloop, variables: dict[str, str], said: str) -> None:
    done = bareloop("doctor", GEMINI_API_KEY=KEY, **variables)
    assert said in done.stdout
    assert done.returncode == 0
    assert KEY not in done.stdout + done.stderr and "secret" not in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("encoding", "said"),
    [
        ("cp949", "[참고] 화면 인코딩 cp949는 일부 기호(U+2014, U+2022, U+2713)를 표시하지 못해"),
        ("ascii", "[note] Console encoding ascii cannot print Hangul; run with PYTHONIOENCODING"),
        ("latin-1", "[note] Console encoding iso8859-1 cannot print Hangul;"),
    ],
)
def test_a_console_that_cannot_print_everything(bareloop, encoding: str, said: str) -> None:
    done = bareloop("doctor", BARELOOP_LANG="ko", PYTHONIOENCODING=encoding)
    assert said in done.stdout
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("encoding", [None, "no-such-encoding"])
def test_a_console_without_a_known_encoding(encoding: str | None) -> None:
    found = report(read_settings({}), encoding, "ko", proxies=[])
    assert "cannot print Hangul" in found.lines[-1]


@pytest.mark.parametrize("form", ["package", "module"])
def test_a_stranger_with_our_name(tmp_path: Path, form: str) -> None:
    (tmp_path / "tools").mkdir()
    stranger = tmp_path / ("tools/__init__.py" if form == "package" else "tools.py")
    stranger.write_text("")
    shown = stranger.parent if form == "package" else stranger
    first = report(read_settings({}), "utf-8", "en", search_path=[str(tmp_path), str(ROOT)])
    assert f"[problem] Package tools is another one ({shown}):" in "\n".join(first.lines)
    assert first.exit_code == 2
    later = report(read_settings({}), "utf-8", "en", search_path=[str(ROOT), str(tmp_path)])
    assert f"[note] Another package named tools is installed too ({shown});" in "\n".join(
        later.lines
    )
    assert later.exit_code == 0


def test_a_folder_with_our_name_is_no_stranger(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    found = report(read_settings({}), "utf-8", "en", search_path=[str(tmp_path), str(ROOT)])
    assert "[ok] Package tools: this project's own." in found.lines


def test_the_doctor_loads_no_sdk(python) -> None:
    done = python("-X", "importtime", "-m", "agent.cli", "doctor", GEMINI_API_KEY=KEY)
    assert done.returncode == 0
    assert not re.search(r"\b(google\.genai|pydantic|primp|lxml)\b", done.stderr)


def test_each_value_is_told_with_its_layer(bareloop, tmp_path: Path) -> None:
    """A flag before a variable, a variable before the file, and the file before the default."""
    (tmp_path / "bareloop.toml").write_text(
        'model = "gemini"\nmax_searches = 2\nmax_steps = 5\n', encoding="utf-8"
    )
    (tmp_path / "key").write_text(KEY, encoding="utf-8")
    (tmp_path / "key").chmod(0o600)
    done = bareloop(
        "doctor", "--model", "offline", cwd=tmp_path, PYTHONPATH=str(ROOT),
        BARELOOP_MAX_SEARCHES="4", LC_MESSAGES="en_US.UTF-8", BARELOOP_DATA=str(tmp_path),
    )  # fmt: skip
    assert re.findall(r"Setting (.*)", done.stdout) == [
        "model = offline (--model)",
        "max_steps = 5 (bareloop.toml: max_steps)",
        "max_searches = 4 (BARELOOP_MAX_SEARCHES)",
        "lang = en (LC_MESSAGES)",
    ]
    assert f"{tmp_path / 'key'} holds an API key" in done.stdout
    assert KEY not in done.stdout + done.stderr


def test_every_built_in_corpus_is_named(bareloop) -> None:
    told = re.search(r"Corpora: (.+) \(", bareloop("doctor").stdout)
    assert told is not None
    folders = [path.name for path in (ROOT / "tools/corpora").iterdir() if path.is_dir()]
    assert told[1].split(", ") == sorted(folders)

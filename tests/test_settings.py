"""What the environment and the flags decide, and what they cannot."""

import os
import re
from pathlib import Path

import pytest

from agent.catalogue import Problem
from agent.prices import PRICES, PRICES_AS_OF
from agent.settings import (
    DEFAULT_GEMINI,
    Settings,
    Vertex,
    build_model,
    build_search,
    language_for,
    locale_language,
    model_notice,
    preferred_language,
    proxy_variables,
    read_settings,
)

KEY = "AIzaFAKE0000000000000000000000000000000"
VERTEX = {
    "GOOGLE_GENAI_USE_VERTEXAI": "true",
    "GOOGLE_CLOUD_PROJECT": "smoke",
    "GOOGLE_CLOUD_LOCATION": "global",
}


def problem(environ: dict[str, str], **flags: object) -> Problem:
    with pytest.raises(Problem) as raised:
        read_settings(environ, **flags)  # type: ignore[arg-type]
    return raised.value


def test_nothing_set_is_the_offline_model() -> None:
    assert read_settings({}) == Settings(
        model="offline",
        api_key="",
        key_source="",
        base_url="",
        vertex=None,
        timeout_s=45.0,
        language=None,
        stream=None,
    )


def test_the_environment_of_the_process_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GEMINI_API_KEY", KEY)
    assert read_settings().key_source == "GEMINI_API_KEY"


@pytest.mark.parametrize(
    ("environ", "flag", "model"),
    [
        ({"GEMINI_API_KEY": KEY}, None, DEFAULT_GEMINI),
        (VERTEX, None, DEFAULT_GEMINI),
        ({"BARELOOP_MODEL": "gemini-3.5-flash-lite", "GEMINI_API_KEY": KEY}, None,
         "gemini-3.5-flash-lite"),
        ({"BARELOOP_MODEL": "gemini-3.5-flash-lite", "GEMINI_API_KEY": KEY}, "gemini",
         DEFAULT_GEMINI),
        ({"BARELOOP_MODEL": "offline", "GEMINI_API_KEY": KEY}, None, "offline"),
        ({"GEMINI_API_KEY": KEY}, "offline", "offline"),
        ({"GEMINI_API_KEY": KEY}, " models/gemini-4-argon ", "gemini-4-argon"),
        ({"GEMINI_API_KEY": KEY, "BARELOOP_MODEL": " "}, "", DEFAULT_GEMINI),
        ({"GEMINI_API_KEY": KEY}, "Gemini", DEFAULT_GEMINI),
    ],
)  # fmt: skip
def test_flag_then_variable_then_key_then_offline(
    environ: dict[str, str], flag: str | None, model: str
) -> None:
    assert read_settings(environ, model=flag).model == model


@pytest.mark.parametrize("name", ["gemini 3", "gemini/../x", "../x", "gemini?x", "제미나이", "/x"])
def test_a_model_name_must_be_fit_for_an_address(name: str) -> None:
    assert problem({"GEMINI_API_KEY": KEY}, model=name).key == "settings.model_name"


def test_gemini_without_a_key_says_what_to_do() -> None:
    for environ in ({}, {"GEMINI_API_KEY": "  \n", "GOOGLE_API_KEY": ""}):
        found = problem(environ, model="gemini")
        assert found.say("ko") == (
            f"{DEFAULT_GEMINI}를 쓰려면 환경 변수 GEMINI_API_KEY에 키가 있어야 합니다. "
            "키 없이 쓰려면 --model offline(또는 BARELOOP_MODEL=offline)으로 실행하세요."
        )
        assert "GEMINI_API_KEY" in found.say("en") and "--model offline" in found.say("en")


def test_the_google_key_wins_and_keys_are_stripped() -> None:
    both = read_settings({"GOOGLE_API_KEY": f" {KEY}\n", "GEMINI_API_KEY": "other"})
    assert (both.api_key, both.key_source) == (KEY, "GOOGLE_API_KEY")
    one = read_settings({"GOOGLE_API_KEY": " ", "GEMINI_API_KEY": KEY})
    assert (one.api_key, one.key_source) == (KEY, "GEMINI_API_KEY")


def test_the_key_shows_nowhere() -> None:
    settings = read_settings({"GEMINI_API_KEY": KEY})
    assert settings.api_key == KEY
    assert KEY not in repr(settings) and KEY not in f"{settings}"


@pytest.mark.parametrize(
    ("key", "position", "code_point"),
    [
        ("\ufeffFAKE123", 1, "U+FEFF"),
        ("FAKE\u00a0123", 5, "U+00A0"),
        ("FAKE123키", 8, "U+D0A4"),
        ("FAKE 123", 5, "U+0020"),
        ("FAKE\n123", 5, "U+000A"),
        ("FAKE\x7f", 5, "U+007F"),
        ("FAKE\U0001f511", 5, "U+1F511"),
        ("FAKE\udceb", 5, "U+DCEB"),
    ],
)
def test_a_key_no_header_can_carry_is_named_by_place(
    key: str, position: int, code_point: str
) -> None:
    found = problem({"GEMINI_API_KEY": key})
    assert found.say("ko") == (
        f"GEMINI_API_KEY에 쓸 수 없는 글자가 있습니다 (위치 {position}, {code_point}). "
        "키를 다시 복사해 넣으세요."
    )
    for language in ("ko", "en"):
        assert "FAKE" not in found.say(language)


def test_every_printable_ascii_character_may_stand_in_a_key() -> None:
    key = "".join(map(chr, range(0x21, 0x7F)))
    assert read_settings({"GOOGLE_API_KEY": key}).api_key == key


def test_a_broken_key_does_not_stop_the_offline_model() -> None:
    settings = read_settings({"GEMINI_API_KEY": "\ufeffFAKE"}, model="offline")
    assert (settings.is_offline, settings.api_key) == (True, "")
    assert settings.key_source == "GEMINI_API_KEY"


@pytest.mark.parametrize(
    "url",
    [
        "https://gateway.example/gemini",
        "https://gateway.example:8443",
        "http://localhost:8090",
        "http://127.0.0.1:8090",
        "http://127.9.9.9",
        "http://[::1]:8090",
    ],
)
def test_another_endpoint(url: str) -> None:
    environ = {"GEMINI_API_KEY": KEY, "GOOGLE_GEMINI_BASE_URL": f" {url}/ "}
    assert read_settings(environ).base_url == url


@pytest.mark.parametrize(
    "url",
    [
        "http://gateway.example",
        "http://192.168.0.2",
        "http://0.0.0.0:8090",
        "http://localhost.example",
        "gateway.example",
        "ftp://gateway.example",
        "https://",
        "https://gateway.example:x",
        "https://gateway.example:99999",
        "https://name:secret@gateway.example",
        "https://gateway.example/?key=secret",
        "https://gateway.example/#top",
        "https://gate way.example",
        "https://[::1",
    ],
)
def test_an_endpoint_the_key_must_not_travel_to(url: str) -> None:
    found = problem({"GEMINI_API_KEY": KEY, "GOOGLE_GEMINI_BASE_URL": url})
    assert found.key == "settings.base_url"
    assert "GOOGLE_GEMINI_BASE_URL" in str(found) and "secret" not in str(found)
    read_settings({"GOOGLE_GEMINI_BASE_URL": url})  # offline: not used, not judged


@pytest.mark.parametrize("switch", ["GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_ENTERPRISE"])
def test_vertex_needs_no_key(switch: str) -> None:
    environ = {
        switch: "True",
        "GOOGLE_CLOUD_PROJECT": "smoke",
        "GOOGLE_CLOUD_LOCATION": "global",
        "GOOGLE_GEMINI_BASE_URL": "https://gateway.example",
    }
    settings = read_settings({**environ, "GEMINI_API_KEY": KEY})
    assert settings.vertex == Vertex("smoke", "global") == ("smoke", "global")
    assert settings.api_key == "" and settings.base_url == ""
    environ["GOOGLE_VERTEX_BASE_URL"] = "https://vertex.example"
    assert read_settings(environ).base_url == "https://vertex.example"
    assert read_settings(environ, model="offline").vertex is None


@pytest.mark.parametrize("name", ["GOOGLE_CLOUD_PROJECT", "GOOGLE_CLOUD_LOCATION"])
def test_vertex_names_what_it_lacks(name: str) -> None:
    found = problem({key: value for key, value in VERTEX.items() if key != name})
    assert found.key == "settings.vertex" and f" {name} " in str(found)


def test_vertex_that_is_not_switched_on_is_ignored() -> None:
    environ = {**VERTEX, "GOOGLE_GENAI_USE_VERTEXAI": "false", "GEMINI_API_KEY": KEY}
    assert read_settings(environ).vertex is None


@pytest.mark.parametrize(("written", "seconds"), [("0.001", 0.001), ("600", 600.0), (" 30 ", 30.0)])
def test_a_timeout_in_seconds(written: str, seconds: float) -> None:
    assert read_settings({"BARELOOP_TIMEOUT": written}).timeout_s == seconds
    assert read_settings({"BARELOOP_TIMEOUT": "9"}, timeout_s=float(written)).timeout_s == seconds


@pytest.mark.parametrize("written", ["0", "-1", "600.1", "nan", "inf", "45s", "서른"])
def test_a_timeout_that_is_none(written: str) -> None:
    assert problem({"BARELOOP_TIMEOUT": written}).key == "settings.timeout"


def test_a_timeout_flag_has_the_same_bounds() -> None:
    assert problem({}, timeout_s=0.0).key == "settings.timeout"


@pytest.mark.parametrize(
    ("written", "on"), [("1", True), ("True", True), ("on", True), ("0", False), ("no", False)]
)
def test_streaming(written: str, on: bool) -> None:
    assert read_settings({"BARELOOP_STREAM": written}).stream is on
    assert read_settings({"BARELOOP_STREAM": written}, stream=not on).stream is not on


def test_a_switch_is_on_or_off() -> None:
    found = problem({"BARELOOP_STREAM": "maybe"})
    assert found.say("en") == "BARELOOP_STREAM must be 1 or 0."


@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({}, None),
        ({"LANG": "C"}, None),
        ({"LANG": "C.UTF-8"}, None),
        ({"LC_ALL": "POSIX", "LANG": "ko_KR.UTF-8"}, None),
        ({"LANG": "ko_KR.UTF-8"}, "ko"),
        ({"LANG": "ko"}, "ko"),
        ({"LANG": "kok_IN"}, "en"),
        ({"LANG": "en_GB.UTF-8"}, "en"),
        ({"LANG": "de_DE@euro"}, "en"),
        ({"LC_MESSAGES": "ko_KR", "LANG": "en_US"}, "ko"),
        ({"LC_ALL": "en_US", "LC_MESSAGES": "ko_KR"}, "en"),
        ({"LC_ALL": "", "LANG": "ko_KR"}, "ko"),
    ],
)
def test_the_language_of_the_locale(environ: dict[str, str], language: str | None) -> None:
    assert read_settings(environ).language == language
    assert locale_language(environ) == language
    assert preferred_language(environ) == language


def test_the_chosen_language_comes_before_the_locale() -> None:
    environ = {"BARELOOP_LANG": "KO", "LANG": "en_US"}
    assert read_settings(environ).language == preferred_language(environ) == "ko"
    assert read_settings(environ, language="en").language == "en"


def test_a_language_nobody_wrote() -> None:
    environ = {"BARELOOP_LANG": "fr", "LANG": "ko_KR"}
    assert problem(environ).key == "settings.language"
    assert preferred_language(environ) == "ko"


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("invoice export", "en"),
        ("청구서 export", "ko"),
        ("\u110e\u1165\u11bc\u1100\u116e", "ko"),  # as macOS writes file names: not composed
        ("ㅎㅇ", "ko"),
        ("請求書", "en"),
        ("", "en"),
    ],
)
def test_the_question_decides_when_nobody_chose(question: str, language: str) -> None:
    assert language_for(question) == language
    assert language_for(question, "ko") == "ko"


@pytest.mark.parametrize(
    ("model", "date"),
    [
        ("gemini-2.5-flash", "2026-12-01"),
        ("gemini-2.5-pro", "2026-12-01"),
        ("publishers/google/models/gemini-2.5-flash-001", "2026-12-01"),
        ("gemini-3.1-flash-lite", "2027-05-07"),
        ("gemini-2.0-flash", "shut down"),
        ("gemini-1.5-pro-002", "shut down"),
        ("gemini-pro", "shut down"),
    ],
)
def test_models_that_retire(model: str, date: str) -> None:
    notice = model_notice(model, "en")
    assert notice and model in notice and date in notice and DEFAULT_GEMINI in notice
    assert read_settings({"GEMINI_API_KEY": KEY}, model=model).model == model


@pytest.mark.parametrize(
    "model", ["offline", DEFAULT_GEMINI, "gemini-2.5-flash-lite", "gemini-pro-latest", "gemma-3"]
)
def test_models_that_stay(model: str) -> None:
    assert model_notice(model, "ko") is None


def test_proxy_variables_are_named_without_their_values() -> None:
    environ = {"https_proxy": "http://me:secret@proxy:3128", "HTTP_PROXY": "", "DDGS_PROXY": "tb"}
    assert proxy_variables(environ) == ["https_proxy", "DDGS_PROXY"]
    assert proxy_variables({}) == []


def test_the_offline_model_is_built() -> None:
    assert build_model(read_settings({})).name == "offline"


def test_the_gemini_model_is_built_without_asking_anyone() -> None:
    model = build_model(
        read_settings({"GEMINI_API_KEY": KEY, "GOOGLE_GEMINI_BASE_URL": "http://127.0.0.1:9"})
    )
    assert model.name == DEFAULT_GEMINI
    assert KEY not in repr(model)


def test_tests_see_no_settings_of_the_machine() -> None:
    assert read_settings(os.environ) == read_settings({})


class Paid:
    """A search service whose key is missing."""

    def __init__(self) -> None:
        raise KeyError("SECRETKEY123")


class NoSearch:
    """Something that cannot be asked."""


@pytest.mark.parametrize("name", ["Paid", "NoSearch", "Nobody", ":", "os:getcwd", "no.module:X"])
def test_a_search_that_cannot_be_used_is_one_sentence_without_its_words(name: str) -> None:
    where = name if ":" in name else f"{__name__}:{name}"
    with pytest.raises(Problem) as raised:
        build_search(read_settings({"BARELOOP_SEARCH": where}))
    told = raised.value.say("ko") + raised.value.say("en")
    assert "BARELOOP_SEARCH" in told and "SECRETKEY123" not in told


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own to run in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_file_of_settings_is_the_last_layer(folder: Path) -> None:
    written = 'model = "gemini"\nmax_searches = 2\nstream = true\ntimeout = 9.5\nlang = "ko"\n'
    (folder / "bareloop.toml").write_text(written + 'docs = "papers"\n', encoding="utf-8")
    environ = {"GEMINI_API_KEY": KEY}
    found = read_settings(environ)
    assert (found.model, found.limits.max_searches, found.stream) == (DEFAULT_GEMINI, 2, True)
    assert (found.timeout_s, found.language, found.docs) == (9.5, "ko", "papers")
    assert preferred_language({}) == "ko"
    assert found.sources["max_searches"] == "bareloop.toml: max_searches"
    found = read_settings({**environ, "BARELOOP_MAX_SEARCHES": "4", "BARELOOP_CORPUS": "billing"})
    assert (found.limits.max_searches, found.corpus, found.docs) == (4, "billing", "")
    assert found.sources["corpus"] == "BARELOOP_CORPUS" and "docs" not in found.sources
    found = read_settings({**environ, "BARELOOP_MAX_SEARCHES": "4"}, max_searches="5")
    assert (found.limits.max_searches, found.sources["max_searches"]) == (5, "--max-searches")


@pytest.mark.parametrize(
    ("written", "key", "part"),
    [
        ("max_serches = 2", "settings.file_entry", "max_serches"),
        ('api_key = "SECRET123"', "settings.file_key", "api_key"),
        ('GEMINI_API_KEY = "SECRET123"', "settings.file_key", "GEMINI_API_KEY"),
        ('search = "os:system"', "settings.file_search", "BARELOOP_SEARCH"),
        ('base_url = "https://evil.example"', "settings.file_entry", "base_url"),
        ("model = [1]", "settings.file_value", "model"),
        ("model =", "settings.file_toml", "bareloop.toml"),
        ('max_steps = "many"', "settings.number", "bareloop.toml: max_steps"),
        ("max_steps = 2.5", "settings.number", "max_steps"),
        ("max_searches = 6", "limits.max_searches", "6"),
        ("max_history = -1", "limits.positive", "max_history"),
        ('stream = "maybe"', "settings.switch", "stream"),
        ('lang = "fr"', "settings.language", "bareloop.toml: lang"),
        ('corpus = "a"\ndocs = "b"', "settings.two_sources", "docs"),
    ],
)
def test_a_file_that_cannot_be_meant_so(folder: Path, written: str, key: str, part: str) -> None:
    (folder / "bareloop.toml").write_text(written, encoding="utf-8")
    found = problem({})
    assert found.key == key and part in found.say("ko")
    assert "SECRET123" not in found.say("ko") + found.say("en")


def test_a_key_in_a_file_of_its_owner(folder: Path) -> None:
    path = folder / "key"
    path.write_text(f"{KEY}\n", encoding="utf-8")
    environ = {"BARELOOP_DATA": str(folder)}
    for mode in (0o600, 0o400):
        path.chmod(mode)
        found = read_settings(environ)
        assert (found.model, found.api_key) == (DEFAULT_GEMINI, KEY)
        assert (found.key_source, KEY in repr(found)) == (str(path), False)
    for mode in (0o640, 0o604):
        path.chmod(mode)
        assert problem(environ).key == "settings.key_file_open"
        assert "chmod 600" in problem(environ).say("ko")
        assert read_settings(environ, model="offline").api_key == ""
    other = read_settings({**environ, "GEMINI_API_KEY": "first"})
    assert (other.api_key, other.key_source) == ("first", "GEMINI_API_KEY")
    path.chmod(0o600)
    path.write_bytes(b"FAKE\xec\x9d123")
    assert problem(environ).say("en").startswith(f"{path} holds a character that no key has (")
    assert "FAKE" not in problem(environ).say("en")


def test_a_key_file_that_is_none_is_told(folder: Path) -> None:
    environ = {"BARELOOP_DATA": str(folder)}
    path = folder / "key"
    path.symlink_to(folder / "gone")
    found = problem(environ)
    assert (found.key, found.values["path"]) == ("settings.key_file_unreadable", path)
    assert read_settings(environ, model="offline").api_key == ""
    assert problem({"BARELOOP_DATA": "nowhere"}, model="gemini").key == "settings.no_key"
    path.unlink()
    path.mkdir()
    assert problem(environ).key == "settings.key_file_unreadable"


def test_prices_are_dated() -> None:
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", PRICES_AS_OF)
    assert all(0 < price < 1000 for prices in PRICES.values() for price in prices)

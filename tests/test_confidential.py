"""What looks like a secret is found, and what only comes near is not; it is in no recording, no
exported script and no trace."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml

from agent.cli import main
from agent.confidential import secret_in, without_keys, without_secrets

KEY = "AIzaSyOFNOBODY-only-for-tests-000000000"
OWN = "my.own-key_0123"

SECRETS = {
    "AIzaSyA1234567890abcdefghijklmnopqrstuv": "Google API key",
    "AQ.Ab8RN6abcdefghijklmnopqrstuvwxyz0": "Google API key",
    "GOCSPX-abcdefghijklmnop_qrstuv": "Google client secret",
    "-----BEGIN OPENSSH PRIVATE KEY-----": "private key",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dBjftJeZ4CVPmB92K27uhbUJU1p1r": "JSON Web Token",
    "Bearer abcdefghij0123456789": "bearer token",
    "Authorization: Basic aGFuYnllb2w6cGFzcw==": "login",
    "postgres://hanbyeol:s3cret@db.example/x": "address with a password",
    "https://user:pw123@[::1]/": "address with a password",
    "ghp_abcdefghijklmnopqrstuvwxyz0123456789": "GitHub token",
    "glpat-ABCdef123456_7890xyz": "GitLab token",
    "AKIAABCDEFGHIJKLMNOP": "AWS key",
    "ASIAABCDEFGHIJKLMNOP": "AWS key",
    "aws_secret_access_key = wJalrXUtnFEMIaK7MDENGabPxRfiCYzEXAMPLEKE": "AWS secret",
    'AWS Secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"': "AWS secret",
    "sk-abcdefghijklmnopqrstuv": "API key",
    "sk-proj-abcdefghijklmnop0123": "API key",
    "sk_live_abcdefghijklmnop01": "API key",
    "xoxb-1234567890-abc": "Slack token",
    "npm_abcdefghijklmnopqrstuvwxyz0123456789": "package token",
    "password=hunter2": "password",
    "Password: Xq9-kulp": "password",
    '{"password": "abc123def"}': "password",
    "DB_PASSWORD='s3cr3t-s3cr3t'": "password",
    "https://x.example/?api_key=0a1b2c3d4e": "password",
    "비밀번호: office2024!": "password",
    "client_secret=abc123abc123": "password",
}
NEAR = [
    "AIzaShort", "sk-abc", "sk-hynix-semiconductor-report-2024", "bearer of bad news for everybody",
    "AKIA1234", "ya29", "ghp_x", "glpat-x", "eyJhbGciOiJIUzI1NiJ9", "password: at least 12 letters",
    "password: <your password>", "password=${PASSWORD}", "password=", "password = letmein",
    "비밀번호: 8자리 이상으로 바꾸세요", "비밀번호는 매주 월요일에 바뀝니다",
    "the password changes every Monday",
    "api_key=GEMINI_API_KEY", "https://example.com/a:b@c", "mailto:hanbyeol@example.com",
    "secret santa 2024", "commit 3f2a1b4c5d6e7f8091a2b3c4d5e6f708192a3b4c", "token: 1,234개",
    "total tokens: 12345678", "Authorization: Basic", "암호는 아무도 모른다",
    "key: 3f2a1b4c5d6e7f80",
    "2026-11-30T09:07:19+00:00", "http://localhost:8090/v1/models",
]  # fmt: skip


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize(
    ("before", "after"), [("", ""), ("창고 열쇠는 ", "입니다."), ("is ", " .")]
)
def test_a_secret_is_found_and_named(secret: str, before: str, after: str) -> None:
    text = f"한 줄\n{before}{secret}{after}"
    assert secret_in(text) == (2, SECRETS[secret])
    masked = without_secrets({"a": [text]}, ())["a"][0]
    assert f"({SECRETS[secret]})" in masked and secret not in masked
    assert secret_in(masked) is None


@pytest.mark.parametrize("text", NEAR)
def test_what_only_comes_near_is_none(text: str) -> None:
    assert secret_in(text) is None and without_secrets(text, ()) == text


@pytest.mark.parametrize("own", [OWN, "key-4567", "key-456"])
def test_the_own_key_is_known_whatever_its_form(own: str) -> None:
    text = f"키는 {own}이고 {own}"
    if len(own) < 8:  # a stand-in such as "test" may occur in any text
        assert secret_in(text, [own]) is None and without_keys(text, [own]) == text
        return
    assert secret_in(text, ["", own]) == (1, "API key")
    assert without_keys({own: (text, 1, None)}, [own]) == {
        "(key)": ["키는 (key)이고 (key)", 1, None]
    }
    assert without_keys(text, [own[:-1], own]) == "키는 (key)이고 (key)"


def test_the_documents_of_the_project_hold_none() -> None:
    root = Path(__file__).parent.parent
    folders = ("tests/smoke", "tests/data", "tools/corpora")
    files = [path for folder in folders for path in (root / folder).rglob("*.*")]
    assert len(files) > 80
    found = [
        (path.name, secret_in(path.read_text("utf-8")))
        for path in files
        if path.suffix in (".yaml", ".md", ".txt", ".toml", ".log", ".json", ".csv")
        and secret_in(path.read_text("utf-8"))
    ]
    assert found == []


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BARELOOP_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("BARELOOP_LANG", "en")
    monkeypatch.setenv("BARELOOP_MODEL", "offline")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("kept", ["variable", "file"])
def test_a_key_that_is_typed_in_a_question_is_in_no_trace(
    home: Path, monkeypatch: pytest.MonkeyPatch, kept: str
) -> None:
    """Of the offline model too, which needs none."""
    if kept == "variable":
        monkeypatch.setenv("GEMINI_API_KEY", OWN)
    else:
        (home / "data").mkdir()
        (home / "data/key").write_text(OWN, "utf-8")
        (home / "data/key").chmod(0o600)
    question = f"invoice export {OWN} ghp_{'a' * 36} 얼마?"
    main(["ask", "--quiet", "--corpus", "billing", "--trace", "t.jsonl", question])
    text = (home / "t.jsonl").read_text("utf-8")
    assert OWN not in text and "ghp_" not in text and "invoice export (key) (GitHub token)" in text
    start = json.loads(text.splitlines()[1])
    assert start["question"] == "invoice export (key) (GitHub token) 얼마?"


def say(home: Path, monkeypatch: pytest.MonkeyPatch, capsys, *lines: str) -> str:
    import io
    import sys

    typed = "".join(f"{line}\n" for line in lines).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(typed), "utf-8"))
    capsys.readouterr()
    assert main(["chat", "--corpus", "billing"]) == 0
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", "".join(capsys.readouterr()))


def test_a_key_that_is_typed_in_a_chat_is_in_nothing_that_is_exported(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    monkeypatch.setenv("GEMINI_API_KEY", OWN)
    said = say(home, monkeypatch, capsys, f"invoice export {OWN}", '/smoke "한글 이름.yaml"',
               "/export md '한 벌.md'", "/export json x.json")  # fmt: skip
    assert "한글 이름.yaml" in said
    script = yaml.safe_load((home / "한글 이름.yaml").read_text("utf-8"))
    assert script["turns"][0]["ask"] == "invoice export (key)"
    for name in ("한글 이름.yaml", "한 벌.md", "x.json"):
        text = (home / name).read_text("utf-8")
        assert OWN not in text and "(key)" in text, name
    assert main(["smoke", "한글 이름.yaml"]) != 2  # it is a script


def test_a_secret_of_another_kind_is_in_no_script(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:
    secret = "glpat-ABCdef123456_7890xyz"
    said = say(home, monkeypatch, capsys, f"invoice export {secret}", "/smoke s.yaml")
    assert not (home / "s.yaml").exists()
    assert "would hold what looks like a secret (GitLab token)" in " ".join(said.split())
    said = say(home, monkeypatch, capsys, "invoice export glpat-x", "/smoke s.yaml")
    assert (home / "s.yaml").exists() and "Wrote s.yaml" in said

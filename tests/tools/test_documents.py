"""Reading a folder of documents, and finding lines in it."""

import os
import socket
import unicodedata
from itertools import pairwise
from pathlib import Path

import pytest

from agent.catalogue import tell
from agent.evidence import Evidence
from tools.documents import Folder, content_words, coverage, document_files, read_text
from tools.problems import CorpusError


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp949"])
def test_encodings(tmp_path, encoding):
    file = tmp_path / "a.txt"
    file.write_bytes("환불은 7일 안에\r\n가능합니다".encode(encoding))
    assert read_text(file) == "환불은 7일 안에\n가능합니다"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_text_is_read_as_nfc(tmp_path, encoding):
    file = tmp_path / "a.md"
    file.write_text(unicodedata.normalize("NFD", "환불은 7일 안에"), encoding=encoding)
    assert read_text(file) == unicodedata.normalize("NFC", "환불은 7일 안에")


def test_binary_is_named_and_skipped(tmp_path):
    (tmp_path / "a.md").write_bytes(b"\x00\x01\xff\xfe\xfd")
    (tmp_path / "b.md").write_text("환불은 7일 안에 됩니다.", encoding="utf-8")
    folder = Folder(tmp_path)
    assert [line.id for line in folder.search("환불은 며칠 안에 되나요?")] == ["b.md:1"]
    assert "a.md" in tell(folder.skipped[0], "ko")


def test_lines_are_cited_by_file_and_line_with_nfc_names(tmp_path):
    name = unicodedata.normalize("NFD", "규정")
    (tmp_path / name).mkdir()
    (tmp_path / name / "환불.md").write_text(
        "# 환불 규정\n\n- 영수증이 있으면 7일 안에 돌려드립니다.\n", encoding="utf-8"
    )
    hits = Folder(tmp_path).search("영수증이 있으면 언제까지 돌려주나요?")
    assert hits[0].id == unicodedata.normalize("NFC", "규정/환불.md:3")
    assert hits[0].text == "- 영수증이 있으면 7일 안에 돌려드립니다."


def test_headings_help_to_find_their_lines_but_are_no_hits(tmp_path):
    (tmp_path / "a.md").write_text(
        "# Refund policy\n\nWithin seven days with a receipt.\n\n# Shipping\n\nTwo days.\n",
        encoding="utf-8",
    )
    hits = Folder(tmp_path).search("what is the refund policy?")
    assert [hit.id for hit in hits] == ["a.md:3"]


def test_one_shared_unit_of_many_is_not_enough(tmp_path):
    (tmp_path / "a.md").write_text("오늘부터 배송비가 오릅니다.\n", encoding="utf-8")
    folder = Folder(tmp_path)
    assert folder.search("오늘 날씨 맑음") == []
    assert folder.search("배송비") != []


OFFICE = Path(__file__).parent.parent / "data/office"


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("연차는 며칠인가요?", "휴가.md:5"),
        ("연차가 며칠이에요?", "휴가.md:5"),
        ("연차는 며칠 생기나요?", "휴가.md:5"),
        ("병가 쓰려면 뭐가 필요해요?", "휴가.md:11"),
        ("숙박비는 얼마까지 인정되나요?", "출장비.md:5"),
        ("노트북을 잃어버리면 어디에 알리나요?", "보안.txt:2"),
        ("How do I restart the printer?", "wifi.md:5"),
        ("What is the guest password?", "wifi.md:3"),
        ("노트북을 새로 사려면 어떻게 하나요?", None),
        ("노트북이 고장나면 어디에 알리나요?", None),
        ("오늘 점심 메뉴가 뭐야?", None),
        ("How many employees are there?", None),
    ],
)
def test_everyday_questions(question, found):
    ids = [hit.id for hit in Folder(OFFICE).search(question)]
    assert found in ids if found else ids == []


def test_english_words_are_found_in_their_other_forms(tmp_path):
    lines = "Basic plans are free.\nMeals are reimbursed up to $25.\nBackups run at night.\n"
    (tmp_path / "a.md").write_text(lines, encoding="utf-8")
    folder = Folder(tmp_path)
    asked = ["Is there a free plan?", "What is the meal limit?", "When does the backup run?"]
    assert [folder.search(each)[0].id for each in asked] == ["a.md:1", "a.md:2", "a.md:3"]


def test_the_first_row_of_a_table_heads_its_rows(tmp_path):
    table = "| 직급 | 복지포인트 |\n|---|---|\n| 과장 | 150만 |\n| 사원 | 100만 |\n"
    (tmp_path / "a.md").write_text(table, encoding="utf-8")
    assert Folder(tmp_path).search("과장 복지포인트는 얼마야?")[0].id == "a.md:3"


def test_comments_say_nothing_and_lines_keep_their_numbers(tmp_path):
    (tmp_path / "a.md").write_text("<!-- the door code\nis 4455 -->\nDoor: ring.\n", "utf-8")
    assert [hit.id for hit in Folder(tmp_path).search("door code")] == ["a.md:3"]
    assert Folder(tmp_path).search("4455") == []


def test_names_from_old_korean_archives_can_be_cited(tmp_path):
    name = os.fsencode(tmp_path) + "/규정집.txt".encode("cp949")
    with open(name, "w", encoding="utf-8") as file:
        file.write("연차는 15일입니다.")
    (tmp_path / "a\nb\x1b[31m.txt").write_text("연차는 15일입니다.", encoding="utf-8")
    ids = [hit.id for hit in Folder(tmp_path).search("연차 며칠")]
    assert ids == ["a\ufffdb\ufffd[31m.txt:1", "규정집.txt:1"]


def test_a_folder_of_too_much_text_is_told_before_it_is_read(tmp_path):
    line = b"a" * 999_999 + b"\n"
    for number in range(10):
        (tmp_path / f"{number}.txt").write_bytes(line)
    assert not Folder(tmp_path).is_empty
    (tmp_path / "one.txt").write_bytes(b"b\n")
    with pytest.raises(CorpusError) as raised:
        Folder(tmp_path)
    assert "bareloop index" in tell(raised.value, "ko")


@pytest.mark.parametrize(
    ("text", "share"), [("연차는 15일", 1.0), ("연차와 비밀번호", 1.0), ("없는 말", 0.0)]
)
def test_coverage(text, share):
    assert coverage("연차는 며칠인가요?", text) == share
    assert coverage("며칠인가요?", text) == 0.0


NOUNS = """승인 회수 소각 매매 공유 인상 변경 검토 관리 신청 제출 연장 취소 환불 지급 반납 보관 폐기
등록 삭제 수리 교체 점검 배송 운영 개최 결정 처리 정산 청구 납부 면제 감면 할인 적용 제한 허용 금지
시도 보도 인도 유도 주도 이동 보상 제공 회피 예방 파손 사용 근무 채용 해고 평가 공지 시작 종료 복구
배포 중단 확인 피해"""
ENDINGS = """하나요 되나요 했나요 됐나요 해요 돼요 합니까 됩니까 합니다 하는지 되는지 하는가요 하나
한가요 할까요 될까요 했습니까 하였나요 되었나요 되었는지 하시나요 하려면 하면 하고 하는 해야 해도
해주세요 한다 된다 할지 할수있나요 인가요 인지 입니까 이에요 예요 일까요 였나요 있나요 있습니까"""


def test_the_noun_of_a_verb_is_what_a_question_is_about_whatever_the_ending():
    other = {
        f"{noun}{ending}": words
        for noun in NOUNS.split()
        for ending in ENDINGS.split()
        if (words := content_words(f"{noun}{ending}")) != [frozenset([noun])]
    }
    assert other == {}


@pytest.mark.parametrize(
    "words",
    [
        "얼마인가요 얼마나되나요 얼마예요 언제인지 어디인지 누구입니까 무엇인지 뭔가요 며칠인가요",
        "어떻게하나요 어떻게되나요 어떻게해야하나요 필요하나요 궁금해요 하나요 되나요 있는지",
        "되는지 해야하나요 해도되나요 가도되나요 알수있나요 할수있나요 알려주세요 해주세요 합니까",
    ],
)
def test_question_words_say_nothing_in_any_ending(words):
    assert content_words(words) == []


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Who owns db-01?", ["own"]),
        ("Which hosts does Ann own?", ["host", "ann", "own"]),
        ("Does db-01 have its own disk?", ["disk"]),
        ("Can I bring my own laptop?", ["bring", "laptop"]),
    ],
)
def test_who_owns_a_thing_is_asked_and_what_is_their_own_is_not(question, words):
    found = [min(each) for each in content_words(question)]
    assert [each for each in found if not each.startswith("db")] == words


def test_a_heading_that_says_down_is_found(tmp_path):
    (tmp_path / "a.md").write_text(
        "## If the database is slow\n\nWait.\n\n## If the database is down\n\nCall 4411.\n", "utf-8"
    )
    found = Folder(tmp_path).search("What should I do if the database is down?")
    assert found[0].text == "Call 4411."
    assert coverage("Is the database down?", "The database is up.") < 1


@pytest.mark.parametrize(
    ("question", "text", "is_all"),
    [
        ("Which hosts are not on Debian?", "The hosts db-1 and db-2 are on Debian.", False),
        ("Which hosts are not on Debian?", "Hosts in Busan are not on Debian.", True),
        ("Which hosts don't run Debian?", "The hosts db-1 and db-2 run Debian.", False),
        ("Which hosts never ran Debian?", "The hosts on Debian ran. Nobody was there.", False),
        ("Which hosts run Debian?", "The hosts db-1 and db-2 run Debian.", True),
        ("Which hosts have no backup?", "The hosts db-1 and db-2 have a backup.", False),
        ("Which hosts have no backup?", "The host web-1 has no backup.", True),
        ("What do I do before a restart?", "After a restart, what you do is wait.", False),
        ("What do I do before a restart?", "Before a restart you wait, after it you test.", True),
        ("What do I do before a restart?", "Wait for ten minutes, do a restart.", True),
        ("Is the host up?", "The host is down.", False),
        ("Is the host up?", "The host is up.", True),
        ("May I travel without a ticket?", "You travel with a ticket.", False),
        ("점심 전에 문을 여나요?", "점심 후에 문을 여나요.", False),
        ("점심 전에 문을 여나요?", "점심 전에 문을 여나요.", True),
        ("Isn't the host on Debian?", "The host is on Debian.", True),
        ("The host is on Debian, isn't it?", "The host is on Debian.", True),
        ("Why not use a host on Debian?", "Use a host on Debian.", True),
        ("데비안이 아닌 서버는?", "db-1 서버는 데비안이다.", False),
        ("데비안이 아닌 서버는?", "web-1 서버는 데비안이 아닌 우분투다.", True),
        ("점검하지 않는 서버는?", "이 서버는 매주 점검합니다.", False),
    ],
)
def test_the_opposite_of_what_is_asked_does_not_answer_it(question, text, is_all):
    assert (coverage(question, text) == 1.0) is is_all


def test_an_owner_owns(tmp_path):
    (tmp_path / "a.md").write_text("| Host | Owner |\n|---|---|\n| db-01 | Ann Roe |\n", "utf-8")
    folder = Folder(tmp_path)
    for question in ("Who owns db-01?", "Which hosts does Ann Roe own?"):
        assert coverage(question, folder.search(question)[0].searched) == 1.0


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Who owns db-01?", ["a.md:3"]),
        ("Who owns db-01 and how much RAM does it have?", ["a.md:3"]),
        ("Which hosts does Bo Lind own?", ["a.md:4"]),
        ("Who are the owners?", ["a.md:3", "a.md:4"]),
        ("Who owns web-09?", []),
        ("Who is the owner of the scanner?", []),
    ],
)
def test_that_things_have_owners_is_not_about_one_that_is_not_there(tmp_path, question, found):
    rows = "| db-01 | 64 GB | Ann Roe |\n| db-02 | 32 GB | Bo Lind |\n"
    (tmp_path / "a.md").write_text(f"| Name | RAM | Owner |\n|---|---|---|\n{rows}", "utf-8")
    hits = Folder(tmp_path).search(question)
    assert [hit.id for hit in hits] == found


@pytest.mark.parametrize(
    ("written", "word"), [("GPU인가요", "gpu"), ("256GB입니까", "256gb"), ("S3예요", "s3")]
)
def test_a_latin_name_counts_whatever_the_ending(written, word):
    assert content_words(written) == [frozenset([word])]


@pytest.mark.parametrize("word", ["권한", "무제한", "최대한", "지하철역", "돼지고기", "접근권한"])
def test_a_noun_that_ends_like_a_verb_stays_whole(word):
    assert content_words(word) == [frozenset(map("".join, pairwise(word)))]


@pytest.mark.parametrize(
    ("question", "is_all"),
    [
        ("재택근무는 누가 승인하나요?", False),
        ("재택근무는 언제 신청하나요?", True),
        ("재택근무는 공유되나요?", False),
        ("재택근무는 신청되나요?", True),
    ],
)
def test_what_is_done_is_looked_for_in_the_text(question, is_all):
    text = "재택근무는 주 2회까지 할 수 있으며 전날 오후 5시까지 신청합니다."
    assert (coverage(question, text) == 1.0) is is_all


def test_the_headings_of_a_line_go_with_it_to_the_model():
    office = Folder(OFFICE)
    evidence = Evidence()
    hit = evidence.search_open("search_documents", "병가 진단서", office.search).now()["hits"][0]
    assert hit["id"] == "휴가.md:11" and hit["under"] == "휴가 규정 병가"


def test_rare_words_weigh_more(tmp_path):
    lines = [f"server number {n} is fine" for n in range(20)] + ["server alpha is down"]
    (tmp_path / "log.txt").write_text("\n".join(lines), encoding="utf-8")
    assert Folder(tmp_path).search("server alpha", top_k=1)[0].id == "log.txt:21"


def test_hidden_files_other_types_and_links_out_are_left_out(tmp_path):
    inside, outside = tmp_path / "in", tmp_path / "out"
    (inside / ".git").mkdir(parents=True)
    outside.mkdir()
    for file in (inside / "a.md", inside / ".git/b.md", inside / "c.py", outside / "d.md"):
        file.write_text("x", encoding="utf-8")
    (inside / "e.md").symlink_to(outside / "d.md")
    (inside / "loop").symlink_to(inside)
    assert [file.name for file in document_files(inside)] == ["a.md"]


def test_what_is_no_folder_is_told_as_that(tmp_path):
    """Without a look into it: a FIFO would wait, a device would never end."""
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "a.md").write_text("x", encoding="utf-8")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.relpath(tmp_path / "socket"))
        for path in (tmp_path / "fifo", tmp_path / "socket", tmp_path / "a.md", Path("/dev/zero")):
            with pytest.raises(CorpusError) as raised:
                Folder(path)
            assert tell(raised.value, "en").startswith(f"{path} is not a folder; ")
    assert [file.name for file in document_files(tmp_path)] == ["a.md"]


@pytest.mark.skipif(os.geteuid() == 0, reason="needs closed folders")
def test_a_closed_folder_is_told(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "a.md").write_text("x", encoding="utf-8")
    (tmp_path / "in").chmod(0)
    try:
        (fault,) = Folder(tmp_path).skipped
        with pytest.raises(CorpusError) as raised:
            Folder(tmp_path / "in")
    finally:
        (tmp_path / "in").chmod(0o755)
    told = (
        f"The folder {tmp_path / 'in'} cannot be read (Permission denied); check its permissions."
    )
    assert tell(fault, "en") == tell(raised.value, "en") == told


def test_a_missing_folder_is_one_sentence(tmp_path):
    with pytest.raises(CorpusError) as raised:
        Folder(tmp_path / "없는 폴더")
    assert "없는 폴더" in tell(raised.value, "ko")


def test_code_fences_hide_headings(tmp_path):
    (tmp_path / "a.md").write_text("```\n# install it now\n```\n", encoding="utf-8")
    assert [hit.id for hit in Folder(tmp_path).search("install now")] == ["a.md:2"]

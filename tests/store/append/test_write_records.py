"""One record a file, whole or not at all, by one writer or by fifty (C40)."""

import os
import signal
import subprocess
import sys
import textwrap
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ledger.errors import DataRefusedError
from ledger.store.append.write_records import write_all, write_new

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder


ROOT = Path(__file__).resolve().parents[3]

TODAY = date(2025, 6, 1)

PROPOSED = {"label": "proposed", "side": "technical", "subject": "demo/ngram", "statement": "It may help.", "asserted_on": "2025-01-10"}


def write(folder: "LedgerFolder", **fields: object) -> Path:
    ledger = folder.open()
    return write_new(ledger.root, ledger.settings, "claim", record={**PROPOSED, **fields}, today=TODAY)


def script(folder: "LedgerFolder", text: str) -> "subprocess.CompletedProcess[str]":
    program = textwrap.dedent(text)
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run([sys.executable, "-c", program], cwd=folder.root, env=env, capture_output=True, text=True, check=False)


def test_a_record_lies_under_its_id(page_folder: "LedgerFolder") -> None:
    path = write(page_folder, id="hope")
    assert path == page_folder.root / "records/claims/hope.toml"
    assert page_folder.catalogue().by_id["hope"].path == "records/claims/hope.toml"
    assert oct(path.stat().st_mode & 0o777) == "0o644"
    assert [found.name for found in path.parent.iterdir() if found.name.startswith(".")] == []


@pytest.mark.parametrize("taken", ["drafts", "page"])
def test_an_id_in_use_is_refused_and_its_file_stays(taken: str, page_folder: "LedgerFolder") -> None:
    before = {path: path.read_bytes() for path in page_folder.root.rglob("*.toml")}
    with pytest.raises(DataRefusedError) as refused:
        write(page_folder, id=taken)
    assert [problem.code for problem in refused.value.problems] == ["LEDG010"]
    assert "is taken by records/" in refused.value.problems[0].message
    assert {path: path.read_bytes() for path in page_folder.root.rglob("*.toml")} == before


def test_a_file_that_cannot_be_read_still_holds_its_place(page_folder: "LedgerFolder") -> None:
    page_folder.write("records/claims/hope.toml", "<<<<<<< a\n=======\n>>>>>>> b\n")
    with pytest.raises(DataRefusedError):
        write(page_folder, id="hope")
    assert (page_folder.root / "records/claims/hope.toml").read_text().startswith("<<<<<<<")


def test_all_or_none(page_folder: "LedgerFolder") -> None:
    ledger = page_folder.open()
    drafts = [("claim", {**PROPOSED, "id": "one"}), ("claim", {**PROPOSED, "id": "two", "protocol": "nowhere"})]
    with pytest.raises(DataRefusedError) as refused:
        write_all(ledger.root, ledger.settings, drafts, today=TODAY)
    assert [(problem.code, problem.record) for problem in refused.value.problems] == [("LEDG011", "two")]
    assert not (page_folder.root / "records/claims/one.toml").exists()


def test_an_error_elsewhere_hinders_nobody(page_folder: "LedgerFolder") -> None:
    page_folder.add("claim", "faulty", source="nowhere")
    assert write(page_folder, id="hope").is_file()


def test_a_missing_id_is_made_from_the_text_and_numbered(page_folder: "LedgerFolder") -> None:
    assert [write(page_folder).stem for _ in range(3)] == ["demo-ngram-it-may-help", "demo-ngram-it-may-help-2", "demo-ngram-it-may-help-3"]


KILLED = """\
    import os, signal
    from datetime import date
    from pathlib import Path
    from ledger.api import Ledger
    from ledger.store.files import atomic_write as writing
    from ledger.store.append.write_records import write_new

    def die(*_, **__):
        os.kill(os.getpid(), signal.SIGKILL)

    def link_and_die(*arguments, link=os.link):
        link(*arguments)
        die()

    STEP
    ledger = Ledger.open()
    fields = {"id": "hope", "label": "proposed", "side": "technical", "subject": "a", "statement": "S", "asserted_on": "2025-01-10"}
    write_new(ledger.root, ledger.settings, "claim", record=fields, today=date(2025, 6, 1))
"""


@pytest.mark.parametrize(("step", "there"), [("os.fsync = die", False), ("os.link = die", False), ("os.link = link_and_die", True)])
def test_kill_9_leaves_the_record_whole_or_absent(step: str, there: bool, page_folder: "LedgerFolder") -> None:
    done = script(page_folder, textwrap.dedent(KILLED).replace("STEP", step))
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert page_folder.codes() == []
    assert ("hope" in page_folder.catalogue().by_id) is there
    assert write(page_folder, id="later").is_file()
    if not there:
        assert write(page_folder, id="hope").is_file()


FIFTY = """\
    import os, sys
    from pathlib import Path
    import ledger.store.append.write_records
    from ledger.cli.main import main

    def child(number):
        sys.argv = ["ledger", *ARGUMENTS(number)]
        sys.stdin = open(os.devnull)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        try:
            main()
        except SystemExit as end:
            return end.code or 0
        return 0

    children = {}
    for number in range(1, 51):
        pid = os.fork()
        if pid == 0:
            code = 70
            try:
                code = child(number)
            finally:
                os._exit(int(code))
        children[pid] = number
    for _ in range(50):
        pid, status = os.wait()
        print(children[pid], os.waitstatus_to_exitcode(status))
"""

ADD = """\
    ["add", "claim", "--label", "proposed", "--side", "technical", "--subject", "demo/ngram",
     "--asserted-on", "2025-01-10", IDS"--statement", TEXT]
"""


def fifty(folder: "LedgerFolder", ids: str, text: str) -> dict[int, int]:
    arguments = ADD.strip().replace("IDS", ids).replace("TEXT", text)
    done = script(folder, textwrap.dedent(FIFTY).replace("ARGUMENTS(number)", arguments))
    assert done.returncode == 0, done.stderr
    return {int(number): int(code) for number, code in (line.split() for line in done.stdout.splitlines())}


def test_fifty_writers_whose_ids_would_be_the_same_lose_none(page_folder: "LedgerFolder") -> None:
    text = "A statement so long that the id made from it is cut before its end, which is number"
    codes = fifty(page_folder, "", f'f"{text} {{number}}."')
    assert set(codes.values()) == {0}
    written = [entry.record for entry in page_folder.catalogue() if entry.record.id not in ("page", "drafts")]
    assert len({record.id for record in written}) == 50
    assert sorted(getattr(record, "statement", "") for record in written) == sorted(f"{text} {number}." for number in range(1, 51))
    assert page_folder.codes() == []


def test_of_fifty_writers_of_one_id_one_wins_and_the_others_are_told(page_folder: "LedgerFolder") -> None:
    codes = fifty(page_folder, '"--id", "same", ', 'f"Claim number {number}."')
    assert sorted(codes.values()) == [0] + [4] * 49
    [winner] = [number for number, code in codes.items() if code == 0]
    assert getattr(page_folder.catalogue().by_id["same"].record, "statement", "") == f"Claim number {winner}."


def test_of_fifty_successors_of_one_record_one_wins(page_folder: "LedgerFolder") -> None:
    command = '["supersede", "drafts", "--id", f"n{number}", "--because", "correction", "--reason", "r", "--set", f"locator=part {number}"]'
    done = script(page_folder, textwrap.dedent(FIFTY).replace("ARGUMENTS(number)", command))
    codes = [int(line.split()[1]) for line in done.stdout.splitlines()]
    assert sorted(codes) == [0] + [4] * 49, done.stderr
    assert page_folder.codes() == []

"""Captures of sources over a loopback server and from files: hashes, drift, quotations, and the file kept as it was."""

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml

from ledger.model.records.source import Source
from ledger.store.sources import fetch as fetching
from tests.store.sources.page_server_fixtures import PAGE

if TYPE_CHECKING:
    from tests.claim_fixtures import Ask
    from tests.conftest import LedgerFolder


SHARED = Path(__file__).resolve().parents[4] / "shared" / "cases" / "inputs" / "C22"

SOURCE = """# what we read
[[source]]
id = "page"
title = "A page"   # as printed
publisher = "Example"
url = "{url}"
type = "blog"
relation = "supplier"
licence = "not stated"
recheck_days = 30
captures = [
  {{ retrieved_at = 2025-01-05 }},  # by hand
]
note = "kept"
"""


def source(folder: "LedgerFolder", url: str) -> Path:
    """Write the source by hand, and a claim that quotes it."""
    folder.add(
        "claim",
        "quoting",
        statement="It gave {gain}.",
        quote='up to 2.8x - "Faster"',
        quantities=[{"name": "gain", "metric": "output-speedup", "value": "2.8", "bound": "up-to", "unit": "x"}],
    )
    return folder.write("records/sources/page.toml", SOURCE.format(url=url))


def codes_but_for_dates(folder: "LedgerFolder") -> list[str]:
    """The codes of findings; captures of today lie after the day on which these ledgers are checked."""
    return [code for code in folder.codes() if code != "LEDG019"]


def captures(folder: "LedgerFolder") -> list[str | None]:
    record = folder.catalogue().get("page", Source)
    assert record
    return [capture.sha256 for capture in record.captures]


def test_a_capture_only_adds_a_line(ledger_folder: "LedgerFolder", ask: "Ask", pages: tuple[dict[str, str], str]) -> None:
    path = source(ledger_folder, pages[1] + "/page")
    before = path.read_text(encoding="utf-8").splitlines()
    code, out, _err = ask("source", "capture", "page", "--archive")
    assert code == 0
    after = path.read_text(encoding="utf-8").splitlines()
    [new] = [line for line in after if line not in before]
    assert [line for line in after if line != new] == before
    assert new.startswith("  { retrieved_at = 20")
    assert 'quoting quote: "up to 2.8x - "Faster"" found' in out
    assert 'quoting gain: "2.8" found' in out
    assert codes_but_for_dates(ledger_folder) == []
    evidence = ledger_folder.root / "records/evidence/captures"
    assert [path.suffix for path in sorted(evidence.iterdir())] == [".html", ".txt"]
    assert ledger_folder.open().files.record_files.all.problems == ()


def test_recapturing_tells_drift_and_keeps_both(ledger_folder: "LedgerFolder", ask: "Ask", pages: tuple[dict[str, str], str]) -> None:
    answers, url = pages
    source(ledger_folder, url + "/page")
    assert "due on 2025-02-04" in ask("source", "recheck", "--list")[1]
    assert ask("source", "recheck", "--archive")[0] == 0
    assert "unchanged: the same bytes" in ask("source", "recheck", "page")[1]
    answers["/page"] = PAGE.replace("<p>", '<p class="new">')
    assert "unchanged: the same text, other markup" in ask("source", "recheck", "page")[1]
    answers["/page"] = PAGE.replace("2.8", "2.2")
    code, out, _err = ask("source", "recheck", "page")
    assert (code, "DRIFTED" in out, "rests on it: quoting" in out) == (1, True, True)
    assert 'quoting quote: "up to 2.8x - "Faster"" not found' in out
    assert len(set(captures(ledger_folder))) == 4
    [warning] = [problem for problem in ledger_folder.check() if problem.code == "LEDG082"]
    assert (warning.severity, warning.record, warning.path) == ("warning", "quoting", "records/claims/quoting.toml")
    assert ask("source", "recheck")[0] == 0  # nothing is due any more


def test_a_saved_file_with_its_day(ledger_folder: "LedgerFolder", ask: "Ask", tmp_path: Path) -> None:
    path = source(ledger_folder, "https://example.com/page")
    saved = tmp_path / "page.pdf"
    saved.write_bytes(b"%PDF-1.7 binary")
    code, out, _err = ask("source", "capture", "page", str(saved), "--date", "2025-03-04")
    assert (code, '"2.8" not checkable' in out) == (0, True)
    assert "retrieved_at = 2025-03-04" in path.read_text(encoding="utf-8")
    assert "fetched_at" not in path.read_text(encoding="utf-8")
    assert ask("source", "capture", "page", str(saved), "--date", "2199-01-01")[0] == 2
    assert ask("source", "capture", "page", str(tmp_path / "none"))[0] == 2


@pytest.mark.parametrize("where", ["file:///etc/hostname", "ftp://127.0.0.1/x", "gopher://127.0.0.1/x"])
def test_other_schemes_are_refused(where: str, ledger_folder: "LedgerFolder", ask: "Ask") -> None:
    source(ledger_folder, "https://example.com/page")
    code, out, err = ask("source", "capture", "page", where)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert captures(ledger_folder) == [None]


def test_what_does_not_answer_changes_nothing(
    ledger_folder: "LedgerFolder", ask: "Ask", pages: tuple[dict[str, str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    answers, url = pages
    path = source(ledger_folder, url + "/page")
    before = path.read_bytes()
    answers["/leak"] = "-> file:///etc/hostname"
    answers["/moved"] = f"-> {url}/page"
    answers["/large"] = "x" * 100
    monkeypatch.setattr(fetching, "LARGEST_BYTES", 50)
    assert ask("source", "capture", "page", url + "/none")[0] == 3
    assert ask("source", "capture", "page", url + "/leak")[0] == 3
    assert ask("source", "capture", "page", url + "/large")[0] == 4
    assert ask("source", "capture", "page", "http://127.0.0.1:1/")[0] == 3
    assert path.read_bytes() == before
    monkeypatch.setattr(fetching, "LARGEST_BYTES", 5000)
    assert ask("source", "capture", "page", url + "/moved")[0] == 0


def test_an_archived_capture_is_held_to_its_hash(ledger_folder: "LedgerFolder", ask: "Ask", tmp_path: Path) -> None:
    source(ledger_folder, "https://example.com/page")
    saved = tmp_path / "page.html"
    saved.write_text(PAGE.replace("faster", "slower"), encoding="utf-8")
    assert ask("source", "capture", "page", str(saved), "--archive")[0] == 0
    assert codes_but_for_dates(ledger_folder) == ["LEDG083"]
    [blob] = (ledger_folder.root / "records/evidence/captures").glob("*.html")
    blob.write_text(PAGE, encoding="utf-8")
    assert codes_but_for_dates(ledger_folder) == ["LEDG009"]
    blob.unlink()
    assert "LEDG009" in ledger_folder.codes()


def test_two_records_of_one_page_that_changed(ledger_folder: "LedgerFolder") -> None:
    """C22: one address captured twice with other content; what rests on the first is told."""
    address = "https://docs.example/stable/drafts/"
    ledger_folder.add_page("first", url=address, captures=[{"retrieved_at": "2025-07-01", "sha256": "a" * 64}])
    ledger_folder.add_page("second", url=address + "#top", captures=[{"retrieved_at": "2026-01-03", "sha256": "b" * 64}])
    ledger_folder.add("claim", "resting", source="first", asserted_on="2025-07-01")
    found = {problem.code: problem.message for problem in ledger_folder.check()}
    assert set(found) - {"LEDG019"} == {"LEDG080", "LEDG082"}
    assert "resting: source: rests on first, whose content of 2025-07-01 differed on 2026-01-03." in found["LEDG082"]
    assert ledger_folder.catalogue().by_id.keys() >= {"first", "second"}


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared cases lie beside the repository in its workshop only")
def test_the_shared_case(ledger_folder: "LedgerFolder") -> None:
    """C22 as given: S-1 and S-2 one page that changed, S-3 and S-4 one page, S-5 another."""
    for row in yaml.safe_load((SHARED / "sources.yaml").read_text(encoding="utf-8")):
        taken = {"retrieved_at": row["captured_at"][:10], "sha256": row["sha256"]}
        ledger_folder.add_page(row["id"].lower(), url=row["url"], captures=[taken])
    claim = yaml.safe_load((SHARED / "K-2201.yaml").read_text(encoding="utf-8"))
    ledger_folder.add("claim", "k-2201", source=claim["source"].lower(), statement=claim["text"], asserted_on=str(claim["stated_on"]))
    ledger = ledger_folder.open(now=datetime(2026, 2, 1, tzinfo=UTC))  # the case tells of pages read in January 2026
    messages = [problem.message for problem in ledger.check()]
    assert messages == [
        "k-2201: source: rests on s-1, whose content of 2025-07-08 differed on 2026-01-09.",
        "s-2: url: the same page as s-1: https://docs.example/latest/spec-decode/.",
        "s-4: url: the same page as s-3: https://vendor.example/price?sku=h200&plan=1*2.",
    ]
    kept = ledger_folder.catalogue().get("s-3", Source)
    assert kept
    assert kept.url
    assert kept.url.endswith("&gclid=abc")

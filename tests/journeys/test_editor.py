"""An editor's day: build, be stopped at file:line:column, mend, build again; prices never touch a technical text."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.journeys.conftest import OwnLedger

ARTICLE = "speculative-decoding"
DRAFT = f"records/articles/{ARTICLE}.md"
CITED = "paper-illusion-gains-shrink-with-batch"
MONEY = re.compile(r"[$€£]\s?\d|\d\s?(USD|EUR|GBP)\b|\bUSD\b", re.IGNORECASE)


def files_of(folder: Path) -> dict[str, bytes]:
    """Name and bytes of every file below a folder."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def line_of(own: OwnLedger, fragment: str) -> int:
    """The line of the draft on which a fragment stands first."""
    lines = (own.root / DRAFT).read_text("utf-8").splitlines()
    return next(number for number, line in enumerate(lines, 1) if fragment in line)


def edit(own: OwnLedger, path: str, before: str, after: str) -> None:
    """Replace the first occurrence of a text that must be there."""
    text = (own.root / path).read_text("utf-8")
    assert before in text
    (own.root / path).write_text(text.replace(before, after, 1), encoding="utf-8")


def test_both_documents_build_the_same_bytes_anywhere(own_ledger: OwnLedger, tmp_path: Path) -> None:
    done = own_ledger.build(ARTICLE, f"{ARTICLE}-pricing")
    assert done.returncode == 0, done.stderr
    elsewhere = OwnLedger(tmp_path / "elsewhere" / "deeper")
    assert elsewhere.build(ARTICLE, f"{ARTICLE}-pricing").returncode == 0
    first, second = files_of(own_ledger.root / "build"), files_of(elsewhere.root / "build")
    assert sorted(first) == sorted(second)
    assert [name for name in first if first[name] != second[name]] == []
    assert {name.rsplit(".", 1)[1] for name in first} == {"md", "html", "pdf", "svg"}


def test_the_technical_pdf_speaks_of_no_money_and_the_other_does(own_ledger: OwnLedger) -> None:
    own_ledger.build(ARTICLE, f"{ARTICLE}-pricing", formats="pdf")
    texts = [
        subprocess.run(
            ["pdftotext", "-layout", f"build/{name}.pdf", "-"], cwd=own_ledger.root, check=True, capture_output=True, text=True
        ).stdout
        for name in (ARTICLE, f"{ARTICLE}-pricing")
    ]
    assert MONEY.search(texts[0]) is None
    assert MONEY.search(texts[1])


def test_prices_change_no_technical_byte(own_ledger: OwnLedger) -> None:
    assert own_ledger.build(ARTICLE).returncode == 0
    before = files_of(own_ledger.root / "build")
    costs = sorted((own_ledger.root / "records" / "costs").glob("*.toml"))
    text = costs[0].read_text("utf-8")
    costs[0].with_name("another-price.toml").write_text(re.sub(r'^id = ".*"$', 'id = "another-price"', text, flags=re.MULTILINE))
    costs[1].unlink()
    edit(own_ledger, costs[2].relative_to(own_ledger.root).as_posix(), "per = ", "note = 'seen again'\nper = ")
    done = own_ledger.build(ARTICLE)
    assert done.returncode == 0, done.stderr
    assert files_of(own_ledger.root / "build") == before


def refused(own: OwnLedger, *said: str) -> str:
    """Build, expect a refusal that names the draft, and return what it said; nothing was written."""
    done = own.build(ARTICLE)
    assert done.returncode == 1, done.stdout + done.stderr
    assert not (own.root / "build").exists()
    assert "Traceback" not in done.stderr
    for fragment in said:
        assert fragment in done.stderr
    return done.stderr


def test_a_typed_number_stops_the_build_at_its_place(own_ledger: OwnLedger) -> None:
    edit(own_ledger, DRAFT, "Four findings recur", "It is 2.4x faster. Four findings recur")
    refused(own_ledger, f"{DRAFT}:{line_of(own_ledger, '2.4x')}:7:", "2.4x")


@pytest.mark.parametrize("sum_of_money", ["$3.20", "USD 3.20", "3 EUR"])
def test_money_stops_the_build_at_its_place(own_ledger: OwnLedger, sum_of_money: str) -> None:
    edit(own_ledger, DRAFT, "Four findings recur", f"It takes {sum_of_money} an hour. Four findings recur")
    refused(own_ledger, f"{DRAFT}:{line_of(own_ledger, sum_of_money)}:10:")


def test_a_pricing_id_stops_the_build_at_its_place(own_ledger: OwnLedger) -> None:
    price = sorted((own_ledger.root / "records" / "costs").glob("*.toml"))[0].stem
    edit(own_ledger, DRAFT, "Four findings recur", f"So it is [@{price}]. Four findings recur")
    refused(own_ledger, f"{DRAFT}:{line_of(own_ledger, price)}:", price)


def test_a_removed_claim_stops_the_build_where_it_is_cited(own_ledger: OwnLedger) -> None:
    (own_ledger.root / f"records/claims/{CITED}.toml").unlink()
    refused(own_ledger, f"{DRAFT}:{line_of(own_ledger, CITED)}:", CITED)


def test_a_retracted_claim_stops_the_build_where_it_is_cited(own_ledger: OwnLedger) -> None:
    assert own_ledger.run("retract", CITED, "--reason", "It was misread.").returncode == 0
    refused(own_ledger, f"{DRAFT}:{line_of(own_ledger, CITED)}:", "retracted")


def test_the_ledger_is_clean(own_ledger: OwnLedger) -> None:
    done = own_ledger.run("check")
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr

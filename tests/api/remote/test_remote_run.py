"""The folder of a run from another machine: found, and refused where it is not this plan's whole run."""

import shutil
from pathlib import Path

import pytest

from ledger.bench.journal.journal import Journal
from ledger.errors import LedgerError
from tests.api.remote.remote_fixtures import Edit, edit_header, edit_text, take
from tests.bench.journal.journal_fixtures import chain_again
from tests.bench.plan_ledger import PLAN, RUN, PlanLedger


def test_the_only_run_in_a_folder_is_found(ledger: PlanLedger, tmp_path: Path) -> None:
    ledger.run_away()
    shutil.move(ledger.box, tmp_path / "carried" / "deep")
    assert take(ledger, tmp_path / "carried").id == RUN


def without_line(part: str) -> Edit:
    """Take the first line that has a part out, and write the chain anew."""

    def edit(ledger: PlanLedger) -> None:
        lines = ledger.journal.read_text("utf-8").splitlines(keepends=True)
        lines.remove(next(line for line in lines if part in line))
        ledger.journal.write_text("".join(lines), encoding="utf-8")
        chain_again(ledger.journal)

    return edit


def without_zones(ledger: PlanLedger) -> None:
    """Take the time zone out of every instant."""
    ledger.journal.write_bytes(ledger.journal.read_bytes().replace(b"+00:00", b""))
    chain_again(ledger.journal)


def two_runs(ledger: PlanLedger) -> None:
    """Put two folders of runs into one."""
    for name in ("a", "b"):
        shutil.copytree(ledger.box, ledger.root.parent / name)
    ledger.journal.unlink()
    for name in ("a", "b"):
        shutil.move(ledger.root.parent / name, ledger.box / name)


REFUSED: dict[str, tuple[Edit, str]] = {
    "two folders": (two_runs, "holds 2 runs, a, b"),
    "two journals in one": (lambda it: it.journal.write_bytes(it.journal.read_bytes() * 2), "holds more than one run"),
    "no journal": (lambda it: it.journal.unlink(), "holds no journal.jsonl"),
    "no folder": (lambda it: shutil.rmtree(it.box), "no such folder"),
    "empty journal": (lambda it: it.journal.write_bytes(b""), "its last line is torn"),
    "torn line": (lambda it: it.journal.write_bytes(it.journal.read_bytes()[:-5]), "its last line is torn"),
    "torn line with an end": (lambda it: it.journal.write_bytes(it.journal.read_bytes() + b'{"kind"\n'), "its last line is torn"),
    "broken line": (edit_text('{"kind":"session-start"', '{"kind"', chained=False), "a line in the middle is broken"),
    "missing field": (edit_text('"chunk_tokens"', '"chunk_tokenz"'), "lines that the runner does not write"),
    "a word for a number": (edit_text('"sent_s":', '"sent_s":"soon","was":'), "lines that the runner does not write"),
    "a request that is gone": (
        without_line('"kind":"request"'),
        r":\d+: base at c1, repeat 1.*: 1 of \d requests are missing",
    ),
    "another prompt's request": (
        edit_text('"prompt_id":"p1"', '"prompt_id":"p2"'),
        r":\d+: .*took prompt p2, the plan",
    ),
    "a cell of another arm": (
        edit_text('"kind":"cell-end","arm":"base"', '"kind":"cell-end","arm":"ngram"'),
        "ngram at c1, repeat 1: ends without",
    ),
    "a line that was changed": (
        edit_text('"index":1', '"index":2', chained=False),
        r"journal\.jsonl:\d+: does not follow from the line before",
    ),
    "no time zone": (without_zones, "name no time zone"),
    "a plan that was edited": (edit_text("Does it help?", "Does it hurt?"), "its plan was changed"),
    "prompts that were edited": (edit_header(lambda header: header["prompts"][0].update(sha256="0" * 64)), "its prompts are not those"),
    "other prompts": (edit_header(lambda header: header["inputs"].update(prompts="0" * 64)), "ran another prompts"),
    "another suite": (edit_header(lambda header: header["inputs"].update(suite="0" * 64)), "ran another suite"),
    "no suite": (edit_header(lambda header: header["inputs"].pop("suite")), "ran another suite"),
    "an unknown format": (edit_header(lambda header: header.update(format=9)), "got format 9"),
    "another protocol here": (lambda it: it.add("protocol", PLAN, suites=["suite"], seed=1), "ran another plan than this ledger's"),
    "no protocol here": (lambda it: (it.root / f"records/protocols/{PLAN}.toml").unlink(), "no protocol of this ledger"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_this_plans_whole_run_leaves_nothing(ledger: PlanLedger, name: str) -> None:
    edit, says = REFUSED[name]
    ledger.run_away()
    edit(ledger)
    before = ledger.written()
    with pytest.raises(LedgerError, match=says) as refusal:
        take(ledger)
    assert "\n" not in str(refusal.value)
    assert ledger.written() == before
    assert not list((ledger.root / "records").rglob(".importing-*"))


def test_a_run_of_this_ledger_is_not_taken(ledger: PlanLedger) -> None:
    ledger.run_here()
    with pytest.raises(LedgerError, match="ledger bench resume"):
        take(ledger, ledger.root / "records/evidence" / RUN)
    shutil.copytree(ledger.root / "records/evidence" / RUN, ledger.box)
    with pytest.raises(LedgerError, match=f"taken already, as {RUN}"):
        take(ledger)


def test_a_run_at_work_is_not_taken(ledger: PlanLedger) -> None:
    ledger.run_away()
    with Journal.reopen(ledger.journal), pytest.raises(LedgerError, match="its run is at work"):
        take(ledger)

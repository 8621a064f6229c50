"""A run taken home is the run it would have been here; one that is not this plan's, or not whole, leaves nothing."""

import json
import shutil
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from ledger.bench.journal.events import EVENTS
from ledger.bench.journal.evidence_rows import TRACES
from ledger.bench.journal.journal import NAME, Journal
from ledger.errors import LedgerError
from ledger.model.records.run import Executor, Run
from tests.bench.fake_engine import Script, Step
from tests.bench.journal.journal_fixtures import chain_again, unchain
from tests.bench.plan_ledger import PLAN, RUN, PlanLedger, fake
from tests.bench.virtual_time import EPOCH, VirtualClock

OWN = Executor(relation="own", organisation="Test Works")


@pytest.fixture
def ledger(tmp_path: Path) -> PlanLedger:
    """A ledger whose plan has landed."""
    return PlanLedger(tmp_path / "works")


def take(ledger: PlanLedger, folder: Path | None = None, executor: Executor = OWN) -> Run:
    """Take a run home and return its record as it lies in the ledger."""
    opened = ledger.open()
    run_id = opened.remote.import_run(opened.remote.read(folder or ledger.box), executor).id
    return ledger.open().runs.run(run_id)


def comparable(ledger: PlanLedger) -> dict[str, bytes]:
    """What is written, but for what an import adds to the journal, the command, and what the device did meanwhile."""
    written = {path: content for path, content in ledger.written().items() if not path.endswith((NAME, EVENTS))}
    path = f"records/runs/{RUN}.json"
    [record] = json.loads(written[path])["run"]
    record["evidence"] = [item for item in record["evidence"] if not item["path"].endswith(EVENTS)]
    record.pop("conditions")
    record["environment"].pop("command")
    return written | {path: json.dumps(record).encode()}


def test_a_run_taken_home_equals_a_local_one(ledger: PlanLedger) -> None:
    ledger.run_here()
    here = comparable(ledger)
    (ledger.root / "records/runs" / f"{RUN}.json").unlink()
    shutil.rmtree(ledger.root / "records/evidence" / RUN)
    ledger.run_away()
    (ledger.box / "engine.log").write_text("loaded")
    assert take(ledger).id == RUN
    assert comparable(ledger) == here
    assert ledger.check() == []
    assert ledger.open().runs.verify(RUN) == []


def test_the_executor_is_the_one_named(ledger: PlanLedger) -> None:
    ledger.run_away()
    run = take(ledger, executor=Executor(relation="supplier", organisation="Vendor"))
    assert (run.executor.relation, run.executor.organisation, run.author) == ("supplier", "Vendor", "Test Works")
    assert ledger.open().runs.verify(run.id) == []


def test_an_unplanned_pack_stays_unplanned(ledger: PlanLedger) -> None:
    ledger.run_away(planned=False)
    run = take(ledger)
    assert (run.planned, run.decision) == (False, None)


def test_a_plan_that_landed_after_the_start_was_none(tmp_path: Path) -> None:
    ledger = PlanLedger(tmp_path / "works", landed_at="2026-01-01T02:00:00Z")
    ledger.run_away()
    run = take(ledger)
    assert not run.planned
    assert "plan landed at 2026-01-01 02:00:00 UTC, after the start at 2026-01-01 00:16:40" in run.deviations[0]
    assert all(name in run.deviations[0] for name in ("prompts landed", "suite landed"))
    assert ledger.open().runs.verify(run.id) == []


def test_a_plan_that_has_not_landed_here_was_none(ledger: PlanLedger) -> None:
    ledger.add("protocol", PLAN, suites=["suite"], seed=1)
    ledger.run_away()
    run = take(ledger)
    assert (run.planned, run.deviations) == (False, ("unplanned: plan has not landed",))


def test_a_journal_without_hashes_of_an_earlier_release_is_taken(ledger: PlanLedger) -> None:
    ledger.run_away()
    edit_header(lambda header: header.pop("inputs"))(ledger)
    unchain(ledger.journal)
    run = take(ledger)
    assert run.status == "complete"
    assert run.deviations == ("the journal was written by a release that did not chain its lines, so an edit of them would not show",)


def killed(ledger: PlanLedger) -> None:
    """Cut the journal in the second arm, as a kill would leave it."""
    lines = ledger.journal.read_bytes().splitlines(keepends=True)
    place = next(number for number, line in enumerate(lines) if b'"kind":"cell-start","arm":"ngram"' in line)
    ledger.journal.write_bytes(b"".join(lines[: place + 2]))


def test_a_part_is_taken_and_the_finished_run_supersedes_it(ledger: PlanLedger) -> None:
    ledger.run_away()
    killed(ledger)
    part = take(ledger)
    assert part.status == "partial"
    with pytest.raises(LedgerError, match=f"taken already, as {RUN}"):
        take(ledger)
    assert ledger.away("resume") == 0
    whole = take(ledger)
    assert (whole.id, whole.status) == (f"{RUN}-2", "complete")
    assert whole.supersedes is not None
    assert (whole.supersedes.id, whole.supersedes.because) == (RUN, "correction")
    with pytest.raises(LedgerError, match=f"taken already, as {RUN}-2"):
        take(ledger)
    assert ledger.check() == []
    assert ledger.open().runs.verify(whole.id) == []


def test_a_part_that_somebody_else_ran_is_not_finished_here(ledger: PlanLedger) -> None:
    ledger.run_away()
    killed(ledger)
    take(ledger, executor=Executor(relation="supplier", organisation="Chip Works"))
    with pytest.raises(LedgerError, match=f"{RUN}: Chip Works executed it"):
        ledger.open().runs.continuation(RUN, date(2026, 1, 2))


def test_another_run_of_the_same_instant_is_not_the_rest_of_a_part(ledger: PlanLedger) -> None:
    ledger.run_away()
    killed(ledger)
    take(ledger)
    shutil.rmtree(ledger.box)
    assert ledger.away("run", backend=fake(lambda _: Script(steps=(Step(0.5, 1),)))) == 0
    with pytest.raises(LedgerError, match="taken already"):
        take(ledger)


def test_a_taking_that_was_killed_is_taken_up(ledger: PlanLedger) -> None:
    """Evidence without a record, and a draft of it, are what a kill leaves; the run keeps its id."""
    ledger.run_away()
    take(ledger)
    wanted = ledger.written()
    ledger.open().runs.record_path(RUN).unlink()
    evidence = ledger.root / "records/evidence"
    (evidence / RUN / TRACES).write_bytes(b"half")
    shutil.copytree(evidence / RUN, evidence / ".importing-x" / RUN)
    assert take(ledger).id == RUN
    assert ledger.written() == wanted


def test_a_second_run_of_a_day_gets_a_number(ledger: PlanLedger) -> None:
    ledger.run_away()
    take(ledger)
    shutil.rmtree(ledger.box)
    assert ledger.away("run", clock=VirtualClock(5000.0)) == 0
    assert take(ledger).id == f"{RUN}-2"


def test_the_only_run_in_a_folder_is_found(ledger: PlanLedger, tmp_path: Path) -> None:
    ledger.run_away()
    shutil.move(ledger.box, tmp_path / "carried" / "deep")
    assert take(ledger, tmp_path / "carried").id == RUN


Edit = Callable[[PlanLedger], object]


def edit_header(change: Callable[[dict[str, Any]], object]) -> Edit:
    """Change the first line of the journal."""

    def edit(ledger: PlanLedger) -> None:
        first, *others = ledger.journal.read_text("utf-8").splitlines(keepends=True)
        header = json.loads(first)
        change(header)
        ledger.journal.write_text("".join([f"{json.dumps(header)}\n", *others]), encoding="utf-8")
        chain_again(ledger.journal)

    return edit


def edit_text(old: str, new: str, *, chained: bool = True) -> Edit:
    """Change text in the journal, once, and write its chain anew unless told otherwise."""

    def edit(ledger: PlanLedger) -> None:
        text = ledger.journal.read_text("utf-8")
        assert old in text
        ledger.journal.write_text(text.replace(old, new, 1), encoding="utf-8")
        if chained:
            chain_again(ledger.journal)

    return edit


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


def test_no_name_of_the_machine_enters(ledger: PlanLedger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/jane-doe")
    monkeypatch.setenv("USER", "jane-doe")
    monkeypatch.setenv("LOGNAME", "jane-doe")
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    failure = "OSError: file:///home/jane-doe/models/m.bin, or '/srv/tenants/acme/x y', is not readable by jane-doe"
    ledger.pack()
    assert ledger.away("run", backend=fake(lambda _: Script(fails=failure))) == 1
    run = take(ledger)
    texts = [path.read_bytes() for path in (ledger.journal, *(ledger.root / "records/evidence" / RUN).iterdir())]
    texts.append(ledger.open().runs.record_path(run.id).read_bytes())
    assert b"OSError" in texts[0]
    for name in (b"jane-doe", b"acme", b"hf_secret", str(ledger.root.parent).encode()):
        assert not any(name in text for text in texts), name
    assert run.started_at == EPOCH.replace(minute=16, second=40)

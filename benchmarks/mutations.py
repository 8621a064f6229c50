"""What `verify` makes of a run's record that was changed: random leaves one at a time, and whole parts moved, swapped or taken out.

A change is caught when the record can no longer be read, when the plan or the evidence is refused, or when `verify` names
it. What escapes must be among what the printed list calls recorded and not recomputable.
"""

import copy
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from benchmarks.fake import FakeBackend, FakeEngine, plan, prompts
from benchmarks.figures import Figure
from ledger.api.runs.plans import Inputs
from ledger.api.runs.run_record import run_of
from ledger.api.runs.verification import RECORDED, RunEvidence, evidence_of, file_faults, findings, verify
from ledger.bench.engine.interface import Engine, Memory, Scalars
from ledger.bench.journal.events import EVENTS
from ledger.bench.journal.evidence import evidence_in
from ledger.bench.journal.evidence_rows import ANSWERS, DRILLS, TRACES
from ledger.bench.journal.parquet import read_answers, read_traces, write_answers, write_traces
from ledger.bench.plan.suite_items import SuiteItem, item_of
from ledger.bench.run.run_request import RunRequest
from ledger.bench.run.runner import run_protocol
from ledger.errors import DataRefusedError
from ledger.model.catalogue import Entry
from ledger.model.records.protocol import Drill, Load, Protocol, Rule
from ledger.model.records.run import Executor, Run

LEAVES, SEED = 1_000, 17
PROMPTS, TOKENS = 8, 6
Record = dict[str, Any]
Path_ = tuple[str | int, ...]
Change = Callable[["Recorded"], Record]


class TellingEngine(FakeEngine):
    """A fake that has settings and memory, so that a record of it has every kind of leaf."""

    def effective_configuration(self) -> Scalars:
        """A few settings."""
        return {"model_config.dtype": "float32", "scheduler_config.max_num_seqs": 8, "cache_config.enable_prefix_caching": True}

    def memory(self) -> Memory:
        """Known figures."""
        return Memory(weights_bytes=1000, kv_cache_bytes=500, kv_cache_tokens=64, kv_cache_peak_share=0.25, resident_peak_bytes=2000)


class TellingBackend(FakeBackend):
    """Makes engines that have settings and memory."""

    def engine(self, *_: object) -> Engine:
        """Return a new fake."""
        return TellingEngine()


@dataclass(frozen=True, slots=True)
class Recorded:
    """A run, its plan and where its evidence lies."""

    run: Run
    protocol: Protocol
    inputs: Inputs
    folder: Path

    @property
    def record(self) -> Record:
        """The record as plain values, new every time."""
        return self.run.model_dump(mode="json", by_alias=True, exclude_defaults=True)

    @property
    def entry(self) -> Entry:
        """Where problems are placed."""
        return Entry(self.run, "records/runs/run.json")


def planned() -> Protocol:
    """Return a plan with all that a run can have: two loads and repeats, a suite, a drill, a rule and warm-up."""
    small = plan(requests=PROMPTS, chunks=TOKENS, concurrency=2)
    rule = Rule(
        id="faster",
        question="?",
        metric="run:@this#again~base/closed/tpot.p50",
        bound="at-most",
        value=Decimal("0.9"),
        direction="lower-is-better",
    )
    update: Record = {
        "loads": (*small.loads, Load(id="open", kind="open", rate_per_s=Decimal(1000), arrivals="poisson", requests=PROMPTS)),
        "suites": ("suite",),
        "drills": (Drill(id="leave", kind="disconnect", requests=2, after_chunks=1),),
        "repeats": 2,
        "warm_up_requests": 1,
        "rules": (rule,),
    }
    return small.model_copy(update=update)


def items() -> list[SuiteItem]:
    """Return two questions, one of which the fake answers rightly."""
    answer = " word" * 4
    raw: list[Record] = [
        {"id": name, "category": name, "messages": [{"role": "user", "content": "?"}], "max_tokens": 4, "check": check}
        for name, check in (("right", {"type": "contains", "any": [answer]}), ("wrong", {"type": "contains", "any": ["zebra"]}))
    ]
    return [item_of(one, "suite") for one in raw]


def recorded(folder: Path) -> Recorded:
    """Return a run on the fake engine, with its evidence in a folder of its own below the one given."""
    protocol, asked = planned(), prompts(PROMPTS)
    request = RunRequest(
        protocol=protocol,
        prompts=asked,
        suite_items=items(),
        model_path=folder,
        out_dir=folder / "run",
        planned=True,
        protocol_commit="0" * 40,
        executor=Executor(relation="own", organisation="Nobody"),
        backend_factory=lambda *_: TellingBackend(),
    )
    result = run_protocol(request)
    assert request.executor is not None  # given above
    run = run_of("run", result, executor=request.executor, author="Nobody").model_copy(update={"note": "A note."})
    return Recorded(run, protocol, Inputs(tuple(asked), tuple(items())), folder / "run")


# Single leaves


def leaves(value: object, path: Path_ = ()) -> Iterator[Path_]:
    """Yield the path of every plain value in a record."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from leaves(part, (*path, key))
    elif isinstance(value, list):
        for place, part in enumerate(value):
            yield from leaves(part, (*path, place))
    else:
        yield path


def changed(value: object, draw: random.Random) -> object:
    """Return another value of the same kind, mostly one that looks as good."""
    match value:
        case bool():
            return not value
        case int():
            return value + draw.choice((-1, 1, 7))
        case float():
            return value * draw.choice((0.5, 0.99, 1.01, 2.0)) if value else 1.0
        case str() if draw.random() < 0.5 and value:
            place = draw.randrange(len(value))
            return value[:place] + draw.choice("abcdef0123456789".replace(value[place].lower(), "")) + value[place + 1 :]
        case str():
            return value + "x"
        case _:
            return "something"


def change_leaf(record: Record, path: Path_, draw: random.Random) -> Record:
    """Return a record with one leaf changed."""
    found: Any = copy.deepcopy(record)
    part = found
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = changed(part[path[-1]], draw)
    return dict(found)


# Whole parts


def swap(field: str, name: str) -> Change:
    """Swap the two arms' names in every entry of a part."""

    def change(of: Recorded) -> Record:
        record = of.record
        other = {"base": "again", "again": "base"}
        for entry in record[field]:
            entry[name] = other.get(entry[name], entry[name])
        return record

    return change


def edit(change: Callable[[Record], object]) -> Change:
    """Do something to the record."""

    def apply(of: Recorded) -> Record:
        record = of.record
        change(record)
        return record

    return apply


def without(*fields: str) -> Change:
    """Take fields out of the record."""
    return edit(lambda record: [record.pop(field, None) for field in fields])


def put(*path: str | int, value: object) -> Change:
    """Put a value in a place of the record."""

    def change(record: Record) -> None:
        part: Any = record
        for step in path[:-1]:
            part = part[step]
        part[path[-1]] = value

    return edit(change)


def rewritten(file: str, change: Callable[[list[Any]], list[Any]]) -> Change:
    """Change the rows of an evidence file, and give the record the new hash and size."""

    def apply(of: Recorded) -> Record:
        path = of.folder / file
        if file == ANSWERS:
            write_answers(change(read_answers(path)), path)
        else:
            write_traces(change(read_traces(path)), path)
        return with_hashes(of)

    return apply


def events_changed(old: bytes, new: bytes) -> Change:
    """Change the kept journal, and give the record the new hash and size."""

    def apply(of: Recorded) -> Record:
        path = of.folder / EVENTS
        content = path.read_bytes()
        assert old in content
        path.write_bytes(content.replace(old, new, 1))
        return with_hashes(of)

    return apply


def file_gone(file: str) -> Change:
    """Take an evidence file away, and its entry."""

    def apply(of: Recorded) -> Record:
        (of.folder / file).unlink()
        return with_hashes(of)

    return apply


def with_hashes(of: Recorded) -> Record:
    """Return the record with the hashes and sizes that its evidence files have now."""
    evidence = [item.model_copy(update={"path": f"run/{item.path}"}).model_dump(mode="json") for item in evidence_in(of.folder)]
    return of.record | {"evidence": evidence}


def each(**values: object) -> Callable[[list[Any]], list[Any]]:
    """Change fields of the first row of a file that has another value there."""
    from dataclasses import replace

    def change(rows: list[Any]) -> list[Any]:
        place = next(n for n, row in enumerate(rows) if all(getattr(row, name) != value for name, value in values.items()))
        return [*rows[:place], replace(rows[place], **values), *rows[place + 1 :]]

    return change


def first_two_swapped(rows: list[Any]) -> list[Any]:
    """Swap the first two rows."""
    return [rows[1], rows[0], *rows[2:]]


STRUCTURAL: dict[str, Change] = {
    "arms of all cells swapped": swap("cells", "arm"),
    "arms of all comparisons swapped": swap("comparisons", "arm"),
    "base of a comparison": put("comparisons", 0, "base", value="again"),
    "arms of the suites swapped": swap("suites", "arm"),
    "arms of the drills swapped": swap("drills", "arm"),
    "arms of the conditions swapped": swap("conditions", "arm"),
    "a cell moved to another load": put("cells", 0, "load", value="open"),
    "a cell moved to another repeat": put("cells", 0, "repeat", value=7),
    "a pooled cell called a repeat": put("cells", 2, "repeat", value=1),
    "a comparison moved to another load": put("comparisons", 0, "load", value="open"),
    "a cell taken out": edit(lambda record: record["cells"].pop(0)),
    "a cell twice": edit(lambda record: record["cells"].append(record["cells"][0])),
    "two cells in the other order": edit(lambda record: record["cells"].insert(0, record["cells"].pop(1))),
    "all comparisons taken out": without("comparisons"),
    "a metric taken out": edit(lambda record: record["cells"][0]["metrics"].pop("tpot.p50")),
    "a metric put in": edit(lambda record: record["cells"][0]["metrics"].update({"x.y": {"value": 1.0, "unit": "s", "n": 1}})),
    "two metrics swapped": edit(lambda record: swap_keys(record["cells"][0]["metrics"], "tpot.mean", "ttft.mean")),
    "an interval taken out": edit(lambda record: drop_interval(record)),
    "50 failed requests": put("cells", 0, "requests", "failed", value=50),
    "one request fewer": put("cells", 0, "requests", "sent", value=PROMPTS - 1),
    "verdicts taken out": without("verdicts"),
    "a verdict turned": put("verdicts", 0, "outcome", value="pass"),
    "a decision put in": put("decision", value="again"),
    "suites taken out": without("suites"),
    "a suite passed whole": edit(lambda record: record["suites"][0].update(passed=2, failed=0)),
    "drills taken out": without("drills"),
    "an instant of a drill": edit(lambda record: record["drills"][0]["instants_s"].update(fault=0.5)),
    "conditions taken out": without("conditions"),
    "memory taken out": without("memory"),
    "memory of the arms swapped": edit(lambda record: swap_keys(record["memory"], "base", "again", tweak=True)),
    "deviations taken out": without("deviations"),
    "a deviation put in": edit(lambda record: record.update(deviations=["all went well"])),
    "all evidence taken out": put("evidence", value=[]),
    "an entry of the evidence taken out": edit(lambda record: record["evidence"].pop()),
    "another size": edit(lambda record: record["evidence"][0].update(bytes=1)),
    "another kind of file": edit(lambda record: record["evidence"][0].update(media_type="text/plain")),
    "hardware renamed": put("environment", "hardware", value="NVIDIA H100"),
    "engine version": put("environment", "engine", value="vLLM 9.9"),
    "a fact of the environment put in": put("environment", "power_limit_w", value=700),
    "configurations swapped": edit(lambda record: record["configurations"]["base"].update({"model_config.dtype": "bfloat16"})),
    "started an hour earlier": put("started_at", value="2020-01-01T00:00:00Z"),
    "half the duration": edit(lambda record: record.update(duration_s=record["duration_s"] / 2)),
    "another executor": put("executor", value={"relation": "supplier", "organisation": "Vendor"}),
    "another relation": put("executor", "relation", value="third-party"),
    "another commit": put("protocol_commit", value="1" * 40),
    "called unplanned": put("planned", value=False),
    "called partial": put("status", value="partial"),
    "called failed": put("status", value="failed"),
    "another plan": put("protocol", value="other"),
    "another meaning of the plan": put("protocol_meaning", value="m1:" + "0" * 64),
    "another id": put("id", value="other"),
    "evidence of another run": edit(
        lambda record: [item.update(path=item["path"].replace("run/", "other/")) for item in record["evidence"]]
    ),
    "traces: labels swapped": rewritten(TRACES, lambda rows: [swapped_arm(row) for row in rows]),
    "traces: a request taken out": rewritten(TRACES, lambda rows: rows[1:]),
    "traces: two requests swapped": rewritten(TRACES, first_two_swapped),
    "traces: a finish reason": rewritten(TRACES, each(finish_reason="stop")),
    "traces: an error": rewritten(TRACES, each(error="EngineDeadError")),
    "traces: an index": rewritten(TRACES, each(index=99)),
    "traces: a text": rewritten(TRACES, each(output_text="something else")),
    "traces: a hash": rewritten(TRACES, each(output_sha256="0" * 64)),
    "traces: an outcome": rewritten(TRACES, each(outcome="failed")),
    "traces: an instant": rewritten(TRACES, each(sent_s=0.0)),
    "answers: a grade": rewritten(ANSWERS, each(grade="passed")),
    "answers: why": rewritten(ANSWERS, each(because="as one likes")),
    "answers: a text": rewritten(ANSWERS, each(output_text="zebra")),
    "answers: an item": rewritten(ANSWERS, each(item="third")),
    "drills: a request taken out": rewritten(DRILLS, lambda rows: rows[1:]),
    "journal: planned": events_changed(b'"planned":true', b'"planned":false'),
    "journal: hardware": events_changed(b'"hardware":"none"', b'"hardware":"H100"'),
    "journal: a repeat of a session": events_changed(b'"kind":"session-start","arm":"again"', b'"kind":"session-start","arm":"base"'),
    "journal: its end": events_changed(b'"kind":"journal-end","lines":', b'"kind":"journal-end","lines":1'),
    "answers gone": file_gone(ANSWERS),
    "drills gone": file_gone(DRILLS),
    "traces gone": file_gone(TRACES),
}
"""What somebody might do who edits more than one number."""


def swap_keys(of: Record, first: str, second: str, *, tweak: bool = False) -> None:
    """Swap two entries; with `tweak` one of them is doubled before, where both may be equal."""
    if tweak:
        of[first] = {key: measure | {"value": measure["value"] * 2} for key, measure in of[first].items()}
    of[first], of[second] = of[second], of[first]


def drop_interval(record: Record) -> None:
    """Take the first interval that there is out."""
    for cell in record["cells"]:
        for measure in cell["metrics"].values():
            if measure.pop("low", None) is not None:
                measure.pop("high")
                return


def swapped_arm(row: Any) -> Any:
    """Return a request under the other arm's name."""
    from dataclasses import replace

    return replace(row, arm={"base": "again", "again": "base"}[row.arm])


# What is caught


def is_unchanged(of: Recorded, record: Record) -> bool:
    """Whether a record reads as the one it was made from."""
    try:
        return Run.model_validate(record) == of.run
    except ValidationError:
        return False


def is_caught(of: Recorded, record: Record, evidence: RunEvidence | None = None) -> bool:
    """Whether a changed record is noticed.

    Args:
        of: The run as it was recorded.
        record: Its record, changed.
        evidence: What the evidence gives, where it is unchanged and known already.
    """
    try:
        run = Run.model_validate(record)
    except ValidationError:
        return True
    if run.protocol != of.protocol.id:
        return True  # there is no such plan, or one that means something else
    try:
        if evidence is None:
            return bool(verify(of.entry, run, of.protocol, folder=of.folder, inputs=of.inputs))
        changed_plan = run.protocol_meaning != of.run.protocol_meaning
        return changed_plan or bool(file_faults(of.entry, run, of.folder) or findings(of.entry, run, evidence))
    except DataRefusedError:
        return True


def escaped_leaves(of: Recorded, count: int, seed: int = SEED) -> tuple[list[str], Counter[str]]:
    """Return the leaves whose change was not noticed, and how many of each part of the record were tried."""
    draw = random.Random(seed)
    record = of.record
    evidence = evidence_of(of.entry, of.run, of.protocol, folder=of.folder, inputs=of.inputs)
    by_part: dict[str, list[Path_]] = {}
    for path in leaves(record):
        by_part.setdefault(str(path[0]), []).append(path)
    missed: list[str] = []
    tried: Counter[str] = Counter()
    while tried.total() < count:
        part = draw.choice(sorted(by_part))  # each part as often as any other, however many leaves the cells have
        path = draw.choice(by_part[part])
        mutated = change_leaf(record, path, draw)
        if is_unchanged(of, mutated):
            continue  # another way to write the same value, such as an instant with one digit too many
        tried[part] += 1
        if not is_caught(of, mutated, evidence):
            missed.append(".".join(map(str, path)))
    return missed, tried


def escaped_parts(of: Recorded) -> list[str]:
    """Return the structural changes that were not noticed; every one is tried on evidence of its own."""
    missed = []
    for name, change in STRUCTURAL.items():
        with tempfile.TemporaryDirectory() as folder:
            own = Recorded(of.run, of.protocol, of.inputs, Path(folder) / "run")
            shutil.copytree(of.folder, own.folder)
            if not is_caught(own, change(own)):
                missed.append(name)
    return missed


def is_listed(leaf: str) -> bool:
    """Whether a leaf is among what is recorded and cannot be recomputed."""
    listed = {name for names in RECORDED for name in names.split(", ")}
    return leaf.partition(".")[0] in listed


def main(count: int = LEAVES) -> list[Figure]:
    """Print the misses, and return how many changes were noticed."""
    with tempfile.TemporaryDirectory() as name:
        of = recorded(Path(name))
        assert not verify(of.entry, of.run, of.protocol, folder=of.folder, inputs=of.inputs)  # an unchanged run has no finding
        missed, tried = escaped_leaves(of, count)
        missed_parts = escaped_parts(of)
    for part, number in sorted(tried.items()):
        gone = [leaf for leaf in missed if leaf.partition(".")[0] == part]
        print(f"  {part:<18} {number - len(gone):>4} of {number:>4} caught", flush=True)
    for leaf, times in Counter(missed).items():
        print(f"  missed: {leaf}, {times} times{'' if is_listed(leaf) else ' and in no list'}", flush=True)
    for part in missed_parts:
        print(f"  missed: {part}", flush=True)
    unlisted = [leaf for leaf in missed if not is_listed(leaf)]
    caught = f"{count - len(missed)} of {count} caught, {len(missed)} recorded and not recomputable, {len(unlisted)} missed"
    return [
        Figure(f"{count:,} random changes of one leaf of a run's record", caught, "0 missed", not unlisted),
        Figure(
            f"{len(STRUCTURAL)} changes of whole parts of a record or its evidence",
            f"{len(STRUCTURAL) - len(missed_parts)} caught",
            "all",
            not missed_parts,
        ),
    ]


if __name__ == "__main__":
    sys.exit(0 if all(figure.met for figure in main()) else 1)

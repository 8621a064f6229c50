"""What may be appended, and what every rule refuses before a file is made (C20)."""

from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from inline_snapshot import snapshot

from ledger.errors import DataRefusedError, EnvironmentFaultError, UsageError
from ledger.model.records.review import Review
from ledger.model.values.meaning import meaning_hash
from ledger.store.append.operations import RecordWriter, with_change

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder

TODAY = date(2025, 6, 1)


@pytest.fixture(autouse=True)
def _no_identity(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/nonexistent")
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    monkeypatch.delenv("GIT_AUTHOR_NAME", raising=False)


def writer(folder: "LedgerFolder") -> RecordWriter:
    return folder.open().writing.record_writer(TODAY)


def refusal(folder: "LedgerFolder", kind: str, **fields: Any) -> list[str]:
    before = sorted(folder.root.rglob("*.toml"))
    with pytest.raises(DataRefusedError) as refused:
        writer(folder).add(kind, fields)
    assert sorted(folder.root.rglob("*.toml")) == before
    return [str(problem) for problem in refused.value.problems]


MEASURED = {"label": "measured", "side": "technical", "subject": "accelerator-q/decode", "asserted_on": "2025-05-20"}


def test_a_suppliers_run_behind_a_measured_claim_is_refused(ledger_folder: "LedgerFolder") -> None:
    """C20: the maker ran it."""
    ledger_folder.add_plan()
    ledger_folder.add("run", "maker-run", executor={"relation": "supplier", "organisation": "Quark Silicon"})
    found = refusal(
        ledger_folder,
        "claim",
        id="q-serves",
        statement="It serves {rate}.",
        values={"rate": "run:maker-run#base/c1/tpot.p50"},
        **MEASURED,
    )
    assert found == snapshot(
        [
            (
                "q-serves: values.rate: maker-run was executed by Quark Silicon: the operator is the maker of accelerator-q/decode. "
                "Label the statement vendor-claimed. [LEDG023]"
            )
        ]
    )


def test_a_suppliers_file_with_typed_numbers_is_no_measurement(page_folder: "LedgerFolder") -> None:
    """C20: a source outside and a typed number."""
    quantity = {"name": "rate", "metric": "output-throughput", "value": "3120", "unit": "tok/s/GPU"}
    found = refusal(page_folder, "claim", id="q-serves", statement="It serves {rate}.", source="page", quantities=[quantity], **MEASURED)
    assert found == snapshot(
        [
            "q-serves: a measured statement without values, so no run stands behind it. Refer to a run under values. [LEDG022]",
            "q-serves: quantities: a measured statement types numbers. Refer to a run under values. [LEDG022]",
            "q-serves: source: a measured statement has a source outside. Label it vendor-claimed, or refer to our own run. [LEDG022]",
        ]
    )


def test_an_own_measurement_without_a_run_is_refused(ledger_folder: "LedgerFolder") -> None:
    """C20: ours, no file."""
    found = refusal(ledger_folder, "claim", id="q-lab", statement="It is quick in our lab.", **MEASURED)
    assert found == snapshot(
        ["q-lab: a measured statement without values, so no run stands behind it. Refer to a run under values. [LEDG022]"]
    )


def test_every_fault_of_form_is_told_at_once(page_folder: "LedgerFolder") -> None:
    found = refusal(page_folder, "claim", id="Bad id", label="guess", statment="S", asserted_on="2025-13")
    assert [line.split(": ")[1] for line in found] == snapshot(["id", "label", "side", "subject", "statement", "asserted_on", "statment"])


def test_what_machines_write_is_not_added_by_hand(page_folder: "LedgerFolder") -> None:
    for kind, program in (("run", "ledger bench run"), ("edition", "article publish"), ("article", "article new")):
        with pytest.raises(UsageError, match=program):
            writer(page_folder).add(kind, {})


def test_a_successor_is_a_copy_with_changes_and_the_old_file_stays(page_folder: "LedgerFolder") -> None:
    old_file = page_folder.root / "records/claims/drafts.toml"
    before = old_file.read_bytes()
    written = writer(page_folder).supersede(
        page_folder.open().entry("drafts"),
        new_id="drafts-2",
        because="correction",
        reason="Read again.",
        changes={("locator",): "second section", ("caveats",): ["one set"]},
    )
    new = page_folder.catalogue().by_id[written.ids[0]].record
    old = page_folder.catalogue().by_id["drafts"].record
    assert old_file.read_bytes() == before
    assert new.supersedes is not None
    assert (new.supersedes.id, new.supersedes.because, new.supersedes.reason) == ("drafts", "correction", "Read again.")
    changed = {"id", "supersedes", "locator", "caveats", "author"}
    assert new.model_dump(exclude=changed) == old.model_dump(exclude=changed)
    assert page_folder.codes() == []


def test_the_successors_author_is_who_writes_it(page_folder: "LedgerFolder", monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_AUTHOR_NAME", "N. Ew")
    old = page_folder.open().entry("drafts")
    writer(page_folder).supersede(old, new_id="d2", because="change", reason="r", changes={("locator",): "x"})
    assert getattr(page_folder.catalogue().by_id["d2"].record, "author", None) == "N. Ew"


def test_a_second_successor_is_refused(page_folder: "LedgerFolder") -> None:
    page_folder.add("claim", "heir", supersedes={"id": "drafts", "because": "change", "reason": "r"})
    with pytest.raises(DataRefusedError) as refused:
        writer(page_folder).supersede(
            page_folder.open().entry("drafts"), new_id="other", because="change", reason="r", changes={("locator",): "x"}
        )
    assert [problem.code for problem in refused.value.problems] == ["LEDG013"]


def test_a_successor_that_differs_in_nothing_is_refused(page_folder: "LedgerFolder") -> None:
    old = page_folder.open().entry("drafts")
    with pytest.raises(UsageError, match="nothing differs"):
        writer(page_folder).supersede(old, new_id="d2", because="change", reason="r", changes={("locator",): "first section"})


def test_a_retraction_takes_its_target_back(page_folder: "LedgerFolder") -> None:
    written = writer(page_folder).retract(page_folder.open().entry("drafts"), reason="Not what it says.")
    assert written.ids == ("drafts-retraction",)
    assert page_folder.catalogue().retractions["drafts"].record.id == "drafts-retraction"


def test_a_review_holds_the_meaning_reviewed(page_folder: "LedgerFolder") -> None:
    entry = page_folder.open().entry("drafts")
    written = writer(page_folder).review([entry], verdict="accepted", aspects=["locator"], reviewer="R. Eader")
    review = page_folder.catalogue().get(written.ids[0], Review)
    assert review is not None
    assert (review.target_meaning, review.reviewed_on, review.bulk) == (meaning_hash(entry.record), TODAY, None)
    assert written.ids == ("drafts-review-2025-06-01-r-eader",)


def test_several_reviews_at_once_are_marked_as_bulk(page_folder: "LedgerFolder") -> None:
    ledger = page_folder.open()
    targets = [ledger.entry("drafts"), ledger.entry("page")]
    written = writer(page_folder).review(targets, verdict="rejected", aspects=["numbers", "locator"], reviewer="R. Eader")
    assert [review.bulk for review in page_folder.catalogue().of(Review)] == [2, 2]
    assert len(written.paths) == 2


def test_reviewing_again_on_the_same_day_makes_a_second_record(page_folder: "LedgerFolder") -> None:
    for _ in range(2):
        entry = page_folder.open().entry("drafts")
        writer(page_folder).review([entry], verdict="accepted", aspects=["locator"], reviewer="R. Eader")
    assert len(page_folder.catalogue().of(Review)) == 2


@pytest.mark.parametrize("name", ["A. Uthor", "a.  uthor"])
def test_nobody_reviews_his_own_record(name: str, page_folder: "LedgerFolder") -> None:
    entries = [page_folder.open().entry("page"), page_folder.open().entry("drafts")]
    with pytest.raises(DataRefusedError) as refused:
        writer(page_folder).review(entries, verdict="accepted", aspects=["locator"], reviewer=name)
    assert [problem.record for problem in refused.value.problems] == ["drafts"]
    assert page_folder.catalogue().of(Review) == []


def test_nobody_reviews_a_record_without_author_that_he_committed(page_folder: "LedgerFolder") -> None:
    page_folder.git("init", "-q")
    page_folder.git("add", ".")
    page_folder.git("commit", "-qm", "one")
    with pytest.raises(DataRefusedError):
        writer(page_folder).review([page_folder.open().entry("page")], verdict="accepted", aspects=["locator"], reviewer="T")


def test_no_reviewer_is_made_up(page_folder: "LedgerFolder") -> None:
    """C38."""
    with pytest.raises(EnvironmentFaultError, match=r"user\.name and user\.email .* --reviewer"):
        writer(page_folder).review([page_folder.open().entry("drafts")], verdict="accepted", aspects=["locator"])


def test_a_record_without_identity_has_no_author(page_folder: "LedgerFolder") -> None:
    fields = {"label": "proposed", "side": "technical", "subject": "a", "statement": "S", "asserted_on": "2025-01-10"}
    writer(page_folder).add("claim", {"id": "hope", **fields})
    assert getattr(page_folder.catalogue().by_id["hope"].record, "author", "") is None


FIELDS = {"a": 1, "list": [{"name": "x", "v": 1}, {"id": "y", "v": 2}], "texts": ["p", "q"], "table": {"k": 1}}


@pytest.mark.parametrize(
    ("path", "new", "expected"),
    [
        (("a",), 2, {**FIELDS, "a": 2}),
        (("a",), None, {name: value for name, value in FIELDS.items() if name != "a"}),
        (("list", "y", "v"), 3, {**FIELDS, "list": [{"name": "x", "v": 1}, {"id": "y", "v": 3}]}),
        (("list", "0"), None, {**FIELDS, "list": [{"id": "y", "v": 2}]}),
        (("texts", "1"), "r", {**FIELDS, "texts": ["p", "r"]}),
        (("table", "new"), 2, {**FIELDS, "table": {"k": 1, "new": 2}}),
        (("fresh", "k"), 2, {**FIELDS, "fresh": {"k": 2}}),
    ],
)
def test_a_change_reaches_inside_and_leaves_the_rest(path: tuple[str, ...], new: object, expected: dict[str, Any]) -> None:
    before = repr(FIELDS)
    assert with_change(FIELDS, path, new) == expected
    assert repr(FIELDS) == before


@pytest.mark.parametrize("path", [("a", "b"), ("list", "z", "v"), ("texts", "2")])
def test_a_change_of_no_place_is_refused(path: tuple[str, ...]) -> None:
    with pytest.raises(UsageError):
        with_change(FIELDS, path, "new")

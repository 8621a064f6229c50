"""A waiver silences one rule about one record until a day, and says so when it no longer does."""

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

import pytest

from ledger.analysis.upkeep.waivers import WAIVABLE

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder

WORDY = "Drafts come cheap."
"""A statement that LEDG042 asks about."""


def waive(folder: "LedgerFolder", waiver_id: str = "w", rule: str = "LEDG042", target: str = "wordy", until: str = "2025-07-01") -> None:
    folder.write(
        f"records/waivers/{waiver_id}.toml",
        f'[[waiver]]\nid = "{waiver_id}"\nrule = "{rule}"\ntarget = "{target}"\nreason = "A name."\nuntil = {until}\nby = "Ada"\n',
    )


def codes_on(folder: "LedgerFolder", day: date) -> list[str]:
    now = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
    return [problem.code for problem in folder.open(now).check()]


@pytest.fixture
def wordy_folder(ledger_folder: "LedgerFolder") -> "LedgerFolder":
    """A ledger with one claim that speaks of prices."""
    ledger_folder.add_page()
    ledger_folder.add("claim", "wordy", statement=WORDY)
    return ledger_folder


def test_a_finding_without_a_waiver_stays(wordy_folder: "LedgerFolder") -> None:
    assert codes_on(wordy_folder, date(2025, 6, 1)) == ["LEDG042"]


@pytest.mark.parametrize(("day", "codes"), [(date(2025, 6, 30), []), (date(2025, 7, 1), ["LEDG042", "LEDG073"])])
def test_it_holds_up_to_its_end_exclusive(day: date, codes: list[str], wordy_folder: "LedgerFolder") -> None:
    waive(wordy_folder)
    assert codes_on(wordy_folder, day) == codes


def test_it_silences_one_rule_about_one_record(wordy_folder: "LedgerFolder") -> None:
    wordy_folder.add("claim", "wordy-too", statement=WORDY)
    waive(wordy_folder)
    now = datetime(2025, 6, 1, tzinfo=UTC)
    assert [(problem.code, problem.record) for problem in wordy_folder.open(now).check()] == [("LEDG042", "wordy-too")]


def test_an_error_can_be_waived_too(wordy_folder: "LedgerFolder") -> None:
    wordy_folder.add("claim", "wordy", statement="It takes 3 ms.")
    waive(wordy_folder, rule="LEDG032")
    assert codes_on(wordy_folder, date(2025, 6, 1)) == []


def test_a_retracted_or_superseded_waiver_no_longer_counts(wordy_folder: "LedgerFolder") -> None:
    waive(wordy_folder)
    wordy_folder.add("retraction", "gone", target="w")
    assert codes_on(wordy_folder, date(2025, 6, 1)) == ["LEDG042"]
    assert codes_on(wordy_folder, date(2025, 8, 1)) == ["LEDG042"]


def test_a_successor_with_a_later_end_takes_over_and_the_old_one_is_no_finding(wordy_folder: "LedgerFolder") -> None:
    waive(wordy_folder)
    wordy_folder.add("waiver", "w2", target="wordy", until="2026-01-01", supersedes={"id": "w", "because": "change", "reason": "Longer."})
    assert codes_on(wordy_folder, date(2025, 8, 1)) == []


def test_a_second_waiver_with_a_later_end_silences_the_first_too(wordy_folder: "LedgerFolder") -> None:
    waive(wordy_folder)
    waive(wordy_folder, "w2", until="2026-01-01")
    assert codes_on(wordy_folder, date(2025, 8, 1)) == []


@pytest.mark.parametrize(
    ("rule", "words"), [("LEDG999", "there is no rule"), ("LEDG001", "cannot be waived"), ("LEDG073", "cannot be waived")]
)
def test_an_unknown_rule_is_an_error(rule: str, words: str, wordy_folder: "LedgerFolder") -> None:
    waive(wordy_folder, rule=rule)
    [problem] = [problem for problem in wordy_folder.check() if problem.code == "LEDG072"]
    assert (words in problem.message, problem.severity) == (True, "error")
    assert problem.place.startswith("records/waivers/w.toml:3:")


def test_a_misspelt_rule_comes_with_the_nearest_one(wordy_folder: "LedgerFolder") -> None:
    waive(wordy_folder, rule="LEDG420")
    [problem] = [problem for problem in wordy_folder.check() if problem.code == "LEDG072"]
    assert problem.remedy.startswith("Did you mean LEDG0")


def test_an_unknown_target_is_an_error(wordy_folder: "LedgerFolder") -> None:
    waive(wordy_folder, target="wordly")
    assert ("LEDG011", "error") in [(problem.code, problem.severity) for problem in wordy_folder.check()]


def test_faults_of_files_and_of_waivers_cannot_be_waived() -> None:
    assert not WAIVABLE & {"LEDG001", "LEDG002", "LEDG003", "LEDG004", "LEDG005", "LEDG072", "LEDG073"}
    assert {"LEDG025", "LEDG032", "LEDG042"} <= WAIVABLE


def test_what_keeps_labels_sides_ids_and_history_apart_cannot_be_waived() -> None:
    labels, sides = {"LEDG020", "LEDG021", "LEDG022", "LEDG023", "LEDG024", "LEDG026"}, {"LEDG040", "LEDG041"}
    assert not WAIVABLE & (labels | sides | {"LEDG010", "LEDG011", "LEDG015", "LEDG070", "LEDG090", "LEDG092"})


def test_a_waiver_of_more_than_a_year_silences_nothing(wordy_folder: "LedgerFolder") -> None:
    waive(wordy_folder, until="2199-01-01")
    assert codes_on(wordy_folder, date(2025, 6, 1)) == ["LEDG042", "LEDG074"]

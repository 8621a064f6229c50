"""`Ledger` from Python, as a notebook uses it."""

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import ledger
from ledger.errors import UsageError

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder


@pytest.fixture
def opened(ledger_folder: "LedgerFolder", monkeypatch: pytest.MonkeyPatch) -> ledger.Ledger:
    """A small ledger, opened at the current folder."""
    ledger_folder.add_page()
    ledger_folder.add("claim", "a")
    ledger_folder.add("claim", "b", asserted_on="2025-02", supersedes={"id": "a", "because": "change", "reason": "Moved."})
    ledger_folder.add("cost", "p", amount="2.50")
    monkeypatch.chdir(ledger_folder.root)
    return ledger.Ledger.open(".")


def test_records_come_as_typed_values(opened: ledger.Ledger) -> None:
    assert [claim.id for claim in opened.claims()] == ["a", "b"]
    assert [claim.id for claim in opened.claims(as_of=date(2025, 1, 31))] == ["a"]
    assert [claim.id for claim in opened.claims(as_of=date(2025, 2, 1))] == ["b"]
    assert [source.last_seen for source in opened.sources(relation="supplier")] == [date(2025, 1, 5)]
    [cost] = opened.costs(as_of=date(2025, 6, 1))
    assert (str(cost.amount), cost.currency) == ("2.50", "USD")


def test_it_is_found_from_below_and_by_text_or_path(opened: ledger.Ledger) -> None:
    assert ledger.Ledger.open("records/claims").root == Path.cwd()
    assert ledger.Ledger.open(Path()).root == Path.cwd()


def test_an_entry_says_where_it_is_and_what_names_it(opened: ledger.Ledger) -> None:
    assert opened.entry("a").path == "records/claims/a.toml"
    assert opened.queries.named_by("page") == ["a", "b", "p"]
    assert opened.queries.named_by("b") == []


@pytest.mark.parametrize(("asked", "told"), [("pagee", "Did you mean page"), ("zzzzzz", "See `ledger claims`.")])
def test_an_unknown_id_suggests_what_is_near(asked: str, told: str, opened: ledger.Ledger) -> None:
    with pytest.raises(UsageError, match=told):
        opened.entry(asked)


def test_the_package_names_its_version_and_nothing_else() -> None:
    assert ledger.__version__.count(".") == 2
    with pytest.raises(AttributeError, match="no attribute 'Leger'"):
        getattr(ledger, "Leger")  # noqa: B009  # an attribute that is not there


def test_outside_a_repository_there_is_no_head(opened: ledger.Ledger) -> None:
    assert opened.files.head() is None


def test_the_head_names_commit_and_detached(opened: ledger.Ledger, ledger_folder: "LedgerFolder") -> None:
    ledger_folder.git("init", "-q", "-b", "main")
    assert opened.files.head() is None
    ledger_folder.git("add", ".")
    ledger_folder.git("commit", "-qm", "one")
    commit = ledger_folder.git("rev-parse", "HEAD").strip()
    assert str(opened.files.head()) == f"commit {commit[:12]}, main"
    ledger_folder.git("checkout", "-q", "--detach")
    assert str(opened.files.head()) == f"commit {commit[:12]}, detached"

"""Order, limits, recorded days and the lists of runs, protocols and drafts."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.claim_fixtures import Ask
    from tests.conftest import LedgerFolder


Rows = Callable[..., list[dict[str, Any]]]

ARTICLE = '+++\ntitle = "Draft"\nside = "technical"\ntype = "technical"\nauthors = ["A"]\nas_of = 2025-06-01\nsummary = "S."\n+++\nText.\n'


def test_sort_and_limit_combine_with_filters(ledger_folder: "LedgerFolder", ask: "Ask", rows: Rows) -> None:
    ledger_folder.add_page()
    for name, amount, region in (("a", "10.5", "eu-west"), ("b", "9", "eu-west"), ("c", "1", "us-east"), ("d", "unknown", "eu-west")):
        ledger_folder.add("cost", name, amount=amount, region=region, item=f"demo/{name}")
    assert [row["id"] for row in rows("costs", "--sort", "amount", "--region", "eu-west")] == ["b", "a", "d"]
    assert [row["id"] for row in rows("costs", "--sort", "-amount", "--limit", "2")] == ["a", "b"]
    code, _out, err = ask("costs", "--sort", "amout")
    assert (code, "Did you mean amount?" in err) == (2, True)
    assert ask("costs", "--limit", "0")[0] == 2


def test_rows_say_when_they_were_recorded(ledger_folder: "LedgerFolder", rows: Rows, monkeypatch: pytest.MonkeyPatch) -> None:
    ledger_folder.add_page()
    assert rows("sources")[0]["recorded_on"] == "unknown"
    ledger_folder.git("init", "-q", "-b", "main")
    ledger_folder.git("add", "-A")
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2025-05-01T23:30:00Z")
    ledger_folder.git("commit", "-qm", "first")
    ledger_folder.write("ledger.toml", 'organisation = "Test Works"\ntime_zone = "Europe/Berlin"\n')
    ledger_folder.add_page("later", url="https://example.com/later")
    found = {row["id"]: row["recorded_on"] for row in rows("sources")}
    assert found == {"page": "2025-05-02", "later": "unrecorded"}


def test_runs_protocols_and_articles_are_listed(tested: "LedgerFolder", rows: Rows) -> None:
    tested.add("protocol", "idle")
    tested.add("run", "broken", status="failed", protocol="idle")
    tested.write("records/articles/draft.md", ARTICLE)
    assert [row["id"] for row in rows("runs", "--status", "complete")] == ["ours"]
    assert [row["id"] for row in rows("runs", "--protocol", "idle")] == ["broken"]
    assert [row["id"] for row in rows("protocols")] == ["idle", "plan"]
    assert [row["id"] for row in rows("protocols", "--never-run")] == ["idle"]
    assert [(row["id"], row["as_of"]) for row in rows("articles", "--side", "technical")] == [("draft", "2025-06-01")]
    assert rows("articles", "--side", "pricing", "--format", "json") == []


@pytest.mark.parametrize("command", ["claims", "sources", "costs", "runs", "protocols", "articles"])
def test_nothing_is_wider_than_the_terminal(command: str, tested: "LedgerFolder", ask: "Ask") -> None:
    tested.write("records/articles/draft.md", ARTICLE)
    _code, out, _err = ask(command)
    assert max(len(line) for line in out.splitlines()) <= 80

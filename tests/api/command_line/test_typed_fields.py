"""Records typed by hand: kinds, ids that complete a word, and single fields held to the model."""

from typing import TYPE_CHECKING, Any

import pytest

from ledger.api.command_line.typed_fields import ids_with_prefix, kinds_by_hand, refuse_field, refuse_machine_written
from ledger.errors import UsageError
from ledger.model.kinds import KINDS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import LedgerFolder


def test_every_kind_but_what_commands_make_is_written_by_hand() -> None:
    assert set(KINDS) - set(kinds_by_hand()) == {"article", "edition", "run"}
    refuse_machine_written("claim")
    with pytest.raises(UsageError, match=r"^run: not written by hand\. Use ledger bench run or ledger attach\.$"):
        refuse_machine_written("run")


def test_ids_of_a_kind_or_of_any(ledger_folder: "LedgerFolder", tmp_path: "Path") -> None:
    ledger_folder.add_page("draft-page")
    ledger_folder.add("claim", "drafts", source="draft-page")
    ledger_folder.add("claim", "other", source="draft-page")
    below = ledger_folder.root / "records"
    assert ids_with_prefix(below, "dr", "claim") == ["drafts"]
    assert ids_with_prefix(below, "dr", None) == ["draft-page", "drafts"]
    assert ids_with_prefix(below, "x", None) == []
    with pytest.raises(UsageError, match=r"no ledger\.toml"):
        ids_with_prefix(tmp_path, "dr", None)


@pytest.mark.parametrize(
    ("kind", "name", "value", "says"),
    [
        ("claim", "label", "guess", 'got "guess"'),
        ("source", "published_on", "2025-02-30", "a day that is in the calendar"),
        ("claim", "quantities", [{"name": "gain"}], "missing"),
        ("claim", "id", "Not An Id", 'got "Not An Id"'),
        ("cost", "gpus_per_instance", -1, "got -1"),
    ],
)
def test_a_field_is_refused_by_itself(kind: str, name: str, value: Any, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        refuse_field(kind, name, value)


def test_what_a_field_can_hold_passes() -> None:
    refuse_field("claim", "label", "proposed")
    refuse_field("source", "published_on", "2025-02")

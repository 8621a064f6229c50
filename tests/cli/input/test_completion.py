"""What a shell completes: ids, choices and kinds; nothing where there is no ledger."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder


def complete(folder: "LedgerFolder", line: str) -> list[str]:
    words = line.split(" ")
    done = folder.run(COMP_WORDS=line, COMP_CWORD=str(len(words) - 1), _LEDGER_COMPLETE="complete_bash")
    assert done.stderr == ""
    return done.stdout.split()


def test_a_shell_completes_ids_choices_and_kinds(page_folder: "LedgerFolder") -> None:
    page_folder.write(
        "records/claims/several.toml", (page_folder.root / "records/claims/drafts.toml").read_text().replace("drafts", "dr-2")
    )
    for command in ("show", "log", "retract", "supersede", "review", "review drafts"):
        assert complete(page_folder, f"ledger {command} dr") == ["dr-2", "drafts"]
    assert complete(page_folder, "ledger add claim --source p") == ["page"]
    assert complete(page_folder, "ledger add claim --source d") == []
    assert complete(page_folder, "ledger add claim --label ven") == ["vendor-claimed"]
    assert complete(page_folder, "ledger add c") == ["claim", "cost"]


def test_completion_is_silent_where_there_is_nothing_to_complete(tmp_path: Path, page_folder: "LedgerFolder") -> None:
    page_folder.write("ledger.toml", "organisation = ")
    assert complete(page_folder, "ledger show d") == []
    (page_folder.root / "ledger.toml").unlink()
    assert complete(page_folder, "ledger show d") == []

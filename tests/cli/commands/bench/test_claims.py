"""`ledger bench claims RUN`: drafts in files of their own, with references in place of numbers."""

from typing import TYPE_CHECKING

from tests.bench.plan_ledger import RUN, PlanLedger

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.cli.conftest import Command


def test_drafts_are_written_where_it_says(tmp_path: "Path", command: "Command", monkeypatch: "pytest.MonkeyPatch") -> None:
    folder = PlanLedger(tmp_path / "plan", suites=[])
    folder.run_here()
    monkeypatch.chdir(folder.root)
    done = command("bench", "claims", RUN)
    assert done.code == 0, done.err
    paths = done.out.splitlines()
    assert paths
    for path in paths:
        text = (folder.root / path).read_text(encoding="utf-8")
        assert 'label = "measured"' in text
        assert f"run:{RUN}#" in text
    assert command("bench", "claims", "nowhere").code == 2

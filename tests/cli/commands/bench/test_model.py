"""`ledger bench model [NAME]`: the folder of a model that is there, and one line where it is not."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.cli.conftest import Command
    from tests.conftest import LedgerFolder


def test_a_model_in_the_cache_is_named_and_another_is_not_there(
    ledger_folder: "LedgerFolder", command: "Command", tmp_path: "Path", monkeypatch: "pytest.MonkeyPatch"
) -> None:
    monkeypatch.setenv("LEDGER_CACHE", str(tmp_path / "cache"))
    for name in ("mine", "smollm2-135m-instruct"):
        folder = tmp_path / "cache" / "models" / name
        folder.mkdir(parents=True)
        (folder / "config.json").write_text("{}")
    assert command("bench", "model", "mine").out == f"{tmp_path}/cache/models/mine\n"
    assert command("bench", "model").out == f"{tmp_path}/cache/models/smollm2-135m-instruct\n"
    done = command("bench", "model", "other")
    assert (done.code, done.out, done.err) == (3, "", f"{tmp_path}/cache/models/other: no model here. Give its folder with --model.\n")

"""`ledger.toml`: its defaults, its faults with their place, and how it is found."""

from pathlib import Path

import pytest

from ledger.errors import DataRefusedError, UsageError
from ledger.store.files.settings import find_root, read_settings


def write(folder: Path, text: str) -> Path:
    """Write a `ledger.toml`."""
    (folder / "ledger.toml").write_text(text, encoding="utf-8")
    return folder


def test_an_organisation_is_enough(tmp_path: Path) -> None:
    settings = read_settings(write(tmp_path, 'organisation = "Works"\n'))
    assert (settings.main_branch, settings.time_zone) == ("main", "UTC")
    assert (settings.paths.records, settings.paths.evidence, settings.paths.cache) == ("records", "records/evidence", ".ledger")
    assert (settings.telemetry.prompts, settings.telemetry.outputs) == ("hash", "hash")
    assert settings.coverage.untested_claims is None


def test_every_fault_comes_with_its_place(tmp_path: Path) -> None:
    text = 'organisation = "Works"\nlangage = "en"\n[coverage]\nrecheck_days = 0\n'
    with pytest.raises(DataRefusedError) as refused:
        read_settings(write(tmp_path, text))
    assert [(problem.code, problem.line, problem.column) for problem in refused.value.problems] == [("LEDG003", 2, 1), ("LEDG003", 4, 16)]
    assert "Did you mean language?" in str(refused.value.problems[0])


@pytest.mark.parametrize("path", ["/etc", "../records", "records/../../x"])
def test_a_folder_outside_the_ledger_is_refused(path: str, tmp_path: Path) -> None:
    with pytest.raises(DataRefusedError):
        read_settings(write(tmp_path, f'organisation = "Works"\n[paths]\nrecords = "{path}"\n'))


def test_a_file_that_is_no_toml_or_no_utf8_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(DataRefusedError, match=r"^ledger\.toml: "):
        read_settings(write(tmp_path, "organisation = \n"))
    (tmp_path / "ledger.toml").write_bytes(b'organisation = "\xff"\n')
    with pytest.raises(DataRefusedError, match="Mend the file"):
        read_settings(tmp_path)


def test_the_nearest_ledger_above_is_found(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    write(tmp_path, 'organisation = "Outer"\n')
    assert find_root(inner) == tmp_path.resolve()
    write(tmp_path / "a", 'organisation = "Inner"\n')
    assert find_root(inner) == (tmp_path / "a").resolve()


def test_without_one_the_user_is_told_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--ledger DIR"):
        find_root(tmp_path)

"""What is said of a recorded run, and with which exit code its command ends."""

import pytest
import typer

from ledger.cli.commands.bench.recorded import end_recorded
from ledger.model.records.run import Run
from tests.conftest import DEFAULTS


def run(**fields: object) -> Run:
    """A run with these fields."""
    return Run.model_validate({"id": "r1", **DEFAULTS["run"], **fields})


def test_a_complete_run_ends_with_0(capsys: pytest.CaptureFixture[str]) -> None:
    end_recorded(run())
    printed = capsys.readouterr()
    assert printed.out == "r1\n"
    assert printed.err == "recorded complete; see `ledger show r1`, `ledger bench compare r1`, `ledger verify r1`\n"


@pytest.mark.parametrize("status", ["partial", "failed", "invalid"])
def test_any_other_ends_with_1_and_its_deviations(status: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as end:
        end_recorded(run(status=status, deviations=["one repeat is missing"]))
    assert end.value.exit_code == 1
    printed = capsys.readouterr()
    assert printed.out == "r1\n"
    assert printed.err.splitlines()[0] == "deviation: one repeat is missing"
    assert printed.err.splitlines()[1].startswith(f"recorded {status}; ")

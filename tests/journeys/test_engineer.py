"""An engineer's day on the real engine: a landed plan, a run, its article; the PDF's numbers are those of the raw traces."""

import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
from pyarrow import parquet

from tests.journeys.conftest import OwnLedger

PLAN = "demo"


def shrink(own: OwnLedger) -> None:
    """Cut the demonstration's plan to two arms and one load of a few requests, before it lands."""
    path = own.root / f"records/protocols/{PLAN}.toml"
    text = path.read_text("utf-8").replace("requests = 16", "requests = 8").replace("max_tokens = 32", "max_tokens = 12")
    text = re.sub(r'\[\[protocol\.arms\]\]\nid = "(self-draft-3|baseline-again)".*?(?=\[\[protocol\.)', "", text, flags=re.DOTALL)
    text = re.sub(r'\[\[protocol\.loads\]\]\nid = "c8".*?(?=\[protocol\.)', "", text, flags=re.DOTALL)
    text = re.sub(r'\[\[protocol\.rules\]\]\nid = "self-draft.*?(?=\[protocol\.)', "", text, flags=re.DOTALL)
    path.write_text(text.replace('suites = ["customer-service-acceptance"]\n', ""), encoding="utf-8")
    own.land()


def median_tpot_ms(folder: Path, arm: str) -> float:
    """Median time per output token in milliseconds, straight from the Parquet columns."""
    rows = [row for row in parquet.read_table(folder / "traces.parquet").to_pylist() if (row["arm"], row["phase"]) == (arm, "measured")]
    per_request = [(r["chunks_s"][-1] - r["chunks_s"][0]) / (sum(r["chunk_tokens"]) - r["chunk_tokens"][0]) for r in rows]
    assert len(per_request) == 8
    return float(np.quantile(per_request, 0.5)) * 1000


def printed(milliseconds: float) -> str:
    """Three significant digits, whole numbers kept whole."""
    return f"{milliseconds:.{max(0, 3 - len(str(int(milliseconds))))}f}"


@pytest.mark.engine
def test_a_run_prints_what_its_traces_hold(own_ledger: OwnLedger) -> None:
    shrink(own_ledger)
    assert "landed, may run" in own_ledger.run("bench", "plan", PLAN).stdout
    done = own_ledger.run("bench", "run", PLAN)
    assert done.returncode == 0, done.stderr
    run = done.stdout.split()[-1]
    assert "nanobind" not in done.stderr
    verified = own_ledger.run("verify", run)
    assert (verified.returncode, verified.stdout) == (0, ""), verified.stdout + verified.stderr
    built = own_ledger.run("article", "build", "speculative-decoding-demo", "--run", run, "--out", "build")
    assert built.returncode == 0, built.stderr
    pdf = ["pdftotext", "-layout", "build/speculative-decoding-demo.pdf", "-"]
    text = subprocess.run(pdf, cwd=own_ledger.root, check=True, capture_output=True, text=True).stdout
    for arm in ("baseline", "ngram-4"):
        value = printed(median_tpot_ms(own_ledger.root / "records" / "evidence" / run, arm))
        assert value in [number for line in text.splitlines() if arm in line.split() for number in re.findall(r"\d+(?:\.\d+)?", line)]


def test_a_plan_that_has_not_landed_does_not_run(own_ledger: OwnLedger) -> None:
    path = own_ledger.root / f"records/protocols/{PLAN}.toml"
    path.write_text(path.read_text("utf-8").replace("seed = ", "seed = 1"), encoding="utf-8")
    done = own_ledger.run("bench", "run", PLAN)
    assert (done.returncode, done.stdout) == (4, "")
    assert f"{PLAN}: not landed on main" in done.stderr
    assert not (own_ledger.root / "records" / "evidence").exists() or not any((own_ledger.root / "records" / "evidence").glob(f"*-{PLAN}*"))


def test_an_edited_number_is_found(own_ledger: OwnLedger) -> None:
    """Every committed run verifies; one edited digit does not."""
    runs = sorted((own_ledger.root / "records" / "runs").glob("*.json"))
    for path in runs:
        assert own_ledger.run("verify", path.stem).returncode == 0
    text = runs[0].read_text("utf-8")
    edited = re.sub(r'("tpot\.p50": \{\s*"value": \d+\.\d*?)(\d)', lambda m: m[1] + str((int(m[2]) + 1) % 10), text, count=1)
    assert edited != text
    runs[0].write_text(edited, encoding="utf-8")
    done = own_ledger.run("verify", runs[0].stem)
    assert done.returncode == 1
    assert "tpot.p50.value: says" in done.stdout

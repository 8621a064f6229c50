"""The pack: the same bytes for the same plan, nothing in it that the runner does not need, and at work without us."""

import ast
import shutil
import sys
import zipfile
from pathlib import Path

import pytest

from ledger.bench.pack.pack import imports_in, runner_sources
from ledger.bench.vllm.backend import distribution
from tests.bench.plan_ledger import PLAN, PlanLedger
from tests.bench.stripped_box import StrippedBox

FROM_VLLM = frozenset(
    {"jsonschema", "numpy", "psutil", "pydantic", "pydantic_core", "pynvml", "torch", "transformers", "vllm", "typing_extensions"}
)
"""Libraries that vLLM asks for, or that the runner does without."""
AT_HOME = "pyarrow"
"""Imported where Parquet is written, which no pack does."""


@pytest.fixture
def ledger(tmp_path: Path) -> PlanLedger:
    """A ledger whose plan has landed."""
    return PlanLedger(tmp_path / "works")


@pytest.fixture(scope="module")
def box(tmp_path_factory: pytest.TempPathFactory) -> StrippedBox:
    """A machine with vLLM and nothing of ours."""
    pytest.importorskip("vllm")
    return StrippedBox(tmp_path_factory.mktemp("machine"))


def test_the_same_plan_gives_the_same_bytes(ledger: PlanLedger) -> None:
    first = ledger.pack().read_bytes()
    assert ledger.pack().read_bytes() == first
    assert ledger.pack(planned=False).read_bytes() != first


def test_a_pack_holds_the_runner_and_no_more_of_the_package(ledger: PlanLedger) -> None:
    names = zipfile.ZipFile(ledger.pack()).namelist()
    assert names == sorted(names)
    assert {name.split("/")[1] for name in names if name.startswith("ledger/")} <= {
        "__init__.py",
        "errors.py",
        "model",
        "bench",
        "analysis",
    }
    assert {name for name in names if not name.startswith("ledger/")} == {"__main__.py", "plan.json", "prompts.jsonl", "suites/suite.jsonl"}
    assert "ledger/bench/pack/pack.py" not in names


def test_nothing_in_a_pack_imports_what_vllm_does_not_bring() -> None:
    sources = dict(runner_sources())
    libraries = {name.partition(".")[0] for source in sources.values() for name in imports_in(source)}
    assert libraries - set(sys.stdlib_module_names) - {"ledger"} <= FROM_VLLM | {AT_HOME}
    at_start = {
        name.partition(".")[0]
        for source in sources.values()
        for node in ast.parse(source).body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in imports_in(ast.unparse(node))
    }
    assert AT_HOME not in at_start


def test_names_without_a_meaning_stay_at_home(ledger: PlanLedger) -> None:
    content = ledger.pack().read_bytes()
    assert b"Jane" in (ledger.root / f"records/protocols/{PLAN}.toml").read_bytes()
    assert b"Jane" not in content
    assert str(ledger.root).encode() not in content


def test_a_pack_works_where_nothing_of_ours_is(ledger: PlanLedger, box: StrippedBox) -> None:
    shutil.copy(ledger.pack(), box.home / "plan.pyz")
    assert "No module named 'ledger'" in box.run("-c", "import ledger").stderr
    assert "No module named 'pyarrow'" in box.run("-c", "import pyarrow").stderr
    assert not (box.programs / "git").exists()
    plan = box.run("plan.pyz", "plan")
    assert (plan.returncode, plan.stderr) == (0, "")
    assert max(map(len, plan.stdout.splitlines())) <= 80
    refused = box.run("plan.pyz", "run", "--model", "nowhere", "--out", "out")
    assert (refused.returncode, refused.stdout) == (3, "")
    assert refused.stderr == "nowhere: no model there. Name a folder in Hugging Face's layout with --model.\n"
    assert not (box.home / "out").exists()


def test_a_python_without_vllm_is_told_so(ledger: PlanLedger, box: StrippedBox) -> None:
    (box.site / "vllm").unlink()
    try:
        shutil.copy(ledger.pack(), box.home / "plan.pyz")
        refused = box.run("plan.pyz", "run", "--model", ".", "--out", "out")
    finally:
        box.install(distribution()[0])
    assert refused.returncode == 3
    assert "vLLM is not installed for" in refused.stderr

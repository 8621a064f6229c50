"""The architecture, checked: imports point down, the core stays pure, each heavy library has one importer."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "ledger"

ONE_IMPORTER = {
    "vllm": "bench",
    "torch": "bench",
    "weasyprint": "render",
    "git": "store",
    "sqlmodel": "store",
    "sqlalchemy": "store",
    "typer": "cli",
}
"""Library, and the only package below `ledger` that may import it, be it inside a function."""

NOT_AT_START = (
    *("git", "numpy", "pyarrow", "sqlalchemy", "sqlmodel", "torch", "transformers", "vl_convert", "vllm", "weasyprint", "xlsxwriter"),
)
"""Libraries that no command loads before it needs them: `--help` and a price cost none of their start-up time."""


def imported_libraries(source: str) -> Iterator[tuple[str, int]]:
    """Yield top-level name and line of every absolute import in a module, at any depth and through importlib too."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                for alias in names:
                    yield alias.name.partition(".")[0], node.lineno
            case ast.ImportFrom(module=str(module), level=0):
                yield module.partition(".")[0], node.lineno
            case ast.Call(func=ast.Name(id=function) | ast.Attribute(attr=function), args=[ast.Constant(value=str(module)), *_]):
                if function in {"import_module", "__import__"}:
                    yield module.partition(".")[0], node.lineno


def trespasses(library: str, owner: str, package: Path) -> list[str]:
    """Return `file:line` of every import of a library outside the package that owns it."""
    return [
        f"{path.relative_to(package.parent)}:{line}"
        for path in sorted(package.rglob("*.py"))
        if path.relative_to(package).parts[0] != owner
        for name, line in imported_libraries(path.read_text(encoding="utf-8"))
        if name == library
    ]


def test_imports_keep_the_contracts() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_broken_contract_is_seen(tmp_path: Path) -> None:
    """The contracts bind: a copy of the package in which the core imports a layer above it, or a framework, is refused."""
    linter = Path(sys.executable).with_name("lint-imports")
    for path in PACKAGE.rglob("*.py"):
        copy = tmp_path / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(path.read_bytes())
    (tmp_path / "pyproject.toml").write_bytes((ROOT / "pyproject.toml").read_bytes())
    errors = tmp_path / "ledger" / "errors.py"
    errors.write_text(errors.read_text(encoding="utf-8") + "\ndef late() -> None:\n    import weasyprint\n    from ledger import store\n")
    done = subprocess.run([linter, "--no-cache"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "ledger.errors is not allowed to import weasyprint" in done.stdout
    assert "ledger.errors is not allowed to import ledger.store" in done.stdout


@pytest.mark.parametrize(("library", "owner"), ONE_IMPORTER.items())
def test_a_heavy_library_has_one_importer(library: str, owner: str) -> None:
    assert trespasses(library, owner, PACKAGE) == [], f"{library} may be imported in ledger/{owner}/ only"


@pytest.mark.parametrize(
    "source",
    [
        "import vllm.config",
        "from vllm import SamplingParams",
        "def run():\n    import vllm",
        "def run():\n    from vllm.engine import x",
        'import importlib\nimportlib.import_module("vllm.config")',
        'def run():\n    return __import__("vllm")',
        "if TYPE_CHECKING:\n    import vllm as engine",
    ],
)
def test_an_import_in_the_wrong_package_is_found(source: str, tmp_path: Path) -> None:
    module = tmp_path / "ledger" / "render" / "page.py"
    module.parent.mkdir(parents=True)
    module.write_text(source, encoding="utf-8")
    assert [place.partition(":")[0] for place in trespasses("vllm", "bench", tmp_path / "ledger")] == ["ledger/render/page.py"]
    assert trespasses("vllm", "render", tmp_path / "ledger") == []


def test_starting_the_command_loads_nothing_heavy() -> None:
    program = f"import sys, ledger.cli.main; print(*sorted(set({NOT_AT_START!r}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []

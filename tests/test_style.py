"""Style and types, checked by the tools that the pyproject configures, and the documentation builds without a warning."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def run_tool(*arguments: str) -> tuple[int, str]:
    """Return exit status and output of a tool that stands beside this interpreter, run at the repository's root."""
    tool = Path(sys.executable).with_name(arguments[0])
    done = subprocess.run([tool, *arguments[1:]], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(
    "command",
    [
        pytest.param(("ruff", "check", "--output-format=concise", "."), id="ruff-check"),
        pytest.param(("ruff", "format", "--check", "."), id="ruff-format"),
        pytest.param(("mypy",), id="mypy-strict"),
    ],
)
def test_code_passes(command: tuple[str, ...]) -> None:
    status, output = run_tool(*command)
    assert status == 0, output


def test_documentation_builds_without_a_warning(tmp_path: Path) -> None:
    status, output = run_tool("mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path))
    assert status == 0, output
    assert (tmp_path / "metrics" / "index.html").is_file()

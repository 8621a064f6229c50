"""The pages that follow from the code say what the code says, and the README's commands exist."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def test_generated_pages_are_current() -> None:
    done = subprocess.run([sys.executable, "scripts/pages.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_picture_of_the_architecture_is_current() -> None:
    done = subprocess.run([sys.executable, "scripts/architecture.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def commands_in(text: str) -> list[str]:
    """Every `ledger …` command of a page's shell blocks, without comments."""
    blocks = re.findall(r"```sh\n(.*?)```", text, flags=re.DOTALL)
    lines = (line.partition("#")[0].strip() for block in blocks for line in block.splitlines())
    return [line for line in lines if line.startswith("ledger ")]


@pytest.mark.parametrize("page", ["README.md", "docs/index.md", "docs/writing.md", "docs/benchmarks.md"])
def test_commands_of_a_page_exist(page: str) -> None:
    from typer.main import get_command

    from ledger.cli.main import app

    commands = commands_in((ROOT / page).read_text("utf-8"))
    assert commands
    for command in commands:
        found = get_command(app)
        for word in command.split()[1:]:
            if not hasattr(found, "commands"):
                break
            assert word in found.commands, f"{page}: {command}"
            found = found.commands[word]

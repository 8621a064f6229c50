"""The program as a whole: exit codes, what it says to a mistake, what it loads, and what only a process of its own shows."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder
if TYPE_CHECKING:
    from tests.cli.conftest import Command
    from tests.conftest import LedgerFolder


ROOT = Path(__file__).resolve().parents[2]


READING = (
    *(("claims",), ("sources", "--format", "csv"), ("costs", "--format", "json"), ("show", "gain"), ("check",), ("schema", "claim")),
    *(("runs",), ("protocols",), ("articles",), ("search", "drafts"), ("conflicts", "demo"), ("impact", "gain"), ("coverage",)),
    *(("sql", "SELECT count(*) FROM claims"), ("log", "gain"), ("doctor",), ("verify", "--history"), ("claims", "--known-at", "HEAD")),
)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("show", "gian"), "gian: no such record. Did you mean gain"),
        (("claims", "--as-of", "yesterday"), '--as-of: got "yesterday", expected a whole day as YYYY-MM-DD.'),
        (("claims", "--as-of", "2026-02-29"), "--as-of: got 2026-02-29, expected a day that is in the calendar."),
        (("claims", "--as-of", "20250101"), '--as-of: got "20250101", expected a whole day as YYYY-MM-DD.'),
        (("costs", "--as-of", "0026-01-01"), "--as-of: got the year 0026, expected 1970 to 2199."),
        (("show", "gain", "--as-of", "2199-01-01"), "--as-of: 2199-01-01 lies in the future"),
        (("schema", "clam"), "clam: no such kind. Use one of source, claim"),
        (("check", "nowhere.toml"), "nowhere.toml: no such file or folder."),
        (("check", "/"), "/: outside the ledger at "),
        (("--ledger", "/", "claims"), "no ledger.toml here or above."),
    ],
)
def test_a_mistake_is_told_in_one_line_and_ends_with_2(
    arguments: tuple[str, ...], message: str, command: "Command", filled: "LedgerFolder"
) -> None:
    done = command(*arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("claims", "--format", "yaml"),
        ("claims", "--label", "guessed"),
        ("claims", "--side", "both"),
        ("sources", "--relation", "friend"),
        ("costs", "--kind", "spit"),
        ("claims", "--bogus"),
        ("bogus",),
        ("show",),
    ],
    ids=" ".join,
)
def test_a_wrong_option_is_named_and_ends_with_2(arguments: tuple[str, ...], command: "Command", filled: "LedgerFolder") -> None:
    done = command(*arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.splitlines()[-1].startswith("Error: ")
    assert any(word.strip("-") in done.err.splitlines()[-1] for word in (*arguments, "ID"))
    assert "Traceback" not in done.err


def test_outside_a_ledger_every_command_ends_with_2(command: "Command", filled: "LedgerFolder") -> None:
    (filled.root / "ledger.toml").unlink()
    for arguments in (("claims",), ("sources",), ("costs",), ("show", "x"), ("check",)):
        done = command(*arguments)
        assert (done.code, done.err) == (
            2,
            ".: no ledger.toml here or above. Run the command inside a ledger, or name one with --ledger DIR.\n",
        )


def test_a_fault_in_ledger_toml_ends_with_4_and_its_place(command: "Command", filled: "LedgerFolder") -> None:
    filled.write("ledger.toml", "\norganization = 'T'\n[paths]\ncache = '/tmp'\n")
    done = command("claims")
    assert (done.code, done.out) == (4, "")
    assert done.err.splitlines() == [
        "ledger.toml:1:1: organisation: missing. Add it. [LEDG003]",
        "ledger.toml:2:1: organization: unknown key. Did you mean organisation? [LEDG003]",
        'ledger.toml:4:9: paths.cache: got "/tmp", expected a path below the ledger. Mend the value. [LEDG003]',
        "ledger.toml is refused: 3 finding(s).",
    ]


def files_of(root: Path) -> dict[str, str]:
    """Return the hash of every file but the index of the ledger."""
    paths = [path for path in root.rglob("*") if path.is_file() and ".ledger" not in path.relative_to(root).parts]
    return {path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}


def loaded(program: str, *names: str) -> list[str]:
    """Return which of the modules a program has loaded when it ends."""
    watch = f"import sys; {program}\nprint(*sorted(set({names!r}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-W", "error", "-c", watch], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[-1].split() if done.stdout.strip() else []


def test_importing_the_package_and_asking_for_help_loads_nothing_heavy() -> None:
    heavy = ("torch", "weasyprint", "sqlmodel", "vllm", "git", "pyarrow", "numpy")
    assert loaded("import ledger; ledger.__version__", *heavy, "pydantic") == []
    asking = "from ledger.cli.main import main\nsys.argv = ['ledger', '--help']\ntry: main()\nexcept SystemExit: pass"
    assert loaded(asking, *heavy) == []


def test_asking_for_a_price_loads_neither_torch_nor_pango(filled: "LedgerFolder") -> None:
    asking = f"import ledger; ledger.Ledger.open({str(filled.root)!r}).costs()"
    assert loaded(asking, "torch", "weasyprint", "vllm", "markdown_it", "vl_convert", "sqlmodel") == ["sqlmodel"]


def test_reading_leaves_the_tree_and_gits_index_as_they_were(filled: "LedgerFolder") -> None:
    filled.git("init", "-q", "-b", "main")
    filled.git("add", ".")
    filled.git("commit", "-qm", "one")
    filled.add("claim", "gain", statement="Changed, not committed.")
    before = files_of(filled.root)
    assert ".git/index" in before
    for arguments in READING:
        done = filled.run(*arguments)
        assert done.returncode in (0, 1), (arguments, done.stderr)
    assert files_of(filled.root) == before
    assert filled.git("status", "--porcelain") == " M records/claims/gain.toml\n"


def test_without_identity_and_with_a_detached_head_listing_works(filled: "LedgerFolder", tmp_path: Path) -> None:
    """C38."""
    filled.git("init", "-q")
    filled.git("add", ".")
    filled.git("commit", "-qm", "one")
    filled.git("checkout", "-q", "--detach")
    filled.add("claim", "uncommitted", label="proposed")
    home = tmp_path / "emptyhome"
    home.mkdir()
    listed = [
        filled.run(*arguments, HOME=str(home), GIT_CONFIG_NOSYSTEM="1")
        for arguments in (("claims", "--as-of", "2025-02-01", "--format", "json"), ("check",), ("show", "uncommitted"))
    ]
    assert [done.returncode for done in listed] == [0, 0, 0], [done.stderr for done in listed]
    assert "Traceback" not in "".join(done.stderr for done in listed)
    assert '"uncommitted"' in listed[0].stdout
    assert list(home.iterdir()) == []
    assert filled.git("status", "--porcelain") == "?? records/claims/uncommitted.toml\n"


def test_without_git_listing_works(filled: "LedgerFolder") -> None:
    done = filled.run("claims", "--format", "json", PATH="/nowhere")
    assert (done.returncode, done.stderr) == (0, "")
    assert len(json.loads(done.stdout)) == 2


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_no_encoding_of_the_terminal_stops_a_list(encoding: str, filled: "LedgerFolder") -> None:
    filled.add("claim", "signs", statement="Größer 日本語 \u202f → ≤ 🙂")
    done = filled.run("claims", PYTHONIOENCODING=encoding)
    assert (done.returncode, done.stderr) == (0, "")
    assert "signs" in done.stdout


def test_a_reader_that_closes_the_pipe_gets_no_traceback(filled: "LedgerFolder") -> None:
    for number in range(300):
        filled.add("claim", f"many-{number}", statement="Words. " * 60)
    program = "from ledger.cli.main import main; main()"
    lister = subprocess.Popen(
        [sys.executable, "-c", program, "claims"],
        cwd=filled.root,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert lister.stdout
    assert lister.stdout.readline()
    lister.stdout.close()
    assert lister.stderr
    assert "Traceback" not in lister.stderr.read()
    lister.stderr.close()
    assert lister.wait(timeout=60) in (0, 1)

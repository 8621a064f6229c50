"""`ledger article build`: files where they were asked for, paths on standard output."""

from typing import TYPE_CHECKING

from tests.cli.draft_fixtures import HEAD

if TYPE_CHECKING:
    from tests.cli.conftest import Command
    from tests.conftest import LedgerFolder


def test_the_formats_asked_for_are_written_and_their_paths_printed(filled: "LedgerFolder", command: "Command") -> None:
    filled.write("records/articles/draft.md", HEAD + "They say so.\n")
    done = command("article", "build", "draft", "--formats", "md, html", "--out", "made")
    assert (done.code, done.out.splitlines()) == (0, ["made/draft.md", "made/draft.html"])
    assert "They say so." in (filled.root / "made/draft.md").read_text()
    assert sorted(path.name for path in (filled.root / "made").iterdir()) == ["draft.html", "draft.md"]


def test_the_commit_that_is_built_from_is_named(filled: "LedgerFolder", command: "Command") -> None:
    filled.write("records/articles/draft.md", HEAD + "They say so.\n")
    filled.git("init", "-q", "-b", "main")
    filled.git("add", ".")
    filled.git("commit", "-qm", "one")
    assert (
        f"building from commit {filled.git('rev-parse', 'HEAD')[:12]}, main\n"
        == command("article", "build", "draft", "--formats", "md").err
    )


def test_an_unknown_format_and_an_unknown_draft_end_with_2_and_write_nothing(filled: "LedgerFolder", command: "Command") -> None:
    done = command("article", "build", "draft", "--formats", "md,docx")
    assert (done.code, done.err) == (2, "--formats: docx is none of md, html, pdf.\n")
    assert command("article", "build", "nowhere").code == 2
    assert not (filled.root / "build").exists()

"""What the ledger knew at a commit is what a plain query says in a checkout of that commit."""

import subprocess
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from ledger.api import Ledger
from ledger.errors import EnvironmentFaultError, UsageError
from ledger.store.index.answers import Answer
from tests.random_ledger_fixtures import NOW, START, RandomLedger

Make = Callable[[int], RandomLedger]
DAYS = (None, date(2025, 3, 1), date(2026, 1, 3), date(2026, 12, 1))


def told(answers: list[Answer]) -> list[tuple[object, ...]]:
    """What a query says, apart from when it was recorded."""
    return [(answer.record, answer.validity, answer.path) for answer in answers]


def rewrite(ledger: RandomLedger) -> None:
    """Do to landed files what nobody should: edit, delete, move, break, or use an id twice."""
    files = ledger.claim_files
    if not files:
        return
    path = ledger.chance.choice(files)
    deed = ledger.chance.randrange(5)
    if deed == 0:
        path.write_text(path.read_text().replace("Sentence", "Another sentence"))
    elif deed == 1:
        path.unlink()
    elif deed == 2:
        path.rename(path.with_name(f"moved-{path.name}"))
    elif deed == 3:
        path.write_text(path.read_text() + "\nunclosed = [")
    else:
        path.with_name(f"copy-of-{path.name}").write_text(path.read_text())


@pytest.mark.parametrize("seed", range(6))
def test_a_commit_answers_like_its_checkout(seed: int, random_ledger: Make, tmp_path: Path) -> None:
    made = random_ledger(seed)
    for _ in range(10):
        made.step(extra=(lambda: rewrite(made),))
    ledger = made.open()
    for number, commit in enumerate(made.commits):
        there = made.checkout(commit, tmp_path / f"at-{number}")
        for kind in ("claim", "source", "retraction"):
            for day in DAYS:
                known_then = ledger.queries.answers(kind, known_at=commit, as_of=day)
                assert told(known_then) == told(there.queries.answers(kind, as_of=day)), (number, kind, day)


def test_the_index_grows_by_what_changed(random_ledger: Make) -> None:
    """Filled step by step it says the same as filled in one go."""
    made = random_ledger(11)
    for _ in range(5):
        made.step(extra=(lambda: rewrite(made),))
        made.open().queries.answers("claim", known_at=made.commits[-1])
    stepwise = [told(made.open().queries.answers("claim", known_at=commit)) for commit in made.commits]
    for path in (made.folder.root / ".ledger").glob("history*"):
        path.unlink()
    assert [told(made.open().queries.answers("claim", known_at=commit)) for commit in made.commits] == stepwise


def test_a_branch_lands_with_its_merge(random_ledger: Make) -> None:
    made = random_ledger(3)
    made.git("checkout", "-q", "-b", "side")
    name = made.add_claim()
    side = made.commit()
    made.git("checkout", "-q", "main")
    made.add_claim()
    main = made.commit()
    made.git("merge", "-q", "--no-ff", "-m", "join", "side", at=START + timedelta(days=9))
    merge = made.git("rev-parse", "HEAD")
    ledger = made.open()
    assert name not in [answer.record.id for answer in ledger.queries.answers("claim", known_at=main)]
    assert name in [answer.record.id for answer in ledger.queries.answers("claim", known_at=merge)]
    with pytest.raises(UsageError, match="never landed"):
        ledger.queries.answers("claim", known_at=side)


def test_a_day_means_its_end_and_time_never_runs_back(random_ledger: Make) -> None:
    """A commit dated before its parent counts as recorded with the parent."""
    made = random_ledger(4)
    first = made.add_claim()
    made.commit(at=datetime(2026, 3, 10, 23, 30, tzinfo=UTC))
    late = made.add_claim()
    made.commit(at=datetime(2026, 3, 1, tzinfo=UTC))
    ledger = made.open()
    known = {day: [answer.record.id for answer in ledger.queries.answers("claim", known_at=day)] for day in ("2026-03-09", "2026-03-10")}
    assert known == {"2026-03-09": [], "2026-03-10": sorted([first, late])}


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("2027-01-02", "lies in the future"),
        ("2025-01-01", "nothing was recorded"),
        ("fffffff", "no such commit"),
        ("2026-13-01", "no such"),
    ],
)
def test_points_outside_the_record_are_refused(asked: str, said: str, random_ledger: Make) -> None:
    with pytest.raises(UsageError, match=said):
        random_ledger(5).open().queries.answers("claim", known_at=asked)


def test_a_shallow_clone_says_so_and_answers_as_of(random_ledger: Make, tmp_path: Path) -> None:
    made = random_ledger(6)
    for _ in range(3):
        made.add_claim()
        made.commit()
    clone = tmp_path / "shallow"
    subprocess.run(["git", "clone", "-q", "--depth", "1", f"file://{made.folder.root}", str(clone)], check=True)
    shallow = Ledger.open(clone, now=lambda: NOW)
    with pytest.raises(EnvironmentFaultError, match="shallow"):
        shallow.queries.answers("claim", known_at="2026-01-02")
    assert told(shallow.queries.answers("claim", as_of=date(2026, 6, 1))) == told(
        made.open().queries.answers("claim", as_of=date(2026, 6, 1))
    )


def test_a_rewritten_branch_is_read_anew(random_ledger: Make) -> None:
    made = random_ledger(7)
    kept = made.add_claim()
    made.commit()
    gone = made.add_claim()
    dropped = made.commit()
    assert len(made.open().queries.answers("claim", known_at=dropped)) == 2
    made.git("reset", "-q", "--hard", "HEAD~1")
    other = made.add_claim()
    tip = made.commit()
    answers = [answer.record.id for answer in made.open().queries.answers("claim", known_at=tip)]
    assert answers == sorted([kept, other])
    assert gone not in answers
    with pytest.raises(UsageError, match="never landed"):
        made.open().queries.answers("claim", known_at=dropped)


def test_outside_git_nothing_is_recorded(tmp_path: Path) -> None:
    from tests.conftest import LedgerFolder  # the fixture's folder lies in a repository in other tests

    folder = LedgerFolder(tmp_path / "plain")
    folder.add_page()
    with pytest.raises(EnvironmentFaultError, match="no git repository"):
        folder.open().queries.answers("source", known_at="2025-05-01")
    assert folder.open().files.recorded is None

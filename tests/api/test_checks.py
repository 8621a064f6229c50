"""What landed keeps its meaning: every mutation of a landed record is found, no meaningless edit is."""

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import toml
from tests.random_ledger_fixtures import RandomLedger

Make = Callable[[int], RandomLedger]

Deed = Callable[[RandomLedger, Path], None]

TRIALS = 200 if os.environ.get("LEDGER_SLOW") else 40
"""The full form runs with LEDGER_SLOW=1; each trial is a ledger of its own."""


def flip_label(_made: RandomLedger, path: Path) -> None:
    path.write_text(path.read_text().replace('"vendor-claimed"', '"proposed"'))


def edit_number(_made: RandomLedger, path: Path) -> None:
    path.write_text(re.sub(r"Sentence (\d)", lambda match: f"Sentence 1{match.group(1)}", path.read_text()))


def delete_record(_made: RandomLedger, path: Path) -> None:
    path.unlink()


def rename_id(_made: RandomLedger, path: Path) -> None:
    path.write_text(re.sub(r'id = "claim-', 'id = "renamed-claim-', path.read_text(), count=1))


def add_note(made: RandomLedger, path: Path) -> None:
    path.write_text(path.read_text() + f"note = {toml(f'seen {made.chance.random()}')}\n")


def add_comment(made: RandomLedger, path: Path) -> None:
    path.write_text(f"# {made.chance.random()}\n{path.read_text()}")


def shuffle_keys(made: RandomLedger, path: Path) -> None:
    head, *lines = path.read_text().splitlines()
    made.chance.shuffle(lines)
    path.write_text("\n".join([head, *lines, ""]))


def stretch_white_space(_made: RandomLedger, path: Path) -> None:
    path.write_text(path.read_text().replace(" = ", "   =  ").replace("Sentence ", "Sentence   ").replace("\n", "\n\n"))


def move_file(_made: RandomLedger, path: Path) -> None:
    path.rename(path.with_name(f"elsewhere-{path.name}"))


MUTATIONS: tuple[Deed, ...] = (flip_label, edit_number, delete_record, rename_id)

MEANINGLESS: tuple[Deed, ...] = (add_note, add_comment, shuffle_keys, stretch_white_space, move_file)


def trial(made: RandomLedger, deeds: tuple[Deed, ...], *, commit: bool) -> tuple[str, list[str]]:
    """Let a few records land, do one deed to one of them, and return its file and what the guard finds."""
    for _ in range(made.chance.randint(1, 4)):
        made.add_claim()
        made.commit()
    path = made.chance.choice(made.claim_files)
    made.chance.choice(deeds)(made, path)
    if commit:
        made.commit()
    return path.name, [str(problem) for problem in made.open().checks.check_history()]


@pytest.mark.parametrize("seed", range(TRIALS))
def test_every_mutation_is_found(seed: int, random_ledger: Make) -> None:
    made = random_ledger(seed)
    name, found = trial(made, MUTATIONS, commit=bool(seed % 2))
    assert any(name in problem for problem in found)
    assert any((made.commits[-1][:12] if seed % 2 else "work tree") in problem for problem in found)


@pytest.mark.parametrize("seed", range(TRIALS))
def test_no_meaningless_edit_is(seed: int, random_ledger: Make) -> None:
    assert trial(random_ledger(seed), MEANINGLESS, commit=bool(seed % 2))[1] == []


def test_a_draft_may_change(random_ledger: Make) -> None:
    made = random_ledger(1)
    draft = '+++\ntitle = "T"\nside = "technical"\ntype = "technical"\nauthors = ["A"]\nas_of = 2026-01-01\nsummary = "S."\n+++\nWords.\n'
    made.folder.write("records/articles/draft.md", draft)
    made.commit()
    made.folder.write("records/articles/draft.md", draft.replace("Words", "Other words"))
    assert made.open().checks.check_history() == []


def test_captures_may_grow_and_not_shrink(random_ledger: Make) -> None:
    made = random_ledger(2)
    made.folder.add_page(captures=[{"retrieved_at": "2025-01-05"}, {"retrieved_at": "2026-01-05"}])
    made.commit()
    assert made.open().checks.check_history() == []
    made.folder.add_page(captures=[{"retrieved_at": "2026-01-05"}])
    assert [problem.code for problem in made.open().checks.check_history()] == ["LEDG091"]


def test_a_change_taken_back_is_still_told(random_ledger: Make) -> None:
    made = random_ledger(3)
    name = made.add_claim(statement="Sentence 1.")
    made.commit()
    made.claims[name]["statement"] = "Sentence 2."
    made.write(name)
    changed = made.commit()
    made.claims[name]["statement"] = "Sentence 1."
    made.write(name)
    made.commit()
    assert any(changed[:12] in str(problem) for problem in made.open().checks.check_history())

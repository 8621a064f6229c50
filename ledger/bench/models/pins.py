"""Whether the models on this machine are those that a plan was fixed on."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from ledger.bench.engine.interface import Scalars
from ledger.bench.machine.model_files import model_hashes, weights_hash
from ledger.bench.models.drafts import draft_folders
from ledger.errors import Problem
from ledger.model.records.protocol import Draft, Model, Protocol
from ledger.model.records.run import EnvironmentFact, draft_key

PINS = {
    "weights_sha256": EnvironmentFact.MODEL_WEIGHTS_SHA256,
    "config_sha256": EnvironmentFact.MODEL_CONFIG_SHA256,
    "tokenizer_sha256": EnvironmentFact.TOKENIZER_SHA256,
    "chat_template_sha256": EnvironmentFact.CHAT_TEMPLATE_SHA256,
}
"""Field of a plan's model or draft to the hash that it holds."""
SHOWN = 12
"""Digits of a hash in a message."""


def pin_problems(plan: Protocol, model_path: Path) -> list[Problem]:
    """Return every hash of the plan that the target's folder, or a draft's, does not have."""
    problems = list(differing_hashes(plan.model, model_path, ("model",)))
    for place, draft in enumerate(plan.drafts):
        folder = draft_folders(plan, model_path).get(draft.id)
        if folder is not None:
            problems += differing_hashes(draft, folder, ("drafts", place))
    return problems


def differing_hashes(model: Model | Draft, folder: Path, at: tuple[str | int, ...]) -> Iterator[Problem]:
    """Yield the hashes that a plan gives of a model and that its folder does not have."""
    fixed = {name: expected for name in PINS if (expected := getattr(model, name, None))}
    hashes = model_hashes(folder) if fixed else {}
    for name, expected in fixed.items():
        got = hashes.get(PINS[name])
        if got != expected:
            is_there = f"{folder.name} has {str(got)[:SHOWN]}…" if got else f"{folder.name} has no such file"
            message = f"{'.'.join(map(str, at))}.{name}: the plan was fixed on {expected[:SHOWN]}…, and {is_there}."
            yield Problem("pin", message, "Name the folder of the model that the plan was fixed on.", field=(*at, name))


def draft_hashes(plan: Protocol, model_path: Path) -> Scalars:
    """Return the hash of each draft's weights, for the record."""
    hashes = {name: weights_hash(folder) for name, folder in draft_folders(plan, model_path).items()}
    return {draft_key(name): value for name, value in hashes.items() if value}


def pins_as_toml(hashes: Mapping[str, object]) -> list[str]:
    """Return the lines that pin a model in a plan, from the hashes of its folder."""
    return [f'{name} = "{hashes[fact]}"' for name, fact in PINS.items() if fact in hashes]

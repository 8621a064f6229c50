"""Where the draft models of a plan lie on this machine: beside the target, or where models are kept between runs."""

from pathlib import Path

from ledger.bench.models.demo_model import cache_folder
from ledger.bench.models.untrained_draft import UNTRAINED, untrained_folder
from ledger.model.records.protocol import Arm, Protocol


def draft_path(arm: Arm, model_path: Path, seed: int) -> str | None:
    """Return what vLLM is to take as the arm's draft model: a folder, or the class that drafts; None for a method without one.

    A draft that is named by its id lies beside the target, or else where models are kept between runs.
    """
    if arm.draft is None or arm.method == "custom_class":
        return arm.draft
    if arm.draft == UNTRAINED:
        return str(untrained_folder(model_path, seed))
    if arm.draft == "self":
        return str(model_path)
    beside = model_path.parent / arm.draft
    return str(beside if beside.is_dir() else cache_folder() / "models" / arm.draft)


def draft_folder(arm: Arm, model_path: Path, seed: int) -> Path | None:
    """Return the folder of an arm's draft model; None without one, or where it is not a folder on this machine."""
    path = draft_path(arm, model_path, seed)
    return Path(path) if path and Path(path).is_dir() else None


def draft_folders(plan: Protocol, model_path: Path) -> dict[str, Path]:
    """Return the folder of every draft that arms name by id, as far as it is on this machine."""
    named = {arm.draft: draft_path(arm, model_path, plan.seed) for arm in plan.arms if arm.draft and arm.method != "custom_class"}
    return {name: Path(path) for name, path in named.items() if name not in ("self", "untrained") and path and Path(path).is_dir()}

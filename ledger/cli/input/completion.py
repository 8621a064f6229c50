"""What a shell completes: ids of records. Silent on every fault, for a shell shows whatever is printed."""

from collections.abc import Callable
from pathlib import Path

import typer

from ledger.api.command_line.typed_fields import ids_with_prefix

Complete = Callable[[typer.Context, str], list[str]]


def complete_ids_of(kind: str | None) -> Complete:
    """Return a completion of the ids of one kind; `*` or None: of any."""

    def complete(ctx: typer.Context, incomplete: str) -> list[str]:
        try:
            folder = ctx.find_root().params.get("ledger")
            return ids_with_prefix(Path(folder or "."), incomplete, None if kind == "*" else kind)
        except Exception:  # noqa: BLE001  # outside a ledger, or with a damaged one, there is nothing to complete
            return []

    return complete


complete_any_id = complete_ids_of(None)
complete_article = complete_ids_of("article")

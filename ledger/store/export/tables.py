"""What is exported: tables of typed columns, and an account of the query that they answer."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from sqlalchemy import Connection, text

from ledger.store.index.views import VIEWS, Column, View

Value = str | int | float | None
RECORDED_ON = Column("recorded_on", "text", "day on which it landed on the main branch, or unrecorded", "")


@dataclass(frozen=True, slots=True)
class ExportTable:
    """Rows of one view."""

    name: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Value, ...], ...]

    def as_dicts(self) -> list[dict[str, Value]]:
        """Return the rows by column name."""
        names = [column.name for column in self.columns]
        return [dict(zip(names, row, strict=True)) for row in self.rows]


@dataclass(frozen=True, slots=True)
class Export:
    """Tables, and who asked what of which state of the ledger."""

    tables: tuple[ExportTable, ...]
    about: Mapping[str, str]
    as_of: date

    def table(self, name: str) -> ExportTable | None:
        """Return the table of a view, where it is among them."""
        return next((table for table in self.tables if table.name == name), None)


Writer = Callable[[Export], dict[str, bytes]]
"""A format: the files of an export by name below the output folder; one file alone has the name `""`."""


def export_tables(
    connection: Connection, kinds: Iterable[str], chosen: Mapping[str, frozenset[str]], *, recorded: Mapping[str, str]
) -> list[ExportTable]:
    """Return the views of these kinds, narrowed to the ids chosen of each kind; `recorded` holds the day on which each id landed."""
    wanted = set(kinds)
    return [_table(connection, view, chosen[view.kind], recorded=recorded) for view in VIEWS if view.kind in wanted]


def _table(connection: Connection, view: View, ids: frozenset[str], *, recorded: Mapping[str, str]) -> ExportTable:
    names = [column.name for column in view.columns]
    key = names.index("claim") if "claim" in names else names.index("id")
    rows = connection.execute(text(f"SELECT * FROM {view.name} ORDER BY {', '.join(map(str, range(1, len(names) + 1)))}")).all()
    kept: Sequence[tuple[Value, ...]] = [tuple(row) for row in rows if row[key] in ids]
    if "meaning" not in names:
        return ExportTable(view.name, view.columns, tuple(kept))
    return ExportTable(view.name, (*view.columns, RECORDED_ON), tuple((*row, recorded.get(str(row[key]), "unknown")) for row in kept))

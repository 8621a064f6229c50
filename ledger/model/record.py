"""What every record has: an id, a schema number, a note, and what it supersedes."""

from typing import Any, ClassVar, Literal

from pydantic import BaseModel, ConfigDict

from ledger.model.values.values import Slug, Text

SCHEMA = 1


class Part(BaseModel):
    """A frozen piece of a record; unknown keys, NaN and infinity are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True, allow_inf_nan=False)


class Supersedes(Part):
    """The record that this one replaces, and why."""

    id: Slug
    because: Literal["correction", "change"]
    """`correction`: we were wrong, the whole interval is replaced. `change`: the world moved."""
    reason: Text


class Record(Part):
    """One dated, sourced statement of one kind."""

    KIND: ClassVar[str]
    MEANING: ClassVar[tuple[str, ...]]
    """Fields that carry meaning, besides `supersedes`; the rest may change freely."""

    id: Slug
    """Unique in the ledger, never reused or renamed; carries no values."""
    schema_: Literal[1] = SCHEMA  # type: ignore[assignment]
    note: str | None = None
    """Free text for the next reader; carries no meaning."""
    supersedes: Supersedes | None = None

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        use_attribute_docstrings=True,
        alias_generator=lambda name: "schema" if name == "schema_" else name,
        populate_by_name=True,
    )

    def meaning(self) -> dict[str, Any]:
        """The fields that carry meaning, as plain values; unset ones are left out."""
        return self.model_dump(include={*self.MEANING, "id", "supersedes"}, exclude_none=True, exclude_defaults=True) | {"kind": self.KIND}

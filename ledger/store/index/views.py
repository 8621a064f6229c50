"""The stable views of the index: what `ledger sql` may read and every export writes. docs/sql.md describes them.

A column's name and sense never change while `LAYOUT` stays; a new column may come at the end. Exact decimals are
text, days are ISO text, and what is absent is NULL.
"""

from dataclasses import dataclass
from typing import Literal

from sqlalchemy import Connection, text

from ledger.model.records.run import EnvironmentFact

LAYOUT = "3"
"""Part of the index's version: another layout is built anew."""
Type = Literal["text", "decimal", "number", "integer", "boolean", "day"]


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name, what it holds, and the SQL that yields it."""

    name: str
    type: Type
    holds: str
    sql: str


@dataclass(frozen=True, slots=True)
class View:
    """A view: its name, the kind of record that its rows are of, and its columns."""

    name: str
    kind: str
    holds: str
    columns: tuple[Column, ...]
    source: str
    """The FROM clause."""

    @property
    def create(self) -> str:
        """The statement that makes the view."""
        columns = ", ".join(f"{column.sql} AS {column.name}" for column in self.columns)
        return f"CREATE VIEW {self.name} AS SELECT {columns} FROM {self.source}"


def _data(name: str, holds: str, type_: Type = "text", *, default: str | None = None) -> Column:
    value = f"json_extract(r.data, '$.{name}')"
    return Column(name, type_, holds, value if default is None else f"coalesce({value}, '{default}')")


_ID = Column("id", "text", "id of the record", "r.id")
_HELD = (
    Column("valid_from", "day", "first day on which it holds", "nullif(r.starts_on, '0001-01-01')"),
    Column("valid_to", "day", "first day on which it holds no longer", "r.ends_on"),
    Column("closed_as", "text", "current, superseded, retracted or ended", "r.closed_as"),
    Column("taken_back", "boolean", "1 where a correction or retraction took its whole interval back", "r.void"),
    Column("because", "text", "why it closed", "nullif(r.because, '')"),
    Column("replaced_by", "text", "id of the record that closed it", "r.closed_by"),
    _data("author", "who wrote the record"),
    Column("meaning", "text", "meaning hash", "r.meaning"),
    Column("path", "text", "file it is written in", "r.path"),
)
_RELATION = (
    "coalesce(json_extract(r.data, '$.relation'), (SELECT relation FROM recordrow s WHERE s.kind = 'source' AND s.id = r.source), "
    "CASE WHEN r.source IS NOT NULL OR r.label = 'vendor-claimed' THEN 'unknown' ELSE 'own' END)"
)

CLAIMS = View(
    "claims",
    "claim",
    "one row a claim",
    (
        _ID,
        Column("label", "text", "vendor-claimed, proposed or measured", "r.label"),
        Column("relation", "text", "how the claimant stands to the subject", _RELATION),
        Column("side", "text", "technical or pricing", "r.side"),
        Column("subject", "text", "what it speaks of, from general to special", "r.subject"),
        Column("statement", "text", "as it prints, with its values", "p.statement"),
        Column("source", "text", "id of its source", "r.source"),
        _data("locator", "where in the source"),
        _data("quote", "short exact quotation"),
        _data("asserted_on", "when it was said, as precise as known"),
        _data("version", "software version that it speaks of"),
        *_HELD,
    ),
    "recordrow r LEFT JOIN printed p ON p.id = r.id WHERE r.kind = 'claim'",
)
SOURCES = View(
    "sources",
    "source",
    "one row a source",
    (
        _ID,
        _data("title", "title"),
        _data("publisher", "who published it"),
        _data("url", "address as it was found"),
        _data("type", "kind of document"),
        _data("relation", "supplier, author, third-party, user-report or own"),
        _data("published_on", "when published, as precise as known"),
        _data("received_on", "when received", "day"),
        Column(
            "last_seen",
            "day",
            "last day on which it was read",
            "(SELECT max(json_extract(value, '$.retrieved_at')) FROM json_each(r.data, '$.captures'))",
        ),
        Column("captures", "integer", "how many times it was captured", "coalesce(json_array_length(r.data, '$.captures'), 0)"),
        _data("volatility", "fixed, living or event", default="living"),
        _data("recheck_days", "days after which it is due again", "integer"),
        _data("licence", "as stated by the source"),
        _data("reliability", "a to d"),
        *_HELD,
    ),
    "recordrow r WHERE r.kind = 'source'",
)
_COST_TEXTS = (
    ("item", "what is sold"),
    ("provider", "who sells it"),
    ("basis", "list, transcription, quote, contract, observation or estimate"),
    ("price_kind", "on-demand, spot, reserved, committed, purchase or energy"),
)
_COST_TERMS = (
    ("currency", "ISO 4217, or unknown"),
    ("per", "what the amount buys"),
    ("gpu", "device, or none"),
    ("gpus_per_instance", "devices of the instance, or unknown"),
    ("includes_host", "1, 0 or unknown"),
    ("region", "region"),
    ("zone", "zone"),
    ("term", "terms of the offer"),
    ("tier", "the provider's class of offer"),
    ("tax", "included, excluded or unknown"),
    ("scope", "list, account-specific or unknown"),
    ("effective_from", "start as stated, or unknown"),
    ("effective_to", "end as stated, open or unknown"),
    ("observed_on", "day on which somebody saw it, or unknown"),
    ("source", "id of its source"),
    ("locator", "where in the source"),
)
COSTS = View(
    "costs",
    "cost",
    "one row a price",
    (
        _ID,
        *(_data(name, holds) for name, holds in _COST_TEXTS),
        Column("standing", "text", "sound, anomalous, refuted or withdrawn", "json_extract(r.data, '$.standing.state')"),
        Column("amount", "decimal", "the price; NULL where unknown or a range", "nullif(json_extract(r.data, '$.amount'), 'unknown')"),
        _data("low", "low end of a range", "decimal"),
        _data("high", "high end of a range", "decimal"),
        *(Column(name, "text", holds, f"CAST(json_extract(r.data, '$.{name}') AS TEXT)") for name, holds in _COST_TERMS),
        *_HELD,
    ),
    "recordrow r WHERE r.kind = 'cost'",
)
QUANTITY_COLUMNS: tuple[tuple[str, Type, str], ...] = (
    ("claim", "text", "id of the claim"),
    ("name", "text", "name within the claim"),
    ("metric", "text", "what is measured; paired ratios under the name that claims use"),
    ("text", "text", "as it prints, with bound and unit"),
    ("low", "decimal", "low end in the unit; equal to high for a point"),
    ("high", "decimal", "high end in the unit"),
    ("bound", "text", "exactly, about, up-to or at-least"),
    ("unit", "text", "unit of low and high"),
    ("dimension", "text", "dimension of the unit"),
    ("statistic", "text", "mean, median, p95 and the like"),
    ("samples", "integer", "samples behind it"),
    ("interval", "boolean", "1 where the ends are a measured 95 % interval"),
    ("conditions", "text", "what it holds for, as JSON"),
    ("reference", "text", "where in a run it lies; measured claims only"),
    ("withheld", "text", "why there is no number"),
)
"""Name, type and sense of each column of `quantities`; `printed_claims` fills them."""
QUANTITIES = View(
    "quantities",
    "claim",
    "one row a number of a claim, stated or measured",
    tuple(Column(name, type_, holds, f"q.{name}") for name, type_, holds in QUANTITY_COLUMNS),
    "quantity q",
)
REVIEWS = View(
    "reviews",
    "review",
    "one row a review",
    (
        _ID,
        Column("target", "text", "id of the record reviewed", "r.target"),
        _data("target_meaning", "meaning hash that was reviewed"),
        _data("reviewer", "who reviewed"),
        _data("reviewed_on", "when", "day"),
        _data("verdict", "accepted or rejected"),
        _data("aspects", "what was checked, as JSON"),
        Column("lapsed", "boolean", "1 where the target has changed since", "t.meaning IS NOT json_extract(r.data, '$.target_meaning')"),
        Column("path", "text", "file it is written in", "r.path"),
    ),
    "recordrow r LEFT JOIN recordrow t ON t.id = r.target AND t.kind NOT IN ('review', 'retraction') WHERE r.kind = 'review'",
)
PROTOCOLS = View(
    "protocols",
    "protocol",
    "one row a protocol",
    (
        _ID,
        _data("question", "what it asks"),
        Column("model", "text", "model under test", "json_extract(r.data, '$.model.name')"),
        Column("arms", "integer", "arms, the baseline included", "json_array_length(r.data, '$.arms')"),
        Column("loads", "integer", "loads", "json_array_length(r.data, '$.loads')"),
        _data("repeats", "repeats of each cell", "integer"),
        _data("workload", "id of the workload"),
        *_HELD,
    ),
    "recordrow r WHERE r.kind = 'protocol'",
)
RUNS = View(
    "runs",
    "run",
    "one row a run",
    (
        _ID,
        Column("protocol", "text", "id of its protocol", "r.protocol"),
        Column("status", "text", "complete, partial, failed or invalid", "r.status"),
        _data("planned", "1 where the protocol had landed before the start", "boolean"),
        Column("executor", "text", "who ran it", "json_extract(r.data, '$.executor.organisation')"),
        Column("executor_relation", "text", "own, supplier or third-party", "json_extract(r.data, '$.executor.relation')"),
        _data("started_at", "start, UTC"),
        _data("finished_at", "end, UTC"),
        _data("duration_s", "seconds by the monotonic clock", "number"),
        Column("hardware", "text", "hardware", f"json_extract(r.data, '$.environment.{EnvironmentFact.HARDWARE}')"),
        Column("deviations", "integer", "deviations from the plan", "coalesce(json_array_length(r.data, '$.deviations'), 0)"),
        _data("decision", "what the protocol's rule said"),
        *_HELD,
    ),
    "recordrow r WHERE r.kind = 'run'",
)
CONFLICTS = View(
    "conflicts",
    "claim",
    "one row for each record that says that another says otherwise",
    (
        Column("id", "text", "id of the record that says so", "r.id"),
        Column("kind", "text", "claim or cost", "r.kind"),
        Column("other", "text", "id of the other record", "c.value"),
    ),
    "recordrow r, json_each(r.data, '$.conflicts_with') c",
)
VIEWS = (CLAIMS, QUANTITIES, SOURCES, COSTS, REVIEWS, PROTOCOLS, RUNS, CONFLICTS)


def create_views(connection: Connection) -> None:
    """Create every view; the tables that they read are there already."""
    for view in VIEWS:
        connection.execute(text(view.create))

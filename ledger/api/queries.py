"""Queries: records by filter and by both times, search, conflicts, SQL, export, coverage."""

from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

from ledger import __version__
from ledger.analysis.claims.conflicts import Conflicts, conflicts
from ledger.analysis.prices.selection import is_announced, latest_prices
from ledger.analysis.upkeep.coverage import Coverage, Gap, Uncovered, coverage, overdue_sources
from ledger.analysis.validity.links import links_of
from ledger.analysis.validity.validity import is_current
from ledger.api.ledger_files import LedgerFiles
from ledger.model.records.claim import Claim
from ledger.model.records.cost import Cost
from ledger.model.records.source import Source
from ledger.model.values.meaning import meaning_hash
from ledger.store.index.answers import Answer, arrange

if TYPE_CHECKING:
    from ledger.analysis.claims.quotes import QuoteCheck
    from ledger.store.export.formats import ExportFormat
    from ledger.store.index.fulltext import SearchMatch
    from ledger.store.index.record_log import Log
    from ledger.store.index.sql_select import SelectResult

PREFIXES: tuple[str, ...] = ("subject", "item")
"""Filters that find what lies below a value too."""


class Selection(TypedDict, total=False):
    """What every list of records can be asked; each key may be left out or None."""

    known_at: str | None
    """A day or a commit of the main branch: what the ledger knew then."""
    sort: str | None
    """A field; `-field` the other way round."""
    limit: int | None
    """How many at most."""


class ClaimFilters(Selection, total=False):
    """Filters of claims."""

    label: str | None
    side: str | None
    subject: str | None
    """Finds what lies below it too."""
    source: str | None
    as_of: date | None
    """The day on which they hold; without it closed ones answer as well."""


class SourceFilters(Selection, total=False):
    """Filters of sources."""

    publisher: str | None
    relation: str | None


class CostFilters(Selection, total=False):
    """Filters of costs."""

    provider: str | None
    region: str | None
    gpu: str | None
    price_kind: str | None
    item: str | None
    """Finds what lies below it too."""
    as_of: date | None
    """The day by which they were known to hold; of each item only the latest answers."""


class Queries:
    """What a ledger answers."""

    def __init__(self, files: LedgerFiles) -> None:
        self.files = files

    def claims(self, **filters: Unpack[ClaimFilters]) -> list[Claim]:
        """Return claims in order of id, or as `sort` says; raises as `answers` does."""
        return [answer.record for answer in self.answers("claim", **filters) if isinstance(answer.record, Claim)]

    def sources(self, **filters: Unpack[SourceFilters]) -> list[Source]:
        """Return sources in order of id, or as `sort` says; raises as `answers` does."""
        return [answer.record for answer in self.answers("source", **filters) if isinstance(answer.record, Source)]

    def costs(self, **filters: Unpack[CostFilters]) -> list[Cost]:
        """Return costs in order of id, or as `sort` says; raises as `answers` does."""
        return [answer.record for answer in self.answers("cost", **filters) if isinstance(answer.record, Cost)]

    def answers(
        self,
        kind: str,
        *,
        as_of: date | None = None,
        known_at: str | None = None,
        sort: str | None = None,
        limit: int | None = None,
        **filters: str | None,
    ) -> "list[Answer]":
        """Return records of a kind with their validity and place; a filter that is None does not filter.

        For a day to come only prices answer that say until when they hold: announcements and contracts.
        `known_at` is a day or a commit of the main branch: what the ledger knew then. `sort` names a field, `-field`
        the other way round.

        Raises:
            UsageError: `known_at` lies in the future or off the main branch.
            EnvironmentFaultError: `known_at` is asked where there is no git history, or a shallow one.
        """
        given = {name: value for name, value in filters.items() if value is not None}
        prefix = {name: given.pop(name) for name in PREFIXES if name in given}
        if known_at is None:
            answers = self.files.index.query(kind, equal=given, prefix=prefix, as_of=as_of)
        else:
            point = self.files.versions.point(known_at, self.files.now())
            answers = self.files.versions.query(kind, point, equal=given, prefix=prefix, as_of=as_of)
        if kind == "cost" and as_of:
            answers = _current_prices(answers, announced_only=as_of > self.files.now().date())
        return arrange(kind, answers, sort=sort, limit=limit, recorded_on=self.files.recorded_on)

    def search(self, words: str, *, kind: str | None = None, limit: int = 20, known_at: str | None = None) -> "list[SearchMatch]":
        """Return the records that hold every word and quoted phrase, the best match first.

        Raises:
            UsageError: there is no word to search for.
        """
        from ledger.store.index.fulltext import search  # SQLModel is only needed by queries

        with self.files.connect(known_at) as connection:
            return search(connection, words, kind=kind, limit=limit)

    def conflicts(self, subject: str, *, as_of: date | None = None, known_at: str | None = None) -> Conflicts:
        """Return the claims under a subject that speak of one metric or name each other, side by side."""
        answers = self.answers("claim", subject=subject, as_of=as_of, known_at=known_at)
        return conflicts(self.files.catalogue_at(known_at), [answer.record for answer in answers if isinstance(answer.record, Claim)])

    def select(self, statement: str, *, known_at: str | None = None) -> "SelectResult":
        """Return column names and rows of one SELECT over the stable views of docs/sql.md.

        Raises:
            UsageError: the statement is faulty, or would do more than read the views.
        """
        from ledger.store.index.sql_select import select  # SQLModel is only needed by queries

        with self.files.connect(known_at) as connection:
            return select(connection, statement, self._recorded_rows)

    def _recorded_rows(self) -> Iterator[tuple[str, str, str]]:
        for entry in self.files.catalogue:
            yield entry.record.id, meaning_hash(entry.record), self.files.recorded_on(entry.record)

    def view_columns(self) -> list[dict[str, str]]:
        """Return every column of the stable views, with its type and what it holds."""
        from ledger.store.index.views import VIEWS  # SQLModel is only needed by queries

        return [{"view": v.name, "column": c.name, "type": c.type, "holds": c.holds} for v in VIEWS for c in v.columns]

    def export(
        self, form: "ExportFormat", out: Path, *, kinds: Iterable[str] = (), as_of: date | None = None, known_at: str | None = None
    ) -> list[Path]:
        """Write the stable views of some kinds, all by default, to a file or folder and return what was written.

        Without `as_of` everything is written, closed or not. The same records and query give the same bytes.
        """
        from ledger.store.export.formats import write_export  # SQLModel is only needed by queries
        from ledger.store.export.tables import Export, export_tables  # SQLModel is only needed by queries
        from ledger.store.index.views import VIEWS  # SQLModel is only needed by queries

        wanted = list(dict.fromkeys(kinds)) or list(dict.fromkeys(view.kind for view in VIEWS))
        answers = {kind: self.answers(kind, as_of=as_of, known_at=known_at) for kind in wanted}
        chosen = {kind: frozenset(answer.record.id for answer in of_kind) for kind, of_kind in answers.items()}
        recorded = {answer.record.id: self.files.recorded_on(answer.record) for of_kind in answers.values() for answer in of_kind}
        with self.files.connect(known_at) as connection:
            tables = export_tables(connection, wanted, chosen, recorded=recorded)
        about = {
            "organisation": self.files.settings.organisation,
            "query": f"export {' '.join(wanted)}",
            "as of": str(as_of) if as_of else "any day",
            "known at": known_at or "now, records not yet landed included",
            "commit": str(self.files.head() or "none: outside git"),
            "made by": f"evidence-ledger {__version__}",
        }
        return write_export(Export(tuple(tables), about, as_of or self.files.now().date()), form, out)

    def named_by(self, record_id: str) -> list[str]:
        """Return the ids of the records that name this one."""
        return sorted({e.record.id for e in self.files.catalogue for link in links_of(e.record) if link.target == record_id})

    def coverage(self, *, as_of: date) -> list[Coverage]:
        """Return what nobody tested, ran, reviewed or read again, against the limits in `ledger.toml`."""
        policy = self.files.settings.coverage
        allowed: dict[Gap, int | None] = {
            "untested-claim": policy.untested_claims,
            "protocol-never-run": policy.protocols_never_run,
            "source-never-reviewed": policy.sources_never_reviewed,
            "source-overdue": policy.sources_overdue,
            "review-lapsed": policy.reviews_lapsed,
            "waiver-ran-out": policy.waivers_ran_out,
        }
        return coverage(self.files.catalogue, as_of, allowed=allowed, recheck_days=policy.recheck_days)

    def due_sources(self, *, as_of: date) -> list[Uncovered]:
        """Return the sources that are due to be read again, and since when."""
        current = [source for source in self.files.catalogue.of(Source) if is_current(self.files.catalogue, source, as_of)]
        return list(overdue_sources(current, as_of, self.files.settings.coverage.recheck_days))

    def quotes(self, claim: Claim) -> "list[QuoteCheck]":
        """Return whether a claim's quotation and numbers stand in the archived text of its source; empty where none is archived."""
        source = self.files.catalogue.get(claim.source or "", Source)
        if source is None or not any(capture.archived for capture in source.captures):
            return []
        from ledger.store.sources.captures import quotes_in  # tomlkit and urllib are not needed by most queries

        return quotes_in(self.files.record_files, self.files.catalogue, claim)

    def interrupted(self) -> list[str]:
        """Return the ids of runs with a journal here and no record; finding them needs no runner."""
        folders = (path.parent.name for path in (self.files.root / self.files.settings.paths.evidence).glob("*/journal.jsonl"))
        return sorted(name for name in folders if name not in self.files.catalogue.by_id and not name.startswith("."))

    def log(self, record_id: str) -> "Log":
        """Return the whole line of supersession around a record, with when and by whom each was recorded."""
        from ledger.store.index.record_log import log_of  # git is only needed by recorded time

        return log_of(self.files.catalogue, self.files.entry(record_id), self.files.versions, history=self.files.history)


def _current_prices(answers: "list[Answer]", *, announced_only: bool) -> "list[Answer]":
    """Of prices that hold on a day, the one of each offer that counts; for a future day only announced ones do."""
    by_id = {answer.record.id: answer for answer in answers}
    prices = ((answer.record, answer.validity) for answer in answers if isinstance(answer.record, Cost))
    return [by_id[cost.id] for cost in latest_prices((cost, held) for cost, held in prices if not announced_only or is_announced(cost))]

"""`Ledger`: one ledger, opened, and its parts."""

from collections.abc import Callable, Iterable
from datetime import UTC, date, datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from ledger.api.articles import Articles
from ledger.api.builds import Builds
from ledger.api.checks import Checks
from ledger.api.ledger_files import LedgerFiles
from ledger.api.queries import ClaimFilters, CostFilters, Queries, SourceFilters
from ledger.api.writing import Writing
from ledger.errors import Problem
from ledger.model.catalogue import Catalogue, Entry
from ledger.model.records.claim import Claim
from ledger.model.records.cost import Cost
from ledger.model.records.source import Source
from ledger.store.files.settings import Settings

if TYPE_CHECKING:
    from ledger.analysis.claims.conflicts import Conflicts
    from ledger.analysis.upkeep.coverage import Coverage
    from ledger.analysis.upkeep.impact import Impact
    from ledger.analysis.upkeep.staleness import Stale
    from ledger.api.remote.remote import Remote
    from ledger.api.runs.plans import Plans
    from ledger.api.runs.runs import Runs
    from ledger.store.export.formats import ExportFormat
    from ledger.store.index.fulltext import SearchMatch
    from ledger.store.index.sql_select import SelectResult


class Ledger:
    """One ledger: a folder with a `ledger.toml` and its records; open it with `Ledger.open`.

    Its parts are plain objects made from `files`: `queries`, `checks`, `articles`, `builds`, `writing`, `plans`, `runs`
    and `remote`. The methods beside them are short ways to what is asked every day.
    """

    def __init__(self, files: LedgerFiles) -> None:
        self.files = files

    @classmethod
    def open(cls, path: str | Path = ".", *, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> "Ledger":
        """Return the ledger at or above a folder.

        Args:
            path: The folder.
            now: Returns the present instant, before which lies what is known. The default is the machine's clock, for
                notebooks; it is the only clock below the command line.

        Raises:
            UsageError: there is no `ledger.toml`.
            DataRefusedError: `ledger.toml` has faults.
        """
        return cls(LedgerFiles.at(Path(path), now))

    # The parts

    @cached_property
    def queries(self) -> Queries:
        """Records by filter and by both times, search, conflicts, SQL, export, coverage."""
        return Queries(self.files)

    @cached_property
    def articles(self) -> Articles:
        """Drafts: linted, and traced to what they cite."""
        return Articles(self.files)

    @cached_property
    def checks(self) -> Checks:
        """Findings about records, drafts and the history."""
        return Checks(self.files, self.articles)

    @cached_property
    def builds(self) -> Builds:
        """Articles as Markdown, HTML and PDF."""
        return Builds(self.files, self.articles, self.checks)

    @cached_property
    def writing(self) -> Writing:
        """What adds records and captures."""
        return Writing(self.files)

    @cached_property
    def plans(self) -> "Plans":
        """Protocols, and the prompts and suite items that they run on."""
        from ledger.api.runs.plans import Plans  # the runner is not needed by queries

        return Plans(self.files)

    @cached_property
    def runs(self) -> "Runs":
        """Runs: executed, resumed, recorded, verified."""
        from ledger.api.runs.runs import Runs  # the runner is not needed by queries

        return Runs(self.files, self.plans)

    @cached_property
    def remote(self) -> "Remote":
        """Runs on machines without this ledger: packed, and imported."""
        from ledger.api.remote.remote import Remote  # the runner is not needed by queries

        return Remote(self.files, self.runs)

    # What is asked every day

    @property
    def root(self) -> Path:
        """The folder with `ledger.toml`."""
        return self.files.root

    @property
    def settings(self) -> Settings:
        """What `ledger.toml` says."""
        return self.files.settings

    @property
    def catalogue(self) -> Catalogue:
        """Every readable record, from the files."""
        return self.files.catalogue

    def entry(self, record_id: str) -> Entry:
        """Return the entry of an id; see `LedgerFiles.entry`."""
        return self.files.entry(record_id)

    def claims(self, **filters: Unpack[ClaimFilters]) -> list[Claim]:
        """Return claims in order of id; see `Queries.claims`."""
        return self.queries.claims(**filters)

    def sources(self, **filters: Unpack[SourceFilters]) -> list[Source]:
        """Return sources in order of id; see `Queries.sources`."""
        return self.queries.sources(**filters)

    def costs(self, **filters: Unpack[CostFilters]) -> list[Cost]:
        """Return costs in order of id; see `Queries.costs`."""
        return self.queries.costs(**filters)

    def search(self, words: str, *, kind: str | None = None, limit: int = 20, known_at: str | None = None) -> "list[SearchMatch]":
        """Return the records that hold every word and quoted phrase; see `Queries.search`."""
        return self.queries.search(words, kind=kind, limit=limit, known_at=known_at)

    def conflicts(self, subject: str, *, as_of: date | None = None, known_at: str | None = None) -> "Conflicts":
        """Return the claims under a subject that speak of one metric or name each other; see `Queries.conflicts`."""
        return self.queries.conflicts(subject, as_of=as_of, known_at=known_at)

    def select(self, statement: str, *, known_at: str | None = None) -> "SelectResult":
        """Return column names and rows of one SELECT over the stable views; see `Queries.select`."""
        return self.queries.select(statement, known_at=known_at)

    def export(
        self, form: "ExportFormat", out: Path, *, kinds: Iterable[str] = (), as_of: date | None = None, known_at: str | None = None
    ) -> list[Path]:
        """Write the stable views to files and return their paths; see `Queries.export`."""
        return self.queries.export(form, out, kinds=kinds, as_of=as_of, known_at=known_at)

    def coverage(self, *, as_of: date) -> "list[Coverage]":
        """Return what nobody tested, ran, reviewed or read again; see `Queries.coverage`."""
        return self.queries.coverage(as_of=as_of)

    def impact(self, record_id: str) -> "Impact":
        """Return what would go stale if a record changed; see `Articles.impact`."""
        return self.articles.impact(record_id)

    def stale(self, article_ids: Iterable[str] | None = None, *, as_of: date) -> "list[Stale]":
        """Return every citation of drafts that no longer stands on a day; see `Articles.stale`."""
        return self.articles.stale(article_ids, as_of=as_of)

    def check(self, within: Iterable[Path] = ()) -> list[Problem]:
        """Return every finding of every rule; see `Checks.check`."""
        return self.checks.check(within)

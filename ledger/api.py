"""`Ledger`: open a ledger and query, check and build from Python; the command line calls the same methods."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self
from zoneinfo import ZoneInfo

from ledger import __version__
from ledger.analysis.conflicts import Conflicts, conflicts
from ledger.analysis.coverage import Coverage, Gap, Uncovered, coverage, overdue
from ledger.analysis.dependence import Impact, impact, named_ids
from ledger.analysis.drafting import drafted_claims
from ledger.analysis.guard import check_history
from ledger.analysis.resolve import Bindings
from ledger.analysis.rules import check_rules
from ledger.analysis.staleness import Citation, Stale, stale
from ledger.analysis.standing import is_current
from ledger.analysis.waivers import apply_waivers
from ledger.errors import EnvironmentFault, FindingsError, Problem, UsageError, has_errors, ordered
from ledger.model.article import Article
from ledger.model.catalogue import Catalogue, Entry
from ledger.model.claim import Claim
from ledger.model.cost import Cost
from ledger.model.meaning import meaning_hash
from ledger.model.record import Record
from ledger.model.source import Source
from ledger.store.answers import Answer, arranged
from ledger.store.attached_files import check_attached
from ledger.store.files import RecordFiles
from ledger.store.settings import Settings, find_root, read_settings
from ledger.store.writing import write_atomically

if TYPE_CHECKING:
    from ledger.analysis.quotes import QuoteCheck
    from ledger.bench.progress import Report
    from ledger.model.run import Run
    from ledger.render.document import Document
    from ledger.runs import Runs
    from ledger.store.appending import Appending
    from ledger.store.captures import Captured
    from ledger.store.export.formats import ExportFormat
    from ledger.store.fulltext import Found
    from ledger.store.index import Index
    from ledger.store.logbook import Log
    from ledger.store.repository import Head
    from ledger.store.selecting import Selected
    from ledger.store.versions import Versions

FORMATS = ("md", "html", "pdf")
PREFIXES: tuple[str, ...] = ("subject", "item")
"""Filters that find what lies below a value too."""


@dataclass(frozen=True, slots=True)
class Built:
    """The files of one built article, and what a reader of the terminal should know."""

    paths: tuple[Path, ...]
    warnings: tuple[Problem, ...]


class Ledger:
    """One ledger: a folder with a `ledger.toml` and its records."""

    def __init__(self, root: Path, settings: Settings, now: Callable[[], datetime]) -> None:
        self.root = root
        self.settings = settings
        self.now = now
        self.files = RecordFiles(root, settings)

    @classmethod
    def open(cls, path: str | Path = ".", *, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> Self:
        """Return the ledger at or above a folder; `now` tells what lies in the future.

        Raises:
            UsageError: there is no `ledger.toml`.
            DataRefused: `ledger.toml` has faults.
        """
        root = find_root(Path(path))
        return cls(root, read_settings(root), now)

    @cached_property
    def catalogue(self) -> Catalogue:
        """Every readable record, from the files."""
        return self.files.catalogue

    @cached_property
    def index(self) -> "Index":
        """The SQL index, made or refreshed when first asked."""
        from ledger.store.index import Index  # SQLModel is only needed by queries

        return Index(self.files)

    def claims(
        self,
        *,
        label: str | None = None,
        side: str | None = None,
        subject: str | None = None,
        source: str | None = None,
        as_of: date | None = None,
        known_at: str | None = None,
        sort: str | None = None,
        limit: int | None = None,
    ) -> list[Claim]:
        """Return claims in order of id; `subject` finds what lies below it too; without `as_of` closed ones answer as well."""
        filters = {"label": label, "side": side, "subject": subject, "source": source}
        answers = self.answers("claim", as_of=as_of, known_at=known_at, sort=sort, limit=limit, **filters)
        return [answer.record for answer in answers if isinstance(answer.record, Claim)]

    def sources(
        self,
        *,
        publisher: str | None = None,
        relation: str | None = None,
        known_at: str | None = None,
        sort: str | None = None,
        limit: int | None = None,
    ) -> list[Source]:
        """Return sources in order of id."""
        answers = self.answers("source", publisher=publisher, relation=relation, known_at=known_at, sort=sort, limit=limit)
        return [answer.record for answer in answers if isinstance(answer.record, Source)]

    def costs(
        self,
        *,
        provider: str | None = None,
        region: str | None = None,
        gpu: str | None = None,
        price_kind: str | None = None,
        item: str | None = None,
        as_of: date | None = None,
        known_at: str | None = None,
        sort: str | None = None,
        limit: int | None = None,
    ) -> list[Cost]:
        """Return costs in order of id; with `as_of` the latest of each item that was known to hold by that day."""
        filters = {"provider": provider, "region": region, "gpu": gpu, "price_kind": price_kind, "item": item}
        answers = self.answers("cost", as_of=as_of, known_at=known_at, sort=sort, limit=limit, **filters)
        return [answer.record for answer in answers if isinstance(answer.record, Cost)]

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

        `known_at` is a day or a commit of the main branch: what the ledger knew then. `sort` names a field, `-field`
        the other way round.

        Raises:
            UsageError: `known_at` lies in the future or off the main branch.
            EnvironmentFault: `known_at` is asked where there is no git history, or a shallow one.
        """
        given = {name: value for name, value in filters.items() if value is not None}
        prefix = {name: given.pop(name) for name in PREFIXES if name in given}
        if known_at is None:
            found = self.index.query(kind, equal=given, prefix=prefix, as_of=as_of)
        else:
            point = self.versions.point(known_at, self.now())
            found = self.versions.query(kind, point, equal=given, prefix=prefix, as_of=as_of)
        chosen = latest_of_series(found) if kind == "cost" and as_of else found
        return arranged(kind, chosen, sort=sort, limit=limit, recorded_on=self.recorded_on)

    @cached_property
    def versions(self) -> "Versions":
        """The index of the main branch's history."""
        from ledger.store.history import History  # git is only needed by recorded time
        from ledger.store.versions import Versions  # as above

        return Versions(History(self.root, self.settings))

    def recorded(self) -> "dict[tuple[str, str], datetime] | None":
        """Return when each meaning of each id landed, by id and meaning hash; None where no history tells."""
        try:
            return self.versions.recorded()
        except EnvironmentFault:
            return None

    @cached_property
    def _recorded(self) -> "dict[tuple[str, str], datetime] | None":
        return self.recorded()

    def recorded_on(self, record: Record) -> str:
        """Return the day on which a record's meaning landed, in the ledger's time zone; `unrecorded` until then.

        `unknown` where no history tells: outside git, or in a shallow clone.
        """
        if self._recorded is None:
            return "unknown"
        at = self._recorded.get((record.id, meaning_hash(record)))
        return at.astimezone(ZoneInfo(self.settings.time_zone)).date().isoformat() if at else "unrecorded"

    def catalogue_at(self, known_at: str | None) -> Catalogue:
        """Return every record as the ledger knew it at a day or commit; with None those of the work tree.

        Raises:
            UsageError: `known_at` lies in the future or off the main branch.
        """
        return self.catalogue if known_at is None else self.versions.catalogue(self.versions.point(known_at, self.now()))

    def connect(self, known_at: str | None = None) -> "Connection":
        """Return a connection to the index, or to one in memory of what the ledger knew then; it is to be closed."""
        from ledger.store.index import memory_index  # SQLModel is only needed by queries

        return self.index.connect() if known_at is None else memory_index(self.catalogue_at(known_at))

    def search(self, words: str, *, kind: str | None = None, limit: int = 20, known_at: str | None = None) -> "list[Found]":
        """Return the records that hold every word and quoted phrase, the best match first.

        Raises:
            UsageError: there is no word to search for.
        """
        from ledger.store.fulltext import search  # as above

        with self.connect(known_at) as connection:
            return search(connection, words, kind=kind, limit=limit)

    def conflicts(self, subject: str, *, as_of: date | None = None, known_at: str | None = None) -> Conflicts:
        """Return the claims under a subject that speak of one metric or name each other, side by side."""
        found = self.answers("claim", subject=subject, as_of=as_of, known_at=known_at)
        return conflicts(self.catalogue_at(known_at), [answer.record for answer in found if isinstance(answer.record, Claim)])

    def citations(self, article_ids: Iterable[str] | None = None, bindings: Bindings | None = None) -> Iterator[Citation]:
        """Yield every place of drafts that names a record, those of all drafts by default."""
        from ledger.render.citations import citations_of  # parsing Markdown is only needed by articles

        names = [article.id for article in self.catalogue.of(Article)] if article_ids is None else article_ids
        for name in names:
            entry, article = self._article(name)
            yield from citations_of(article, entry.path, bound_names(article, bindings))

    def impact(self, record_id: str) -> Impact:
        """Return the records and the sentences of drafts that would go stale if a record changed.

        Raises:
            UsageError: no record, or more than one, has the id.
        """
        return impact(self.catalogue, self.entry(record_id).record.id, self.citations())

    def stale(self, article_ids: Iterable[str] | None = None, *, as_of: date) -> list[Stale]:
        """Return every citation of drafts that no longer stands on a day."""
        return list(stale(self.catalogue, self.citations(article_ids), as_of))

    def coverage(self, *, as_of: date) -> list[Coverage]:
        """Return what nobody tested, ran, reviewed or read again, against the limits in `ledger.toml`."""
        policy = self.settings.coverage
        allowed: dict[Gap, int | None] = {
            "untested-claim": policy.untested_claims,
            "protocol-never-run": policy.protocols_never_run,
            "source-never-reviewed": policy.sources_never_reviewed,
            "source-overdue": policy.sources_overdue,
            "review-lapsed": policy.reviews_lapsed,
            "waiver-ran-out": policy.waivers_ran_out,
        }
        return coverage(self.catalogue, as_of, allowed=allowed, recheck_days=policy.recheck_days)

    def select(self, statement: str, *, known_at: str | None = None) -> "Selected":
        """Return column names and rows of one SELECT over the stable views of docs/sql.md.

        Raises:
            UsageError: the statement is faulty, or would do more than read the views.
        """
        from ledger.store.selecting import select  # SQLModel is only needed by queries

        with self.connect(known_at) as connection:
            return select(connection, statement, self._recorded_rows)

    def _recorded_rows(self) -> Iterator[tuple[str, str, str]]:
        for entry in self.catalogue:
            yield entry.record.id, meaning_hash(entry.record), self.recorded_on(entry.record)

    def view_columns(self) -> list[dict[str, str]]:
        """Return every column of the stable views, with its type and what it holds."""
        from ledger.store.views import VIEWS  # as above

        return [{"view": v.name, "column": c.name, "type": c.type, "holds": c.holds} for v in VIEWS for c in v.columns]

    def export(
        self, form: "ExportFormat", out: Path, *, kinds: Iterable[str] = (), as_of: date | None = None, known_at: str | None = None
    ) -> list[Path]:
        """Write the stable views of some kinds, all by default, to a file or folder and return what was written.

        Without `as_of` everything is written, closed or not. The same records and query give the same bytes.
        """
        from ledger.store.export.formats import write_export  # its libraries are only needed here
        from ledger.store.export.tables import Export, tables_of  # as above
        from ledger.store.views import VIEWS  # as above

        wanted = list(dict.fromkeys(kinds)) or list(dict.fromkeys(view.kind for view in VIEWS))
        answers = {kind: self.answers(kind, as_of=as_of, known_at=known_at) for kind in wanted}
        chosen = {kind: frozenset(answer.record.id for answer in found) for kind, found in answers.items()}
        recorded = {answer.record.id: self.recorded_on(answer.record) for found in answers.values() for answer in found}
        with self.connect(known_at) as connection:
            tables = tables_of(connection, wanted, chosen, recorded)
        about = {
            "organisation": self.settings.organisation,
            "query": f"export {' '.join(wanted)}",
            "as of": str(as_of) if as_of else "any day",
            "known at": known_at or "now, records not yet landed included",
            "commit": str(self.head() or "none: outside git"),
            "made by": f"evidence-ledger {__version__}",
        }
        return write_export(Export(tuple(tables), about, as_of or self.now().date()), form, out)

    @cached_property
    def runs(self) -> "Runs":
        """The runs of this ledger: their plans, folders and traces."""
        from ledger.runs import Runs  # the runner is not needed by queries

        return Runs(self.root, self.settings, self.catalogue)

    def not_landed(self, protocol_id: str) -> list[str]:
        """Return what of a protocol, its workload and suites has not landed on the main branch as it stands."""
        return self.runs.not_landed(self.runs.protocol(protocol_id), lambda entry: self.recorded_on(entry.record)[:1].isdigit())

    def run_protocol(self, protocol_id: str, *, model: Path | None, planned: bool, executor: str, today: date, progress: "Report") -> "Run":
        """Run a protocol and return the run, which is recorded under `records/runs/`."""
        head = self.head()
        return self.runs.execute(
            protocol_id,
            self.runs.new_id(protocol_id, today),
            model_path=self.model_folder(self.runs.protocol(protocol_id).model.name, model),
            commit=head.commit if head else None,
            planned=planned,
            relation=executor,
            progress=progress,
        )

    def resume_run(self, run_id: str, *, model: Path | None, executor: str, progress: "Report") -> "Run":
        """Finish an interrupted run and return it."""
        from ledger.runs import interrupted_protocol  # as above

        name = interrupted_protocol(self.runs.folder(run_id)).model.name
        return self.runs.resume(run_id, model_path=self.model_folder(name, model), relation=executor, progress=progress)

    def model_folder(self, name: str, given: Path | None) -> Path:
        """Return the folder of a model: the one given, the small demonstration model, or one in the cache.

        Raises:
            EnvironmentFault: it is not there.
        """
        from ledger.bench.model_files import NAME, cache_folder, small_model_path  # as above

        folder = given or cache_folder() / "models" / name
        if given is None and name == NAME:
            return small_model_path()
        if not (folder / "config.json").is_file():
            raise EnvironmentFault(f"{folder}: no model here. Give its folder with --model.")
        return folder

    def verify_run(self, run_id: str) -> list[Problem]:
        """Return every number of a run that its raw traces do not give."""
        return self.files.placed(self.runs.verify(run_id))

    def capture(self, source_id: str, where: str | None = None, *, taken_on: date | None = None, archive: bool = False) -> "Captured":
        """Capture a source from a file or an address, its own by default, and add that to its record.

        Raises:
            UsageError: no source has the id, or there is nothing to read.
            EnvironmentFault: the address does not answer.
        """
        from ledger.store.captures import capture  # only this and recheck use the network

        entry = self.entry(source_id)
        where = where or (entry.record.url if isinstance(entry.record, Source) else None)
        if where is None:
            raise UsageError(f"{source_id}: has no address. Name a file.")
        return capture(self.files, self.catalogue, entry, where, now=self.now(), taken_on=taken_on, archive=archive)

    def quotes(self, claim: Claim) -> "list[QuoteCheck]":
        """Return whether a claim's quotation and numbers stand in the archived text of its source; empty where none is archived."""
        source = self.catalogue.get(claim.source or "", Source)
        if source is None or not any(capture.archived for capture in source.captures):
            return []
        from ledger.store.captures import quotes_in  # as above

        return quotes_in(self.files, self.catalogue, claim)

    def due_sources(self, *, as_of: date) -> list[Uncovered]:
        """Return the sources that are due to be read again, and since when."""
        current = [source for source in self.catalogue.of(Source) if is_current(self.catalogue, source, as_of)]
        return list(overdue(current, as_of, self.settings.coverage.recheck_days))

    def draft_claims(self, run_id: str, today: date) -> tuple[Path, ...]:
        """Write measured claims drafted from a run, with references and no numbers; return their files."""
        from ledger.store.authoring import write_all  # as above

        run = self.runs.run(run_id)
        drafts = drafted_claims(run, self.runs.protocol(run.protocol), today, author=self.settings.organisation)
        fields = [("claim", claim.model_dump(by_alias=True, exclude_defaults=True)) for claim in drafts]
        return write_all(self.root, self.settings, fields, today=today).paths

    def check_history(self) -> list[Problem]:
        """Return a finding for every landed record that changed in place or vanished, in history or in the work tree."""
        from ledger.store.repository import is_unborn  # git is only needed by recorded time

        if is_unborn(self.root):
            return []
        return ordered(check_history(*self.versions.guarded(self.catalogue)))

    def head(self) -> "Head | None":
        """Return the commit the ledger stands at; None outside a repository."""
        from ledger.store.repository import head_of  # git is not needed by queries

        return head_of(self.root)

    def entry(self, record_id: str) -> Entry:
        """Return the entry of an id.

        Raises:
            UsageError: no record, or more than one, has it.
        """
        if entry := self.catalogue.by_id.get(record_id):
            return entry
        places = [entry.path for entry in self.catalogue if entry.record.id == record_id]
        if places:
            raise UsageError(f"{record_id}: used by {' and '.join(places)}. Rename all but one.")
        near = get_close_matches(record_id, self.catalogue.by_id, n=3)
        raise UsageError(f"{record_id}: no such record. " + (f"Did you mean {', '.join(near)}?" if near else "See `ledger claims`."))

    def appending(self, today: date | None = None) -> "Appending":
        """Return what adds, supersedes, retracts and reviews records; open the ledger again to query what it wrote."""
        from ledger.store.appending import Appending  # composing records is only needed by commands that write

        return Appending(self.files, today or self.now().date())

    def log(self, record_id: str) -> "Log":
        """Return the whole line of supersession around a record, with when and by whom each was recorded."""
        from ledger.store.history import History  # git is only needed by recorded time
        from ledger.store.logbook import log_of  # as above

        return log_of(self.catalogue, self.entry(record_id), self.versions, History(self.root, self.settings))

    def named_by(self, record_id: str) -> list[str]:
        """Return the ids of the records that name this one."""
        return sorted({e.record.id for e in self.catalogue for _field, target in named_ids(e.record) if target == record_id})

    @cached_property
    def record_problems(self) -> tuple[Problem, ...]:
        """Every finding about records and the files they name; drafts are linted apart."""
        attached = [*check_attached(self.root, self.settings, self.catalogue), *self._capture_problems()]
        found = [*check_rules(self.catalogue), *attached]
        return (*self.files.all.problems, *apply_waivers(found, self.catalogue, self.now().date()))

    def _capture_problems(self) -> Iterator[Problem]:
        """Findings about archived captures; only a ledger that has any loads what reads them."""
        if any(capture.archived for source in self.catalogue.of(Source) for capture in source.captures):
            from ledger.store.captures import check_captures  # tomlkit and urllib are not needed by most checks

            yield from check_captures(self.files, self.catalogue)

    def check(self, within: Iterable[Path] = ()) -> list[Problem]:
        """Return every finding of every rule, placed and in order; with `within` only those in these files or folders."""
        chosen = self.files.within(within)
        problems = list(self.record_problems)
        for article in self.catalogue.of(Article):
            problems += self.lint(article.id)
        problems += [one.problem() for one in self.stale(as_of=self.now().date()) if not one.is_told and not one.is_linted]
        return [problem for problem in self.files.placed(problems) if _lies_in(problem.path, chosen)]

    def lint(self, article_id: str, bindings: Bindings | None = None) -> list[Problem]:
        """Return the findings of one draft, placed."""
        from ledger.render.lint import lint  # parsing Markdown is only needed by articles

        entry, article = self._article(article_id)
        found = lint(article, entry.path, self.catalogue, as_of=article.as_of, bindings=bound_names(article, bindings))
        return self.files.placed(found)

    def build(self, article_id: str, out: Path, *, formats: Iterable[str] = FORMATS, bindings: Bindings | None = None) -> Built:
        """Build one article into `out` as Markdown, HTML and PDF.

        Raises:
            FindingsError: the draft, or a record it cites, has an error; nothing was written.
        """
        from ledger.render.document import figure_file, render_markdown  # heavy: only builds need it

        entry, article = self._article(article_id)
        problems = self.lint(article_id, bindings)
        if not has_errors(problems):
            document = render_markdown(article, self.catalogue, path=entry.path, bindings=bound_names(article, bindings))
            problems += self.files.placed(self._problems_of(document.cited))
        if has_errors(problems):
            raise FindingsError(f"{article_id} was not built", problems)
        files = {f"{article_id}.{suffix}": content for suffix, content in _rendered(article, document, formats)}
        if f"{article_id}.md" in files:
            files |= {f"figures/{figure_file(article, name)}": figure.svg.encode() for name, figure in document.figures.items()}
        for name, content in files.items():
            write_atomically(out / name, content)
        return Built(tuple(out / name for name in files if not name.startswith("figures/")), tuple(problems))

    def _problems_of(self, ids: Iterable[str]) -> list[Problem]:
        """Findings in the files of the records named."""
        paths = {self.catalogue.by_id[record_id].path for record_id in ids if record_id in self.catalogue.by_id}
        return [problem for problem in self.record_problems if problem.path in paths]

    def _article(self, article_id: str) -> tuple[Entry, Article]:
        """The draft of an id; a fault in its own file is told as such."""
        if (entry := self.catalogue.by_id.get(article_id)) and isinstance(entry.record, Article):
            return entry, entry.record
        faults = [problem for problem in self.files.all.problems if Path(problem.path).stem == article_id]
        if faults:
            raise FindingsError(f"{article_id} cannot be read", faults)
        known = ", ".join(article.id for article in self.catalogue.of(Article))
        raise UsageError(f"{article_id}: no such article. There is {known or 'none yet'}.")


def bound_names(article: Article, bindings: Bindings | None) -> dict[str, str]:
    """Return what `@run` stands for in an article: the run bound at build, else the one its front matter names."""
    bound = dict(bindings or {})
    if article.run and article.run.startswith("@"):
        bound["@run"] = bound.get(article.run, article.run)
    elif article.run:
        bound.setdefault("@run", article.run)
    return bound


_SERIES = (
    "item",
    "provider",
    "region",
    "zone",
    "price_kind",
    "per",
    "currency",
    "gpu",
    "term",
    "commitment",
    "tier",
    "scope",
)
"""Fields in which two costs differ that are two offers, not one at two dates."""


def latest_of_series(answers: "list[Answer]") -> "list[Answer]":
    """Return, of the costs of one offer, the one last known to hold; one that may not be relied on yields to any sound one."""
    latest: dict[object, Answer] = {}
    for answer in answers:
        assert isinstance(answer.record, Cost)
        key = tuple(repr(getattr(answer.record, name)) for name in _SERIES)
        held = latest.get(key)
        if held is None or _weight(answer) >= _weight(held):
            latest[key] = answer
    return list(latest.values())


def _weight(answer: Answer) -> tuple[bool, date]:
    assert isinstance(answer.record, Cost)
    return answer.record.standing.state == "sound", answer.validity.starts_on or date.min


def _lies_in(path: str, chosen: tuple[str, ...]) -> bool:
    return not chosen or any(name in (".", path) or path.startswith(f"{name}/") for name in chosen)


def _rendered(article: Article, document: "Document", formats: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """Yield suffix and bytes of each format asked for; HTML comes from the Markdown, the PDF from the HTML."""
    from ledger.render.html import render_html  # as above
    from ledger.render.pdf import render_pdf  # as above

    wanted = set(formats)
    if "md" in wanted:
        yield "md", document.markdown.encode()
    if wanted & {"html", "pdf"}:
        html = render_html(document, article)
        if "html" in wanted:
            yield "html", html.encode()
        if "pdf" in wanted:
            yield "pdf", render_pdf(html, article, document)

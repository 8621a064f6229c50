"""The numbered source list: who said it, where, when it was read, and whether anybody else has checked it."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from ledger.model.catalogue import Catalogue
from ledger.model.record import Record
from ledger.model.records.protocol import Protocol
from ledger.model.records.review import Review
from ledger.model.records.run import Run
from ledger.model.records.source import Source
from ledger.model.values.meaning import meaning_hash
from ledger.render.citing.evidence import PROPOSALS, CitedRecord, DocumentEvidence, Origin

PROVIDED_WORDS = {
    "supplier": "supplier-provided",
    "author": "provided by the method's authors",
    "third-party": "from a third party",
    "user-report": "reported by a user",
    "own": "our own",
}


@dataclass(frozen=True, slots=True)
class SourceEntry:
    """One numbered entry, as it prints; every text is a record's and still needs escaping."""

    number: int
    origin: Origin
    publisher: str
    title: str
    url: str | None
    facts: tuple[str, ...]
    """Type, dates, reliability: short phrases."""
    locators: tuple[str, ...]
    review: str
    notes: tuple[str, ...] = ()
    """What became of the source, or of statements cited from it."""
    dated: str = ""
    """When it was published, as far as known; empty where nothing says."""


class Register:
    """Source numbers in the order of first citation, and which records were cited from each source."""

    def __init__(self, evidence: DocumentEvidence) -> None:
        self.evidence = evidence
        self._numbers: dict[Origin, int] = {}
        self._locators: defaultdict[Origin, dict[str, None]] = defaultdict(dict)
        self._cited_from: defaultdict[Origin, dict[str, Record]] = defaultdict(dict)
        self.rests_on: dict[str, None] = {}
        self.badges: dict[str, None] = {}

    def numbers(self, cited: CitedRecord) -> tuple[int, ...]:
        """Return the source numbers of a cited record; a source that has none yet gets the next one."""
        self.badges[cited.badge.key] = None
        self.rests_on.update(dict.fromkeys(cited.rests_on))
        for origin, locator in cited.origins:
            self._numbers.setdefault(origin, len(self._numbers) + 1)
            self._cited_from[origin][cited.record.id] = cited.record
            if locator:
                self._locators[origin][locator] = None
        return tuple(self._numbers[origin] for origin, _ in cited.origins)

    def entries(self) -> tuple[SourceEntry, ...]:
        """Return the whole list, in order."""
        return tuple(self._entry(origin, number) for origin, number in self._numbers.items())

    @cached_property
    def reviews(self) -> "Reviews":
        """The reviews of the ledger."""
        return Reviews(self.evidence.catalogue)

    def _status(self, record: Record) -> str | None:
        status = self.evidence.status(record)
        successor = self.evidence.successor(record)
        return f"{record.id}: {status}" + (f" by {successor}" if successor else "") if status else None

    def _entry(self, origin: Origin, number: int) -> SourceEntry:
        catalogue = self.evidence.catalogue
        records = list(self._cited_from[origin].values())
        locators = tuple(self._locators[origin])
        match catalogue.by_id[origin.id].record if origin.id in catalogue.by_id else None:
            case Source() as source:
                review = self.reviews.in_words(records, PROVIDED_WORDS[source.relation])
                notes = tuple(note for record in (source, *records) if (note := self._status(record)))
                dated = str(source.published_on or "")
                return SourceEntry(
                    number, origin, source.publisher, source.title, source.url, _facts(source), locators, review, notes, dated
                )
            case Run() as run:
                review = self.reviews.in_words([run], PROVIDED_WORDS[run.executor.relation])
                publisher, title, dated = run.executor.organisation, f"Run {run.id}", f"{run.finished_at:%Y-%m-%d}"
                return SourceEntry(number, origin, publisher, title, None, _run_facts(run), locators, review, dated=dated)
            case Protocol() as protocol:
                facts = (f"protocol {protocol.id}",)
                return SourceEntry(number, origin, "This ledger", protocol.question, None, facts, locators, "a plan; nothing observed")
        if origin == PROPOSALS:
            return SourceEntry(number, origin, "This ledger", "Proposals", None, (), locators, "nothing observed")
        return SourceEntry(number, origin, "Not in this ledger", origin.id, None, (), locators, "not checked")


def _facts(source: Source) -> tuple[str, ...]:
    """Short phrases. The relation stands with the review, and the grades of reliability are explained among the terms."""
    published = f"published {source.published_on}" if source.published_on else "not dated"
    facts = [source.type.replace("-", " "), published, _date_of_reading(source)]
    if source.reliability:
        facts.append(f"reliability {source.reliability}")
    return tuple(facts)


def _date_of_reading(source: Source) -> str:
    if source.last_seen:
        return f"retrieved {source.last_seen}"
    return f"received {source.received_on}" if source.received_on else "retrieval date not recorded"


def _run_facts(run: Run) -> tuple[str, ...]:
    planned = "planned beforehand" if run.planned else "not planned beforehand"
    return (f"protocol {run.protocol}", planned, run.status, f"finished {run.finished_at:%Y-%m-%d}", f"{len(run.deviations)} deviations")


class Reviews:
    """Which records somebody other than their author has checked, in the meaning that they have now."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._by_target: defaultdict[str, list[Review]] = defaultdict(list)
        for review in catalogue.of(Review):
            self._by_target[review.target].append(review)

    def latest(self, record: Record) -> Review | None:
        """Return a record's latest review that counts: of its present meaning, by somebody who is not its author."""
        meaning, author = meaning_hash(record), getattr(record, "author", None)
        counting = [r for r in self._by_target[record.id] if r.target_meaning == meaning and r.reviewer != author]
        return max(counting, key=lambda review: (review.reviewed_on, review.id), default=None)

    def ids_that_count(self, records: Iterable[Record]) -> list[str]:
        """Return the ids of the reviews that count for these records."""
        return [review.id for record in records if (review := self.latest(record))]

    def in_words(self, records: list[Record], provided: str) -> str:
        """Return the review state in words, such as `supplier-provided; not independently checked`."""
        reviews = [review for record in records if (review := self.latest(record))]
        accepted = [review for review in reviews if review.verdict == "accepted"]
        rejected = len(reviews) - len(accepted)
        if not reviews:
            return f"{provided}; not independently checked"
        latest = max(review.reviewed_on for review in reviews)
        names = ", ".join(sorted({review.reviewer for review in reviews}))
        words = f"{len(accepted)} of {len(records)} statements checked" if len(accepted) < len(records) else "checked"
        return f"{provided}; {words}" + (f", {rejected} rejected" if rejected else "") + f", by {names}, {latest}"

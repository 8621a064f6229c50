"""What an id in a document stands for: its badge, the origins behind it, and the value that it prints."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from difflib import get_close_matches
from typing import Literal

from ledger.analysis.claims.claimants import stated_relation
from ledger.analysis.claims.resolve import Bindings, Resolved, measure_text, resolve
from ledger.analysis.prices.pricing import gpu_hour_text, price_text
from ledger.analysis.validity.links import foundations, places_in_sources, run_names
from ledger.analysis.validity.validity import validity
from ledger.model.catalogue import Catalogue
from ledger.model.record import Record
from ledger.model.records.article import Article
from ledger.model.records.claim import Claim
from ledger.model.records.cost import Cost
from ledger.model.records.run import Run
from ledger.model.records.source import RELATION_WORDS

OriginKind = Literal["source", "run", "protocol", "ledger"]


@dataclass(frozen=True, slots=True)
class Origin:
    """What a numbered entry of the source list is about."""

    kind: OriginKind
    id: str


PROPOSALS = Origin("ledger", "")
"""The one entry for proposals of this ledger that no source and no protocol stands behind."""


@dataclass(frozen=True, slots=True)
class Badge:
    """A sentence's label: the entry of the key that it links to, and the words it prints."""

    key: Literal["measured", "unplanned", "vendor-claimed", "proposed", "price"]
    word: str
    relations: tuple[str, ...] = ()
    """How those who said it stand to the subject; a price's basis."""
    status: str | None = None
    """What became of it: superseded or withdrawn, and when."""

    @property
    def text(self) -> str:
        """The words it prints: `vendor-claimed · supplier · superseded 2026-02-12`."""
        return " · ".join(part for part in (self.word, ", ".join(self.relations), self.status) if part)


def merge_badges(badges: Iterable[Badge]) -> list[Badge]:
    """Return the badges of one sentence: one per label and status, with the relations of all."""
    merged: dict[tuple[str, str | None], Badge] = {}
    for badge in badges:
        same = merged.get((badge.word, badge.status))
        relations = tuple(dict.fromkeys((*same.relations, *badge.relations))) if same else badge.relations
        merged[(badge.word, badge.status)] = replace(badge, relations=relations)
    return list(merged.values())


@dataclass(frozen=True, slots=True)
class CitedRecord:
    """What a reference cites: the record, its badge, its origins with the places in them, and every id that it rests on."""

    record: Record
    badge: Badge
    origins: tuple[tuple[Origin, str | None], ...]
    rests_on: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a reference cannot be cited."""

    code: str
    message: str
    remedy: str


class DocumentEvidence:
    """The records of a ledger as one document sees them, on its as-of date."""

    def __init__(self, article: Article, catalogue: Catalogue, bindings: Bindings | None = None) -> None:
        self.article = article
        self.catalogue = catalogue
        self.bindings = dict(bindings or {})
        if article.run and not article.run.startswith("@"):
            self.bindings.setdefault("@run", article.run)

    @property
    def as_of(self) -> date:
        """The document's date."""
        return self.article.as_of

    def is_unbound(self, reference: str) -> bool:
        """Whether a reference names a run that is only bound when the article is built."""
        name = reference.removeprefix("run:").split("#")[0]
        return self.bindings.get(name, name).startswith("@")

    def run(self, name: str) -> Run | None:
        """Return the run of that id or name."""
        return self.catalogue.get(self.bindings.get(name, name), Run)

    def cite(self, reference: str) -> CitedRecord | Refusal:
        """Return what a reference cites, or why it may not be cited here."""
        record_id = reference.removeprefix("run:").split("#")[0]
        entry = self.catalogue.by_id.get(self.bindings.get(record_id, record_id))
        if entry is None:
            return self._refuse_unknown(record_id)
        record = entry.record
        if not isinstance(record, Claim | Cost | Run) or (isinstance(record, Run) and not reference.startswith("run:")):
            return Refusal("LEDG104", f"{record.id} is a {record.KIND}, which a sentence cannot cite.", "Cite a claim that rests on it.")
        return self._refuse_side(record) or self._refuse_status(record) or self._refuse_run(record) or self.describe(record)

    def describe(self, record: Claim | Cost | Run) -> CitedRecord:
        """Return what a citation of a record prints and rests on; whether it may be cited here is not asked."""
        if isinstance(record, Run):
            return CitedRecord(record, self._run_badge([record]), ((Origin("run", record.id), None),), (record.id, record.protocol))
        if isinstance(record, Cost):
            places = ((Origin("source", source), locator) for source, locator in places_in_sources(record))
            return CitedRecord(record, self._cost_badge(record), tuple(places), (record.id, *foundations(record)))
        origins = tuple(self._origins(record))
        return CitedRecord(record, self._claim_badge(record), origins, (record.id, *(origin.id for origin, _ in origins if origin.id)))

    def _refuse_unknown(self, record_id: str) -> Refusal:
        known = [i for i, entry in self.catalogue.by_id.items() if isinstance(entry.record, Claim | Cost | Run)]
        near = get_close_matches(record_id, known, 1)
        return Refusal(
            "LEDG101", f"no record {record_id} in this ledger.", f"Did you mean {near[0]}?" if near else "Add it, or cite another."
        )

    def _refuse_side(self, record: Record) -> Refusal | None:
        pricing = isinstance(record, Cost) or getattr(record, "side", "technical") == "pricing"
        if self.article.side == "technical" and pricing:
            return Refusal("LEDG103", f"{record.id} is on the pricing side; this article is technical.", "Cite it in a pricing article.")
        return None

    def _refuse_status(self, record: Record) -> Refusal | None:
        held = validity(self.catalogue, record)
        match held.status(self.as_of):
            case "retracted":
                return Refusal(
                    "LEDG102", f"{record.id} was retracted {held.because.rstrip('.')}.", "Cite another record, or drop the sentence."
                )
            case "not yet":
                message = f"{record.id} holds from {held.starts_on}; the article is as of {self.as_of}."
                return Refusal("LEDG107", message, "Move as_of, or cite what held then.")
        return None

    def _refuse_run(self, record: Record) -> Refusal | None:
        """A run that is not complete can back nothing, neither itself nor through a claim."""
        runs = [record] if isinstance(record, Run) else self.runs_of(record) if isinstance(record, Claim) else []
        incomplete = next((run for run in runs if run.status != "complete"), None)
        if incomplete is None:
            return None
        through = "" if incomplete is record else f"{record.id} rests on "
        return Refusal(
            "LEDG109", f"{through}{incomplete.id}, which is {incomplete.status} and can back nothing.", "Resume or repeat the run."
        )

    def _origins(self, claim: Claim) -> Iterator[tuple[Origin, str | None]]:
        yield from ((Origin("source", source), locator) for source, locator in places_in_sources(claim))
        runs = self.runs_of(claim)
        yield from ((Origin("run", run.id), None) for run in runs)
        if not claim.source and not runs:
            yield (Origin("protocol", claim.protocol), None) if claim.protocol else (PROPOSALS, claim.id)

    def runs_of(self, claim: Claim) -> list[Run]:
        """Return the runs that a measured claim's values lie in, each once."""
        return [run for name in run_names(claim) if (run := self.run(name))]

    def _claim_badge(self, claim: Claim) -> Badge:
        runs = self.runs_of(claim)
        if claim.label == "measured" and runs:
            return replace(self._run_badge(runs), status=self.status(claim))
        relation = self.relation(claim)
        return Badge(claim.label, claim.label, (relation,) if relation else (), self.status(claim))

    def relation(self, claim: Claim) -> str | None:
        """Return in words how the claimant stands to the subject."""
        relation = stated_relation(self.catalogue, claim)
        return RELATION_WORDS[relation] if relation else None

    def _run_badge(self, runs: list[Run]) -> Badge:
        planned = all(run.planned for run in runs)
        status = [f"{status} run" for status in dict.fromkeys(run.status for run in runs) if status != "complete"]
        words = (RELATION_WORDS[runs[0].executor.relation], *status)
        return Badge("measured", "measured", words) if planned else Badge("unplanned", "measured, unplanned", words)

    def _cost_badge(self, cost: Cost) -> Badge:
        standing = () if cost.standing.state == "sound" else (cost.standing.state,)
        return Badge("price", "price", (cost.basis, *standing), self.status(cost))

    def status(self, record: Record) -> str | None:
        """Return what became of a record by the as-of date: `superseded 2026-02-12`, `withdrawn 2025-07`; None while current."""
        held = validity(self.catalogue, record)
        status = held.status(self.as_of)
        if status == "superseded" and held.by:
            return " ".join(part for part in ("superseded", self._start_of(held.by)) if part)
        if status == "ended":
            word = "withdrawn" if isinstance(record, Claim) else "ended"
            end = record.ended.on if isinstance(record, Claim) and record.ended else getattr(record, "effective_to", None)
            return f"{word} {end}" if end else word
        return "retracted" if status == "retracted" else None

    def successor(self, record: Record) -> str | None:
        """Return the id of what replaced a record by the as-of date."""
        held = validity(self.catalogue, record)
        return held.by if held.status(self.as_of) == "superseded" else None

    def _start_of(self, record_id: str) -> str | None:
        record = self.catalogue.by_id[record_id].record
        start = record.asserted_on if isinstance(record, Claim) else getattr(record, "effective_from", None)
        return str(start) if start and start != "unknown" else None

    def value(self, reference: str, *, interval: bool = False) -> Resolved:
        """Return what a value reference prints, prices included; a measure with its interval where asked."""
        record_id, _, name = reference.partition("#")
        cost = self.catalogue.get(record_id, Cost)
        if cost is None:
            resolved = resolve(self.catalogue, reference, self.bindings)
            if interval and resolved.text and resolved.measure:
                return replace(resolved, text=measure_text(resolved.measure, interval=True))
            return resolved
        if name == "amount":
            return Resolved(price_text(cost), None if price_text(cost) else "the source names no price", (cost.id,))
        if name == "per-gpu-hour":
            return Resolved(gpu_hour_text(cost), "it cannot be derived", (cost.id,))
        return Resolved(None, f"{cost.id} has no {name}; it has amount, per-gpu-hour")

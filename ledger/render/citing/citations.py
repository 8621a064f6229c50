"""Citations as they print in Markdown: numbers that link to the source list, badges that link to the key."""

from collections.abc import Iterable

from ledger.analysis.claims.resolve import statement_text
from ledger.model.record import Record
from ledger.model.records.claim import Claim
from ledger.render.citing.evidence import Badge, CitedRecord, DocumentEvidence, Refusal, merge_badges
from ledger.render.citing.source_list import Register
from ledger.render.escape import escaped

LABEL_ANCHOR, SOURCE_ANCHOR = "#label-", "#source-"


class UnprintableError(Exception):
    """A part of a document that cannot be printed, as a finding without a place.

    `about` is the reference at fault, by which its place in a block is found.
    """

    def __init__(self, code: str, message: str, remedy: str, *, about: str = "") -> None:
        super().__init__(message)
        self.code, self.message, self.remedy, self.about = code, message, remedy, about


class Citing:
    """What one document cites: its sources are numbered in the order of first citation."""

    def __init__(self, evidence: DocumentEvidence) -> None:
        self.evidence = evidence
        self.register = Register(evidence)
        self.cited: dict[str, None] = {}

    def cite(self, reference: str) -> CitedRecord:
        """Return what a reference cites.

        Raises:
            UnprintableError: it may not be cited here.
        """
        if self.evidence.is_unbound(reference):
            raise UnprintableError(
                "LEDG108", f"{reference.split('#')[0]} is not bound to a run.", "Build with --run ID, or name a run in the front matter."
            )
        outcome = self.evidence.cite(reference)
        if isinstance(outcome, Refusal):
            raise UnprintableError(outcome.code, outcome.message, outcome.remedy, about=reference)
        self.cited[outcome.record.id] = None
        return outcome

    def claim(self, record_id: str) -> Claim:
        """Return the claim of an id that is cited here.

        Raises:
            UnprintableError: it may not be cited here, or is no claim.
        """
        record = self.cite(record_id).record
        if not isinstance(record, Claim):
            raise UnprintableError("LEDG104", f"{record.id} is a {record.KIND}, expected a claim.", "Name a claim.")
        return record

    def value(self, reference: str, *, interval: bool = False) -> str:
        """Return the text of a value, not yet escaped.

        Raises:
            UnprintableError: it does not resolve, or is withheld.
        """
        resolved = self.evidence.value(reference, interval=interval)
        if resolved.text is None:
            code = "LEDG106" if resolved.measure else "LEDG105"
            raise UnprintableError(
                code, f"{reference}: {resolved.reason}.", "Name what the record has, or drop the number.", about=reference
            )
        return resolved.text

    def statement(self, claim: Claim) -> str:
        """Return a claim's statement as Markdown.

        Raises:
            UnprintableError: a placeholder has no value.
        """
        text, reasons = statement_text(self.evidence.catalogue, claim, self.evidence.bindings)
        if reasons:
            raise UnprintableError("LEDG106", f"{claim.id}: {'; '.join(reasons)}.", "Mend the claim, or cite another.")
        return escaped(text)

    def marks(self, cited: Iterable[CitedRecord]) -> str:
        """Return the numbers of these citations as links, each once."""
        numbers = sorted({number for record in cited for number in self.register.numbers(record)})
        return ",".join(f"[{number}]({SOURCE_ANCHOR}{number})" for number in numbers)

    def badges(self, cited: Iterable[CitedRecord]) -> str:
        """Return the badges of these citations, each once."""
        return " ".join(badge_link(badge) for badge in merge_badges(record.badge for record in cited))


def badge_link(badge: Badge) -> str:
    """Return a badge as Markdown: a link to its entry in the key."""
    return f"[{badge.text}]({LABEL_ANCHOR}{badge.key})"


def date_of(record: Record) -> str:
    """Return when a claim was asserted, as precise as that is known, such as `2025-03`; `not dated` where nothing says."""
    return record.asserted_on.shown if isinstance(record, Claim) and record.asserted_on else "not dated"

"""Rules about the three labels, by the proof that each one needs (DESIGN 2.1)."""

from collections.abc import Iterator

from ledger.analysis.claims.claimants import claimant_relation
from ledger.analysis.claims.resolve import resolve
from ledger.analysis.prices.firewall import without_code
from ledger.analysis.rules.quantities import TYPED_NUMBER
from ledger.analysis.validity.links import value_targets
from ledger.errors import FieldPath, Problem
from ledger.model.catalogue import Catalogue, Entry
from ledger.model.records.claim import Claim
from ledger.model.records.run import Run
from ledger.model.records.source import Source


def _claims(catalogue: Catalogue, label: str) -> Iterator[tuple[Entry, Claim]]:
    for entry in catalogue:
        if isinstance(entry.record, Claim) and entry.record.label == label:
            yield entry, entry.record


def check_vendor_claims(catalogue: Catalogue) -> Iterator[Problem]:
    """Somebody outside said it, in a source and at a place that can be looked up."""
    for entry, claim in _claims(catalogue, "vendor-claimed"):
        for field in ("source", "locator"):
            if getattr(claim, field) is None:
                yield entry.problem("LEDG020", (), f"a vendor-claimed statement without {field}.", remedy=f"Add {field}.")
        source = catalogue.get(claim.source or "", Source)
        if source and "own" in (source.relation, claimant_relation(catalogue, claim)):
            yield entry.problem(
                "LEDG020", ("label",), "vendor-claimed, but the source is our own.", remedy="Measure it in a run, or call it proposed."
            )
        if claim.values:
            yield entry.problem(
                "LEDG020", ("values",), "values refer to runs; a vendor claim types its quantities.", remedy="Use quantities."
            )
        if claim.asserted_on is None and source and not source.captures:
            yield entry.problem("LEDG020", (), "nothing dates the statement.", remedy="Add asserted_on, or a capture to its source.")


def check_proposed(catalogue: Catalogue) -> Iterator[Problem]:
    """A proposed statement has neither quantities nor values, since nobody has observed it."""
    for entry, claim in _claims(catalogue, "proposed"):
        for field in ("quantities", "values"):
            if getattr(claim, field):
                yield entry.problem(
                    "LEDG021", (field,), f"a proposed statement carries {field}.", remedy="Remove them, or label who observed them."
                )
        for place, text in _beside_the_statement(claim):
            for number in TYPED_NUMBER.findall(without_code(text)):
                yield entry.problem("LEDG021", place, f'"{number}" is a result, and nobody has one yet.', remedy="Remove it.")
        if claim.relation not in (None, "own") and claim.source is None:
            message = f"an own proposal with the relation of a {claim.relation}."
            yield entry.problem("LEDG021", ("relation",), message, remedy="Remove relation, or name the source.")
        if claim.asserted_on is None and claim.source is None:
            yield entry.problem("LEDG021", (), "an own proposal without asserted_on.", remedy="Add the day it was proposed.")


def _beside_the_statement(claim: Claim) -> Iterator[tuple[FieldPath, str]]:
    yield from ((("caveats", index), text) for index, text in enumerate(claim.caveats))
    if claim.quote:
        yield ("quote",), claim.quote


def check_measured(catalogue: Catalogue) -> Iterator[Problem]:
    """Our own run stands behind every number."""
    for entry, claim in _claims(catalogue, "measured"):
        if claim.quantities:
            yield entry.problem("LEDG022", ("quantities",), "a measured statement types numbers.", remedy="Refer to a run under values.")
        if not claim.values:
            yield entry.problem(
                "LEDG022", (), "a measured statement without values, so no run stands behind it.", remedy="Refer to a run under values."
            )
        if claim.source:
            yield entry.problem(
                "LEDG022",
                ("source",),
                "a measured statement has a source outside.",
                remedy="Label it vendor-claimed, or refer to our own run.",
            )
        if claim.relation not in (None, "own"):
            message = f"a measured statement with the relation of a {claim.relation}."
            yield entry.problem("LEDG022", ("relation",), message, remedy="Remove relation: what is measured here is our own.")
        if claim.also:
            yield entry.problem("LEDG022", ("also",), "a measured statement has sources outside.", remedy="Name them in a vendor claim.")
        if claim.protocol:
            message = "a measured statement names a plan; its run does."
            yield entry.problem("LEDG022", ("protocol",), message, remedy="Remove protocol.")
        if claim.asserted_on is None:
            yield entry.problem("LEDG022", (), "a measured statement without asserted_on.", remedy="Add the day of the run.")


def _runs_behind(catalogue: Catalogue, claim: Claim) -> Iterator[tuple[str, Run | None, str]]:
    """Each value's name, the run that it lies in where that is a run of the ledger, and the id that it names."""
    for name, target in value_targets(claim).items():
        yield name, catalogue.get(target, Run), target


def check_run_behind(catalogue: Catalogue) -> Iterator[Problem]:
    """The run is there, complete, our own, and of a protocol."""
    for entry, claim in _claims(catalogue, "measured"):
        for name, run, target in _runs_behind(catalogue, claim):
            field = ("values", name)
            if run is None:
                yield entry.problem("LEDG023", field, f'"{target}" is no run of this ledger.', remedy="Refer to a run.")
            elif run.executor.relation != "own" or _is_maker(catalogue, run.executor.organisation, claim.subject):
                yield entry.problem("LEDG023", field, _operator_words(catalogue, run, claim), remedy="Label the statement vendor-claimed.")
            elif run.status != "complete":
                yield entry.problem("LEDG023", field, f"{run.id} is {run.status} and can back nothing.", remedy="Resume or repeat the run.")


def _operator_words(catalogue: Catalogue, run: Run, claim: Claim) -> str:
    operator = run.executor
    if operator.relation == "supplier" or _is_maker(catalogue, operator.organisation, claim.subject):
        return f"{run.id} was executed by {operator.organisation}: the operator is the maker of {claim.subject}."
    return f"{run.id} was executed by a {operator.relation}."


def _is_maker(catalogue: Catalogue, organisation: str, subject: str) -> bool:
    """Whether a source says that an organisation sells or maintains a claim's subject."""
    name, first = organisation.casefold(), subject.partition("/")[0]
    return any(source.publisher.casefold() == name and first in source.supplier_of for source in catalogue.of(Source))


def check_references(catalogue: Catalogue) -> Iterator[Problem]:
    """Each reference of a measured claim gives a value."""
    for entry, claim in _claims(catalogue, "measured"):
        for name, run, _target in _runs_behind(catalogue, claim):
            resolved = resolve(catalogue, claim.values[name]) if run else None
            if resolved and resolved.text is None:
                yield entry.problem("LEDG024", ("values", name), f"{resolved.reason}.", remedy="Refer to a value that the run has.")

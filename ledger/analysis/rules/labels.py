"""Rules about the three labels, by the proof that each one needs (DESIGN 2.1)."""

from collections.abc import Iterator

from ledger.analysis.claims.claimants import claimant_relation
from ledger.analysis.claims.resolve import resolve
from ledger.analysis.validity.links import value_targets
from ledger.errors import Problem
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
        if source and claimant_relation(catalogue, claim) == "own":
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
        if claim.asserted_on is None and claim.source is None:
            yield entry.problem("LEDG021", (), "an own proposal without asserted_on.", remedy="Add the day it was proposed.")


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
            elif run.executor.relation != "own":
                yield entry.problem(
                    "LEDG023", field, f"{run.id} was executed by a {run.executor.relation}.", remedy="Label the statement vendor-claimed."
                )
            elif run.status != "complete":
                yield entry.problem("LEDG023", field, f"{run.id} is {run.status} and can back nothing.", remedy="Resume or repeat the run.")


def check_references(catalogue: Catalogue) -> Iterator[Problem]:
    """Each reference of a measured claim gives a value."""
    for entry, claim in _claims(catalogue, "measured"):
        for name, run, _target in _runs_behind(catalogue, claim):
            resolved = resolve(catalogue, claim.values[name]) if run else None
            if resolved and resolved.text is None:
                yield entry.problem("LEDG024", ("values", name), f"{resolved.reason}.", remedy="Refer to a value that the run has.")

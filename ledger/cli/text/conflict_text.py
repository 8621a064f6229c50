"""Conflicts as text for people and as rows for programs."""

from collections.abc import Iterator

from ledger.analysis.claims.claim_tests import overall_outcome
from ledger.analysis.claims.claimants import relation_words
from ledger.analysis.claims.comparability import conditions_of
from ledger.analysis.claims.conflicts import ClaimUnderTest, Conflicts, MetricGroup, NamedPair
from ledger.analysis.claims.readings import Reading
from ledger.analysis.claims.resolve import statement_text
from ledger.cli.text.layout import hanging
from ledger.cli.text.output import Listing, Row
from ledger.model.catalogue import Catalogue
from ledger.model.records.claim import Claim


def conflict_lines(catalogue: Catalogue, conflicting: Conflicts, metric: str | None) -> Iterator[str]:
    """Yield the conflicts as paragraphs of at most 80 columns."""
    for group in _groups(conflicting, metric):
        yield f"{group.metric}: {len({reading.claim.id for reading in group.readings})} claims"
        for reading in group.readings:
            yield from _reading_lines(catalogue, reading)
        if group.obstacles:
            yield "  May not be comparable:"
            for obstacle in group.obstacles:
                yield from hanging(f"- {obstacle}", indent=4)
        yield ""
    for pair in conflicting.named_pairs if metric is None else ():
        yield from _pair_lines(catalogue, pair)
    for under_test in conflicting.under_test:
        yield from _test_lines(under_test)


def _groups(conflicting: Conflicts, metric: str | None) -> list[MetricGroup]:
    return [group for group in conflicting.groups if metric in (None, group.metric)]


def _reading_lines(catalogue: Catalogue, reading: Reading) -> Iterator[str]:
    yield from hanging(f"{reading.text} ({reading.claim.id}#{reading.name})", indent=2)
    yield from hanging(" · ".join(_facts(catalogue, reading.claim)), indent=6)
    conditions = "; ".join(f"{key} {text}" for key, text in conditions_of(reading).items())
    yield from hanging(conditions or "no condition stated", indent=6)


def _facts(catalogue: Catalogue, claim: Claim) -> list[str]:
    return [claim.label, relation_words(catalogue, claim), f"asserted {claim.asserted_on.shown}" if claim.asserted_on else "not dated"]


def _pair_lines(catalogue: Catalogue, pair: NamedPair) -> Iterator[str]:
    yield from hanging(f"Named as saying otherwise (by {' and '.join(pair.named_by)}):")
    for claim in (pair.claim, pair.other):
        yield from hanging(f"{claim.id}: {' · '.join(_facts(catalogue, claim))}", indent=2)
        yield from hanging(statement_text(catalogue, claim)[0], indent=6)
    if pair.differences:
        yield from hanging(f"May not be comparable: {'; '.join(map(str, pair.differences))}", indent=2)
    yield ""


def _test_lines(under_test: ClaimUnderTest) -> Iterator[str]:
    yield from hanging(f"{under_test.measured.id} tests {under_test.claim.id}: {overall_outcome(under_test.tests)}")
    for test in under_test.tests:
        yield from hanging(f"- {test.outcome}: {test.because}", indent=2)
    yield ""


def conflict_listing(catalogue: Catalogue, conflicting: Conflicts, metric: str | None) -> Listing:
    """Return one row a number, a named pair, or a test."""
    rows = [_reading_row(catalogue, group, reading) for group in _groups(conflicting, metric) for reading in group.readings]
    if metric is None:
        rows += [_pair_row(pair) for pair in conflicting.named_pairs]
    rows += [_test_row(under_test) for under_test in conflicting.under_test]
    return Listing(rows, ("because", "claim", "label", "relation", "value", "other"), wide=("claim", "other"))


def _reading_row(catalogue: Catalogue, group: MetricGroup, reading: Reading) -> Row:
    return {
        "because": "same metric",
        "metric": group.metric,
        "claim": reading.claim.id,
        "name": reading.name,
        "label": reading.claim.label,
        "relation": relation_words(catalogue, reading.claim),
        "value": reading.text,
        "conditions": conditions_of(reading),
        "asserted_on": reading.claim.asserted_on.shown if reading.claim.asserted_on else "",
        "version": reading.version,
        "not_comparable": list(group.obstacles),
        "other": None,
    }


def _pair_row(pair: NamedPair) -> Row:
    return {
        "because": "named",
        "claim": pair.claim.id,
        "label": pair.claim.label,
        "other": pair.other.id,
        "named_by": list(pair.named_by),
        "not_comparable": [str(difference) for difference in pair.differences],
    }


def _test_row(under_test: ClaimUnderTest) -> Row:
    return {
        "because": "tested",
        "claim": under_test.measured.id,
        "label": under_test.measured.label,
        "other": under_test.claim.id,
        "relation": overall_outcome(under_test.tests),
        "bearings": [
            {"relation": test.outcome, "because": test.because, "differences": [str(difference) for difference in test.differences]}
            for test in under_test.tests
        ],
    }

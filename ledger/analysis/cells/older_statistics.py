"""What of a run recorded under older statistics can still be recomputed: every value, its n and its counts; no interval, no verdict."""

from collections.abc import Mapping

from ledger.model.records.run import Cell, Comparison, Measure, Run


def as_recorded(recorded: Run, again: Run) -> Run:
    """Return a run recomputed today with the intervals, verdicts and keys of its record, so that any other difference shows.

    Args:
        recorded: The run's record, of older statistics.
        again: The same run, recomputed from its traces.
    """
    cells = tuple(_cell(one, again.cell(one.arm, one.load, one.repeat)) for one in recorded.cells)
    comparisons = tuple(_comparison(one, again.comparison(one.arm, one.base, one.load)) for one in recorded.comparisons)
    update = {"cells": cells, "comparisons": comparisons, "verdicts": recorded.verdicts, "decision": recorded.decision}
    is_whole = (len(cells), len(comparisons)) == (len(again.cells), len(again.comparisons))
    return again.model_copy(update=update if is_whole else {"verdicts": recorded.verdicts, "decision": recorded.decision})


def _cell(recorded: Cell, again: Cell | None) -> Cell:
    if again is None:
        return recorded.model_copy(update={"metrics": {}})
    return again.model_copy(update={"metrics": _measures(recorded.metrics, again.metrics), "shortfall": None})


def _comparison(recorded: Comparison, again: Comparison | None) -> Comparison:
    if again is None:
        return recorded.model_copy(update={"metrics": {}})
    return again.model_copy(update={"metrics": _measures(recorded.metrics, again.metrics), "shortfall": None})


def _measures(recorded: Mapping[str, Measure], again: Mapping[str, Measure]) -> dict[str, Measure]:
    """Return the recomputed measures that the record has too, each with the recorded interval where value and n agree."""
    return {key: _measure(measure, again[key]) for key, measure in recorded.items() if key in again}


def _measure(recorded: Measure, again: Measure) -> Measure:
    is_same = (recorded.value, recorded.unit, recorded.n, recorded.reason) == (again.value, again.unit, again.n, again.reason)
    return recorded if is_same else again

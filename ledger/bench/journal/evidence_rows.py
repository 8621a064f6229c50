"""Which lines of a journal are rows of which evidence file: the one place that says what counts and what is kept apart. Pure."""

from collections.abc import Sequence

from ledger.bench.journal.journal import Line

TRACES = "traces.parquet"
"""Requests of finished cells, warm-up included."""
ANSWERS = "answers.parquet"
"""Answers to the suites that were put to an arm whole."""
INTERRUPTED = "interrupted.parquet"
"""Requests of cells that were cut off."""
DISCARDED = "discarded.parquet"
"""Requests of the engine lives that are discarded."""
DRILLS = "drills.parquet"
"""Requests of finished fault drills."""
TRACE_FILES = (TRACES, INTERRUPTED, DISCARDED, DRILLS)
FILES = (*TRACE_FILES, ANSWERS)


def evidence_rows(lines: Sequence[Line]) -> dict[str, list[int]]:
    """Return the places, in the journal, of the lines that each evidence file holds as rows, in the order of its rows.

    Requests stand in the order in which they ended, answers by suite and item within an arm. What was cut off of a suite
    or a drill is in no file: it is asked again.
    """
    rows: dict[str, list[int]] = {file: [] for file in FILES}
    attempt: list[int] = []
    for place, line in enumerate(lines):
        match line["kind"]:
            case "cell-start" | "suites-start" | "drill-start":
                _close(lines, attempt, rows, is_whole=False)
                attempt = []
            case "request" | "answer":
                attempt.append(place)
            case "cell-end" | "suites-end" | "drill-end":
                _close(lines, attempt, rows, is_whole=True)
                attempt = []
    _close(lines, attempt, rows, is_whole=False)
    return rows


def _close(lines: Sequence[Line], attempt: Sequence[int], rows: dict[str, list[int]], *, is_whole: bool) -> None:
    requests = [place for place in attempt if lines[place]["kind"] == "request"]
    answers = [place for place in attempt if lines[place]["kind"] == "answer"]
    for place in requests:
        if file := _file_of(lines[place], is_whole=is_whole):
            rows[file].append(place)
    if is_whole:
        rows[ANSWERS] += sorted(answers, key=lambda place: (lines[place]["suite"], lines[place]["item"]))


def _file_of(request: Line, *, is_whole: bool) -> str | None:
    if request["phase"] == "drill":
        return DRILLS if is_whole else None
    if not request["repeat"]:
        return DISCARDED
    return TRACES if is_whole else INTERRUPTED

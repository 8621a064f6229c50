"""Every request and answer of a journal is a row of the file it belongs in, in its order."""

from ledger.bench.journal.evidence_rows import ANSWERS, DISCARDED, DRILLS, INTERRUPTED, TRACES, evidence_rows
from ledger.bench.journal.journal import Line
from tests.bench.journal.journal_fixtures import answer, header, mark, request


def test_requests_of_finished_cells_stand_apart_from_those_of_cells_that_were_cut_off() -> None:
    lines = [
        *(header(), mark("cell-start"), request(0)),
        *(mark("cell-start"), request(0, phase="warm-up"), request(1), mark("cell-end")),
        *(mark("cell-start", "ngram"), request(0, "ngram")),
    ]
    rows = evidence_rows(lines)
    assert (rows[TRACES], rows[INTERRUPTED]) == ([4, 5], [2, 8])
    assert rows[ANSWERS] == rows[DRILLS] == rows[DISCARDED] == []


def test_requests_of_a_discarded_life_are_kept_apart_whole_or_cut_off() -> None:
    lines = [header(), mark("cell-start", repeat=0), request(0, repeat=0), mark("cell-end", repeat=0), mark("cell-start", repeat=0)]
    rows = evidence_rows([*lines, request(0, repeat=0), mark("cell-start"), request(0), mark("cell-end")])
    assert (rows[DISCARDED], rows[TRACES], rows[INTERRUPTED]) == ([2, 5], [7], [])


def test_answers_stand_by_suite_and_item_within_an_arm_and_cut_attempts_are_left_out() -> None:
    lines = [
        *(header(), mark("suites-start"), answer("b")),
        *(mark("suites-start"), answer("b"), answer("a"), mark("suites-end")),
        *(mark("suites-start", "ngram"), answer("a", "ngram"), mark("suites-end", "ngram")),
    ]
    assert evidence_rows(lines)[ANSWERS] == [5, 4, 8]


def test_only_drills_that_ran_to_their_end_are_kept() -> None:
    def sent(index: int) -> Line:
        return request(index, phase="drill", load="kill")

    start, end = mark("drill-start", drill="kill"), mark("drill-end", drill="kill", instants_s={})
    rows = evidence_rows([header(), start, sent(0), start, sent(0), sent(1), end, start, sent(0)])
    assert (rows[DRILLS], rows[INTERRUPTED]) == ([4, 5], [])

"""The table of faulty records holds: at most one in fifty is missed, and no legal one is found at fault."""

from tests.analysis.rules.faulty_records import run_table


def test_the_table_of_faulty_records_holds() -> None:
    outcome = run_table()
    assert outcome.faulty >= 280
    assert outcome.legal >= 60
    assert [str(row) for row, _told in outcome.false_alarms] == []
    assert len(outcome.misses) <= 0.02 * outcome.faulty, [str(row) for row in outcome.misses]

"""One run at one load: medians, rates, what became of requests, and paired ratios with the rules' bounds."""

from typing import Any

from ledger.render.report.load_tables import latency_table, rate_table, ratio_figure, ratio_table, request_table, words_of
from ledger.render.report.words import RunUnderProtocol
from tests.render.report_fixtures import cells_of, planned, ran


def execution(**fields: Any) -> RunUnderProtocol:
    plan = planned()
    return RunUnderProtocol.of(ran(plan, **fields), plan)


def test_a_latency_stands_with_its_median_and_p95() -> None:
    table = latency_table(execution(), "c8")
    assert table.rows[0] == ("TPOT, ms", "baseline", "20.4 (19.4 to 21.6)", "withheld (n = 40, needs 72)", "40")
    assert len(table.rows) == 2


def test_a_rate_that_nobody_recorded_is_left_out() -> None:
    cells = cells_of(execution().run)
    cells[0]["metrics"]["throughput.mean"] = {"value": 100.0, "unit": "tok/s", "n": 40}
    assert rate_table(execution(cells=cells), "c1").rows == (
        ("Output throughput, tok/s", "baseline", "100", "40"),
        ("Output throughput, tok/s", "ngram-4", "not recorded", "none"),
    )
    assert rate_table(execution(), "c1").rows == ()


def test_requests_of_a_cell_that_did_not_run_are_not_zero() -> None:
    rows = request_table(execution(cells=cells_of(execution().run)[:3]), "c8").rows
    assert rows[0] == ("baseline", "80", "80", "0", "0", "0", "not asked")
    assert rows[1] == ("ngram-4", "not run", "not run", "not run", "not run", "not run", "not run")


def test_ratios_have_the_base_in_their_heading() -> None:
    table = ratio_table(execution(), "c8")
    assert table is not None
    assert table.header[1] == "Arm / baseline"
    assert table.rows == (("TPOT", "ngram-4", "1.31x (1.20 to 1.42)", "not recorded", "40"),)
    assert ratio_table(execution(), "c1") is None


def test_a_figure_draws_ratios_with_the_bounds_of_rules() -> None:
    figure = ratio_figure(execution(), "c8")
    assert figure is not None
    assert [(mark.group, mark.name, mark.value) for mark in figure.ratios] == [("TPOT, median", "ngram-4", 1.31)]
    assert [(bound.value, bound.text) for bound in figure.bounds] == [(1.0, "rule no-slower: at most 1x")]
    assert ratio_figure(execution(), "c1") is None


def test_metrics_are_called_as_short_as_they_may_be() -> None:
    assert (words_of("throughput.mean"), words_of("tpot.p50")) == ("Output throughput", "TPOT, median")

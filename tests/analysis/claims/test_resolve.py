"""References as they print: bound, value, unit; or the reason there is none."""

from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.analysis.claims.resolve import LoadForm, load_text, measure_text, quantity_text, resolve, significant, statement_text
from ledger.model.records.claim import Claim, Quantity
from ledger.model.records.protocol import Load
from ledger.model.records.run import Measure

if TYPE_CHECKING:
    from tests.conftest import LedgerFolder

RUN = "run:run-1#base/c1/tpot"


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"bound": "up-to", "value": "2.8"}, "up to 2.8x"),
        ({"bound": "about", "value": "2.80"}, "about 2.80x"),
        ({"bound": "at-least", "value": "12", "unit": "ms"}, "at least 12\u00a0ms"),
        ({"low": "1.9", "high": "2.2"}, "1.9 to 2.2x"),
        ({"value": "-3", "unit": "%"}, "-3%"),
        ({"value": "12345.6", "unit": "tok/s"}, "12\u202f345.6\u00a0tok/s"),
        ({"value": "1234", "unit": "count"}, "1234"),
        ({"value": "0"}, "0x"),
    ],
)
def test_a_quantity_prints_its_bound_value_and_unit(fields: dict[str, str], text: str) -> None:
    assert quantity_text(Quantity.model_validate({"name": "n", "metric": "m", "unit": "x", **fields})) == text


@pytest.mark.parametrize(
    ("measure", "text"),
    [
        ({"value": 0.0123456, "unit": "s"}, "12.3\u00a0ms"),
        ({"value": 0.0, "unit": "s"}, "0\u00a0ms"),
        ({"value": 0.425, "unit": "share"}, "42.5%"),
        ({"value": 1.0, "unit": "ratio"}, "1.00x"),
        ({"value": 1234.5, "unit": "tok/s"}, "1234\u00a0tok/s"),
        ({"value": 3 * 2**20, "unit": "bytes"}, "3.00\u00a0MiB"),
        ({"value": None, "unit": "s", "reason": "withheld: 4 prompts"}, "(withheld: 4 prompts)"),
    ],
)
def test_a_measure_prints_with_three_digits_or_its_reason(measure: dict[str, Any], text: str) -> None:
    assert measure_text(Measure.model_validate({"n": 4, **measure})) == text


def test_an_interval_prints_only_where_asked() -> None:
    measure = Measure(value=0.0124, unit="s", low=0.0119, high=0.013, n=40)
    assert measure_text(measure) == "12.4\u00a0ms"
    assert measure_text(measure, interval=True) == "12.4\u00a0ms (11.9 to 13.0)"


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**12), max_value=10**12), st.integers(1, 6))
def test_rounding_keeps_the_digits_asked_for(value: Decimal, digits: int) -> None:
    rounded = significant(value, digits)
    step = Decimal(1).scaleb(min(0, value.adjusted() - digits + 1)) if value else Decimal(1)
    assert abs(rounded - value) <= step / 2
    assert significant(rounded, digits + 1) == rounded


def test_a_reference_into_a_run_prints_its_value(ledger_folder: "LedgerFolder") -> None:
    ledger_folder.add_plan()
    ledger_folder.add("run", "run-1")
    among = ledger_folder.catalogue()
    assert resolve(among, f"{RUN}.p50").text == "12.0\u00a0ms"
    assert resolve(among, f"{RUN}.p50").records == ("run-1",)
    assert resolve(among, "run:@run#base/c1/tpot.p50", {"@run": "run-1"}).text == "12.0\u00a0ms"
    assert resolve(among, "run:run-1#environment.hardware").text == "a CPU"
    assert resolve(among, "run:run-1#load.c1").text == "concurrency 1"


def test_suites_memory_and_drills_print(ledger_folder: "LedgerFolder") -> None:
    suites = [
        {"suite": "items", "arm": arm, "passed": passed, "failed": 10 - passed, "malformed": 0, "by_category": {"refusal": [passed - 4, 5]}}
        for arm, passed in (("base", 8), ("ngram", 6))
    ]
    memory = {
        arm: {"kv-cache-tokens": {"value": value, "unit": "tokens", "n": 1}, "device": {"unit": "bytes", "n": 1, "reason": "not recorded"}}
        for arm, value in (("base", 1000.0), ("ngram", 900.0))
    }
    drills = [{"drill": "leave", "arm": "base", "instants_s": {}, "metrics": {"recovery.seconds": {"value": 0.25, "unit": "s", "n": 1}}}]
    ledger_folder.add_plan()
    ledger_folder.add("run", "run-1", suites=suites, memory=memory, drills=drills)
    among = ledger_folder.catalogue()

    def printed(key: str) -> str | None:
        found = resolve(among, f"run:run-1#{key}")
        return found.text or found.reason

    assert printed("suite.items/ngram") == "6 of 10"
    assert printed("suite.items/ngram/refusal") == printed("suite.items/ngram/negative-controls") == "2 of 5"
    assert printed("suite.items/ngram~base") == "0.750x"
    assert printed("suite.items/ngram~base/refusal") == "0.500x"
    assert printed("memory.ngram/kv-cache-tokens") == "900\u00a0tokens"
    assert printed("memory.ngram~base/kv-cache-tokens") == "0.900x"
    assert printed("drill.leave/base/recovery.seconds") == "250\u00a0ms"
    assert resolve(among, "run:run-1#memory.ngram/device").text is None
    assert printed("memory.ngram/device") == "not recorded"
    assert printed("drill.leave/base/lost") == "run-1 has no drill.leave/base/lost; it has leave/base/recovery.seconds"


@pytest.mark.parametrize(
    ("reference", "reason"),
    [
        ("run:run-2#base/c1/tpot.p50", "no run run-2 in this ledger"),
        ("run:@run#base/c1/tpot.p50", "no run @run in this ledger"),
        ("run:run-1#base/c8/tpot.p50", "run-1 has no cell base/c8"),
        ("run:run-1#ngram~base/c1/tpot.p50", "run-1 has no cell ngram~base/c1"),
        (f"{RUN}.p95", "run-1 has no tpot.p95 there; it has tpot.p50"),
        ("run:run-1#environment.os", "run-1 has no environment.os; it has hardware"),
        ("run:run-1#suite.items/base", "run-1 has no suite.items/base; it has none"),
        ("claim-9#n", "no claim claim-9 in this ledger"),
        ("c#m", "c has no quantity m; it has n"),
        ("not a reference", 'got the reference "not a reference", expected run:ID#ARM/LOAD/METRIC.STAT'),
    ],
)
def test_a_reference_without_a_value_says_why(reference: str, reason: str, ledger_folder: "LedgerFolder") -> None:
    ledger_folder.add_plan()
    ledger_folder.add("run", "run-1")
    ledger_folder.add("claim", "c", quantities=[{"name": "n", "metric": "m", "value": "1", "unit": "x"}])
    resolved = resolve(ledger_folder.catalogue(), reference)
    assert resolved.text is None
    assert (resolved.reason or "").startswith(reason)


def test_a_withheld_measure_gives_its_reason_and_its_run(ledger_folder: "LedgerFolder") -> None:
    cell = {
        "arm": "base",
        "load": "c1",
        "requests": {"sent": 2},
        "metrics": {"tpot.p99": {"unit": "s", "n": 2, "reason": "withheld: 2 prompts"}},
    }
    ledger_folder.add("run", "run-1", status="partial", cells=[cell])
    resolved = resolve(ledger_folder.catalogue(), f"{RUN}.p99")
    assert (resolved.text, resolved.reason, resolved.records) == (None, "withheld: 2 prompts", ("run-1",))


def test_a_statement_is_filled_and_says_what_could_not_be(ledger_folder: "LedgerFolder") -> None:
    quantities = [{"name": "n", "metric": "m", "bound": "up-to", "value": "2.8", "unit": "x"}]
    ledger_folder.add("claim", "c", statement="Gains of {n} at {load}, not {{7*7}}.".replace("{{7*7}}", "7*7"), quantities=quantities)
    among = ledger_folder.catalogue()
    text, reasons = statement_text(among, next(iter(among.of(Claim))))
    assert text == "Gains of up to 2.8x at [load: c has no quantity load; it has n], not 7*7."
    assert reasons == ["{load}: c has no quantity load; it has n"]


def test_a_measured_claim_passes_its_value_on(ledger_folder: "LedgerFolder") -> None:
    ledger_folder.add("run", "run-1")
    ledger_folder.add("claim", "c", label="measured", source=None, locator=None, values={"n": f"{RUN}.p50"})
    resolved = resolve(ledger_folder.catalogue(), "c#n")
    assert (resolved.text, resolved.records) == ("12.0\u00a0ms", ("c", "run-1"))


CLOSED = {"concurrency": 8}
OPEN = {"kind": "open", "rate_per_s": "2.5", "arrivals": "constant", "ramp_s": "10", "cache": "warm"}


@pytest.mark.parametrize(
    ("fields", "form", "text"),
    [
        (CLOSED, "sentence", "concurrency 8"),
        (CLOSED, "heading", "closed loop, 8 in flight"),
        (CLOSED, "plan", "closed loop, 8 in flight, cold cache"),
        (OPEN, "sentence", "2.5 requests/s, warm cache"),
        (OPEN, "heading", "constant arrivals, 2.5/s, after 10 s of growth, warm cache"),
        (OPEN, "plan", "constant arrivals, 2.5 per second, after a ramp of 10 s, warm cache"),
        ({"kind": "open", "rate_per_s": "2"}, "heading", "poisson arrivals, 2/s"),
    ],
)
def test_a_load_in_the_words_of_its_place(fields: dict[str, Any], form: LoadForm, text: str) -> None:
    assert load_text(Load.model_validate({"id": "it", "requests": 9, **fields}), form) == text

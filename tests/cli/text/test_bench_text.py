"""A plan in the terminal: its loads, limits, and what the sample shows, within 80 columns."""

from ledger.bench.plan.plan import outline
from ledger.cli.text.bench_text import outline_lines
from tests.bench.conftest import protocol_of

LOADS = [
    {"id": "c1-warm", "concurrency": 1, "requests": 72, "cache": "warm"},
    {"id": "r2", "kind": "open", "rate_per_s": "2", "arrivals": "gamma", "requests": 150, "ramp_s": "10"},
    {"id": "c3", "concurrency": 3, "requests": 4},
]
LOAD_LINES = """\
load c1-warm        closed loop, 1 in flight, warm cache; 72 requests a cell, 72
                    distinct prompts
  shows             p50 interval, p95
  cannot show       p99 (n = 72, needs 368)
load r2             gamma arrivals, 2 per second, after a ramp of 10 s, cold
                    cache; 150 requests a cell, 72 distinct prompts
  shows             p50 interval, p95
  cannot show       p99 (n = 72, needs 368); saturation (150 requests, needs
                    200)
load c3             closed loop, 3 in flight, cold cache; 4 requests a cell, 4
                    distinct prompts
  shows             single values without intervals
  cannot show       p50 interval (n = 4, needs 6); p95 (n = 4, needs 72); p99 (n
                    = 4, needs 368)
"""


def planned(**fields: object) -> list[str]:
    """The lines of a plan."""
    plan = protocol_of(loads=LOADS, **fields)
    return list(outline_lines(plan, outline(plan, prompt_count=72), []))


def test_ramp_cache_and_what_the_sample_shows_stand_at_each_load() -> None:
    lines = planned()
    assert LOAD_LINES in "\n".join(lines)
    assert all(len(line) <= 80 for line in lines)


def test_goodput_limits_are_printed_where_there_are_any() -> None:
    said = "goodput             requests with ttft up to 0.5 s, tpot up to 0.05 s"
    assert said in planned(goodput_limits_s={"ttft": "0.5", "tpot": "0.05"})
    assert not any(line.startswith("goodput") for line in planned())

"""What counts as a typed number, a promise and a performance claim, and what passes."""

import pytest

from ledger.render.article.patterns import BESIDE, CAVEAT, CLAIM, DECADE, HEDGE, PROMISE, STATISTIC, WITH_UNIT, YEAR


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("It ran 2.8x quicker.", "2.8x"),
        ("about 40 % more", "40 %"),
        ("1.5 to 3 seconds", "1.5 to 3 seconds"),
        ("300 tok/s each", "300 tok/s"),
        ("16 GiB of memory", "16 GiB"),
        ("8x H100", None),
        ("2×A100", None),
        ("vLLM 0.32.0 of 2026-11-30", None),
        ("EAGLE-3 and p95", None),
        ("72 prompts", None),
    ],
)
def test_a_number_counts_with_a_metrics_unit(text: str, match: str | None) -> None:
    found = WITH_UNIT.search(text)
    assert (found.group() if found else None) == match


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("a throughput of 300 was seen", "300"),
        ("it is 3 times faster there", "3"),
        ("slower by about 4", "4"),
        ("a speed-up was 2.5 there", "2.5"),
        ("throughput in 2026", None),
        ("3 times a day", None),
    ],
)
def test_a_number_counts_beside_a_performance_word(text: str, number: str | None) -> None:
    found = next((match for pattern in BESIDE if (match := pattern.search(text))), None)
    assert (found.group("number") if found else None) == number


@pytest.mark.parametrize("text", ["It is guaranteed.", "The same output.", "lossless", "It never hurts.", "without any quality loss"])
def test_promises_are_seen(text: str) -> None:
    assert PROMISE.search(text)


@pytest.mark.parametrize("text", ["It is much faster.", "It reduces the latency.", "Drafting speeds it up.", "It doubled."])
def test_performance_claims_are_seen(text: str) -> None:
    assert CLAIM.search(text)


@pytest.mark.parametrize("text", ["Is it faster?", "It may help.", "Nobody has shown it.", "We ask whether it holds."])
def test_questions_denials_and_plans_are_told_from_claims(text: str) -> None:
    assert HEDGE.search(text)
    assert not HEDGE.search("It is much faster.")


def test_a_caveat_names_a_difference() -> None:
    assert CAVEAT.search("Both were fast, but on other machines.")
    assert not CAVEAT.search("Both were fast on one machine.")


def test_conventions_are_no_measurements() -> None:
    assert STATISTIC.match(" confidence interval")
    assert STATISTIC.match("-CI")
    assert not STATISTIC.match(" more")
    assert DECADE.fullmatch("1990s")
    assert not DECADE.fullmatch("1800s")
    assert YEAR.match("2024")
    assert not YEAR.match("20245")


@pytest.mark.parametrize("text", ["It is lossy.", "We always print.", "A faster engine.", "It cuts the text.", "A notable knot.", "Butter"])
def test_words_that_only_look_alike_pass(text: str) -> None:
    assert not any(pattern.search(text) for pattern in (PROMISE, CLAIM, HEDGE, CAVEAT))

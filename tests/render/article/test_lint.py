"""Lint finds what a build would refuse, at its place, and is calm about everything else."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from ledger.errors import Problem
from ledger.model.catalogue import Catalogue
from ledger.model.records.run import Run
from ledger.render.article.compose import compose
from ledger.render.article.lint import LINT_RULES, lint
from tests.render.conftest import ArticleMaker

CALM = """# Speculative decoding under load

The text was written on 30 November 2026 and read again on 2026-11-29. It speaks of vLLM 0.6.3.post1, of vLLM 0.32 and of the V1
engine; of the H100, the A100 80GB-class cards by name, 8x H100 and 2×A100 machines; of SmolLM2-135M, Llama-3.1-8B and EAGLE-3. It was
the 1990s when speculation in processors was new, and 2024 when engines took it up.

1. First, fix the plan: 4 loads, 3 arms, 2 repeats and 72 prompts.
2. Then run concurrency 1, 8 and 32 with temperature 0 and at most 256 tokens.
3. Compare p50 and p95; a percentile needs 72 prompts, and 95 % intervals are drawn. A 95% confidence interval is the usual one.

Figure 2 shows latency. Section 3 discusses throughput, and Table 4 lists acceptance. In 2024 latency was the topic; throughput in 2026
is another. Is it faster? Whether it is faster at high load, nobody has shown. Nothing here is guaranteed, and identical output is
not promised. The cost of compute and the cost of memory are counted in tokens. Latency at concurrency 8 is what a user feels. We always
print the date. Set `--num-speculative-tokens 5` and `max_latency = 30 ms`; see [the page](https://vendor.example/vendor-blog).

```bash
ledger bench run demo --budget 20s   # 2.8x faster than USD 3 per hour
```

Gains shrink as load grows [@paper-gains]. The post gives [@blog-speedup#speedup] for a summarisation set. Both may be true of their
time: engines and drafters changed in between, and so did the prompts. The page of 2024-06-11 warned [@old-page]; the one that replaced
it in February 2026 recommends it for low request rates [@new-page]. The option that switched it off was removed [@removed-option].
A reader who asks at which load it stops helping gets no answer from these sources. Requests arrive one by one or in batches of 32,
prompts repeat or they do not, and a drafter of 0.5B parameters is not a drafter of 7B. Keep 3 restarts apart, and note the commit
4c2ffb28ffe7270b49ac7cf5324978950a28e7e1, issue #5400 and port 8000. Steps 1-4 take part of an afternoon.
"""


Finder = Callable[..., list[Problem]]


@pytest.fixture
def findings(catalogue: Catalogue, article: ArticleMaker) -> Finder:
    def found(prose: str, **fields: object) -> list[Problem]:
        draft = article(prose, **fields)
        return lint(compose(draft, catalogue), draft, "records/articles/draft.md")

    return found


def test_a_calm_text_of_300_words_has_no_finding(findings: Finder) -> None:
    assert len(CALM.split()) > 300
    assert [str(problem) for problem in findings(CALM)] == []


@pytest.mark.parametrize(
    ("prose", "code", "line", "column"),
    [
        ("Fine.\n\nIt ran 2.8x quicker.", "LEDG120", 12, 8),
        ("It took 30 ms here.", "LEDG120", 10, 9),
        ("It took 1.5 to 3 seconds here.", "LEDG120", 10, 9),
        ("- a\n- about 40 % more", "LEDG120", 11, 9),
        ("Up to 300 tok/s per user.", "LEDG120", 10, 7),
        ("It needs 16 GB more.", "LEDG120", 10, 10),
        ("It served 12 requests per second.", "LEDG120", 10, 11),
        ("| a |\n| --- |\n| 4.2 GiB |", "LEDG120", 12, 3),
        ("A throughput of 300 was seen.", "LEDG121", 10, 17),
        ("It is 3 times faster there.", "LEDG121", 10, 7),
        ("The speed-up was about 2.5 there.", "LEDG121", 10, 24),
        ("It costs $2 there.", "LEDG122", 10, 10),
        ("It costs 2 EUR there.", "LEDG122", 10, 10),
        ("It costs USD 3 there.", "LEDG122", 10, 10),
        ("So says [@nobody].", "LEDG101", 10, 9),
        ("So says [@taken-back].", "LEDG102", 10, 9),
        ("So says [@price-cut].", "LEDG103", 10, 9),
        ("So says [@h100-price#amount].", "LEDG103", 10, 9),
        ("So says [@vendor-blog].", "LEDG104", 10, 9),
        ("So says [@blog-speedup#slowdown].", "LEDG105", 10, 9),
        ("So says [@run:demo-run#baseline/c1/ttft.p50].", "LEDG105", 10, 9),
        ("So says [@run:demo-run#baseline/c1/tpot.p95].", "LEDG106", 10, 9),
        ("So says [@blog-speedup x].", "LEDG100", 10, 9),
        ("Fine.\n\n```tabel\nkind = 1\n```", "LEDG110", 12, 1),
        ('```table\nkind = "claims"\ncaption = "x"\nidz = ["a"]\n```', "LEDG111", 13, 1),
        ('```conflict\nids = ["old-page"]\n```', "LEDG111", 11, 1),
        ("```conflict\nids = [\n```", "LEDG111", 11, 8),
        ('```conflict\nids = ["old-page", "nobody"]\n```', "LEDG101", 11, 21),
        ('```prices\ncaption = "x"\n```', "LEDG103", 10, 1),
        ("See ![it](picture.png).", "LEDG113", 10, 11),
    ],
)
def test_errors_at_their_place(findings: Finder, prose: str, code: str, line: int, column: int) -> None:
    errors = [problem for problem in findings(prose) if problem.severity == "error"]
    assert [(problem.code, problem.line, problem.column) for problem in errors] == [(code, line, column)]


@pytest.mark.parametrize(
    ("prose", "code"),
    [
        ("The output is guaranteed.", "LEDG130"),
        ("It gives identical output.", "LEDG130"),
        ("The method is lossless.", "LEDG130"),
        ("It is much faster on this engine.", "LEDG131"),
        ("Speculation reduces latency.", "LEDG131"),
        ("It is the cheaper way.", "LEDG132"),
        ("Think of the savings.", "LEDG132"),
        ("It reached [@measured-ngram#after] and [@blog-speedup#speedup].", "LEDG133"),
        ("See [that](https://elsewhere.example/).", "LEDG134"),
    ],
)
def test_questions(findings: Finder, prose: str, code: str) -> None:
    assert [(problem.code, problem.severity) for problem in findings(prose)] == [(code, "warning")]


def test_an_unknown_id_names_the_nearest(findings: Finder) -> None:
    (problem,) = findings("So says [@blog-speedupp].")
    assert problem.remedy == "Did you mean blog-speedup?"


def test_a_later_statement_is_not_cited_earlier(findings: Finder) -> None:
    (problem,) = findings("It recommends it [@new-page].", as_of="2025-01-01")
    assert problem.code == "LEDG107"


def test_a_run_that_is_bound_at_build_is_left_open(findings: Finder) -> None:
    prose = "The median was [@run:@run#baseline/c1/tpot.p50] there."
    assert findings(prose, run="@demo") == []
    assert findings(prose, run="demo-run") == []
    assert [problem.code for problem in findings(prose, run="demo-runn")] == ["LEDG101"]


@pytest.mark.parametrize("status", ["partial", "failed", "invalid"])
def test_nothing_rests_on_a_run_that_is_not_complete(catalogue: Catalogue, article: ArticleMaker, status: str) -> None:
    entries = [
        replace(entry, record=entry.record.model_copy(update={"status": status})) if isinstance(entry.record, Run) else entry
        for entry in catalogue
    ]
    table = '```table\nkind = "verdicts"\nrun = "demo-run"\ncaption = "What the rules said."\n```'
    draft = article(f"It took [@run:demo-run#baseline/c8/tpot.p50].\n\n[@measured-ngram]\n\n{table}\n")
    found = [problem for problem in lint(compose(draft, Catalogue(entries)), draft, "x.md") if problem.severity == "error"]
    assert {problem.code for problem in found} == {"LEDG109"}
    assert [problem.line for problem in found] == [10, 12, 14]
    assert f"demo-run, which is {status} and can back nothing." in found[0].message
    assert all(problem.column and problem.remedy for problem in found)


def test_front_matter_is_held_to_the_same(findings: Finder) -> None:
    found = findings("Fine.", title="2.8x for $2", template="jurnal")
    assert [(problem.code, problem.field) for problem in found] == [
        ("LEDG114", ("template",)),
        ("LEDG120", ("title",)),
        ("LEDG122", ("title",)),
    ]


def test_a_pricing_document_prints_money_from_records(findings: Finder) -> None:
    assert findings("The list says [@h100-price#amount] [@price-cut].", side="pricing") == []
    (problem,) = findings("The list says $98 [@price-cut].", side="pricing")
    assert (problem.code, problem.remedy) == ("LEDG122", "Print it from a record: [@cost-id#amount].")


def test_codes_are_documented_once() -> None:
    codes = [finding.code for finding in LINT_RULES]
    assert codes == sorted(set(codes))

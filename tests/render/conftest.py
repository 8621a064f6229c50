"""A small catalogue made by hand: one record of each kind that an article can meet."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from ledger.analysis.claims.resolve import Bindings
from ledger.model.catalogue import Catalogue, Entry
from ledger.model.record import Record
from ledger.model.records.article import Article
from ledger.model.records.claim import Claim
from ledger.model.records.cost import Cost
from ledger.model.records.protocol import Protocol
from ledger.model.records.retraction import Retraction
from ledger.model.records.review import Review
from ledger.model.records.run import Run
from ledger.model.records.source import Source
from ledger.model.values.meaning import meaning_hash
from ledger.render.article.compose import compose
from ledger.render.article.document import Document, document_of
from ledger.render.citing.citations import Citing
from ledger.render.citing.evidence import DocumentEvidence

LONG_URL = "https://vendor.example/" + "averyveryverylongpathwithoutanybreaks" * 12 + "/END?a=1&b=2|3"
HOSTILE = (
    "<script>alert(1)</script> <b>bold</b> [x](javascript:alert(1)) ![i](http://127.0.0.1:9/i.png) {{ 7*7 }} {% raw %} `code` "
    "<!-- hidden --> # Heading\n\n---\n\n| fake | row |\n\x1b[2J\x1b[31mRED\x1b]0;title\a \u202eabc end"
)
"""Case C46."""
FETCHING = (
    '<img src="http://127.0.0.1:18080/latest/meta-data/"> <img src="file:///etc/hostname"> '
    '<link rel="attachment" href="file:///etc/passwd"> <style>@import url(http://127.0.0.1:18080/a.css);</style> '
    "![](http://127.0.0.1:18080/pixel.png)"
)
"""Case C47."""


def source(record_id: str, **fields: Any) -> Source:
    base: dict[str, Any] = {
        "id": record_id,
        "title": "Speculative decoding in practice",
        "publisher": "Vendor project",
        "url": f"https://vendor.example/{record_id}",
        "type": "blog",
        "relation": "supplier",
        "published_on": "2024-10-17",
        "captures": [{"retrieved_at": "2026-11-29"}],
        "licence": "not stated",
    }
    return Source.model_validate(base | fields)


def claim(record_id: str, **fields: Any) -> Claim:
    base: dict[str, Any] = {
        "id": record_id,
        "label": "vendor-claimed",
        "side": "technical",
        "subject": "engine/ngram",
        "statement": "Prompt lookup gave {speedup} on a summarisation set.",
        "source": "vendor-blog",
        "locator": "second figure",
        "asserted_on": "2024-10-17",
        "author": "A. Writer",
    }
    if "statement" not in fields:
        base["quantities"] = [
            {"name": "speedup", "metric": "speedup", "value": "2.8", "bound": "up-to", "unit": "x", "conditions": {"model": "Demo-7B"}}
        ]
    return Claim.model_validate(base | fields)


def plain_claim(record_id: str, statement: str, **fields: Any) -> Claim:
    return claim(record_id, statement=statement, **fields)


def cost(record_id: str, **fields: Any) -> Cost:
    base: dict[str, Any] = {
        "id": record_id,
        "item": "cloud/h100-8x",
        "provider": "Cloud",
        "basis": "list",
        "standing": {"state": "sound"},
        "price_kind": "on-demand",
        "amount": "98.32",
        "currency": "USD",
        "per": "instance-hour",
        "gpu": "H100",
        "gpus_per_instance": 8,
        "includes_host": True,
        "region": "us-east-1",
        "term": "none",
        "commitment": "none",
        "tax": "excluded",
        "scope": "list",
        "effective_from": "2026-01-01",
        "effective_to": "unknown",
        "observed_on": "2026-01-01",
        "source": "price-list",
    }
    return Cost.model_validate(base | fields)


def protocol() -> Protocol:
    return Protocol.model_validate(
        {
            "id": "demo-plan",
            "question": "Does prompt lookup help here?",
            "model": {"name": "demo-135m", "source": "a wheel", "licence": "Apache-2.0"},
            "engine": {},
            "arms": [{"id": "baseline"}, {"id": "ngram-4", "method": "ngram"}],
            "loads": [{"id": "c1", "concurrency": 1, "requests": 80}, {"id": "c8", "concurrency": 8, "requests": 80}],
            "sampling": {"temperature": "0", "max_tokens": 32},
            "workload": "demo-prompts",
            "repeats": 2,
            "seed": 1,
            "warm_up_requests": 4,
            "rules": [
                {
                    "id": "no-slower",
                    "question": "Is it no slower under load?",
                    "metric": "run:@this#ngram-4~baseline/c8/tpot.p50",
                    "bound": "at-most",
                    "value": "1",
                    "direction": "lower-is-better",
                }
            ],
            "telemetry": {"prompts": "full", "outputs": "full", "allowed_by": "Us"},
        }
    )


def _cell(arm: str, load: str, value: float) -> dict[str, Any]:
    median = {"value": value, "unit": "s", "low": value * 0.95, "high": value * 1.06, "n": 40}
    tail = {"unit": "s", "n": 40, "reason": "withheld (n = 40, needs 72)"}
    metrics: dict[str, Any] = {"tpot.p50": median, "tpot.p95": tail}
    if arm != "baseline":
        shares = ((1, 0.5), (2, 0.25))
        metrics |= {f"acceptance.position-{i}": {"value": s, "unit": "share", "low": s - 0.1, "high": s + 0.1, "n": 40} for i, s in shares}
    return {"arm": arm, "load": load, "requests": {"sent": 80, "completed": 80}, "metrics": metrics}


def run(**fields: Any) -> Run:
    cells = [_cell(arm, load, value) for arm, load, value in DEMO_CELLS]
    ratio = {"value": 1.31, "unit": "ratio", "low": 1.2, "high": 1.42, "n": 40}
    base: dict[str, Any] = {
        "id": "demo-run",
        "protocol": "demo-plan",
        "protocol_meaning": "m1:" + "0" * 64,
        "executor": {"relation": "own", "organisation": "Evidence Ledger authors"},
        "planned": True,
        "status": "complete",
        "statistics": 2,
        "started_at": datetime(2026, 11, 28, 9, tzinfo=UTC),
        "finished_at": datetime(2026, 11, 28, 10, tzinfo=UTC),
        "duration_s": 3600.0,
        "environment": {"hardware": "2 CPU cores", "engine": "vllm 0.32.0"},
        "configurations": {},
        "memory": {
            "baseline": {
                "resident-peak": {"value": 4247883776.0, "unit": "bytes", "n": 1},
                "weights": {"value": 269030016.0, "unit": "bytes", "n": 1},
                "kv-cache-peak": {"value": 0.0344, "unit": "share", "n": 1},
            }
        },
        "cells": cells,
        "comparisons": [{"arm": "ngram-4", "base": "baseline", "load": "c8", "metrics": {"tpot.p50": ratio}}],
        "drills": [
            {
                "drill": "killed",
                "arm": "baseline",
                "instants_s": {"fault": 10.0},
                "metrics": {"lost.count": {"value": 8, "unit": "count", "n": 8}, "recovery.seconds": {"value": 21.5, "unit": "s", "n": 1}},
            }
        ],
        "suites": [{"suite": "answers", "arm": "baseline", "passed": 9, "failed": 1, "malformed": 0, "by_category": {}}],
        "verdicts": [{"rule": "no-slower", "outcome": "fail", "because": "the interval lies above the bound", "direction": "worse"}],
    }
    return Run.model_validate(base | fields)


DEMO_CELLS = (("baseline", "c1", 0.0123), ("ngram-4", "c1", 0.0111), ("baseline", "c8", 0.0204), ("ngram-4", "c8", 0.0267))

MEASURED = {
    "label": "measured",
    "statement": "On {hardware}, prompt lookup changed the median time per output token from {before} to {after} at {load}.",
    "source": None,
    "locator": None,
    "asserted_on": "2026-11-28",
    "values": {
        "hardware": "run:demo-run#environment.hardware",
        "before": "run:demo-run#baseline/c8/tpot.p50",
        "after": "run:demo-run#ngram-4/c8/tpot.p50",
        "load": "run:demo-run#load.c8",
    },
    "bears_on": ["blog-speedup"],
}
ENDED = {"ended": {"on": "2025-07", "because": "the option was removed"}}


def records() -> list[Record]:
    blog = claim("blog-speedup")
    return [
        source("vendor-blog"),
        source("paper", relation="author", publisher="arXiv", type="paper", reliability="a", published_on="2025-03"),
        source("price-list", type="price-list", publisher="Cloud"),
        source("hostile-source", title=HOSTILE, publisher=FETCHING, url="javascript:alert(1)"),
        source("long-source", url=LONG_URL),
        blog,
        plain_claim("paper-gains", "Gains shrink as the batch grows.", source="paper", asserted_on="2025-03"),
        plain_claim("old-page", "The page warns that it is not optimised.", asserted_on="2024-06-11"),
        plain_claim(
            "new-page",
            "The page recommends it for low request rates.",
            asserted_on="2026-02-12",
            supersedes={"id": "old-page", "because": "change", "reason": "the page was rewritten"},
        ),
        plain_claim("removed-option", "An option turns it off under load.", **ENDED),
        plain_claim("taken-back", "It never hurts."),
        Retraction.model_validate({"id": "no-longer", "target": "taken-back", "reason": "misread", "retracted_on": "2026-03-01"}),
        plain_claim("idea", "Adaptive lengths would help.", label="proposed", source=None, locator=None),
        plain_claim("price-cut", "The list fell.", side="pricing", source="price-list"),
        plain_claim("hostile", HOSTILE.replace("{{ 7*7 }} {% raw %} ", ""), subject="a/b", source="hostile-source", locator="| a || b |"),
        plain_claim("fetching", FETCHING, source="long-source"),
        claim("measured-ngram", **MEASURED),
        cost("h100-price"),
        cost("h100-price-old", amount="110.00", effective_from="2025-01-01", observed_on="2025-01-01"),
        protocol(),
        run(),
        Review.model_validate(
            {
                "id": "blog-review",
                "target": "blog-speedup",
                "target_meaning": meaning_hash(blog),
                "reviewer": "B. Reader",
                "reviewed_on": "2026-11-20",
                "aspects": ["locator", "numbers"],
                "verdict": "accepted",
            }
        ),
    ]


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    return Catalogue(Entry(record, f"records/{record.KIND}s/{record.id}.toml") for record in records())


ArticleMaker = Callable[..., Article]


def make_article(prose: str, **fields: Any) -> Article:
    base: dict[str, Any] = {
        "id": "draft",
        "title": "Speculative decoding under load",
        "side": "technical",
        "type": "technical",
        "authors": ["A. Writer"],
        "as_of": "2026-11-30",
        "summary": "What was said and what was measured.",
        "prose": prose,
        "prose_line": 10,
    }
    if fields.get("side") == "pricing":
        base["type"] = "pricing"
    return Article.model_validate(base | fields)


@pytest.fixture(scope="session")
def article() -> ArticleMaker:
    return make_article


def make_document(article: Article, catalogue: Catalogue, bindings: Bindings | None = None) -> Document:
    """Return the document of an article, composed from a catalogue."""
    return document_of(compose(article, catalogue, bindings), article, path="records/articles/draft.md")


def make_citing(catalogue: Catalogue, **fields: Any) -> Citing:
    """Return the citations of a new article, in which nothing is cited yet."""
    return Citing(DocumentEvidence(make_article("Text.", **fields), catalogue))


@pytest.fixture
def citing(catalogue: Catalogue) -> Citing:
    return make_citing(catalogue)

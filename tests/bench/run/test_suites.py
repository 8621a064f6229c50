"""Suites put to every arm, and what the telemetry policy keeps of an answer."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ledger.bench.engine.interface import Chunk
from ledger.bench.journal.evidence_rows import ANSWERS
from ledger.bench.journal.parquet import read_answers
from ledger.bench.run.streamed_request import Response
from ledger.bench.run.suites import suite_answer
from ledger.model.records.protocol import Telemetry
from tests.bench.conftest import Run, suite_item
from tests.bench.fake_engine import FakeBackend


def test_suites_are_put_to_every_arm_once_and_graded(run: Run, tmp_path: Path) -> None:
    items = [
        suite_item("right"),
        suite_item("wrong", check={"type": "contains", "any": ["zebra"]}),
        suite_item("json", check={"type": "json-schema", "schema": {}}),
    ]
    backend = FakeBackend()
    result = run(backend, suites=["suite"], suite_items=items, repeats=2)
    assert [(answer.arm, answer.item, answer.grade) for answer in result.answers] == [
        (arm, item, grade) for arm in ("base", "ngram") for item, grade in (("json", "malformed"), ("right", "passed"), ("wrong", "wrong"))
    ]
    assert [(suite.arm, suite.passed, suite.failed, suite.malformed) for suite in result.suites] == [("base", 1, 2, 1), ("ngram", 1, 2, 1)]
    asked = [request for request in backend.engines[0].received if request.id.startswith("suite-")]
    assert {(request.temperature, request.ignore_eos) for request in asked} == {(0.0, False)}
    assert read_answers(tmp_path / "run" / ANSWERS) == list(result.answers)


def response(text: str = "www", **fields: Any) -> Response:
    """A finished response of three tokens."""
    last = Chunk((3,), "w", "stop")
    return replace(Response(0.0, 1.0, [1.0], [3], [1, 2, 3], [text], last), **fields)


@pytest.mark.parametrize(
    ("outputs", "kept"),
    [("full", ('not exactly "www"', True, "other")), ("hash", ("not as expected", True, None)), ("none", ("not as expected", False, None))],
)
def test_an_answer_keeps_what_the_policy_allows(outputs: str, kept: tuple[str, bool, str | None]) -> None:
    policy = Telemetry(prompts="none", outputs=outputs, allowed_by="Test Works")  # type: ignore[arg-type]  # parametrized
    answer = suite_answer("base", suite_item(), response("other"), telemetry=policy)
    assert (answer.grade, answer.output_sha256 is not None, answer.output_text) == ("wrong", *kept[1:])
    assert kept[0] in answer.because


def test_an_answer_that_never_came_is_malformed_with_its_reason() -> None:
    policy = Telemetry(prompts="none", outputs="full", allowed_by="Test Works")
    answer = suite_answer("base", suite_item(), Response(0.0, error="EngineDeadError: gone"), telemetry=policy)
    assert (answer.grade, answer.because, answer.output_sha256) == ("malformed", "EngineDeadError: gone", None)

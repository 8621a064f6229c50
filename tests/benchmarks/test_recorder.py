"""The recorder keeps nothing of a request that has finished, and the benchmark would see it if it did."""

import tracemalloc
from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from benchmarks.fake import FakeBackend, FakeEngine
from benchmarks.recorder import Watch, is_flat, watched
from ledger.bench.engine.interface import Chunk, Engine, GenerationRequest

FIRST, LAST = 2000, 4000
"""Before the first, libraries still load what they load once."""


@dataclass(frozen=True, slots=True)
class KeepingEngine(FakeEngine):
    """Keeps each request's tokens for ever."""

    kept: list[list[int]] = field(default_factory=list)

    def generate(self, request: GenerationRequest) -> AsyncGenerator[Chunk, None]:
        """Keep a copy, then do as the fake does."""
        self.kept.append(list(request.prompt_token_ids))
        return FakeEngine.generate(self, request)


class KeepingBackend(FakeBackend):
    """Makes engines that keep."""

    def engine(self, *_: object) -> Engine:
        """Return one."""
        return KeepingEngine()


@pytest.fixture(autouse=True)
def traced() -> Iterator[None]:
    """Counts the bytes of Python's objects."""
    tracemalloc.start()
    yield
    tracemalloc.stop()


def grown_bytes_a_request(watch: Watch) -> float:
    """What a finished request leaves behind."""
    return (watch.traced[LAST] - watch.traced[FIRST]) / (LAST - FIRST)


def test_a_finished_request_leaves_nothing_behind(tmp_path: Path) -> None:
    assert grown_bytes_a_request(watched(tmp_path, requests=LAST, chunks=20, every=FIRST)) < 20


def test_an_engine_that_keeps_its_requests_shows(tmp_path: Path) -> None:
    watch = watched(tmp_path, requests=LAST, chunks=20, every=FIRST, backend=KeepingBackend())
    assert grown_bytes_a_request(watch) > 1000


@pytest.mark.parametrize(
    ("first", "last", "flat"), [(100 << 20, 101 << 20, False), (100 << 20, (101 << 20) - 1, True), (200 << 20, 201 << 20, True)]
)
def test_flat_is_less_than_one_percent_or_one_mebibyte(first: int, last: int, *, flat: bool) -> None:
    assert is_flat(first, last) is flat

"""The real command on the fake engine in real time: `python -m tests.bench.faked_command PACE bench run plan …`.

PACE is `quick`; `starts-slowly`, whose engine blocks while it starts, as vLLM does; `starts-deaf`, which swallows the
first Ctrl-C as well; `never-starts`; `hangs-in-ngram`, whose second arm never gets an answer; `ngram-faster`; `ngram-dies`, whose second
arm runs out of memory in its fourth measured request; or `a-third-fails`, whose second arm fails every third.
"""

import sys
import time
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from ledger.api import Ledger
from ledger.api.runs.runs import Runs
from ledger.bench.engine.interface import GenerationRequest
from ledger.cli.main import main
from ledger.errors import EnvironmentFaultError
from ledger.model.records.protocol import Protocol
from tests.bench.fake_engine import FakeBackend, FakeEngine, Script, Step

FOR_EVER_S = 600.0
QUICK = Script(steps=(Step(0.002, 1), Step(0.001, 1), Step(0.001, 1)))
SLOWER = Script(steps=(Step(0.04, 1), Step(0.03, 1), Step(0.03, 1)))
HANGS = Script(steps=(Step(FOR_EVER_S, 1),))


def quick(engine: FakeEngine) -> None:
    """Start at once."""
    engine.start_up_s = 0.01


def slow(engine: FakeEngine) -> None:
    """Block the loop while starting."""

    async def start() -> None:
        time.sleep(FOR_EVER_S)

    engine.start = start  # type: ignore[method-assign]  # the real engine's start blocks too


def deaf(engine: FakeEngine) -> None:
    """Block the loop while starting, and go on when interrupted for the first time."""

    async def start() -> None:
        with suppress(KeyboardInterrupt):
            time.sleep(FOR_EVER_S)
        time.sleep(FOR_EVER_S)

    engine.start = start  # type: ignore[method-assign]  # one engine misbehaves, all others are the fake itself


def broken(engine: FakeEngine) -> None:
    """Never come up."""

    async def start() -> None:
        raise EnvironmentFaultError("vLLM did not start: no memory")

    engine.start = start  # type: ignore[method-assign]  # one engine misbehaves, all others are the fake itself


FAULTY = ("ngram-dies", "a-third-fails", "ngram-faster")
"""Paces at which the second arm looks faster than the first where it answers."""
PREPARED = {"never-starts": broken, "starts-slowly": slow, "starts-deaf": deaf}


def script_of(pace: str, request: GenerationRequest) -> Script:
    """What the engine does with a request."""
    if not request.id.startswith("ngram-"):
        return SLOWER if pace in FAULTY else QUICK
    measured = int(request.id.rpartition("-")[2]) if "-measured-" in request.id else None
    match pace:
        case "hangs-in-ngram":
            return HANGS
        case "ngram-dies" if measured is not None and measured >= 3:
            return Script(fails="EngineDeadError: CUDA out of memory", kills=True)
        case "a-third-fails" if measured is not None and measured % 3 == 2:
            return Script(steps=(), fails="EngineGenerateError: no")
        case _:
            return QUICK


def backend_of(pace: str) -> FakeBackend:
    """An engine of that pace."""
    return FakeBackend(lambda request: script_of(pace, request), prepare=PREPARED.get(pace, quick))


def faked(pace: str) -> None:
    """Make the ledger's runs take place on the fake engine."""

    def factory(_plan: Protocol, _model: Path) -> FakeBackend:
        return backend_of(pace)

    runs = cached_property(lambda ledger: Runs(ledger.files, ledger.plans, factory))
    runs.__set_name__(Ledger, "runs")
    Ledger.runs = runs  # type: ignore[assignment, method-assign]  # the same, on another engine


if __name__ == "__main__":
    faked(sys.argv.pop(1))
    main()

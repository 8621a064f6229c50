"""A run on the fake engine in real time, for tests that kill it: `python -m tests.bench.killed_run FOLDER`.

Prints `ready` before it begins, then one line for each line that the journal has taken, after it has taken it: a request
by its name, any other by its kind.
"""

import sys
from pathlib import Path
from typing import Any

from ledger.bench.journal.journal import Journal
from ledger.bench.run.run_request import RunRequest
from ledger.bench.run.runner import run_protocol
from ledger.model.records.protocol import Protocol
from tests.bench.conftest import prompts_of, protocol_of, suite_item
from tests.bench.fake_engine import FakeBackend, FakeEngine, Script, Step

ITEMS = [suite_item(f"item-{number}") for number in range(4)]


def plan() -> Protocol:
    """Eight cells and two suites, about a second."""
    loads = [{"id": "c2", "concurrency": 2, "requests": 8}, {"id": "c4", "concurrency": 4, "requests": 8}]
    return protocol_of(loads=loads, repeats=2, warm_up_requests=1, suites=["suite"])


def fast(engine: FakeEngine) -> None:
    """Start long enough to be killed meanwhile."""
    engine.start_up_s = 0.05


def backend() -> FakeBackend:
    """Requests of about ten milliseconds."""
    return FakeBackend(lambda _: Script(steps=(Step(0.004, 1), Step(0.003, 1), Step(0.003, 1))), prepare=fast)


def announced(append: object) -> object:
    """Journal.append, followed by a line about what it took."""

    def append_and_tell(self: Journal, kind: str, /, **fields: object) -> None:
        append(self, kind, **fields)  # type: ignore[operator]  # the real method
        names = ("arm", "load", "repeat", "phase", "index")
        sys.stdout.write("/".join(str(fields[name]) for name in names) if kind == "request" else kind)
        sys.stdout.write("\n")
        sys.stdout.flush()

    return append_and_tell


def main() -> None:
    """Run in the folder given."""
    Journal.append = announced(Journal.append)  # type: ignore[method-assign, assignment]  # told after the real one returns
    folder = Path(sys.argv[1])
    print("ready", flush=True)
    options: dict[str, Any] = {"protocol": plan(), "prompts": prompts_of(8), "suite_items": ITEMS, "backend_factory": lambda *_: backend()}
    run_protocol(RunRequest(model_path=folder, out_dir=folder, **options))


if __name__ == "__main__":
    main()

"""Every engine has what the runner asks of one, and a request's failure says whether the engine lives."""

import inspect

import pytest

from ledger.bench.engine.interface import Backend, Engine, Memory, RequestError
from ledger.bench.vllm.backend import VllmBackend
from ledger.bench.vllm.engine import VllmEngine
from tests.bench.fake_engine import FakeBackend, FakeEngine


@pytest.mark.parametrize(
    ("interface", "implementation"), [(Engine, VllmEngine), (Engine, FakeEngine), (Backend, VllmBackend), (Backend, FakeBackend)]
)
def test_an_implementation_takes_what_the_interface_says(interface: type, implementation: type) -> None:
    asked = {name: member for name, member in vars(interface).items() if inspect.isfunction(member) and not name.startswith("_")}
    assert asked
    for name, member in asked.items():
        theirs = getattr(implementation, name)
        assert list(inspect.signature(theirs).parameters) == list(inspect.signature(member).parameters), name
        assert inspect.iscoroutinefunction(theirs) == inspect.iscoroutinefunction(member), name


def test_a_failed_request_leaves_the_engine_alive_unless_it_says_otherwise() -> None:
    assert not RequestError("no room").engine_died
    assert RequestError("gone", engine_died=True).engine_died
    assert str(RequestError("no room")) == "no room"


def test_memory_that_nobody_recorded_is_none_and_not_zero() -> None:
    assert Memory() == Memory(None, None, None, None, None, None, None)

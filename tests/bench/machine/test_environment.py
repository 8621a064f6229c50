"""Where a run took place, without names and serial numbers; every key that is written is in the table that pages read."""

import os
import sys
from importlib.machinery import ModuleSpec
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from types import ModuleType

import pytest

from ledger.bench.machine import environment as at
from ledger.bench.machine.cpu_readings import usable_cores
from ledger.bench.machine.engine_variables import is_of_the_engine
from ledger.bench.machine.environment import (
    environment,
    gpu_text,
    gpu_values,
    hardware,
    host_counts,
    packages,
    processor,
    ray_hosts,
)
from ledger.bench.machine.nvml import Gpu, gpus
from ledger.model.records.run import EnvironmentFact, gpu_key
from tests.bench.fake_nvml import FakeGpu, FakeNvml


def installed(monkeypatch: pytest.MonkeyPatch, *cards: FakeGpu, **options: object) -> FakeNvml:
    """A machine with these cards, all of them visible."""
    library = FakeNvml(*cards, **options)  # type: ignore[arg-type]  # options of the fake
    monkeypatch.setitem(sys.modules, "pynvml", library)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    return library


def test_a_gpu_is_described_without_its_serial_number(monkeypatch: pytest.MonkeyPatch) -> None:
    library = installed(monkeypatch, FakeGpu(), FakeGpu(uuid="GPU-b", mig=1))
    found = gpus()
    assert [gpu_text(gpu) for gpu in found] == [
        "NVIDIA H100, 80.0 GiB, 700 W, compute mode exclusive-process",
        "NVIDIA H100, 80.0 GiB, 700 W, compute mode exclusive-process, split into instances (MIG)",
    ]
    values = gpu_values(found)
    assert (values["gpu_count"], values["gpu_1"]) == (2, gpu_text(found[1]))
    assert not [value for value in values.values() if "GPU-" in str(value)]
    assert library.users == 0


class FakeRay(ModuleType):
    """Ray with a cluster of two hosts, or none."""

    def __init__(self, *, has_cluster: bool, is_connected: bool = False) -> None:
        super().__init__("ray")
        self.__spec__ = ModuleSpec("ray", None)
        self.has_cluster, self.is_connected, self.calls = has_cluster, is_connected, list[str]()

    def is_initialized(self) -> bool:
        """Whether this process is connected."""
        return self.is_connected

    def init(self, *, address: str, log_to_driver: bool, configure_logging: bool) -> None:
        """Connect to a cluster that runs."""
        self.calls.append(f"init {address}")
        if not self.has_cluster:
            raise ConnectionError("no cluster")
        self.is_connected = True

    def nodes(self) -> list[dict[str, object]]:
        """Two hosts of a kind."""
        return [{"Alive": True, "Resources": {"GPU": 4.0}}] * 2 if self.is_connected else []

    def shutdown(self) -> None:
        """Leave."""
        self.calls.append("shutdown")
        self.is_connected = False


@pytest.mark.parametrize(
    ("ray", "found", "calls"),
    [
        (FakeRay(has_cluster=True), {"hosts": 2, "hosts_gpus": "2 x 4 GPUs"}, ["init auto", "shutdown"]),
        (FakeRay(has_cluster=True, is_connected=True), {"hosts": 2, "hosts_gpus": "2 x 4 GPUs"}, []),
        (FakeRay(has_cluster=False), {}, ["init auto"]),
    ],
    ids=["running", "connected", "none"],
)
def test_a_cluster_is_asked_and_left_as_it_was(
    monkeypatch: pytest.MonkeyPatch, ray: FakeRay, found: dict[str, object], calls: list[str]
) -> None:
    monkeypatch.setitem(sys.modules, "ray", ray)
    was_connected = ray.is_connected
    assert ray_hosts() == found
    assert ray.calls == calls
    assert ray.is_connected == was_connected


def test_hosts_are_counted_and_not_named() -> None:
    nodes = [
        {"Alive": True, "NodeManagerHostname": "alpha", "Resources": {"GPU": 8.0, "CPU": 64.0}},
        {"Alive": True, "NodeManagerHostname": "beta", "Resources": {"GPU": 8.0}},
        {"Alive": True, "NodeManagerHostname": "head", "Resources": {"CPU": 4.0}},
        {"Alive": False, "NodeManagerHostname": "gone", "Resources": {"GPU": 8.0}},
    ]
    assert host_counts(nodes) == {"hosts": 3, "hosts_gpus": "2 x 8 GPUs, 1 x 0 GPUs"}


BY_OTHERS = {
    EnvironmentFact.ENGINE,
    EnvironmentFact.OPENMP,
    EnvironmentFact.CLIENT,
    EnvironmentFact.COMMAND,
    EnvironmentFact.DEVICE_MEMORY_SOURCE,
    EnvironmentFact.ATTENTION_BACKEND,
    EnvironmentFact.ENGINE_CORES,
    EnvironmentFact.RESERVED_CORES,
}
"""Written by vLLM's side of the bench, by the runner, and when a run is recorded."""


@pytest.fixture
def cards(monkeypatch: pytest.MonkeyPatch) -> list[Gpu]:
    """Two visible GPUs."""
    monkeypatch.setitem(sys.modules, "pynvml", FakeNvml(FakeGpu(), FakeGpu(uuid="GPU-b")))
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    return gpus()


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A model's folder."""
    for name in ("model.safetensors", "config.json", "tokenizer.json", "chat_template.jinja"):
        (tmp_path / name).write_text(name, encoding="utf-8")
    return tmp_path


def test_every_key_that_is_written_is_in_the_table_and_every_key_of_the_table_is_written(
    cards: list[Gpu], model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in os.environ if is_of_the_engine(name)]:
        monkeypatch.delenv(name)
    for fact in EnvironmentFact:
        if fact.isupper():
            monkeypatch.setenv(fact, "0,1")
    monkeypatch.setattr(at, "version", lambda _: "1.0")
    written = {*environment(model, on_cpu=False), *host_counts([{"Alive": True, "Resources": {"GPU": 8}}])}
    assert written - {gpu_key(place) for place in range(len(cards))} | {EnvironmentFact.CUDA} == set(EnvironmentFact) - BY_OTHERS


def test_a_package_goes_by_its_first_name_that_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    installed = {"torch": "2.13", "nvidia-nccl-cu12": "2.27"}

    def version(name: str) -> str:
        if name not in installed:
            raise PackageNotFoundError(name)
        return installed[name]

    monkeypatch.setattr(at, "version", version)
    assert (packages()[EnvironmentFact.NCCL], EnvironmentFact.FLASHINFER in packages()) == ("2.27", False)
    installed["nvidia-nccl-cu13"] = "2.28"
    assert packages()[EnvironmentFact.NCCL] == "2.28"


def test_a_machine_with_gpus_names_their_driver_and_how_many_there_are(cards: list[Gpu]) -> None:
    values = gpu_values(cards)
    assert (values[EnvironmentFact.GPU_COUNT], values[EnvironmentFact.GPU_DRIVER]) == (2, cards[0].driver)
    assert hardware(cards) == "2 x NVIDIA H100"


def test_a_machine_without_gpus_says_nothing_of_them() -> None:
    assert gpu_values([]) == {}
    assert hardware([]).endswith(f", {len(usable_cores())} threads")


def test_the_threads_are_those_that_this_process_may_use() -> None:
    assert processor()["cpu_threads"] == len(os.sched_getaffinity(0))

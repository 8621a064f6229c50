"""Which GPUs there are, which of them an engine may use and uses, and whose memory is whose."""

import sys
from importlib.util import find_spec

import pytest

from ledger.bench.machine import nvml as device
from ledger.bench.machine.environment import gpu_text
from ledger.bench.machine.nvml import (
    BUNDLED,
    BY_DEVICE,
    BY_DIFFERENCE,
    BY_PROCESS,
    bundled_library,
    device_memory,
    device_memory_in_use,
    gpus,
    nvml,
    places_used,
    visible_places,
)
from ledger.bench.vllm.preflight import expected_here, require_device
from ledger.errors import EnvironmentFaultError
from tests.bench.conftest import protocol_of
from tests.bench.fake_nvml import FakeGpu, FakeNvml

GIB = 1 << 30


def installed(monkeypatch: pytest.MonkeyPatch, *cards: FakeGpu, **options: object) -> FakeNvml:
    """A machine with these cards, all of them visible."""
    library = FakeNvml(*cards, **options)  # type: ignore[arg-type]  # options of the fake
    monkeypatch.setitem(sys.modules, "pynvml", library)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    return library


def test_what_a_card_does_not_say_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, FakeGpu(), lacks=("nvmlDeviceGetEnforcedPowerLimit", "nvmlDeviceGetMigMode", "nvmlDeviceGetComputeMode"))
    (gpu,) = gpus()
    assert (gpu.power_limit_w, gpu.has_mig, gpu.compute_mode) == (None, None, None)
    assert gpu_text(gpu) == "NVIDIA H100, 80.0 GiB"


@pytest.mark.parametrize(
    ("setting", "places"),
    [
        (None, [0, 1, 2]),
        ("2,0", [2, 0]),
        ("1", [1]),
        ("", []),
        ("-1", []),
        ("0,7,1", [0]),
        ("GPU-cc", [2]),
        ("MIG-GPU-bb-1", [1]),
    ],
)
def test_only_what_cuda_may_use_is_visible(monkeypatch: pytest.MonkeyPatch, setting: str | None, places: list[int]) -> None:
    library = installed(monkeypatch, *(FakeGpu(uuid=f"GPU-{letter * 2}-1") for letter in "abc"))
    if setting is not None:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", setting)
    assert visible_places(library) == places
    assert len(gpus()) == len(places)


def test_an_engine_uses_the_cards_with_its_processes_else_the_first_visible_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    library = installed(monkeypatch, FakeGpu(), FakeGpu(processes={42: GIB}), FakeGpu())
    assert places_used(library, [41, 42], 2) == [1]
    assert places_used(library, [41], 2) == [0, 1]
    assert places_used(library, [41], None) == [0, 1, 2]


def test_device_memory_is_that_of_the_engines_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, FakeGpu(processes={42: 3 * GIB, 7: 5 * GIB}), FakeGpu(processes={43: 2 * GIB}))
    assert device_memory([42, 43], before_bytes=GIB) == (5 * GIB, BY_PROCESS)


@pytest.mark.parametrize("hidden", ["other ids", "no figures", "refused"])
def test_inside_a_container_device_memory_is_the_difference_to_before_the_start(monkeypatch: pytest.MonkeyPatch, hidden: str) -> None:
    seen: dict[str, dict[int, int | None]] = {"other ids": {7: GIB}, "no figures": {42: None}, "refused": {42: GIB}}
    lacks = ("nvmlDeviceGetComputeRunningProcesses",) if hidden == "refused" else ()
    library = installed(monkeypatch, FakeGpu(used=GIB, processes=seen[hidden]), lacks=lacks)
    before = device_memory_in_use()
    library.cards[0].used = 9 * GIB
    assert device_memory([42], before_bytes=before) == (8 * GIB, BY_DIFFERENCE)
    assert device_memory([42]) == (9 * GIB, BY_DEVICE)


def test_without_a_driver_there_is_no_gpu_and_no_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    installed(monkeypatch, FakeGpu(), has_driver=False)
    with nvml() as library:
        assert library is None
    assert device_memory([1]) == (None, None)
    assert device_memory_in_use() is None


def test_vllms_copy_of_the_binding_stands_in_for_one_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    if find_spec("vllm") is None:
        pytest.skip("needs an installed vLLM")
    monkeypatch.setitem(sys.modules, "pynvml", None)  # an import of it fails
    library = device.nvml_library()
    assert library is bundled_library()
    assert library.__name__ == BUNDLED
    used = [name for name in vars(FakeNvml) if name.startswith("nvml")]
    assert [name for name in used if not hasattr(library, name)] == []
    assert issubclass(library.NVMLError, Exception)


def test_a_run_whose_gpus_are_elsewhere_is_not_refused() -> None:
    sizes = {"device": "cuda", "tensor_parallel_size": 8, "pipeline_parallel_size": 2}
    assert expected_here(protocol_of(engine=sizes)) == 16
    assert expected_here(protocol_of(engine=sizes | {"nnodes": 2})) == 8
    assert expected_here(protocol_of(engine={"device": "cuda", "data_parallel_size": 8, "data_parallel_size_local": 2})) == 2
    spread = protocol_of(engine=sizes | {"distributed_executor_backend": "ray"})
    assert expected_here(spread) == 0
    require_device(spread, [], build_has_cuda=True)
    with pytest.raises(EnvironmentFaultError, match="cannot use a GPU, 16 expected"):
        require_device(spread, [], build_has_cuda=False)
    with pytest.raises(EnvironmentFaultError, match="no GPU seen, 8 expected"):
        require_device(protocol_of(engine=sizes | {"nnodes": 2}), [], build_has_cuda=True)

"""The accelerators of this machine, and the memory that processes use on them, through NVML."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Gpu:
    """One GPU as its driver reports it; None where the driver does not say."""

    name: str
    memory_bytes: int | None
    power_limit_w: float | None
    driver: str | None


def gpus() -> list[Gpu]:
    """Return the GPUs that can be seen; none where there is no driver."""
    with nvml() as library:
        if library is not None:
            driver = text(library.nvmlSystemGetDriverVersion())
            return [gpu_at(library, place, driver) for place in range(library.nvmlDeviceGetCount())]
    return list(gpus_of_torch())


def gpu_at(library: Any, place: int, driver: str) -> Gpu:
    """Return what NVML says about one GPU."""
    handle = library.nvmlDeviceGetHandleByIndex(place)
    try:
        limit_w: float | None = library.nvmlDeviceGetEnforcedPowerLimit(handle) / 1000
    except library.NVMLError:
        limit_w = None
    return Gpu(text(library.nvmlDeviceGetName(handle)), int(library.nvmlDeviceGetMemoryInfo(handle).total), limit_w, driver)


def gpus_of_torch() -> Iterator[Gpu]:
    """Yield the GPUs that torch sees, for machines without NVML."""
    try:
        import torch
    except ImportError:
        return
    for place in range(torch.cuda.device_count()):
        properties = torch.cuda.get_device_properties(place)
        yield Gpu(properties.name, int(properties.total_memory), None, None)


def device_memory(process_ids: Iterable[int]) -> tuple[int | None, str | None]:
    """Return the accelerator memory used by processes, in bytes, and where the figure comes from.

    NVML by process where it knows the processes; inside containers it often does not, then all memory used on the
    devices; without a device None twice.
    """
    wanted = set(process_ids)
    with nvml() as library:
        if library is None or not library.nvmlDeviceGetCount():
            return None, None
        handles = [library.nvmlDeviceGetHandleByIndex(place) for place in range(library.nvmlDeviceGetCount())]
        used = [process for handle in handles for process in library.nvmlDeviceGetComputeRunningProcesses(handle)]
        ours = [process.usedGpuMemory for process in used if process.pid in wanted and process.usedGpuMemory]
        if ours:
            return sum(ours), "NVML, by process"
        return sum(int(library.nvmlDeviceGetMemoryInfo(handle).used) for handle in handles), "NVML, all that is used on the devices"


@contextmanager
def nvml() -> Iterator[Any]:
    """Lend the NVML library, None where it or a driver is missing."""
    try:
        import pynvml
    except ImportError:
        yield None
        return
    try:
        pynvml.nvmlInit()
    except pynvml.NVMLError:
        yield None
        return
    try:
        yield pynvml
    finally:
        pynvml.nvmlShutdown()


def text(value: str | bytes) -> str:
    """Return text from either kind that NVML's releases hand out."""
    return value.decode() if isinstance(value, bytes) else value

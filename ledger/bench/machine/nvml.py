"""The accelerators that this process may use, and the memory that processes use on them, through NVML."""

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

BY_PROCESS = "NVML, by process"
BY_DIFFERENCE = "NVML, use of the devices less that before the engine started"
BY_DEVICE = "NVML, all that is used on the devices"
BUNDLED = "ledger_bundled_pynvml"
"""Name under which vLLM's copy of the library is loaded, so that it stands for no installed package."""


@dataclass(frozen=True, slots=True)
class Gpu:
    """One GPU as its driver reports it; None where the driver does not say."""

    name: str
    memory_bytes: int | None
    power_limit_w: float | None
    driver: str | None
    compute_mode: str | None = None
    """`default`, `exclusive-process` or `prohibited`."""
    has_mig: bool | None = None
    """Whether the card is split into instances (MIG)."""


def gpus() -> list[Gpu]:
    """Return the GPUs that this process may use, in CUDA's order; none where there is no driver."""
    with nvml() as library:
        if library is not None:
            driver = text(library.nvmlSystemGetDriverVersion())
            return [gpu_at(library, place, driver) for place in visible_places(library)]
    return list(gpus_of_torch())


def gpu_at(library: Any, place: int, driver: str) -> Gpu:
    """Return what NVML says about one GPU."""
    handle = library.nvmlDeviceGetHandleByIndex(place)
    limit_mw = ask(library, "nvmlDeviceGetEnforcedPowerLimit", handle)
    mode = ask(library, "nvmlDeviceGetComputeMode", handle)
    return Gpu(
        name=text(library.nvmlDeviceGetName(handle)),
        memory_bytes=int(library.nvmlDeviceGetMemoryInfo(handle).total),
        power_limit_w=None if limit_mw is None else limit_mw / 1000,
        driver=driver,
        compute_mode={0: "default", 2: "prohibited", 3: "exclusive-process"}.get(mode),
        has_mig=has_mig(library, handle),
    )


def has_mig(library: Any, handle: Any) -> bool | None:
    """Return whether a card is split into instances; None where it cannot be."""
    modes = ask(library, "nvmlDeviceGetMigMode", handle)
    return None if modes is None else bool(modes[0])


def ask(library: Any, function: str, *arguments: Any) -> Any:
    """Return what an NVML function answers; None where this card, driver or release of the library has no answer."""
    try:
        return getattr(library, function)(*arguments)
    except (AttributeError, library.NVMLError):
        return None


def visible_places(library: Any) -> list[int]:
    """Return the NVML places of the GPUs that CUDA may use: `CUDA_VISIBLE_DEVICES`, up to its first unknown entry, else all."""
    count = int(library.nvmlDeviceGetCount())
    wanted = os.environ.get("CUDA_VISIBLE_DEVICES")
    if wanted is None:
        return list(range(count))
    places: list[int] = []
    for word in wanted.split(","):
        place = place_of(library, word.strip(), count)
        if place is None:
            break
        places.append(place)
    return list(dict.fromkeys(places))


def place_of(library: Any, word: str, count: int) -> int | None:
    """Return the NVML place of one entry of `CUDA_VISIBLE_DEVICES`: a number, a card's UUID or its beginning, or an instance's."""
    if word.isdecimal():
        return int(word) if int(word) < count else None
    handle = ask(library, "nvmlDeviceGetHandleByUUID", word) if word.startswith("MIG-") else None
    card = None if handle is None else ask(library, "nvmlDeviceGetDeviceHandleFromMigDeviceHandle", handle)
    if card is not None:
        return int(library.nvmlDeviceGetIndex(card))
    names = (ask(library, "nvmlDeviceGetUUID", library.nvmlDeviceGetHandleByIndex(place)) for place in range(count))
    return next((place for place, name in enumerate(names) if word and name and text(name).startswith(word)), None)


def places_used(library: Any, process_ids: Iterable[int], count: int | None) -> list[int]:
    """Return the NVML places of the GPUs that an engine uses.

    Those on which NVML sees its processes; where it does not know them, the first `count` that CUDA may use, all of them
    when None.
    """
    wanted, visible = set(process_ids), visible_places(library)
    seen = [place for place in visible if any(process.pid in wanted for process in processes_on(library, place))]
    return seen or visible[:count]


def processes_on(library: Any, place: int) -> list[Any]:
    """Return the computing processes that NVML sees on a GPU; none inside a container that hides them."""
    return ask(library, "nvmlDeviceGetComputeRunningProcesses", library.nvmlDeviceGetHandleByIndex(place)) or []


def gpus_of_torch() -> Iterator[Gpu]:
    """Yield the GPUs that torch sees, for machines without NVML."""
    try:
        import torch
    except ImportError:
        return
    for place in range(torch.cuda.device_count()):
        properties = torch.cuda.get_device_properties(place)
        yield Gpu(properties.name, int(properties.total_memory), None, None)


def device_memory(process_ids: Iterable[int], *, before_bytes: int | None = None) -> tuple[int | None, str | None]:
    """Return the accelerator memory used by processes, in bytes, and where the figure comes from; None twice without a device.

    NVML by process where it knows the processes; inside containers it often does not. Then what the devices use beyond
    `before_bytes`, the figure of `device_memory_in_use` before the engine started; what other processes took or freed
    meanwhile is in it.
    """
    wanted = set(process_ids)
    with nvml() as library:
        places = visible_places(library) if library is not None else []
        if not places:
            return None, None
        used = [process for place in places for process in processes_on(library, place)]
        ours = [int(process.usedGpuMemory) for process in used if process.pid in wanted and process.usedGpuMemory]
        if ours:
            return sum(ours), BY_PROCESS
        now = in_use(library, places)
    return (now, BY_DEVICE) if before_bytes is None else (max(0, now - before_bytes), BY_DIFFERENCE)


def device_memory_in_use() -> int | None:
    """Return the bytes in use on all GPUs that this process may use, by whomever; None without any."""
    with nvml() as library:
        places = visible_places(library) if library is not None else []
        return in_use(library, places) if places else None


def in_use(library: Any, places: Iterable[int]) -> int:
    """Return the bytes in use on GPUs."""
    return sum(int(library.nvmlDeviceGetMemoryInfo(library.nvmlDeviceGetHandleByIndex(place)).used) for place in places)


@contextmanager
def nvml() -> Iterator[Any]:
    """Lend the NVML library, None where it or a driver is missing."""
    library = nvml_library()
    if library is None:
        yield None
        return
    try:
        library.nvmlInit()
    except library.NVMLError:
        yield None
        return
    try:
        yield library
    finally:
        library.nvmlShutdown()


def nvml_library() -> Any:
    """Return the Python binding of NVML: the installed `pynvml`, else the copy that vLLM carries; None without either."""
    try:
        import pynvml
    except ImportError:
        return bundled_library()
    return pynvml


@cache
def bundled_library() -> Any:
    """Return vLLM's copy of the binding, loaded by its file: importing vLLM for it would load torch; None where there is none."""
    vllm = find_spec("vllm")
    files = [Path(folder) / "third_party" / "pynvml.py" for folder in (vllm.submodule_search_locations or () if vllm else ())]
    file = next((file for file in files if file.is_file()), None)
    spec = spec_from_file_location(BUNDLED, file) if file else None
    if spec is None or spec.loader is None:
        return None
    module = module_from_spec(spec)
    sys.modules[BUNDLED] = module  # the binding looks itself up by name while it loads
    spec.loader.exec_module(module)
    return module


def text(value: str | bytes) -> str:
    """Return text from either kind that NVML's releases hand out."""
    return value.decode() if isinstance(value, bytes) else value

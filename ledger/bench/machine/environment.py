"""Where a run took place: versions, devices and file hashes. Never a user or host name, nor a path."""

import os
import platform
import sys
from collections import Counter
from contextlib import suppress
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ledger import __version__
from ledger.bench.engine.interface import Scalars
from ledger.bench.machine.cpu_readings import usable_cores
from ledger.bench.machine.engine_variables import engine_variables
from ledger.bench.machine.model_files import model_hashes
from ledger.bench.machine.nvml import Gpu, gpus
from ledger.model.records.run import EnvironmentFact, gpu_key

PACKAGES = {
    EnvironmentFact.TORCH: ("torch",),
    EnvironmentFact.TRANSFORMERS: ("transformers",),
    EnvironmentFact.TOKENIZERS: ("tokenizers",),
    EnvironmentFact.NCCL: ("nvidia-nccl-cu13", "nvidia-nccl-cu12"),
    EnvironmentFact.FLASHINFER: ("flashinfer-python",),
}
"""What shapes the numbers beside the engine, by the names that its distribution goes by; the first one that is installed counts."""


def environment(model_path: Path, *, on_cpu: bool, is_on_ray: bool = False) -> Scalars:
    """Return what a reader needs to place the numbers; `hardware` says it in one line."""
    seen = [] if on_cpu else gpus()
    values: Scalars = {
        EnvironmentFact.HARDWARE: hardware(seen),
        EnvironmentFact.PYTHON: platform.python_version(),
        EnvironmentFact.OS: f"{platform.system()} {platform.release()}",
        EnvironmentFact.CLOCK: clock_source(),
        **packages(),
        **processor(),
        **gpu_values(seen),
        **(ray_hosts() if is_on_ray else {}),
        **model_hashes(model_path),
    }
    return values | engine_variables(os.environ)


def hardware(seen: list[Gpu]) -> str:
    """Return the device in one line: GPUs, else the processor with the threads this process may use."""
    if seen:
        return f"{len(seen)} x {seen[0].name}"
    return f"{cpu_model()}, {len(usable_cores())} threads"


def packages() -> Scalars:
    """Return the versions of what shapes the numbers; a package that is not installed leaves no key.

    Our own comes from the code, since a pack runs where the package is not installed.
    """
    versions: Scalars = {}
    for fact, name in ((fact, name) for fact, names in PACKAGES.items() for name in reversed(names)):
        with suppress(PackageNotFoundError):
            versions[fact] = version(name)
    versions[EnvironmentFact.EVIDENCE_LEDGER] = __version__
    torch = sys.modules.get("torch")  # asking torch for its CUDA release is not worth loading it
    cuda = getattr(getattr(torch, "version", None), "cuda", None)
    return versions | ({EnvironmentFact.CUDA: str(cuda)} if cuda else {})


def processor() -> Scalars:
    """Return the processor, its threads and frequency, and the memory of the machine."""
    import psutil

    return {
        EnvironmentFact.CPU: cpu_model(),
        EnvironmentFact.CPU_CORES: psutil.cpu_count(logical=False),
        EnvironmentFact.CPU_THREADS: len(usable_cores()),
        EnvironmentFact.CPU_MHZ: cpu_mhz(),
        EnvironmentFact.MEMORY_BYTES: int(psutil.virtual_memory().total),
    }


def cpu_mhz() -> int | None:
    """Return the processor's highest frequency, or its present one; None where the system does not say."""
    import psutil

    try:
        frequency = psutil.cpu_freq()
        return round(frequency.max or frequency.current) or None
    except (AttributeError, NotImplementedError, OSError):  # psutil returns None or raises, by platform
        return None


def gpu_values(seen: list[Gpu]) -> Scalars:
    """Return name, count, memory, power limit and driver of the GPUs; nothing without any."""
    if not seen:
        return {}
    return {
        EnvironmentFact.GPU: ", ".join(sorted({gpu.name for gpu in seen})),
        EnvironmentFact.GPU_COUNT: len(seen),
        EnvironmentFact.GPU_MEMORY_BYTES: seen[0].memory_bytes,
        EnvironmentFact.GPU_POWER_LIMIT_W: seen[0].power_limit_w,
        EnvironmentFact.GPU_DRIVER: seen[0].driver,
        **{gpu_key(place): gpu_text(gpu) for place, gpu in enumerate(seen)},
    }


def gpu_text(gpu: Gpu) -> str:
    """Return one GPU in words: name, memory, power limit, and a mode that is not the usual one; never its serial number."""
    parts = [
        gpu.name,
        f"{gpu.memory_bytes / 2**30:.1f} GiB" if gpu.memory_bytes else None,
        f"{gpu.power_limit_w:.0f} W" if gpu.power_limit_w else None,
        f"compute mode {gpu.compute_mode}" if gpu.compute_mode not in (None, "default") else None,
        "split into instances (MIG)" if gpu.has_mig else None,
    ]
    return ", ".join(part for part in parts if part)


def cpu_model() -> str:
    """Return the processor's name as its maker gives it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, "") or platform.processor() or platform.machine()


def clock_source() -> str:
    """Return the source behind the monotonic clock, with the kernel's where it says."""
    import time

    implementation = time.get_clock_info("monotonic").implementation
    try:
        kernel = Path("/sys/devices/system/clocksource/clocksource0/current_clocksource").read_text(encoding="ascii").strip()
    except OSError:
        return implementation
    return f"{implementation}, {kernel}"


def ray_hosts() -> Scalars:
    """Return how many hosts a running Ray cluster has and how many GPUs each offers; nothing without Ray or a cluster.

    Connects only to ask and leaves again, so that the engine makes its own connection; without a cluster vLLM starts one
    on this host.
    """
    if find_spec("ray") is None:
        return {}
    ray = import_module("ray")  # optional, and untyped
    if ray.is_initialized():
        return host_counts(ray.nodes())
    try:
        ray.init(address="auto", log_to_driver=False, configure_logging=False)
    except ConnectionError:
        return {}
    try:
        return host_counts(ray.nodes())
    finally:
        ray.shutdown()


def host_counts(nodes: list[dict[str, Any]]) -> Scalars:
    """Return the number of living hosts and their GPUs, such as `2 x 8 GPUs`."""
    sizes = [int(node.get("Resources", {}).get("GPU", 0)) for node in nodes if node.get("Alive")]
    groups = sorted(Counter(sizes).items(), reverse=True)
    return {
        EnvironmentFact.HOSTS: len(sizes),
        EnvironmentFact.HOSTS_GPUS: ", ".join(f"{number} x {size} GPU{'s' * (size != 1)}" for size, number in groups),
    }

"""NVML's Python binding with given GPUs: the functions and error that the runner uses, to stand in `sys.modules`."""

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, NoReturn


@dataclass
class FakeGpu:
    """One card, in NVML's own units: milliwatts, millijoules, percent, MHz."""

    name: str = "NVIDIA H100"
    uuid: str = "GPU-aaaa-1"
    total: int = 80 << 30
    used: int = 10 << 30
    limit_mw: int = 700_000
    clock: int = 1980
    memory_clock: int = 2619
    temperature: int = 61
    power_mw: int = 540_000
    use_percent: int = 95
    reasons: int = 0
    energy_mj: int = 5_000_000
    energy_step_mj: int = 3000
    """Added by each reading of the counter."""
    mig: int | None = 0
    processes: dict[int, int | None] = field(default_factory=dict)
    """Process id to its bytes."""


class FakeNvml:
    """A module object with one driver; `lacks` names functions that answer with an error."""

    class NVMLError(Exception):
        """As the binding's."""

    def __init__(self, *cards: FakeGpu, lacks: tuple[str, ...] = (), has_driver: bool = True) -> None:
        self.cards, self.lacks, self.has_driver = cards, lacks, has_driver
        self.users = 0

    def __getattribute__(self, name: str) -> Any:
        """Refuse what this driver lacks."""
        if name.startswith("nvml") and name in self.lacks:
            return self.refuse
        return super().__getattribute__(name)

    def refuse(self, *_: Any) -> NoReturn:
        """Fail as NVML does."""
        raise self.NVMLError("Not Supported")

    def nvmlInit(self) -> None:
        if not self.has_driver:
            self.refuse()
        self.users += 1

    def nvmlShutdown(self) -> None:
        self.users -= 1

    def nvmlSystemGetDriverVersion(self) -> bytes:
        return b"570.1"

    def nvmlDeviceGetCount(self) -> int:
        return len(self.cards)

    def nvmlDeviceGetHandleByIndex(self, place: int) -> FakeGpu:
        return self.cards[place]

    def nvmlDeviceGetHandleByUUID(self, uuid: str) -> FakeGpu:
        return next((card for card in self.cards if uuid == f"MIG-{card.uuid}"), None) or self.refuse()

    def nvmlDeviceGetDeviceHandleFromMigDeviceHandle(self, handle: FakeGpu) -> FakeGpu:
        return handle

    def nvmlDeviceGetIndex(self, handle: FakeGpu) -> int:
        return self.cards.index(handle)

    def nvmlDeviceGetUUID(self, handle: FakeGpu) -> str:
        return handle.uuid

    def nvmlDeviceGetName(self, handle: FakeGpu) -> str:
        return handle.name

    def nvmlDeviceGetMemoryInfo(self, handle: FakeGpu) -> SimpleNamespace:
        return SimpleNamespace(total=handle.total, used=handle.used)

    def nvmlDeviceGetEnforcedPowerLimit(self, handle: FakeGpu) -> int:
        return handle.limit_mw

    def nvmlDeviceGetComputeMode(self, handle: FakeGpu) -> int:
        return 3

    def nvmlDeviceGetMigMode(self, handle: FakeGpu) -> list[int]:
        if handle.mig is None:
            self.refuse()
        return [handle.mig or 0, 0]

    def nvmlDeviceGetComputeRunningProcesses(self, handle: FakeGpu) -> list[SimpleNamespace]:
        return [SimpleNamespace(pid=pid, usedGpuMemory=size) for pid, size in handle.processes.items()]

    def nvmlDeviceGetClockInfo(self, handle: FakeGpu, kind: int) -> int:
        return {1: handle.clock, 2: handle.memory_clock}[kind]

    def nvmlDeviceGetTemperature(self, handle: FakeGpu, sensor: int) -> int:
        return {0: handle.temperature}[sensor]

    def nvmlDeviceGetPowerUsage(self, handle: FakeGpu) -> int:
        return handle.power_mw

    def nvmlDeviceGetUtilizationRates(self, handle: FakeGpu) -> SimpleNamespace:
        return SimpleNamespace(gpu=handle.use_percent, memory=40)

    def nvmlDeviceGetCurrentClocksEventReasons(self, handle: FakeGpu) -> int:
        return handle.reasons

    def nvmlDeviceGetCurrentClocksThrottleReasons(self, handle: FakeGpu) -> int:
        return handle.reasons

    def nvmlDeviceGetTotalEnergyConsumption(self, handle: FakeGpu) -> int:
        handle.energy_mj += handle.energy_step_mj
        return handle.energy_mj

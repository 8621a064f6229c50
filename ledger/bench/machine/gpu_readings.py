"""What each GPU does at an instant, through NVML: clocks, temperature, power, use, reasons for a lower clock, energy."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ledger.bench.machine.nvml import ask, has_mig

SLOWED_BY = {
    0x04: "sw-power-cap",
    0x08: "hw-slowdown",
    0x20: "sw-thermal",
    0x40: "hw-thermal",
    0x80: "power-brake",
}
"""NVML's bits for a clock below what was asked for. Idle, clocks set by an operator and boost shared between cards are none."""
SM_CLOCK, MEMORY_CLOCK, GPU_TEMPERATURE = 1, 2, 0
"""NVML_CLOCK_SM, NVML_CLOCK_MEM, NVML_TEMPERATURE_GPU."""


@dataclass(frozen=True, slots=True)
class GpuReading:
    """One GPU at an instant; None where NVML does not say."""

    clock_mhz: float | None = None
    memory_clock_mhz: float | None = None
    temperature_c: float | None = None
    power_w: float | None = None
    utilisation: float | None = None
    """Share of the driver's last sample period in which a kernel ran, 0 to 1."""
    slowed_by: tuple[str, ...] | None = None
    """Why the clock is below what was asked for; empty when it is not."""
    energy_j: float | None = None
    """Counter since the driver was loaded; only differences mean anything."""


class GpuReader:
    """Reads the GPUs at given NVML places, in that order."""

    def __init__(self, library: Any, places: Sequence[int]) -> None:
        """Take the handles; the library stays open as long as this is used."""
        self._library = library
        self._handles = [library.nvmlDeviceGetHandleByIndex(place) for place in places]
        self._is_split = [bool(has_mig(library, handle)) for handle in self._handles]

    def read(self) -> tuple[GpuReading, ...]:
        """Return the present reading of each GPU."""
        return tuple(self._read(handle, split) for handle, split in zip(self._handles, self._is_split, strict=True))

    def _read(self, handle: Any, is_split: bool) -> GpuReading:
        query = self._ask
        use = query("nvmlDeviceGetUtilizationRates", handle)
        power_mw = None if is_split else query("nvmlDeviceGetPowerUsage", handle)  # the card's, not the instance's
        energy_mj = None if is_split else query("nvmlDeviceGetTotalEnergyConsumption", handle)
        return GpuReading(
            clock_mhz=query("nvmlDeviceGetClockInfo", handle, SM_CLOCK),
            memory_clock_mhz=query("nvmlDeviceGetClockInfo", handle, MEMORY_CLOCK),
            temperature_c=query("nvmlDeviceGetTemperature", handle, GPU_TEMPERATURE),
            power_w=None if power_mw is None else power_mw / 1000,
            utilisation=None if use is None else use.gpu / 100,
            slowed_by=self._slowed_by(handle),
            energy_j=None if energy_mj is None else energy_mj / 1000,
        )

    def _slowed_by(self, handle: Any) -> tuple[str, ...] | None:
        bits = self._ask("nvmlDeviceGetCurrentClocksEventReasons", handle)
        if bits is None:  # the name before release 535 of the driver
            bits = self._ask("nvmlDeviceGetCurrentClocksThrottleReasons", handle)
        return None if bits is None else tuple(word for bit, word in SLOWED_BY.items() if bits & bit)

    def _ask(self, function: str, *arguments: Any) -> Any:
        return ask(self._library, function, *arguments)

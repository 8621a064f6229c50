"""Samples the machine while a cell is measured: a thread beside the event loop, one sample a second.

A sample reads a few of the kernel's files and asks NVML some ten questions a GPU. The event loop sets one flag when the
first measured request is sent and one when the last has ended.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from types import TracebackType
from typing import Protocol, Self

from ledger.bench.engine.interface import Engine
from ledger.bench.machine.cell_conditions import Figures, MachineSample, device_count_of, figures_of
from ledger.bench.machine.cpu_readings import CpuReader
from ledger.bench.machine.gpu_readings import GpuReader
from ledger.bench.machine.nvml import nvml, places_used

EVERY_S = 1.0
"""Between samples; NVML's own averages of power and use are of this order."""
PATIENCE_S = 10.0
"""How long the end of a cell waits for a driver that does not answer."""


class Probe(Protocol):
    """Where samples come from; tests pass readings of their own."""

    def sample(self) -> MachineSample:
        """The machine now."""


OpenProbe = Callable[[], AbstractContextManager[Probe]]


class MachineProbe:
    """This machine's processor and the GPUs that an engine uses."""

    def __init__(self, cpu: CpuReader, gpus: GpuReader | None) -> None:
        """Take the readers; None where the engine uses no GPU."""
        self._cpu, self._gpus = cpu, gpus

    def sample(self) -> MachineSample:
        """The machine now."""
        return MachineSample(time.monotonic(), self._cpu.read(), self._gpus.read() if self._gpus else ())


def machine_probe(engine: Engine) -> OpenProbe:
    """Return what opens a probe of this machine for a started engine; a CPU engine's has no GPU."""
    processes, configuration = engine.process_ids(), engine.effective_configuration()
    on_cpu = configuration.get("device_config.device_type") == "cpu"

    @contextmanager
    def opened() -> Iterator[Probe]:
        cpu = CpuReader(processes)
        if on_cpu:
            yield MachineProbe(cpu, None)
            return
        with nvml() as library:
            places = places_used(library, processes, device_count_of(configuration)) if library is not None else []
            yield MachineProbe(cpu, GpuReader(library, places) if places else None)

    return opened


class Sampler:
    """One cell's sampler: `begin` when measured requests start, `end` when they are done; a context that leaves no thread."""

    def __init__(self, open_probe: OpenProbe, *, every_s: float = EVERY_S) -> None:
        """Set the thread up; it starts when the context is entered."""
        self._open_probe, self._every_s = open_probe, every_s
        self._samples: list[MachineSample] = []
        self._is_begun = False
        self._begin, self._end, self._done = threading.Event(), threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._work, name="sampler", daemon=True)
        self.fault: str | None = None
        """Why there are no figures; None while all is well."""

    def __enter__(self) -> Self:
        """Open the probe in the thread, which then waits for `begin`."""
        self._thread.start()  # a driver takes its time to be opened: before anything is measured
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        """End the thread, also where the cell failed."""
        self._stop()

    def begin(self) -> None:
        """Start to sample; does nothing the second time."""
        if not self._is_begun:
            self._is_begun = True
            self._begin.set()

    def end(self) -> tuple[Figures, int]:
        """Take a last sample and return the figures and how many samples are behind them; nothing when it never began."""
        self._stop()
        if not self._done.is_set():
            self.fault = f"no answer within {PATIENCE_S:.0f} s"
        return ({}, 0) if self.fault else (figures_of(self._samples), len(self._samples))

    def _stop(self) -> None:
        if not self._end.is_set():
            self._end.set()
            self._begin.set()
            self._done.wait(PATIENCE_S)

    def _work(self) -> None:
        try:
            with self._open_probe() as probe:
                self._begin.wait()
                if self._is_begun:
                    self._sample_until_end(probe)
                self._done.set()
        except Exception as error:  # noqa: BLE001 - drivers fail in their own ways; the run goes on and its record says so
            self.fault = f"{type(error).__name__}: {error}"
        finally:
            self._done.set()

    def _sample_until_end(self, probe: Probe) -> None:
        self._samples.append(probe.sample())
        while not self._end.wait(self._every_s):
            self._samples.append(probe.sample())
        self._samples.append(probe.sample())

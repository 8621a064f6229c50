"""What the samples of a cell come to: one figure each, as plain numbers for the journal and as measures for the record."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import fmean, median

from ledger.bench.engine.interface import Scalars
from ledger.bench.machine.cpu_readings import CpuReading
from ledger.bench.machine.gpu_readings import SLOWED_BY, GpuReading
from ledger.bench.plan.plan import PlannedCell
from ledger.model.records.run import Condition, EnvironmentFact, Measure
from ledger.model.trace import RequestTrace
from ledger.model.values.units import MeasureUnit

SHORTEST_S = 1.0
"""Over less time than this a core counts under a hundred ticks, and a share of them says nothing."""
UNITS: dict[str, MeasureUnit] = {
    "clock": "MHz",
    "memory-clock": "MHz",
    "temperature": "degC",
    "power": "W",
    "energy": "J",
    "resident": "bytes",
    "load-average": "count",
}
"""Quantity to unit; every other quantity is a share of 1."""
ENERGY_PER_TOKEN = "energy-per-token.mean"
Figures = dict[str, float]


@dataclass(frozen=True, slots=True)
class MachineSample:
    """The machine at an instant."""

    at_s: float
    """On a monotonic clock."""
    cpu: CpuReading = field(default_factory=CpuReading)
    gpus: tuple[GpuReading, ...] = ()


def figures_of(samples: Sequence[MachineSample]) -> Figures:
    """Return `device.quantity.stat` to its value, over the samples of a cell; what was not recorded has no key."""
    figures = dict(cpu_figures(samples))
    for place in range(max((len(sample.gpus) for sample in samples), default=0)):
        readings = [sample.gpus[place] for sample in samples if place < len(sample.gpus)]
        figures |= {f"gpu-{place}.{name}": value for name, value in gpu_figures(readings)}
    return figures


def cpu_figures(samples: Sequence[MachineSample]) -> Iterator[tuple[str, float]]:
    """Yield the processor's figures: clock, load, the engine's resident size, and the shares that others and a hypervisor took."""
    readings = [sample.cpu for sample in samples]
    yield from stats("cpu.clock", without_none(reading.clock_mhz for reading in readings), median=median, min=min)
    yield from stats("cpu.load-average", without_none(reading.load_average for reading in readings), mean=fmean)
    yield from stats("cpu.resident", without_none(reading.resident_bytes for reading in readings), max=max)
    timed = [sample for sample in samples if sample.cpu.times is not None]
    if len(timed) > 1 and timed[-1].at_s - timed[0].at_s >= SHORTEST_S:
        yield from cpu_shares([sample.cpu for sample in timed])


def cpu_shares(readings: Sequence[CpuReading]) -> Iterator[tuple[str, float]]:
    """Yield the shares of the usable cores' time that other processes and the hypervisor took, from first to last reading."""
    first, last = readings[0].times, readings[-1].times
    if first is None or last is None or last.total <= first.total:
        return
    total = last.total - first.total
    others = last.busy - first.busy - own_ticks(readings)
    yield "cpu.others.mean", max(0.0, others / total)  # processes are timed more finely than cores
    yield "cpu.steal.mean", (last.steal - first.steal) / total


def own_ticks(readings: Sequence[CpuReading]) -> int:
    """Return the ticks that this process and the engine's took; those of a process that ended count up to its last reading."""
    return sum(
        later.own_ticks[process] - before.own_ticks[process]
        for before, later in pairwise(readings)
        if before.own_ticks and later.own_ticks
        for process in before.own_ticks.keys() & later.own_ticks.keys()
    )


def gpu_figures(readings: Sequence[GpuReading]) -> Iterator[tuple[str, float]]:
    """Yield one GPU's figures without the device's name."""
    yield from stats("clock", without_none(reading.clock_mhz for reading in readings), median=median, min=min)
    yield from stats("memory-clock", without_none(reading.memory_clock_mhz for reading in readings), median=median)
    yield from stats("temperature", without_none(reading.temperature_c for reading in readings), max=max)
    yield from stats("power", without_none(reading.power_w for reading in readings), mean=fmean, max=max)
    yield from stats("utilisation", without_none(reading.utilisation for reading in readings), mean=fmean)
    yield from slowed_figures([reading.slowed_by for reading in readings if reading.slowed_by is not None])
    energy = without_none(reading.energy_j for reading in readings)
    if len(energy) > 1 and energy[-1] >= energy[0]:  # the counter starts again when the driver is loaded again
        yield "energy.total", energy[-1] - energy[0]


def slowed_figures(reasons: Sequence[tuple[str, ...]]) -> Iterator[tuple[str, float]]:
    """Yield the share of samples with a lowered clock, and that of each reason seen; nothing where NVML does not say."""
    if not reasons:
        return
    yield "slowed.share", sum(bool(words) for words in reasons) / len(reasons)
    for word in SLOWED_BY.values():
        if share := sum(word in words for words in reasons) / len(reasons):
            yield f"slowed-{word}.share", share


def without_none(values: Iterable[float | None]) -> list[float]:
    """Return the values that were recorded."""
    return [float(value) for value in values if value is not None]


def stats(name: str, values: list[float], **kinds: Callable[[list[float]], float]) -> Iterator[tuple[str, float]]:
    """Yield statistics of a quantity; none of nothing."""
    if values:
        yield from ((f"{name}.{kind}", float(of(values))) for kind, of in kinds.items())


def condition_of(
    cell: PlannedCell, figures: Mapping[str, float], samples: int, *, output_tokens: int, device_count: int | None, hosts: int = 1
) -> Condition:
    """Return a cell's conditions for the record, with the energy per token where every device gave its energy.

    Args:
        cell: which.
        figures: what `figures_of` returned.
        samples: how many samples are behind them.
        output_tokens: delivered by the cell's measured requests.
        device_count: how many GPUs the engine spans, on all hosts; None where its configuration does not say.
        hosts: how many hosts it may span; those of the others were not sampled.
    """
    measures = {key: Measure(value=value, unit=unit_of(key), n=samples) for key, value in figures.items()}
    energies = [value for key, value in figures.items() if key.endswith(".energy.total")]
    if energies and output_tokens and hosts == 1 and len(energies) == (device_count or len(energies)):
        measures[ENERGY_PER_TOKEN] = Measure(value=sum(energies) / output_tokens, unit="J/tok", n=samples)
    return Condition(arm=cell.arm, load=cell.load, repeat=cell.repeat, measures=measures)


def unit_of(key: str) -> MeasureUnit:
    """Return the unit of `device.quantity.stat`."""
    return UNITS.get(key.split(".")[1], "share")


def delivered_tokens(traces: Iterable[RequestTrace]) -> Counter[PlannedCell]:
    """Return the output tokens delivered by each cell's measured requests, those of requests that failed later included."""
    tokens: Counter[PlannedCell] = Counter()
    for trace in traces:
        if trace.phase == "measured":
            tokens[PlannedCell(trace.arm, trace.load, trace.repeat)] += trace.output_tokens
    return tokens


def hosts_of(configuration: Scalars, environment: Scalars) -> int:
    """Return how many hosts an engine may span: its own `nnodes`, or those of the Ray cluster."""
    counts = (configuration.get("parallel_config.nnodes"), environment.get(EnvironmentFact.HOSTS))
    return max((count for count in counts if isinstance(count, int)), default=1)


def device_count_of(configuration: Scalars) -> int | None:
    """Return how many devices an engine spans by its effective configuration; None where that does not say."""
    sizes = [configuration.get(f"parallel_config.{name}_parallel_size") for name in ("tensor", "pipeline", "data")]
    counts = [size for size in sizes if isinstance(size, int)]
    return counts[0] * counts[1] * counts[2] if len(counts) == 3 else None

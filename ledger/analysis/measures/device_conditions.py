"""What the recorded conditions of a run say about its numbers: throttling, drift, and who else used the processor. Pure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import fmean

from ledger.model.records.run import Condition

CLOCK_BELOW = 0.05
"""A median clock that much below the device's best: compute-bound latency follows the clock, and 5 % is about what repeats differ by."""
WARMER_BY_C = 5.0
"""Between first and last repeat: the sensor reads whole degrees, and a cell more or less of load moves it by a few."""
OTHERS_ABOVE = 0.10
"""Of the usable cores' time: this much of it taken by others is a tenth less engine where all cores are in use."""
STEAL_ABOVE = 0.05
"""Of the usable cores' time: the same as for the clock, as stolen time slows every step alike."""
SLOWED_ABOVE = 0.05
"""Of a cell's samples: a single sample in twenty can be the moment between two loads."""
OWN_WORK_ABOVE = 0.01
"""Of a cell's time: while the runner records or takes a chunk apart it serves no stream, so a token takes so much longer."""

REASONS = {
    "sw-power-cap": "its power limit",
    "hw-slowdown": "the card's own protection",
    "sw-thermal": "its temperature, held by the driver",
    "hw-thermal": "its temperature, held by the card",
    "power-brake": "an external power brake",
}
"""NVML's reasons for a lowered clock, by the word in `slowed-WORD.share`."""


def condition_warnings(conditions: Sequence[Condition]) -> tuple[str, ...]:
    """Return a sentence for each thing that a reader of the run's numbers has to know; none where nothing was recorded."""
    found: list[str] = []
    for device in devices_of(conditions):
        found += slowdown_warnings(device, conditions)
        found += slow_clock_warnings(device, conditions)
        found += temperature_warnings(device, conditions)
    found += own_work_warnings(conditions)
    found += processor_time_warnings("others", OTHERS_ABOVE, "other processes took", conditions=conditions)
    found += processor_time_warnings("steal", STEAL_ABOVE, "the hypervisor took away", conditions=conditions)
    return tuple(found)


Where = tuple[str, str, int]
"""Arm, load and repeat of a cell."""


def devices_of(conditions: Iterable[Condition]) -> list[str]:
    """Return the devices that any cell has a figure of, in the order of their names; `gpu-10` after `gpu-9`."""
    names = {key.partition(".")[0] for one in conditions for key in one.measures if key.count(".") == 2}
    return sorted(names, key=lambda name: (len(name), name))


def values_of(key: str, conditions: Iterable[Condition]) -> dict[Where, float]:
    """Return a figure of every cell that has it."""
    found = (((one.arm, one.load, one.repeat), one.measures[key].value) for one in conditions if key in one.measures)
    return {where: value for where, value in found if value is not None}


def slowdown_warnings(device: str, conditions: Sequence[Condition]) -> Iterator[str]:
    """Yield a sentence for each reason that lowered a device's clock."""
    for word, reason in REASONS.items():
        shares = cells_above(values_of(f"{device}.slowed-{word}.share", conditions), SLOWED_ABOVE)
        if shares:
            most = percent_text(max(shares.values()))
            yield f"{device}: clock lowered by {reason} in up to {most} of a cell's samples: {cells_text(shares)}"


def slow_clock_warnings(device: str, conditions: Sequence[Condition]) -> Iterator[str]:
    """Yield a sentence when a device ran cells at a lower clock than others."""
    clocks = values_of(f"{device}.clock.median", conditions)
    best = max(clocks.values(), default=0.0)
    slow = {where: clock for where, clock in clocks.items() if clock < best * (1 - CLOCK_BELOW)}
    if slow:
        lowest = min(slow.values())
        below = percent_text(1 - lowest / best)
        yield f"{device}: median clock down to {lowest:.0f} MHz, {below} below the {best:.0f} of its best cell: {cells_text(slow)}"


def temperature_warnings(device: str, conditions: Sequence[Condition]) -> Iterator[str]:
    """Yield a sentence when the same cells were warmer or cooler in the last repeat than in the first."""
    heats = values_of(f"{device}.temperature.max", conditions)
    repeats = sorted({repeat for _, _, repeat in heats})
    if len(repeats) < 2:
        return
    first, last = ({(arm, load): heat for (arm, load, repeat), heat in heats.items() if repeat == end} for end in (repeats[0], repeats[-1]))
    both = first.keys() & last.keys()
    if not both:
        return
    before, after = (fmean(side[cell] for cell in both) for side in (first, last))
    if abs(after - before) >= WARMER_BY_C:
        yield (
            f"{device}: {before:.0f} degC at most in the cells of repeat {repeats[0]}, {after:.0f} in those of repeat {repeats[-1]} "
            f"(means of {len(both)} cells)"
        )


def processor_time_warnings(quantity: str, limit: float, words: str, *, conditions: Sequence[Condition]) -> Iterator[str]:
    """Yield a sentence when too much of the processor's time went elsewhere."""
    shares = cells_above(values_of(f"cpu.{quantity}.mean", conditions), limit)
    if shares:
        yield f"cpu: {words} up to {percent_text(max(shares.values()))} of the usable cores' time: {cells_text(shares)}"


def own_work_warnings(conditions: Iterable[Condition]) -> Iterator[str]:
    """Yield a sentence when the runner's own work took more of a cell's time than may be taken for nothing."""
    shares = cells_above(values_of("runner.own-work.share", conditions), OWN_WORK_ABOVE)
    if shares:
        most = f"{max(shares.values()) * 100:.1f} %"
        yield f"runner: its own work took up to {most} of the time, and every token waited so much longer: {cells_text(shares)}"


def cells_above(values: Mapping[Where, float], limit: float) -> dict[Where, float]:
    """Return the cells whose figure lies above a limit."""
    return {where: value for where, value in values.items() if value > limit}


def percent_text(share: float) -> str:
    """Return a share in whole percent."""
    return f"{share * 100:.0f} %"


def cells_text(of: Iterable[Where]) -> str:
    """Return cells in words, repeats of one arm and load together: `base at c8, repeats 1 and 3`."""
    repeats: dict[tuple[str, str], list[int]] = {}
    for arm, load, repeat in of:
        repeats.setdefault((arm, load), []).append(repeat)
    return "; ".join(f"{arm} at {load}, {repeats_text(found)}" for (arm, load), found in repeats.items())


def repeats_text(numbers: Sequence[int]) -> str:
    """Return repeats in words: `repeat 2`, `repeats 1, 2 and 4`."""
    *before, last = [str(number) for number in sorted(numbers)]
    return f"repeats {', '.join(before)} and {last}" if before else f"repeat {last}"

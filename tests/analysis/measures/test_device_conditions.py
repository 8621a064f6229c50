"""Sentences on throttling, drift and other users of the processor, and silence where nothing is wrong or known."""

from typing import Any

import pytest

from ledger.analysis.measures.device_conditions import condition_warnings
from ledger.bench.machine.cell_conditions import unit_of
from ledger.model.records.run import Condition, Measure


def cell(arm: str = "base", load: str = "c8", repeat: int = 1, **figures: float) -> Condition:
    """A cell with these figures; `__` stands for a dot and `_` for a hyphen in their names."""
    named = {name.replace("__", ".").replace("_", "-"): value for name, value in figures.items()}
    measures = {key: Measure(value=value, unit=unit_of(key), n=30) for key, value in named.items()}
    return Condition(arm=arm, load=load, repeat=repeat, measures=measures)


def test_nothing_recorded_is_nothing_said() -> None:
    assert condition_warnings([]) == ()
    assert condition_warnings([cell(), cell(repeat=2)]) == ()


def test_a_quiet_machine_is_not_mentioned() -> None:
    figures: dict[str, Any] = {
        "cpu__others__mean": 0.1,
        "cpu__steal__mean": 0.05,
        "gpu_0__clock__median": 1980,
        "gpu_0__temperature__max": 60,
    }
    hotter: dict[str, Any] = figures | {
        "gpu_0__clock__median": 1890,
        "gpu_0__temperature__max": 64,
        "gpu_0__slowed_sw_power_cap__share": 0.05,
    }
    assert condition_warnings([cell(**figures), cell(repeat=2, **hotter)]) == ()


def test_throttling_names_its_reason_and_its_cells() -> None:
    cells = [
        cell(gpu_0__slowed_sw_power_cap__share=0.4),
        cell(repeat=2, gpu_0__slowed_sw_power_cap__share=0.06),
        cell("ngram", gpu_0__slowed_sw_power_cap__share=0.43, gpu_1__slowed_hw_thermal__share=1.0),
        cell("ngram", repeat=2, gpu_0__slowed_sw_power_cap__share=0.01),
    ]
    assert condition_warnings(cells) == (
        "gpu-0: clock lowered by its power limit in up to 43 % of a cell's samples: base at c8, repeats 1 and 2; ngram at c8, repeat 1",
        "gpu-1: clock lowered by its temperature, held by the card in up to 100 % of a cell's samples: ngram at c8, repeat 1",
    )


def test_a_clock_is_held_against_the_best_of_the_same_device() -> None:
    cells = [
        cell(gpu_0__clock__median=1980, gpu_1__clock__median=1500),
        cell(load="c1", gpu_0__clock__median=1882, gpu_1__clock__median=1500),
        cell(repeat=2, gpu_0__clock__median=1782, gpu_1__clock__median=1500),
        cell(load="c1", repeat=2, gpu_1__clock__median=1500),
    ]
    (sentence,) = condition_warnings(cells)
    assert sentence == "gpu-0: median clock down to 1782 MHz, 10 % below the 1980 of its best cell: base at c8, repeat 2"


@pytest.mark.parametrize(("last", "said"), [((70, 72), True), ((52, 50), True), ((64, 65), False)])
def test_temperature_is_compared_between_the_same_cells_of_the_first_and_the_last_repeat(last: tuple[float, float], said: bool) -> None:
    cells = [
        cell(gpu_0__temperature__max=60),
        cell("ngram", gpu_0__temperature__max=62),
        cell(repeat=2, gpu_0__temperature__max=90),
        cell(repeat=3, gpu_0__temperature__max=last[0]),
        cell("ngram", repeat=3, gpu_0__temperature__max=last[1]),
        cell(load="c1", repeat=3, gpu_0__temperature__max=99),
    ]
    expected = f"gpu-0: 61 degC at most in the cells of repeat 1, {sum(last) / 2:.0f} in those of repeat 3 (means of 2 cells)"
    assert condition_warnings(cells) == ((expected,) if said else ())


def test_others_and_a_hypervisor_that_took_the_processor_are_named() -> None:
    cells = [cell(cpu__others__mean=0.12, cpu__steal__mean=0.01), cell(repeat=2, cpu__others__mean=0.02, cpu__steal__mean=0.081)]
    assert condition_warnings(cells) == (
        "cpu: other processes took up to 12 % of the usable cores' time: base at c8, repeat 1",
        "cpu: the hypervisor took away up to 8 % of the usable cores' time: base at c8, repeat 2",
    )


def test_a_runner_that_took_more_than_a_hundredth_of_the_time_is_named() -> None:
    cells = [cell(repeat=repeat, runner__own_work__share=share) for repeat, share in ((1, 0.01), (2, 0.0125))]
    assert condition_warnings(cells) == (
        "runner: its own work took up to 1.2 % of the time, and every token waited so much longer: base at c8, repeat 2",
    )


def test_devices_are_told_in_the_order_of_their_numbers() -> None:
    slow: dict[str, Any] = {f"gpu_{place}__slowed_power_brake__share": 1.0 for place in (10, 9)}
    assert [sentence.partition(":")[0] for sentence in condition_warnings([cell(**slow)])] == ["gpu-9", "gpu-10"]

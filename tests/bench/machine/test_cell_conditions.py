"""The samples of a cell come to one figure each."""

import pytest

from ledger.bench.machine.cell_conditions import MachineSample, condition_of, device_count_of, figures_of, hosts_of
from ledger.bench.machine.cpu_readings import (
    CpuReading,
    CpuTimes,
)
from ledger.bench.machine.gpu_readings import GpuReading
from ledger.bench.plan.plan import PlannedCell


def cpu(busy: int, total: int, *, steal: int = 0, **own: int) -> CpuReading:
    """A reading with these times, and ticks of processes `p1` and so on."""
    return CpuReading(CpuTimes(busy, steal, total), {int(name[1:]): ticks for name, ticks in own.items()}, load_average=1.0)


def test_others_share_is_all_busy_time_less_our_own_up_to_a_processs_end() -> None:
    samples = [
        MachineSample(0.0, cpu(1000, 5000, steal=10, p1=100, p2=50)),
        MachineSample(1.0, cpu(1100, 5200, steal=20, p1=130, p2=70)),
        MachineSample(2.0, cpu(1200, 5400, steal=30, p1=150)),
    ]
    found = figures_of(samples)
    assert found["cpu.others.mean"] == pytest.approx((200 - 50 - 20) / 400)
    assert found["cpu.steal.mean"] == pytest.approx(20 / 400)
    assert "cpu.clock.median" not in found  # not recorded is no zero


def test_ticks_finer_than_the_cores_never_make_the_others_negative() -> None:
    assert figures_of([MachineSample(0.0, cpu(0, 100, p1=0)), MachineSample(1.0, cpu(90, 200, p1=95))])["cpu.others.mean"] == 0


def test_a_cell_under_a_second_has_no_shares_of_time() -> None:
    found = figures_of([MachineSample(0.0, cpu(0, 100)), MachineSample(0.9, cpu(90, 200))])
    assert set(found) == {"cpu.load-average.mean"}


def gpu(clock: float, *, slowed_by: tuple[str, ...] | None = (), energy_j: float | None = None, **fields: float) -> GpuReading:
    """A reading of a GPU."""
    return GpuReading(clock_mhz=clock, slowed_by=slowed_by, energy_j=energy_j, **fields)


def test_a_gpus_samples_come_to_one_figure_each() -> None:
    readings = [
        gpu(1980, energy_j=100, temperature_c=60, power_w=500, utilisation=0.9),
        gpu(1700, energy_j=400, temperature_c=70, power_w=700, utilisation=1.0, slowed_by=("sw-power-cap",)),
        gpu(1900, energy_j=900, temperature_c=65, power_w=600, utilisation=0.8, slowed_by=("sw-power-cap", "sw-thermal")),
        gpu(1960),
    ]
    found = figures_of([MachineSample(float(place), gpus=(reading,)) for place, reading in enumerate(readings)])
    assert found == {
        "gpu-0.clock.median": 1930,
        "gpu-0.clock.min": 1700,
        "gpu-0.temperature.max": 70,
        "gpu-0.power.mean": 600,
        "gpu-0.power.max": 700,
        "gpu-0.utilisation.mean": pytest.approx(0.9),
        "gpu-0.slowed.share": 0.5,
        "gpu-0.slowed-sw-power-cap.share": 0.5,
        "gpu-0.slowed-sw-thermal.share": 0.25,
        "gpu-0.energy.total": 800,
    }


def test_reasons_that_are_not_told_are_absent_and_none_seen_is_zero() -> None:
    assert "gpu-0.slowed.share" not in figures_of([MachineSample(0.0, gpus=(gpu(1, slowed_by=None),))])
    assert figures_of([MachineSample(0.0, gpus=(gpu(1),))])["gpu-0.slowed.share"] == 0


def test_an_energy_counter_that_started_again_gives_no_energy() -> None:
    found = figures_of([MachineSample(0.0, gpus=(gpu(1, energy_j=500),)), MachineSample(1.0, gpus=(gpu(1, energy_j=20),))])
    assert "gpu-0.energy.total" not in found


@pytest.mark.parametrize(("devices", "expected"), [(2, 2.5), (None, 2.5), (4, None)])
def test_energy_per_token_counts_every_device_or_is_left_out(devices: int | None, expected: float | None) -> None:
    figures = {"gpu-0.energy.total": 300.0, "gpu-1.energy.total": 200.0, "gpu-0.clock.min": 1.0}
    condition = condition_of(PlannedCell("base", "c2", 1), figures, 9, output_tokens=200, device_count=devices)
    measure = condition.measures.get("energy-per-token.mean")
    assert (measure.value if measure else None) == expected
    assert condition.measures["gpu-0.energy.total"].unit == "J"
    assert {measure.n for measure in condition.measures.values()} == {9}
    assert "energy-per-token.mean" not in condition_of(PlannedCell("base", "c2", 1), figures, 9, output_tokens=0, device_count=2).measures


def test_energy_of_one_host_is_not_that_of_a_cluster() -> None:
    assert hosts_of({"parallel_config.nnodes": 1}, {"hosts": 2}) == hosts_of({"parallel_config.nnodes": 2}, {}) == 2
    assert hosts_of({}, {}) == 1
    condition = condition_of(PlannedCell("base", "c2", 1), {"gpu-0.energy.total": 3.0}, 9, output_tokens=2, device_count=1, hosts=2)
    assert set(condition.measures) == {"gpu-0.energy.total"}


def test_the_devices_of_an_engine_are_the_product_of_its_parallel_sizes() -> None:
    sizes = {"tensor": 2, "pipeline": 3, "data": 4}
    assert device_count_of({f"parallel_config.{name}_parallel_size": size for name, size in sizes.items()}) == 24
    assert device_count_of({}) is None

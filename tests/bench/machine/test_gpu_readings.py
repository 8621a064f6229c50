"""A GPU at an instant, in NVML's own units, by drivers old and new."""

from ledger.bench.machine.gpu_readings import GpuReader, GpuReading
from tests.bench.fake_nvml import FakeGpu, FakeNvml


def test_nvml_is_asked_in_its_own_units() -> None:
    library = FakeNvml(FakeGpu(reasons=0x04 | 0x40 | 0x01 | 0x10))
    (reading,) = GpuReader(library, [0]).read()
    assert reading == GpuReading(1980, 2619, 61, 540.0, 0.95, ("sw-power-cap", "hw-thermal"), 5003.0)


def test_an_older_driver_answers_by_the_older_name_and_an_older_card_says_less() -> None:
    lacks = ("nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetTotalEnergyConsumption", "nvmlDeviceGetPowerUsage")
    (reading,) = GpuReader(FakeNvml(FakeGpu(reasons=0x20), lacks=lacks), [0]).read()
    assert (reading.slowed_by, reading.energy_j, reading.power_w, reading.clock_mhz) == (("sw-thermal",), None, None, 1980)


def test_a_split_cards_power_is_not_the_engines() -> None:
    (reading,) = GpuReader(FakeNvml(FakeGpu(mig=1)), [0]).read()
    assert (reading.power_w, reading.energy_j, reading.temperature_c) == (None, None, 61)

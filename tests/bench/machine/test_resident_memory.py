"""Resident memory as the operating system counts it."""

import subprocess
import sys

from ledger.bench.machine.resident_memory import resident_peak_bytes


def test_resident_peak_is_the_high_water_mark() -> None:
    program = "x = bytearray(200 << 20); del x; print('ready', flush=True); import time; time.sleep(60)"
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    with child.stdout:
        child.stdout.readline()
    peak = resident_peak_bytes([child.pid])
    child.kill()
    child.wait()
    assert peak is not None
    assert 200 << 20 < peak < 400 << 20
    assert resident_peak_bytes([]) is None

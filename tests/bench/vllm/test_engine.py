"""Processes of the engine are waited for at its end."""

import multiprocessing
import signal
import subprocess
import sys
import time

import psutil

from ledger.bench.vllm.engine import wait_until_gone

SLEEPER = [sys.executable, "-c", "import time; time.sleep(60)"]


def test_waiting_reaps_what_ended_and_kills_what_did_not() -> None:
    ended = multiprocessing.get_context("spawn").Process(target=time.sleep, args=(0,))
    ended.start()
    stubborn = subprocess.Popen(SLEEPER)
    wait_until_gone([psutil.Process(ended.pid), psutil.Process(stubborn.pid)], within_s=3)
    assert stubborn.poll() == -signal.SIGKILL
    assert not ended.is_alive()
    assert not psutil.pid_exists(ended.pid or 0)

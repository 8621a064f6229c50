"""Resident memory of the engine's processes, as the operating system counts it."""

import os
from collections.abc import Iterable
from pathlib import Path


def resident_peak_bytes(process_ids: Iterable[int]) -> int | None:
    """Return the peak resident size, summed over processes; None when none of them can be read.

    On Linux the kernel's own high-water mark (VmHWM), so that nothing has to be sampled during a measurement; elsewhere
    the present size. Pages that processes share count once in each.
    """
    sizes = [size for process_id in process_ids if (size := peak_of(process_id)) is not None]
    return sum(sizes) if sizes else None


def resident_bytes(process_ids: Iterable[int]) -> int | None:
    """Return the present resident size, summed over processes; None when none of them can be read.

    From `/proc/PID/statm`, the cheapest place; its figure is in pages.
    """
    pages = [int(fields[1]) for process_id in process_ids if len(fields := statm_of(process_id)) > 1]
    return sum(pages) * os.sysconf("SC_PAGE_SIZE") if pages else None


def statm_of(process_id: int) -> list[str]:
    """Return the fields of a process's memory line; none when it is gone."""
    try:
        return Path(f"/proc/{process_id}/statm").read_text(encoding="ascii").split()
    except OSError:
        return []


def peak_of(process_id: int) -> int | None:
    """Return the peak resident size of one process in bytes, None when it is gone."""
    try:
        status = Path(f"/proc/{process_id}/status").read_text(encoding="ascii", errors="replace")
    except OSError:
        return present_size_of(process_id)
    mark = next((line.split() for line in status.splitlines() if line.startswith("VmHWM:")), None)
    return int(mark[1]) * 1024 if mark else None


def present_size_of(process_id: int) -> int | None:
    """Return the present resident size of one process in bytes, None when it is gone."""
    import psutil

    try:
        return int(psutil.Process(process_id).memory_info().rss)
    except psutil.Error:
        return None

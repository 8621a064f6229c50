"""Sends what an engine prints into a file, and leaves our own output where it was."""

import atexit
import logging
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TextIO

from ledger.bench.engine.interface import Scalars

ATTENTION = re.compile(r"Using (?:AttentionBackendEnum\.)?([A-Z][A-Z0-9_]+)(?: attention)? backend(?! for)")
BOUND = re.compile(r"local_rank=\d+, core ids=\[([\d, ]+)\]")
RESERVED = re.compile(r"reserved_cpus=\[([\d, ]+)\]")


@contextmanager
def output_to(log: Path) -> Iterator[None]:
    """Point the descriptors of standard output and error at a file, so that processes started meanwhile write there.

    `sys.stdout` and `sys.stderr` keep writing where they did, so a progress bar goes on; a writer that holds the
    descriptors themselves does not.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    kept = os.dup(1), os.dup(2)
    streams = sys.stdout, sys.stderr
    target = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        if streams == (sys.__stdout__, sys.__stderr__):  # where somebody has replaced them, they know where they write
            sys.stdout, sys.stderr = our_streams()
        os.dup2(target, 1)
        os.dup2(target, 2)
        yield
    finally:
        sys.stdout, sys.stderr = streams
        os.dup2(kept[0], 1)
        os.dup2(kept[1], 2)
        for descriptor in (*kept, target):
            os.close(descriptor)


def start_facts(log: str, *, on_cpu: bool) -> Scalars:
    """Return what an engine's log of its start says that its configuration does not: attention, and the cores that it was bound to.

    Keys are those of an effective configuration. On a CPU vLLM binds its workers to cores and keeps some for the front end.
    """
    facts: Scalars = {}
    if attention := ATTENTION.search(log):
        facts["attention_config.backend"] = attention[1]
    elif on_cpu:
        facts["attention_config.backend"] = "CPU_ATTN"  # its only one, which it does not name
    if bound := BOUND.findall(log):
        facts["cpu_binding.engine_cores"] = "; ".join(cores.replace(" ", "") for cores in dict.fromkeys(bound))
    if reserved := RESERVED.search(log):
        facts["cpu_binding.reserved_cores"] = reserved[1].replace(" ", "")
    return facts


@cache
def our_streams() -> tuple[TextIO, TextIO]:
    """Return streams to where output and error went first; never closed, since a log handler may have kept one."""
    return (
        os.fdopen(os.dup(1), "w", buffering=1, closefd=False),
        os.fdopen(os.dup(2), "w", buffering=1, closefd=False),
    )


@cache
def quiet_exit() -> None:
    """Drop what libraries print while the interpreter ends: triton's bindings list hundreds of objects they never free."""
    atexit.register(lambda: os.dup2(os.open(os.devnull, os.O_WRONLY), 2))


def vllm_logs_to(log: Path) -> None:
    """Send what vLLM logs in this process to a file; its own set-up first, which would undo it later."""
    logging.disable(logging.WARNING)  # what the first import says of the machine would go to our own output
    try:
        from vllm.config.logging import LoggingConfig
        from vllm.logger import configure_logging_if_needed
    finally:
        logging.disable(logging.NOTSET)
    configure_logging_if_needed(LoggingConfig())
    loggers_to(log, "vllm")


def loggers_to(log: Path, *names: str) -> None:
    """Send what libraries log in this process to a file, and nowhere else."""
    handler = logging.FileHandler(log, encoding="utf-8", delay=True)
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s %(message)s"))
    for name in names:
        logger = logging.getLogger(name)
        for old in logger.handlers:
            if isinstance(old, logging.FileHandler):
                old.close()
        logger.handlers = [handler]
        logger.propagate = False

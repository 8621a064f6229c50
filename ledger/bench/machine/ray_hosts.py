"""The hosts of a Ray cluster, counted: never their names or addresses."""

from collections import Counter
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from ledger.bench.engine.interface import Scalars


def ray_hosts() -> Scalars:
    """Return how many hosts a running Ray cluster has and how many GPUs each offers; nothing without Ray or a cluster.

    Connects only to ask and leaves again, so that the engine makes its own connection; without a cluster vLLM starts one
    on this host.
    """
    if find_spec("ray") is None:
        return {}
    ray = import_module("ray")  # optional, and untyped
    if ray.is_initialized():
        return counted(ray.nodes())
    try:
        ray.init(address="auto", log_to_driver=False, configure_logging=False)
    except ConnectionError:
        return {}
    try:
        return counted(ray.nodes())
    finally:
        ray.shutdown()


def counted(nodes: list[dict[str, Any]]) -> Scalars:
    """Return the number of living hosts and their GPUs, such as `2 x 8 GPUs`."""
    sizes = [int(node.get("Resources", {}).get("GPU", 0)) for node in nodes if node.get("Alive")]
    groups = sorted(Counter(sizes).items(), reverse=True)
    return {"hosts": len(sizes), "hosts_gpus": ", ".join(f"{number} x {size} GPU{'s' * (size != 1)}" for size, number in groups)}

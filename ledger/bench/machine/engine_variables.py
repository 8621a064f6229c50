"""Environment variables that may change what an engine does, as far as they name nobody and nothing of this machine."""

from collections.abc import Mapping

from ledger.bench.engine.interface import Scalars
from ledger.bench.engine.redaction import anonymous

PREFIXES = ("VLLM_", "NCCL_", "FLASHINFER_", "TORCH_", "PYTORCH_", "CUDA_", "TRITON_", "OMP_", "KMP_", "GOMP_", "MKL_")
PRIVATE = frozenset(
    {"KEY", "TOKEN", "SECRET", "PASSWORD", "USER", "HOST", "HOSTNAME", "IP", "ADDR", "URL", "PORT"}
    | {"PATH", "DIR", "ROOT", "HOME", "FILE", "CACHE", "LOG"}
)
"""Words in a variable's name that make it somebody's secret, an address, or a place on this machine."""


def engine_variables(variables: Mapping[str, str]) -> Scalars:
    """Return the variables of an engine's libraries with their values, without secrets, addresses, folders and serial numbers."""
    return {name: without_serial(anonymous(value)) for name, value in sorted(variables.items()) if is_of_the_engine(name)}


def is_of_the_engine(name: str) -> bool:
    """Whether a variable is one of the engine's or its libraries', and may be told."""
    return name.startswith(PREFIXES) and PRIVATE.isdisjoint(name.split("_"))


def without_serial(setting: str) -> str:
    """Return a setting with every device's UUID cut to its kind: `GPU-…`; numbers stay."""
    return ",".join(f"{word.partition('-')[0]}-…" if word.startswith(("GPU-", "MIG-")) else word for word in setting.split(","))

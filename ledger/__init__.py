"""Evidence Ledger: dated, sourced claims and measured runs, and the reports built from them.

Imports point down only: cli > api > (bench | attach | render | store) > analysis > model > errors.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"
__all__ = ["Ledger", "__version__"]


def __getattr__(name: str) -> Any:
    """Return `Ledger` on first use, so that importing the package stays free of heavy imports."""
    if name == "Ledger":
        return import_module("ledger.api").Ledger
    raise AttributeError(f"module 'ledger' has no attribute {name!r}")

"""`Ledger`: open a ledger and query, check, build and measure from Python; the command line calls the same methods.

One file a concern; `Ledger` joins them. May import `bench`, `render`, `store` and what lies below, each heavy part
inside the method that needs it.
"""

from ledger.api.articles import FORMATS, Built
from ledger.api.ledger import Ledger

__all__ = ["FORMATS", "Built", "Ledger"]

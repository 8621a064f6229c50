"""`Ledger`: open a ledger and query, check, build and measure from Python; the command line calls the same methods.

`ledger` composes, one file a part; every part is a plain object made from `ledger_files`. `runs` plans, executes and
records; `remote` packs for other machines and imports what comes back, and stands on `runs`. May import `bench`,
`render`, `store` and what lies below, each heavy part inside the method that needs it.
"""

from ledger.api.builds import FORMATS, Built
from ledger.api.ledger import Ledger

__all__ = ["FORMATS", "Built", "Ledger"]

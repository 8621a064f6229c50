"""What judges a ledger or this machine: `ledger check`, `verify`, `schema`, `doctor`."""

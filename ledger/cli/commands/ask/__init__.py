"""Questions about records: `ledger show`, `log`, `search`, `conflicts`, `impact`, `coverage`, `sql`, `export`."""

"""What a new ledger begins with. Imports `files`."""

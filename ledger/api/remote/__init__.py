"""Runs on machines without this ledger: packed here, executed there, imported here. May import `runs` and `ledger_files`."""

"""The repository around a ledger, read through GitPython, which only this room imports. Imports `files`."""

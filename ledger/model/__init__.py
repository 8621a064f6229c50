"""The record types and the values they are made of: frozen, no I/O, no clock. Imports `errors` and pydantic, nothing else of ours.

`records` has one file a kind; `values` what fields hold. `record`, `kinds`, `catalogue`, `schema` and `trace` stand above both.
"""

"""The record types and the values they are made of: frozen, no I/O, no clock. Imports `errors` and pydantic, nothing else of ours.

From below: `values` (what fields hold, and the tables of units and metrics), `record` (what every record has), `records` (one
file a kind), then `catalogue` and `kinds`, and `schema` on top. `trace` stands by itself. A file imports from below its own.
"""

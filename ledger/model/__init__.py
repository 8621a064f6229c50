"""The record types: frozen, no I/O, no clock. May import `errors` and pydantic, nothing else of ours.

`kinds.KINDS` names every kind. A record's meaning is the fields its class lists in `MEANING`.
"""

"""Pure functions over records and traces: as-of, rules, references, metrics, statistics. No I/O, no clock.

May import `model` and `errors`. Callers pass dates, seeds and records in.
"""

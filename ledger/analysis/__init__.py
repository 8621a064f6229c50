"""Pure functions over records and traces: no I/O, no clock, no randomness of its own. Imports `model` and `errors` alone.

Callers pass dates, seeds and records in. Rooms, each importing only rooms after it (a contract in pyproject.toml holds
them to it): `upkeep` what has gone stale; `rules` what `ledger check` demands; `claims` and `prices` what records say
in numbers and in money; `validity` when records hold and what they rest on; `verdicts` what a run decides; `cells` the
cells and ratios of a run's record; `measures` the metrics below them, from traces; `statistics` the mathematics.
"""

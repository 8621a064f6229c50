"""Runs of a ledger: planned, executed, resumed, recorded, compared and verified.

Joins `bench`, `store` and `analysis`; of the api it imports `ledger_files` alone.
"""

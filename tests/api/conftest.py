"""Fixtures of other tests that those of the API use too."""

from tests.claim_fixtures import ask, rows, tested
from tests.random_ledger_fixtures import random_ledger

__all__ = ["ask", "random_ledger", "rows", "tested"]

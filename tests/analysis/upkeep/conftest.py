"""The fixtures of claims and of the command, from `tests.claim_fixtures`."""

from tests.claim_fixtures import ask, rows, tested

__all__ = ["ask", "rows", "tested"]

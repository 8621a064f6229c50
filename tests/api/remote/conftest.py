"""The fixture of a ledger whose plan has landed."""

from tests.api.remote.remote_fixtures import ledger

__all__ = ["ledger"]

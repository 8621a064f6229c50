"""A ledger where there is none yet, and the schemas that editors read."""

from ledger.store.new_ledger.create import create_ledger
from ledger.store.new_ledger.schemas import write_schemas

__all__ = ["create_ledger", "write_schemas"]

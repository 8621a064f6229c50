"""`ledger source …`: the only commands on records that use the network."""

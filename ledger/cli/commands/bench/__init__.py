"""`ledger bench …`: benchmarks planned, run here or elsewhere, recorded, compared, and told as claims."""

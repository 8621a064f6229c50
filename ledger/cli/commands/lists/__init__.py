"""`ledger claims`, `sources`, `costs`, `runs`, `protocols`, `articles`: the records of one kind, filtered and in order."""

"""`ledger article …`: drafts linted, built, and searched for citations that no longer stand."""

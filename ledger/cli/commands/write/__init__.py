"""What adds to a ledger: `ledger init`, `add`, `supersede`, `retract`, `review`. No file of a record is changed."""

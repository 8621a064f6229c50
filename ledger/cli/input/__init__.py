"""What commands read: options, fields of records as options, questions at a terminal, completion, and the day that it is.

`invocation` is where every command begins: the ledger named by `--ledger`, the words that were typed, the local day.
May import `text`, to say what it asks; imported by `commands` and `main`.
"""

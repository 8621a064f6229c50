"""One file a command, named as typed; `article`, `source` and `bench`, whose commands have two words, are folders of these names.

`lists` holds one list a kind of record, `ask` the other questions, `check` what judges a ledger and this machine,
`write` what adds to a ledger. A command reads its options, calls `ledger.api` and prints. Imports nothing of the other folders.
"""

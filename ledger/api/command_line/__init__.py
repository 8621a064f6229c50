"""What the command line needs beside an open ledger: this machine's parts, new ledgers, fields typed by hand, files to write.

Stands on `render`, `store` and what lies below; nothing else in `api` imports it.
"""

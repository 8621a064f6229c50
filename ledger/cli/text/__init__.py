"""What commands print: rows, tables, paragraphs, findings, workbooks. Opens no ledger and reads no clock.

A list is a `Listing`; `output` prints it in every format. Lines for a terminal are laid out by `layout` alone.
Imported by every other room of the command line; imports none of them.
"""

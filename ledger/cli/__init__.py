"""Flags, output formats and exit codes; everything else is `ledger.api`. The only importer of Typer."""

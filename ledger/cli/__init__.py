"""The `ledger` command: flags, formats and exit codes; everything else is `ledger.api`. The only importer of Typer.

`main` lists the commands, `commands` has a file for each, `input` reads what is typed, `text` words what is printed;
each may import what comes after it in this list. Commands and input reach what lies below through `ledger.api`; text may
also use the words of `analysis` and the report of `render`. Records' own types come from `model`. The clock, the
environment and `sys.argv` are read here and passed down. Nothing imports this package.
"""

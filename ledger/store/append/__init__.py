"""New records: composed, checked against every rule, written one a file. Imports `files` and `git`."""

"""The comparison of runs: what it shows, before a terminal or a page prints it, and its page. Imports `figures` and `runs`."""

"""An article's tables of claims, prices and runs, as Markdown. Imports `citing` and `runs`."""

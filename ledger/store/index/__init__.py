"""The disposable SQL index of the work tree and of the history, and the queries over it. Imports `files` and `git`."""

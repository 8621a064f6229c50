"""Models on this machine's disk: where they lie, their sizes and vocabularies from file headers, the hashes that a plan holds them to.

Loads no weight for a check; only the demonstration model and the untrained draft are made here. May import `machine`, `engine` and `plan`.
"""

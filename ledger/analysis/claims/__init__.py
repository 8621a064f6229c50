"""What claims say in numbers, whether two may be compared, and how far one can be relied on.

Imports `validity`, and from `verdicts` the facts of a run.
"""

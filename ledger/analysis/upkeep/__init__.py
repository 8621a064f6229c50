"""What has gone stale, what would, what nobody has reviewed or read again, and which findings are waived.

Imports `validity`, `claims` and `prices`, and from `rules` the table of those that can be waived.
"""

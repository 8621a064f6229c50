"""What has gone stale, what would, and what nobody has reviewed or read again. Imports `validity`, `claims` and `rules`' tables."""

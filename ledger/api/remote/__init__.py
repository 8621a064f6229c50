"""Runs that take place elsewhere: packed here, executed there, imported again."""

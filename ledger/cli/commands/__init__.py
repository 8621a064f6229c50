"""The commands, one file each or one a group, named as typed. A command parses, calls `ledger.api`, prints."""

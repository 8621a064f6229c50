"""Record files: found, read into records and findings with line and column, and files written whole or not at all.

Every other room of the store may import this one; it imports none of them.
"""

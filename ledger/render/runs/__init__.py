"""What a run recorded, as texts and rows: articles and comparisons print the same ones, each in its own table.

Imports no other room.
"""

"""What prose cites: its sentences and citations, the record behind each id, its label and its numbered source.

Imports no other room; tables, figures and articles are made from it.
"""

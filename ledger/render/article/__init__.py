"""A draft's findings, its prose with everything printed that it cites, and the document made of it.

Imports `citing`, `tables` and `figures`.
"""

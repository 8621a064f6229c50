"""Captures of sources: fetched, hashed, kept, and turned into text. The only room that opens a network connection.

Imports `files`.
"""

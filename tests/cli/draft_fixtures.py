"""Drafts of articles for the tests of commands."""

HEAD = '+++\ntitle = "Draft"\nside = "technical"\ntype = "technical"\nauthors = ["A"]\nas_of = 2025-06-01\nsummary = "S."\n+++\n'
"""The front matter of a draft, eight lines."""

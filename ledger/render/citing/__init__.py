"""Prose taken apart into sentences and citations, and what each id stands for. Lays nothing out."""

"""Markdown tables of claims, prices and runs. Imports `citing`."""

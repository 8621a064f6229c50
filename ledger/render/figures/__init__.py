"""Figures as SVG, and the data behind them as a table. Imports `citing` and `runs`."""

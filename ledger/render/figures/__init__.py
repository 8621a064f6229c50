"""Figures as SVG with the data behind them. Imports no other room."""

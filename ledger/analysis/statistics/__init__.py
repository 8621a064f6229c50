"""Quantiles, bootstrap and variance over plain columns. Knows no run and no protocol; imports `model` alone."""

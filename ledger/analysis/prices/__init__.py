"""Which price holds, how it compares and prints, and what keeps money out of technical text. Imports `validity`."""

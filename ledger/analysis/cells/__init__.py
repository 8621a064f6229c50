"""From a run's requests to the cells and paired ratios of its record, which `verify` recomputes. Imports `measures` and `statistics`."""

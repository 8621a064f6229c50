"""The metrics of METRICS, from traces to the cells and paired ratios of a run. Imports `statistics`; judges nothing."""

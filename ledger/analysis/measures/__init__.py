"""The metrics of METRICS: of a request, of the requests of a cell, of a drill. Imports `statistics`; knows no arm and judges nothing."""

"""A run at work: cells, loads, requests, suites, drills and the signals that stop it. Imports every other room but `pack` and `vllm`."""

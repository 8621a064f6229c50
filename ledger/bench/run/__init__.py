"""A run at work: cells, loads, requests, suites, drills and the signals that stop it.

May import every other room but `pack`; of `vllm` only `runner` takes the backend that it runs on unless told otherwise.
"""

"""The one room that knows vLLM: its arguments, its checks before a start, its processes.

Implements `engine.interface`; imports vLLM and torch inside functions only. May import `models`, `machine`, `engine` and `plan`.
"""

"""The one room that knows vLLM: its arguments, its checks before a start, its processes. Implements `engine.interface`."""

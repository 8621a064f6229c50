"""The machine under the engine: its devices, what they do while a cell is measured, and where a run took place.

Reads the kernel's files and NVML, and writes nothing. May import `engine` and `plan`.
"""

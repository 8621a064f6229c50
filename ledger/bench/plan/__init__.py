"""What will run, decided before it does: cells in order, prompts, suite items, the checks of answers and what they come to.

Pure, and starts no engine. May import no other room of `bench`.
"""

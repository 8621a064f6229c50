"""What will run, decided before it does: cells in order, prompts, suite items and the checks of answers. Starts no engine."""

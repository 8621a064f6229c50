"""What the runner asks of any serving engine, and what it keeps of an answer.

Imports no engine. May import `plan`.
"""

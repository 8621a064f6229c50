"""When a record holds, what superseded it, what it rests on, and what the history guards. Imports no other room of `analysis`."""

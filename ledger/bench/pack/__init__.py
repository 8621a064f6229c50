"""One file that runs a plan on another machine, and what it does there. Imports every other room; only `api` imports it."""

"""`python -m benchmarks [PART…]`: print what was measured, as a ratio wherever there is a peer, and a table at the end.

Without a part, all of them run in turn; `runner` and `serve` start the engine and take minutes each.
"""

import sys
from importlib import import_module

from benchmarks.figures import Figure, table

PARTS = ("commands", "documents", "recorder", "stall", "aggregation", "mutations", "runner", "serve")
BY_NAME = ("coverage",)
"""Run only where named: it takes an hour."""


def main() -> None:
    """Run the parts named on the command line; exit status 1 where a bar was missed."""
    parts = sys.argv[1:] or list(PARTS)
    if unknown := [part for part in parts if part not in (*PARTS, *BY_NAME)]:
        sys.exit(f"{unknown[0]}: no such benchmark; there is {', '.join((*PARTS, *BY_NAME))}")
    found: dict[str, list[Figure]] = {}
    for part in parts:
        print(f"== {part}", flush=True)
        found[part] = import_module(f"benchmarks.{part}").main()  # here, so that no part's memory holds another's imports
    print(f"\n{table(found)}")
    sys.exit(1 if any(figure.met is False for figures in found.values() for figure in figures) else 0)


if __name__ == "__main__":
    main()

"""`python -m benchmarks [commands | documents | runner]`: print what was measured, as a ratio wherever there is a peer."""

import sys

from benchmarks import commands, documents, runner

PARTS = {"commands": commands.main, "documents": documents.main, "runner": runner.main}


def main() -> None:
    """Run the parts named on the command line, by default those that need no engine."""
    names = sys.argv[1:] or ["commands", "documents"]
    for name in names:
        if name not in PARTS:
            sys.exit(f"{name}: no such benchmark; there is {', '.join(PARTS)}")
        print(f"== {name}")
        PARTS[name]()


if __name__ == "__main__":
    main()

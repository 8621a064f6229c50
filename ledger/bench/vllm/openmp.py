"""Intel's OpenMP for vLLM's CPU build, which runs speculation on it and warns of a large loss without.

It has to be loaded before anything else in the engine's processes, so its path goes into LD_PRELOAD before they start.
"""

import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

LIBRARY = "libiomp5.so"
ANY_OPENMP = ("libomp", "libgomp", "libiomp")


def preload_openmp() -> str:
    """Preload the library where it belongs and is installed, and return for the record what the engine will run on.

    A library that the user has preloaded stays.
    """
    preloaded = os.environ.get("LD_PRELOAD", "")
    chosen = next((name for name in ANY_OPENMP if name in preloaded), None)
    if chosen:
        return f"{chosen}, preloaded by the user" if chosen != "libiomp" or LIBRARY not in preloaded else library_name()
    library = Path(sys.prefix) / "lib" / LIBRARY
    if platform.system() != "Linux" or platform.machine() != "x86_64" or not library.is_file():
        return "torch's own"
    os.environ["LD_PRELOAD"] = f"{preloaded}:{library}".lstrip(":")
    return library_name()


def library_name() -> str:
    """Return the library's name and version."""
    try:
        return f"libiomp5, intel-openmp {version('intel-openmp')}"
    except PackageNotFoundError:
        return "libiomp5"

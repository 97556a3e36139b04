"""`python -m kinetree.building FOLDER [PLATFORM [PROCESSES]]`."""

import sys
from pathlib import Path

from .library import BuildError, build

if __name__ == "__main__":
    given = sys.argv[1:]
    try:
        build(Path(given[0]), given[1] if len(given) > 1 else None, int(given[2]) if len(given) > 2 else None)
    except BuildError as error:
        sys.exit(f"BuildError: {error}")

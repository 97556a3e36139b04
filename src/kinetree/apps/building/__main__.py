"""`python -m kinetree.apps.building FOLDER [--platform linux-aarch64] [--processes 2]`."""

import argparse
import sys
from pathlib import Path

from .library import BuildError, build


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m kinetree.apps.building", description="Build the library of all kernels."
    )
    parser.add_argument("folder", type=Path, help="where its files are written")
    parser.add_argument("--platform", help="another platform than this one")
    parser.add_argument(
        "--processes", type=int, help="that compile; otherwise as many as there are processors"
    )
    given = parser.parse_args()
    try:
        build(given.folder, given.platform, given.processes)
    except BuildError as error:
        sys.exit(f"BuildError: {error}")


if __name__ == "__main__":
    main()

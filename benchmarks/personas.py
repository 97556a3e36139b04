"""Does the test suite pass on every kind of machine that a library of kernels serves?

    python benchmarks/personas.py [--only "x86-64, BLAS Zen" ...] [PYTEST ARGUMENT ...]

runs pytest once for each family of processors (`KINETREE_TARGET`) and each machine around it
(`bits.py` has the list), and prints one line per run, with the tests that fail below it. Start it
with the Python of the installation to be tested; arguments of pytest (`tests/papers tests/analysis
-n 2`) select tests. The exit code is 0 only if every run passes.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from pathlib import Path

from bits import AROUND, FAMILIES

PERSONAS = {
    f"{family}, {name}": {"KINETREE_TARGET": family, **around}
    for family in FAMILIES
    for name, around in AROUND.items()
}
LAST = re.compile(r"^(?:=+ )?(\d+ \w+.* in [\d.]+s.*?)(?: =+)?$")


def run(environment: dict[str, str], arguments: list[str]) -> tuple[bool, str, list[str]]:
    """Whether pytest passes, its last line, and the tests that fail."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--tb=no", *arguments],
        cwd=Path(__file__).resolve().parent.parent,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    lines = done.stdout.splitlines()
    said = next(
        (match[1] for match in map(LAST.match, reversed(lines)) if match),
        f"pytest ended with code {done.returncode}",
    )
    return (
        done.returncode == 0,
        said,
        [line for line in lines if line.startswith(("FAILED", "ERROR"))],
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--only",
        action="append",
        choices=list(PERSONAS),
        metavar="PERSONA",
        help=", ".join(PERSONAS),
    )
    asked, arguments = parser.parse_known_args()
    names, bad, began = asked.only or list(PERSONAS), 0, time.perf_counter()
    for name in names:
        passed, said, failures = run(PERSONAS[name], arguments)
        bad += not passed
        print(
            f"{'passed' if passed else 'FAILED'}  {name:30}  {said}",
            *failures,
            sep="\n    ",
            flush=True,
        )
    print(f"{len(names) - bad} of {len(names)} personas pass, {time.perf_counter() - began:.0f} s.")
    return int(bad > 0)


if __name__ == "__main__":
    raise SystemExit(main())

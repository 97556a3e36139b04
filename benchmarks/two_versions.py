"""Compare two versions of Kinetree: steps, last states and CPU seconds of the same runs.

    python benchmarks/two_versions.py BEFORE AFTER [--repeat 15] [--only CASE ...] [--models]
    [--until 2.0]

BEFORE and AFTER are folders that contain the package `kinetree` (`src` of two worktrees), or Python
interpreters of two environments in which it is installed. One process per version lives through the
whole comparison and both run each case in turn, so that a busy machine disturbs them alike; the
fewest CPU seconds count. Folders are run by this interpreter, or the one that --python names.

    cases       the runs of version_cases.py: closed loops, vehicles, hydraulics, beams, and forward
                dynamics alone
    --models    all built-in models with default options instead, each to min(its own end, --until)
    difference  of the last states: the largest of any component, divided by the largest component
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
from pathlib import Path

CASES = Path(__file__).with_name("version_cases.py")


class Version:
    """A process that runs cases by name."""

    def __init__(self, where: str, python: str, until: float) -> None:
        environment, given = dict(os.environ), Path(where)
        if given.is_dir():
            environment["PYTHONPATH"] = str(given.resolve())
        self._process = subprocess.Popen(
            [python if given.is_dir() else where, str(CASES), str(until)],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.cases: list[str] = self._read()

    def run(self, case: str) -> tuple[float, int, list[float]]:
        """CPU seconds, accepted steps and the last state."""
        assert self._process.stdin is not None
        print(case, file=self._process.stdin, flush=True)
        return tuple(self._read())

    def _read(self) -> list:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit(f"the process of {self._process.args[0]} has ended")
        return json.loads(line)

    def close(self) -> None:
        self._process.communicate()


def row(case: str, versions: list[Version], repeat: int) -> str:
    best, last = [math.inf, math.inf], [(0, [0.0]), (0, [0.0])]
    for _ in range(repeat):
        for k, version in enumerate(versions):
            seconds, steps, state = version.run(case)
            best[k], last[k] = min(best[k], seconds), (steps, state)
    (steps_a, a), (steps_b, b) = last
    size = max(map(abs, a), default=0.0) or 1.0
    apart = max((abs(x - y) for x, y in zip(a, b, strict=True)), default=0.0) / size
    return (
        f"{case:24} {steps_a:7} {steps_b:7}   {'the same bits' if a == b else f'{apart:.1e}':13} "
        f"{1e3 * best[0]:9.2f} {1e3 * best[1]:9.2f}   {best[1] / best[0]:.2f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("versions", nargs=2, metavar=("BEFORE", "AFTER"))
    parser.add_argument("--repeat", type=int, default=15)
    parser.add_argument("--only", nargs="*")
    parser.add_argument("--models", action="store_true")
    parser.add_argument("--until", type=float, default=2.0)
    parser.add_argument("--python", default=sys.executable)
    given = parser.parse_args()
    versions = [
        Version(where, given.python, given.until if given.models else 0.0)
        for where in given.versions
    ]
    print(f"{'case':24} {'steps':>7} {'steps':>7}   {'difference':13} {'ms':>9} {'ms':>9}   ratio")
    for case in versions[0].cases:
        if not given.only or case in given.only:
            print(row(case, versions, given.repeat), flush=True)
    for version in versions:
        version.close()


if __name__ == "__main__":
    main()

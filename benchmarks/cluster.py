"""A study on Dask whose workers and client are killed: the table has the bits of a serial run.

    python benchmarks/cluster.py [--json] [--cases 100000]

A scheduler and two workers run as processes of their own, and a client computes the cases with a
store. After a quarter of the parts one worker is ended with SIGKILL and a new one is started; after
half of the parts the client is ended with SIGKILL. Another client continues with the same folder. The
table is compared, bit by bit, with that of one thread without a store. `seconds` are of the wall.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import kinetree as kt
from common import show, told
from variants import CASES

HERE = Path(__file__).resolve()
LIMIT = 1800.0  # s, for any part of the trial


def study(cases: int) -> kt.Study:
    """Falling four-bar linkages with random lengths and masses; a few percent cannot start as given."""
    make, ranges = CASES["four-bar"]
    wide = {**ranges, "coupler": (1.15, 1.82)}
    space = kt.Space.random(cases, wide, seed=7)
    return kt.Study(make, space, ["final A.angle", "max D.rate"], 0.5, rtol=1e-6)


def digest(table: kt.StudyResult) -> str:
    """Hash of all columns, bit by bit."""
    total = hashlib.sha256()
    for name in table.outputs:
        total.update(np.ascontiguousarray(table[name]).tobytes())
    for one in (table.status, table.ways, table.steps):
        total.update(one.tobytes())
    total.update("\0".join([*table.reasons, *table.moved]).encode())
    return total.hexdigest()


def started(*command: str) -> subprocess.Popen:
    """A process that finds the modules of the benchmarks."""
    paths = [str(HERE.parent), *filter(None, sys.path)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    return subprocess.Popen(
        [sys.executable, *command], env=environment, stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )  # fmt: skip


def wait(until: Callable[[], bool], what: str) -> None:
    """Wait for something to become true."""
    deadline = time.monotonic() + LIMIT
    while not until():
        if time.monotonic() > deadline:
            raise TimeoutError(what)
        time.sleep(0.02)


def trial(cases: int, folder: Path) -> dict[str, object]:
    """Run the study with losses; the row of the table."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    running: list[subprocess.Popen] = []

    def start(*command: str) -> subprocess.Popen:
        running.append(started(*command))
        return running[-1]

    def worker() -> subprocess.Popen:
        options = ("--nthreads", "1", "--no-nanny", "--no-dashboard")
        return start("-m", "distributed.cli.dask_worker", address, *options)

    def client() -> subprocess.Popen:
        return start(str(HERE), "--cases", str(cases), "--client", address, str(folder))

    def done() -> int:
        return len(list(folder.glob("part-*.nc")))

    parts = -(-cases // study(cases).manifest["size"])
    began = time.monotonic()
    try:
        start("-m", "distributed.cli.dask_scheduler", "--port", str(port), "--no-dashboard")
        first = [worker(), worker()][0]
        killed = client()
        wait(lambda: done() >= parts // 4, "a quarter of the parts")
        told(f"SIGKILL of a worker after {done()} of {parts} parts")
        first.send_signal(signal.SIGKILL)
        worker()
        wait(lambda: done() >= parts // 2, "half of the parts")
        told(f"SIGKILL of the client after {done()} of {parts} parts")
        killed.send_signal(signal.SIGKILL)
        killed.wait()
        left = done()
        second = client()
        if second.wait(LIMIT) != 0:
            raise RuntimeError("the second client failed")
    finally:
        for one in running:
            one.kill()
            one.wait()
    seconds = time.monotonic() - began
    table = study(cases).stored(folder)
    told("the serial run")
    began = time.monotonic()
    serial = study(cases).run(workers=1, progress=False)
    return {
        "cases": cases,
        "done": serial.done,
        "failed": len(serial.failed),
        "moved": sum(map(bool, serial.moved)),
        "parts": parts,
        "parts at the kill": left,
        "same bits": digest(table) == digest(serial),
        "seconds": seconds,
        "serial seconds": time.monotonic() - began,
        "sha256": digest(serial)[:16],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--cases", type=int, default=100_000, help="number of cases")
    parser.add_argument("--client", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.client:
        address, folder = given.client
        study(given.cases).run(address, store=folder, progress=False)
        return
    with tempfile.TemporaryDirectory(prefix="study-") as folder:
        row = trial(given.cases, Path(folder))
    show([row], given.json, "A study with a killed worker and a killed client")
    if not row["same bits"]:
        sys.exit("the tables differ")


if __name__ == "__main__":
    main()

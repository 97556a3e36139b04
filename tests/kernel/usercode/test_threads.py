"""Kernels and user code may be used for the first time by several threads at once."""

import json
import subprocess
import sys
from pathlib import Path

SCRIPT = """
import json, threading
import kinetree as kt
from kinetree.models.catalogue import model_entry
from kernel.usercode.machines import with_law

def law(t, x, xdot):
    return 1.0 - x

jobs = [lambda: model_entry("pendulum").build(), lambda: model_entry("four-bar").build(), lambda: with_law(law)] * 3
found, told = {}, []
begin = threading.Barrier(len(jobs))

def run(k):
    begin.wait()
    try:
        found[k] = kt.simulate(jobs[k](), 0.2, progress=False).y.tobytes().hex()
    except Exception as error:
        told.append(repr(error))

threads = [threading.Thread(target=run, args=(k,)) for k in range(len(jobs))]
[t.start() for t in threads]
[t.join() for t in threads]
serial = [kt.simulate(job(), 0.2, progress=False).y.tobytes().hex() for job in jobs[:3]]
print(json.dumps([told, [found.get(k) == serial[k % 3] for k in range(len(jobs))]]))
"""


def test_the_first_use_in_several_threads_equals_the_serial_one_bit_by_bit():
    run = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        cwd=Path(__file__).resolve().parents[2],
        capture_output=True,
        text=True,
    )
    told, equal = json.loads(run.stdout)
    assert told == [] and equal == [True] * 9, run.stderr

"""Run the quick benchmarks and keep their rows for the page of the performance.

    python benchmarks/record.py docs/evidence/performance.json

The file has the date, the processor, the versions of all programs, and the rows of each script. The
page and its plots are made from it. A script whose peers are not installed ends the run.
"""

import datetime
import json
import platform
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

SCRIPTS = ("closed_loops", "tree_dynamics", "stiff", "beams", "loop_gap")
PROGRAMS = ("kinetree", "exudyn", "mujoco", "pin", "scipy", "numpy")
HERE = Path(__file__).parent


def rows(script: str) -> list[dict]:
    """The rows of one script, numbers with three digits, lists left out."""
    command = [sys.executable, str(HERE / f"{script}.py"), "--quick", "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    found = json.loads(done.stdout[done.stdout.index("[") :])
    return [{k: _short(v) for k, v in row.items() if not isinstance(v, list)} for row in found]


def _short(value):
    return float(f"{value:.3g}") if isinstance(value, float) else value


def processor() -> str:
    """The name that the system gives, which `platform` does not know on Linux."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.partition(":")[2].strip() for line in lines if "model name" in line)
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def versions() -> dict[str, str]:
    """The versions of the programs that are installed."""
    found = {"python": platform.python_version()}
    for name in PROGRAMS:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


if __name__ == "__main__":
    record = {
        "date": datetime.date.today().isoformat(),
        "processor": processor(),
        "system": platform.system(),
        "versions": versions(),
        "rows": {script: rows(script) for script in SCRIPTS},
    }
    Path(sys.argv[1]).write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")

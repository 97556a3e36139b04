"""Run all benchmarks, one after the other; keep their rows in one file and show them on one page.

    python benchmarks/all.py                       results/benchmarks.json, results/benchmarks.html
    python benchmarks/all.py --json > all.json     the same, and all rows on standard output
    python benchmarks/all.py --quick --record docs/evidence/performance.json

The last line also repeats the file from which the page on performance in the documentation is made,
with fewer repetitions and smaller sizes. All files have the date, the processor, the versions of all
programs, and the rows of each script. A script whose peers are not installed ends with its error,
and the others go on. Files are written after each script; with --only, the rows of other scripts in
them are kept. Standard error shows which script runs.
"""

import argparse
import datetime
import json
import platform
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from common import told
from results_page import page

SCRIPTS = (
    *("closed_loops", "tree_dynamics", "stiff", "growth", "overhead", "beams", "vehicles"),
    *("contact", "glancing", "studies", "sensitivities", "choice", "loop_gap", "symbolic", "files"),
    "pages",
)
RECORDED = (
    *("closed_loops", "tree_dynamics", "stiff", "growth", "overhead", "beams", "vehicles"),
    "loop_gap",
)
PROGRAMS = ("kinetree", "exudyn", "mujoco", "pin", "scipy", "numpy")
MOST = {"growth": "300"}  # largest size of a quick run
HERE = Path(__file__).parent


def rows(script: str, quick: bool) -> list[dict]:
    """The rows of one script, numbers with three digits, lists left out."""
    command = [sys.executable, str(HERE / f"{script}.py"), "--json"]
    if quick:
        command += ["--quick", *(("--most", MOST[script]) if script in MOST else ())]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        told(f"{script}: ended with code {done.returncode}, no rows")
        return []
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


def measured(scripts: tuple[str, ...], quick: bool, before: dict) -> Iterator[dict]:
    """Everything that was measured so far, with the computer and the programs, after each script."""
    found: dict[str, list[dict]] = before.get("rows", {})
    began = time.monotonic()
    for n, script in enumerate(scripts, 1):
        told(f"[{n} of {len(scripts)}, {time.monotonic() - began:.0f} s] {script}.py")
        found[script] = rows(script, quick)
        yield {
            "date": datetime.date.today().isoformat(),
            "processor": processor(),
            "system": platform.system(),
            "versions": versions(),
            "rows": {name: found[name] for name in SCRIPTS if name in found},
        }


def text_of(record: dict) -> str:
    return json.dumps(record, indent=1) + "\n"


def write(record: dict, folder: Path, copy: Path | None) -> None:
    """Write the rows and the page, and a copy of the rows."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "benchmarks.json").write_text(text_of(record), encoding="utf-8")
    (folder / "benchmarks.html").write_text(page(record), encoding="utf-8")
    if copy:
        copy.write_text(text_of(record), encoding="utf-8")


def known_rows(asked: argparse.Namespace) -> dict:
    """The rows that --only keeps."""
    path = asked.record or asked.out / "benchmarks.json"
    return json.loads(path.read_text(encoding="utf-8")) if asked.only and path.exists() else {}


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few repetitions, smaller sizes")
    parser.add_argument("--only", nargs="*", help="only these scripts")
    parser.add_argument("--json", action="store_true", help="print all rows, too")
    parser.add_argument("--out", type=Path, default=Path("results"), help="folder of the results")
    parser.add_argument("--record", type=Path, help="write the rows of the documentation here")
    return parser.parse_args()


if __name__ == "__main__":
    asked = _arguments()
    chosen = RECORDED if asked.record else SCRIPTS
    record: dict = {}
    for record in measured(tuple(asked.only or chosen), asked.quick, known_rows(asked)):
        write(record, asked.out, asked.record)
    told(f"{asked.out / 'benchmarks.html'}")
    if asked.json:
        print(text_of(record), end="")

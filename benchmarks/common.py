"""What every benchmark shares: alternating best-of timing of CPU seconds in one process, and tables
or JSON.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable
from math import inf

QUICK = 3  # repetitions of a quick run
LONG_ENOUGH = 5e-3  # s of one turn


def cpu_seconds(run: Callable[[], object], calls: int = 1) -> float:
    """CPU time of one call, or the mean of several: on a busy machine the clock on the wall favours
    whoever is short.
    """
    began = time.process_time()
    for _ in range(calls):
        run()
    return (time.process_time() - began) / calls


def best_of(candidates: dict, repetitions: int, seconds: float = inf) -> dict:
    """Fewest CPU seconds per candidate, taken alternately so that a busy machine troubles all
    alike.

    What is shorter than LONG_ENOUGH is called so many times in a row that its turn takes as long,
    or else whoever came before would be measured, too, by what it has left in the caches. A
    candidate that has used up its seconds is not run again.
    """
    best, spent = (
        {name: cpu_seconds(run) for name, run in candidates.items()},
        dict.fromkeys(candidates, 0.0),
    )
    calls = {name: max(1, round(LONG_ENOUGH / max(taken, 1e-6))) for name, taken in best.items()}
    for _ in range(repetitions):
        for name, run in candidates.items():
            if spent[name] < seconds:
                taken = cpu_seconds(run, calls[name])
                best[name], spent[name] = min(best[name], taken), spent[name] + calls[name] * taken
    return best


def told(text: str) -> None:
    """How far it is, for whoever waits; beside the table, which goes to stdout."""
    print(text, file=sys.stderr, flush=True)


def arguments(description: str, repeat: int = 15) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--json", action="store_true", help="print nothing but a JSON list of rows")
    parser.add_argument("--repeat", type=int, default=repeat, help="repetitions; the best counts")
    parser.add_argument("--only", "--case", nargs="*", help="only the cases of these names")
    parser.add_argument("--most", type=int, help="leave out larger sizes")
    parser.add_argument(
        "--quick",
        action="store_true",
        help=f"at most {QUICK} repetitions, and what is optional left out",
    )
    given = parser.parse_args()
    given.repeat = min(given.repeat, QUICK) if given.quick else given.repeat
    return given


def show(rows: list[dict], as_json: bool, note: str) -> None:
    """The rows as JSON, or as a table with a note on how to read it."""
    if as_json:
        print(json.dumps(rows, indent=1))
        return
    names = list(rows[0])
    cells = [names] + [[_cell(row[name]) for name in names] for row in rows]
    widths = [max(len(line[k]) for line in cells) for k in range(len(names))]
    for line in cells:
        print("  ".join(cell.rjust(width) for cell, width in zip(line, widths)))
    print(note)


def _cell(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.3g}" if isinstance(value, float) else str(value)

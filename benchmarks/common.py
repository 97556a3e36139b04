"""What every benchmark shares: alternating best-of timing in one process, and tables or JSON."""

import argparse
import json
import time
from collections.abc import Callable


def best_of(candidates: dict[str, Callable[[], object]], repetitions: int) -> dict[str, float]:
    """Shortest seconds per candidate, taken alternately so that a busy machine troubles all alike."""
    best = dict.fromkeys(candidates, float("inf"))
    for _ in range(repetitions):
        for name, run in candidates.items():
            began = time.perf_counter()
            run()
            best[name] = min(best[name], time.perf_counter() - began)
    return best


def arguments(description: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--json", action="store_true", help="print nothing but a JSON list of rows")
    parser.add_argument("--repeat", type=int, default=15, help="repetitions; the best counts")
    return parser.parse_args()


def show(rows: list[dict], as_json: bool, note: str) -> None:
    """The rows as JSON, or as a table with a note on how to read it."""
    if as_json:
        print(json.dumps(rows, indent=1))
        return
    names = list(rows[0])
    cells = [names] + [[f"{v:.3g}" if isinstance(v, float) else str(v) for v in row.values()] for row in rows]
    widths = [max(len(line[k]) for line in cells) for k in range(len(names))]
    for line in cells:
        print("  ".join(cell.rjust(width) for cell, width in zip(line, widths)))
    print(note)

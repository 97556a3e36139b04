"""The table of a study in words."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from ...errors import counted

if TYPE_CHECKING:
    from ..result import StudyResult

REASONS = 4  # that are listed


def printed(table: StudyResult) -> str:
    """A summary: cases, outputs, failures, and how the cases were made."""
    study, status = table.study, table.status
    head = f"Study of {study._source.what}, {study.space}."
    lines = [
        head,
        f"  {counted(table.done, 'case', 'cases')} of {len(table)} done{_others(status)}.",
    ]
    if table.interrupted:
        lines.append("  It was interrupted; run it again with the same store= to continue.")
    for name in table.scalars():
        known = table[name]
        known = known[np.isfinite(known)]
        if len(known):
            lines.append(
                f"  {name}: {known.min():.6g} to {known.max():.6g}, mean {known.mean():.6g}, "
                f"standard deviation {known.std(ddof=1) if len(known) > 1 else 0.0:.3g}"
            )
    for name in table.outputs:
        if name not in table.scalars():
            lines.append(f"  {name}: array of shape {table._of('shapes')[name]} for each case")
    lines += _failures(table)
    moved = sum(map(bool, table.moved))
    if moved:
        first = next(text for text in table.moved if text)
        lines.append(
            f"  {counted(moved, 'case starts', 'cases start')} elsewhere than given: {first}"
        )
    lines += _ways(table)
    return "\n".join(lines)


def _others(status: np.ndarray) -> str:
    found = Counter(map(str, status[status != "done"]))
    return "".join(f", {count} {name}" for name, count in found.items())


def _failures(table: StudyResult) -> list[str]:
    status, reasons = table.status, table.reasons
    found = Counter((str(s), _kind(r)) for s, r in zip(status, reasons) if r)
    lines = []
    keys = [(str(one), _kind(reason)) for one, reason in zip(status, reasons)]
    for key, count in found.most_common(REASONS):
        k = keys.index(key)
        cases = counted(count, "case", "cases")
        lines.append(f"  {cases} {key[0]}, such as case {k}: {reasons[k]}")
    return lines


def _kind(reason: str) -> str:
    """A reason without its numbers."""
    return "".join(letter for letter in reason if not letter.isdigit() and letter not in ".e-+")


def _ways(table: StudyResult) -> list[str]:
    """What was not patched, and why."""
    job = table.study._job
    finder = None if job is None else job._finder
    ways = table.ways[table.status != "not run"]
    general = int((ways == "general").sum())
    if finder is None or not general or table.study.until is None:
        return []
    if finder.obstacle:
        return [f"  All cases were simulated one by one, because {finder.obstacle}."]
    return [f"  {counted(general, 'case was', 'cases were')} simulated one by one."]

"""Progress of a study: cases done, failed, rate and time left."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from .parts import Part


@contextmanager
def progress_of(cases: int, wanted: bool | None) -> Iterator[Callable[[Part], None]]:
    """Yield a function that is called with every part; the bar appears only if the study takes more
    than a second.
    """
    if wanted is False or not cases or (wanted is None and not sys.stderr.isatty()):
        yield lambda part: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    bar = Progress(
        MofNCompleteColumn(),
        TextColumn("cases"),
        BarColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[failed]}"),
        console=Console(stderr=True),
    )
    began, task = time.perf_counter(), bar.add_task("study", total=cases, rate="", failed="")
    done, failed = 0, 0

    def show(part: Part) -> None:
        nonlocal done, failed
        ran = part.status != 1
        done, failed = done + int(ran.sum()), failed + int((part.status[ran] != 0).sum())
        seconds = time.perf_counter() - began
        if seconds > 1.0 or wanted:
            bar.start()
        told = f"{failed} failed" if failed else ""
        bar.update(task, completed=done, rate=f"{done / max(seconds, 1e-9):.0f}/s", failed=told)

    try:
        yield show
    finally:
        bar.stop()

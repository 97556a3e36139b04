"""A progress bar for runs that take more than a second."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def progress_bar(until: float, wanted: bool | None) -> Iterator[Callable[[float], None]]:
    """Yield a function to call with the time reached; the bar appears after one second."""
    if wanted is False or (wanted is None and not sys.stderr.isatty()):
        yield lambda t: None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    started = time.perf_counter()
    bar = Progress(
        TextColumn("t = {task.completed:.4g} of {task.total:.4g} s"),
        BarColumn(),
        TimeRemainingColumn(),
        transient=True,
    )
    task = bar.add_task("run", total=until)

    def show(t: float) -> None:
        if time.perf_counter() - started > 1.0:
            bar.start()
            bar.update(task, completed=t)

    try:
        yield show
    finally:
        bar.stop()

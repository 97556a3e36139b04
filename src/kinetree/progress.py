"""A progress bar for runs over a second, and a word when kernels are compiled for the first time."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from .num.jit import CACHE

SECONDS_TO_COMPILE = 90


@contextmanager
def compiling_notice(parts: tuple[str, ...]) -> Iterator[None]:
    """Say once per machine and pair of methods that kernels are being compiled, and about how long it takes."""
    mark = CACHE / ("ready-" + "-".join(parts)) if CACHE is not None else None
    new = mark if mark is not None and not mark.exists() else None
    if new is not None:
        print(f"Compiling {' and '.join(parts)} for this machine: once, about {SECONDS_TO_COMPILE} s. "
              "Later runs start from the cache.", file=sys.stderr, flush=True)
    yield
    if new is not None:
        with suppress(OSError):  # a full disk is no reason to lose the run
            new.touch()


@contextmanager
def progress_bar(until: float, wanted: bool | None) -> Iterator[Callable[[float], None]]:
    """Gives a function of the time reached; a bar appears only if the run lasts over a second."""
    if wanted is False or (wanted is None and not sys.stderr.isatty()):
        yield lambda t: None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    started = time.perf_counter()
    bar = Progress(TextColumn("t = {task.completed:.4g} of {task.total:.4g} s"), BarColumn(), TimeRemainingColumn(),
                   transient=True)
    task = bar.add_task("run", total=until)

    def show(t: float) -> None:
        if time.perf_counter() - started > 1.0:
            bar.start()
            bar.update(task, completed=t)

    try:
        yield show
    finally:
        bar.stop()

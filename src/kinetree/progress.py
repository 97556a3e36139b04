"""A progress bar for runs over a second, and a word when kernels are compiled for the first time."""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from .num.internals import compiling


def say_compiling(what: str, seconds: int) -> None:
    """A word that kernels are being compiled, and about how long it takes; on a terminal, which one it is now."""
    print(f"Compiling {what} for this machine: once, about {seconds} s. Later runs start from the cache.",
          file=sys.stderr, flush=True)
    if sys.stderr.isatty() and not compiling:
        count = itertools.count(1)
        compiling.append(lambda name: print(f"\r\033[K  {next(count)} {name}", end="\r", file=sys.stderr, flush=True))


def compiling_is_over() -> None:
    if compiling:
        compiling.clear()
        print("\r\033[K", end="", file=sys.stderr, flush=True)


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

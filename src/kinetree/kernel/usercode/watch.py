"""Watching over user code while kernels call it: what it raises belongs to one run, and Ctrl-C gets
out of it.

A kernel cannot let an exception pass. Plain Python code called from one is therefore guarded: what
it raises is kept in the `ErrorCapture` of the run, and the kernel is told that there is no value. After a
KeyboardInterrupt, a SystemExit or anything else that is not an error, the user's code is not called
again, so that the run ends at once.

Plain Python code runs in the thread of the caller, where Ctrl-C reaches it. Machine code cannot be
reached there: where compiled user code has loops, so that it may never return, the main thread lets
another one compute and waits (`aside.py`).
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial

from .capture import ErrorCapture, watching
from .holding import reaching
from .registry import user_code
from .worker_thread import Aside, LeftBehind


class Watched:
    """Calls kernels that may call user code; `watch` has what that raised, `watch.stop` what asked
    to end it all.
    """

    def __init__(self, tables, work) -> None:
        codes = list(user_code(tables))
        main = bool(codes) and threading.current_thread() is threading.main_thread()
        self.watch, self._report, self._lost, self._alone = (
            ErrorCapture(),
            work.report,
            False,
            not codes,
        )
        self._aside = Aside.take() if main and any(code.may_not_return for code in codes) else None
        self._guarded = main and self._aside is None and not all(code.native for code in codes)

    def __enter__(self) -> Watched:
        return self

    def __exit__(self, *_) -> None:
        if self._aside is not None and not self._lost:
            self._aside.give_back()

    def __call__(self, kernel: Callable, *arguments):
        if self._aside is not None:
            try:
                with reaching():
                    return self._aside(lambda: kernel(*arguments), self.watch, self._ask_to_stop)
            except LeftBehind:
                self._lost = True
                raise
        if self._alone:
            return kernel(*arguments)
        if not self._guarded:
            with watching(self.watch):
                return kernel(*arguments)
        with reaching(lambda direct: partial(self.watch.signalled, direct)), watching(self.watch):
            return kernel(*arguments)

    def _ask_to_stop(self) -> None:
        self._report["stop"] = 1


def attended(kernel: Callable, tables, work, *arguments):
    """kernel(tables, work, *arguments), out of which Ctrl-C and whatever else is no error reach the
    caller.
    """
    with Watched(tables, work) as watched:
        try:
            value = watched(kernel, tables, work, *arguments)
        except LeftBehind as left:
            raise watched.watch.stop or left from None
    if watched.watch.stop is not None:
        raise watched.watch.stop
    return value

"""Ctrl-C and SIGTERM while a run is computed, completed and written: no result is lost.

Python raises at whatever instruction a signal arrives. While signals are deferred, the first one is
only stored: the time loop ends at its next chunk, and what was computed is completed and written. A
second one ends the completion and the writing, too; from the third on signals are raised as usual.
SIGTERM becomes SystemExit(143) unless the program has a handler of its own.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

_DEFERRED = (signal.SIGINT, signal.SIGTERM)
TERMINATED = 128 + signal.SIGTERM


class DeferredSignals:
    """A signal handler that stores what arrives while it is engaged."""

    def __init__(self) -> None:
        self.exception: BaseException | None = None  # what the first signal would have raised
        self.count, self.engaged, self.writing = 0, False, False
        self.before: dict[int, Any] = {}

    def __call__(self, number: int, frame: Any) -> None:
        if not self.engaged:
            self.direct(number, frame)
            return
        try:
            self.direct(number, frame)
        except BaseException as reason:
            self.exception = self.exception or reason.with_traceback(None)
            self.count += 1
            if self.count > 2 or (self.writing and self.count == 2):
                raise

    def direct(self, number: int, frame: Any) -> None:
        """Handle a signal as if it were not deferred."""
        handler = self.before.get(number)
        if callable(handler):
            handler(number, frame)
        elif number == signal.SIGTERM:
            raise SystemExit(TERMINATED)

    @property
    def repeated(self) -> bool:
        return self.count > 1


@contextmanager
def deferred() -> Iterator[tuple[DeferredSignals, bool]]:
    """Defer signals from here on; yields also whether this block is the outermost one that does.

    Only the main thread receives signals.
    """
    outer = (
        signal.getsignal(signal.SIGINT)
        if threading.current_thread() is threading.main_thread()
        else None
    )
    if isinstance(outer, DeferredSignals):
        outer.engaged = True
        yield outer, False
        return
    with deferrable() as own:
        own.engaged = True
        yield own, True


@contextmanager
def deferrable() -> Iterator[DeferredSignals]:
    """Defer signals from the first `deferred` within this block to the end of the block."""
    own = DeferredSignals()
    main = threading.current_thread() is threading.main_thread()
    try:
        for number in _DEFERRED if main else ():
            handler = signal.getsignal(number)
            if callable(handler) or (number == signal.SIGTERM and handler == signal.SIG_DFL):
                own.before[number] = handler
                signal.signal(number, own)
        yield own
    finally:
        for deferred_number, before in own.before.items():
            signal.signal(deferred_number, before)


@contextmanager
def signals_at_once(
    handler_of: Callable[[Callable], Callable] = lambda direct: direct,
) -> Iterator[None]:
    """Handle deferred signals at once within this block.

    The handler is `handler_of(direct)`, where `direct` handles a signal as if it were not deferred.
    """
    found = [
        (number, handler)
        for number in _DEFERRED
        if isinstance(handler := signal.getsignal(number), DeferredSignals)
        or (number == signal.SIGINT and callable(handler))
    ]
    try:
        for number, handler in found:
            signal.signal(number, handler_of(getattr(handler, "direct", handler)))
        yield
    finally:
        for number, handler in found:
            signal.signal(number, handler)

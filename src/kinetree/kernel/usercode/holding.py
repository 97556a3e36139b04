"""Ctrl-C and SIGTERM while a run is computed, completed and written: nothing of it is lost.

Python raises at whatever instruction a signal arrives. While signals are held, the first one is
only remembered: the time loop ends at its next chunk, and what was computed is completed and
written. A second one ends the completion and the writing, too; from the third on they are raised as
ever. SIGTERM becomes SystemExit(143) where nobody else handles it.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

_HELD = (signal.SIGINT, signal.SIGTERM)
TERMINATED = 128 + signal.SIGTERM


class Holding:
    """What came while signals were held; a handler of signals."""

    def __init__(self) -> None:
        self.asked: BaseException | None = None  # what the first signal would have raised
        self.count, self.engaged, self.writing = 0, False, False
        self.before: dict[int, Any] = {}

    def __call__(self, number: int, frame: Any) -> None:
        if not self.engaged:
            self.direct(number, frame)
            return
        try:
            self.direct(number, frame)
        except BaseException as reason:
            self.asked, self.count = self.asked or reason.with_traceback(None), self.count + 1
            if self.count > 2 or (self.writing and self.count == 2):
                raise

    def direct(self, number: int, frame: Any) -> None:
        """What would be done without holding."""
        handler = self.before.get(number)
        if callable(handler):
            handler(number, frame)
        elif number == signal.SIGTERM:
            raise SystemExit(TERMINATED)

    @property
    def insisted(self) -> bool:
        return self.count > 1


@contextmanager
def held() -> Iterator[tuple[Holding, bool]]:
    """Signals held from here on, and whether nobody further out does so already; only the main
    thread gets any.
    """
    outer = (
        signal.getsignal(signal.SIGINT)
        if threading.current_thread() is threading.main_thread()
        else None
    )
    if isinstance(outer, Holding):
        outer.engaged = True
        yield outer, False
        return
    with holding() as own:
        own.engaged = True
        yield own, True


@contextmanager
def holding() -> Iterator[Holding]:
    """Signals are held from the first `held` within this block to its end."""
    own = Holding()
    main = threading.current_thread() is threading.main_thread()
    try:
        for number in _HELD if main else ():
            handler = signal.getsignal(number)
            if callable(handler) or (number == signal.SIGTERM and handler == signal.SIG_DFL):
                own.before[number] = handler
                signal.signal(number, own)
        yield own
    finally:
        for held_one, before in own.before.items():
            signal.signal(held_one, before)


@contextmanager
def reaching(how: Callable[[Callable], Callable] = lambda direct: direct) -> Iterator[None]:
    """Signals that are held are raised at once within this block, by `how` made of what would be
    done without holding.
    """
    found = [
        (number, handler)
        for number in _HELD
        if isinstance(handler := signal.getsignal(number), Holding)
        or (number == signal.SIGINT and callable(handler))
    ]
    try:
        for number, handler in found:
            signal.signal(number, how(getattr(handler, "direct", handler)))
        yield
    finally:
        for number, handler in found:
            signal.signal(number, handler)

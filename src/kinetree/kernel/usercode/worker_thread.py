"""Computing in another thread while the main thread waits, so that Ctrl-C always reaches it.

Python delivers Ctrl-C between two of its instructions in the main thread, never into machine code.
If the computation does not return within a second of Ctrl-C, or at a second one, it is left behind:
an endless loop in compiled user code goes on until the process ends, but the user is out of it.
"""

from __future__ import annotations

import ctypes
import queue
import threading
from collections.abc import Callable
from typing import Any

from .capture import ErrorCapture, watching

GRACE = 1.0  # s between Ctrl-C and leaving a computation behind


class LeftBehind(Exception):
    """A computation that did not return after Ctrl-C."""


_waiting: list[Aside] = []  # for the next run: to begin a thread takes longer than to wake one


class Aside(threading.Thread):
    """One thread for computations, one after the other."""

    def __init__(self) -> None:
        super().__init__(name="kinetree", daemon=True)
        self._calls: queue.SimpleQueue = queue.SimpleQueue()
        self._answers: queue.SimpleQueue = queue.SimpleQueue()
        self.start()

    @classmethod
    def take(cls) -> Aside:
        """One that waits, or a new one; those of a process that has forked are gone."""
        while _waiting:
            if (thread := _waiting.pop()).is_alive():
                return thread
        return cls()

    def give_back(self) -> None:
        _waiting.append(self)

    def run(self) -> None:
        while True:
            call, watch = self._calls.get()
            try:
                with watching(watch):
                    answer: tuple[Any, BaseException | None] = call(), None
            except BaseException as reason:
                answer = None, reason
            self._answers.put(answer)
            del call, watch, answer  # nothing of a run is kept until the next

    def __call__(self, call: Callable, watch: ErrorCapture, ask_to_stop: Callable[[], object]):
        """The value of call(). At Ctrl-C it is asked to stop, and left behind if it does not."""
        self._calls.put((call, watch))
        try:
            value, reason = self._answer(None)
        except BaseException as interrupt:
            value, reason = self._after(interrupt, watch, ask_to_stop)
        if reason is not None:
            raise reason
        return value

    def _answer(self, seconds: float | None):
        """Waits in turns, so that Ctrl-C is noticed on every system."""
        while True:
            try:
                return self._answers.get(timeout=0.2 if seconds is None else seconds)
            except queue.Empty:
                if seconds is not None:
                    raise

    def _after(
        self, interrupt: BaseException, watch: ErrorCapture, ask_to_stop: Callable[[], object]
    ):
        watch.stop = interrupt
        ask_to_stop()
        if (
            watch.inside and self.ident is not None
        ):  # in plain Python code of the user, which can be called back
            ctypes.pythonapi.PyThreadState_SetAsyncExc(
                ctypes.c_ulong(self.ident), ctypes.py_object(type(interrupt))
            )
        try:
            return self._answer(GRACE)
        except BaseException:
            raise LeftBehind from None

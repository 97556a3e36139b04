"""Calls of kernels that may call user code, out of which Ctrl-C always returns.

A kernel cannot pass an exception on. Plain Python code that a kernel calls is therefore wrapped
(`capture.py`): the `ErrorCapture` of the run stores what it raises, and the kernel receives no
value. After a KeyboardInterrupt, a SystemExit or any other exception that is not an error, the user
code is not called again, so that the run ends at once.

Plain Python code runs in the thread of the caller, where Ctrl-C reaches it. Python never delivers
Ctrl-C into machine code: where compiled user code has loops, so that it may never return, a worker
thread computes and the main thread waits. If the computation does not return within a second of
Ctrl-C, or at a second Ctrl-C, it is abandoned: an endless loop in compiled user code then runs
until the process ends, but the user has the prompt back.
"""

from __future__ import annotations

import ctypes
import queue
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

from .capture import ErrorCapture, capturing
from .registry import Code, user_code
from .signals import signals_at_once

GRACE = 1.0  # s between Ctrl-C and abandoning a computation


class Abandoned(Exception):
    """A computation did not return after Ctrl-C."""


_idle: list[WorkerThread] = []  # for the next run: starting a thread takes longer than waking one


class WorkerThread(threading.Thread):
    """A thread that runs one computation after the other."""

    def __init__(self) -> None:
        super().__init__(name="kinetree", daemon=True)
        self._calls: queue.SimpleQueue = queue.SimpleQueue()
        self._results: queue.SimpleQueue = queue.SimpleQueue()
        self.start()

    @classmethod
    def acquire(cls) -> WorkerThread:
        """An idle thread, or a new one; the threads of a process that has forked are gone."""
        while _idle:
            if (thread := _idle.pop()).is_alive():
                return thread
        return cls()

    def release(self) -> None:
        _idle.append(self)

    def run(self) -> None:
        while True:
            call, errors = self._calls.get()
            try:
                with capturing(errors):
                    result: tuple[Any, BaseException | None] = call(), None
            except BaseException as reason:
                result = None, reason
            self._results.put(result)
            del call, errors, result  # nothing of a run stays alive until the next

    def __call__(self, call: Callable, errors: ErrorCapture, request_stop: Callable[[], object]):
        """The value of call(). At Ctrl-C, request a stop, and abandon the call if it goes on."""
        self._calls.put((call, errors))
        try:
            value, reason = self._result(None)
        except BaseException as interrupt:
            value, reason = self._result_after(interrupt, errors, request_stop)
        if reason is not None:
            raise reason
        return value

    def _result(self, seconds: float | None):
        """Wait for the result, in short intervals so that Ctrl-C is noticed on every system."""
        while True:
            try:
                return self._results.get(timeout=0.2 if seconds is None else seconds)
            except queue.Empty:
                if seconds is not None:
                    raise

    def _result_after(
        self, interrupt: BaseException, errors: ErrorCapture, request_stop: Callable[[], object]
    ):
        errors.stop = interrupt
        request_stop()
        if errors.inside and self.ident is not None:  # plain Python code, which can be interrupted
            ctypes.pythonapi.PyThreadState_SetAsyncExc(
                ctypes.c_ulong(self.ident), ctypes.py_object(type(interrupt))
            )
        try:
            return self._result(GRACE)
        except BaseException:
            raise Abandoned from None


class InterruptibleCalls:
    """Calls kernels that may call user code.

    `errors` has what the user code raised, and `errors.stop` the exception that ends the run.
    """

    def __init__(self, codes: list[Code], work) -> None:
        main = bool(codes) and threading.current_thread() is threading.main_thread()
        self.errors, self._report = ErrorCapture(), work.report
        self._abandoned, self._no_user_code = False, not codes
        endless = main and any(code.may_not_return for code in codes)
        self._thread = WorkerThread.acquire() if endless else None
        self._guarded = main and self._thread is None and not all(code.native for code in codes)

    def __enter__(self) -> InterruptibleCalls:
        return self

    def __exit__(self, *_) -> None:
        if self._thread is not None and not self._abandoned:
            self._thread.release()

    def __call__(self, kernel: Callable, *arguments):
        if self._thread is not None:
            try:
                with signals_at_once():
                    return self._thread(lambda: kernel(*arguments), self.errors, self._request_stop)
            except Abandoned:
                self._abandoned = True
                raise
        if self._no_user_code:
            return kernel(*arguments)
        if not self._guarded:
            with capturing(self.errors):
                return kernel(*arguments)
        with signals_at_once(self._inside_user_code), capturing(self.errors):
            return kernel(*arguments)

    def _inside_user_code(self, handler: Callable) -> Callable:
        """The handler of a signal, which may raise inside user code only."""
        return partial(self.errors.handle_signal, handler)

    def _request_stop(self) -> None:
        self._report["stop"] = 1


def call_interruptible(kernel: Callable, tables, work, *arguments):
    """kernel(tables, work, *arguments); raises Ctrl-C and other exceptions that end the run."""
    with InterruptibleCalls(list(user_code(tables)), work) as calls:
        try:
            value = calls(kernel, tables, work, *arguments)
        except Abandoned as abandoned:
            raise calls.errors.stop or abandoned from None
    if calls.errors.stop is not None:
        raise calls.errors.stop
    return value

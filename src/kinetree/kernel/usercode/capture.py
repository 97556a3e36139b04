"""The guard around plain Python code that kernels call: nothing it raises is lost, and nothing
passes through a kernel.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps

from ...errors import KinetreeError, SimulationError
from .checks import raised

_SAME_TIME = (
    1e-3  # s; differences of a time function reach 1e-4 to both sides, unless it says otherwise
)
_thread = threading.local()


class ErrorCapture:
    """What user code did during one run."""

    def __init__(self) -> None:
        self.raised: list[
            tuple[float, str]
        ] = []  # the latest errors in words, with the times they were called for
        self.stop: BaseException | None = None  # what asked to end the run
        self.inside = False  # is Python code of the user at work?

    def keep(self, t: float, reason: BaseException) -> None:
        """In words only: the frames of the user's code hold arrays whose memory ends with the run."""
        if isinstance(reason, Exception):
            self.raised = [*self.raised[-9:], (t, raised(reason))]
        else:
            self.stop = reason.with_traceback(None)

    def at(self, t: float) -> str | None:
        """What was raised last by a call for this time."""
        return next(
            (reason for when, reason in reversed(self.raised) if abs(when - t) <= _SAME_TIME), None
        )

    def signalled(self, handler: Callable, *about) -> None:
        """Ctrl-C: out of the user's code if that is at work; on the way between kernel and user
        code nothing is raised.
        """
        try:
            handler(*about)
        except BaseException as reason:
            if self.inside:
                raise
            self.stop = reason


@contextmanager
def watching(watch: ErrorCapture) -> Iterator[ErrorCapture]:
    """User code called by this thread is watched by `watch`."""
    before, _thread.watch = getattr(_thread, "watch", None), watch
    try:
        yield watch
    finally:
        _thread.watch = before


def guarded(t: float, call: Callable, bad):
    """call(), or `bad` if it raises or the run is to end."""
    watch = getattr(_thread, "watch", None) or ErrorCapture()
    if watch.stop is not None:
        return bad
    try:
        watch.inside = True
        value = call()
        watch.inside = False
        return value
    except BaseException as reason:
        watch.inside = False
        watch.keep(t, reason)
        return bad


def attending(function: Callable) -> Callable:
    """A function of Python that asks user code: what that raised is told with the error that came
    of it.
    """

    @wraps(function)
    def attended(*arguments, **options):
        with watching(ErrorCapture()) as watch:
            try:
                value = function(*arguments, **options)
            except (KinetreeError, ArithmeticError, ValueError) as error:
                if watch.stop is None and watch.raised:
                    t, reason = watch.raised[-1]
                    said = f"user code raised {reason} for t = {t:.6g} s"
                    raise SimulationError(
                        f"{said}. {error}", t, getattr(error, "element", None)
                    ) from error
                if watch.stop is None:
                    raise
        if watch.stop is not None:
            raise watch.stop
        return value

    return attended

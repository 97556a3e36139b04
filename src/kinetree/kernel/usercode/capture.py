"""Capture of the exceptions that user code raises while a kernel calls it.

No exception passes through a kernel: the wrapper around the user code stores it and returns a value
that the kernel recognizes as missing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps

from ...errors import KinetreeError, SimulationError
from .checks import raised

# s; finite differences of a time function reach 1e-4 to both sides, unless it declares another step
_SAME_TIME = 1e-3
_thread = threading.local()


class ErrorCapture:
    """Exceptions of user code during one run."""

    def __init__(self) -> None:
        # the latest errors as text, with the times of their calls
        self.raised: list[tuple[float, str]] = []
        self.stop: BaseException | None = None  # the exception that ends the run
        self.inside = False  # is Python code of the user running?

    def store(self, t: float, reason: BaseException) -> None:
        """Store an error as text: the frames of the user's code refer to memory of the run."""
        if isinstance(reason, Exception):
            self.raised = [*self.raised[-9:], (t, raised(reason))]
        else:
            self.stop = reason.with_traceback(None)

    def at(self, t: float) -> str | None:
        """The latest error of a call for this time."""
        return next(
            (reason for when, reason in reversed(self.raised) if abs(when - t) <= _SAME_TIME), None
        )

    def handle_signal(self, handler: Callable, *about) -> None:
        """Raise Ctrl-C inside the user's code; store it between the kernel and the user's code."""
        try:
            handler(*about)
        except BaseException as reason:
            if self.inside:
                raise
            self.stop = reason


@contextmanager
def capturing(errors: ErrorCapture) -> Iterator[ErrorCapture]:
    """Store the exceptions of user code that this thread calls in `errors`."""
    before, _thread.errors = getattr(_thread, "errors", None), errors
    try:
        yield errors
    finally:
        _thread.errors = before


def captured(t: float, call: Callable, bad):
    """call(), or `bad` if it raises an exception or the run is to end."""
    errors = getattr(_thread, "errors", None) or ErrorCapture()
    if errors.stop is not None:
        return bad
    try:
        errors.inside = True
        value = call()
        errors.inside = False
        return value
    except BaseException as reason:
        errors.inside = False
        errors.store(t, reason)
        return bad


def with_user_errors(function: Callable) -> Callable:
    """Decorate a function that calls user code: its errors name what the user code raised."""

    @wraps(function)
    def decorated(*arguments, **options):
        with capturing(ErrorCapture()) as errors:
            try:
                value = function(*arguments, **options)
            except (KinetreeError, ArithmeticError, ValueError) as error:
                if errors.stop is None and errors.raised:
                    t, reason = errors.raised[-1]
                    cause = f"user code raised {reason} for t = {t:.6g} s"
                    raise SimulationError(
                        f"{cause}. {error}", t, getattr(error, "element", None)
                    ) from error
                if errors.stop is None:
                    raise
        if errors.stop is not None:
            raise errors.stop
        return value

    return decorated

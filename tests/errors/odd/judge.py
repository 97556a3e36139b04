"""What a call with an odd argument may end in.

accepted   it returns
refused    a KinetreeError, or a TypeError, ValueError, KeyError or AttributeError of our own: the
           innermost frame of the
           traceback is in the package, and the line that raised is a `raise` statement
raw        anything else, among them every warning
"""

from __future__ import annotations

import linecache
import os
import warnings
from collections.abc import Callable
from pathlib import Path

import kinetree as kt
from kinetree.kernel.usercode.registry import SlowCallback

PACKAGE = str(Path(kt.__file__).parent) + os.sep
OUR_WORDS = (TypeError, ValueError, KeyError, AttributeError)


def judged(call: Callable) -> tuple[str, str]:
    """The verdict, and a line about it."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter(
            "ignore", SlowCallback
        )  # a callable that cannot be compiled: said on purpose
        try:
            call()
        except Exception as error:
            file, line = _raised_at(error)
            where = f"{os.path.relpath(file, PACKAGE)}:{line}"
            said = linecache.getline(file, line).strip().startswith("raise")
            if (
                file.startswith(PACKAGE)
                and said
                and isinstance(error, (kt.KinetreeError, *OUR_WORDS))
                and _text(error)
            ):
                return "refused", _text(error)
            return "raw", f"{type(error).__name__} at {where}: {_text(error)[:150]}"
    return "accepted", ""


def _raised_at(error: BaseException) -> tuple[str, int]:
    trace = error.__traceback__
    assert trace is not None
    while trace.tb_next is not None:
        trace = trace.tb_next
    return trace.tb_frame.f_code.co_filename, trace.tb_lineno


def _text(error: BaseException) -> str:
    return " ".join(str(error).split())

"""What differs where the suite runs without the compiler (KINETREE_PLAIN=1): all code is plain
Python then, and no news.
"""

from contextlib import AbstractContextManager, nullcontext

import pytest

from kinetree.kernel.decorators import JIT
from kinetree.kernel.usercode.registry import SlowCallback

try:
    from numba import njit
except (
    ImportError
):  # it is not needed; where it is installed, functions that it decorated are taken as well

    def njit(function):
        return function


def said_to_be_plain(match: str | None = None) -> AbstractContextManager:
    """User code that does not compile is said to run as plain Python; without the compiler there is
    nothing to say.
    """
    return pytest.warns(SlowCallback, match=match) if JIT else nullcontext()

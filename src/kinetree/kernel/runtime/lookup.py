"""Source of the kernels: the library that was built with the package, or compilation on demand."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Protocol

from ..language import Function
from ..types import Signature, Type
from .entry import entry
from .targets import LibraryError, Target

COMPILING = threading.RLock()  # one thread compiles at a time


class Source(Protocol):
    """A source of kernels."""

    target: Target  # the family of processors of its code

    def find(self, function: Function, args: tuple[Type, ...]) -> tuple[int, Signature]:
        """Address and signature of a kernel for these types of arguments."""


class Engine:
    """Finds kernels in a source, and makes them callable from Python."""

    def __init__(self, source: Source) -> None:
        self.source = source

    @property
    def target(self) -> Target:
        """The family of processors for code that is linked with the kernels."""
        return self.source.target

    def find(self, function: Function, args: tuple[Type, ...]) -> tuple[int, Signature]:
        return self.source.find(function, args)

    def entry(self, function: Function, args: tuple[Type, ...]) -> Callable:
        return entry(function.name, *self.find(function, args))


_used: list[Engine] = []


def engine() -> Engine:
    """The engine of this process."""
    with COMPILING:
        if not _used:
            use(_best())
        return _used[0]


def use(source: Source) -> None:
    """Take kernels from this source from now on."""
    _used[:] = [Engine(source)]


def _best() -> Source:
    from .library import built_library

    library = built_library()
    if library is not None:
        return library
    try:
        from .on_demand import OnDemand
    except ImportError as reason:
        raise LibraryError(
            "this installation has no library of kernels, and llvmlite, which compiles them, "
            f"cannot be loaded ({reason}): pip install llvmlite, or use plain Python with "
            "KINETREE_PLAIN=1."
        ) from None
    return OnDemand()

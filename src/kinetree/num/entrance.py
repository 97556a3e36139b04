"""Kernels that Python calls by their address, with nothing but functions and blocks to hand over: 1 us instead of 30.

Numba's own door asks for the type of every argument and, for each function, calls back into Python. Here the words are found
once. A block is one word, its address. A value of a function type is three: where its C entry is, and two that compiled code
reads only of functions that come from Numba's door. A structure handed over by value is its words one after the other.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import partial
from typing import Any

from .block import Block
from .jit import JIT, Pointer, compiled
from .private import Dispatcher


class Entrance:
    """A kernel compiled for one signature, with the first of its arguments; it answers with a whole number."""

    def __init__(self, function: Dispatcher, signature, *first: Any) -> None:
        result = compiled(function, signature).overloads[signature.args]
        address = result.library.get_pointer_to_function(result.fndesc.llvm_cfunc_wrapper_name)
        kinds = [ctypes.c_void_p for kind in signature.args for _ in range(1 if hasattr(kind, "fields") else 3)]
        self._call = ctypes.CFUNCTYPE(ctypes.c_int64, *kinds)(address)
        self._words, self._first = _words(first), first

    def bound(self, *more: Any) -> Callable[[Block], int]:
        """The kernel with all but its last argument, a block."""
        words = (*self._words, *_words(more))
        return partial(self._with, words, more)

    def _with(self, words: tuple, _alive: tuple, block: Any) -> int:
        return self._call(*words, block._address)


def _words(arguments: tuple) -> tuple[int | None, ...]:
    found: list[int | None] = []
    for one in arguments:
        found.append(one._address)
        if isinstance(one, Pointer):
            found += (None, None)
    return tuple(found)


class PlainEntrance:
    """The same with the JIT off."""

    def __init__(self, function: Callable, signature, *first: Any) -> None:
        self._call = partial(function, *first)

    def bound(self, *more: Any) -> Callable[[Block], int]:
        return partial(self._call, *more)


entrance = Entrance if JIT else PlainEntrance

"""Kernels that Python calls by their address, with nothing but functions and blocks to hand over: 1
us.

A block and a function are one word each, their address.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import partial
from typing import Any

from .array_block import Block
from .decorators import JIT
from .language import Function
from .types import Signature


class Entrance:
    """A kernel of one signature, with the first of its arguments; it returns an integer."""

    def __init__(self, function: Callable, signature: Signature, *first: Any) -> None:
        assert isinstance(function, Function)
        kinds = [ctypes.c_void_p] * len(signature.args)
        self._call = ctypes.CFUNCTYPE(ctypes.c_int64, *kinds)(
            function.address(tuple(signature.args))
        )
        self._words, self._first = _words(first), first

    def bound(self, *more: Any) -> Callable[[Block], int]:
        """The kernel with all but its last argument, a block."""
        return partial(self._with, (*self._words, *_words(more)), more)

    def _with(self, words: tuple, _alive: tuple, block: Any) -> int:
        return self._call(*words, block._address)


def _words(arguments: tuple) -> tuple[int, ...]:
    return tuple(one._address for one in arguments)


class PlainEntrance:
    """The same in plain Python."""

    def __init__(self, function: Callable, signature: Signature, *first: Any) -> None:
        self._call = partial(function, *first)

    def bound(self, *more: Any) -> Callable[[Block], int]:
        return partial(self._call, *more)


entrance = Entrance if JIT else PlainEntrance

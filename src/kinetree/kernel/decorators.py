"""Decorators of the kernel language (docs/kernel-language.md).

* A kernel is compiled once, for one signature, and called by its symbol or its address; inline
  functions are copied into the kernels that call them. Blocks of arrays are passed as one pointer
  (`array_block.py`).
* Kernels come from the library that is built with the package, or are compiled at their first call
  (`runtime/lookup.py`).
* Code that varies per run (formulation, user code) is passed to a kernel as an address.
* With `KINETREE_PLAIN=1` every kernel is the plain Python function of its file.

Python calls a kernel like a function. `compiled` and `pointer` are for kernels without annotations,
which need a signature: the first is called from Python, the second is passed to another kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from .language import JIT, Function
from .types import FunctionType, Signature


def kernel(function: Callable) -> Callable:
    """Make a kernel that Python may call: it releases the interpreter lock, divides like NumPy,
    allocates nothing and never raises.
    """
    return Function(function, entry=True) if JIT else function


def internal_kernel(function: Callable) -> Callable:
    """Make a kernel that only kernels call, by its symbol or its address."""
    return Function(function) if JIT else function


def tangent_kernel(function: Callable) -> Callable:
    """Make a kernel that is compiled with dual numbers at its first use (runtime/tangents.py)."""
    return Function(function, listed=False) if JIT else function


def inline(function: Callable, text: str | None = None) -> Callable:
    """Make a function that is copied into the kernels that call it.

    `text` is its source if it is not in a file.
    """
    return Function(function, inline=True, text=text) if JIT else function


def switch(name: str, cases: Sequence[Callable], arguments: str) -> Callable:
    """Inline function `name(kind, *arguments)` that calls `cases[kind](*arguments)`.

    It is one flat chain of `if` statements, which takes 41 to 45 ns for 16 kinds; a chain of
    closures takes 219 ns. The last case needs no test.
    """
    scope = {f"case{k}": case for k, case in enumerate(cases)}
    body = "".join(
        f"    if kind == {k}:\n        return case{k}({arguments})\n" for k in range(len(cases) - 1)
    )
    source = f"def {name}(kind, {arguments}):\n{body}    return case{len(cases) - 1}({arguments})\n"
    # the source has names of our own catalogues only, never text from a file
    exec(compile(source, f"<switch {name}>", "exec"), scope)
    scope[name].__module__ = "kinetree.switch"
    return inline(scope[name], source)


def compiled(function: Any, signature: Signature) -> Callable:
    """The kernel, compiled for exactly one signature, for calls from Python."""
    if JIT:
        function.open(tuple(signature.args))
    return function


class Pointer:
    """A kernel as an argument of another kernel: its address and its function type."""

    def __init__(self, function: Function, signature: Signature) -> None:
        self._address = function.address_for(signature)
        self.kernel_type = FunctionType(signature)


@cache
def pointer(function: Any, signature: Signature) -> Callable | Pointer:
    """The kernel, compiled for one signature, as an argument of another kernel."""
    return Pointer(function, signature) if JIT else function


def table(dtype: np.dtype, count: int) -> np.ndarray:
    """Table of records filled with zeros; attribute access also works in plain Python."""
    # np.zeros of records takes five times as long
    rows = np.ndarray(count, dtype, np.zeros(count * dtype.itemsize, np.uint8))
    return rows if JIT else rows.view(np.recarray)

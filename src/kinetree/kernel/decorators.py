"""The decorators of the kernel language (docs/kernel-language.md), and one flat switch.

* A kernel is compiled once, for one signature, and called by its symbol or its address; pieces are
  copied into the kernels that
  call them. The wide tuples of arrays enter as one pointer (block.py).
* Kernels come from the library that is built with the package, or are compiled when they are first
  needed (kernel/runtime/lookup.py).
* What varies per run (formulation, user code) enters a kernel as an address.
* With `KINETREE_PLAIN=1` every kernel is the plain Python function written in the file.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from .language import JIT, Function
from .types import FunctionType, Signature


def kernel(function: Callable) -> Callable:
    """A kernel that Python may call: releases the interpreter lock, divides like NumPy, allocates
    nothing, never raises.
    """
    return Function(function, entry=True) if JIT else function


def internal_kernel(function: Callable) -> Callable:
    """A kernel that only kernels call, by its symbol or its address."""
    return Function(function) if JIT else function


def inline(function: Callable, text: str | None = None) -> Callable:
    """A piece that only kernels call, copied into them. `text` is its source if no file has it."""
    return Function(function, inline=True, text=text) if JIT else function


def switch(name: str, cases: Sequence[Callable], arguments: str) -> Callable:
    """One flat `if` chain over integer kinds: `name(kind, *arguments)` calls
    `cases[kind](*arguments)`.

    A generated chain costs 41-45 ns for 16 kinds where a chain of closures costs 219. The last case
    needs no test.
    """
    scope = {f"case{k}": case for k, case in enumerate(cases)}
    body = "".join(
        f"    if kind == {k}:\n        return case{k}({arguments})\n" for k in range(len(cases) - 1)
    )
    source = f"def {name}(kind, {arguments}):\n{body}    return case{len(cases) - 1}({arguments})\n"
    exec(
        compile(source, f"<switch {name}>", "exec"), scope
    )  # our own catalogue, never text from a file
    scope[name].__module__ = "kinetree.switch"
    return inline(scope[name], source)


def compiled(function: Any, signature: Signature) -> Callable:
    """The kernel for exactly one signature, to be called from Python."""
    if JIT:
        function.open(tuple(signature.args))
    return function


class Pointer:
    """A kernel as a value of one function type."""

    def __init__(self, function: Function, signature: Signature) -> None:
        self._address, self.kernel_type = (
            function.address_for(signature),
            FunctionType(signature),
        )


@cache
def pointer(function: Any, signature: Signature) -> Callable | Pointer:
    """The kernel, compiled for one signature, ready to be handed to a compiled loop."""
    return Pointer(function, signature) if JIT else function


def table(dtype: np.dtype, count: int) -> np.ndarray:
    """An empty table of records; attribute access also works in plain Python."""
    rows = np.ndarray(
        count, dtype, np.zeros(count * dtype.itemsize, np.uint8)
    )  # zeros of records take five times as long
    return rows if JIT else rows.view(np.recarray)

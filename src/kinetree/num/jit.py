"""How Kinetree compiles: one decorator for kernels, one for the small helpers inlined into them, one flat switch.

Rules, each with a measured reason:

* The cache folder is keyed by a hash of *all* kernel sources (kernel_cache.py), because Numba looks only at the file of
  the function itself and would otherwise return old results after an edit to a helper elsewhere.
* A kernel is compiled once and called by its symbol; pieces are copied into the kernels that call them (internals.py).
  The wide tuples of arrays enter as one pointer (block.py).
* What varies per run (formulation, user code) enters a compiled loop as an argument of an explicit `FunctionType`
  or as an address, so that the loop is compiled once and found in the cache ever after.
* With `NUMBA_DISABLE_JIT=1` every kernel is the plain Python function written in the file.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache, cached_property, partial, update_wrapper
from pathlib import Path

import numba
import numpy as np
from numba import njit, types

from .internals import PieceCompiler, StageCompiler, undisturbed
from .kernel_cache import cache_folder, cache_of
from .loading import Load, known_again
from .private import Dispatcher

JIT = not numba.config.DISABLE_JIT
CACHE = cache_folder() if JIT else None  # where kernels are kept
COMPILING = threading.RLock()  # compiling, and deciding what must be compiled, is for one thread at a time

# Without the reference-counting runtime a kernel cannot allocate, and it runs twice as fast: every array taken out of
# a named tuple would cost two atomic operations. Products and sums may fuse (1.35 times faster, one rounding less); nothing
# is reordered and NaN stays NaN.
_FLAGS = {"error_model": "numpy", "fastmath": {"contract"}, "_nrt": False}
_NO_DOORS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def kernel(function: Callable) -> Callable:
    """A compiled, cached kernel: releases the interpreter lock, divides like NumPy, allocates nothing, never raises."""
    return function if CACHE is None else Door(function, partial(_dispatcher, function, CACHE))


def stage(function: Callable) -> Callable:
    """A kernel that only kernels call, by its symbol or its address: it has no doors to Python, which cost a tenth to compile."""
    return function if CACHE is None else Behind(function, partial(_dispatcher, function, CACHE, **_NO_DOORS))


def inline(function: Callable) -> Callable:
    """A piece that only kernels call, copied into them: no doors to Python, no means to allocate."""
    return function if not JIT else Behind(function, partial(_piece, function))


class Behind:
    """A function without a door to Python: Numba hears of it when a kernel that calls it is compiled or loaded.

    Of nine hundred kernels and pieces a run from the cache meets fifty; all of them would be a sixth of its time.
    """

    def __init__(self, function: Callable, dispatcher: Callable[[], Dispatcher]) -> None:
        update_wrapper(self, function)
        self.py_func, self._make = function, dispatcher

    @cached_property
    def dispatcher(self) -> Dispatcher:
        dispatcher = self._make()
        dispatcher._insert, dispatcher._compile_for_args = (lambda *code: None), self
        return dispatcher

    def __getattr__(self, name: str):
        return getattr(self.dispatcher, name)

    @property
    def _numba_type_(self) -> types.Dispatcher:
        return types.Dispatcher(self.dispatcher)

    def __call__(self, *args, **kws) -> None:
        """Whoever calls it from Python is told so, instead of ending in nowhere."""
        raise TypeError(f"{self.py_func.__module__}.{self.py_func.__qualname__} has no door to Python: it is called by kernels, "
                        "or as plain Python with NUMBA_DISABLE_JIT=1.")


class Door(Behind):
    """A kernel that Python may call: it, too, is made known to Numba only when it is needed."""

    @cached_property
    def dispatcher(self) -> Dispatcher:
        return self._make()

    def __call__(self, *args):  # type: ignore[override]  # a door, where there was none
        return self.dispatcher(*args)


def without_wrapper(function: Callable, folder: Path) -> Dispatcher:
    """A kernel that is called by its address, as a value of a function type, or through a door of another."""
    return _dispatcher(function, folder, no_cpython_wrapper=True)


def _piece(function: Callable) -> Dispatcher:
    return njit(forceinline=True, pipeline_class=PieceCompiler, **_NO_DOORS, **_FLAGS)(function)


def _dispatcher(function: Callable, folder: Path, **doors: bool) -> Dispatcher:
    """Compiles once, keeps the code in the folder, and tells those who call it how to load it."""
    with COMPILING:
        dispatcher = njit(nogil=True, forceinline=False, pipeline_class=StageCompiler, **doors, **_FLAGS)(function)
    if known_again(function.__module__, function.__qualname__):
        dispatcher._cache = cache_of(function, folder)
    add, template = dispatcher.add_overload, dispatcher.get_call_template

    def add_overload(result) -> None:
        """Code that comes from the cache knows how to be loaded again, too."""
        if known_again(function.__module__, function.__qualname__):
            result.library.load = {Load(function.__module__, function.__name__, tuple(result.signature.args))}
        add(result)

    dispatcher.add_overload = add_overload
    dispatcher.get_call_template = lambda args, kws: template(tuple(types.unliteral(a) for a in args), kws)  # 0 is an integer
    return dispatcher


def switch(name: str, cases: Sequence[Callable], arguments: str) -> Callable:
    """One flat `if` chain over integer kinds: `name(kind, *arguments)` calls `cases[kind](*arguments)`.

    A generated chain costs 41-45 ns for 16 kinds where a chain of closures costs 219. The last case needs no test.
    """
    scope = {f"case{k}": case for k, case in enumerate(cases)}
    body = "".join(f"    if kind == {k}:\n        return case{k}({arguments})\n" for k in range(len(cases) - 1))
    source = f"def {name}(kind, {arguments}):\n{body}    return case{len(cases) - 1}({arguments})\n"
    exec(compile(source, f"<switch {name}>", "exec"), scope)  # our own catalogue, never text from a file
    return inline(scope[name])


@contextmanager
def compiling() -> Iterator[None]:
    """By one thread at a time, and without looking for garbage meanwhile."""
    with COMPILING, undisturbed():
        yield


def compiled(function: Dispatcher, signature) -> Dispatcher:
    """The kernel compiled (or loaded) for exactly one signature, so that function arguments keep their type."""
    if JIT:
        with compiling():
            if signature.args not in function.overloads:
                function.disable_compile(False)
                function.compile(signature.args)
                function.disable_compile()
        found = types.unliteral(function.overloads[signature.args].signature.return_type)
        if found != signature.return_type:
            raise TypeError(f"{function.__module__}.{function.__name__} answers with {found}, not with {signature.return_type}.")
    return function


class Pointer(types.WrapperAddressProtocol):
    """A kernel as a value of one function type. Passing it costs a microsecond; passing the dispatcher costs 300."""

    def __init__(self, function: Dispatcher, signature) -> None:
        result = compiled(function, signature).overloads[signature.args]
        self._address = result.library.get_pointer_to_function(result.fndesc.llvm_cfunc_wrapper_name)
        self._signature = signature
        self._numba_type_ = types.FunctionType(signature)

    def __wrapper_address__(self) -> int:
        return self._address

    def signature(self):
        return self._signature


@cache
def pointer(function: Callable, signature) -> Callable | Pointer:
    """The kernel, compiled for one signature, ready to be handed to a compiled loop."""
    return Pointer(function, signature) if JIT else function


def table(dtype: np.dtype, count: int) -> np.ndarray:
    """An empty table of records; attribute access also works in plain Python."""
    rows = np.zeros(count, dtype)
    return rows if JIT else rows.view(np.recarray)

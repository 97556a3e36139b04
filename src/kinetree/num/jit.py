"""How Kinetree compiles: one decorator for kernels, one for the small helpers inlined into them, one flat switch.

Three rules, each with a measured reason:

* The cache folder is keyed by a hash of *all* kernel sources, because Numba looks only at the file of the function
  itself and would otherwise return old results after an edit to a helper elsewhere.
* What varies per run (formulation, user code) enters a compiled loop as an argument of an explicit `FunctionType`
  or as an address, so that the loop is compiled once and found in the cache ever after.
* With `NUMBA_DISABLE_JIT=1` every kernel is the plain Python function written in the file.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import numba
import numpy as np
from numba import njit, types

JIT = not numba.config.DISABLE_JIT
_PACKAGE = Path(__file__).resolve().parent.parent
_KERNEL_ROOMS = ("num", "signals", "joints", "control", "constraints", "forces", "compile", "dynamics", "formulations",
                 "integrators")
_KEPT_GENERATIONS = 4


def source_hash() -> str:
    """Hash of every kernel source, the flags and the versions that decide what the compiled code is."""
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__} {numba.config.BOUNDSCHECK}".encode())
    for room in _KERNEL_ROOMS:
        for path in sorted((_PACKAGE / room).glob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_folder() -> Path:
    """Folder of the compiled kernels: $KINETREE_CACHE, else the user's cache folder, else a temporary one."""
    home = os.environ.get("KINETREE_CACHE") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache"), "kinetree")
    for base in (Path(home), Path(tempfile.gettempdir()) / f"kinetree-{os.getuid() if hasattr(os, 'getuid') else 0}"):
        folder = base / source_hash()
        try:
            fresh = not folder.exists()
            folder.mkdir(parents=True, exist_ok=True)
            if fresh:
                _forget_old_generations(base, folder)
            return folder
        except OSError:
            continue
    raise OSError(f"no writable folder for compiled kernels; set KINETREE_CACHE (tried {home})")


def _forget_old_generations(base: Path, keep: Path) -> None:
    """Compiled code of sources that no longer exist is of no use; the last few are kept for switching branches."""
    old = sorted((p for p in base.iterdir() if p.is_dir() and p != keep), key=lambda p: p.stat().st_mtime)
    for folder in old[: max(0, len(old) - _KEPT_GENERATIONS)]:
        shutil.rmtree(folder, ignore_errors=True)


CACHE = cache_folder() if JIT else None

# Without the reference-counting runtime a kernel cannot allocate, and it runs twice as fast: every array taken out of
# a named tuple would cost two atomic operations. Inlining kernels into kernels spares copying the tuples (again 1.8).
# Products and sums may fuse (1.35 times faster, one rounding less); nothing is reordered and NaN stays NaN.
_FLAGS = {"error_model": "numpy", "fastmath": {"contract"}, "forceinline": True, "_nrt": False}


def kernel(function: Callable) -> Callable:
    """A compiled, cached kernel: releases the interpreter lock, divides like NumPy, allocates nothing, never raises."""
    if not JIT:
        return function
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(CACHE)
    try:
        return njit(cache=True, nogil=True, **_FLAGS)(function)
    finally:
        numba.config.CACHE_DIR = before


def inline(function: Callable) -> Callable:
    """A piece that only kernels call, compiled into them and cached with them: no doors to Python, no means to allocate."""
    return njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, **_FLAGS)(function) if JIT else function


def switch(name: str, cases: Sequence[Callable], arguments: str) -> Callable:
    """One flat `if` chain over integer kinds: `name(kind, *arguments)` calls `cases[kind](*arguments)`.

    A generated chain costs 41-45 ns for 16 kinds where a chain of closures costs 219. The last case needs no test.
    """
    scope = {f"case{k}": case for k, case in enumerate(cases)}
    body = "".join(f"    if kind == {k}:\n        return case{k}({arguments})\n" for k in range(len(cases) - 1))
    source = f"def {name}(kind, {arguments}):\n{body}    return case{len(cases) - 1}({arguments})\n"
    exec(compile(source, f"<switch {name}>", "exec"), scope)  # our own catalogue, never text from a file
    return inline(scope[name])


def compiled(function: Callable, signature) -> Callable:
    """The kernel compiled (or loaded) for exactly one signature, so that function arguments keep their type."""
    if JIT and signature not in function.nopython_signatures:
        function.disable_compile(False)
        function.compile(signature)
        function.disable_compile()
    return function


class Pointer(types.WrapperAddressProtocol):
    """A kernel as a value of one function type. Passing it costs a microsecond; passing the dispatcher costs 300."""

    def __init__(self, function: Callable, signature) -> None:
        result = compiled(function, signature).get_compile_result(signature)
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

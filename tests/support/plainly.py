"""Kernels run as plain Python beside their machine code, on the same numbers.

`observe()` changes what it means to call a kernel in this process: its Python source is run, in
which every call of another kernel is observed, too. Before that, the machine code is run on the
same memory, which is then restored, and what both return and leave in memory is compared. Tables
hold the addresses of machine code as always; a call by address runs the source of the kernel that
lies there.
"""

from __future__ import annotations

import ctypes
from collections import Counter
from typing import Any

import llvmlite.binding as llvm
import numpy as np

from kinetree.kernel import decorators as jit
from kinetree.kernel import intrinsics, types
from kinetree.kernel.array_block import Block
from kinetree.kernel.compiler.unit import Unit
from kinetree.kernel.language import Function
from kinetree.kernel.runtime import llvm as machine
from kinetree.kernel.runtime.entry import _unpacked
from kinetree.kernel.runtime.lookup import use
from kinetree.kernel.runtime.targets import Target
from kinetree.kernel.typeof import typeof
from kinetree.kernel.types import Array, Record, Scalar, Signature, Tuple, Type, float64

_C = {"double": ctypes.c_double, "i64": ctypes.c_int64, "i1": ctypes.c_bool, "ptr": ctypes.c_void_p}
PLAINEST = Target("plain", "", False)  # any processor, products rounded as Python rounds them


class View:
    """A block as plain Python reads it: records have attributes."""

    def __init__(self, kernel_type: types.Block, address: int, arrays: dict, of: Any) -> None:
        self.kernel_type, self._address, self.of = kernel_type, address, of  # `of` stays alive
        for name, array in arrays.items():
            setattr(self, name, as_plain(array))

    def arrays(self) -> list[np.ndarray]:
        return [getattr(self, name) for name in self.kernel_type.fields]


def view_of_row(kind: types.Block, row: np.ndarray) -> View:
    """The block that a row of addresses and shapes describes."""
    arrays = {}
    for name, array in kind.fields.items():
        address, *shape = (int(word) for word in row[kind.first[name] :][: 1 + array.ndim])
        dtype = array.dtype.dtype if isinstance(array.dtype, Record) else np.dtype(str(array.dtype))
        size = dtype.itemsize * int(np.prod(shape))
        memory = (ctypes.c_char * size).from_address(address)
        arrays[name] = np.frombuffer(memory, dtype).reshape(shape)
    return View(kind, row.ctypes.data, arrays, row)


class Quick:
    """Machine code without optimisation, and with products rounded as Python rounds them: all
    kernels take four seconds.
    """

    def __init__(self) -> None:
        machine._LEVEL = 0
        self.unit, self._engine, self._placed = Unit(), machine.empty_engine(PLAINEST), set()
        self.target = PLAINEST  # of user code
        self._target = machine.machine_here(PLAINEST)

    def find(self, function: Function, args: tuple[Type, ...]) -> tuple[int, Signature]:
        compiled = self.unit.get(function, args)
        todo = [compiled]
        while todo:
            c = todo.pop()
            if c.symbol not in self._placed:
                self._placed.add(c.symbol)
                todo += c.called
                if not c.function.inline:
                    code = machine.object_code(self.unit.module([c], fused=False), self._target)
                    self._engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        self._engine.finalize_object()
        return self._engine.get_function_address(compiled.symbol), Signature(
            compiled.result, compiled.args
        )

    def types_of(self, function: Function) -> tuple[Type, ...] | None:
        """Of its arguments, if it has been compiled."""
        return next((c.args for c in self.unit.kernels if c.function is function), None)


class Observer:
    """Compares each kernel at its first calls in every run; `differences` has what was found, by
    the name of the kernel.
    """

    def __init__(self, calls: int, tolerance: float) -> None:
        self.calls, self.tolerance, self.source = calls, tolerance, Quick()
        self.at: dict[int, Function] = {}
        self.views: dict[int, View] = {}
        self.opened: dict[Function, tuple] = {}
        self.seen: Counter = Counter()
        self.followed: tuple[
            str, ...
        ] = ()  # beginnings of the names of kernels that lead to others late in a run
        self.compared: Counter = Counter()
        self.differences: dict[str, str] = {}

    def next_run(self) -> None:
        self.seen.clear()
        self.followed = ()

    def place(self, function: Function, args: tuple[Type, ...]) -> int:
        """The address of a kernel, which is remembered."""
        address = self.source.find(function, args)[0]
        self.at[address] = function
        return address

    def call(self, function: Function, *args: Any) -> Any:
        """A kernel: its source at its first calls in a run, later its machine code, unless it is
        followed.
        """
        if function.inline:
            return function.py_func(*args)
        plain = [self.plain(a) for a in args]
        if self.seen[function] >= self.calls:
            return (
                function.py_func(*plain)
                if function.name.startswith(self.followed)
                else self.machine(function, plain)
            )
        self.seen[function] += 1
        return self.both(function, plain)

    def plain(self, value: Any) -> Any:
        if isinstance(value, Block):
            if id(value) not in self.views:
                self.views[id(value)] = View(
                    value.kernel_type, value._address, value._asdict(), value
                )
            return self.views[id(value)]
        return as_plain(value)

    def both(self, function: Function, args: list) -> Any:
        memory = [m for a in args for m in _memory(a) if m.flags.writeable]
        before = [m.copy() for m in memory]
        result, after = self.machine(function, args), [m.copy() for m in memory]
        for m, old in zip(memory, before):
            m[...] = old
        plain = function.py_func(*args)
        found = _apart(result, plain) + [f for a, b in zip(after, memory) for f in _apart(a, b)]
        worst = max(found, default=0.0)
        self.compared[function] += 1
        if not worst <= self.tolerance:
            self.differences[function.name] = f"{worst:.1e}"
        return plain

    def machine(self, function: Function, args: list) -> Any:
        """What the machine code returns."""
        if function not in self.opened:
            self.opened[function] = self._open(function, args)
        call, kinds, several, unpack = self.opened[function]
        words = [word for a, kind in zip(args, kinds, strict=True) for word in _words(a, kind)]
        if not several:
            return unpack(call(*words)) if unpack else call(*words)
        out = several()
        call(out, *words)
        return unpack(out)

    def _open(self, function: Function, args: list) -> tuple:
        kinds = (
            self.source.types_of(function) or function.declared() or tuple(_type(a) for a in args)
        )
        address, signature = self.source.find(function, kinds)
        result, leaves = signature.return_type, [leaf for kind in kinds for leaf in kind.leaves]
        several = ctypes.c_double * len(result.leaves) if len(result.leaves) > 1 else None
        returned = _C[result.leaves[0]] if len(result.leaves) == 1 else None
        call = ctypes.CFUNCTYPE(
            returned, *[ctypes.c_void_p] * bool(several), *(_C[leaf] for leaf in leaves)
        )(address)
        return call, kinds, several, _unpacked(result) if isinstance(result, Tuple) else None


def as_plain(value: Any) -> Any:
    return value.view(np.recarray) if isinstance(value, np.ndarray) and value.dtype.names else value


def _memory(value: Any) -> list[np.ndarray]:
    """The arrays that a kernel can reach through an argument."""
    if isinstance(value, View):
        return [np.asarray(a) for a in value.arrays()]
    if isinstance(value, np.ndarray):
        return [np.asarray(value)]
    if isinstance(value, np.void):  # whose own buffer may not be written
        return [
            np.frombuffer((ctypes.c_char * value.nbytes).from_address(_address(value)), value.dtype)
        ]
    return [m for item in value for m in _memory(item)] if isinstance(value, tuple) else []


def _type(value: Any) -> Type:
    return Record(value.dtype) if isinstance(value, np.void) else typeof(value)


def _words(value: Any, kind: Type) -> list:
    """What is passed for an argument."""
    if isinstance(kind, Tuple):
        return [word for item, k in zip(value, kind.items, strict=True) for word in _words(item, k)]
    if isinstance(kind, Array):
        assert value.flags.c_contiguous
        return [value.ctypes.data, *value.shape]
    if isinstance(kind, Scalar):
        return [float(value) if kind is float64 else int(value)]
    return [_address(value) if isinstance(value, np.void) else value._address]


def _address(record: np.void) -> int:
    return np.frombuffer(record, np.uint8).ctypes.data


def _apart(a: Any, b: Any) -> list[float]:
    """Differences of what machine code and Python made, of the size of the numbers; infinite for
    other integers.
    """
    if isinstance(a, np.ndarray) and a.dtype.names:
        return [d for name in a.dtype.names for d in _apart(a[name], b[name])]
    if isinstance(a, tuple):
        return [d for x, y in zip(a, b, strict=True) for d in _apart(x, y)]
    if a is None or b is None:
        return [0.0 if a is b else np.inf]
    x, y = np.asarray(a), np.asarray(b)
    if not x.size or np.array_equal(x, y, equal_nan=x.dtype.kind == "f"):
        return [0.0]
    if x.dtype.kind != "f":
        return [np.inf]
    with np.errstate(all="ignore"):
        same = (x == y) | (np.isnan(x) & np.isnan(y))
        finite = np.abs(y[np.isfinite(y)])
        return [
            float(np.where(same, 0.0, np.abs(x - y)).max() / max(finite.max(initial=0.0), 1e-300))
        ]


def observe(calls: int = 1, tolerance: float = 1e-9) -> Observer:
    """Observe all kernels of this process from now on."""
    observer = Observer(calls, tolerance)
    use(observer.source)
    made = jit.Pointer.__init__

    def pointed(self, function, signature):
        made(self, function, signature)
        self.function = function

    jit.Pointer.__init__ = pointed
    jit.Pointer.__call__ = lambda self, *args: observer.call(self.function, *args)
    Function.__call__ = lambda self, *args: observer.call(self, *args)
    Function.address = lambda self, args: observer.place(self, args)
    Function.address_for = lambda self, signature: observer.place(self, tuple(signature.args))
    intrinsics.ByAddress.__call__ = lambda self, address, *args: observer.call(
        observer.at[int(address)], *args
    )
    intrinsics.Opened.__call__ = lambda self, row: view_of_row(self.kind(), row)
    intrinsics.Loader.__call__ = lambda self, x: tuple(x[k] for k in range(self.n))
    intrinsics.Storer.__call__ = _store
    intrinsics.Callback.__call__ = _called_back
    return observer


def _store(self, x, a) -> None:
    for k in range(self.n):
        x[k] = x[k] + a[k] if self.add else a[k]


def _called_back(self, at, values):
    kinds = {"d": ctypes.c_double, "i": ctypes.c_int64}
    prototype = ctypes.CFUNCTYPE(kinds[self.result], *(kinds[a] for a in self.arguments))
    return prototype(int(at[0]))(int(at[1]), *values)

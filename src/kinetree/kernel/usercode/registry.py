"""From a user's Python function to an address the kernels can call.

The function is compiled (native.py); if that fails it is called through ctypes instead, which is
slower by a factor of ten to a hundred, and a warning says why. Machine code is known by what the
function is made of (`fingerprint`): a global or a closure variable that has changed gives other
code. It lives as long as a lowered model uses it, the latest longer.
"""

from __future__ import annotations

import ctypes
import inspect
import math
import threading
import types as python
import warnings
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from weakref import WeakValueDictionary

import numpy as np

from ...errors import ModelError
from ..decorators import JIT
from ..runtime.lookup import COMPILING
from .capture import guarded
from .checks import check_arguments, compile_error, may_not_return, must_fill, name_of
from .compiled import compile_native
from .fingerprint import fingerprint
from .shapes import ARGUMENTS, FILLED, floats_of, python_of, unpack_marker

_PACKAGE = str(Path(__file__).resolve().parents[2])
_d, _i = ctypes.c_double, ctypes.c_int64
_PROTOTYPE = {
    "time": ctypes.CFUNCTYPE(_d, _i, _d),
    "law": ctypes.CFUNCTYPE(_d, _i, *[_d] * 3),
    "wrench": ctypes.CFUNCTYPE(_i, _i, _d, *[_i] * 6),
    "control": ctypes.CFUNCTYPE(_i, _i, _d, *[_i] * 9),
    "ode": ctypes.CFUNCTYPE(_i, _i, _d, *[_i] * 3),
    "tyre": ctypes.CFUNCTYPE(_i, _i, *[_d] * 4, *[_i] * 3),
}
_KEPT = 256  # pieces of code that live on although no model uses them


class SlowCallback(UserWarning):
    """User code could not be compiled and runs as plain Python."""


class Code:
    """One user function ready to be called: where its machine code lies, and where the floats it
    closes over.
    """

    def __init__(
        self,
        function: Callable,
        shape: str,
        digest: str,
        callback: object,
        address: int,
        native: bool,
    ) -> None:
        self.function, self.shape, self.digest, self.native = function, shape, digest, native
        self.may_not_return = native and may_not_return(
            function
        )  # machine code, out of which Ctrl-C finds no way
        self._callback, self._values = callback, floats_of(function) if native else np.zeros(1)
        self.address = (address, int(self._values.ctypes.data))


_machine: WeakValueDictionary = (
    WeakValueDictionary()
)  # (digest without floats, shape): compiled callback
_known: WeakValueDictionary = (
    WeakValueDictionary()
)  # (digest, shape), or (digest, shape, id) of plain Python: Code
_placed: WeakValueDictionary = WeakValueDictionary()  # address: Code
_refused: OrderedDict[tuple[str, str], str] = (
    OrderedDict()
)  # (digest without floats, shape): why it is not compiled
_latest: deque[Code] = deque(maxlen=_KEPT)
_held = threading.local()


def address_of(function: Callable, shape: str) -> tuple[int, int]:
    """Address of machine code with the C signature `shape` that runs `function`, and of the floats
    it closes over.
    """
    with COMPILING:
        check_arguments(function, ARGUMENTS[shape], FILLED[shape])
        digest = fingerprint(function)
        code = (_native(function, shape, digest) if JIT else None) or _plain(
            function, shape, digest
        )
        _placed[code.address] = code
        if code not in _latest:
            _latest.append(code)
        getattr(_held, "codes", []).append(code)
        return code.address


@contextmanager
def holding() -> Iterator[None]:
    """While a model is lowered, all code it has asked for lives, however much that is."""
    _held.codes = []
    try:
        yield
    finally:
        del _held.codes


def code_at(address) -> Code | None:
    """The code at an address; None where there is none."""
    return _placed.get((int(address[0]), int(address[1])))


def user_code(tables) -> Iterator[Code]:
    """All user code of a lowered model, in the order of its tables."""
    for rows in (tables.controllers, tables.forces, tables.signals, tables.settings):
        if not len(rows):
            continue
        addresses = np.asarray(rows["address"])
        for pair in addresses.reshape(-1, 2) if np.count_nonzero(addresses) else ():
            if pair[0] and (code := code_at(pair)) is not None:
                yield code


def _native(function: Callable, shape: str, digest: str) -> Code | None:
    """The compiled code, or None with a warning if the function cannot be compiled."""
    code = _known.get((digest, shape))
    if (
        code is None
        and (digest, shape, id(function)) not in _known
        and (callback := _compiled(function, shape))
    ):
        code = _known[digest, shape] = Code(
            function, shape, digest, callback, callback.address, True
        )
    return code


def _compiled(function: Callable, shape: str):
    """The callback, compiled once for all functions that differ in the floats they close over only."""
    if not isinstance(python_of(function), python.FunctionType):
        _warn(
            f"{name_of(function)!r} can be called, but is no function that could be compiled: it "
            "runs as plain Python, 10 to "
            "100 times slower."
        )
        return None
    digest = fingerprint(python_of(function), open_floats=True)
    callback, why = _machine.get((digest, shape)), _refused.get((digest, shape))
    if callback is None and why is None:
        try:
            callback, returns = compile_native(function, shape)
        except Exception as reason:  # Numba has many
            why = _refused[digest, shape] = compile_error(reason, function)
            while len(_refused) > _KEPT:
                _refused.popitem(last=False)
        else:
            if FILLED[shape] and returns:
                raise ModelError(must_fill(function, ARGUMENTS[shape][-FILLED[shape] :]))
            _machine[digest, shape] = callback
    if callback is None:
        _warn(
            f"user function {name_of(function)!r} cannot be compiled and runs as plain Python, 10 "
            f"to 100 times slower: {why}"
        )
    return callback


def _warn(text: str) -> None:
    """A warning that points at the first line outside this package."""
    frame, level = inspect.currentframe(), 1
    while frame is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame, level = frame.f_back, level + 1
    warnings.warn(text, SlowCallback, stacklevel=level)


def plain_code(function: Callable, shape: str) -> Code:
    """Code that calls the user's function as plain Python, whether or not it could be compiled."""
    callback = _PROTOTYPE[shape](_door(python_of(function), shape))
    return Code(
        function,
        shape,
        fingerprint(function),
        callback,
        ctypes.cast(callback, ctypes.c_void_p).value or 0,
        False,
    )


def _plain(function: Callable, shape: str, digest: str) -> Code:
    """One per function or object and state of it: the state is part of what a model is."""
    code = _known.get((digest, shape, id(function)))
    if code is None:
        code = _known[digest, shape, id(function)] = plain_code(function, shape)
    return code


def _door(function: Callable, shape: str) -> Callable:
    """What ctypes calls: numbers and addresses in, the user's function on arrays, its exceptions
    kept.
    """
    filled = ARGUMENTS[shape][-FILLED[shape] :]

    def done(value) -> int:
        if value is not None:
            raise TypeError(must_fill(function, filled))
        return 0

    def scalar(_, *values):
        return guarded(values[0], lambda: _number(function(*values)), math.nan)

    def wrench(_, t, a, b, p, count, force, torque):
        return guarded(
            t,
            lambda: done(
                function(
                    t,
                    unpack_marker(_array(a, 18)),
                    unpack_marker(_array(b, 18)),
                    _array(p, count, False),
                    _array(force, 3),
                    _array(torque, 3),
                )
            ),
            1,
        )

    def control(_, t, u, nu, x, nx, p, count, xdot, out, no):
        return guarded(
            t,
            lambda: done(
                function(
                    t,
                    _array(u, nu),
                    _array(x, nx),
                    _array(p, count, False),
                    _array(xdot, nx),
                    _array(out, no),
                )
            ),
            1,
        )

    def ode(_, t, y, n, ydot):
        return guarded(t, lambda: done(function(t, _array(y, n, False), _array(ydot, n))), 1)

    def tyre(_, load, kappa, alpha, camber, p, count, out):
        return guarded(
            math.nan,
            lambda: done(
                function(load, kappa, alpha, camber, _array(p, count, False), _array(out, 3))
            ),
            1,
        )

    doors: dict[str, Callable] = {"wrench": wrench, "control": control, "ode": ode, "tyre": tyre}
    return doors.get(shape, scalar)


def _number(value) -> float:
    if value is None:
        raise TypeError("it returned nothing where a number is needed; end it with 'return ...'")
    return float(value)


def _array(address: int, n: int, writeable: bool = True) -> np.ndarray:
    if n == 0:
        array = np.zeros(0)
    else:  # a ctypes array is a buffer, which the hints of NumPy do not know
        array = np.frombuffer((ctypes.c_double * n).from_address(address))  # type: ignore[call-overload]
    array.flags.writeable = writeable
    return array

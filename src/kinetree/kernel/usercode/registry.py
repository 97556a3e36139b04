"""From a user's Python function to an address that kernels can call.

The function is compiled (`compiled.py`); if that fails, kernels call it through ctypes, which is
ten to a hundred times slower, and a warning gives the reason. Machine code is identified by the
content of the function (`fingerprint`): a changed global or closure variable gives other code. It
lives as long as a lowered model uses it; the latest `_KEPT` functions live longer.
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
from .capture import captured
from .checks import check_arguments, compile_error, may_not_return, must_fill, name_of
from .compiled import ENTRY, compile_native
from .curves import plain_curve
from .fingerprint import fingerprint
from .ready import ReadyFunction
from .shapes import ARGUMENTS, CURVES, FILLED, floats_of, python_of, unpack_marker

_PACKAGE = str(Path(__file__).resolve().parents[2])
_d, _i = ctypes.c_double, ctypes.c_int64
_PROTOTYPE = {
    "time": ctypes.CFUNCTYPE(_d, _i, _d),
    "law": ctypes.CFUNCTYPE(_d, _i, *[_d] * 3),
    "wrench": ctypes.CFUNCTYPE(_i, _i, _d, *[_i] * 6),
    "control": ctypes.CFUNCTYPE(_i, _i, _d, *[_i] * 9),
    "ode": ctypes.CFUNCTYPE(_i, _i, _d, *[_i] * 3),
    "tyre": ctypes.CFUNCTYPE(_i, _i, *[_d] * 4, *[_i] * 3),
    **dict.fromkeys(CURVES, ctypes.CFUNCTYPE(_i, _i, *[_d] * 3, *[_i] * 7)),
}
WITH_CODE = ("controllers", "forces", "signals", "settings", "aims")  # tables with addresses
_KEPT = 256  # functions that stay alive although no model uses them


class SlowCallback(UserWarning):
    """User code could not be compiled and runs as plain Python."""


class Code:
    """A user function ready to be called: `address` is the pair of addresses of its code and of
    the floats it closes over.
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
        # machine code, which Ctrl-C cannot interrupt
        self.may_not_return = native and may_not_return(function)
        own = function.values if isinstance(function, ReadyFunction) else None
        self._callback = callback
        self.values = own if own is not None else floats_of(function) if native else np.zeros(1)
        self.address = (address, int(self.values.ctypes.data))


# (digest without floats, shape): compiled callback
_machine: WeakValueDictionary = WeakValueDictionary()
# (digest, shape), or (digest, shape, id) of plain Python: Code
_known: WeakValueDictionary = WeakValueDictionary()
_by_address: WeakValueDictionary = WeakValueDictionary()  # address: Code
# (digest without floats, shape): the reason why it is not compiled
_refused: OrderedDict[tuple[str, str], str] = OrderedDict()
_latest: deque[Code] = deque(maxlen=_KEPT)
_alive = threading.local()


def address_of(function: Callable, shape: str) -> tuple[int, int]:
    """Addresses of machine code with the C signature `shape` that runs `function`, and of the
    floats it closes over.
    """
    with COMPILING:
        check_arguments(function, ARGUMENTS[shape], FILLED[shape])
        if isinstance(function, ReadyFunction):
            code = _ready(function, shape)
        else:
            digest = fingerprint(function)
            code = (_native(function, shape, digest) if JIT else None) or _plain(
                function, shape, digest
            )
        _by_address[code.address] = code
        if code not in _latest:
            _latest.append(code)
        getattr(_alive, "codes", []).append(code)
        return code.address


@contextmanager
def keeping_alive() -> Iterator[None]:
    """Keep all code alive that is requested within this block, in which a model is lowered."""
    _alive.codes = []
    try:
        yield
    finally:
        del _alive.codes


def code_at(address) -> Code | None:
    """The code at an address, or None."""
    return _by_address.get((int(address[0]), int(address[1])))


def user_code(tables) -> Iterator[Code]:
    """All user code of a lowered model, in the order of its tables."""
    for rows in (getattr(tables, name) for name in WITH_CODE):
        if not len(rows):
            continue
        addresses = np.asarray(rows["address"])
        for pair in addresses.reshape(-1, 2) if np.count_nonzero(addresses) else ():
            if pair[0] and (code := code_at(pair)) is not None:
                yield code


def _ready(function: ReadyFunction, shape: str) -> Code:
    """The code of a function that has its own machine code, one for each such function."""
    digest = f"ready {id(function)}"
    code = _known.get((digest, shape))
    if code is None:
        if JIT and function.text is not None:
            from ..runtime.on_demand import Loaded

            callback = Loaded(function.text, ENTRY)
            code = Code(function, shape, digest, callback, callback.address, True)
        else:
            code = plain_code(function, shape)
        _known[digest, shape] = code
    return code


def _native(function: Callable, shape: str, digest: str) -> Code | None:
    """The compiled code; None, with a warning, if the function cannot be compiled."""
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
    """The callback, compiled once for all functions that differ only in the floats they use."""
    if not isinstance(python_of(function), python.FunctionType):
        _warn(
            f"{name_of(function)!r} is callable, but not a function that can be compiled: it runs "
            "as plain Python, 10 to 100 times slower."
        )
        return None
    digest = fingerprint(python_of(function), open_floats=True)
    callback, why = _machine.get((digest, shape)), _refused.get((digest, shape))
    if callback is None and why is None:
        try:
            callback, returns = compile_native(function, shape)
        except Exception as reason:  # Numba raises many kinds
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
    """Warn with the position of the first caller outside this package."""
    frame, level = inspect.currentframe(), 1
    while frame is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame, level = frame.f_back, level + 1
    warnings.warn(text, SlowCallback, stacklevel=level)


def plain_code(function: Callable, shape: str) -> Code:
    """Code that calls the user's function as plain Python, also if it can be compiled."""
    callback = _PROTOTYPE[shape](_wrapper(python_of(function), shape))
    return Code(
        function,
        shape,
        fingerprint(function),
        callback,
        ctypes.cast(callback, ctypes.c_void_p).value or 0,
        False,
    )


def _plain(function: Callable, shape: str, digest: str) -> Code:
    """Plain code of a function or object; another state of the object gives another one."""
    code = _known.get((digest, shape, id(function)))
    if code is None:
        code = _known[digest, shape, id(function)] = plain_code(function, shape)
    return code


def _wrapper(function: Callable, shape: str) -> Callable:
    """The function that ctypes calls with numbers and addresses: it calls the user's function with
    arrays and captures its exceptions.
    """
    filled = ARGUMENTS[shape][-FILLED[shape] :]

    def done(value) -> int:
        if value is not None:
            raise TypeError(must_fill(function, filled))
        return 0

    def scalar(_, *values):
        return captured(values[0], lambda: _number(function(*values)), math.nan)

    def wrench(_, t, a, b, p, count, force, torque):
        return captured(
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
        return captured(
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
        return captured(t, lambda: done(function(t, _array(y, n, False), _array(ydot, n))), 1)

    def tyre(_, load, kappa, alpha, camber, p, count, out):
        return captured(
            math.nan,
            lambda: done(
                function(load, kappa, alpha, camber, _array(p, count, False), _array(out, 3))
            ),
            1,
        )

    def curve(_, t, *given):
        return captured(t, lambda: evaluate(t, *given), 1)

    evaluate = plain_curve(function, shape, _array) if shape in CURVES else None
    others: dict[str, Callable] = {"wrench": wrench, "control": control, "ode": ode, "tyre": tyre}
    return curve if shape in CURVES else others.get(shape, scalar)


def _number(value) -> float:
    if value is None:
        raise TypeError("it returned nothing where a number is needed; end it with 'return ...'")
    return float(value)


def _array(address: int, n: int, writeable: bool = True) -> np.ndarray:
    if n == 0:
        array = np.zeros(0)
    else:  # a ctypes array is a buffer, which the annotations of NumPy exclude
        array = np.frombuffer((ctypes.c_double * n).from_address(address))  # type: ignore[call-overload]
    array.flags.writeable = writeable
    return array

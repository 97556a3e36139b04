"""Kernels with dual numbers, compiled in this process at their first use, and tables of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from ..array_block import Block
from ..compiler.tangents import TangentUnit, wide_block, wide_dtype, wide_signature
from ..decorators import Pointer
from ..intrinsics import KERNELS_AT
from ..types import DUAL, WIDTH, FunctionType, Signature
from .lookup import engine
from .on_demand import OnDemand


class Tangents(OnDemand):
    """Compiles kernels with dual numbers."""

    def __init__(self) -> None:
        super().__init__(engine().target)
        self.unit = TangentUnit()


@cache
def tangents() -> Tangents:
    """The kernels with dual numbers of this process."""
    return Tangents()


class TangentPointer(Pointer):
    """A kernel compiled with dual numbers inside, as an argument of another kernel."""

    def __init__(self, function: Any, signature: Signature) -> None:
        self._address = tangents().find(function, tuple(signature.args))[0]
        self.kernel_type = FunctionType(signature)


@cache
def twin(address: int) -> int:
    """The address of a kernel with dual numbers, from that of the kernel; 0 of 0."""
    if not address:
        return 0
    kernel, signature = KERNELS_AT[address]
    wide = wide_signature(signature)
    found, actual = tangents().find(kernel, tuple(wide.args))
    assert actual.return_type == wide.return_type, kernel.name
    return found


def parts(array: np.ndarray) -> np.ndarray:
    """The numbers of an array of dual numbers, with one more axis: value, then derivatives."""
    return array.view(np.float64).reshape(*array.shape, WIDTH + 1)


def widen(array: np.ndarray, slopes: list[np.ndarray]) -> np.ndarray:
    """An array with dual numbers: the values of `array`, and up to WIDTH arrays of derivatives."""
    plain = np.asarray(array)
    out = np.zeros(plain.shape, wide_dtype(plain.dtype))
    if plain.dtype.names:
        for name in plain.dtype.names:
            _fill(out, name, plain[name], [np.asarray(s)[name] for s in slopes])
        return out
    if plain.dtype != np.float64:
        return plain.copy()
    numbers = parts(out)
    numbers[..., 0] = plain
    for k, slope in enumerate(slopes):
        numbers[..., k + 1] = slope
    return out


def _fill(out: np.ndarray, name: str, values: np.ndarray, slopes: list[np.ndarray]) -> None:
    if values.dtype != np.float64:
        out[name] = values
        return
    numbers = np.zeros((*values.shape, WIDTH + 1))
    numbers[..., 0] = values
    for k, slope in enumerate(slopes):
        numbers[..., k + 1] = slope
    out[name] = numbers.view(DUAL)[..., 0]


class Rows:
    """A block of dual arrays: its row of integers, and the arrays, which it keeps alive."""

    def __init__(self, block: Block, slopes: list[Any], addresses: Mapping[str, Any] | None = None):
        self.arrays: dict[str, np.ndarray] = {}
        kind = wide_block(type(block).type_of_all())
        self.row = np.zeros(kind.size, np.int64)
        for name, array in block._asdict().items():
            wide = widen(array, [getattr(one, name) for one in slopes])
            for place in np.ndindex(wide.shape) if name in (addresses or {}) else ():
                wanted = (addresses or {})[name]
                wide[place] = twin(int(wide[place])) if wanted is None or place[-1] in wanted else 0
            self.arrays[name] = wide = np.ascontiguousarray(wide)
            at = kind.first[name]
            self.row[at] = wide.ctypes.data
            self.row[at + 1 : at + 1 + wide.ndim] = wide.shape

"""The types of Python values, of NumPy dtypes and of annotations."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from .types import SCALARS, Array, Record, Scalar, Tuple, Type, boolean, float64, int64


def of_dtype(dtype: np.dtype) -> Scalar | Record:
    """The type of the elements of a NumPy array."""
    if dtype.names:
        return Record(np.dtype(dtype))
    if dtype.str[1:] not in SCALARS or not dtype.isnative:
        raise TypeError(
            f"kernels have no numbers of type {dtype}: use {', '.join(map(str, SCALARS.values()))}"
        )
    return SCALARS[dtype.str[1:]]


def typeof(value: Any) -> Type:
    """The type of a Python value that is passed to a kernel."""
    if (kind := getattr(value, "kernel_type", None)) is not None:  # blocks, pointers
        return kind
    if isinstance(value, np.ndarray) and value.ndim:
        return Array(of_dtype(value.dtype), value.ndim)
    for python, kind in (((bool, np.bool_), boolean), ((int, np.integer), int64), (float, float64)):
        if isinstance(value, python):
            return kind
    if isinstance(value, tuple):
        return Tuple(tuple(map(typeof, value)), type(value) if hasattr(value, "_fields") else None)
    raise TypeError(f"kernels take numbers, arrays and blocks, not {_kind_of(value)}")


def _kind_of(value: Any) -> str:
    return "an array without dimensions" if isinstance(value, np.ndarray) else type(value).__name__


def declared(function: Callable) -> tuple[Type, ...] | None:
    """The types of all arguments from their annotations, or None if one is missing. The annotation
    of a block is its class.
    """
    names = inspect.getfullargspec(function).args
    if not names or not set(names) <= set(function.__annotations__):
        return None
    annotated = inspect.get_annotations(function, eval_str=True)
    python = {float: float64, int: int64, bool: boolean}
    kinds: list[Any] = [annotated[name] for name in names]
    return tuple(
        kind if isinstance(kind, Type) else python.get(kind) or kind.type_of_all() for kind in kinds
    )

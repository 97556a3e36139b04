"""Arguments as users give them, checked in one place per kind: numbers, vectors, counts, flags,
names, functions, paths.

Each check returns the plain value (float, int, bool, str, array, Path) or raises a ModelError whose
sentence begins with `what`. A number is a float, an int, or anything real that converts to float
without loss of meaning: NumPy scalars and 0-d arrays of real dtypes, Decimal, Fraction. Truth
values, text, bytes, dates, complex and masked values are not numbers.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from numbers import Integral
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from ..errors import ModelError, short

LARGE = 1e150  # the largest number to compute with
SMALL = 1.0 / LARGE  # the smallest besides zero
MANY = 2**63  # whole numbers stay below this in arrays
_PLAIN = (float, int)
_REAL = "fiu"  # kinds of dtype that are real numbers
_NO_NUMBERS = (bool, complex, str, bytes, bytearray, memoryview, set, frozenset, Mapping)

Kind = TypeVar("Kind")


# --- numbers
# --------------------------------------------------------------------------------------------------------


def numbers(value: Any, count: int | None, what: str) -> np.ndarray:
    """Array of `count` finite numbers; None allows any number of them."""
    if (
        type(value) in (tuple, list)
        and len(value) == count
        and all(type(x) in _PLAIN and -LARGE <= x <= LARGE for x in value)
    ):
        return np.array(value, float)  # most of what is given, without ado
    if (
        type(value) is np.ndarray
        and value.dtype == float
        and value.shape == (count,)
        and np.abs(value).max(initial=0.0) <= LARGE
    ):
        return value
    array = _array(value)
    if array is None or array.ndim != 1 or count not in (None, len(array)):
        raise ModelError(
            f"{what} must be {'numbers in a row' if count is None else f'{count} numbers'}, got "
            f"{short(value)}."
        )
    _refuse_unfit(array, what, value)
    return array


def points(value: Any, what: str) -> np.ndarray:
    """Array (n, 3) of finite points."""
    array = _array(value)
    if array is None or array.ndim != 2 or array.shape[1] != 3:
        raise ModelError(f"{what} must be rows of three numbers, got {short(value)}.")
    _refuse_unfit(array, what, value)
    return array


def number(value: Any, what: str, positive: bool = False, at_least_zero: bool = False) -> float:
    """One finite number as a float; a number below SMALL becomes zero."""
    if type(value) in _PLAIN and -LARGE <= value <= LARGE:
        result = float(value)
    else:
        found = _real(value)
        if found is None:
            raise ModelError(f"{what} must be a number, got {short(value)}.")
        if not -LARGE <= found <= LARGE:
            _refuse_unfit(np.array([found]), what, value)
        result = found
    if result and abs(result) < SMALL:  # products and quotients of it would be zero or infinite
        if positive and result > 0.0:
            raise ModelError(
                f"{what} is too small to compute with, got {short(value)}; use SI units."
            )
        result = 0.0
    if positive and result <= 0.0:
        raise ModelError(f"{what} must be positive, got {short(value)}.")
    if at_least_zero and result < 0.0:
        raise ModelError(f"{what} must not be negative, got {short(value)}.")
    return result


def together(what: str, **given: Any) -> tuple[np.ndarray, ...]:
    """Arrays of finite numbers, broadcast to a common shape."""
    found = []
    for name, value in given.items():
        array = _array(value)
        if array is None:
            raise ModelError(
                f"{what}: {name} must be a number or an array of numbers, got {short(value)}."
            )
        _refuse_unfit(array, f"{what}: {name}", value)
        found.append(array)
    try:
        return tuple(np.broadcast_arrays(*found))
    except ValueError:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in zip(given, found))
        raise ModelError(f"{what}: the shapes of {shapes} do not go together.") from None


def check(
    thing: Any,
    *names: str,
    positive: bool = False,
    at_least_zero: bool = False,
    optional: bool = False,
) -> None:
    """Check that attributes are finite numbers and store them as floats; `optional` ones may be
    None.
    """
    for name in names:
        value = getattr(thing, name)
        if value is None and optional:
            continue
        found = number(value, f"{type(thing).__name__}: {name}", positive, at_least_zero)
        if type(value) not in _PLAIN or found != value:
            object.__setattr__(thing, name, found)


def check_inputs(thing: Any, *names: str) -> None:
    """Store attributes that are numbers, also those in tuples, as floats; names, functions and None
    are unchanged.

    Numbers that are not finite are unchanged, too: lowering refuses them with the name of the
    element.
    """
    for name in names:
        value = getattr(thing, name)
        found = tuple(map(_plain, value)) if isinstance(value, (tuple, list)) else _plain(value)
        object.__setattr__(thing, name, found)


def _plain(value: Any) -> Any:
    found = _real(value)
    return value if found is None or not -LARGE <= found <= LARGE else found


def check_rows(thing: Any, **counts: int | None) -> None:
    """Check that attributes have the given counts of finite numbers (None: any), and store them as
    tuples of floats.
    """
    for name, count in counts.items():
        found = numbers(getattr(thing, name), count, f"{type(thing).__name__}: {name}")
        object.__setattr__(thing, name, tuple(found.tolist()))


def whole(value: Any, what: str, least: int | None = None, most: int | None = None) -> int:
    """An integer from `least` to `most`."""
    if isinstance(value, (bool, np.bool_, np.timedelta64)) or not isinstance(value, Integral):
        raise ModelError(f"{what} must be a whole number, got {short(value)}.")
    found = int(value)
    if abs(found) >= MANY:
        raise ModelError(f"{what} is too large to count with, got {short(value)}.")
    if least is not None and found < least:
        raise ModelError(f"{what} must be at least {least}, got {short(value)}.")
    if most is not None and found > most:
        raise ModelError(f"{what} must be at most {most}, got {short(value)}.")
    return found


def is_number(value: Any) -> bool:
    """Whether a value is a real number, finite or not."""
    return _real(value) is not None


def _real(value: Any) -> float | None:
    """A real number as a float, infinite if it is too large; None for other values."""
    if isinstance(value, _NO_NUMBERS) or value is None:
        return None
    kind = getattr(getattr(value, "dtype", None), "kind", _REAL[0])
    if kind == "O" and isinstance(value, np.ndarray) and value.ndim == 0:
        return _real(value.item())
    if (
        kind not in _REAL
        or np.ma.is_masked(value)
        or getattr(value, "ndim", 0) != 0
        or not hasattr(type(value), "__float__")
    ):
        return None
    try:
        with np.errstate(over="ignore"):
            return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
    except Exception:  # of an object that only claims to be a number
        return None


def _array(value: Any) -> np.ndarray | None:
    """Array of floats of any shape; None if one of the values is not a number."""
    if isinstance(value, _NO_NUMBERS) or (
        isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value)
    ):
        return None
    try:
        given = value if isinstance(value, np.ndarray) else np.asarray(value, object)
    except Exception:  # ragged lists, and objects whose conversion fails
        return None
    if given.dtype.kind in _REAL:
        with np.errstate(over="ignore"):
            return given.astype(float)
    if given.dtype.kind != "O":
        return None
    found = [_real(x) for x in given.flat]
    return None if None in found else np.array(found, float).reshape(given.shape)


def shape_of(value: Any) -> tuple[int, ...] | None:
    """Shape of a number, list or array of numbers; None if there are other values in it."""
    array = _array(value)
    return None if array is None else array.shape


def _refuse_unfit(array: np.ndarray, what: str, value: Any) -> None:
    """Raise ModelError for numbers that are NaN, infinite, or too large to compute with."""
    if np.all(np.abs(array) <= LARGE):
        return
    if np.isfinite(array).all() or isinstance(value, int):
        raise ModelError(f"{what} is too large to compute with, got {short(value)}; use SI units.")
    raise ModelError(f"{what} must be finite, got {short(value)}.")


# --- words, flags and things
# ------------------------------------------------------------------------------------------


def flag(value: Any, what: str) -> bool:
    """True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise ModelError(f"{what} must be True or False, got {short(value)}.")
    return bool(value)


def check_flags(thing: Any, *names: str) -> None:
    """Check that attributes are True or False."""
    for name in names:
        flag(getattr(thing, name), f"{type(thing).__name__}: {name}")


def word(value: Any, what: str) -> str:
    """A name given as text."""
    if not isinstance(value, str) or not value:
        raise ModelError(f"{what} must be a name, got {short(value)}.")
    return value


def row(value: Any, what: str, of: str = "a list") -> tuple[Any, ...]:
    """Items of a list, tuple or array; other values, also text, are refused."""
    array = isinstance(value, np.ndarray) and value.ndim > 0 and not np.ma.is_masked(value)
    if not array and not isinstance(value, (tuple, list, range)):
        raise ModelError(f"{what} must be {of}, got {short(value)}.")
    return tuple(value)


def items(value: Any, what: str, of: str) -> tuple[Any, ...]:
    """Items of any iterable, also of a generator."""
    try:
        return tuple(value)
    except Exception:  # none, or iterating over them fails
        raise ModelError(f"{what} must be {of}, got {short(value)}.") from None


def words(value: Any, what: str, like: str = "A.angle") -> tuple[str, ...]:
    """A tuple of names, from one name or several."""
    found = (
        (value,) if isinstance(value, str) else row(value, what, f"several names, like ['{like}']")
    )
    for one in found:
        if not isinstance(one, str) or not one:
            raise ModelError(f"{what} must be several names, like ['{like}'], got {short(value)}.")
    return found


def mapping(value: Any, what: str, like: str) -> dict[Any, Any]:
    """A dict whose keys are names."""
    if not isinstance(value, Mapping) or not all(isinstance(name, str) for name in value):
        raise ModelError(f"{what} must be a dict like {like}, got {short(value)}.")
    return dict(value)


def a_function(value: Any, what: str, signature: str) -> Callable[..., Any]:
    """A callable; `signature` is the expected call in the error message."""
    if not callable(value):
        raise ModelError(f"{what} must be callable, as a function {signature}, got {short(value)}.")
    return value


def instance(value: Any, kind: type[Kind], what: str, said: str = "") -> Kind:
    """An object of a class; `said` is the name of the class in the error message."""
    if not isinstance(value, kind):
        raise ModelError(f"{what} must be {said or f'a kt.{kind.__name__}'}, got {short(value)}.")
    return value


def a_path(value: Any, what: str) -> Path:
    """Path of a file from text or a path object: not empty, without NUL, not the root or the current
    folder.
    """
    try:
        text = os.fspath(value) if isinstance(value, (str, os.PathLike)) else None
    except Exception:  # of an object that only claims to be a path
        text = None
    if not isinstance(text, str) or not text.strip() or "\0" in text:
        raise ModelError(f"{what} must be the path of a file, got {short(value)}.")
    try:
        os.fsencode(text)
    except UnicodeEncodeError:
        raise ModelError(
            f"{what} must be the path of a file, got {short(value)}, which cannot be encoded."
        ) from None
    if not Path(text).name:
        raise ModelError(
            f"{what} must be the path of a file, got {short(value)}, which is a folder."
        )
    return Path(text)

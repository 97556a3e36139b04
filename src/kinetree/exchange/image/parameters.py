"""Parameters of an image: which numbers of the arena depend on them, as polynomials.

Images of the same model with other values of the parameters are compared, as models are in studies
(studies/parameters): at both ends of each range and at values inside, then at points where all
parameters differ. A number that is no polynomial of low degree is refused, except scales of error
tests, which keep their values.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ...core.checks import mapping
from ...errors import ModelError, counted
from ...kernel.frames import number
from ...studies.parameters.map import OFFSETS, POINTS, SEED
from ...studies.parameters.polynomials import Terms, fit
from ...studies.parameters.source import Source
from .image import Image
from .prepare import Blocks

# fields of `settings`, and arrays, that only scale error tests: any value near the right one will do
_SCALES = ("length", "accepted", "closure", "absorbed", "force", "floor")
_SCALE_ARRAYS = ("floor", "u_floor", "run.control")
_NUMBERS_IN = ("tables", "seen", "run", "session", "view", "frames", "outputs")

Make = Callable[[dict[str, float]], tuple[Image, "Words"]]


class Words(NamedTuple):
    """The floats of an arena: their places, which belong to the initial state, which only scale
    error tests, and their names.
    """

    places: np.ndarray
    start: np.ndarray
    scale: np.ndarray
    names: tuple[str, ...]


class Parameter(NamedTuple):
    """One parameter with its range."""

    name: str
    low: float
    high: float
    start: float


def words_of(blocks: Blocks, places: Mapping[str, int]) -> Words:
    """The floats in the blocks of an image that may depend on parameters."""
    found: dict[int, tuple[bool, bool, str]] = {}
    for block in _NUMBERS_IN:
        for name, array in blocks.by_name[block]._asdict().items():
            full = f"{block}.{name}"
            for offset, what in _floats(array, full):
                start = full == "session.y" or (
                    full == "run.vectors" and offset < 8 * _width(array)
                )
                inside = what.rpartition(".")[2].split("[")[0]
                scale = inside in _SCALES or full in _SCALE_ARRAYS or name in _SCALE_ARRAYS
                scale = scale or (full == "run.vectors" and not start)
                found.setdefault(places[full] + offset, (start, scale, what))
    rows = sorted(found.items())
    return Words(
        np.array([place for place, _ in rows], np.int64),
        np.array([one[0] for _, one in rows], bool),
        np.array([one[1] for _, one in rows], bool),
        tuple(one[2] for _, one in rows),
    )


def _width(array: np.ndarray) -> int:
    return array.shape[-1] if array.ndim == 2 else 0


def _floats(array: np.ndarray, name: str):
    """Offset and name of each float of an array."""
    if array.dtype.names:
        for row in range(len(array)):
            for field in array.dtype.names:
                kind, offset = array.dtype.fields[field][:2]  # type: ignore[index]
                if kind.base.kind == "f":
                    for k in range(math.prod(kind.shape)):
                        where = row * array.dtype.itemsize + offset + 8 * k
                        yield where, f"{name}[{row}].{field}" + (f"[{k}]" if kind.shape else "")
    elif array.dtype.kind == "f":
        for k in range(array.size):
            yield 8 * k, f"{name}[{k}]"


def parameters_of(source: Source, given: Mapping[str, Any], what: str) -> list[Parameter]:
    """The parameters that a user names, with their ranges; they start at their defaults."""
    given = mapping(given, f"{what}: parameters", '{"mass": (1.0, 2.0)}')
    source.check(given)
    found = []
    for name, limits in given.items():
        if not isinstance(limits, (tuple, list)) or len(limits) != 2:
            raise ModelError(
                f"{what}: parameters[{name!r}] must be the range of values, such as (1.0, 2.0), got "
                f"{limits!r}."
            )
        low, high = (number(x, f"{what}: parameters[{name!r}]") for x in limits)
        if not low < high:
            raise ModelError(f"{what}: the range of {name!r} must increase, got {limits!r}.")
        start = source.defaults.get(name, 0.5 * (low + high))
        start = number(start, f"{what}: the default of {name!r}")
        if not low <= start <= high:
            raise ModelError(
                f"{what}: the default of {name!r}, {start:g}, is outside of its range {limits!r}."
            )
        found.append(Parameter(name, low, high, start))
    return found


def with_parameters(make: Make, parameters: list[Parameter]) -> Image:
    """The image at the starts of the parameters, with the polynomials of all numbers."""
    sampler = _Sampler(make, parameters)
    image, words = sampler.base, sampler.words
    changed, depends = sampler.dependence()
    sizes = np.abs(sampler.numbers(image))
    terms, irregular = fit(depends[changed], changed, sizes, sampler.sample)
    serious = [k for k in irregular if not words.scale[k]]
    if serious:
        names = ", ".join(words.names[k].partition(".")[2] for k in serious[:3])
        what = "the initial state" if words.start[serious[0]] else f"the numbers {names}"
        raise ModelError(
            f"parameters {', '.join(repr(one.name) for one in parameters)}: {what} of the model "
            "cannot be written as polynomials of the parameters in these ranges. Use smaller ranges "
            "or other parameters, such as masses, stiffnesses, dampings and forces."
        )
    rows = [{"unit": "1", **one._asdict()} for one in parameters]
    header = {**image.header, "parameters": rows, "patches": _patches(words, terms)}
    return replace(image, header=header)


def _patches(words: Words, terms: list[Terms]) -> list[list[Any]]:
    """Place, whether it is part of the initial state, and terms (factor, parameters) of each number."""
    found = []
    for one in terms:
        powers = [[int(k) for k in np.repeat(np.arange(len(e)), e)] for e in one.exponents]
        for column, k in enumerate(one.numbers):
            own = [
                [float(c), power]
                for c, power in zip(one.coefficients[:, column], powers)
                if c != 0.0
            ]
            found.append([int(words.places[k]), bool(words.start[k]), own])
    return found


class _Sampler:
    """Images of one model at values of its parameters."""

    def __init__(self, make: Make, parameters: list[Parameter]) -> None:
        self._make, self._parameters = make, parameters
        self._low = np.array([one.low for one in parameters])
        self._half = 0.5 * (np.array([one.high for one in parameters]) - self._low)
        self.base, self.words = make({one.name: one.start for one in parameters})
        self._U, self._V = list[np.ndarray](), list[np.ndarray]()
        self._rng = np.random.default_rng(SEED)

    def dependence(self) -> tuple[np.ndarray, np.ndarray]:
        """The numbers that change, and (all numbers, parameters) which parameter changes each."""
        count = len(self._parameters)
        middle = self._at(np.zeros(count))
        depends = np.zeros((len(middle), count), bool)
        for k in range(count):
            for offset in OFFSETS:
                depends[:, k] |= self._at(offset * np.eye(count)[k]) != middle
        return np.flatnonzero(depends.any(axis=1)), depends

    def sample(self, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Scaled parameters and numbers at so many points at least, corners among them."""
        if count > POINTS:
            raise ModelError(
                f"the dependence on {counted(len(self._parameters), 'parameter', 'parameters')} "
                f"takes more than {POINTS} models to find; use fewer parameters."
            )
        while len(self._U) < count:
            u = self._rng.uniform(-1.0, 1.0, len(self._parameters))
            self._U.append(np.sign(u) if len(self._U) % 5 == 4 else u)
            self._V.append(self._at(self._U[-1]))
        return np.array(self._U), np.array(self._V)

    def numbers(self, image: Image) -> np.ndarray:
        """The floats of an image, which must have the structure of the first one."""
        found, first = _arena(image), _arena(self.base)
        same = {key: image.header[key] == self.base.header[key] for key in ("places", "kernels")}
        if not all(same.values()) or not np.array_equal(image.calls, self.base.calls):
            raise ModelError(_ANOTHER)
        others = np.ones(len(found), bool)
        others[self.words.places // 8] = False
        if not np.array_equal(found[others].view(np.int64), first[others].view(np.int64)):
            raise ModelError(_ANOTHER)
        return found[self.words.places // 8]

    def _at(self, u: np.ndarray) -> np.ndarray:
        values = self._low + self._half * (u + 1.0)
        names = [one.name for one in self._parameters]
        return self.numbers(self._make(dict(zip(names, values.tolist())))[0])


_ANOTHER = (
    "a parameter changes the structure of the model: the number of its parts, a choice, or a time at "
    "which a function breaks. Parameters of an exported model may change numbers only."
)


def _arena(image: Image) -> np.ndarray:
    whole = np.zeros(image.header["size"], np.uint8)
    whole[: len(image.content)] = image.content
    return whole.view(np.float64)

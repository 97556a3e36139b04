"""The numbers of a model as functions of its parameters, found by differencing models.

Models in which one parameter differs show which numbers depend on it: at both ends of its range,
at two values inside, and at all its values if there are few. Each of these numbers is a polynomial of
its parameters, checked at fresh points, or it is *irregular*: then every case builds its model and
has its numbers from there. Nothing is interpolated that was not verified.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property

import numpy as np

from ...errors import ModelError, counted
from .blueprint import Blueprint
from .polynomials import BESIDE, ROUNDING, Terms, fit

OFFSETS = (-1.0, -0.640625, 0.375, 1.0)  # of a parameter, in units of half its range
POINTS = 400  # models that are built at most
SEED = 20261118

Lower = Callable[[np.ndarray], Blueprint]


class ParameterMap:
    """Numbers of a blueprint for any values of the parameters in their ranges.

    Attributes
    ----------
    names : tuple of str
        The parameters.
    base : Blueprint
        The model in the middle of the ranges, or the nearest one that can be built.
    changed : ndarray of int
        The numbers that depend on parameters; all numbers if some of them are irregular.
    irregular : ndarray of int
        Those that are no polynomials: every case builds its model.
    """

    def __init__(
        self,
        names: Sequence[str],
        low: np.ndarray,
        high: np.ndarray,
        lower: Lower,
        levels: Sequence[np.ndarray] = (),
    ) -> None:
        self.names, self._lower = tuple(names), lower
        low, high = np.asarray(low, float), np.asarray(high, float)
        self.middle = 0.5 * (low + high)
        half = 0.5 * (high - low)
        self.half = np.where(half > 0.0, half, 1.0)
        self._fixed = half == 0.0
        self._U: list[np.ndarray] = []
        self._V: list[np.ndarray] = []
        self._rng = np.random.default_rng(SEED)
        self.built = 0
        self.base = self._build(np.zeros(len(self.names)))
        self._reference = self.base.numbers
        depends = self._dependence(levels or [np.zeros(0)] * len(self.names))
        self.changed = np.flatnonzero(depends.any(axis=1))
        self.depends = depends[self.changed]
        self.terms: list[Terms]
        self.terms, self.irregular = fit(self.depends, self.changed, self.base.sizes, self._sample)
        self._verify()
        if len(self.irregular):  # every case is built, and all its numbers are taken
            self.changed, self.depends = np.arange(len(depends)), depends

    @cached_property
    def lasting(self) -> str:
        """Which numbers that Python code reads depend on parameters, in words; "" if none does."""
        found = self._lasting
        return ", ".join(dict.fromkeys(found))

    @cached_property
    def changes_inertia(self) -> bool:
        """Whether masses or moments of inertia depend on parameters."""
        names = (self.base.name(int(k)) for k in self.changed)
        return any(name.endswith(".mass") or ".I_com" in name for name in names)

    def dependents(self, name: str) -> list[str]:
        """The numbers that depend on a parameter, in words."""
        k = self.names.index(name)
        return [self.base.name(int(n)) for n in self.changed[self.depends[:, k]]]

    def values(self, P: np.ndarray) -> np.ndarray:
        """(cases, changed) numbers at parameters (cases, parameters), where nothing is irregular."""
        U = (np.atleast_2d(np.asarray(P, float)) - self.middle) / self.half
        place = np.zeros(len(self._reference), int)
        place[self.changed] = np.arange(len(self.changed))
        found = np.tile(self._reference[self.changed], (len(U), 1))
        for terms in self.terms:
            found[:, place[terms.numbers]] = terms.values(U)
        return found

    def built_values(self, blueprint: Blueprint) -> np.ndarray:
        """The changed numbers of a model that was built; an error if others differ, too."""
        self.check(blueprint)
        numbers = blueprint.numbers
        rounding = ROUNDING * np.maximum(np.abs(self._reference), BESIDE * self.base.sizes)
        with np.errstate(invalid="ignore"):  # differences of infinite numbers
            near = np.abs(numbers - self._reference) <= rounding
        same = _equal(numbers, self._reference) | near
        same[self.changed] = True
        if not same.all():
            raise Unmapped("a number changes that did not change in the models compared before")
        return numbers[self.changed]

    def check(self, blueprint: Blueprint) -> None:
        """Raise an error if a model has another structure than the base."""
        if blueprint.structure != self.base.structure:
            raise AnotherStructure(self.base.difference(blueprint))

    # --- models compared

    def _build(self, u: np.ndarray) -> Blueprint:
        self.built += 1
        return self._lower(self.middle + self.half * np.where(self._fixed, 0.0, u))

    def _add(self, u: np.ndarray) -> np.ndarray:
        found = self._build(u)
        self.check(found)
        for what, mine in self.base.lasting.items():
            other = found.lasting[what]
            if mine.shape != other.shape or not _equal(mine, other).all():
                self._lasting.append(what)
        return found.numbers

    def _verify(self) -> None:
        """Compare the polynomials with all models in which one parameter differs from the middle."""
        if not self._single:
            return
        U, V = np.array([u for u, _ in self._single]), np.array([v for _, v in self._single])
        known = np.setdiff1d(self.changed, self.irregular)
        found = self.values(self.middle + self.half * U)[:, np.searchsorted(self.changed, known)]
        exact = V[:, known]
        size = np.maximum(np.abs(exact), BESIDE * self.base.sizes[known])
        with np.errstate(invalid="ignore"):
            same = _equal(found, exact) | (np.abs(found - exact) <= 10.0 * ROUNDING * size)
        self.irregular = np.union1d(self.irregular, known[~same.all(axis=0)]).astype(int)

    def _dependence(self, levels: Sequence[np.ndarray]) -> np.ndarray:
        count = len(self.names)
        depends = np.zeros((len(self._reference), count), bool)
        self._lasting: list[str] = []
        self._single: list[tuple[np.ndarray, np.ndarray]] = []
        for i in range(count):
            own = (np.asarray(levels[i], float) - self.middle[i]) / self.half[i]
            for offset in () if self._fixed[i] else np.unique([*OFFSETS, *own]):
                u = np.zeros(count)
                u[i] = offset
                self._single.append((u, self._add(u)))
                depends[:, i] |= ~_equal(self._single[-1][1], self._reference)
        return depends

    def _sample(self, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Scaled parameters and numbers of at least so many models; corners are among them."""
        if count > POINTS:
            raise ModelError(
                f"the dependence on {counted(len(self.names), 'parameter', 'parameters')} takes "
                f"more than {POINTS} models to find; use fewer parameters."
            )
        while len(self._U) < count:
            u = self._rng.uniform(-1.0, 1.0, len(self.names))
            u = np.where(self._fixed, 0.0, np.sign(u) if len(self._U) % 5 == 4 else u)
            self._V.append(self._add(u))
            self._U.append(u)
        return np.array(self._U), np.array(self._V)


class AnotherStructure(Exception):
    """A model of a study has other parts than the others; the text names them."""


class Unmapped(Exception):
    """A model of a study differs from the base in a way that the map does not know."""


def _equal(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return (a == b) | (np.isnan(a) & np.isnan(b))

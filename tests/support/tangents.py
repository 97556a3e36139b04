"""Dual numbers against differences: the right-hand side of a model along a random direction."""

from __future__ import annotations

import numpy as np

from kinetree.engine.integrators.tangents import (
    TangentArrays,
    project_with_tangents,
    rhs_with_tangents,
)
from kinetree.kernel.decorators import compiled
from kinetree.kernel.runtime.entry import entry
from kinetree.kernel.runtime.tangents import tangents
from kinetree.kernel.tables.records import Tables
from kinetree.kernel.tables.signatures import signatures

VARIED = "links sensors primitives terms forces markers signals pool".split()
STEP = 1e-6  # of the direction: differences of order h^2, rounding 1e-16 / h


def random_slopes(tables: Tables, rng: np.random.Generator, varied=VARIED) -> Tables:
    """A random direction of the floats of the tables; whole numbers may be flags, and stay."""
    found = {}
    for name, array in tables._asdict().items():
        slope = np.zeros_like(np.asarray(array))
        if name in varied:
            for part in array.dtype.names or (None,):
                values = np.asarray(array if part is None else array[part])
                if values.dtype.kind == "f":
                    free = np.isfinite(values) & (values != np.round(values))
                    given = np.where(free, values, 0.0) * rng.normal(size=values.shape)
                    if part is None:
                        slope[...] = given
                    else:
                        slope[part] = given
        found[name] = slope
    return Tables(**found)


def moved(tables: Tables, slopes: Tables, h: float) -> Tables:
    """The tables moved along their direction."""
    found = {}
    for name, array in tables._asdict().items():
        plain, slope = np.array(array), getattr(slopes, name)
        if plain.dtype.kind == "f":
            plain = plain + h * slope
        for part in plain.dtype.names or ():
            if plain[part].dtype.kind == "f":
                plain[part] = plain[part] + h * slope[part]
        found[name] = plain if name in VARIED else array
    return Tables(**found)


class Compared:
    """Values and derivatives of `rhs` and `project` of a formulation along one direction."""

    def __init__(self, model, method, t, y, seed: int = 0, varied=VARIED) -> None:
        rng = np.random.default_rng(seed)
        self.tables, self.t, self.y, self.n = model.tables, t, y, len(y)
        self.method, self.model = method, model
        self.slopes, self.s = random_slopes(model.tables, rng, varied), rng.normal(size=len(y))
        work = [model.workspace(method.storage)._replace(failed=np.zeros(2 * self.n)) for _ in "ab"]
        self.arrays = TangentArrays(
            model.tables, *work, method.rhs, method.project, [self.slopes], self.n
        )
        self.work, self.clock = work[0], rng.normal()
        self.arrays.clocks[0, 1] = self.clock  # the derivative of the time

    def duals(self, names=("rhs", "project")) -> dict[str, np.ndarray]:
        """Values and derivatives by dual numbers."""
        found = {}
        _, _, rhs, project = signatures()
        both = np.concatenate([self.y, self.s])
        if "rhs" in names:
            out = np.zeros(2 * self.n)
            f = entry("rhs", *tangents().find(rhs_with_tangents, rhs.args))
            assert f(self.arrays.tables, self.work, self.t, both, out) == 0
            found["rhs"] = out
        if "project" in names:
            f = entry("project", *tangents().find(project_with_tangents, project.args))
            out = both.copy()
            assert f(self.arrays.tables, self.work, self.t, out) == 0
            found["project"] = out
        return found

    def plain(self, h: float, names=("rhs", "project")) -> dict[str, np.ndarray]:
        """Values at the state and the tables moved by h along the direction."""
        tables, found = moved(self.tables, self.slopes, h), {}
        _, _, rhs, project = signatures()
        work = self.model.workspace(self.method.storage)
        y, t = self.y + h * self.s, self.t + h * self.clock
        if "rhs" in names:
            out = np.zeros(self.n)
            assert compiled(self.method.rhs, rhs)(tables, work, t, y.copy(), out) == 0
            found["rhs"] = out
        if "project" in names:
            out = y.copy()
            assert compiled(self.method.project, project)(tables, work, t, out) == 0
            found["project"] = out
        return found

    def differences(self, names=("rhs", "project")) -> dict[str, np.ndarray]:
        """Derivatives by central differences."""
        up, down = self.plain(STEP, names), self.plain(-STEP, names)
        return {name: (up[name] - down[name]) / (2.0 * STEP) for name in names}

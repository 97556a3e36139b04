"""The interface of the equations of motion: eight kernels that any source of equations supplies.

    qdot = N(q) v       M(q) vdot = f(t, q, v, x) - G(t, q)^T lam
    g(t, q) = 0,   G v = nu = -g_t,   G vdot = gamma

    equations(tables, work, t, q, v, x)
        writes M (lower half along `dof_parent`), f, G, gamma and xdot into work
    positions(tables, work, q)
        prepares the next three at a position
    values(tables, work, t, q, x)
        writes g, and `report.max_distance`: the largest distance from the origin (m)
    jacobian(tables, work, q)
        writes G at the time of the last call of `values` or `velocities`
    velocities(tables, work, t, q)
        writes nu
    shift(tables, work, q, delta)
        q <- q (+) delta, a finite step in velocity coordinates; delta = 0 normalizes q
    rates(tables, work, q, v, y, ydot)
        writes qdot = N v and the rates of x at the state of the last call of `equations`
    driver_is_continuous(tables, work, a, b) -> Status
        checks whether prescribed motions jump between the times a and b

Kernels call these through addresses in `tables.equations`. A formulation is therefore compiled
once for all sources of equations, and generated code can supply them. `tables.settings` has the
sizes nq, nv, nx, ng and the length scale of the model, `tables.dof_parent` the pattern of M (k - 1
for a full matrix), `tables.turns` 1 where a velocity is an angular velocity.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ...kernel import types
from ...kernel.decorators import JIT, inline, kernel
from ...kernel.intrinsics import address_of, by_address
from ...kernel.tables.records import NO_EQUATIONS, Tables
from ...kernel.tables.signatures import signatures
from ...kernel.tables.workspace import Work
from ...kernel.types import Vector

EQUATIONS, POSITIONS, VALUES, JACOBIAN, VELOCITIES, SHIFT, RATES, CONTINUITY = range(8)


class EquationsOfMotion(NamedTuple):
    """The kernels of the interface, in the order of `tables.equations`."""

    equations: Callable
    positions: Callable
    values: Callable
    jacobian: Callable
    velocities: Callable
    shift: Callable
    rates: Callable
    driver_is_continuous: Callable | None = None  # None: prescribed motions never jump

    def addresses(self) -> np.ndarray:
        """Addresses of the kernels, which are compiled or loaded now; 0 for a missing kernel."""
        pairs = zip(self, _signatures() if JIT else (None,) * len(NO_EQUATIONS))
        return np.array([0 if f is None else address_of(f, s) for f, s in pairs], np.int64)


@cache
def _signatures() -> tuple[Any, ...]:
    tables, work = signatures()[:2]
    none, t, a = types.none, types.float64, types.float64[::1]
    return (
        none(tables, work, t, a, a, a),
        none(tables, work, a),
        none(tables, work, t, a, a),
        none(tables, work, a),
        none(tables, work, t, a),
        none(tables, work, a, a),
        none(tables, work, a, a, a, a),
        types.int64(tables, work, t, t),
    )


_equations = by_address("tables, work, t, q, v, x", lambda: _signatures()[EQUATIONS])
_positions = by_address("tables, work, q", lambda: _signatures()[POSITIONS])
_values = by_address("tables, work, t, q, x", lambda: _signatures()[VALUES])
_jacobian = by_address("tables, work, q", lambda: _signatures()[JACOBIAN])
_velocities = by_address("tables, work, t, q", lambda: _signatures()[VELOCITIES])
_shift = by_address("tables, work, q, delta", lambda: _signatures()[SHIFT])
_rates = by_address("tables, work, q, v, y, ydot", lambda: _signatures()[RATES])
_continuity = by_address("tables, work, a, b", lambda: _signatures()[CONTINUITY])


@inline
def equations(tables, work, t, q, v, x):
    _equations(tables.equations[EQUATIONS], tables, work, t, q, v, x)


@kernel
def evaluate_equations(tables: Tables, work: Work, t: float, q: Vector, v: Vector, x: Vector):
    """`equations` with an entry point for Python."""
    equations(tables, work, t, q, v, x)


@inline
def positions(tables, work, q):
    _positions(tables.equations[POSITIONS], tables, work, q)


@inline
def values(tables, work, t, q, x):
    _values(tables.equations[VALUES], tables, work, t, q, x)


@inline
def jacobian(tables, work, q):
    _jacobian(tables.equations[JACOBIAN], tables, work, q)


@inline
def velocities(tables, work, t, q):
    _velocities(tables.equations[VELOCITIES], tables, work, t, q)


@inline
def shift(tables, work, q, delta):
    _shift(tables.equations[SHIFT], tables, work, q, delta)


@inline
def rates(tables, work, q, v, y, ydot):
    _rates(tables.equations[RATES], tables, work, q, v, y, ydot)


@inline
def driver_is_continuous(tables, work, a, b):
    address = tables.equations[CONTINUITY]
    return _continuity(address, tables, work, a, b) if address != 0 else 0

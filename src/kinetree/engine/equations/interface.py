"""What a plant is: whoever fills the equations of a machine, so that formulations and integrators
need not know it.

    qdot = N(q) v       M(q) vdot = f(t, q, v, x) - G(t, q)^T lam       g(t, q) = 0,   G v = nu =
                        -g_t,   G vdot = gamma

    equations(tables, work, t, q, v, x)     M (lower half along `dof_parent`), f, G, gamma and xdot,
                                            all into work
    positions(tables, work, q)              whatever the next three need of a position
    values(tables, work, t, q, x)           g there, and `report.far`: the largest distance from the
                                            origin (m)
    jacobian(tables, work, q)               G there, at the time that `values` or `velocities` was
                                            asked for last
    velocities(tables, work, t, q)          nu there
    shift(tables, work, q, delta)           q <- q (+) delta, a finite step in velocity coordinates;
                                            zero makes q proper
    rates(tables, work, q, v, y, ydot)      qdot = N v and the rates of x, at the state `equations`
                                            was asked for last
    driver_is_continuous(tables, work, a, b) -> Status  whether prescribed motions jump between the times a and
                                            b

A plant is a set of kernels of these signatures; kernels reach them through addresses in
`tables.plant`, so that nothing of a plant is compiled into a formulation, and one may come from
generated code. What it needs beside the tables of the tree is its own affair; `tables.settings` has
the sizes nq, nv, nx, ng and the size of the machine, `tables.dof_parent` the pattern of M (k - 1
for a full one), `tables.turns` 1 where a freedom is an angle.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ...kernel import types
from ...kernel.decorators import JIT, inline
from ...kernel.intrinsics import address_of, by_address
from ...kernel.tables.records import NO_PLANT
from ...kernel.tables.signatures import signatures

EQUATIONS, POSITIONS, VALUES, JACOBIAN, VELOCITIES, SHIFT, RATES, UNBROKEN = range(8)


class Plant(NamedTuple):
    """The kernels of a plant, in the order of `tables.plant`."""

    equations: Callable
    positions: Callable
    values: Callable
    jacobian: Callable
    velocities: Callable
    shift: Callable
    rates: Callable
    driver_is_continuous: Callable | None = None  # of a plant whose motions never jump

    def addresses(self) -> np.ndarray:
        """Where they lie, compiled or loaded now; nowhere what it does not have."""
        pairs = zip(self, _signatures() if JIT else (None,) * len(NO_PLANT))
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
_unbroken = by_address("tables, work, a, b", lambda: _signatures()[UNBROKEN])


@inline
def equations(tables, work, t, q, v, x):
    _equations(tables.plant[EQUATIONS], tables, work, t, q, v, x)


@inline
def positions(tables, work, q):
    _positions(tables.plant[POSITIONS], tables, work, q)


@inline
def values(tables, work, t, q, x):
    _values(tables.plant[VALUES], tables, work, t, q, x)


@inline
def jacobian(tables, work, q):
    _jacobian(tables.plant[JACOBIAN], tables, work, q)


@inline
def velocities(tables, work, t, q):
    _velocities(tables.plant[VELOCITIES], tables, work, t, q)


@inline
def shift(tables, work, q, delta):
    _shift(tables.plant[SHIFT], tables, work, q, delta)


@inline
def rates(tables, work, q, v, y, ydot):
    _rates(tables.plant[RATES], tables, work, q, v, y, ydot)


@inline
def driver_is_continuous(tables, work, a, b):
    address = tables.plant[UNBROKEN]
    return _unbroken(address, tables, work, a, b) if address != 0 else 0

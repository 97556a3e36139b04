"""Independent coordinates around a position: the map from joint coordinates z to all coordinates
that satisfy the constraints.

    q(z) = closure(q0 (+) E z),     G v = nu, P v = u,     P E = 1,  G E = 0

P selects as many velocities as there are degrees of freedom, those that move most in the null space
of G (pivoted QR), so that z are joint coordinates with names. They have the signs of the user's
joints, also if the tree runs against a joint. E extends them to all velocities. All systems are
solved by least squares, so redundant equations are allowed. (Coordinate partitioning, after Wehage
and Haug, 1982.)

Rows of velocities alone, as of rolling wheels, restrict v but not q. With `positions=True` they are
left out of G, so that z are all independent positions.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

import numpy as np

from ...assembly.result import Assembly
from ...assembly.system import System
from ...errors import SimulationError
from ...kernel.linalg import inv, lstsq, pivoted_qr, product, svd
from .refined_inverse import CUT, RefinedInverse

_ITERATIONS, _CHORD = 25, 0.2  # largest error reduction factor of a step with an old inverse


def least_squares(A: np.ndarray, b: np.ndarray, natural: np.ndarray) -> np.ndarray:
    """Solution of A v = b of least norm in natural units (angles in radians, lengths in model
    sizes).
    """
    if not A.size:
        return np.zeros((A.shape[1], *b.shape[1:]))
    scaled = lstsq(A / natural, b, rcond=CUT)
    return (scaled.T / natural).T


def null_space(G: np.ndarray, natural: np.ndarray) -> np.ndarray:
    """Columns N with G N = 0, orthonormal in natural units."""
    if not len(G):
        return np.diag(1.0 / natural)
    _, s, Vt = svd(G / natural)
    rank = int(np.sum(s > CUT * max(s[0], 1e-300)))
    return Vt[rank:].T / natural[:, None]


class Closing(NamedTuple):
    """Result of Newton's method: position, violation (m), iterations, and distance moved in natural
    units.
    """

    q: np.ndarray
    x: np.ndarray
    error: float
    iterations: int
    moved: float


def close_from(
    system: System,
    t: float,
    q: np.ndarray,
    x: np.ndarray,
    keep: np.ndarray | None = None,
    near: np.ndarray | None = None,
    jacobian: Callable[[], np.ndarray] | None = None,
) -> Closing:
    """Newton's method from q onto the constraints, with the rows `keep` of every step equal to
    zero.

    It converges quadratically if such a position exists; if not, the error stays large. The inverse
    `near` of nearby equations is used as long as it converges fast. `jacobian` returns G; by
    default that of all rows.
    """
    jacobian = jacobian or system.jacobian
    hold = np.zeros((0, len(system.natural))) if keep is None else keep * system.length
    error, moved = _size(system.values(t, q, x)), 0.0
    for k in range(_ITERATIONS):
        if error <= rounding(system):
            return Closing(q, x, error, k, moved)
        right = np.concatenate([-system.work.g * system.scale, np.zeros(len(hold))])
        if near is None:
            step = least_squares(np.vstack([jacobian(), hold]), right, system.natural)
        else:
            step = product(near, right) / system.natural
        q_new, x_new = system.shift(q, x, step)
        error_new = _size(system.values(t, q_new, x_new))
        if near is not None and not error_new < _CHORD * error:
            near = None
            system.values(t, q, x)
            continue
        if not error_new < 0.7 * error:
            system.values(t, q, x)
            return Closing(q, x, error, k, moved)
        q, x, error, moved = q_new, x_new, error_new, moved + _size(step * system.natural)
    return Closing(q, x, error, _ITERATIONS, moved)


def _size(a: np.ndarray) -> float:
    return float(np.abs(a).max(initial=0.0))


def rounding(system: System) -> float:
    """Violation caused by rounding, at the present distance from the origin."""
    return 4e-15 * max(system.length, float(np.abs(system.work.bodies["p"]).max()))


def is_closed(system: System, error: float) -> bool:
    return error <= 1e-11 * system.length + 10.0 * rounding(system)


def _independent(N: np.ndarray) -> np.ndarray:
    """Indices of the most independent rows of N, as many as it has columns."""
    return np.sort(pivoted_qr(N.T)[2][: N.shape[1]]) if N.shape[1] else np.zeros(0, int)


class IndependentCoordinates:
    """Independent coordinates at a state; `at` and `velocity` move away from it along the
    constraints.
    """

    def __init__(
        self, system: System, t: float, q: np.ndarray, x: np.ndarray, positions: bool = False
    ) -> None:
        self.system, self.t, self.q, self.x = system, t, q, x
        self.jacobian = system.position_jacobian if positions else system.jacobian
        system.values(t, q, x)
        G = self.jacobian()
        N, to_user = null_space(G, system.natural), _user_velocities(system)
        self.index = _independent(product(to_user, N) * system.natural[:, None])
        self.P = to_user[self.index]
        self.E = product(N, inv(product(self.P, N)))
        self.natural = system.natural[self.index]
        self._A = self._equations(G)

    def _equations(self, G: np.ndarray) -> np.ndarray:
        """[G; P] with all rows in meters, in natural units."""
        return np.vstack([G, self.P * self.system.length]) / self.system.natural

    @cached_property
    def _near(self) -> RefinedInverse:
        return RefinedInverse.of(self._A)

    @classmethod
    def of(cls, assembly: Assembly, positions: bool = False) -> IndependentCoordinates:
        return cls(System(assembly.compiled), assembly.t, assembly.q, assembly.x, positions)

    @property
    def freedoms(self) -> int:
        return len(self.index)

    @property
    def names(self) -> tuple[str, ...]:
        """The independent coordinates by name."""
        return tuple(dof_name(self.system, k) for k in self.index)

    def at(self, z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Position and states at the independent coordinates z, counted from the base position."""
        q, x = self.system.shift(self.q, self.x, product(self.E, z))
        found = close_from(
            self.system,
            self.t,
            q,
            x,
            self.P,
            self._near.inverse if len(self.system.scale) else None,
            self.jacobian,
        )
        if not is_closed(self.system, found.error):
            worst = self.system.compiled.row_owner[
                int(np.argmax(np.abs(self.system.work.g * self.system.scale)))
            ]
            raise SimulationError(
                f"the loops cannot be closed near this state: a gap of {found.error:.2g} m remains "
                f"at {worst!r}; the mechanism is at a dead point or at the end of its reach.",
                self.t,
                worst,
            )
        return found.q, found.x

    def velocity(self, u: np.ndarray) -> np.ndarray:
        """v with G v = nu and P v = u at the present position of the system."""
        return self._solved(np.concatenate([self.system.rates(self.t), u * self.system.length]))

    def tangent(self) -> np.ndarray:
        """Columns T with G T = 0 and P T = 1 at the present position of the system."""
        n = self.freedoms
        return self._solved(
            np.vstack([np.zeros((len(self.system.scale), n)), np.eye(n) * self.system.length])
        )

    def projected(self, f: np.ndarray) -> np.ndarray:
        """T^T f at the present position of the system: f reduced to the free directions.

        [G; P]^T (lam, r) = f,    T^T [G; P]^T (lam, r) = r
        """
        system, m = self.system, len(self.system.scale)
        if not m:
            return product(self.E.T, f)
        found = self._near.transposed.solve(self._equations(self.jacobian()).T, f / system.natural)
        return found[m:] * system.length

    def _solved(self, right: np.ndarray) -> np.ndarray:
        """Solution v of [G; P] v = right at the present position of the system."""
        if not len(self.system.scale):
            return product(self.E, right) / self.system.length  # P E = 1, both square
        return (self._near.solve(self._equations(self.jacobian()), right).T / self.system.natural).T


def _user_velocities(system: System) -> np.ndarray:
    """Matrix (nv, nv) from velocities of the tree to those of the user's joints, at the present
    position.

    They differ at joints that run against the tree and whose coordinates change when seen from the
    child: planar, translational and ball joints have rotated axes and opposite signs.
    """
    to_user = np.eye(system.compiled.size["nv"])
    for k, (joint, label) in enumerate(system.compiled.dof_owner):
        place = system.compiled.joints.get(joint)
        if place is not None and place.link and place.reversed and place.direct is None:
            to_user[k] = system.speed_row(place, label)
    return to_user


def dof_name(system: System, k: int | np.integer) -> str:
    """Name of a degree of freedom: "A.angle"; in Cartesian coordinates "crank.vx"."""
    joint, label = system.compiled.dof_owner[k]
    return f"{joint.removesuffix('@ground')}.{label}"


def differences(function, at: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """Jacobian by central differences of fourth order; column k with step steps[k].

    f' = (f(-2h) - 8 f(-h) + 8 f(h) - f(2h)) / 12 h
    """
    columns = []
    for k, h in enumerate(steps):
        shift = np.zeros(len(steps))
        shift[k] = h
        values = [np.asarray(function(at + s * shift)) for s in (-2.0, -1.0, 1.0, 2.0)]
        columns.append((values[0] - values[3] + 8.0 * (values[2] - values[1])) / (12.0 * h))
    return np.array(columns).T if columns else np.zeros((len(np.asarray(function(at))), 0))

"""Bushing: six linear springs and dampers between two frames.

    d = R_F^T (p_M - p_F),  phi = log(R_F^T R_M),   E = 1/2 d.K d + 1/2 phi.C phi
    force on j at M: -R_F (K d + D ddot),   torque on j: -R_F (J(phi)^-T C phi + ...)

The torque is the exact gradient of the energy for large turns too: phidot = J(phi)^-1 w with w the relative angular
velocity in F, so power balances to rounding. The reaction on body i acts at M, because d turns with F.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..annotations import SixDamping, SixStiffness
from ..frames import numbers
from ..num.jit import inline, kernel
from ..num.spatial import angular, load6, velocity_at
from ..num.vec3 import add, cross, load3, matmul, neg, norm, rotate, rotate_t, scale, sub
from .contract import Force, ends, frame, point_motion, push


@dataclass(frozen=True)
class Bushing(Force):
    """Stiffness and damping for (x, y, z, about x, about y, about z) of the first marker's frame.

    stiffness   six numbers, the first three along the axes and the last three about them (N/m and N m/rad)
    damping     the same per speed (N s/m and N m s/rad)
    """

    stiffness: tuple[SixStiffness, ...]
    damping: tuple[SixDamping, ...] = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)

    kind = "bushing"
    markers = (2, 2)
    look = "rubber"

    def __post_init__(self) -> None:
        numbers(self.stiffness, 6, "Bushing: stiffness")
        numbers(self.damping, 6, "Bushing: damping")

    def lower(self, row, to) -> None:
        row["first"] = to.pool([*self.stiffness, *self.damping])


@inline
def times(pool, first, a):
    """Diagonal matrix in the pool times a vector."""
    return pool[first] * a[0], pool[first + 1] * a[1], pool[first + 2] * a[2]


@inline
def rotation_vector(R):
    """phi = log(R), |phi| < pi."""
    s = (0.5 * (R[7] - R[5]), 0.5 * (R[2] - R[6]), 0.5 * (R[3] - R[1]))
    sine, cosine = norm(s), 0.5 * (R[0] + R[4] + R[8] - 1.0)
    angle = math.atan2(sine, cosine)
    return scale(1.0 if sine < 1e-12 else angle / sine, s)


@inline
def inverse_jacobian(phi, a, sign):
    """J(phi)^-1 a for sign -1 and J(phi)^-T a for sign +1:  a +- phi x a / 2 + k phi x (phi x a)."""
    angle = norm(phi)
    k = 1.0 / 12.0 if angle < 1e-4 else (1.0 - 0.5 * angle / math.tan(0.5 * angle)) / (angle * angle)
    b = cross(phi, a)
    return add(add(a, scale(0.5 * sign, b)), scale(k, cross(phi, b)))


@inline
def deflection(i, j, bodies):
    """R_WF, d and phi in F, and the point of M."""
    R_WF, R_WM = frame(i, bodies), frame(j, bodies)
    p_i, p_j = point_motion(i, bodies)[0], point_motion(j, bodies)[0]
    R_FM = matmul((R_WF[0], R_WF[3], R_WF[6], R_WF[1], R_WF[4], R_WF[7], R_WF[2], R_WF[5], R_WF[8]), R_WM)
    return R_WF, rotate_t(R_WF, sub(p_j, p_i)), rotation_vector(R_FM), p_j


@kernel
def apply(force, t, q, v, x, tables, work):
    i, j = ends(force, tables)
    R_WF, d, phi, p = deflection(i, j, work.bodies)
    a, b = work.bodies[i.body], work.bodies[j.body]
    V_i, V_j = load6(a.V), load6(b.V)
    slip = sub(velocity_at(V_j, sub(p, load3(b.O))), velocity_at(V_i, sub(p, load3(a.O))))
    ddot = rotate_t(R_WF, slip)
    phidot = inverse_jacobian(phi, rotate_t(R_WF, sub(angular(V_j), angular(V_i))), -1.0)
    f = add(times(tables.pool, force.first, d), times(tables.pool, force.first + 6, ddot))
    n = add(times(tables.pool, force.first + 3, phi), times(tables.pool, force.first + 9, phidot))
    torque, f = rotate(R_WF, inverse_jacobian(phi, n, 1.0)), rotate(R_WF, f)
    push(j, work.bodies, neg(torque), neg(f), p)
    push(i, work.bodies, torque, f, p)


@kernel
def energy(force, t, q, x, tables, work):
    i, j = ends(force, tables)
    _, d, phi, _ = deflection(i, j, work.bodies)
    f, n = times(tables.pool, force.first, d), times(tables.pool, force.first + 3, phi)
    return 0.5 * (d[0] * f[0] + d[1] * f[1] + d[2] * f[2] + phi[0] * n[0] + phi[1] * n[1] + phi[2] * n[2])

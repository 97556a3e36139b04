"""Bushing, or flexible joint: six springs and dampers between two frames, with optional coupling
and
nonlinear laws.

    d = R_F^T (p_M - p_F),  phi = log(R_F^T R_M),  z = (d, phi)
    E = 1/2 z.K z + sum of U_k(z_k)
    S = K z + U'(z) + D zdot;      force on j at M: -R_F S_d,   torque on j: -R_F J(phi)^-T S_phi

The torque is the exact gradient of the energy for large rotations too: phidot = J(phi)^-1 w, where
w is the relative angular velocity in F, so power balances to rounding. The reaction on body i acts
at M, because d rotates with F.

Over a step (`discrete`), z changes by an exact product rule, as in a beam element (kernel/algebra/strain.py):
with a = axial(R_F^T R_M), its cosine c and phi = s(c) a,

    phi_f - phi_i = s_m (a_f - a_i) + a_m s[c_f, c_i] (c_f - c_i)

and laws are replaced by their divided differences.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...core.quantities import ForceLaw, SixDamping, SixStiffness
from ...errors import ModelError, short
from ...kernel.algebra.rodrigues import transposed
from ...kernel.algebra.spatial import angular, load6, velocity_at
from ...kernel.algebra.strain import axial_matrix, mixed6, times
from ...kernel.algebra.vec3 import (
    add,
    cross,
    dot,
    load3,
    load9,
    matmul,
    neg,
    norm,
    rotate,
    rotate_t,
    scale,
    sub,
)
from ...kernel.decorators import inline, kernel
from ...kernel.frames import symmetric_matrix
from ...kernel.tables.poses import END, START
from .contract import Force, ends, frame, point_at, point_motion, push
from .laws import Characteristic, Polynomial, divided_law, law_integral, law_value, reflected

DAMPING, LAWS = (
    36,
    72,
)  # where they lie behind the stiffness in the pool: laws as (mode, first, count) of each direction
DIRECTIONS = ("x", "y", "z", "about_x", "about_y", "about_z")


@dataclass(frozen=True)
class Bushing(Force):
    r"""Bushing: springs and dampers in six directions between two markers.

    Parameters
    ----------
    stiffness : (6,) or (6, 6) array_like, default (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        Stiffness along and about the axes x, y, z of the first marker (N/m and N m/rad), as six
        numbers or a symmetric matrix.
    damping : (6,) or (6, 6) array_like, default (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        Damping coefficients in the same order (N s/m and N m s/rad).
    x : Polynomial or Characteristic, optional
        Law of the displacement along x, added to `stiffness` (N).
    y : Polynomial or Characteristic, optional
        Law of the displacement along y, added to `stiffness` (N).
    z : Polynomial or Characteristic, optional
        Law of the displacement along z, added to `stiffness` (N).
    about_x : Polynomial or Characteristic, optional
        Law of the rotation about x, added to `stiffness` (N m).
    about_y : Polynomial or Characteristic, optional
        Law of the rotation about y, added to `stiffness` (N m).
    about_z : Polynomial or Characteristic, optional
        Law of the rotation about z, added to `stiffness` (N m).

    See Also
    --------
    kt.SpringDamper : One direction.
    kt.Fixed : Rigid connection.

    Notes
    -----
    .. math::
        d = R_F^T (p_M - p_F), \qquad \varphi = \log(R_F^T R_M), \qquad z = (d, \varphi), \qquad
        S = K z + U'(z) + D \dot z

    The force on M is :math:`-R_F\,S_d` (N) and the torque
    :math:`-R_F\,J(\varphi)^{-T} S_\varphi` (N m), both at the origin of M; the opposite wrench acts
    on the body of F at the same point. F is the first marker, M the second, :math:`K` the
    `stiffness`, :math:`D` the `damping`, :math:`U'` the added laws and :math:`J` the Jacobian of
    the rotation vector :math:`\varphi`. Displacements and rotations are positive along and about
    the axes of F, for M seen from F: a bushing pulls back. The torque is the exact gradient of the
    energy for large rotations too.

    Examples
    --------
    A mount that is pressed in by 1 mm along x.

    >>> import kinetree as kt
    >>> model = kt.Model("mount", gravity=(0, 0, 0))
    >>> block = model.body("block", kt.box(mass=1.0, sides=(0.1, 0.1, 0.1)), position=(1e-3, 0, 0))
    >>> free = model.float(block)
    >>> rubber = kt.Bushing(stiffness=(2e5, 2e5, 1e6, 50.0, 50.0, 20.0))
    >>> mount = model.force("mount", rubber, model.ground, block)
    >>> sol = kt.simulate(model, until=1e-3)
    >>> print(f"{sol['mount.force.x'][0]:.1f} N")
    -200.0 N
    """

    stiffness: SixStiffness = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    damping: SixDamping = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    x: ForceLaw | None = None
    y: ForceLaw | None = None
    z: ForceLaw | None = None
    about_x: ForceLaw | None = None
    about_y: ForceLaw | None = None
    about_z: ForceLaw | None = None

    kind = "bushing"
    markers = (2, 2)
    look = "rubber"

    def __post_init__(self) -> None:
        for name in ("stiffness", "damping"):
            M = symmetric_matrix(getattr(self, name), 6, f"Bushing: {name}")
            whole = np.ndim(getattr(self, name)) == 2
            object.__setattr__(
                self, name, tuple(map(tuple, M.tolist())) if whole else tuple(np.diag(M).tolist())
            )
        for name in DIRECTIONS:
            law = getattr(self, name)
            if law is not None and not isinstance(law, (Polynomial, Characteristic)):
                raise ModelError(
                    f"Bushing: the law {name} must be a Polynomial or a Characteristic, got "
                    f"{short(law)}."
                )

    def mirrored(self, S: np.ndarray) -> Bushing:
        """Return K' = Q K Q with Q = diag(S, det(S) S).

        Displacements are mapped like points, rotations like angular velocities.
        """
        Q = np.concatenate([S, np.prod(S) * S])
        given = {name: np.array(getattr(self, name)) for name in ("stiffness", "damping")}
        found: dict[str, Any] = {
            name: K if K.ndim == 1 else Q[:, None] * K * Q for name, K in given.items()
        }
        laws: dict[str, Any] = {
            name: reflected(getattr(self, name), name)
            for name, sign in zip(DIRECTIONS, Q)
            if sign < 0.0
        }
        return replace(self, **found, **laws)

    def lower(self, row, to) -> None:
        laws: list[float] = []
        for name in DIRECTIONS:
            law: dict[str, Any] = {"mode": 0, "first": 0, "count": 0}
            if getattr(self, name) is not None:
                getattr(self, name).lower(law, to)
                row["count"] += 1
            laws += law.values()
        row["first"] = to.pool(
            [
                *symmetric_matrix(self.stiffness, 6, "").ravel(),
                *symmetric_matrix(self.damping, 6, "").ravel(),
                *laws,
            ]
        )


@inline
def law_of(pool, first, k):
    """Mode, index and length of the law of direction k; length zero means no law."""
    i = first + LAWS + 3 * k
    return int(pool[i]), int(pool[i + 1]), int(pool[i + 2])


@inline
def law_forces(force, pool, z_i, z_f):
    """Forces of the laws over a change from z_i to z_f in all directions; at one point if z_i
    = z_f.
    """
    return (
        law_over(pool, force.first, 0, z_i[0], z_f[0]),
        law_over(pool, force.first, 1, z_i[1], z_f[1]),
        law_over(pool, force.first, 2, z_i[2], z_f[2]),
        law_over(pool, force.first, 3, z_i[3], z_f[3]),
        law_over(pool, force.first, 4, z_i[4], z_f[4]),
        law_over(pool, force.first, 5, z_i[5], z_f[5]),
    )


@inline
def law_over(pool, first, k, a, b):
    mode, at, count = law_of(pool, first, k)
    if count == 0:
        return 0.0
    return (
        law_value(pool, mode, at, count, a) if a == b else divided_law(pool, mode, at, count, a, b)
    )


@inline
def stress(force, pool, z, zdot, z_i, z_f):
    """S as two three-vectors: springs at z, dampers at zdot, laws from z_i to z_f."""
    f, n = times(pool[force.first :], z)
    g, m = times(pool[force.first + DAMPING :], zdot)
    f, n = add(f, g), add(n, m)
    if force.count > 0:
        u = law_forces(force, pool, z_i, z_f)
        f, n = add(f, (u[0], u[1], u[2])), add(n, (u[3], u[4], u[5]))
    return f, n


@inline
def join6(a, b):
    return a[0], a[1], a[2], b[0], b[1], b[2]


@inline
def invariants(R):
    """a = n sin(angle), c = cos(angle) of a rotation, and s = angle / sin(angle)."""
    a, c = (
        (0.5 * (R[7] - R[5]), 0.5 * (R[2] - R[6]), 0.5 * (R[3] - R[1])),
        0.5 * (R[0] + R[4] + R[8] - 1.0),
    )
    sine = norm(a)
    return a, c, 1.0 if sine < 1e-12 else math.atan2(sine, c) / sine


@inline
def inverse_jacobian(phi, a, sign):
    """J(phi)^-1 a for sign -1 and J(phi)^-T a for sign +1:  a +- phi x a / 2 + k phi x (phi x a)."""
    angle = norm(phi)
    k = (
        1.0 / 12.0
        if angle < 1e-4
        else (1.0 - 0.5 * angle / math.tan(0.5 * angle)) / (angle * angle)
    )
    b = cross(phi, a)
    return add(add(a, scale(0.5 * sign, b)), scale(k, cross(phi, b)))


@inline
def deflection(i, j, bodies):
    """R_WF, d and phi in F, and the point of M."""
    R_WF, R_WM = frame(i, bodies), frame(j, bodies)
    p_i, p_j = point_motion(i, bodies)[0], point_motion(j, bodies)[0]
    a, _, s = invariants(matmul(transposed(R_WF), R_WM))
    return R_WF, rotate_t(R_WF, sub(p_j, p_i)), scale(s, a), p_j


@kernel
def apply(tables, work, force, t, q, v, x):
    i, j = ends(tables, force)
    R_WF, d, phi, p = deflection(i, j, work.bodies)
    a, b = work.bodies[i.body], work.bodies[j.body]
    V_i, V_j = load6(a.V), load6(b.V)
    slip = sub(velocity_at(V_j, sub(p, load3(b.O))), velocity_at(V_i, sub(p, load3(a.O))))
    phidot = inverse_jacobian(phi, rotate_t(R_WF, sub(angular(V_j), angular(V_i))), -1.0)
    z = join6(d, phi)
    f, n = stress(force, tables.pool, z, join6(rotate_t(R_WF, slip), phidot), z, z)
    torque, f = rotate(R_WF, inverse_jacobian(phi, n, 1.0)), rotate(R_WF, f)
    push(j, work.bodies, neg(torque), neg(f), p)
    push(i, work.bodies, torque, f, p)


@inline
def frame_at(work, marker, place):
    """World rotation of a marker at a row of `work.poses`."""
    return matmul(load9(work.poses[place, marker.body, 3:]), load9(marker.R))


@inline
def placed(work, i, j, place):
    """a, c, s and z at a row of `work.poses`."""
    R = frame_at(work, i, place)
    a, c, s = invariants(matmul(transposed(R), frame_at(work, j, place)))
    return (
        a,
        c,
        s,
        join6(rotate_t(R, sub(point_at(work, j, place), point_at(work, i, place))), scale(s, a)),
    )


@inline
def slope_of(c_i, s_i, c_f, s_f):
    """s[c_f, c_i]; for nearly equal arguments ds/dc = (c s - 1) / (1 - c^2) at their mean."""
    if abs(c_f - c_i) > 1e-5:
        return (s_f - s_i) / (c_f - c_i)
    c, s = 0.5 * (c_i + c_f), 0.5 * (s_i + s_f)
    y = 0.5 * (1.0 - c)
    return (
        -1.0 / 3.0 - y * (8.0 / 15.0 + y * 24.0 / 35.0)
        if y < 1e-4
        else (c * s - 1.0) / (1.0 - c * c)
    )


@kernel
def discrete(tables, work, force, t, h, x):
    """Mean wrench over a step in node coordinates, with the bodies at the averages of its ends.

    The work is exactly E_i - E_f.
    """
    i, j = ends(tables, force)
    a_i, c_i, s_i, z_i = placed(work, i, j, START)
    a_f, c_f, s_f, z_f = placed(work, i, j, END)
    f, n = stress(
        force,
        tables.pool,
        mixed6(0.5, z_i, 0.5, z_f),
        mixed6(1.0 / h, z_f, -1.0 / h, z_i),
        z_i,
        z_f,
    )
    R_F, R_M, p = frame(i, work.bodies), frame(j, work.bodies), point_motion(j, work.bodies)[0]
    P_a, P_c = (
        scale(0.5 * (s_i + s_f), n),
        slope_of(c_i, s_i, c_f, s_f) * dot(scale(0.5, add(a_i, a_f)), n),
    )
    X, f = matmul(matmul(R_F, axial_matrix(P_a, P_c)), transposed(R_M)), rotate(R_F, f)
    torque = (0.5 * (X[5] - X[7]), 0.5 * (X[6] - X[2]), 0.5 * (X[1] - X[3]))
    push(j, work.bodies, neg(torque), neg(f), p)
    push(i, work.bodies, torque, f, p)


@kernel
def energy(tables, work, force, t, q, x):
    i, j = ends(tables, force)
    _, d, phi, _ = deflection(i, j, work.bodies)
    z, total = join6(d, phi), 0.0
    f, n = times(tables.pool[force.first :], z)
    for k in range(6):
        mode, first, count = law_of(tables.pool, force.first, k)
        if count > 0:
            total += law_integral(tables.pool, mode, first, count, z[k])
    return total + 0.5 * (dot(d, f) + dot(phi, n))

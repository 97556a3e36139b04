"""Prescribed orientations: R_FD(t) with its angular velocity and acceleration, in the axes of F.

Each is a quaternion s of any length with two derivatives, given in one of these forms:

    AXES         rotations about axes n_k by angles a_k(t), the last one first:
                 s = s_1 o s_2 o ...,   s_k = (cos a/2, n sin a/2)
    VECTOR       a rotation vector r(t):  s = (c, k r),   c = cos(|r|/2),  k = sin(|r|/2) / |r|
    QUATERNION   four time functions, such as splines through the quaternions of given orientations

    R = R(s),    w = 2 vec(sdot s*) / |s|^2,
    wdot = 2 vec(sddot s*) / |s|^2 - 2 w (s.sdot) / |s|^2

because sdot sdot* and the rate of the length of s are scalars. No chart is used, so there is no
gimbal lock.
"""

import math

from ...kernel.algebra.quaternion import quat_matrix
from ...kernel.algebra.vec3 import add, dot, load3, scale, store3, store9, sub
from ...kernel.decorators import inline, internal_kernel
from ...kernel.tables.fault import checked
from ..signals.catalogue import KIND, signal_value

AXES, VECTOR, QUATERNION, CODE = range(4)  # CODE: equations by user code (user_rows.py)
_FUNCTION = KIND["function"]


@inline
def function(tables, work, n, t):
    """Value and derivatives of a time function; those of user code must be finite numbers."""
    signal = tables.signals[n]
    f = signal_value(tables.signal_kernels[signal.kind], signal, tables.pool, t)
    if signal.kind == _FUNCTION:
        checked(work.report[0], f[0] + f[1] + f[2])
    return f


@inline
def product(p, q):
    """p o q."""
    return (
        p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3],
        p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
        p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1],
        p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0],
    )


@inline
def sum4(a, p, b, q):
    """a p + b q."""
    return a * p[0] + b * q[0], a * p[1] + b * q[1], a * p[2] + b * q[2], a * p[3] + b * q[3]


@inline
def turn(n, f):
    """Quaternion of a rotation by f about the axis n, and its derivatives."""
    c, s = math.cos(0.5 * f[0]), math.sin(0.5 * f[0])
    q, across = (c, s * n[0], s * n[1], s * n[2]), (-s, c * n[0], c * n[1], c * n[2])
    return q, sum4(0.5 * f[1], across, 0.0, q), sum4(0.5 * f[2], across, -0.25 * f[1] * f[1], q)


@inline
def sine_series(u):
    """k = sin(x/2) / x as a function of u = x^2, and its derivatives with respect to u.

        k' = (cos(x/2) - 2 k) / (4 u),    k'' = -(k / 4 + 6 k') / (4 u)

    For u <= 1, where the quotients lose digits, the power series of k is summed.
    """
    if u > 1.0:
        x = math.sqrt(u)
        k = math.sin(0.5 * x) / x
        first = (math.cos(0.5 * x) - 2.0 * k) / (4.0 * u)
        return k, first, -(0.25 * k + 6.0 * first) / (4.0 * u)
    term, k, first, second = 0.5, 0.5, 0.0, 0.0
    power1, power2 = 1.0, 1.0  # u^(n-1), u^(n-2)
    for n in range(1, 11):
        term *= -0.25 / ((2.0 * n) * (2.0 * n + 1.0))
        k += term * power1 * u
        first += n * term * power1
        if n > 1:
            second += n * (n - 1) * term * power2
            power2 *= u
        power1 *= u
    return k, first, second


@inline
def exponential(r, rd, rdd):
    """Quaternion of a rotation vector and its derivatives; with u = r.r:  c' = -k/4,  c'' =
    -k'/4.
    """
    u, ud, udd = dot(r, r), 2.0 * dot(r, rd), 2.0 * (dot(rd, rd) + dot(r, rdd))
    k, k1, k2 = sine_series(u)
    kd, kdd = k1 * ud, k2 * ud * ud + k1 * udd
    v, vd = scale(k, r), add(scale(kd, r), scale(k, rd))
    vdd = add(add(scale(kdd, r), scale(2.0 * kd, rd)), scale(k, rdd))
    return (
        (math.cos(0.5 * math.sqrt(u)), v[0], v[1], v[2]),
        (-0.25 * k * ud, vd[0], vd[1], vd[2]),
        (-0.25 * (k1 * ud * ud + k * udd), vdd[0], vdd[1], vdd[2]),
    )


@internal_kernel
def quaternion_of(tables, work, n, t):
    """s, sdot, sddot of prescribed orientation n."""
    aim = tables.aims[n]
    if aim.kind == QUATERNION or aim.kind == VECTOR:
        a, b, c = (
            function(tables, work, aim.signal, t),
            function(tables, work, aim.signal + 1, t),
            function(tables, work, aim.signal + 2, t),
        )
        if aim.kind == VECTOR:
            return exponential((a[0], b[0], c[0]), (a[1], b[1], c[1]), (a[2], b[2], c[2]))
        d = function(tables, work, aim.signal + 3, t)
        return (a[0], b[0], c[0], d[0]), (a[1], b[1], c[1], d[1]), (a[2], b[2], c[2], d[2])
    s, sd, sdd = (1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0)
    for k in range(aim.count):
        q, qd, qdd = turn(
            load3(tables.pool[aim.first + 3 * k :]), function(tables, work, aim.signal + k, t)
        )
        both = sum4(2.0, product(sd, qd), 1.0, product(s, qdd))
        s, sd, sdd = (
            product(s, q),
            sum4(1.0, product(sd, q), 1.0, product(s, qd)),
            sum4(1.0, product(sdd, q), 1.0, both),
        )
    return s, sd, sdd


@inline
def vector_part(p, s):
    """vec(p s*)."""
    u, v = (p[1], p[2], p[3]), (s[1], s[2], s[3])
    crossed = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
    return sub(sub(scale(s[0], u), scale(p[0], v)), crossed)


@internal_kernel
def take_aim(tables, work, n, t):
    """Write R, w and wdot of prescribed orientation n into `work.aims`."""
    s, sd, sdd = quaternion_of(tables, work, n, t)
    twice = 2.0 / (s[0] * s[0] + s[1] * s[1] + s[2] * s[2] + s[3] * s[3])
    growth = twice * (s[0] * sd[0] + s[1] * sd[1] + s[2] * sd[2] + s[3] * sd[3])
    w = scale(twice, vector_part(sd, s))
    store9(work.aims[n], quat_matrix(s[0], s[1], s[2], s[3]))
    store3(work.aims[n, 9:], w)
    store3(work.aims[n, 12:], sub(scale(twice, vector_part(sdd, s)), scale(growth, w)))

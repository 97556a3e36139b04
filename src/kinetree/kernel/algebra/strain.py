"""Strain of a two-node beam element from the frames of its nodes only: objective and independent of
the path.

Nodes 1, 2 have positions x and frames R; D = x2 - x1. Seven invariants, each bilinear in positions
and directors:

    a = axial(R1^T R2) = n sin(phi),     b = (R1 + R2)^T D / 2L,
    c = (tr R1^T R2 - 1) / 2 = cos(phi)

and from them the logarithm of the relative pose, with s = phi / sin(phi), t = (s - 1) / sin^2(phi)
as polynomials in y = (1 - c) / 2 = sin^2(phi / 2):

    gamma = s b - t a (a.b),     L kappa = s a                       [Sonneville2014, sec. 3]
"""

from ..decorators import inline
from .rodrigues import transposed
from .vec3 import add, column, cross, dot, load3, matmul, rotate, rotate_t, scale, sub


@inline
def series(y):
    """s and t, and their derivatives with respect to c = 1 - 2y.

    s = 1 + 2/3 y + 8/15 y^2 + 16/35 y^3,     4t = 2/3 + 6/5 y + 58/35 y^2
    """
    s = 1.0 + y * (2.0 / 3.0 + y * (8.0 / 15.0 + y * (16.0 / 35.0)))
    t = 0.25 * (2.0 / 3.0 + y * (6.0 / 5.0 + y * (58.0 / 35.0)))
    return (
        s,
        t,
        -0.5 * (2.0 / 3.0 + y * (16.0 / 15.0 + y * (48.0 / 35.0))),
        -0.125 * (6.0 / 5.0 + y * (116.0 / 35.0)),
    )


@inline
def divided(y, z):
    """Divided differences of s and t in c between z (start) and y (end), and their derivatives with
    respect to the c of the end.
    """
    return (
        -0.5 * (2.0 / 3.0 + 8.0 / 15.0 * (y + z) + 16.0 / 35.0 * (y * y + y * z + z * z)),
        -0.125 * (6.0 / 5.0 + 58.0 / 35.0 * (y + z)),
        0.25 * (8.0 / 15.0 + 16.0 / 35.0 * (2.0 * y + z)),
        0.0625 * (58.0 / 35.0),
    )


@inline
def invariants(L, x1, R1, x2, R2):
    """(a, b, c)."""
    D = sub(x2, x1)
    b = scale(0.5 / L, add(rotate_t(R1, D), rotate_t(R2, D)))
    Q = matmul(transposed(R1), R2)
    return (
        (0.5 * (Q[7] - Q[5]), 0.5 * (Q[2] - Q[6]), 0.5 * (Q[3] - Q[1])),
        b,
        0.5 * (Q[0] + Q[4] + Q[8] - 1.0),
    )


@inline
def strain(a, b, c):
    """(gamma, L kappa)."""
    s, t, _, _ = series(0.5 * (1.0 - c))
    k = t * dot(a, b)
    return (
        s * b[0] - k * a[0],
        s * b[1] - k * a[1],
        s * b[2] - k * a[2],
        s * a[0],
        s * a[1],
        s * a[2],
    )


@inline
def strain_change(a, b, c, da, db, dc):
    """Change of the strain due to changes of the invariants."""
    s, t, s_c, t_c = series(0.5 * (1.0 - c))
    p = dot(a, b)
    k, dk = t * p, p * t_c * dc + t * (dot(a, db) + dot(b, da))
    g, h = s_c * dc, s
    return (
        h * db[0] + b[0] * g - k * da[0] - a[0] * dk,
        h * db[1] + b[1] * g - k * da[1] - a[1] * dk,
        h * db[2] + b[2] * g - k * da[2] - a[2] * dk,
        h * da[0] + a[0] * g,
        h * da[1] + a[1] * g,
        h * da[2] + a[2] * g,
    )


@inline
def times_row(C, k, e):
    """Row k of a 6x6 matrix (36 numbers) times six numbers."""
    i = 6 * k
    return (
        C[i] * e[0]
        + C[i + 1] * e[1]
        + C[i + 2] * e[2]
        + C[i + 3] * e[3]
        + C[i + 4] * e[4]
        + C[i + 5] * e[5]
    )


@inline
def times(C, e):
    """C e as two three-vectors, forces and moments."""
    return (
        (times_row(C, 0, e), times_row(C, 1, e), times_row(C, 2, e)),
        (times_row(C, 3, e), times_row(C, 4, e), times_row(C, 5, e)),
    )


@inline
def less6(a, b):
    return a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3], a[4] - b[4], a[5] - b[5]


@inline
def mixed6(s, a, t, b):
    """s a + t b."""
    return (
        s * a[0] + t * b[0],
        s * a[1] + t * b[1],
        s * a[2] + t * b[2],
        s * a[3] + t * b[3],
        s * a[4] + t * b[4],
        s * a[5] + t * b[5],
    )


@inline
def kept(row):
    """Invariants stored in a row of `work.strains`."""
    return load3(row), load3(row[3:]), row[6]


@inline
def strain_rate(L, x1, R1, x2, R2, V1, V2, a, b, c):
    """Rate of the strain for velocities V = (angular, linear) of the nodes in world axes."""
    w1, w2, v = (
        (V1[0], V1[1], V1[2]),
        (V2[0], V2[1], V2[2]),
        (V2[3] - V1[3], V2[4] - V1[4], V2[5] - V1[5]),
    )
    D, h = sub(x2, x1), 0.5 / L
    u1, u2 = sub(v, cross(w1, D)), sub(v, cross(w2, D))
    db = (
        h * (dot(column(R1, 0), u1) + dot(column(R2, 0), u2)),
        h * (dot(column(R1, 1), u1) + dot(column(R2, 1), u2)),
        h * (dot(column(R1, 2), u1) + dot(column(R2, 2), u2)),
    )
    S = (
        0.0,
        w1[2] - w2[2],
        w2[1] - w1[1],
        w2[2] - w1[2],
        0.0,
        w1[0] - w2[0],
        w1[1] - w2[1],
        w2[0] - w1[0],
        0.0,
    )
    Q = matmul(matmul(transposed(R1), S), R2)
    da = (0.5 * (Q[7] - Q[5]), 0.5 * (Q[2] - Q[6]), 0.5 * (Q[3] - Q[1]))
    return strain_change(a, b, c, da, db, 0.5 * (Q[0] + Q[4] + Q[8]))


@inline
def conjugates(ai, bi, ci, af, bf, cf, N, M):
    """A^T S: forces conjugate to changes of (a, b, c) between two states, for the stress resultants
    N, M.
    """
    yi, yf = 0.5 * (1.0 - ci), 0.5 * (1.0 - cf)
    si, ti, _, _ = series(yi)
    sf, tf, _, _ = series(yf)
    sd, td, _, _ = divided(yf, yi)
    a, b = scale(0.5, add(ai, af)), scale(0.5, add(bi, bf))
    s, t, pi, pf = 0.5 * (si + sf), 0.5 * (ti + tf), dot(ai, bi), dot(af, bf)
    tau, aN = 0.5 * (ti * pi + tf * pf), dot(a, N)
    g = t * aN
    Pa = (
        s * M[0] - tau * N[0] - g * b[0],
        s * M[1] - tau * N[1] - g * b[1],
        s * M[2] - tau * N[2] - g * b[2],
    )
    Pb = (s * N[0] - g * a[0], s * N[1] - g * a[1], s * N[2] - g * a[2])
    return Pa, Pb, sd * (dot(a, M) + dot(b, N)) - 0.5 * (pi + pf) * td * aN


@inline
def nodal_force(L, D, R1, R2, Pa, Pb, Pc, f):
    """f = B^T P: force n on node 2 (-n on node 1), moments m1, m2 about the nodes.

    n = (R1 + R2) Pb / 2L,     m = (R Pb) x D / 2L -+ mu,     mu_k = eps_kij (R1 V R2^T)_ij / 2
    """
    u = scale(1.0 / L, Pb)
    n1, n2 = rotate(R1, u), rotate(R2, u)
    X = matmul(matmul(R1, axial_matrix(Pa, Pc)), transposed(R2))
    mu = (0.5 * (X[5] - X[7]), 0.5 * (X[6] - X[2]), 0.5 * (X[1] - X[3]))
    m1, m2 = cross(n1, D), cross(n2, D)
    for k in range(3):
        f[k], f[3 + k], f[6 + k] = 0.5 * (n1[k] + n2[k]), 0.5 * m1[k] - mu[k], 0.5 * m2[k] + mu[k]


@inline
def axial_matrix(Pa, Pc):
    """V_ij = eps_kij P_k - P_c delta_ij."""
    return -Pc, Pa[2], -Pa[1], -Pa[2], -Pc, Pa[0], Pa[1], -Pa[0], -Pc

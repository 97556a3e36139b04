"""Beam element in a plane: strain, force over a step and tangent of element.py, restricted to it.

Nodes at (x, y) have directors e = (cos, sin) along the beam and e' = (-sin, cos) across it. The
invariants are

    a = e1 x e2 = sin(phi),     b = ((e1 + e2).D, (e1' + e2').D) / 2L,     c = e1.e2 = cos(phi)

and a.b = 0 in space, so that the strain is (s b, s a). Its conjugates are P_a = s M, P_b = s N,
P_c = sd (a M + b.N), with means and divided differences as in space. Results agree with those of
the element in space to rounding, with half the degrees of freedom.

A row of `work.strains` has a, b, c and the strain at the start of the step; rows of `work.element`
have the force (n on node 2; m1, m2) and its tangent by (D, theta1, theta2).
"""

from ...kernel.algebra.strain import divided, series
from ...kernel.decorators import inline, kernel
from .element import F, K

STRAIN = 4  # first column of `work.strains` with the strain


@inline
def node_in_plane(poses, i, x, y):
    """Position and director of node i in the plane of the axes x and y."""
    row = poses[i]
    return row[x], row[y], row[3 + 3 * x], row[3 + 3 * y]


@inline
def invariants(L, X1, X2):
    """Invariants (a, b1, b2, c) of an element of length L between two nodes."""
    x1, y1, c1, s1 = X1
    x2, y2, c2, s2 = X2
    D1, D2, C, S, h = x2 - x1, y2 - y1, c1 + c2, s1 + s2, 0.5 / L
    return c1 * s2 - s1 * c2, h * (C * D1 + S * D2), h * (C * D2 - S * D1), c1 * c2 + s1 * s2


@inline
def strain(a, b1, b2, c):
    """Strain (s b1, s b2, s a)."""
    s = series(0.5 * (1.0 - c))[0]
    return s * b1, s * b2, s * a


@inline
def rates(L, X1, X2, D1, D2, w1, w2):
    """Changes of (a, b, c) with those of D and of the angles."""
    x1, y1, c1, s1 = X1
    x2, y2, c2, s2 = X2
    h, r, d1, d2 = 0.5 / L, w2 - w1, x2 - x1, y2 - y1
    C, S, Cw, Sw = c1 + c2, s1 + s2, c1 * w1 + c2 * w2, s1 * w1 + s2 * w2
    return (
        (c1 * c2 + s1 * s2) * r,
        h * (C * D1 + S * D2 + Cw * d2 - Sw * d1),
        h * (C * D2 - S * D1 - Cw * d1 - Sw * d2),
        -(c1 * s2 - s1 * c2) * r,
    )


@inline
def strain_change(a, b1, b2, c, da, db1, db2, dc):
    """Change of the strain with a change of the invariants."""
    s, _, s_c, _ = series(0.5 * (1.0 - c))
    g = s_c * dc
    return s * db1 + b1 * g, s * db2 + b2 * g, s * da + a * g


@inline
def times(C, x, y, z):
    """C (x, y, z) of a 3 x 3 matrix by rows."""
    return (
        C[0] * x + C[1] * y + C[2] * z,
        C[3] * x + C[4] * y + C[5] * z,
        C[6] * x + C[7] * y + C[8] * z,
    )


@kernel
def plane_force(tables, work, e, end, average, h, rate_factor, tangent):
    """Force of element e on its nodes and its tangent; arguments as in `element_force`."""
    element, W, i, j = tables.elements[e], work.element, tables.elements[e].i, tables.elements[e].j
    L, exact, x, y = element.length, end != average, tables.freedoms[0], tables.freedoms[1]
    X1, X2 = node_in_plane(work.poses[end], i, x, y), node_in_plane(work.poses[end], j, x, y)
    af, bf1, bf2, cf = invariants(L, X1, X2)
    e1, e2, e3 = strain(af, bf1, bf2, cf)
    ai, bi1, bi2, ci = af, bf1, bf2, cf
    A1, A2 = X1, X2
    if exact:
        kept, d = work.strains[e], element.beta / h
        ai, bi1, bi2, ci = kept[0], kept[1], kept[2], kept[3]
        A1 = node_in_plane(work.poses[average], i, x, y)
        A2 = node_in_plane(work.poses[average], j, x, y)
        u, v = 0.5 - d, 0.5 + d
        e1, e2 = u * kept[STRAIN] + v * e1, u * kept[STRAIN + 1] + v * e2
        e3 = u * kept[STRAIN + 2] + v * e3
    elif element.beta > 0.0:
        V1, V2, n = work.rates[i], work.rates[j], tables.freedoms[2] - 3
        da, db1, db2, dc = rates(
            L, X1, X2, V2[3 + x] - V1[3 + x], V2[3 + y] - V1[3 + y], V1[n], V2[n]
        )
        r1, r2, r3 = strain_change(af, bf1, bf2, cf, da, db1, db2, dc)
        e1, e2, e3 = e1 + element.beta * r1, e2 + element.beta * r2, e3 + element.beta * r3
    N1, N2, M = times(
        element.C_plane, e1 - element.e_plane[0], e2 - element.e_plane[1], e3 - element.e_plane[2]
    )
    yi, yf = 0.5 * (1.0 - ci), 0.5 * (1.0 - cf)
    s, sd = 0.5 * (series(yi)[0] + series(yf)[0]), divided(yf, yi)[0]
    a, b1, b2 = 0.5 * (ai + af), 0.5 * (bi1 + bf1), 0.5 * (bi2 + bf2)
    P = (s * M, s * N1, s * N2, sd * (a * M + b1 * N1 + b2 * N2))
    W[F, 0], W[F, 1], W[F, 2], W[F, 3] = nodal(L, A1, A2, P)
    if tangent:
        factor = 0.5 + element.beta / h if exact else 0.5 * (1.0 + element.beta * rate_factor)
        means, ends = (s, a, b1, b2), (af, bf1, bf2, cf)
        for k in range(4):
            D1, D2 = 1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0
            w1, w2 = 1.0 if k == 2 else 0.0, 1.0 if k == 3 else 0.0
            z = rates(L, X1, X2, D1, D2, w1, w2)
            dP = response(element.C_plane, yi, yf, means, ends, z, N1, N2, M, factor)
            f, g = nodal(L, A1, A2, dP), turning(L, X1, X2, A1, A2, P, D1, D2, w1, w2)
            for n in range(4):
                W[K + n, k] = f[n] + g[n]


@inline
def nodal(L, A1, A2, P):
    """Force n and moments m1, m2 from the conjugates P at the averages."""
    x1, y1, c1, s1 = A1
    x2, y2, c2, s2 = A2
    Pa, P1, P2, Pc = P
    h, D1, D2 = 0.5 / L, x2 - x1, y2 - y1
    C, S, turn = c1 + c2, s1 + s2, (c1 * c2 + s1 * s2) * Pa - (c1 * s2 - s1 * c2) * Pc
    return (
        h * (C * P1 - S * P2),
        h * (S * P1 + C * P2),
        h * ((c1 * D2 - s1 * D1) * P1 - (c1 * D1 + s1 * D2) * P2) - turn,
        h * ((c2 * D2 - s2 * D1) * P1 - (c2 * D1 + s2 * D2) * P2) + turn,
    )


@inline
def response(C, yi, yf, means, ends, z, N1, N2, M, factor):
    """Change of the conjugates with a change z of (a, b, c) at the end."""
    s, a, b1, b2 = means
    da, db1, db2, dc = z
    s_c, sd, sdd = series(yf)[2], divided(yf, yi)[0], divided(yf, yi)[2]
    e1, e2, e3 = strain_change(ends[0], ends[1], ends[2], ends[3], da, db1, db2, dc)
    n1, n2, m = times(C, factor * e1, factor * e2, factor * e3)
    g = 0.5 * s_c * dc
    return (
        s * m + g * M,
        s * n1 + g * N1,
        s * n2 + g * N2,
        sd * (a * m + b1 * n1 + b2 * n2 + 0.5 * (da * M + db1 * N1 + db2 * N2))
        + sdd * dc * (a * M + b1 * N1 + b2 * N2),
    )


@inline
def turning(L, X1, X2, A1, A2, P, D1, D2, w1, w2):
    """Change of `nodal` with the averages, which move and rotate half as much as the end."""
    _, _, c1, s1 = X1
    _, _, c2, s2 = X2
    ax1, ay1, ac1, as1 = A1
    ax2, ay2, ac2, as2 = A2
    Pa, P1, P2, Pc = P
    h, d1, d2 = 0.25 / L, ax2 - ax1, ay2 - ay1
    C, S = c1 * w1 + c2 * w2, s1 * w1 + s2 * w2
    mean_c = 0.5 * ((c1 * as2 - s1 * ac2) * w1 + (as1 * c2 - ac1 * s2) * w2)
    mean_a = 0.5 * ((ac1 * c2 + as1 * s2) * w2 - (c1 * ac2 + s1 * as2) * w1)
    turn = mean_c * Pa - mean_a * Pc
    m1 = (ac1 * D2 - as1 * D1 - (s1 * d2 + c1 * d1) * w1) * P1 - (
        ac1 * D1 + as1 * D2 - (s1 * d1 - c1 * d2) * w1
    ) * P2
    m2 = (ac2 * D2 - as2 * D1 - (s2 * d2 + c2 * d1) * w2) * P1 - (
        ac2 * D1 + as2 * D2 - (s2 * d1 - c2 * d2) * w2
    ) * P2
    return h * (-S * P1 - C * P2), h * (C * P1 - S * P2), h * m1 - turn, h * m2 + turn


@kernel
def begin_plane(tables, work, place):
    """Store invariants and strains of all elements at a row of `work.poses`, the start."""
    x, y = tables.freedoms[0], tables.freedoms[1]
    for e in range(tables.elements.shape[0]):
        element, row = tables.elements[e], work.strains[e]
        X1 = node_in_plane(work.poses[place], element.i, x, y)
        X2 = node_in_plane(work.poses[place], element.j, x, y)
        row[0], row[1], row[2], row[3] = invariants(element.length, X1, X2)
        row[STRAIN], row[STRAIN + 1], row[STRAIN + 2] = strain(row[0], row[1], row[2], row[3])

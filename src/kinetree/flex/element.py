"""Force of a beam element over a step, by the exact discrete derivative of its strain, and its tangent.

From  R_f s - R_i s = r x (R_a s)  every bilinear invariant obeys an exact product rule at the averages of start and end;
products and polynomials follow by the same rule, D(xy) = x_m Dy + y_m Dx, and y^n by its divided difference. So

    strain_f - strain_i = A B_a (Dx, r)  exactly,     nodal force = B_a^T A^T S_m,     S_m = C ((e_i + e_f)/2 - e_0)

does the work E_f - E_i: no half-angle rotation, no correction. With start = end it is the plain gradient, and the tangent
twice the one of the step: the same kernel serves statics, modes and every method.
Tangent with respect to the end, dR_f = dtheta~ R_f:  K = B_a^T Q B_f + the turning of the averages in B_a.

A step is from the row START of `work.poses` to END, with AVERAGE between; others evaluate at one place, given as both.
"""

from ..num.jit import inline, kernel
from ..num.spatial import load6
from ..num.vec3 import add, column, cross, dot, matmul, rotate, scale, sub
from .strain import divided, invariants, kept, less6, mixed6, node_pose, series, strain, strain_change, times
from .turns import transposed

START, END, AVERAGE, MIDDLE = range(4)  # rows of `work.poses`
B_A, B_F, T, F, K = 0, 7, 14, 21, 22  # rows of `work.element`
COLUMNS = 9  # x2 - x1, theta1, theta2


@inline
def gradient(L, D, R1, R2, B, at):
    """Rows at .. at + 6 of B: the invariants (a, b, c) by (x2 - x1, theta1, theta2) at a place, or at an average."""
    for k in range(3):
        p, q = (k + 1) % 3, (k + 2) % 3
        al = scale(0.5, sub(cross(column(R1, p), column(R2, q)), cross(column(R1, q), column(R2, p))))
        d1, d2 = column(R1, k), column(R2, k)
        db = scale(0.5 / L, add(d1, d2))
        t1, t2 = scale(0.5 / L, cross(d1, D)), scale(0.5 / L, cross(d2, D))
        for j in range(3):
            B[at + k, j], B[at + k, 3 + j], B[at + k, 6 + j] = 0.0, -al[j], al[j]
            B[at + 3 + k, j], B[at + 3 + k, 3 + j], B[at + 3 + k, 6 + j] = db[j], t1[j], t2[j]
    ch = scale(-0.5, add(add(cross(column(R1, 0), column(R2, 0)), cross(column(R1, 1), column(R2, 1))),
                         cross(column(R1, 2), column(R2, 2))))
    for j in range(3):
        B[at + 6, j], B[at + 6, 3 + j], B[at + 6, 6 + j] = 0.0, -ch[j], ch[j]


@inline
def strain_rate(L, x1, R1, x2, R2, V1, V2, a, b, c):
    """Rate of the strain at a place for velocities V = (angular, linear) of the nodes in world axes."""
    w1, w2, v = (V1[0], V1[1], V1[2]), (V2[0], V2[1], V2[2]), (V2[3] - V1[3], V2[4] - V1[4], V2[5] - V1[5])
    D, h = sub(x2, x1), 0.5 / L
    u1, u2 = sub(v, cross(w1, D)), sub(v, cross(w2, D))
    db = (h * (dot(column(R1, 0), u1) + dot(column(R2, 0), u2)), h * (dot(column(R1, 1), u1) + dot(column(R2, 1), u2)),
          h * (dot(column(R1, 2), u1) + dot(column(R2, 2), u2)))
    S = (0.0, w1[2] - w2[2], w2[1] - w1[1], w2[2] - w1[2], 0.0, w1[0] - w2[0], w1[1] - w2[1], w2[0] - w1[0], 0.0)
    Q = matmul(matmul(transposed(R1), S), R2)
    da = (0.5 * (Q[7] - Q[5]), 0.5 * (Q[2] - Q[6]), 0.5 * (Q[3] - Q[1]))
    return strain_change(a, b, c, da, db, 0.5 * (Q[0] + Q[4] + Q[8]))


@inline
def conjugates(ai, bi, ci, af, bf, cf, N, M):
    """What the stresses N, M do on changes of (a, b, c) between two places: A^T S."""
    yi, yf = 0.5 * (1.0 - ci), 0.5 * (1.0 - cf)
    si, ti, _, _ = series(yi)
    sf, tf, _, _ = series(yf)
    sd, td, _, _ = divided(yf, yi)
    a, b = scale(0.5, add(ai, af)), scale(0.5, add(bi, bf))
    s, t, pi, pf = 0.5 * (si + sf), 0.5 * (ti + tf), dot(ai, bi), dot(af, bf)
    tau, aN = 0.5 * (ti * pi + tf * pf), dot(a, N)
    g = t * aN
    Pa = (s * M[0] - tau * N[0] - g * b[0], s * M[1] - tau * N[1] - g * b[1], s * M[2] - tau * N[2] - g * b[2])
    Pb = (s * N[0] - g * a[0], s * N[1] - g * a[1], s * N[2] - g * a[2])
    return Pa, Pb, sd * (dot(a, M) + dot(b, N)) - 0.5 * (pi + pf) * td * aN


@inline
def nodal_force(L, D, R1, R2, Pa, Pb, Pc, f):
    """f = B^T P written out: force n on node 2 (-n on node 1), moments m1, m2 about the nodes.

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


@inline
def stress(tables, work, e, exact, h, ei, ef, rate):
    """Mean stress over the step, or that of one place; damping with the mean or the present rate of the strain."""
    element = tables.elements[e]
    if exact:
        d = element.beta / h
        z = mixed6(0.5 - d, ei, 0.5 + d, ef)
    else:
        z = mixed6(1.0, ef, element.beta, rate)
    return times(element.C, less6(z, load6(element.e0)))


@kernel
def element_force(tables, work, e, end, average, h, spread, tangent):
    """Force of element e on its nodes, as what it takes off them, and its tangent.

    end, average   rows of `work.poses`: END, AVERAGE over a step; the same twice at one place
    h              the step (s), for the damping over it
    spread         d(rate of the strain) / d(strain) at one place, 1/s
    Writes  work.element: row F (n on node 2, m1, m2), rows K if `tangent` (half of it at one place)
    """
    element, W = tables.elements[e], work.element
    L, exact = element.length, end != average
    x1, R1 = node_pose(work.poses[end], element.i)
    x2, R2 = node_pose(work.poses[end], element.j)
    af, bf, cf = invariants(L, x1, R1, x2, R2)
    ef = strain(af, bf, cf)
    ai, bi, ci, ei = af, bf, cf, ef
    rate = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    x1a, R1a, x2a, R2a = x1, R1, x2, R2
    if exact:
        ai, bi, ci = kept(work.strains[e])
        ei = load6(work.strains[e, 7:])
        x1a, R1a = node_pose(work.poses[average], element.i)
        x2a, R2a = node_pose(work.poses[average], element.j)
    elif element.beta > 0.0:
        rate = strain_rate(L, x1, R1, x2, R2, load6(work.rates[element.i]), load6(work.rates[element.j]), af, bf, cf)
    N, M = stress(tables, work, e, exact, h, ei, ef, rate)
    Pa, Pb, Pc = conjugates(ai, bi, ci, af, bf, cf, N, M)
    Da = sub(x2a, x1a)
    nodal_force(L, Da, R1a, R2a, Pa, Pb, Pc, W[F])
    if tangent:
        gradient(L, Da, R1a, R2a, W, B_A)
        gradient(L, sub(x2, x1), R1, R2, W, B_F)
        factor = 0.5 + element.beta / h if exact else 0.5 * (1.0 + element.beta * spread)
        material(tables, e, W, ai, bi, ci, af, bf, cf, N, M, factor)
        geometric(W, scale(1.0 / L, Pb), axial_matrix(Pa, Pc), Da, R1, R2, R1a, R2a)


@inline
def material(tables, e, W, ai, bi, ci, af, bf, cf, N, M, factor):
    """K <- B_a^T Q B_f with Q = dP / d(a, b, c)_f, column by column through the change of strain; `factor` is dS / C de."""
    C = tables.elements[e].C
    yi, yf = 0.5 * (1.0 - ci), 0.5 * (1.0 - cf)
    si, ti, _, _ = series(yi)
    sf, tf, s_c, t_c = series(yf)
    sd, td, sdd, tdd = divided(yf, yi)
    a, b = scale(0.5, add(ai, af)), scale(0.5, add(bi, bf))
    s, t, pi, pf = 0.5 * (si + sf), 0.5 * (ti + tf), dot(ai, bi), dot(af, bf)
    p, tau, aN = 0.5 * (pi + pf), 0.5 * (ti * pi + tf * pf), dot(a, N)
    aMbN = dot(a, M) + dot(b, N)
    for j in range(COLUMNS):
        da, db, dc = (W[B_F, j], W[B_F + 1, j], W[B_F + 2, j]), (W[B_F + 3, j], W[B_F + 4, j], W[B_F + 5, j]), W[B_F + 6, j]
        de = strain_change(af, bf, cf, da, db, dc)
        dN, dM = times(C, de)
        dN, dM = scale(factor, dN), scale(factor, dM)
        ab = dot(af, db) + dot(bf, da)
        dtau = pf * t_c * dc + tf * ab
        h1, h2, adN, daN = 0.5 * s_c * dc, 0.5 * t_c * dc, dot(a, dN), 0.5 * dot(da, N)
        g, u = t * (adN + daN) + h2 * aN, 0.5 * t * aN
        for k in range(3):
            W[T + k, j] = s * dM[k] + h1 * M[k] - tau * dN[k] - 0.5 * dtau * N[k] - g * b[k] - u * db[k]
            W[T + 3 + k, j] = s * dN[k] + h1 * N[k] - g * a[k] - u * da[k]
        W[T + 6, j] = (sd * (dot(a, dM) + dot(b, dN) + 0.5 * (dot(da, M) + dot(db, N))) + sdd * dc * aMbN
                       - td * (0.5 * ab * aN + p * (adN + daN)) - tdd * dc * p * aN)
    for i in range(COLUMNS):
        for j in range(COLUMNS):
            W[K + i, j] = 0.0
        for k in range(7):
            z = W[B_A + k, i]
            for j in range(COLUMNS):
                W[K + i, j] += z * W[T + k, j]


@inline
def geometric(W, u, V, Da, R1, R2, R1a, R2a):
    """Adds to K that the averages in B_a turn with the end, half as much."""
    n1, n2, m1, m2 = rotate(R1, u), rotate(R2, u), rotate(R1a, u), rotate(R2a, u)
    add_skew(W, K, 3, -0.25, n1)
    add_skew(W, K, 6, -0.25, n2)
    add_skew(W, K + 3, 0, 0.25, m1)
    add_skew(W, K + 6, 0, 0.25, m2)
    add_double(W, K + 3, 3, 0.25, Da, n1)
    add_double(W, K + 6, 6, 0.25, Da, n2)
    X1, X2 = matmul(matmul(R1, V), transposed(R2a)), transposed(matmul(matmul(R1a, V), transposed(R2)))
    q1, q2 = X1[0] + X1[4] + X1[8], X2[0] + X2[4] + X2[8]
    for i in range(3):
        for j in range(3):
            u1, u2 = 0.25 * X1[3 * i + j], -0.25 * X2[3 * i + j]
            if i == j:
                u1 -= 0.25 * q1
                u2 += 0.25 * q2
            W[K + 6 + i, 3 + j] += u1
            W[K + 6 + i, 6 + j] += u2
            W[K + 3 + i, 3 + j] -= u1
            W[K + 3 + i, 6 + j] -= u2


@inline
def add_skew(M, i, j, s, a):
    """M[i:, j:] += s a~."""
    M[i, j + 1] -= s * a[2]
    M[i, j + 2] += s * a[1]
    M[i + 1, j] += s * a[2]
    M[i + 1, j + 2] -= s * a[0]
    M[i + 2, j] -= s * a[1]
    M[i + 2, j + 1] += s * a[0]


@inline
def add_double(M, i, j, s, a, b):
    """M[i:, j:] += s a~ b~ = s (b a^T - (a.b) I)."""
    d = dot(a, b)
    for p in range(3):
        for q in range(3):
            M[i + p, j + q] += s * b[p] * a[q]
        M[i + p, j + p] -= s * d


@kernel
def begin_elements(tables, work, place):
    """Invariants and strains of all elements at a row of `work.poses`, kept as those at the start of the next step."""
    for e in range(tables.elements.shape[0]):
        element, row = tables.elements[e], work.strains[e]
        x1, R1 = node_pose(work.poses[place], element.i)
        x2, R2 = node_pose(work.poses[place], element.j)
        a, b, c = invariants(element.length, x1, R1, x2, R2)
        z = strain(a, b, c)
        for k in range(3):
            row[k], row[3 + k] = a[k], b[k]
        row[6] = c
        for k in range(6):
            row[7 + k] = z[k]


@kernel
def element_energy(tables, work, e):
    """Energy in an element at the start of the step."""
    element = tables.elements[e]
    z = less6(load6(work.strains[e, 7:]), load6(element.e0))
    N, M = times(element.C, z)
    return 0.5 * (z[0] * N[0] + z[1] * N[1] + z[2] * N[2] + z[3] * M[0] + z[4] * M[1] + z[5] * M[2])

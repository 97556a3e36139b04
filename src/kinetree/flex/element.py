"""Force of a beam element over a step, by the exact discrete derivative of its strain, and its tangent.

From  R_f s - R_i s = r x (R_a s)  every bilinear invariant obeys an exact product rule at the averages of start and end;
products and polynomials follow by the same rule, D(xy) = x_m Dy + y_m Dx, and y^n by its divided difference. So

    strain_f - strain_i = A B_a (Dx, r)  exactly,     nodal force = B_a^T A^T S_m,     S_m = C ((e_i + e_f)/2 - e_0)

does the work E_f - E_i: no half-angle rotation, no correction. With start = end it is the plain gradient, and the tangent
twice the one of the step: the same kernel serves statics, modes and every method.
Tangent with respect to the end, dR_f = dtheta~ R_f: tangent.py.

A step is from the row START of `work.poses` to END, with AVERAGE between; others evaluate at one place, given as both.
"""

from ..num.jit import inline, kernel
from ..num.spatial import load6
from ..num.vec3 import add, column, cross, dot, matmul, rotate, scale, sub
from .strain import divided, invariants, kept, less6, mixed6, node_pose, series, strain, strain_change, times
from .tangent import geometric, gradient, material, response
from .turns import transposed

START, END, AVERAGE, MIDDLE = range(4)  # rows of `work.poses`
F, K = 0, 1  # rows of `work.element`: the force, and nine of its tangent by (x2 - x1, theta1, theta2)


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
        factor = 0.5 + element.beta / h if exact else 0.5 * (1.0 + element.beta * spread)
        Q = response(element.C, ai, bi, ci, af, bf, cf, N, M, factor)
        material(gradient(L, Da, R1a, R2a), gradient(L, sub(x2, x1), R1, R2), Q, W, K)
        geometric(W, K, scale(1.0 / L, Pb), axial_matrix(Pa, Pc), Da, R1, R2, R1a, R2a)


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

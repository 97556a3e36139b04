"""Tangent of a beam element: derivative of its force over a step (element.py) by the end.

With the invariants z = (a, b, c), their conjugates P, and the relative rotation
rho = theta2 - theta1,

    a' = A rho,   b' = B_D D' + B_1 theta1' + B_2 theta2',   c' = u.rho
                                                    Gradient, at the average and at the end
    P' = Q z'                                       Response, 3 x 3 blocks of a 7 x 7 matrix
    K  = Gradient_a^T Q Gradient_f + the rotation of the averages in Gradient_a

all in 3 x 3 blocks of nine numbers.
"""

from collections import namedtuple

from ...kernel.algebra.rodrigues import transposed
from ...kernel.algebra.strain import divided, series
from ...kernel.algebra.vec3 import add, column, cross, dot, matmul, rotate, rotate_t, scale, sub
from ...kernel.decorators import inline

Gradient = namedtuple("Gradient", "A u B_D B_1 B_2")
Response = namedtuple("Response", "aa ab ac ba bb bc ca cb cc")
IDENTITY = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


@inline
def mixed9(s, A, t, B):
    """s A + t B."""
    return (
        s * A[0] + t * B[0],
        s * A[1] + t * B[1],
        s * A[2] + t * B[2],
        s * A[3] + t * B[3],
        s * A[4] + t * B[4],
        s * A[5] + t * B[5],
        s * A[6] + t * B[6],
        s * A[7] + t * B[7],
        s * A[8] + t * B[8],
    )


@inline
def with_outer(A, s, x, y):
    """A + s x y^T."""
    p, q, r = s * x[0], s * x[1], s * x[2]
    return (
        A[0] + p * y[0],
        A[1] + p * y[1],
        A[2] + p * y[2],
        A[3] + q * y[0],
        A[4] + q * y[1],
        A[5] + q * y[2],
        A[6] + r * y[0],
        A[7] + r * y[1],
        A[8] + r * y[2],
    )


@inline
def with_unit(A, s):
    """A + s I."""
    return A[0] + s, A[1], A[2], A[3], A[4] + s, A[5], A[6], A[7], A[8] + s


@inline
def rows(x, y, z):
    """Matrix with these rows."""
    return x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2]


@inline
def combine3(s, x, t, y, r, z):
    """s x + t y + r z of 3-vectors."""
    return (
        s * x[0] + t * y[0] + r * z[0],
        s * x[1] + t * y[1] + r * z[1],
        s * x[2] + t * y[2] + r * z[2],
    )


@inline
def gradient(L, D, R1, R2):
    """Derivatives of the invariants by (D, theta1, theta2) at a pose, or at an average."""
    x1, y1, z1, x2, y2 = column(R1, 0), column(R1, 1), column(R1, 2), column(R2, 0), column(R2, 1)
    z2 = column(R2, 2)
    A = rows(
        scale(0.5, sub(cross(y1, z2), cross(z1, y2))),
        scale(0.5, sub(cross(z1, x2), cross(x1, z2))),
        scale(0.5, sub(cross(x1, y2), cross(y1, x2))),
    )
    u = scale(-0.5, add(add(cross(x1, x2), cross(y1, y2)), cross(z1, z2)))
    h, E = 0.5 / L, scale(0.5 / L, D)
    return Gradient(
        A,
        u,
        mixed9(h, transposed(R1), h, transposed(R2)),
        rows(cross(x1, E), cross(y1, E), cross(z1, E)),
        rows(cross(x2, E), cross(y2, E), cross(z2, E)),
    )


@inline
def quarter(C, i, j):
    """3 x 3 block of the 6 x 6 matrix C."""
    k = 6 * i + j
    return C[k], C[k + 1], C[k + 2], C[k + 6], C[k + 7], C[k + 8], C[k + 12], C[k + 13], C[k + 14]


@inline
def response(C, ai, bi, ci, af, bf, cf, N, M, factor):
    """Q = dP / d(a, b, c)_f; `factor` is dS / C de.

    The equations of `conjugates` (kernel/algebra/strain.py), differentiated.
    """
    yi, yf = 0.5 * (1.0 - ci), 0.5 * (1.0 - cf)
    si, ti, _, _ = series(yi)
    sf, tf, s_c, t_c = series(yf)
    sd, td, sdd, tdd = divided(yf, yi)
    a, b = scale(0.5, add(ai, af)), scale(0.5, add(bi, bf))
    s, t, pi, pf = 0.5 * (si + sf), 0.5 * (ti + tf), dot(ai, bi), dot(af, bf)
    p, tau, aN = 0.5 * (pi + pf), 0.5 * (ti * pi + tf * pf), dot(a, N)
    g, k = t * aN, tf * pf
    # stresses by the invariants
    Cgg, Cgk, Ckg, Ckk = quarter(C, 0, 0), quarter(C, 0, 3), quarter(C, 3, 0), quarter(C, 3, 3)
    u, w = scale(-factor * tf, rotate(Cgg, af)), scale(-factor * tf, rotate(Ckg, af))
    N_a = with_outer(mixed9(-factor * k, Cgg, factor * sf, Cgk), 1.0, u, bf)
    M_a = with_outer(mixed9(-factor * k, Ckg, factor * sf, Ckk), 1.0, w, bf)
    N_b = with_outer(scaled9(factor * sf, Cgg), 1.0, u, af)
    M_b = with_outer(scaled9(factor * sf, Ckg), 1.0, w, af)
    stretch = combine3(factor * s_c, bf, -factor * pf * t_c, af, 0.0, af)
    bend = scale(factor * s_c, af)
    N_c = add(rotate(Cgg, stretch), rotate(Cgk, bend))
    M_c = add(rotate(Ckg, stretch), rotate(Ckk, bend))
    # forces by the invariants
    v_a, v_b, v_c = combine3(1.0, rotate_t(N_a, a), 0.5, N, 0.0, N), rotate_t(N_b, a), dot(a, N_c)
    g_c = t * v_c + 0.5 * t_c * aN
    aa = with_outer(with_outer(mixed9(s, M_a, -tau, N_a), -0.5 * tf, N, bf), -t, b, v_a)
    ab = with_unit(
        with_outer(with_outer(mixed9(s, M_b, -tau, N_b), -0.5 * tf, N, af), -t, b, v_b), -0.5 * g
    )
    ac = add(
        combine3(s, M_c, 0.5 * s_c, M, -tau, N_c), combine3(-0.5 * pf * t_c, N, -g_c, b, 0.0, b)
    )
    ba = with_unit(with_outer(scaled9(s, N_a), -t, a, v_a), -0.5 * g)
    bb = with_outer(scaled9(s, N_b), -t, a, v_b)
    bc = combine3(s, N_c, 0.5 * s_c, N, -g_c, a)
    ca = add(
        combine3(sd, rotate_t(M_a, a), 0.5 * sd, M, sd, rotate_t(N_a, b)),
        combine3(-0.5 * td * aN, bf, -td * p, v_a, 0.0, v_a),
    )
    cb = add(
        combine3(sd, rotate_t(M_b, a), sd, rotate_t(N_b, b), 0.5 * sd, N),
        combine3(-0.5 * td * aN, af, -td * p, v_b, 0.0, v_b),
    )
    cc = (
        sd * (dot(a, M_c) + dot(b, N_c))
        + sdd * (dot(a, M) + dot(b, N))
        - td * p * v_c
        - tdd * p * aN
    )
    return Response(aa, ab, ac, ba, bb, bc, ca, cb, cc)


@inline
def scaled9(s, A):
    """s A."""
    return s * A[0], s * A[1], s * A[2], s * A[3], s * A[4], s * A[5], s * A[6], s * A[7], s * A[8]


@inline
def material(Ga, Gf, Q, W, at):
    """Rows at .. at + 9 of W <- Ga^T Q Gf, columns (D, theta1, theta2)."""
    r_a = with_outer(matmul(Q.aa, Gf.A), 1.0, Q.ac, Gf.u)
    r_b = with_outer(matmul(Q.ba, Gf.A), 1.0, Q.bc, Gf.u)
    r_c = add(rotate_t(Gf.A, Q.ca), scale(Q.cc, Gf.u))
    D, one, two = transposed(Ga.B_D), transposed(Ga.B_1), transposed(Ga.B_2)
    turn = transposed(Ga.A)
    for side in range(3):
        B = Gf.B_D if side == 0 else (Gf.B_1 if side == 1 else Gf.B_2)
        s = float(side * (3 * side - 5)) / 2.0  # 0, -1, 1
        t_a, t_b = mixed9(1.0, matmul(Q.ab, B), s, r_a), mixed9(1.0, matmul(Q.bb, B), s, r_b)
        t_c = combine3(1.0, rotate_t(B, Q.cb), s, r_c, 0.0, r_c)
        S = with_outer(matmul(turn, t_a), 1.0, Ga.u, t_c)
        store_block(W, at, 3 * side, matmul(D, t_b))
        store_block(W, at + 3, 3 * side, mixed9(1.0, matmul(one, t_b), -1.0, S))
        store_block(W, at + 6, 3 * side, mixed9(1.0, matmul(two, t_b), 1.0, S))


@inline
def store_block(W, i, j, A):
    """W[i:, j:] <- A, a 3 x 3 block."""
    for k in range(3):
        W[i + k, j], W[i + k, j + 1], W[i + k, j + 2] = A[3 * k], A[3 * k + 1], A[3 * k + 2]


@inline
def geometric(W, at, u, V, Da, R1, R2, R1a, R2a):
    """Add the derivative by the averages in the gradient, which rotate half as much as the end."""
    n1, n2, m1, m2 = rotate(R1, u), rotate(R2, u), rotate(R1a, u), rotate(R2a, u)
    add_skew(W, at, 3, -0.25, n1)
    add_skew(W, at, 6, -0.25, n2)
    add_skew(W, at + 3, 0, 0.25, m1)
    add_skew(W, at + 6, 0, 0.25, m2)
    X1 = matmul(matmul(R1, V), transposed(R2a))
    X2 = transposed(matmul(matmul(R1a, V), transposed(R2)))
    Y1, Y2 = turned_part(X1, 0.25), turned_part(X2, -0.25)
    add_block(
        W, at + 3, 3, with_unit(with_outer(scaled9(-1.0, Y1), 0.25, n1, Da), -0.25 * dot(n1, Da))
    )
    add_block(W, at + 3, 6, scaled9(-1.0, Y2))
    add_block(W, at + 6, 3, Y1)
    add_block(W, at + 6, 6, with_unit(with_outer(Y2, 0.25, n2, Da), -0.25 * dot(n2, Da)))


@inline
def turned_part(X, s):
    """s (X - tr X)."""
    return with_unit(scaled9(s, X), -s * (X[0] + X[4] + X[8]))


@inline
def add_block(W, i, j, A):
    """W[i:, j:] += A, a 3 x 3 block."""
    for k in range(3):
        W[i + k, j] += A[3 * k]
        W[i + k, j + 1] += A[3 * k + 1]
        W[i + k, j + 2] += A[3 * k + 2]


@inline
def add_skew(W, i, j, s, a):
    """W[i:, j:] += s a~."""
    W[i, j + 1] -= s * a[2]
    W[i, j + 2] += s * a[1]
    W[i + 1, j] += s * a[2]
    W[i + 1, j + 2] -= s * a[0]
    W[i + 2, j] -= s * a[1]
    W[i + 2, j + 1] += s * a[0]

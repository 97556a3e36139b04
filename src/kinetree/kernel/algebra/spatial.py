"""Spatial vectors as tuples (angular, linear) about one reference point O in world axes; inertias
as 21 numbers.

A symmetric 6x6 matrix [[J, B], [B^T, M]] is packed as J (xx xy xz yy yz zz), B row by row, M (xx xy
xz yy yz zz). About a common point and in common axes inertias add up without transformations.
"""

from ..decorators import inline
from ..intrinsics import loader, storer
from .vec3 import add, cross

load6, store6, add_to6 = loader(6), storer(6), storer(6, add=True)
load21, store21, add_to21 = loader(21), storer(21), storer(21, add=True)


@inline
def add6(a, b):
    return a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5]


@inline
def sub6(a, b):
    return a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3], a[4] - b[4], a[5] - b[5]


@inline
def scale6(s, a):
    return s * a[0], s * a[1], s * a[2], s * a[3], s * a[4], s * a[5]


@inline
def dot6(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5]


@inline
def short_dot6(a, b):
    """a.b in two sums, which are ready sooner than one: for sweeps that wait for the result."""
    return (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) + (a[3] * b[3] + a[4] * b[4] + a[5] * b[5])


@inline
def join(a, b):
    return a[0], a[1], a[2], b[0], b[1], b[2]


@inline
def angular(V):
    return V[0], V[1], V[2]


@inline
def linear(V):
    return V[3], V[4], V[5]


@inline
def velocity_at(V, r):
    """Velocity of the body-fixed point at r from O."""
    return add(linear(V), cross(angular(V), r))


@inline
def wrench(n, force, r):
    """Spatial force about O of a couple n and a force at the point r from O."""
    return join(add(n, cross(r, force)), force)


@inline
def cross_motion(V, W):
    """V x W of spatial motions: rate of a W that moves with V."""
    w, v = angular(V), linear(V)
    a, b = angular(W), linear(W)
    return join(cross(w, a), add(cross(w, b), cross(v, a)))


@inline
def cross_force(V, F):
    """V x* F of a motion and a force: rate of a momentum F that moves with V."""
    w, v = angular(V), linear(V)
    n, f = angular(F), linear(F)
    return join(add(cross(w, n), cross(v, f)), cross(w, f))


@inline
def rigid_inertia(m, c, R, J):
    """Packed spatial inertia about O: mass m, center of mass c from O, central inertia J (xx xy xz yy
    yz zz) in the axes R.

    I = [[R J R^T - m c~c~, m c~], [-m c~, m 1]]
    """
    x, y, z = c
    a = (
        R[0] * J[0] + R[1] * J[1] + R[2] * J[2],
        R[0] * J[1] + R[1] * J[3] + R[2] * J[4],
        R[0] * J[2] + R[1] * J[4] + R[2] * J[5],
    )
    b = (
        R[3] * J[0] + R[4] * J[1] + R[5] * J[2],
        R[3] * J[1] + R[4] * J[3] + R[5] * J[4],
        R[3] * J[2] + R[4] * J[4] + R[5] * J[5],
    )
    d = (
        R[6] * J[0] + R[7] * J[1] + R[8] * J[2],
        R[6] * J[1] + R[7] * J[3] + R[8] * J[4],
        R[6] * J[2] + R[7] * J[4] + R[8] * J[5],
    )
    mx, my, mz = m * x, m * y, m * z
    return (
        a[0] * R[0] + a[1] * R[1] + a[2] * R[2] + my * y + mz * z,
        a[0] * R[3] + a[1] * R[4] + a[2] * R[5] - mx * y,
        a[0] * R[6] + a[1] * R[7] + a[2] * R[8] - mx * z,
        b[0] * R[3] + b[1] * R[4] + b[2] * R[5] + mx * x + mz * z,
        b[0] * R[6] + b[1] * R[7] + b[2] * R[8] - my * z,
        d[0] * R[6] + d[1] * R[7] + d[2] * R[8] + mx * x + my * y,
        0.0,
        -mz,
        my,
        mz,
        0.0,
        -mx,
        -my,
        mx,
        0.0,
        m,
        0.0,
        0.0,
        m,
        0.0,
        m,
    )


@inline
def apply(I, a):
    """I a for a packed symmetric 6x6."""
    return (
        I[0] * a[0] + I[1] * a[1] + I[2] * a[2] + I[6] * a[3] + I[7] * a[4] + I[8] * a[5],
        I[1] * a[0] + I[3] * a[1] + I[4] * a[2] + I[9] * a[3] + I[10] * a[4] + I[11] * a[5],
        I[2] * a[0] + I[4] * a[1] + I[5] * a[2] + I[12] * a[3] + I[13] * a[4] + I[14] * a[5],
        I[6] * a[0] + I[9] * a[1] + I[12] * a[2] + I[15] * a[3] + I[16] * a[4] + I[17] * a[5],
        I[7] * a[0] + I[10] * a[1] + I[13] * a[2] + I[16] * a[3] + I[18] * a[4] + I[19] * a[5],
        I[8] * a[0] + I[11] * a[1] + I[14] * a[2] + I[17] * a[3] + I[19] * a[4] + I[20] * a[5],
    )


@inline
def apply_rigid(I, a):
    """I a for a rigid inertia: without the products with its zeros, in the order of `apply`."""
    return (
        I[0] * a[0] + I[1] * a[1] + I[2] * a[2] + I[7] * a[4] + I[8] * a[5],
        I[1] * a[0] + I[3] * a[1] + I[4] * a[2] + I[9] * a[3] + I[11] * a[5],
        I[2] * a[0] + I[4] * a[1] + I[5] * a[2] + I[12] * a[3] + I[13] * a[4],
        I[12] * a[2] + I[9] * a[1] + I[15] * a[3],
        I[13] * a[2] + I[7] * a[0] + I[18] * a[4],
        I[8] * a[0] + I[11] * a[1] + I[20] * a[5],
    )


@inline
def minus_outer(I, U, d):
    """I - U d U^T, packed."""
    a, b, c, e, f, g = scale6(d, U)
    return (
        I[0] - U[0] * a,
        I[1] - U[0] * b,
        I[2] - U[0] * c,
        I[3] - U[1] * b,
        I[4] - U[1] * c,
        I[5] - U[2] * c,
        I[6] - U[0] * e,
        I[7] - U[0] * f,
        I[8] - U[0] * g,
        I[9] - U[1] * e,
        I[10] - U[1] * f,
        I[11] - U[1] * g,
        I[12] - U[2] * e,
        I[13] - U[2] * f,
        I[14] - U[2] * g,
        I[15] - U[3] * e,
        I[16] - U[3] * f,
        I[17] - U[3] * g,
        I[18] - U[4] * f,
        I[19] - U[4] * g,
        I[20] - U[5] * g,
    )

"""One degree of freedom of the articulated-body algorithm (forward.py)."""

from ...kernel.algebra.spatial import add6, apply, load6, minus_outer, scale6, short_dot6, store6
from ...kernel.decorators import inline


@inline
def eliminate(dof, I, p, tau, J):
    """Articulated inertia and bias inboard of one degree of freedom with inertia J of its own.

    Writes U, d and u.
    """
    h = load6(dof.h)
    U = apply(I, h)
    d = 1.0 / (short_dot6(h, U) + J)
    u = tau - short_dot6(h, p)
    store6(dof.U, U)
    dof.d = d
    dof.u = u
    return minus_outer(I, U, d), add6(p, scale6(d * u, U))


@inline
def is_bad(dof, link):
    """Whether the inertia 1/d of a degree of freedom is not positive, or only rounding of zero."""
    return not dof.d > 0.0 or not dof.d * link.floor < 1.0 or dof.d > 1e300


@inline
def accelerate_one(dofs, vdot, k, A):
    """Acceleration outboard of one degree of freedom. Writes vdot."""
    dof = dofs[k]
    a = dof.d * (dof.u - short_dot6(load6(dof.U), A))
    vdot[k] = a
    return add6(A, scale6(a, load6(dof.h)))

"""Force of a beam element over a step, by the discrete derivative of its strain, and its tangent.

From  R_f s - R_i s = r x (R_a s)  every bilinear invariant has an exact product rule at the
averages of start and end. Products and polynomials follow by the same rule,
D(xy) = x_m Dy + y_m Dx, and y^n by its divided difference. So

    strain_f - strain_i = A B_a (Dx, r)  exactly
    nodal force = B_a^T A^T S_m,     S_m = C ((e_i + e_f)/2 - e_0)

does the work E_f - E_i, without half-angle rotations or corrections. With start = end it is the
plain gradient, and the tangent is twice that of the step: the same kernel serves statics, modes and
every method. The tangent is by the end of the step, dR_f = dtheta~ R_f (tangent.py).

A step leads from row START of `work.poses` to END, with AVERAGE between. Methods that evaluate at
one pose pass it twice.
"""

from __future__ import annotations

from ...kernel.algebra.spatial import load6
from ...kernel.algebra.strain import (
    axial_matrix,
    conjugates,
    invariants,
    kept,
    less6,
    mixed6,
    nodal_force,
    strain,
    strain_rate,
    times,
)
from ...kernel.algebra.vec3 import scale, sub
from ...kernel.decorators import inline, kernel
from ...kernel.tables.poses import node_pose
from ...kernel.tables.records import Tables
from ...kernel.tables.workspace import Work
from .tangent import geometric, gradient, material, response

# rows of `work.element`: the force, and nine of its tangent by (x2 - x1, theta1, theta2)
F, K = 0, 1


@inline
def stress(tables, work, e, exact, h, ei, ef, rate):
    """Mean stress over the step, or that at one pose, with damping by the rate of the strain."""
    element = tables.elements[e]
    if exact:
        d = element.beta / h
        z = mixed6(0.5 - d, ei, 0.5 + d, ef)
    else:
        z = mixed6(1.0, ef, element.beta, rate)
    return times(element.C, less6(z, load6(element.e0)))


@kernel
def element_force(tables, work, e, end, average, h, rate_factor, tangent):
    """Force that element e takes from its nodes, and its tangent.

    end, average   rows of `work.poses`: END, AVERAGE over a step; the same row twice at one pose
    h              the step (s), for the damping over it
    rate_factor    d(rate of the strain) / d(strain) at one pose, 1/s

    Writes  work.element: row F (n on node 2, m1, m2), rows K if `tangent` (half of it at one pose)
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
        rate = strain_rate(
            L,
            x1,
            R1,
            x2,
            R2,
            load6(work.rates[element.i]),
            load6(work.rates[element.j]),
            af,
            bf,
            cf,
        )
    N, M = stress(tables, work, e, exact, h, ei, ef, rate)
    Pa, Pb, Pc = conjugates(ai, bi, ci, af, bf, cf, N, M)
    Da = sub(x2a, x1a)
    nodal_force(L, Da, R1a, R2a, Pa, Pb, Pc, W[F])
    if tangent:
        factor = 0.5 + element.beta / h if exact else 0.5 * (1.0 + element.beta * rate_factor)
        Q = response(element.C, ai, bi, ci, af, bf, cf, N, M, factor)
        material(gradient(L, Da, R1a, R2a), gradient(L, sub(x2, x1), R1, R2), Q, W, K)
        geometric(W, K, scale(1.0 / L, Pb), axial_matrix(Pa, Pc), Da, R1, R2, R1a, R2a)


@kernel
def begin_elements(tables, work, place):
    """Store invariants and strains of all elements at a row of `work.poses`, the start."""
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
def element_energy(tables: Tables, work: Work, e: int):
    """Energy of an element at the start of the step."""
    element = tables.elements[e]
    z = less6(load6(work.strains[e, 7:]), load6(element.e0))
    N, M = times(element.C, z)
    return 0.5 * (z[0] * N[0] + z[1] * N[1] + z[2] * N[2] + z[3] * M[0] + z[4] * M[1] + z[5] * M[2])

"""The beam element of [Yun2005, eqs. (25)-(35)] as printed: frame and strain of its middle are
carried from step to step.

    R_g,f = R(r) R_g,i,     r = (r1 + r2) / 2                  frame of the middle of the element
    gamma_f = gamma_i + (R_g,f^T D_f - R_g,i^T D_i) / L,       D = x2 - x1
    L kappa_f = L kappa_i + R_g,f^T H(r) (r2 - r1)                                         (35)

With N, M = C ((e_i + e_f) / 2 - e_0), e = (gamma, L kappa), the forces of the step are

    n = R_a N / L,     m1 = -H R_g,i M + n x D_a / 2,     m2 = H R_g,i M + n x D_a / 2     (25)

where R_a and D_a are averages of both ends. They do the work E_f - E_i of the carried strains
exactly. But a sum of Rodrigues vectors is no rotation: the carried frame leaves the frames of the
nodes, and the carried strain the one of the shape (`kernel/algebra/strain.py`). Carried numbers are in
`work.strains`: e in the columns from STRAIN, R_g in those from FRAME.
"""

from ...kernel.algebra.rodrigues import half, mean9, turned, unturn
from ...kernel.algebra.spatial import load6
from ...kernel.algebra.strain import invariants, mixed6, strain, times
from ...kernel.algebra.vec3 import (
    add,
    cross,
    dot,
    load3,
    load9,
    matmul,
    rotate,
    rotate_t,
    scale,
    sub,
)
from ...kernel.decorators import inline, kernel
from ...kernel.tables.poses import END, START, node_pose
from .element import F, K

STRAIN, FRAME = 7, 13  # columns of `work.strains`
NUDGE = 1e-6  # of the length of an element and rad, for the tangent by differences
SAME = 1e-9  # of the size of the machine, and of directors: a run that is continued


@inline
def turn_along(r, a):
    """H(r) a."""
    p0 = 1.0 / (1.0 + 0.25 * dot(r, r))
    return scale(p0, add(a, scale(0.5, cross(r, a))))


@inline
def carried(row, L, D_i, D_f, r1, r2):
    """Frame and strain at the end of the step, for the rotation increments r1 and r2 of the nodes."""
    r, R_i = scale(0.5, add(r1, r2)), load9(row[FRAME:])
    R_f = matmul(turned(r), R_i)
    stretch = scale(1.0 / L, sub(rotate_t(R_f, D_f), rotate_t(R_i, D_i)))
    bend = rotate_t(R_f, turn_along(r, sub(r2, r1)))
    e = load6(row[STRAIN:])
    return R_f, (
        e[0] + stretch[0],
        e[1] + stretch[1],
        e[2] + stretch[2],
        e[3] + bend[0],
        e[4] + bend[1],
        e[5] + bend[2],
    )


@inline
def force_between(element, row, h, D_i, D_f, r1, r2):
    """n on node 2, m1 and m2 of eq. (25); damping with the mean rate of the strain."""
    L, d = element.length, element.beta / h
    R_f, e_f = carried(row, L, D_i, D_f, r1, r2)
    R_i, e_0 = load9(row[FRAME:]), load6(element.e0)
    N, M = times(
        element.C, mixed6(1.0, mixed6(0.5 - d, load6(row[STRAIN:]), 0.5 + d, e_f), -1.0, e_0)
    )
    n = scale(1.0 / L, rotate(mean9(R_i, R_f), N))
    m = turn_along(scale(0.5, add(r1, r2)), rotate(R_i, M))
    t = scale(0.25, cross(n, add(D_i, D_f)))
    return n, sub(t, m), add(t, m)


@inline
def distance(work, element, place):
    x1, _ = node_pose(work.poses[place], element.i)
    x2, _ = node_pose(work.poses[place], element.j)
    return sub(x2, x1)


@inline
def moved(k, i, size):
    """The change `size` of component k, if it is one of the three from i on."""
    return (
        size if k == i else 0.0,
        size if k == i + 1 else 0.0,
        size if k == i + 2 else 0.0,
    )


@kernel
def history_force(tables, work, e, h, tangent):
    """Force of element e over the step, and its tangent by central differences.

    Reads   work.poses (START, END), work.nodes (r), work.strains
    Writes  work.element: row F (n on node 2, m1, m2), rows K if `tangent`
    """
    element, row, W = tables.elements[e], work.strains[e], work.element
    D_i, D_f = distance(work, element, START), distance(work, element, END)
    r1, r2 = load3(work.nodes[element.i].r), load3(work.nodes[element.j].r)
    n, m1, m2 = force_between(element, row, h, D_i, D_f, r1, r2)
    for j in range(3):
        W[F, j], W[F, 3 + j], W[F, 6 + j] = n[j], m1[j], m2[j]
    if tangent:
        for k in range(9):
            size = NUDGE * element.length if k < 3 else NUDGE
            for side in range(2):
                s = size if side == 0 else -size
                n, m1, m2 = force_between(
                    element,
                    row,
                    h,
                    D_i,
                    add(D_f, moved(k, 0, s)),
                    add(r1, unturn(r1, moved(k, 3, s))),
                    add(r2, unturn(r2, moved(k, 6, s))),
                )
                for j in range(3):
                    if side == 0:
                        W[K + j, k], W[K + 3 + j, k], W[K + 6 + j, k] = n[j], m1[j], m2[j]
                    else:
                        W[K + j, k] = (W[K + j, k] - n[j]) / (2.0 * size)
                        W[K + 3 + j, k] = (W[K + 3 + j, k] - m1[j]) / (2.0 * size)
                        W[K + 6 + j, k] = (W[K + 6 + j, k] - m2[j]) / (2.0 * size)


@kernel
def carry_history(tables, work):
    """Frames and strains at the end of a step, which become those at the start of the next one."""
    for e in range(tables.elements.shape[0]):
        element, row = tables.elements[e], work.strains[e]
        r1, r2 = load3(work.nodes[element.i].r), load3(work.nodes[element.j].r)
        D_i, D_f = distance(work, element, START), distance(work, element, END)
        R, z = carried(row, element.length, D_i, D_f, r1, r2)
        for k in range(6):
            row[STRAIN + k] = z[k]
        for k in range(9):
            row[FRAME + k] = R[k]


@inline
def is_continued(tables, work):
    """Are the nodes where the last step has left them? A run that is cut at a time continues."""
    length = tables.settings[0].length
    for b in range(1, tables.links.shape[0]):
        for k in range(12):
            size = length if k < 3 else 1.0
            if not abs(work.poses[START, b, k] - work.poses[END, b, k]) <= SAME * size:
                return False
    return True


@kernel
def begin_history(tables, work):
    """At the start of a run: the frame half-way between the nodes, and the strain of the shape."""
    if is_continued(tables, work):
        return
    for e in range(tables.elements.shape[0]):
        element, row = tables.elements[e], work.strains[e]
        x1, R1 = node_pose(work.poses[START], element.i)
        x2, R2 = node_pose(work.poses[START], element.j)
        a, b, c = invariants(element.length, x1, R1, x2, R2)
        z = strain(a, b, c)
        # R1^T R2 turns by phi: a = n sin(phi), so that its Rodrigues vector is 2 a / (1 + c)
        R = matmul(R1, turned(half(scale(2.0 / (1.0 + c), a))))
        for k in range(6):
            row[STRAIN + k] = z[k]
        for k in range(9):
            row[FRAME + k] = R[k]

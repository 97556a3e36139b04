"""Factors that serve several steps and rotate with the nodes.

A matrix K that was computed where node b had the frame R_b (row KEPT of `work.poses`) stands at
the frame R'_b for

    Q^T K Q,     Q_b = R_b R'_b^T     on displacement and rotation of every node,

because the coupling of nodes in their own axes changes slowly, however fast they rotate. Equations
of joints do not rotate like that: a pin stays in its place. So factors may also be kept in the
world axes, and the way in which they last longer is chosen.
"""

from ...kernel.algebra.vec3 import rotate, rotate_t
from ...kernel.decorators import inline, kernel
from ...kernel.tables.poses import END, KEPT, node_pose
from .blocks import solve_blocks

NEVER_TRIED = 1e9  # steps
# cost of a matrix and its factors, and the tolerated excess of a step, in corrections
COST, MARGIN = 4.0, 0.5


@kernel
def store_frames(tables, work):
    """Store the frames at END as those of the present factors."""
    for b in range(1, tables.links.shape[0]):
        for k in range(12):
            work.poses[KEPT, b, k] = work.poses[END, b, k]


@inline
def rotate_in_plane(x, o, A, B, p, q):
    """Rotate the displacement at x[o:], along the axes p and q, from frame A to frame B."""
    c = B[3 * p] * A[3 * p] + B[3 * p + 1] * A[3 * p + 1] + B[3 * p + 2] * A[3 * p + 2]
    s = B[3 * q] * A[3 * p] + B[3 * q + 1] * A[3 * p + 1] + B[3 * q + 2] * A[3 * p + 2]
    x[o], x[o + 1] = c * x[o] - s * x[o + 1], s * x[o] + c * x[o + 1]


@inline
def rotate_nodes(tables, work, x, old, new):
    """Rotate all nodes of x from their frames at row `old` of `work.poses` to row `new`."""
    n = tables.freedoms.shape[0]
    for b in range(1, tables.links.shape[0]):
        o = n * (b - 1)
        _, A = node_pose(work.poses[old], b)
        _, B = node_pose(work.poses[new], b)
        if n == 3:
            rotate_in_plane(x, o, A, B, tables.freedoms[0], tables.freedoms[1])
        else:
            x[o], x[o + 1], x[o + 2] = rotate(B, rotate_t(A, (x[o], x[o + 1], x[o + 2])))
            x[o + 3], x[o + 4], x[o + 5] = rotate(B, rotate_t(A, (x[o + 3], x[o + 4], x[o + 5])))


@kernel
def solve_with_kept(tables, work, x):
    """x <- A^-1 x with factors of an earlier position."""
    turned = work.report[0].turned == 1
    if turned:
        rotate_nodes(tables, work, x, END, KEPT)
    solve_blocks(tables, work, x)
    if turned:
        rotate_nodes(tables, work, x, KEPT, END)


@inline
def reset_kept(report):
    """At a start: no factors, no record of their use, and no record of the predictions."""
    report.fresh, report.turned, report.served = 0, 1, 0
    report.lasted_turned, report.lasted_fixed = NEVER_TRIED, NEVER_TRIED
    report.plain, report.bent, report.curved = 0.0, 0.0, 0.0


@inline
def begin_use(report, corrections):
    """Record a step with factors of its own."""
    report.served, report.spent = 0, COST + corrections


@inline
def longest_use(report):
    """Number of steps that factors served in the better way."""
    return max(report.lasted_turned, report.lasted_fixed)


@inline
def count_use(report, corrections):
    """Record a step with kept factors.

    They are given up when the step costs more than the average of the steps with them, including
    the cost of the factorization.
    """
    if corrections > report.spent / (1 + report.served) + MARGIN:
        report.fresh = 0
    report.served, report.spent = report.served + 1, report.spent + corrections


@inline
def choose_frame(report):
    """Choose how the next factors are kept, after the last served for `served` steps.

    The way that lasted longer is taken; the other one is tried again after as many times as it was
    worse.
    """
    if report.turned == 1:
        report.lasted_turned, report.lasted_fixed = report.served, report.lasted_fixed + 1.0
    else:
        report.lasted_fixed, report.lasted_turned = report.served, report.lasted_turned + 1.0
    report.turned = 1 if report.lasted_turned >= report.lasted_fixed else 0

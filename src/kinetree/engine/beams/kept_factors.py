"""Factors that are kept from step to step, and turn with the nodes.

A matrix K made where node b had the frame R_b (row KEPT of `work.poses`) stands, where it has the
frame R'_b, for

    Q^T K Q,     Q_b = R_b R'_b^T     on the travel and the turn of every node,

for what nodes see of each other in their own axes changes slowly, however fast all of them turn.
Equations of joints do not turn like that: a pin stays where it is. So factors are kept in the
world, too, and the way in which they last longer is taken.
"""

from ...kernel.algebra.vec3 import rotate, rotate_t
from ...kernel.decorators import inline, kernel
from ...kernel.tables.poses import END, KEPT, node_pose
from .blocks import solve_blocks

NEVER_TRIED = 1e9  # steps
COST, MARGIN = 4.0, 0.5  # of a matrix and its factors, and of doubt: in corrections without


@kernel
def keep_frames(tables, work):
    """The factors at hand belong to the frames at END."""
    for b in range(1, tables.links.shape[0]):
        for k in range(12):
            work.poses[KEPT, b, k] = work.poses[END, b, k]


@inline
def turn_in_plane(x, o, A, B, p, q):
    """The travel at x[o:], along the axes p and q, from the frame A to the frame B."""
    c = B[3 * p] * A[3 * p] + B[3 * p + 1] * A[3 * p + 1] + B[3 * p + 2] * A[3 * p + 2]
    s = B[3 * q] * A[3 * p] + B[3 * q + 1] * A[3 * p + 1] + B[3 * q + 2] * A[3 * p + 2]
    x[o], x[o + 1] = c * x[o] - s * x[o + 1], s * x[o] + c * x[o + 1]


@inline
def turn_from(tables, work, x, old, new):
    """All nodes of x from their frames at one row of `work.poses` to those at another."""
    n = tables.freedoms.shape[0]
    for b in range(1, tables.links.shape[0]):
        o = n * (b - 1)
        _, A = node_pose(work.poses[old], b)
        _, B = node_pose(work.poses[new], b)
        if n == 3:
            turn_in_plane(x, o, A, B, tables.freedoms[0], tables.freedoms[1])
        else:
            x[o], x[o + 1], x[o + 2] = rotate(B, rotate_t(A, (x[o], x[o + 1], x[o + 2])))
            x[o + 3], x[o + 4], x[o + 5] = rotate(B, rotate_t(A, (x[o + 3], x[o + 4], x[o + 5])))


@kernel
def solve_kept(tables, work, x):
    """x <- A^-1 x with factors of an earlier place."""
    turned = work.report[0].turned == 1
    if turned:
        turn_from(tables, work, x, END, KEPT)
    solve_blocks(tables, work, x)
    if turned:
        turn_from(tables, work, x, KEPT, END)


@inline
def forget_kept(report):
    """At a start: no factors, nothing known of how they last, and no guesses to be judged."""
    report.fresh, report.turned, report.served = 0, 1, 0
    report.lasted_turned, report.lasted_fixed = NEVER_TRIED, NEVER_TRIED
    report.plain, report.bent, report.curved = 0.0, 0.0, 0.0


@inline
def begin_wear(report, corrections):
    """A step with factors of its own."""
    report.served, report.spent = 0, COST + corrections


@inline
def lasted(report):
    """Steps that factors served, kept in the better way."""
    return max(report.lasted_turned, report.lasted_fixed)


@inline
def wear(report, corrections):
    """A step with kept factors: given up when it costs more than the steps with them did on
    average, their making included.
    """
    if corrections > report.spent / (1 + report.served) + MARGIN:
        report.fresh = 0
    report.served, report.spent = report.served + 1, report.spent + corrections


@inline
def choose_way(report):
    """Factors had to be made anew after `served` steps: the next ones are kept in the way that
    lasted longer, the other is tried again after as many times as it was worse.
    """
    if report.turned == 1:
        report.lasted_turned, report.lasted_fixed = report.served, report.lasted_fixed + 1.0
    else:
        report.lasted_fixed, report.lasted_turned = report.served, report.lasted_turned + 1.0
    report.turned = 1 if report.lasted_turned >= report.lasted_fixed else 0

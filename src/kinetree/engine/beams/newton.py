"""Newton's method of one step in nodal coordinates.

A full correction below SMALL leaves an error of its square. A kept matrix, from an earlier
correction or (with `hold`) from an earlier step, leaves theta times the correction, and theta must
be measured in this step; where theta is not small, a new matrix is computed. No node rotates by
more than one radian per correction, and a correction that grew is scaled down in proportion. The
caller halves a step for which that is not enough (step.py).

The contraction and the fraction of a correction are those of kernel/algebra/convergence.py. The end
of the iteration is its own: it converges to rounding, |d| theta < TINY, where the implicit methods
stop at a part of their tolerance.
"""

import math

from ...kernel.algebra.convergence import all_finite, contraction, step_fraction
from ...kernel.algebra.vec3 import norm, scale
from ...kernel.decorators import inline, kernel
from ...kernel.tables.status import Status
from .assembly import assemble
from .blocks import factorise, solve_blocks
from .kept_factors import solve_with_kept, store_frames
from .nodal import EXACT, MIDPOINT, in_space, shift_node, update_poses
from .rows import first_row

OK, NO_CLOSURE, SINGULAR, NOT_FINITE = (
    int(s) for s in (Status.OK, Status.NO_CLOSURE, Status.SINGULAR_MASS, Status.NOT_FINITE)
)
MOST = 60  # corrections
FAR = 0.2  # of the motion: largest first correction with a kept matrix
# corrections, in lengths of the model and rad; below NOISE the measured theta is rounding
SMALL, TINY, NOISE = 1e-10, 1e-15, 1e-13
OPEN = 2e-6  # lengths of the model and rad: violation before a correction that may be the last
SHRINK = 0.05  # largest theta with which a matrix is kept
LARGEST_TURN = 1.0  # of a node in one correction (rad)


@inline
def size_of(tables, work):
    """Largest displacement (in lengths of the model) or rotation of a correction; the rotation."""
    travel, turn, length, n = 0.0, 0.0, tables.settings[0].length, tables.freedoms.shape[0]
    flat = 3 if n == 6 else 2  # displacements come first
    for b in range(tables.links.shape[0] - 1):
        for k in range(n):
            z = abs(work.unbalanced[n * b + k])
            if k < flat:
                travel = max(travel, z)
            else:
                turn = max(turn, z)
    return max(travel / length, turn) if all_finite(work.unbalanced) else math.inf, turn


@inline
def is_closed(tables, work):
    """Whether the constraints are violated by no more than a last correction removes.

    Contradictory rows never are.
    """
    s, first = tables.settings[0], first_row(tables)
    for k in range(work.multipliers.shape[0]):
        # angles times the length of the model
        scale = 1.0 if tables.row_scale[k] > 0.0 else s.length
        if not abs(work.unbalanced[first + k]) * scale <= OPEN * s.length + 4.0 * s.absorbed:
            return False
    return True


@inline
def worst(tables, work):
    """Body with the largest correction."""
    n, length, most, found = tables.freedoms.shape[0], tables.settings[0].length, -1.0, 1
    for b in range(1, tables.links.shape[0]):
        d, turn = in_space(tables, work.unbalanced, n * (b - 1))
        size = max(norm(d) / length, norm(turn))
        if not size <= most:
            most, found = size, b
    return found


@inline
def motion(tables, work):
    """Largest displacement (in lengths of the model) or rotation of the predicted step."""
    most = 0.0
    for b in range(1, tables.links.shape[0]):
        node = work.nodes[b]
        for k in range(3):
            most = max(most, abs(node.d[k]) / tables.settings[0].length, abs(node.r[k]))
    return most


@kernel
def correct(tables, work, s):
    """Subtract s times the correction from the increments and multipliers."""
    x = work.unbalanced
    for b in range(1, tables.links.shape[0]):
        d, turn = in_space(tables, x, tables.freedoms.shape[0] * (b - 1))
        shift_node(work, b, scale(-s, d), scale(-s, turn))
    for k in range(work.multipliers.shape[0]):
        work.multipliers[k] -= s * x[first_row(tables) + k]


@inline
def follow_states(tables, work, x_i, x, h, method):
    """States of elements and controllers at the time of the forces; returns their relative change.

    at the middle   x_i + h/2 xdot,          at the end   x_i + h/2 (xdot_i + xdot)
    """
    moved, rate, first = 0.0, work.xdot_forces, work.xdot_start
    for k in range(tables.settings[0].nx):
        new = x_i[k] + 0.5 * h * (
            rate[k] if method == EXACT or method == MIDPOINT else first[k] + rate[k]
        )
        moved = max(moved, abs(new - x[k]) / (1.0 + abs(new)))
        x[k] = new
    return moved


@kernel
def solve_step(tables, work, t, h, x_i, x, method, rho, hold):
    """Solve for the increments and multipliers of the step that ends at t; returns a Status.

    x are the states at the time of the forces, x_i those at the start.
    """
    last, best, report = 0.0, 1.0, work.report[0]
    for count in range(1, MOST + 1):
        update_poses(tables, work, h, method, rho)
        full = report.fresh == 0 or (count == 1 and not hold)
        assemble(tables, work, t, h, x, method, rho, full)
        if not all_finite(work.unbalanced):
            report.fresh = 0
            return NOT_FINITE
        closed = is_closed(tables, work)
        if full:
            bad = factorise(tables, work)
            report.factorisations += 1
            if bad >= 0:
                report.index = bad
                return SINGULAR
            report.fresh = 1
            store_frames(tables, work)
            solve_blocks(tables, work, work.unbalanced)
        else:
            solve_with_kept(tables, work, work.unbalanced)
        size, turn = size_of(tables, work)
        if not full and count == 1 and size > FAR * motion(tables, work):
            report.fresh = 0  # the kept matrix belongs to a distant position
            continue
        if not size < 1e12:
            report.fresh = 0
            return NOT_FINITE
        s = step_fraction(turn, LARGEST_TURN)
        if count > 1 and size > last:
            s = min(s, max(last / size, 0.1))
        correct(tables, work, s)
        report.iterations += 1
        states_done = follow_states(tables, work, x_i, x, h, method) < 1e-10
        theta = contraction(size, last) if count > 1 else 1.0
        best = min(best, theta)
        done = (full and size < SMALL) or (best if size < NOISE else theta) * size < TINY
        if states_done and closed and s == 1.0 and done:
            update_poses(tables, work, h, method, rho)
            return OK
        if (theta > SHRINK and count > 1) or s < 1.0:
            report.fresh = 0
        last = size
    report.fresh = 0
    report.index = worst(tables, work)
    return NO_CLOSURE

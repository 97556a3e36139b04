"""Multipliers of the constrained equations: predicted from the last steps, and their corrections.

    lam^p(t) = polynomial through the multipliers of the last steps, of one order less than the step
    size of a correction:  c M^-1 G^T dlam, a velocity        with the diagonal of M

Velocities converge before multipliers do, because a wrong force acts over c only. So a correction
is measured by both, in the tolerances of velocities, and multipliers have the order of the formula.
Along directions with little inertia, such as the axis of a thin rod, even the rounding of a
multiplier is a large velocity: no correction counts for more than its change of the multipliers
relative to the largest one, in units of rtol. A prediction leaves corrections of the size of the
error of a step, where held multipliers would leave those of the size of the step.
"""

import math

from ....kernel.algebra.blas1 import copy, fill
from ....kernel.decorators import inline, internal_kernel
from ...kkt.products import add_row
from ..memory import BODIES
from .body_direct import generalized_reactions
from .matrix import DEPTH, INERTIA, KEPT, LAM, OTHER, PAST, RIGHT, loops


@inline
def time_of(run, row):
    """Time of the multipliers in a row; infinite if there are none."""
    return run.unknowns[row, run.unknowns.shape[1] - 1]


@inline
def keep(run, t, lam):
    """Keep the multipliers of an iteration that converged; the step may still be rejected."""
    for r in range(lam.shape[0]):
        run.unknowns[KEPT, r] = lam[r]
    run.unknowns[KEPT, run.unknowns.shape[1] - 1] = t


@inline
def forget(run):
    """Begin a new past."""
    for row in range(PAST, PAST + DEPTH):
        run.unknowns[row, run.unknowns.shape[1] - 1] = math.inf


@inline
def remember(run):
    """Add the multipliers that were kept to the past, if their step was accepted."""
    t = run.memory[0].t
    if time_of(run, KEPT) == t and time_of(run, PAST) != t:
        for row in range(PAST + DEPTH - 1, PAST, -1):
            copy(run.unknowns[row - 1], run.unknowns[row])
        copy(run.unknowns[KEPT], run.unknowns[PAST])


@inline
def weight_of(run, t, row, last):
    """Lagrange's weight of a row in the polynomial through the rows PAST .. last - 1."""
    weight, at = 1.0, time_of(run, row)
    for other in range(PAST, last):
        if other != row:
            weight *= (t - time_of(run, other)) / (at - time_of(run, other))
    return weight


@internal_kernel
def predict_multipliers(work, run, t):
    """Extrapolate lam to t on the selected rows; zero on the others."""
    remember(run)
    lam, rank = run.unknowns[LAM], work.report[0].rank
    last = PAST + 1
    while last < PAST + min(DEPTH, run.memory[0].order) and time_of(run, last) < math.inf:
        last += 1
    fill(lam, 0.0)
    for row in range(PAST, last):
        weight = weight_of(run, t, row, last)
        for k in range(rank):
            lam[work.selected[k]] += weight * run.unknowns[row, work.selected[k]]


@internal_kernel
def velocities_of_multipliers(tables, work, run, out):
    """out <- c M^-1 G^T dlam with the diagonal of M; c dlam is in row RIGHT."""
    own, nv = loops(run.lists), tables.settings[0].nv
    push, inertia = run.unknowns[OTHER], run.unknowns[INERTIA]
    fill(push, 0.0)
    if run.control[0].newton == BODIES:
        generalized_reactions(tables, work, run.unknowns[RIGHT][own:], push)
    else:
        for k in range(work.report[0].rank):
            r = work.selected[k]
            add_row(tables, work, r, run.unknowns[RIGHT, own + r], push)
    for k in range(nv):
        out[k] = push[k] / inertia[k]


@inline
def change_of_multipliers(work, run, c):
    """Largest correction of a multiplier, relative to the largest multiplier, in units of rtol."""
    own, change, largest = loops(run.lists), 0.0, 0.0
    for k in range(work.report[0].rank):
        r = work.selected[k]
        change = max(change, abs(run.unknowns[RIGHT, own + r]))
        largest = max(largest, abs(c * run.unknowns[LAM, r]))
    return change / (run.control[0].rtol * largest) if largest > 0.0 else math.inf

"""Node coordinates: accelerations and multipliers of a machine of free bodies by sparse elimination of blocks.

    [ M  G^T ] [vdot]   [  f  ]
    [ G   0  ] [lam ] = [gamma]

What the structural integrators start from, and what samples between their steps are completed with. Nothing is settled:
the steps themselves end on the constraints.
"""

import numpy as np

from ..dynamics.bias import bias_forces
from ..dynamics.constraint import constraint_accelerations
from ..dynamics.kinematics import coasting, coordinate_rates, kinematics
from ..dynamics.loads import loads
from ..num.dense import copy, fill
from ..num.jit import inline, kernel
from ..num.spatial import apply, dot6, load6, load21
from ..num.status import Status
from ..structural.assembly import support_redundant
from ..structural.blocks import factorise, solve_blocks
from ..structural.rows import END, push_row
from ..tables.doors import asked
from ..tables.state import parts

_OK, _SINGULAR = int(Status.OK), int(Status.SINGULAR_MASS)


@inline
def fill_masses(tables, work):
    """M, block by block."""
    first = tables.primitives.shape[0] + tables.forces.shape[0]
    for b in range(1, tables.links.shape[0]):
        I, k, o = load21(work.bodies[b].I), tables.links[b].iv, tables.spots[first + b]
        for i in range(6):
            U = apply(I, load6(work.dofs[k + i].h))
            for j in range(6):
                work.matrix[o + 6 * i + j] += dot6(U, load6(work.dofs[k + j].h))


@inline
def fill_rows(tables, work):
    """G and G^T, block by block."""
    for n in range(tables.primitives.shape[0]):
        p, at = tables.primitives[n], tables.spots[n]
        count = tables.spots[at]
        own = at + 1 + count + count * count
        rows, first = tables.spots[own + 2 * count + 1], tables.spots[own + 2 * count + 2]
        for k in range(p.ng):
            fill(work.bodies[0].F, 0.0)
            for b in range(count):
                fill(work.bodies[tables.spots[at + 1 + b]].F, 0.0)
            push_row(tables, work, n, k, 1.0, END)
            for b in range(count):
                body = tables.spots[at + 1 + b]
                F, iv = load6(work.bodies[body].F), tables.links[body].iv
                for j in range(6):
                    G = dot6(F, load6(work.dofs[iv + j].h))
                    work.matrix[tables.spots[own + b] + 6 * (first + k) + j] += G
                    work.matrix[tables.spots[own + count + b] + rows * j + first + k] += G


@kernel
def accelerate_nodes(tables, work):
    """vdot and lam from f and gamma."""
    fill(work.matrix, 0.0)
    fill_masses(tables, work)
    fill_rows(tables, work)
    if tables.settings[0].rows < tables.settings[0].ng:
        support_redundant(tables, work)
    if factorise(tables, work) >= 0:
        return _SINGULAR
    n = work.vdot.shape[0]
    for b in range(1, tables.links.shape[0]):
        for j in range(6):
            work.unbalanced[6 * (b - 1) + j] = work.f[tables.links[b].iv + j]
    copy(work.gamma, work.unbalanced[n:])
    solve_blocks(tables, work, work.unbalanced)
    for b in range(1, tables.links.shape[0]):
        for j in range(6):
            work.vdot[tables.links[b].iv + j] = work.unbalanced[6 * (b - 1) + j]
    copy(work.unbalanced[n:], work.lam)
    return _OK


@asked
def rhs(tables, work, t, y, ydot):
    q, v, x = parts(tables, y)
    qdot, vdot, xdot = parts(tables, ydot)
    work.report[0].evaluations += 1
    work.report[0].fresh = 0
    kinematics(tables, work, q, v)
    coasting(tables, work)
    loads(tables, work, t, q, v, x)
    bias_forces(tables, work)
    constraint_accelerations(tables, work, t)
    status = accelerate_nodes(tables, work)
    coordinate_rates(tables, q, v, qdot)
    copy(work.vdot, vdot)
    fill(xdot, 0.0)
    copy(work.xdot, xdot[: tables.settings[0].nx])
    return status


@asked
def settle(tables, work, t, y):
    return _OK


def row_blocks(tables, work):
    """G at the present position as a matrix, with the columns of those bodies alone that have joints."""
    fill_all_rows(tables, work)
    spots, first = tables.spots, len(tables.primitives) + len(tables.forces)
    attached = {int(b): k for k, b in enumerate(spots[spots[first] + 1:spots[first] + 1 + spots[spots[first]]])}
    G = np.zeros((int(tables.settings[0]["ng"]), 6 * len(attached)))
    for n, p in enumerate(tables.primitives):
        at, count = int(spots[n]), int(spots[spots[n]])
        own = at + 1 + count + count * count
        row = int(spots[own + 2 * count + 2])
        for b in range(count):
            o, c = int(spots[own + b]), 6 * attached[int(spots[at + 1 + b])]
            for k in range(int(p["ng"])):
                G[int(p["ig"]) + k, c:c + 6] = work.matrix[o + 6 * (row + k):o + 6 * (row + k) + 6]
    return G


@kernel
def fill_all_rows(tables, work):
    fill(work.matrix, 0.0)
    fill_rows(tables, work)

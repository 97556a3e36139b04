"""Constraint rows from primitives and hinge columns: g, G, the right sides nu and gamma.  [Lee1994,
sec. 4]

g(t, q) = 0,     G v = nu = -g_t,     G vdot = gamma
G_rk = sum over the two bodies of F . h_k  for the freedoms k on the body's path to the ground
(15), (17)
gamma_r = -(F_i.A_i + F_j.A_j + bias) + fddot,   with the accelerations A that the tree has at vdot
= 0     (18)
"""

from ...elements.constraints.aims import take_aim
from ...elements.constraints.catalogue import follow, pair, pair_and_bias, value
from ...elements.constraints.contract import add_wrench
from ...elements.constraints.coordinates import add_gradient, relation_bias, relation_value
from ...elements.constraints.orientation import drift
from ...elements.signals.catalogue import KIND, signal_value
from ...kernel.algebra.blas1 import fill
from ...kernel.algebra.spatial import dot6, load6
from ...kernel.decorators import inline, internal_kernel, kernel
from ...kernel.tables.fault import CONSTRAINT, checked, set_fault_element

_FUNCTION = KIND["function"]


@internal_kernel
def aim_at(tables, work, t):
    """Where prescribed orientations are at t, and how they move, into `work.aims`."""
    for n in range(tables.primitives.shape[0] if tables.aims.shape[0] > 0 else 0):
        p = tables.primitives[n]
        if p.aim >= 0:
            take_aim(tables, work, p.aim, t)
            set_fault_element(work.report[0], CONSTRAINT, n)


@internal_kernel
def prescribed(tables, work, n, k, t):
    """What time takes off the first row of a record, and its derivatives; the k-th must be a number
    if a user made it.
    """
    p = tables.primitives[n]
    signal = tables.signals[p.signal]
    f = signal_value(tables.signal_kernels[signal.kind], signal, tables.pool, t)
    if p.sensors == 0:
        f = follow(p.kind, p, f)
    if signal.kind == _FUNCTION:
        checked(work.report[0], f[k])
        set_fault_element(work.report[0], CONSTRAINT, n)
    return f


@kernel
def constraint_values(tables, work, t, q, x):
    """Writes g, and where orientations are to be at t; needs positions."""
    aim_at(tables, work, t)
    for n in range(tables.primitives.shape[0]):
        p = tables.primitives[n]
        if p.sensors > 0:
            work.g[p.ig] = relation_value(tables, p, q, x, work.bodies)
        else:
            for k in range(p.ng):
                work.g[p.ig + k] = value(p.kind, tables, p, k, work.bodies, work.aims)
        if p.signal >= 0:
            work.g[p.ig] -= prescribed(tables, work, n, 0, t)[0]


@inline
def write_relation(tables, work, p):
    """The row of G of a relation between joint coordinates."""
    row = work.G[p.ig]
    fill(row, 0.0)
    for m in range(p.term, p.term + p.sensors):
        add_gradient(
            tables, work, tables.sensors[tables.terms[m].sensor], tables.terms[m].ratio, row
        )


@inline
def write_row(tables, work, p, k, F_i, F_j):
    """The k-th row of G of a primitive with these unit wrenches."""
    row = work.G[p.ig + k]
    fill(row, 0.0)
    add_wrench(tables.links, work.dofs, p.i, F_i, 1.0, row)
    add_wrench(tables.links, work.dofs, p.j, F_j, 1.0, row)


@kernel
def constraint_jacobian(tables, work):
    """Writes G; needs positions, and the time of whoever was asked last."""
    for n in range(tables.primitives.shape[0]):
        p = tables.primitives[n]
        if p.sensors > 0:
            write_relation(tables, work, p)
        else:
            for k in range(p.ng):
                F_i, F_j = pair(p.kind, tables, p, k, work.bodies, work.aims)
                write_row(tables, work, p, k, F_i, F_j)


@kernel
def constraint_velocities(tables, work, t):
    """Writes nu = -g_t; needs positions."""
    aim_at(tables, work, t)
    for n in range(tables.primitives.shape[0]):
        p = tables.primitives[n]
        for k in range(p.ng):
            work.nu[p.ig + k] = -drift(p, k, work.bodies, work.aims) if p.aim >= 0 else 0.0
        if p.signal >= 0:
            work.nu[p.ig] = prescribed(tables, work, n, 1, t)[1]


@kernel
def constraint_accelerations(tables, work, t):
    """Writes gamma, nu of the rows that time moves, and G where it is kept row by row; needs
    kinematics (V, A).
    """
    rows = work.G.shape[0] > 0
    aim_at(tables, work, t)
    for n in range(tables.primitives.shape[0]):
        p = tables.primitives[n]
        if p.sensors > 0:
            work.gamma[p.ig] = -relation_bias(tables, p, work.bodies)
            if rows:
                write_relation(tables, work, p)
        else:
            A_i, A_j = load6(work.bodies[p.i].A), load6(work.bodies[p.j].A)
            for k in range(p.ng):
                F_i, F_j, bias = pair_and_bias(p.kind, tables, p, k, work.bodies, work.aims)
                work.gamma[p.ig + k] = -(dot6(F_i, A_i) + dot6(F_j, A_j) + bias)
                if rows:
                    write_row(tables, work, p, k, F_i, F_j)
                if p.aim >= 0:
                    work.nu[p.ig + k] = -drift(p, k, work.bodies, work.aims)
        if p.signal >= 0:
            _, work.nu[p.ig], second = prescribed(tables, work, n, 2, t)
            work.gamma[p.ig] += second

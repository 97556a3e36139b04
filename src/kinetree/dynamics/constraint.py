"""Constraint rows from primitives and hinge columns: g, G, the right sides nu and gamma.  [Lee1994, sec. 4]

    g(t, q) = 0,     G v = nu = -g_t,     G vdot = gamma
    G_rk = sum over the two bodies of F . h_k  for the freedoms k on the body's path to the ground         (15), (17)
    gamma_r = -(F_i.A_i + F_j.A_j + bias) + fddot,   with the accelerations A that the tree has at vdot = 0     (18)
"""

from ..constraints.catalogue import DISTANCE, RELATION, bias, pair, value
from ..constraints.contract import add_wrench
from ..constraints.coordinates import add_gradient, relation_bias, relation_value
from ..constraints.distance import prescribed
from ..num.dense import fill
from ..num.fault import CONSTRAINT, checked, name_culprit
from ..num.jit import inline, kernel
from ..num.spatial import dot6, load6
from ..signals.catalogue import KIND, signal_value

_FUNCTION = KIND["function"]


@inline
def check_motion(n, number, tables, work):
    """What a time function of the user's makes of a row must be a number."""
    p = tables.primitives[n]
    if (p.kind == RELATION or p.kind == DISTANCE) and tables.signals[p.signal].kind == _FUNCTION:
        checked(work.report[0], number)
        name_culprit(work.report[0], CONSTRAINT, n)


@kernel
def constraint_values(tables, work, t, q, x):
    """Writes g; needs positions."""
    for n in range(tables.primitives.shape[0]):
        p = tables.primitives[n]
        if p.kind == RELATION:
            work.g[p.ig] = relation_value(p, t, q, x, tables, work.bodies)
        else:
            for k in range(p.ng):
                work.g[p.ig + k] = value(p.kind, p, k, work.bodies)
            if p.kind == DISTANCE:
                work.g[p.ig] -= prescribed(p, tables, t)[0]
        check_motion(n, work.g[p.ig], tables, work)


@kernel
def constraint_jacobian(tables, work):
    """Writes G; needs positions."""
    for n in range(tables.primitives.shape[0]):
        p = tables.primitives[n]
        for k in range(p.ng):
            row = work.G[p.ig + k]
            fill(row, 0.0)
            if p.kind == RELATION:
                add_gradient(tables.sensors[p.sensor1], p.ratio1, tables, work, row)
                if p.ratio2 != 0.0:
                    add_gradient(tables.sensors[p.sensor2], p.ratio2, tables, work, row)
            else:
                F_i, F_j = pair(p.kind, p, k, work.bodies)
                add_wrench(tables.links, work.dofs, p.i, F_i, 1.0, row)
                add_wrench(tables.links, work.dofs, p.j, F_j, 1.0, row)


@kernel
def constraint_velocities(tables, work, t):
    """Writes nu = -g_t."""
    for n in range(tables.primitives.shape[0]):
        p = tables.primitives[n]
        for k in range(p.ng):
            work.nu[p.ig + k] = 0.0
        if p.kind == RELATION:
            signal = tables.signals[p.signal]
            work.nu[p.ig] = signal_value(signal.kind, signal, tables.pool, t)[1]
        elif p.kind == DISTANCE:
            work.nu[p.ig] = prescribed(p, tables, t)[1]
        check_motion(n, work.nu[p.ig], tables, work)


@kernel
def constraint_accelerations(tables, work, t):
    """Writes gamma, and nu of the rows that time moves; needs kinematics (V, A)."""
    for n in range(tables.primitives.shape[0]):
        p = tables.primitives[n]
        if p.kind == RELATION:
            signal = tables.signals[p.signal]
            _, work.nu[p.ig], second = signal_value(signal.kind, signal, tables.pool, t)
            work.gamma[p.ig] = second - relation_bias(p, tables, work.bodies)
            check_motion(n, second, tables, work)
            continue
        A_i, A_j = load6(work.bodies[p.i].A), load6(work.bodies[p.j].A)
        for k in range(p.ng):
            F_i, F_j = pair(p.kind, p, k, work.bodies)
            work.gamma[p.ig + k] = -(dot6(F_i, A_i) + dot6(F_j, A_j) + bias(p.kind, p, k, work.bodies))
        if p.kind == DISTANCE:
            _, work.nu[p.ig], second = prescribed(p, tables, t)
            work.gamma[p.ig] += second
            check_motion(n, second, tables, work)

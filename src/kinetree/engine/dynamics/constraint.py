"""Constraint rows from primitives and hinge columns: g, G, the right-hand sides nu and gamma.

    g(t, q) = 0,     G v = nu = -g_t,     G vdot = gamma
    G_rk = sum over the two bodies of F . h_k,  k on the path of the body to the ground   (15), (17)
    gamma_r = -(F_i.A_i + F_j.A_j + bias) + fddot,  accelerations A at vdot = 0           (18)

Source: [Lee1994, sec. 4].
"""

from ...elements.constraints.aims import CODE, take_aim
from ...elements.constraints.catalogue import follow, pair, pair_and_bias, pose_drift, value
from ...elements.constraints.contract import add_wrench
from ...elements.constraints.coordinates import add_gradient, relation_bias, relation_value
from ...elements.constraints.user_relation import (
    find_ratios,
    ratio,
    user_bias,
    user_drift,
    user_value,
)
from ...elements.signals.catalogue import KIND, signal_value
from ...kernel.algebra.blas1 import copy, fill
from ...kernel.algebra.spatial import dot6, load6
from ...kernel.decorators import inline, internal_kernel, kernel
from ...kernel.tables.fault import CONSTRAINT, checked, set_fault_element
from ...kernel.tables.sparse import fill_rows
from ...kernel.tables.workspace import is_packed

_FUNCTION = KIND["function"]


@internal_kernel
def evaluate_aims(tables, work, t):
    """Prescribed orientations at t and their rates, into `work.aims`."""
    for n in range(tables.primitives.shape[0] if tables.aims.shape[0] > 0 else 0):
        p = tables.primitives[n]
        if p.aim >= 0:
            if tables.aims[p.aim].kind == CODE:
                work.aims[p.aim, 0] = t
            else:
                take_aim(tables, work, p.aim, t)
            set_fault_element(work.report[0], CONSTRAINT, n)


@internal_kernel
def prescribed(tables, work, n, k, t):
    """The time function of the first row of primitive n, and its two derivatives.

    If the user supplied the function, its k-th derivative must be finite.
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


@inline
def drift(tables, work, p, k):
    """g_t of row k of a primitive with an aim: prescribed, or by user code."""
    if p.sensors > 0:
        return user_drift(tables, work, p)
    return pose_drift(tables, p, k, work.bodies, work.aims)


@inline
def check_row(tables, work, n, x):
    """Set the fault flag if user code gives no finite number for a row of primitive n."""
    p = tables.primitives[n]
    if p.aim >= 0 and tables.aims[p.aim].kind == CODE:
        checked(work.report[0], x)
        set_fault_element(work.report[0], CONSTRAINT, n)


@inline
def any_relation_value(tables, work, p, q, x):
    """g of a relation between joint coordinates, linear or by user code."""
    if p.aim >= 0:
        copy(x, work.x_seen)
        return user_value(tables, work, p)
    return relation_value(tables, p, q, x, work.bodies)


@kernel
def constraint_values(tables, work, t, q, x):
    """Write g and the prescribed orientations at t; needs positions."""
    evaluate_aims(tables, work, t)
    for n in range(tables.primitives.shape[0]):
        p = tables.primitives[n]
        if p.sensors > 0:
            work.g[p.ig] = any_relation_value(tables, work, p, q, x)
        else:
            for k in range(p.ng):
                work.g[p.ig + k] = value(p.kind, tables, p, k, work.bodies, work.aims)
        check_row(tables, work, n, work.g[p.ig])
        if p.signal >= 0:
            work.g[p.ig] -= prescribed(tables, work, n, 0, t)[0]


@inline
def write_relation(tables, work, p):
    """The row of G of a relation between joint coordinates."""
    row = work.G[p.ig]
    fill(row, 0.0)
    if p.aim >= 0:
        find_ratios(tables, work, p)
    for m in range(p.term, p.term + p.sensors):
        add_gradient(
            tables, work, tables.sensors[tables.terms[m].sensor], ratio(tables, work, p, m), row
        )


@inline
def any_relation_bias(tables, work, p):
    """gddot at vdot = 0 of a relation between joint coordinates, linear or by user code."""
    if p.aim >= 0:
        find_ratios(tables, work, p)
        return user_bias(tables, work, p)
    return relation_bias(tables, p, work.bodies)


@inline
def write_row(tables, work, p, k, F_i, F_j):
    """The k-th row of G of a primitive with these unit wrenches."""
    row = work.G[p.ig + k]
    fill(row, 0.0)
    add_wrench(tables.links, work.dofs, p.i, F_i, 1.0, row)
    add_wrench(tables.links, work.dofs, p.j, F_j, 1.0, row)


@kernel
def constraint_jacobian(tables, work):
    """Write G at the time of the last call that had one; needs positions."""
    for n in range(tables.primitives.shape[0]):
        p = tables.primitives[n]
        if p.sensors > 0:
            write_relation(tables, work, p)
        else:
            for k in range(p.ng):
                F_i, F_j = pair(p.kind, tables, p, k, work.bodies, work.aims)
                write_row(tables, work, p, k, F_i, F_j)


@inline
def fill_jacobian(tables, work):
    """Write G, dense or packed; needs positions."""
    if is_packed(work):
        fill_rows(tables, work)
    else:
        constraint_jacobian(tables, work)


@kernel
def constraint_velocities(tables, work, t):
    """Write nu = -g_t; needs positions."""
    evaluate_aims(tables, work, t)
    for n in range(tables.primitives.shape[0]):
        p = tables.primitives[n]
        for k in range(p.ng):
            work.nu[p.ig + k] = -drift(tables, work, p, k) if p.aim >= 0 else 0.0
        check_row(tables, work, n, work.nu[p.ig])
        if p.signal >= 0:
            work.nu[p.ig] = prescribed(tables, work, n, 1, t)[1]


@kernel
def constraint_accelerations(tables, work, t):
    """Write gamma, nu of rows that depend on time, and dense G if it is stored.

    Needs kinematics (V, A).
    """
    rows = work.G.shape[0] > 0
    evaluate_aims(tables, work, t)
    for n in range(tables.primitives.shape[0]):
        p = tables.primitives[n]
        if p.sensors > 0:
            work.gamma[p.ig] = -any_relation_bias(tables, work, p)
            if p.aim >= 0:
                work.nu[p.ig] = -drift(tables, work, p, 0)
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
                    work.nu[p.ig + k] = -drift(tables, work, p, k)
        check_row(tables, work, n, work.gamma[p.ig])
        if p.signal >= 0:
            _, work.nu[p.ig], second = prescribed(tables, work, n, 2, t)
            work.gamma[p.ig] += second

"""Constraints of a tree that is solved body by body (body_equations.py).

    I_i A_i + V_i x* I_i V_i - F_i + sum of lam_r F_ri  =  Phi_i - sum of Phi over the children of i
    sum of F_ri . V_i  =  nu_r

F_ri is the unit wrench of row r on body i. It turns with the bodies of the row, so that multipliers
have a part in the stiffness K, like Phi. As in the rows of the joints, the derivatives of the rows
themselves are left out. Rows of relations between joint coordinates act on joint velocities.
"""

from ....elements.constraints.catalogue import pair
from ....elements.joints.sensors import TREE, sensor_wrench
from ....kernel.algebra.spatial import add_to6, scale6
from ....kernel.decorators import inline, internal_kernel
from ...dynamics.anchors import about_origin, arm
from .matrix import BY_POSITION, BY_VELOCITY, PRESENT, row_entries


@inline
def push(work, i, factor, F):
    """Add a wrench to the loads on a body."""
    if i > 0:
        add_to6(work.bodies[i].F, scale6(factor, F))


@internal_kernel
def add_reactions(tables, work, lam):
    """Add -G^T lam to the loads: wrenches on bodies, and joint forces of relations."""
    for n in range(tables.primitives.shape[0]):
        p = tables.primitives[n]
        for k in range(p.ng):
            factor = -lam[p.ig + k]
            if factor == 0.0:
                continue
            if p.sensors == 0:
                F_i, F_j = pair(p.kind, tables, p, k, work.bodies, work.aims)
                push(work, p.i, factor, F_i)
                push(work, p.j, factor, F_j)
            for m in range(p.term, p.term + p.sensors):
                sensor, ratio = tables.sensors[tables.terms[m].sensor], tables.terms[m].ratio
                if sensor.kind == TREE:
                    work.f[sensor.iv] += factor * ratio
                else:
                    F_i, F_j = sensor_wrench(tables, sensor, work.bodies)
                    push(work, sensor.i, factor * ratio, F_i)
                    push(work, sensor.j, factor * ratio, F_j)


@inline
def store_wrench(work, i, factor, F, P, entries, n):
    """Add a unit wrench on body i to its entries, the n-th and the following; the next n."""
    if i == 0:
        return n
    about = about_origin(F, arm(work.bodies[i]))
    for d in range(6):
        P[entries[n + d]] += factor * about[d]
    return n + 6


@internal_kernel
def store_rows(tables, work, run):
    """The rows of constraints at the last evaluated state, into P."""
    P, entries, n = run.entries[PRESENT], row_entries(run.lists), 0
    for e in entries:
        P[e] = 0.0
    for m in range(tables.primitives.shape[0]):
        p = tables.primitives[m]
        for k in range(p.ng):
            if p.sensors == 0:
                F_i, F_j = pair(p.kind, tables, p, k, work.bodies, work.aims)
                n = store_wrench(work, p.i, 1.0, F_i, P, entries, n)
                n = store_wrench(work, p.j, 1.0, F_j, P, entries, n)
            for s in range(p.term, p.term + p.sensors):
                sensor, ratio = tables.sensors[tables.terms[s].sensor], tables.terms[s].ratio
                if sensor.kind == TREE:
                    P[entries[n]] += ratio
                    n += 1
                else:
                    F_i, F_j = sensor_wrench(tables, sensor, work.bodies)
                    n = store_wrench(work, sensor.i, ratio, F_i, P, entries, n)
                    n = store_wrench(work, sensor.j, ratio, F_j, P, entries, n)


@internal_kernel
def differentiate_rows(tables, run):
    """Derivatives of the rows that Baumgarte's terms give: C = 2 alpha G and K = alpha^2 G."""
    alpha, P = tables.settings[0].stabilisation, run.entries[PRESENT]
    for e in row_entries(run.lists):
        run.entries[BY_VELOCITY, e] = 2.0 * alpha * P[e]
        run.entries[BY_POSITION, e] = alpha * alpha * P[e]

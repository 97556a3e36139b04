"""Rows of all places: gap, velocity row W, bias, at a state whose kinematics are known.

    u = W v,     u' = W vdot + bias

W has the unit wrenches of a row along the hinge columns of the two bodies, as G has those of a
constraint [Lee1994, eqs. (15), (17)].
"""

from ...elements.constraints.contract import add_wrench
from ...elements.forces.catalogue import MEET, meet_place
from ...elements.forces.unilateral import ALL_RATES, CLOSED_RATES, NO_RATES, PER_ROW
from ...kernel.algebra.blas1 import fill
from ...kernel.algebra.spatial import dot6, load6
from ...kernel.decorators import inline, internal_kernel, kernel
from ...kernel.tables.records import Tables
from ...kernel.tables.workspace import Work
from ...kernel.types import Vector
from ..dynamics.kinematics import bias_accelerations, kinematics


@internal_kernel
def write_rows(tables, work, t, q, v, x):
    """Rows of all places; needs kinematics (V, c). Writes place_gap, place_rows and place_bias."""
    bias_accelerations(tables, work)
    for n in range(tables.places.shape[0]):
        place = tables.places[n]
        force, out = tables.forces[place.force], work.place_pairs[n]
        meet_place(tables.kernels[force.kind, MEET], tables, work, force, place.k, t, q, v, x, out)
        work.place_gap[n] = out[0]
        for r in range(place.rows):
            write_row(tables, work, place, r, out)


@inline
def write_closed_rows(tables, work, t, q, v, x):
    """`write_rows`, with the bias of the places that are closed alone."""
    work.place_known[3] = CLOSED_RATES
    write_rows(tables, work, t, q, v, x)
    work.place_known[3] = ALL_RATES


@inline
def write_row(tables, work, place, r, out):
    """Row r of a place, from its wrenches and its bias."""
    row, at, m = work.place_rows[place.row + r], 1 + PER_ROW * r, place.row + r
    fill(row, 0.0)
    if place.iv >= 0:
        row[place.iv] = place.sign
        work.place_bias[m] = 0.0
        return
    F_i, F_j = load6(out[at : at + 6]), load6(out[at + 6 : at + 12])
    add_wrench(tables.links, work.dofs, place.i, F_i, 1.0, row)
    add_wrench(tables.links, work.dofs, place.j, F_j, 1.0, row)
    bodies = work.bodies
    drift = dot6(F_i, load6(bodies[place.i].A)) + dot6(F_j, load6(bodies[place.j].A))
    work.place_bias[m] = drift + out[at + 12]


@internal_kernel
def rows_at(tables, work, t, q, v, x):
    """Rows of all places at a state, without their bias."""
    work.place_known[2] = 0.0
    kinematics(tables, work, q, v)
    work.place_known[3] = NO_RATES
    write_rows(tables, work, t, q, v, x)
    work.place_known[3] = ALL_RATES


@kernel
def evaluate_rows(tables: Tables, work: Work, t: float, q: Vector, v: Vector, x: Vector):
    """Rows of all places at a state."""
    kinematics(tables, work, q, v)
    write_rows(tables, work, t, q, v, x)


@inline
def along(work, row, v):
    """W v of one row."""
    total, w = 0.0, work.place_rows[row]
    for k in range(w.shape[0]):
        total += w[k] * v[k]
    return total

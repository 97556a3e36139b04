"""One compiled pass over samples: motion of the bodies, energies, momentum, force elements,
reactions, violations.

Only the parts asked for are computed and written; what a part needs of `vdot` and `lam` stands in
`NEEDS_SOLVED`.

Motion is that of the user's body frames B (origin and axes), from the kernel frames K:  X_WB = X_WK
X_KB, and

    a_B = a_O + alpha x r + w x v_B        the classical acceleration of a point from the spatial
                                           one about O
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...elements.forces.catalogue import READ, read_force
from ...elements.forces.contract import point_motion
from ...elements.joints.sensors import TREE
from ...kernel.algebra.blas1 import copy, inner
from ...kernel.algebra.spatial import (
    add6,
    add_to6,
    angular,
    dot6,
    load6,
    scale6,
    store6,
    velocity_at,
)
from ...kernel.algebra.vec3 import add, cross, load3, load9, matmul, rotate, store3, store9, sub
from ...kernel.array_block import all_are_like, block
from ...kernel.decorators import inline, kernel
from ...kernel.tables.packed import row_times
from ...kernel.tables.records import Tables
from ...kernel.tables.sparse import anchored, fill_rows, spread
from ...kernel.tables.state import parts
from ...kernel.tables.workspace import Work, is_packed
from ...kernel.types import Matrix, Vector
from .constraint import constraint_jacobian, constraint_values, constraint_velocities
from .energy import drive_power, energies
from .kinematics import kinematics
from .loads import some_energy, some_loads
from .momentum import momentum
from .reactions import JointFrames, moved, reactions
from .shared import add_shared_momentum, shared_energy


@block
class Record(NamedTuple):
    """What was seen, per sample; the second axis counts bodies (0 the ground), force elements,
    joints or rows.
    """

    position: np.ndarray  # (nt, nb, 3) of the body origin, world axes like everything below
    rotation: np.ndarray  # (nt, nb, 9) R_WB row by row
    velocity: np.ndarray
    angular_velocity: np.ndarray
    acceleration: np.ndarray
    angular_acceleration: np.ndarray
    kinetic: np.ndarray  # (nt,) of all bodies
    potential: np.ndarray  # (nt,) of gravity
    momentum: np.ndarray  # (nt, 6) angular about the world origin, linear
    stored: np.ndarray  # (nt, nf) energy in force elements
    power: np.ndarray  # (nt, nf) power of force elements on the machine
    element: (
        np.ndarray
    )  # (nt, nf, n) what force elements show of themselves: length, rate, force, ...
    load: np.ndarray  # (nt, nf, 6) torque and force on the last marker's body, at the marker
    drive: np.ndarray  # (nt,) power of drivers on the machine
    wrench: (
        np.ndarray
    )  # (nt, nj, 6) torque and force of each joint on its child, at the joint point
    g: np.ndarray  # (nt, ng) constraint residuals ...
    gdot: np.ndarray  # ... and their rates G v - nu
    xdot: np.ndarray  # (nt, nx) rates of the states that elements and controllers own
    output: np.ndarray  # (nt, no) of controllers


_FLAT, _WIDE = (
    ("kinetic", "potential", "drive"),
    ("momentum", "stored", "power", "g", "gdot", "xdot", "output"),
)
all_are_like(
    Record,
    lambda: Record(
        *(
            np.zeros((0,) * (1 if name in _FLAT else 2 if name in _WIDE else 3))
            for name in Record._fields
        )
    ),
)


MOTION, ACCELERATION, ENERGY, VIOLATION, DRIVE, ELEMENTS, WRENCH = (
    1 << k for k in range(7)
)  # parts of a record ...
FIELDS = {  # ... and what they fill; the wrenches need what the elements bring
    MOTION: ("position", "rotation", "velocity", "angular_velocity"),
    ACCELERATION: ("acceleration", "angular_acceleration"),
    ENERGY: ("kinetic", "potential", "momentum"),
    VIOLATION: ("g", "gdot"),
    DRIVE: ("drive",),
    ELEMENTS: ("stored", "power", "element", "load", "xdot", "output"),
    WRENCH: ("wrench",),
}
NEEDS_SOLVED = ACCELERATION | DRIVE | WRENCH


@inline
def accelerations(links, vdot, bodies, dofs):
    """Spatial accelerations of the bodies:  A = A_P + c + sum h vdot."""
    for i in range(1, links.shape[0]):
        link = links[i]
        A = add6(load6(bodies[link.parent].A), load6(bodies[i].c))
        for k in range(link.iv, link.iv + link.nv):
            A = add6(A, scale6(vdot[k], load6(dofs[k].h)))
        store6(bodies[i].A, A)


@inline
def write_motion(k, R_KB, p_KB, bodies, record):
    """Pose and velocity of every user's body frame."""
    for i in range(bodies.shape[0]):
        body = bodies[i]
        R_WK, V = load9(body.R), load6(body.V)
        p = add(load3(body.p), rotate(R_WK, load3(p_KB[i])))
        store3(record.position[k, i], p)
        store9(record.rotation[k, i], matmul(R_WK, load9(R_KB[i])))
        store3(record.velocity[k, i], velocity_at(V, sub(p, load3(body.O))))
        store3(record.angular_velocity[k, i], angular(V))


@inline
def write_accelerations(k, p_KB, bodies, record):
    """Acceleration of every user's body frame."""
    for i in range(bodies.shape[0]):
        body = bodies[i]
        V, A = load6(body.V), load6(body.A)
        r = sub(add(load3(body.p), rotate(load9(body.R), load3(p_KB[i]))), load3(body.O))
        store3(
            record.acceleration[k, i], add(velocity_at(A, r), cross(angular(V), velocity_at(V, r)))
        )
        store3(record.angular_acceleration[k, i], angular(A))


@inline
def power(work, v):
    """Power of the loads at hand:  sum F.V + sum tau v."""
    total = 0.0
    for i in range(1, work.bodies.shape[0]):
        total += dot6(load6(work.bodies[i].F), load6(work.bodies[i].V))
    for m in range(v.shape[0]):
        total += work.f[m] * v[m]
    return total


@inline
def write_element(tables, work, k, n, t, q, v, x, seats, record):
    """What a force element reads, exerts and brings in, with its loads alone on the bodies."""
    force = tables.forces[n]
    if force.nm > 0:
        last = tables.markers[force.im + force.nm - 1]
        body, p = work.bodies[last.body], point_motion(last, work.bodies)[0]
        store6(record.load[k, n], moved(load6(body.F), sub(p, load3(body.O))))
    record.power[k, n] = power(work, v)
    read_force(
        tables.kernels[force.kind, READ], tables, work, force, t, q, v, x, record.element[k, n]
    )
    if (
        force.sensor >= 0 and record.wrench.shape[0] > 0
    ):  # read off frames, its wrench belongs to the joint it turns
        sensor = tables.sensors[force.sensor]
        if sensor.kind != TREE:
            add_to6(record.wrench[k, seats.of_sensor[force.sensor]], load6(work.bodies[sensor.j].F))


@inline
def write_elements(tables, work, k, t, q, v, x, seats, record):
    """Each force element alone, and at last all of them: leaves bodies (F) and f."""
    count = tables.forces.shape[0]
    for n in range(count + 1):
        first, last = (n, n + 1) if n < count else (0, count)
        some_loads(tables, work, t, q, v, x, first, last)
        if n < count:
            record.stored[k, n] = some_energy(tables, work, t, q, x, first, last)
            write_element(tables, work, k, n, t, q, v, x, seats, record)
    copy(work.xdot, record.xdot[k])
    copy(work.outputs, record.output[k])


@inline
def write_violations(tables, work, k, t, q, v, x, record):
    """g and G v - nu of every row; nu is at hand."""
    constraint_values(tables, work, t, q, x)
    if is_packed(work):
        fill_rows(tables, work)
    else:
        constraint_jacobian(tables, work)
    if is_packed(work):
        spread(tables, work, v)
    u = work.spread if is_packed(work) and anchored(tables) else v
    for r in range(work.g.shape[0]):
        rate = row_times(tables, work, r, u) if is_packed(work) else inner(work.G[r], v)
        record.g[k, r], record.gdot[k, r] = work.g[r], rate - work.nu[r]


@inline
def write_whole(tables, work, k, t, q, v, x, lam, what, record):
    """What the machine as a whole has: energies and momentum, violations, power of the drivers."""
    if what & ENERGY:
        record.kinetic[k], record.potential[k] = energies(
            tables.links, tables.settings[0].gravity, work.bodies
        )
        momentum(tables.links, work.bodies, record.momentum[k])
        if tables.elements.shape[0] > 0:
            record.kinetic[k] += shared_energy(tables, work.bodies)
            add_shared_momentum(tables, work.bodies, record.momentum[k])
    if what & (VIOLATION | DRIVE):
        constraint_velocities(tables, work, t)
    if what & VIOLATION:
        write_violations(tables, work, k, t, q, v, x, record)
    if what & DRIVE:
        record.drive[k] = drive_power(work, lam)


@kernel
def observe_samples(
    tables: Tables,
    work: Work,
    seats: JointFrames,
    R_KB: Matrix,
    p_KB: Matrix,
    t: Vector,
    y: Matrix,
    vdot: Matrix,
    lam: Matrix,
    what: int,
    record: Record,
):
    """Fill the parts `what` of the record at every sample; parts that are not asked for may have no
    room.
    """
    for k in range(t.shape[0]):
        q, v, x = parts(tables, y[k])
        kinematics(tables, work, q, v)
        if what & (ACCELERATION | WRENCH):
            accelerations(tables.links, vdot[k], work.bodies, work.dofs)
        if what & MOTION:
            write_motion(k, R_KB, p_KB, work.bodies, record)
        if what & ACCELERATION:
            write_accelerations(k, p_KB, work.bodies, record)
        write_whole(tables, work, k, t[k], q, v, x, lam[k], what, record)
        if what & (ELEMENTS | WRENCH):
            write_elements(tables, work, k, t[k], q, v, x, seats, record)
        if what & WRENCH:
            reactions(tables, work, seats, lam[k], record.wrench[k])

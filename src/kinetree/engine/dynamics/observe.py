"""One pass over samples: motion, energies, momentum, force elements, reactions, violations.

The argument `what` selects the parts to compute; `NEEDS_SOLVED` lists those that read `vdot` and
`lam`. The motion is that of the user's body frames B, from the kernel frames K:

    X_WB = X_WK X_KB,     a_B = a_O + alpha x r + w x v_B

where a_B is the classical acceleration of a point and a_O the spatial one about O.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...elements.forces.catalogue import READ, read_force
from ...elements.forces.contract import point_motion
from ...elements.joints.sensors import TREE
from ...kernel.algebra.blas1 import copy
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
from ...kernel.tables.joint_inertia import joint_inertia_energy
from ...kernel.tables.records import Tables
from ...kernel.tables.state import parts
from ...kernel.tables.workspace import Work
from ...kernel.types import Matrix, Vector
from ..kkt.products import row_product, to_unknowns
from .constraint import constraint_values, constraint_velocities, fill_jacobian
from .energy import drive_power, energies, momentum
from .kinematics import kinematics
from .loads import some_energy, some_loads
from .modal_body import add_modal_inertia, add_modal_momentum, modal_energies
from .reactions import JointFrames, moved, reactions
from .shared import add_shared_momentum, shared_energy


@block
class Record(NamedTuple):
    """The quantities per sample.

    The second axis counts bodies (0 the ground), force elements, joints or rows.
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
    power: np.ndarray  # (nt, nf) power of force elements on the bodies
    element: np.ndarray  # (nt, nf, n) readings of force elements: length, rate, force, ...
    load: np.ndarray  # (nt, nf, 6) torque and force on the last marker's body, at the marker
    drive: np.ndarray  # (nt,) power of drivers
    wrench: np.ndarray  # (nt, nj, 6) torque and force of each joint on its child, at its point
    g: np.ndarray  # (nt, ng) constraint residuals ...
    gdot: np.ndarray  # ... and their rates G v - nu
    xdot: np.ndarray  # (nt, nx) rates of the states of elements and controllers
    output: np.ndarray  # (nt, no) of controllers


_FLAT = ("kinetic", "potential", "drive")
_WIDE = ("momentum", "stored", "power", "g", "gdot", "xdot", "output")
all_are_like(
    Record,
    lambda: Record(
        *(
            np.zeros((0,) * (1 if name in _FLAT else 2 if name in _WIDE else 3))
            for name in Record._fields
        )
    ),
)


# parts of a record, and the fields that they fill; WRENCH needs the loads of ELEMENTS
MOTION, ACCELERATION, ENERGY, VIOLATION, DRIVE, ELEMENTS, WRENCH = (1 << k for k in range(7))
FIELDS = {
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
        for k in range(link.modes):
            A = add6(A, scale6(vdot[link.mode_iv + k], load6(dofs[link.column + k].h)))
        store6(bodies[i].A, A)


@inline
def write_motion(k, R_KB, p_KB, bodies, record):
    """Pose and velocity of the user's frame of every body."""
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
    """Acceleration of the user's frame of every body."""
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
    """Power of the present loads:  sum F.V + sum tau v."""
    total = 0.0
    for i in range(1, work.bodies.shape[0]):
        total += dot6(load6(work.bodies[i].F), load6(work.bodies[i].V))
    for m in range(v.shape[0]):
        total += work.f[m] * v[m]
    return total


@inline
def write_element(tables, work, k, n, t, q, v, x, joint_frames, record):
    """Readings, wrench and power of force element n, whose loads alone act on the bodies."""
    force = tables.forces[n]
    if force.nm > 0:
        last = tables.markers[force.im + force.nm - 1]
        body, p = work.bodies[last.body], point_motion(last, work.bodies)[0]
        store6(record.load[k, n], moved(load6(body.F), sub(p, load3(body.O))))
    record.power[k, n] = power(work, v)
    read_force(
        tables.kernels[force.kind, READ], tables, work, force, t, q, v, x, record.element[k, n]
    )
    # a wrench on a sensor at frames belongs to the joint that the sensor measures
    if force.sensor >= 0 and record.wrench.shape[0] > 0:
        sensor = tables.sensors[force.sensor]
        if sensor.kind != TREE:
            add_to6(
                record.wrench[k, joint_frames.of_sensor[force.sensor]],
                load6(work.bodies[sensor.j].F),
            )


@inline
def write_elements(tables, work, k, t, q, v, x, joint_frames, record):
    """Each force element alone, then all of them: leaves bodies (F) and f."""
    count = tables.forces.shape[0]
    for n in range(count + 1):
        first, last = (n, n + 1) if n < count else (0, count)
        some_loads(tables, work, t, q, v, x, first, last)
        if n < count:
            record.stored[k, n] = some_energy(tables, work, t, q, x, first, last)
            write_element(tables, work, k, n, t, q, v, x, joint_frames, record)
    copy(work.xdot, record.xdot[k])
    copy(work.outputs, record.output[k])


@inline
def write_violations(tables, work, k, t, q, v, x, record):
    """g and G v - nu of every row; nu is known."""
    constraint_values(tables, work, t, q, x)
    fill_jacobian(tables, work)
    u = to_unknowns(tables, work, v)
    for r in range(work.g.shape[0]):
        record.g[k, r] = work.g[r]
        record.gdot[k, r] = row_product(tables, work, r, u) - work.nu[r]


@inline
def write_whole(tables, work, k, t, q, v, x, lam, what, record):
    """Energies and momentum, constraint violations, power of the drivers."""
    if what & ENERGY:
        record.kinetic[k], record.potential[k] = energies(
            tables.links, tables.settings[0].gravity, work.bodies
        )
        record.kinetic[k] += joint_inertia_energy(tables, v)
        momentum(tables.links, work.bodies, record.momentum[k])
        if tables.elements.shape[0] > 0:
            record.kinetic[k] += shared_energy(tables, work.bodies)
            add_shared_momentum(tables, work.bodies, record.momentum[k])
        if tables.flexible.shape[0] > 0:
            kinetic, potential = modal_energies(tables, work, v)
            record.kinetic[k] += kinetic
            record.potential[k] += potential
            add_modal_momentum(tables, work, v, record.momentum[k])
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
    joint_frames: JointFrames,
    R_KB: Matrix,
    p_KB: Matrix,
    t: Vector,
    y: Matrix,
    vdot: Matrix,
    lam: Matrix,
    loads: Matrix,
    what: int,
    record: Record,
):
    """Fill the parts `what` of the record at every sample; arrays of other parts may be empty.

    `loads` are those of contacts.
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
            copy(loads[k], work.place_loads)
            write_elements(tables, work, k, t[k], q, v, x, joint_frames, record)
        if what & WRENCH:
            add_modal_inertia(tables, work, vdot[k])
            reactions(tables, work, joint_frames, lam[k], record.wrench[k])

"""Applied forces: every element of the force table adds its wrenches to the bodies and its torques to f.

Controllers come first, so that their outputs are ready for the elements; both add the rates of their states to xdot.
"""

from ..control.controller import control
from ..forces.catalogue import apply_force, force_energy
from ..num.dense import fill
from ..num.fault import CONTROLLER, FORCE, name_culprit
from ..num.jit import kernel
from ..num.spatial import store6


@kernel
def loads(tables, work, t, q, v, x):
    """Writes bodies (F), f = tau and xdot of all controllers and elements; needs positions and velocities."""
    for i in range(work.bodies.shape[0]):
        store6(work.bodies[i].F, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    fill(work.f, 0.0)
    fill(work.xdot, 0.0)
    fill(work.outputs, 0.0)
    for k in range(tables.controllers.shape[0]):
        control(tables.controllers[k], t, q, v, x, tables, work)
        name_culprit(work.report[0], CONTROLLER, k)
    for k in range(tables.forces.shape[0]):
        force = tables.forces[k]
        apply_force(force.kind, force, t, q, v, x, tables, work)
        name_culprit(work.report[0], FORCE, k)


@kernel
def load_energy(tables, work, t, q, x):
    """Potential energy stored in the force elements."""
    total = 0.0
    for k in range(tables.forces.shape[0]):
        force = tables.forces[k]
        total += force_energy(force.kind, force, t, q, x, tables, work)
    return total

"""Applied forces: every element of the force table adds its wrenches to the bodies and its torques to f."""

from ..forces.catalogue import apply_force, force_energy
from ..num.dense import fill
from ..num.jit import kernel
from ..num.spatial import store6


@kernel
def loads(tables, work, t, q, v, x):
    """Writes bodies (F) and f = tau of all force elements; needs positions and velocities."""
    for i in range(work.bodies.shape[0]):
        store6(work.bodies[i].F, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    fill(work.f, 0.0)
    for k in range(tables.forces.shape[0]):
        force = tables.forces[k]
        apply_force(force.kind, force, t, q, v, x, tables, work)


@kernel
def load_energy(tables, work, t, q, x):
    """Potential energy stored in the force elements."""
    total = 0.0
    for k in range(tables.forces.shape[0]):
        force = tables.forces[k]
        total += force_energy(force.kind, force, t, q, x, tables, work)
    return total

"""Linear relation between joint coordinates, possibly driven by time:

    g = r1 s1 + r2 s2 + ... - offset          minus f(t) where a time function drives it

Drivers, gears, differentials, racks and the advance of a cut screw have this form.
"""

from ...kernel.algebra.spatial import dot6, load6
from ...kernel.decorators import inline
from ..joints.sensors import TREE, sensor_bias, sensor_value, sensor_wrench
from .contract import Effort, add_wrench


def effort_on(name: str, coordinate: str, unit: str) -> Effort:
    """Effort of a driver or a gear on the coordinate whose factor in the row is one."""
    about = f"effort of {name} on {coordinate}, positive where it acts to increase it"
    return Effort({"m": "N", "rad": "N m"}[unit], about)


@inline
def relation_value(tables, p, q, x, bodies):
    g = -p.offset
    for n in range(p.term, p.term + p.sensors):
        term = tables.terms[n]
        g += term.ratio * sensor_value(tables, tables.sensors[term.sensor], q, x, bodies)
    return g


@inline
def add_gradient(tables, work, sensor, ratio, row):
    """Add ratio times the gradient of a sensor to a row of G."""
    if sensor.kind == TREE:
        row[sensor.iv] += ratio
        return
    F_i, F_j = sensor_wrench(tables, sensor, work.bodies)
    add_wrench(tables.links, work.dofs, sensor.i, F_i, ratio, row)
    add_wrench(tables.links, work.dofs, sensor.j, F_j, ratio, row)


@inline
def sensor_acceleration(tables, sensor, bodies):
    """Acceleration of the coordinate with vdot = 0; the accelerations A contain the bias of
    the tree.
    """
    if sensor.kind == TREE:
        return 0.0
    F_i, F_j = sensor_wrench(tables, sensor, bodies)
    return (
        dot6(F_i, load6(bodies[sensor.i].A))
        + dot6(F_j, load6(bodies[sensor.j].A))
        + sensor_bias(tables, sensor, bodies)
    )


@inline
def relation_bias(tables, p, bodies):
    total = 0.0
    for n in range(p.term, p.term + p.sensors):
        term = tables.terms[n]
        total += term.ratio * sensor_acceleration(tables, tables.sensors[term.sensor], bodies)
    return total

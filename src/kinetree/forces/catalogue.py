"""The force elements, in the order of their stored kind: append only. (Gravity is a property of the model.)"""

from ..num.jit import switch
from . import (
    bushing,
    cable,
    drag,
    hydraulic_cylinder,
    point_force,
    pump,
    spring_damper,
    torque,
    torsion_spring,
    user_force,
)
from .contract import Entry

FORCES: tuple[Entry, ...] = (
    Entry(spring_damper.SpringDamper, spring_damper.apply, spring_damper.energy, spring_damper.read),
    Entry(torsion_spring.TorsionSpring, torsion_spring.apply, torsion_spring.energy, torsion_spring.read),
    Entry(point_force.PointForce, point_force.apply, point_force.energy),
    Entry(torque.Torque, torque.apply, torque.energy),
    Entry(bushing.Bushing, bushing.apply, bushing.energy),
    Entry(user_force.UserForce, user_force.apply, user_force.energy),
    Entry(hydraulic_cylinder.HydraulicCylinder, hydraulic_cylinder.apply, hydraulic_cylinder.energy, hydraulic_cylinder.read),
    Entry(pump.Pump, pump.apply, pump.energy, pump.read),
    Entry(drag.Drag, drag.apply, drag.energy),
    Entry(cable.Cable, cable.apply, cable.energy, cable.read),
)

KIND = {entry.force.kind: k for k, entry in enumerate(FORCES)}

apply_force = switch("apply_force", [e.apply for e in FORCES], "force, t, q, v, x, tables, work")
read_force = switch("read_force", [e.read for e in FORCES], "force, t, q, v, x, tables, work, out")
force_energy = switch("force_energy", [e.energy for e in FORCES], "force, t, q, x, tables, work")

"""Integrators by what they can be given."""

from kinetree.description.lowering.groups import TIME_STEPPING
from kinetree.engine.integrators.catalogue import INTEGRATORS
from kinetree.engine.integrators.contract import Problem

EQUATIONS = tuple(
    entry
    for entry in INTEGRATORS
    if Problem.MACHINE in entry.handles and entry.name != TIME_STEPPING
)  # of a plant, also one without bodies; time stepping moves the coordinates of joints
PLAIN = tuple(
    entry for entry in INTEGRATORS if Problem.ODE in entry.handles
)  # also equations that are no machine's

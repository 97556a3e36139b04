"""Integrators by what they can be given."""

from kinetree.engine.integrators.catalogue import INTEGRATORS
from kinetree.engine.integrators.contract import Problem

MACHINES = tuple(
    entry for entry in INTEGRATORS if Problem.MACHINE in entry.handles
)  # any plant's, in its own coordinates
PLAIN = tuple(
    entry for entry in INTEGRATORS if Problem.ODE in entry.handles
)  # also equations that are no machine's

"""Rates of a state y = (q, v, x) but for the accelerations.

A run that keeps an energy ledger appends to x the work of every force element and, last, that of
the drivers: their rates are the powers. Nothing depends on these components.
"""

from ...elements.joints.sensors import TURN_X, sensor_rate
from ...kernel.algebra.blas1 import copy
from ...kernel.decorators import kernel
from ...kernel.tables.state import parts
from .energy import drive_power
from .kinematics import coordinate_rates


@kernel
def kinematic_rates(tables, work, q, v, y, ydot):
    """qdot = N v, the rates xdot that `loads` has left, and the rate of every angle whose turns are
    counted.
    """
    qdot, _, xdot = parts(tables, ydot)
    coordinate_rates(tables, q, v, qdot)
    copy(work.xdot, xdot)
    for k in range(tables.sensors.shape[0]):
        sensor = tables.sensors[k]
        if sensor.kind >= TURN_X:
            xdot[sensor.ix] = sensor_rate(tables, sensor, v, work.bodies)
    drive = tables.settings[0].nx + tables.forces.shape[0]
    if xdot.shape[0] > drive:
        xdot[drive] = drive_power(work, work.lam)

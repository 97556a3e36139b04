"""Open trees: no constraints, accelerations by the articulated-body algorithm in O(bodies).

The state is (q, v); the projection only normalizes quaternions.
"""

from __future__ import annotations

import math

from ...kernel.algebra.blas1 import copy
from ...kernel.decorators import kernel
from ...kernel.tables.records import Tables
from ...kernel.tables.state import parts
from ...kernel.tables.status import Status
from ...kernel.tables.workspace import Work
from ...kernel.types import Vector
from ..dynamics.forward import accelerate, articulate
from ..dynamics.kinematics import kinematic_rates, kinematics, shift_coordinates
from ..dynamics.loads import loads

_OK, _NAN, _MASS = int(Status.OK), int(Status.NOT_FINITE), int(Status.SINGULAR_MASS)


@kernel
def rhs(tables: Tables, work: Work, t: float, y: Vector, ydot: Vector):
    """Derivative of the state by the articulated-body algorithm. Returns a Status."""
    q, v, x = parts(tables, y)
    vdot = parts(tables, ydot)[1]
    work.report[0].evaluations += 1
    kinematics(tables, work, q, v)
    loads(tables, work, t, q, v, x)
    bad = articulate(tables, work, work.f)
    if bad >= 0:
        work.report[0].index = bad
        return _MASS
    accelerate(tables, work, vdot)
    kinematic_rates(tables, work, q, v, y, ydot)
    copy(vdot, work.vdot)
    total = 0.0
    for k in range(vdot.shape[0]):
        total += vdot[k]
    return _OK if math.isfinite(total) else _NAN


@kernel
def project(tables: Tables, work: Work, t: float, y: Vector):
    """Normalize quaternions."""
    shift_coordinates(tables, parts(tables, y)[0], work.zeros)
    return _OK

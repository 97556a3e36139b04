"""Open trees: no constraints, accelerations by the articulated-body algorithm in O(bodies).

Integrates (q, v); settling only restores the unit length of quaternions.
"""

import math

from ...kernel.algebra.blas1 import copy, fill
from ...kernel.tables.python_calls import asked
from ...kernel.tables.state import parts
from ...kernel.tables.status import Status
from ..dynamics.forward import accelerate, articulate
from ..dynamics.kinematics import kinematics, shift_coordinates
from ..dynamics.loads import loads
from ..dynamics.state import kinematic_rates

_OK, _NAN, _MASS = int(Status.OK), int(Status.NOT_FINITE), int(Status.SINGULAR_MASS)


@asked
def rhs(tables, work, t, y, ydot):
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


@asked
def project(tables, work, t, y):
    nothing = work.scratch[6][: work.vdot.shape[0]]
    fill(nothing, 0.0)
    shift_coordinates(tables, parts(tables, y)[0], nothing)
    return _OK

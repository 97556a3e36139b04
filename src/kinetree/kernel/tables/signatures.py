"""The two functions that an integrator calls, as compiled function types.

    rhs(tables, work, t, y, ydot) -> Status     y = (q, v, x);  ydot = (N v, vdot, xdot)
    project(tables, work, t, y)   -> Status     projects an accepted state onto the constraints,
                                                in place

A formulation supplies both; a plain ODE supplies `rhs` by address and a `project` that does
nothing. The time loops take them as arguments of explicit function types, so that every integrator
is compiled once for all of them.
"""

from functools import cache

from .. import types
from ..typeof import typeof
from .records import empty_tables
from .workspace import workspace


@cache
def signatures():
    """Types of the kernel language (Tables, Work, rhs, project); the same for every model."""
    tables = empty_tables()
    t_tables, t_work = typeof(tables), typeof(workspace(tables))
    vector = types.float64[::1]
    rhs = types.int64(t_tables, t_work, types.float64, vector, vector)
    project = types.int64(t_tables, t_work, types.float64, vector)
    return t_tables, t_work, rhs, project

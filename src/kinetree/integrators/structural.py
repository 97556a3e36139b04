"""What the one-step methods on node coordinates share: how they start, step and answer between steps.

The components behind the state are the work of every force element and of the drivers, then accelerations and multipliers
(plants/nodes/step.py). Positions between two steps are cubic, everything else is linear.
"""

import numpy as np

from ..dynamics.kinematics import coordinate_rates
from ..num.dense import copy
from ..num.jit import inline, kernel
from ..plants.nodes.nodes import ALPHA_F, ALPHA_M, BETA, GAMMA, load_nodes
from ..plants.nodes.step import begin_accelerations, step_parts
from .fixed import length, target
from .memory import OWN, WIDTH, YDOT, Y
from .stepping import NOT_FINITE, OK, arrive, begin, finite

BEFORE, SLOPE_BEFORE, STATES = range(OWN, OWN + 3)
ROWS = STATES + 1
NEAR = 1e-9  # of a step: times of samples are rounded, and exact is what the ends of steps are
RENEW = 10  # steps that begin with factors of their own, before those of the last step are tried again


def coefficients(order: int) -> np.ndarray:
    """Room for the numbers of generalised alpha."""
    return np.zeros((1, WIDTH))


@inline
def write_alpha(rho, row):
    """alpha_m = (2 rho - 1)/(rho + 1), alpha_f = rho/(rho + 1), gamma = 1/2 + alpha_f - alpha_m, beta = (gamma + 1/2)^2/4."""
    row[ALPHA_M], row[ALPHA_F] = (2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0)
    row[GAMMA] = 0.5 + row[ALPHA_F] - row[ALPHA_M]
    row[BETA] = 0.25 * (row[GAMMA] + 0.5) ** 2


@kernel
def start(rhs, settle, tables, work, run):
    """Accelerations and multipliers at the start, and the nodes there."""
    status = begin(rhs, tables, work, run)
    if status == OK:
        y = run.vectors[Y]
        write_alpha(run.control[0].spectral_radius, run.coefficients[0])
        load_nodes(tables, work, y)
        begin_accelerations(tables, work, y)
        work.report[0].fresh = 0
        run.memory[0].age = 0
    return status


@inline
def slopes(tables, run, h):
    """Derivatives at both ends of the step: of positions from the velocities, of all else the mean."""
    x, s = run.vectors, tables.settings[0]
    copy(x[YDOT], x[SLOPE_BEFORE])
    coordinate_rates(tables, x[Y][: s.nq], x[Y][s.nq : s.nq + s.nv], x[YDOT][: s.nq])
    for i in range(s.nq, x.shape[1]):
        x[YDOT, i] = (x[Y, i] - x[BEFORE, i]) / h
        x[SLOPE_BEFORE, i] = x[YDOT, i]


@kernel
def advance_nodes(tables, work, run, method):
    """One step of a method."""
    control, memory, x, report = run.control[0], run.memory[0], run.vectors, work.report[0]
    h, t = length(memory, control), target(memory, control)
    copy(x[Y], x[BEFORE])
    if h != memory.h_used:
        report.fresh = 0
    before, hold = report.factorisations, memory.age == 0
    states, numbers = x[STATES][: tables.settings[0].nx], run.coefficients[0]
    status = step_parts(tables, work, t - h, h, x[Y], states, method, numbers, hold)
    memory.evaluations += 1
    if status == OK and not finite(x[Y]):
        status = NOT_FINITE
    if status != OK:
        copy(x[BEFORE], x[Y])
        return status
    memory.age = max(memory.age - 1, 0)
    if hold and report.factorisations > before and h == memory.h_used:
        memory.age = RENEW  # factors of the last step do not pay
    slopes(tables, run, h)
    arrive(memory, t, h, 2, 0.0)
    return OK


@kernel
def dense(run, t, out):
    """State at a time t inside the last step: the cubic through both ends and their slopes [Hairer1993, sec. II.6]."""
    memory, x = run.memory[0], run.vectors
    h = memory.h_used
    s = min((t - memory.t_before) / h, 1.0)
    if s > 1.0 - NEAR:
        s = 1.0
    elif s < NEAR:
        s = 0.0
    for i in range(len(out)):
        y, Y_end = x[BEFORE, i], x[Y, i]
        bend = (1.0 - 2.0 * s) * (Y_end - y) + (s - 1.0) * h * x[SLOPE_BEFORE, i] + s * h * x[YDOT, i]
        out[i] = (1.0 - s) * y + s * Y_end + s * (s - 1.0) * bend
    return OK

"""Start, steps and interpolation of the one-step methods in nodal coordinates.

The components after the state are the work of every force element and of the drivers, then
accelerations and multipliers (engine/beams/step.py). Positions inside a step are cubic, all other
components are linear.
"""

import math

import numpy as np

from ....kernel.algebra.blas1 import copy
from ....kernel.algebra.convergence import all_finite
from ....kernel.decorators import inline, kernel
from ...beams.history import begin_history
from ...beams.kept_factors import begin_use, choose_frame, count_use, longest_use, reset_kept
from ...beams.nodal import ALPHA_F, ALPHA_M, BETA, GAMMA, load_nodes
from ...beams.step import OUT_OF_PLANE, TOO_COARSE, begin_accelerations, step_parts
from ...dynamics.kinematics import coordinate_rates
from ..memory import METHOD_ROWS, WIDTH, YDOT, Y
from ..stepping import (
    INTERRUPTED,
    NOT_FINITE,
    OK,
    STEP_TOO_SMALL,
    USER_CODE,
    arrive,
    begin,
    end_time,
    too_small,
)
from .fixed_steps import hermite, length, target

BEFORE, SLOPE_BEFORE, STATES = range(METHOD_ROWS, METHOD_ROWS + 3)
ROWS = STATES + 1
NEAR = 1e-9  # of a step: a sample this close to an end gets the exact state there
# Steps with factors of their own before those of the last step are tried again, where factors
# served for fewer steps than SERVED.
RENEW, SERVED = 10, 3
FIRST = 1e-3  # of the segment: the first controlled step
SHORTEST = 1e-9  # of the longest step
ALIKE = 1e-9  # relative difference of two steps with the same factors
# Factors of the step control; a step changes rarely, because every change costs a factorization.
SAFETY, SLACK, LESS, MORE, WORTH = 0.85, 0.9, 0.2, 2.0, 1.2


def coefficients(order: int) -> np.ndarray:
    """Storage of the coefficients of generalized alpha."""
    return np.zeros((1, WIDTH))


@inline
def write_alpha(rho, row):
    """Coefficients of generalized alpha from its spectral radius rho [Chung1993].

    alpha_m = (2 rho - 1)/(rho + 1),       alpha_f = rho/(rho + 1)
    gamma = 1/2 + alpha_f - alpha_m,       beta = (gamma + 1/2)^2/4
    """
    row[ALPHA_M], row[ALPHA_F] = (2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0)
    row[GAMMA] = 0.5 + row[ALPHA_F] - row[ALPHA_M]
    row[BETA] = 0.25 * (row[GAMMA] + 0.5) ** 2


@kernel
def start(tables, work, rhs, project, run):
    """Evaluate accelerations and multipliers at the start, and set the nodes."""
    status = begin(tables, work, rhs, run)
    if status == OK:
        y = run.vectors[Y]
        write_alpha(run.control[0].spectral_radius, run.coefficients[0])
        load_nodes(tables, work, y)
        begin_accelerations(tables, work, y)
        if tables.settings[0].history == 1:
            begin_history(tables, work)
        reset_kept(work.report[0])
        run.memory[0].jacobian_age, run.memory[0].spacing = 0, 0.0
        run.memory[0].h = (
            run.control[0].h_initial
            if run.control[0].h_initial > 0.0
            else FIRST * (run.stops[-1] - run.control[0].t_start)
        )
    return status


@inline
def slopes(tables, run, h):
    """Derivatives at both ends: of positions from the velocities, of all others the mean."""
    x, s = run.vectors, tables.settings[0]
    copy(x[YDOT], x[SLOPE_BEFORE])
    coordinate_rates(tables, x[Y][: s.nq], x[Y][s.nq : s.nq + s.nv], x[YDOT][: s.nq])
    for i in range(s.nq, x.shape[1]):
        x[YDOT, i] = (x[Y, i] - x[BEFORE, i]) / h
        x[SLOPE_BEFORE, i] = x[YDOT, i]


@kernel
def one_step(tables, work, run, method, t, h, tolerance):
    """Take a step of length h that ends at t; returns a Status."""
    memory, x, report = run.memory[0], run.vectors, work.report[0]
    copy(x[Y], x[BEFORE])
    same = abs(h - memory.spacing) <= ALIKE * h
    if not same:
        report.fresh = 0
    before, corrected, hold, memory.spacing = (
        report.factorisations,
        report.iterations,
        memory.jacobian_age == 0,
        h,
    )
    states, numbers = x[STATES][: tables.settings[0].nx], run.coefficients[0]
    status = step_parts(tables, work, t - h, h, x[Y], states, method, numbers, hold, tolerance)
    memory.evaluations += 1
    if status == OK and not all_finite(x[Y]):
        status = NOT_FINITE
    if status != OK:
        copy(x[BEFORE], x[Y])
        return status
    memory.jacobian_age = max(memory.jacobian_age - 1, 0)
    if report.factorisations == before:
        count_use(report, report.iterations - corrected)
    else:
        if hold and same:
            choose_frame(report)
            memory.jacobian_age = 0 if longest_use(report) >= SERVED else RENEW
        begin_use(report, report.iterations - corrected)
    slopes(tables, run, h)
    arrive(memory, t, h, 2, report.error if tolerance > 0.0 else 0.0)
    memory.rejected, memory.shortest = memory.rejected + report.halved, report.shortest
    return OK


@inline
def fitted(memory, control):
    """Step to try: equal steps to the next stop, none longer than wanted."""
    left = control.t_end - memory.t
    return left / math.ceil(left / min(memory.h, control.h_max, memory.longest) * (1.0 - ALIKE))


@kernel
def chosen_step(tables, work, run, method):
    """One accepted step whose length is controlled by its error, or the cause of the failure.

    The error falls with the third power of the length.
    """
    control, memory, report, status = run.control[0], run.memory[0], work.report[0], OK
    shortest = SHORTEST * control.h_max
    while not too_small(memory.h, memory.t, control) and (memory.h >= shortest or status == OK):
        h = fitted(memory, control)
        status = one_step(tables, work, run, method, end_time(memory, h, control), h, control.rtol)
        if status == USER_CODE or status == INTERRUPTED or status == OUT_OF_PLANE:
            return status
        factor = max(LESS, min(MORE, SAFETY * (report.error + 1e-9) ** (-1.0 / 3.0)))
        if status == OK:
            if factor > WORTH:
                memory.h = max(memory.h, factor * h)
            elif factor < 1.0:
                memory.h = SLACK * factor * h
            return OK
        memory.rejected += 1
        memory.h = h * (min(factor, 0.9) if status == TOO_COARSE else 0.25)
    return STEP_TOO_SMALL if status == TOO_COARSE else status


@kernel
def advance_nodes(tables, work, run, method):
    """One step of a method: of the fixed length, or controlled by its error."""
    memory, control = run.memory[0], run.control[0]
    if control.h_fixed > 0.0:
        return one_step(
            tables, work, run, method, target(memory, control), length(memory, control), 0.0
        )
    return chosen_step(tables, work, run, method)


@kernel
def dense(run, t, out):
    """Interpolate the state at a time t inside the last step: a cubic through both ends."""
    memory, x = run.memory[0], run.vectors
    h = memory.h_used
    s = min((t - memory.t_before) / h, 1.0)
    if s > 1.0 - NEAR:
        s = 1.0
    elif s < NEAR:
        s = 0.0
    for i in range(len(out)):
        out[i] = hermite(s, h, x[BEFORE, i], x[SLOPE_BEFORE, i], x[Y, i], x[YDOT, i])
    return OK

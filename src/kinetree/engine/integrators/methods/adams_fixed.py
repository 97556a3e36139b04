"""Adams-Bashforth-Moulton PECE with fixed step and order p = 1 .. 8 [Hairer1993, sec. III.1].

    predict    y^p = y_n + h sum_{j<p} b_j f_{n-j}                           (Bashforth, order p)
    evaluate   f^p = f(t + h, y^p)
    correct    y_{n+1} = y_n + h (b*_0 f^p + sum_{0<j<p} b*_j f_{n+1-j})     (Moulton, order p)
    evaluate   f_{n+1} = f(t + h, y_{n+1}) after the projection

The first p - 1 steps and a shortened last one are taken by extrapolation of the modified midpoint
rule, of at least the same order [Gragg1965; Hairer1993, sec. II.9]:

    z_0 = y,  z_1 = y + s f(y),  z_{m+1} = z_{m-1} + 2 s f(z_m),  s = h / n
    T_{j0} = z_n for n = n_j = 2 j
    T_{jl} = T_{j,l-1} + (T_{j,l-1} - T_{j-1,l-1}) / ((n_j / n_{j-l})^2 - 1)

The error of z_n is a series in s^2, so that `columns` values of n give the order 2 columns.
"""

import numpy as np

from ....kernel.algebra.blas1 import copy
from ....kernel.decorators import inline, kernel
from ...kkt.singular_steps import branch_status
from ..memory import METHOD_ROWS, WIDTH, YDOT, Y
from ..stepping import OK, arrive, begin, evaluate, project_state
from .adams_formulas import ordinates
from .fixed_steps import hermite, length, steps_taken, target

MAX_ORDER = 8
P, NEXT, SLOPE, BEFORE, SLOPE_BEFORE, TABLE = range(METHOD_ROWS, METHOD_ROWS + 6)
PAST = TABLE + MAX_ORDER // 2  # f of step i lies in row PAST + i mod p
ROWS = PAST + MAX_ORDER
BASHFORTH, MOULTON = 0, 1  # rows of the coefficients


def coefficients(order: int) -> np.ndarray:
    """Weights of both formulas."""
    rows = np.zeros((2, WIDTH))
    rows[BASHFORTH, :order] = [float(b) for b in ordinates(order, 1)]
    rows[MOULTON, :order] = [float(b) for b in ordinates(order, 0)]
    return rows


@inline
def add_past(h, b, first, n, p, vectors, row):
    """row += h sum_{first<=j<p} b_j f_{n-j+first}, the newest being f_n."""
    for j in range(first, p):
        past, factor = PAST + (n - j + first) % p, h * b[j]
        for i in range(vectors.shape[1]):
            vectors[row, i] += factor * vectors[past, i]


@inline
def predict_correct(tables, work, rhs, run, p):
    """The new state from the last p derivatives."""
    control, memory, vectors, b = run.control[0], run.memory[0], run.vectors, run.coefficients
    h, n = control.h_fixed, steps_taken(memory)
    copy(vectors[Y], vectors[P])
    add_past(h, b[BASHFORTH], 0, n, p, vectors, P)
    status = evaluate(
        tables, work, rhs, memory, target(memory, control), vectors[P], vectors[SLOPE]
    )
    factor = h * b[MOULTON, 0]
    for i in range(vectors.shape[1]):
        vectors[NEXT, i] = vectors[Y, i] + factor * vectors[SLOPE, i]
    add_past(h, b[MOULTON], 1, n, p, vectors, NEXT)
    return status


@inline
def conclude(tables, work, rhs, project, run, t, h):
    """Project the new state, evaluate there, and store it as the present one.

    The old state stays for samples inside the step.
    """
    memory, vectors = run.memory[0], run.vectors
    status = project_state(tables, work, project, memory, t, vectors[NEXT])
    if status == OK:
        status = evaluate(tables, work, rhs, memory, t, vectors[NEXT], vectors[SLOPE])
    if status == OK:
        status = branch_status(work.report[0], memory)
    if status == OK:
        copy(vectors[Y], vectors[BEFORE])
        copy(vectors[YDOT], vectors[SLOPE_BEFORE])
        copy(vectors[NEXT], vectors[Y])
        copy(vectors[SLOPE], vectors[YDOT])
        arrive(memory, t, h, run.control[0].order, 0.0)
    return status


@kernel
def step(tables, work, rhs, project, run):
    """One step; the first ones and a shortened last one by extrapolation."""
    control, memory, vectors = run.control[0], run.memory[0], run.vectors
    h, t, p = length(memory, control), target(memory, control), control.order
    copy(vectors[YDOT], vectors[PAST + steps_taken(memory) % p])
    if steps_taken(memory) + 1 < p or h != control.h_fixed:
        table = vectors[TABLE : TABLE + MAX_ORDER // 2]
        status = extrapolate(
            tables,
            work,
            rhs,
            run,
            h,
            (p + 1) // 2,
            table,
            vectors[P],
            vectors[SLOPE],
            vectors[NEXT],
        )
    else:
        status = predict_correct(tables, work, rhs, run, p)
    return conclude(tables, work, rhs, project, run, t, h) if status == OK else status


@kernel
def start(tables, work, rhs, project, run):
    """Evaluate the first derivative."""
    return begin(tables, work, rhs, run)


@kernel
def dense(run, t, out):
    """Interpolate the state at a time t inside the last step."""
    memory, x = run.memory[0], run.vectors
    h = memory.h_used
    s = min((t - memory.t_before) / h, 1.0)
    for i in range(len(out)):
        out[i] = hermite(s, h, x[BEFORE, i], x[SLOPE_BEFORE, i], x[Y, i], x[YDOT, i])
    return OK


@inline
def midpoint(tables, work, rhs, run, h, n, z, before, slope):
    """z = modified midpoint value after n (even) substeps over h."""
    memory, y, ydot = run.memory[0], run.vectors[Y], run.vectors[YDOT]
    s = h / n
    for i in range(len(y)):
        before[i], z[i] = y[i], y[i] + s * ydot[i]
    for m in range(1, n):
        status = evaluate(tables, work, rhs, memory, memory.t + m * s, z, slope)
        if status != OK:
            return status
        for i in range(len(y)):
            before[i], z[i] = z[i], before[i] + 2.0 * s * slope[i]
    return OK


@inline
def extrapolate(tables, work, rhs, run, h, columns, T, before, slope, out):
    """out = state at t + h; T has one row per column of the extrapolation."""
    for j in range(columns):
        status = midpoint(tables, work, rhs, run, h, 2 * (j + 1), T[j], before, slope)
        if status != OK:
            return status
        for l in range(j - 1, -1, -1):
            factor = 1.0 / (((j + 1.0) / (l + 1.0)) ** 2 - 1.0)
            for i in range(len(out)):
                T[l, i] = T[l + 1, i] + factor * (T[l + 1, i] - T[l, i])
    copy(T[0], out)
    return OK

"""Adams-Bashforth-Moulton PECE with fixed step and chosen order p = 1 .. 8 [Hairer1993, sec. III.1].

    predict    y^p = y_n + h sum_{j<p} b_j f_{n-j}                       (Bashforth, order p)
    evaluate   f^p = f(t + h, y^p)
    correct    y_{n+1} = y_n + h (b*_0 f^p + sum_{0<j<p} b*_j f_{n+1-j})     (Moulton, order p)
    evaluate   f_{n+1} = f(t + h, y_{n+1}) after settling

The first p - 1 steps and a shortened last one are taken by extrapolation of at least the same order.
"""

import numpy as np

from ..num.jit import inline, kernel
from .adams_coefficients import ordinates
from .extrapolation import extrapolate
from .fixed import conclude, length, taken, target
from .memory import OWN, WIDTH, YDOT, Y
from .stepping import DONE, MORE, OK, begin, copy, evaluate

MAX_ORDER = 8
P, NEXT, SLOPE, TABLE = range(OWN, OWN + 4)
PAST = TABLE + MAX_ORDER // 2  # f of step i lies in row PAST + i mod p
ROWS = PAST + MAX_ORDER
BASHFORTH, MOULTON = 0, 1  # rows of the coefficients


def coefficients(order: int) -> np.ndarray:
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
def predict_correct(rhs, tables, work, run, p):
    """The new state from the last p derivatives."""
    control, memory, vectors, b = run.control[0], run.memory[0], run.vectors, run.coefficients
    h, n = control.h_fixed, taken(memory)
    copy(vectors[Y], vectors[P])
    add_past(h, b[BASHFORTH], 0, n, p, vectors, P)
    status = evaluate(rhs, tables, work, memory, target(memory, control), vectors[P], vectors[SLOPE])
    factor = h * b[MOULTON, 0]
    for i in range(vectors.shape[1]):
        vectors[NEXT, i] = vectors[Y, i] + factor * vectors[SLOPE, i]
    add_past(h, b[MOULTON], 1, n, p, vectors, NEXT)
    return status


@inline
def step(rhs, settle, tables, work, run):
    """One step, started and ended by extrapolation."""
    control, memory, vectors = run.control[0], run.memory[0], run.vectors
    h, p = length(memory, control), control.order
    copy(vectors[YDOT], vectors[PAST + taken(memory) % p])
    if taken(memory) + 1 < p or h != control.h_fixed:
        table = vectors[TABLE:TABLE + MAX_ORDER // 2]
        status = extrapolate(rhs, tables, work, run, h, (p + 1) // 2, table, vectors[P], vectors[SLOPE], vectors[NEXT])
    else:
        status = predict_correct(rhs, tables, work, run, p)
    if status == OK:
        status = conclude(rhs, settle, tables, work, run, p, vectors[NEXT], vectors[SLOPE])
    return status


@kernel
def advance(rhs, settle, tables, work, run):
    """The loop over steps."""
    control, memory = run.control[0], run.memory[0]
    status = OK if memory.started else begin(rhs, tables, work, run)
    while status == OK:
        if taken(memory) == control.steps:
            return DONE
        if memory.row == len(run.log):
            return MORE
        status = step(rhs, settle, tables, work, run)
    return status

"""Positions of a fully driven mechanism at given times, compiled: some microseconds per position.

    G v = nu,     q <- q (+) h v,     g(t + h, q) = 0        with  h |v| <= STEP

A step is halved where closing moves the mechanism by more than its share of the step, which may
lead to another branch, and where it fails: beyond a dead point no position exists.
"""

from __future__ import annotations

from ...assembly.closing import count_turns
from ...engine.equations.interface import equations, shift
from ...engine.kkt.projection import close_positions, close_velocities
from ...engine.kkt.range_space import refactor
from ...kernel.algebra.blas1 import copy
from ...kernel.decorators import kernel
from ...kernel.tables.records import Tables
from ...kernel.tables.status import Status
from ...kernel.tables.workspace import Work
from ...kernel.types import Matrix, Vector

_OK = int(Status.OK)
STEP = 0.35  # rad, or model sizes, of one step
CORRECTED = 0.3  # largest part of a step that closing may move it by
LEAST = 1e-9  # of a sample interval
CLOSE = 1e-4  # a correction that is always accepted, in natural units


@kernel
def march(
    tables: Tables,
    work: Work,
    times: Vector,
    natural: Vector,
    unit: Vector,
    q: Vector,
    v: Vector,
    x: Vector,
    tried: Vector,
    out: Matrix,
):
    """Rows of `out`: q, v and x at the times. Returns how many times were reached.

    q, v, x are those at times[0]; natural, unit: per velocity and per coordinate, one over
    the natural unit (1 rad, or the model size).
    """
    nq, t = q.shape[0], times[0]
    for k in range(times.shape[0]):
        interval = times[k] - t
        while True:
            equations(tables, work, t, q, v, x)
            if refactor(tables, work) != _OK or close_velocities(tables, work, t, q, v) != _OK:
                return k
            if not t < times[k]:
                break
            fast = 0.0
            for i in range(v.shape[0]):
                fast = max(fast, abs(v[i]) * natural[i])
            h = times[k] - t
            last = fast * h <= STEP
            if not last:
                h = STEP / fast
            while True:
                if h < LEAST * interval or not t + h > t:
                    return k
                copy(q, tried)
                for i in range(v.shape[0]):
                    work.v_step[i] = h * v[i]
                shift(tables, work, tried, work.v_step)
                copy(tried, out[k, :nq])
                t_new = times[k] if last else t + h
                if close_positions(tables, work, t_new, tried, x) == _OK:
                    moved = 0.0
                    for i in range(nq):
                        moved = max(moved, unit[i] * abs(tried[i] - out[k, i]))
                    if moved <= CORRECTED * h * fast + CLOSE:
                        break
                h, last = 0.5 * h, False
            t = t_new
            copy(tried, q)
            count_turns(tables, work, q, x)
        copy(q, out[k, :nq])
        copy(v, out[k, nq : nq + v.shape[0]])
        copy(x, out[k, nq + v.shape[0] :])
    return times.shape[0]

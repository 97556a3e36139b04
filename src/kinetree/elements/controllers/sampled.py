"""Sampled controllers: called once at each of the times  begin + k period,  with outputs held in
between.

    function(t, u, x, parameters, xnext, out)     at t_k, with u measured there; on entry xnext is x
                                                  and out is zero

The memory of such a controller consists of states of the model that are constant between samples,
so that a run that continues from a state gives the same result: its own states x, the held outputs,
with a delay the pending ones, and the number k of the next sample. Steps end at the samples
(description/lowering/breaks.py), where the run calls these functions (engine/dynamics/sampling.py).
"""

import math

from ...kernel.algebra.blas1 import copy
from ...kernel.decorators import inline, internal_kernel
from ...kernel.intrinsics import call_control
from ...kernel.tables.fault import CONTROLLER, check_all, set_fault, set_fault_element
from .controller import control, take_inputs

EARLY = 1e-9  # of a period: a time so near to a sample is that of the sample


@inline
def held(c):
    """Index of the held outputs in x."""
    return c.ix + c.nx


@inline
def counter(c):
    """Index of the number of the next sample in x."""
    return held(c) + c.no * (2 if c.delay > 0.0 else 1)


@inline
def release(c, t, x):
    """Hold the pending outputs whose delay is over."""
    if (
        c.delay > 0.0
        and t >= c.begin + (x[counter(c)] - 1.0) * c.period + c.delay - EARLY * c.period
    ):
        for k in range(c.no):
            x[held(c) + k] = x[held(c) + c.no + k]


@inline
def sample(tables, work, c, t, q, v, x):
    """Take the sample that is due at t, if any: write the next states and outputs into x."""
    n = x[counter(c)]
    if t > c.begin + (n + EARLY) * c.period:  # a run that begins later
        n = math.ceil((t - c.begin) / c.period - EARLY)
        x[counter(c)] = n
    if t < c.begin + (n - EARLY) * c.period:
        return
    u, own, following = work.inputs[0], work.inputs[1][: c.nx], work.xdot[c.ix : c.ix + c.nx]
    out, first = work.outputs[c.io : c.io + c.no], held(c) + (c.no if c.delay > 0.0 else 0)
    take_inputs(tables, work, c, t, q, v, x)
    copy(x[c.ix :], own)
    copy(own, following)
    if (
        call_control(
            c.address,
            (
                c.begin + n * c.period,
                u.ctypes.data,
                c.nu,
                own.ctypes.data,
                c.nx,
                tables.pool[c.first :].ctypes.data,
                c.count,
                following.ctypes.data,
                out.ctypes.data,
                c.no,
            ),
        )
        != 0
    ):
        set_fault(work.report[0])
    check_all(work.report[0], following)
    check_all(work.report[0], out)
    for k in range(c.nx):
        x[c.ix + k], following[k] = following[k], 0.0
    for k in range(c.no):
        x[first + k] = out[k]
    x[counter(c)] = n + 1.0


@internal_kernel
def sample_controllers(tables, work, t, q, v, x):
    """Sample all controllers that are due, in their order.

    The others run as usual, since their outputs may be inputs of those that follow.
    """
    for k in range(tables.controllers.shape[0]):
        c = tables.controllers[k]
        if c.period > 0.0:
            release(c, t, x)
            sample(tables, work, c, t, q, v, x)
        control(tables, work, c, t, q, v, x)
        set_fault_element(work.report[0], CONTROLLER, k)

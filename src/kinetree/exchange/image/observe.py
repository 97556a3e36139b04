"""What is seen at one state: accelerations and multipliers, then the record of all quantities."""

from typing import NamedTuple

import numpy as np

from ...engine.dynamics.observe import observe_samples
from ...engine.formulations.samples import complete_samples, discard_factors
from ...engine.integrators.stepping import NOT_FINITE, USER_CODE
from ...kernel.algebra.blas1 import fill
from ...kernel.array_block import all_are_like, block
from ...kernel.decorators import kernel
from ...kernel.tables.fault import NO_FAULT, clear_fault


@block
class View(NamedTuple):
    """The state that is seen, and scratch arrays. The first axis has one row."""

    t: np.ndarray  # (1,)
    y: np.ndarray  # (1, n) the state (q, v, x)
    vdot: np.ndarray  # (1, nv)
    lam: np.ndarray  # (1, ng)
    loads: np.ndarray  # (1, rows) of contacts
    R_KB: np.ndarray  # (bodies, 9) the user's body frames in those of the kernels
    p_KB: np.ndarray  # (bodies, 3)
    ydot: np.ndarray  # (n,)
    raw: np.ndarray
    before: np.ndarray
    back: np.ndarray  # (nv,)


all_are_like(View, lambda: View(np.zeros(1), *np.zeros((6, 0, 0)), *np.zeros((4, 0))))


@kernel
def observe_at(tables, work, rhs, project, joint_frames, view, what, record):
    """Complete the state in the view and fill the parts `what` of the record. Returns a Status.

    `project` moves the state onto the constraints; one that does nothing leaves it as it is.
    """
    done = complete_samples(
        tables,
        work,
        rhs,
        project,
        view.t,
        view.y,
        view.ydot,
        view.raw,
        view.before,
        view.back,
        view.vdot,
        view.lam,
        view.loads,
    )
    for n in range(record.wrench.shape[1]):  # reactions are added
        fill(record.wrench[0, n], 0.0)
    observe_samples(
        tables,
        work,
        joint_frames,
        view.R_KB,
        view.p_KB,
        view.t,
        view.y,
        view.vdot,
        view.lam,
        view.loads,
        what,
        record,
    )
    if done == 1:
        return 0
    return USER_CODE if work.report[0].last_fault != NO_FAULT else NOT_FINITE


@kernel
def rates_at(tables, work, rhs, t, y, ydot):
    """Evaluate the rates of a state that need not be near the last one. Returns a Status."""
    report = work.report[0]
    report.fresh = 0
    clear_fault(report)
    status = rhs(tables, work, t, y, ydot)
    return USER_CODE if report.fault != NO_FAULT else status


@kernel
def settle(tables, work, project, t, y):
    """Project a state onto the constraints, in place. Returns a Status."""
    report = work.report[0]
    discard_factors(report)
    clear_fault(report)
    status = project(tables, work, t, y)
    return USER_CODE if report.fault != NO_FAULT else status

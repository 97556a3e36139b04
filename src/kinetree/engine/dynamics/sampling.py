"""Samples of discrete controllers: their measurements and the change of their states."""

from __future__ import annotations

from ...elements.controllers.sampled import sample_controllers
from ...kernel.algebra.blas1 import fill
from ...kernel.decorators import kernel
from ...kernel.tables.fault import NO_FAULT, clear_fault
from ...kernel.tables.records import Tables
from ...kernel.tables.status import Status
from ...kernel.tables.workspace import Work
from ...kernel.types import Vector
from .kinematics import kinematics

_OK, _USER_CODE = int(Status.OK), int(Status.USER_CODE)


@kernel
def take_samples(tables: Tables, work: Work, t: float, q: Vector, v: Vector, x: Vector):
    """Let the controllers that are due at t take their samples. Returns a Status.

    x changes, q and v do not.
    """
    report = work.report[0]
    clear_fault(report)
    kinematics(tables, work, q, v)
    fill(work.xdot, 0.0)
    fill(work.outputs, 0.0)
    sample_controllers(tables, work, t, q, v, x)
    if report.fault == NO_FAULT:
        return _OK
    report.last_fault, report.last_fault_element = report.fault, report.fault_element
    report.t_failed = t
    return _USER_CODE

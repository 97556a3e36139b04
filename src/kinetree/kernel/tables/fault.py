"""Which element has left no value: user code that raised, or whose answer is NaN or infinite.

Whoever calls user code accuses; the loop over the elements then names the culprit. The first one of
an evaluation counts, since what comes after may only suffer from it. Whoever evaluates acquits
before and looks afterwards.
"""

import math

from ..algebra.blas1 import copy
from ..decorators import inline

NOBODY, SOMEBODY, CONTROLLER, FORCE, CONSTRAINT = range(5)


@inline
def clear_fault(report):
    report.fault = NOBODY


@inline
def set_fault(report):
    if report.fault == NOBODY:
        report.fault = SOMEBODY


@inline
def checked(report, value):
    """The value, with an accusation if it is none."""
    if not math.isfinite(value):
        set_fault(report)
    return value


@inline
def check_all(report, values):
    for k in range(values.shape[0]):
        checked(report, values[k])


@inline
def set_fault_element(report, kind, index):
    if report.fault == SOMEBODY:
        report.fault, report.culprit = kind, index


@inline
def remember_failure(work, t, y):
    """Where and for whom an evaluation failed, for those who have to explain it."""
    report = work.report[0]
    report.last_fault, report.last_culprit, report.t_failed = report.fault, report.culprit, t
    copy(y, work.failed)

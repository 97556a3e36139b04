"""Record which element returned no value: user code that raised, or a value that is not finite.

The caller of user code sets the fault flag; the loop over the elements then records the element.
Only the first fault of an evaluation is recorded, because later ones may be its consequences. The
caller of an evaluation clears the flag before it and reads it afterwards.
"""

import math

from ..algebra.blas1 import copy
from ..decorators import inline

NO_FAULT, UNNAMED_FAULT, CONTROLLER, FORCE, CONSTRAINT = range(5)


@inline
def clear_fault(report):
    """Clear the fault flag before an evaluation."""
    report.fault = NO_FAULT


@inline
def set_fault(report):
    """Set the fault flag; the element is not known yet."""
    if report.fault == NO_FAULT:
        report.fault = UNNAMED_FAULT


@inline
def checked(report, value):
    """Return the value; set the fault flag if it is not finite."""
    if not math.isfinite(value):
        set_fault(report)
    return value


@inline
def check_all(report, values):
    """Set the fault flag if a value is not finite."""
    for k in range(values.shape[0]):
        checked(report, values[k])


@inline
def set_fault_element(report, kind, index):
    """Record the element of a fault that was just set."""
    if report.fault == UNNAMED_FAULT:
        report.fault, report.fault_element = kind, index


@inline
def record_failure(work, t, y):
    """Keep time, state and element of a failed evaluation for the error message."""
    report = work.report[0]
    report.last_fault, report.last_fault_element = report.fault, report.fault_element
    report.t_failed = t
    copy(y, work.failed)

"""Steps near change points, where the branches of a mechanism meet.

A formulation reports `pivot_margin`, its smallest pivot relative to the largest row of the joint,
with the best selection of rows (`engine/kkt/row_selection.py`). It is about the angle d (rad) to
the change point. `best_margin` is the largest margin of the run. For small d:

* closure to e = 1e-14 leaves an uncertainty e / d between the branches, which are d apart, and
  turns velocities by e / d^2;
* an error s of a stage or prediction is amplified to s / d in the accelerations and spoils the
  past of a multistep method;
* below d = sqrt(e) the branches cannot be distinguished.

Adaptive methods therefore step over a change point instead of ending a step beside it, and no
method accepts a state there.
"""

from ...kernel.decorators import inline
from ...kernel.tables.status import Status

OK, CHANGE_POINT = int(Status.OK), int(Status.CHANGE_POINT)
# The next four margins are relative to `best_margin`.
NEAR = 0.05  # a step may end beside a change point: high orders are affected by s / d from here
FALL = 0.2  # ... if the margin fell by this factor within the step; slow approaches keep their step
BLIND = 4e-5  # branches may be confused: velocities turn by e / d^2 = 1e-4 at d = 1e-5
CLEAR = 1e-3  # an error s = 1e-8 of a sample costs no more than the way there: d = sqrt(s)
JUMP = 0.6  # shortening of the step, so that the next one passes the change point by a fifth of it
JUMPS = 3  # rejections in succession
VELOCITY_LIMIT = 2e-3  # part of the velocity that the projection may remove at the end of a step


@inline
def near_change_point(report):
    """Whether a change point is close enough to spoil a step."""
    return report.pivot_margin < NEAR * report.best_margin


@inline
def near_singular_step(report, memory):
    """Whether the step evaluated last ends beside a change point that was further away before."""
    return near_change_point(report) and report.pivot_margin < FALL * memory.margin


@inline
def is_ambiguous(report):
    """Whether the state is too close to a change point to distinguish its branches."""
    return report.pivot_margin < BLIND * report.best_margin


@inline
def keep_smallest_margin(report, least):
    """Keep the margin `least` of an ambiguous state from which the present one was projected."""
    if least < BLIND * report.best_margin:
        report.pivot_margin = least


@inline
def branch_status(report, memory):
    """Status of a new projected state: CHANGE_POINT if it may lie on another branch.

    A motion that starts beside a change point and moves away from it is not stopped.
    """
    lost = is_ambiguous(report) and report.pivot_margin < memory.margin
    if lost or (near_singular_step(report, memory) and report.velocity_correction > VELOCITY_LIMIT):
        return CHANGE_POINT
    return OK

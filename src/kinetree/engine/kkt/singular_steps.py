"""Steps near change points, where the branches of a mechanism meet.

A formulation reports `margin`, its smallest pivot against the largest row of the joint, with the
best rows there are (`engine/kkt/row_selection.py`), which is about the angle d (rad) that is left to the change
point, and `widest`, the largest margin it has met. Three things happen as d gets small:

    closure to e = 1e-14 leaves e / d of play across the branches, which lie d apart, and turns
    velocities by e / d^2
    an error s of a stage or prediction is amplified to s / d in the accelerations, and spoils the
    past of a multistep method
    beyond d = sqrt(e) the branches cannot be told apart

So adaptive methods jump over a change point instead of landing beside it, and no method accepts a
state there.
"""

from ...kernel.decorators import inline
from ...kernel.tables.status import Status

OK, CHANGE_POINT = int(Status.OK), int(Status.CHANGE_POINT)
# margin, of the widest, below which a step may be landing: high orders feel s / d from there
NEAR = 0.05
FALL = 0.2  # ... if it fell that far within the step; one that creeps along keeps its steps
JUMP = 0.6  # of the step, so that the next one passes the change point by a fifth of the step
JUMPS = 3  # refusals in a row: after that the end of the run, or creeping, leads there
# margin, of the widest, below which branches may be confused: velocities turn by e / d^2 = 1e-4 at
# d = 1e-5
BLIND = 4e-5
# margin, of the widest, at which an error s = 1e-8 of a sample costs no more than the way there: d
# = sqrt(s)
CLEAR = 1e-3
# part of the velocity that settling may take away where a step lands: what s / d has left there
KICK = 2e-3


@inline
def near(report):
    """Is a change point so near that it can spoil a step?"""
    return report.margin < NEAR * report.widest


@inline
def lands(report, memory):
    """Does the step evaluated last end beside a change point that was further away at its
    beginning?
    """
    return near(report) and report.margin < FALL * memory.margin


@inline
def blind(report):
    """Too near to a change point to tell its branches apart?"""
    return report.margin < BLIND * report.widest


@inline
def keep_doubt(report, least):
    """A state that was settled from beside a change point, where the margin was `least`, is
    doubtful wherever it is now.
    """
    if least < BLIND * report.widest:
        report.margin = least


@inline
def on_branch(report, memory):
    """Status of a new state that is settled and evaluated: CHANGE_POINT where it may be on another
    branch.

    A motion that started beside a change point and leaves it, its margin rising, is not stopped.
    """
    lost = blind(report) and report.margin < memory.margin
    return CHANGE_POINT if lost or (lands(report, memory) and report.kick > KICK) else OK

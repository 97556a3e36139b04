"""What a kernel can answer instead of raising; Python turns it into a sentence."""

from enum import IntEnum


class Status(IntEnum):
    OK = 0
    NOT_FINITE = 1  # a state, force or acceleration is NaN or infinite
    SINGULAR_MASS = 2  # a pivot of the mass matrix vanished
    SINGULAR_CONSTRAINTS = 3  # the active constraint rows became dependent
    NO_CLOSURE = 4  # the position correction did not converge
    STEP_TOO_SMALL = 5  # the step size fell below the spacing of numbers around t
    TOO_MUCH_ACCURACY = 6  # the tolerance is below what rounding allows
    CHANGE_POINT = 7  # a step ended where the branches of the motion cannot be told apart
    OUT_OF_STEPS = 8  # the budget of steps is used up
    OUT_OF_TIME = 9  # the budget of seconds is used up
    STALLED = 10  # at its present pace the run would never end
    POSITION_JUMP = 11  # the position that a driver prescribes jumps within the step
    RATE_JUMP = 12  # its rate does, and no breakpoint was declared there
    MOVED = 13  # settling moved a new state by far more than its error: the step was too long
    USER_CODE = 14  # user code raised, or gave a value that is NaN or infinite
    INTERRUPTED = 15  # the run was asked to stop
    OUT_OF_PLANE = 16  # a force pushes a machine that is computed in a plane out of it
    TOO_COARSE = 17  # the error of a step is above its tolerance: a shorter one is tried
    MORE = 100  # not an error: the chunk is full, call again
    DONE = 101  # not an error: the end time is reached
    SWITCHED = (
        102  # not an error: user code was found to switch inside a step, which was taken back
    )

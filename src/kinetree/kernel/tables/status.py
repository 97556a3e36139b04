"""Status values that kernels return instead of raising; Python converts them to messages."""

from enum import IntEnum


class Status(IntEnum):
    """Outcome of a kernel."""

    OK = 0
    NOT_FINITE = 1  # a state, force or acceleration is NaN or infinite
    SINGULAR_MASS = 2  # a pivot of the mass matrix vanished
    SINGULAR_CONSTRAINTS = 3  # the selected constraint rows became dependent
    NO_CLOSURE = 4  # the projection of positions did not converge
    STEP_TOO_SMALL = 5  # the step size fell below the spacing of numbers around t
    TOO_MUCH_ACCURACY = 6  # the tolerance is below what rounding allows
    CHANGE_POINT = 7  # a step ended where the branches of the motion cannot be distinguished
    OUT_OF_STEPS = 8  # the limit on the number of steps is reached
    OUT_OF_TIME = 9  # the limit on the run time is reached
    STALLED = 10  # at its present step size the run would never end
    POSITION_JUMP = 11  # the position that a driver prescribes jumps within the step
    RATE_JUMP = 12  # the rate of a driver jumps, and no breakpoint was declared there
    MOVED = 13  # the projection moved a new state by far more than its error: the step was too long
    USER_CODE = 14  # user code raised, or returned a value that is NaN or infinite
    INTERRUPTED = 15  # the run was interrupted
    OUT_OF_PLANE = 16  # a force pushes a planar model out of its plane
    TOO_COARSE = 17  # the error of a step is above its tolerance: a shorter step follows
    PAINLEVE = 18  # friction presses a sliding contact in: no motion follows from the laws
    BLOWS = 19  # several contacts with restitution were struck at once, and no law was chosen
    PENETRATION = 20  # shapes overlap where a run starts
    NO_MODE = 21  # no modes of the contacts agree with the laws
    CHATTER = 22  # events of contacts repeat without end at one time
    MORE = 100  # not an error: the batch of steps is complete, call again
    DONE = 101  # not an error: the end time is reached
    CONTACT = 103  # not an error: a step ended at the event of a contact
    SWITCHED = 102  # not an error: user code switched inside a step, which was rejected

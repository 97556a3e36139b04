"""Arrays and records of one integration: the same types for every method.

    advance(tables, work, start, step, dense, rhs, project, run) -> Status          (see loop.py)

The time loop runs until the end of the segment (DONE), until its log is full (MORE: call it again
with an empty log) or until it fails (the cause). The whole state of the integration lies in `run`.
So a run that is divided into chunks gives the same bits as the run in one piece, and an interrupted
run keeps every accepted step.

A run with breaks is divided into segments (segments.py). The method restarts in each segment. A
stop inside a segment only ends a step.
"""

from typing import NamedTuple

import numpy as np

from ...kernel.array_block import block

# Rows of `vectors`: state, absolute tolerance, derivative. The rows of a method begin at
# METHOD_ROWS.
Y, ATOL, YDOT, METHOD_ROWS = 0, 1, 2, 3
WIDTH = 16  # columns of `coefficients`


class Control(NamedTuple):
    """Options of a run: constant in a segment, except t_end, which moves from stop to stop."""

    t_start: float
    t_end: float  # the next stop (s)
    rtol: float
    share: float  # factor of the weights of the error norm
    h_initial: float  # first step (s); 0: chosen by the method
    h_max: float
    h_min: float
    h_fixed: float  # length of fixed steps (s) ...
    h_last: float  # ... of the last one, ...
    steps: int  # ... and their number in the segment
    order: int
    threshold: float  # of L (1/s), above which `switching` changes to BDF
    calibrate: int  # whether measured costs move the threshold
    linearize_every: float  # s between estimates of L; 0: L is estimated during the steps
    spectral_radius: float
    newton: int  # matrix of an implicit step: FULL, DOFS, BODIES or ARTICULATED
    per_jacobian: float  # cost of a Jacobian, in evaluations of the right-hand side
    per_factors: float  # cost of a factorization, in the same unit
    probe: float = 0.0  # s between evaluations inside a step (probing.py); 0: none
    second: float = 1.0  # unit of time (s) for the choice of the first step
    contacts: int = 0  # whether contacts may have events inside steps
    structure: int = 0  # address of `structure_operation` (newton/structure.py)
    tangents: int = 0  # number of derivatives of the state at the end of y (companions.py)


CONTROL = np.dtype(
    [(name, "f8" if kind is float else "i8") for name, kind in Control.__annotations__.items()],
    align=True,
)

# State of the time loop and of the method, by groups:
#
# time        t; t_before: start of the last accepted step; t_carry: rounding error of t
# step        h: length to try next; h_used, order_used, error, margin, shortest: of the last step;
#             longest: the longest step that the equations allow here; order: of the next step
# trial       shift: how far the projection moved the last trial state, in tolerances;
#             doubt_end: time before which a jump or kink is suspected (methods/runge_kutta.py)
# probing     switch_before, switch_after: times around a switch of user code (probing.py)
# multistep   equal_steps: number of equal steps; start_phase: order and length still rise;
#             spacing: step length to which the differences belong
# counts      accepted, rejected, evaluations; *_logged: those in the rows of the log;
#             row: next row of the log; sample: next sample; steps_before: steps before the segment;
#             next_stop: index of the stop after t_end
# state       started: whether `start` succeeded in this segment; n: components in the error norm,
#             without quadratures; slope_row: 0, or a scratch row if YDOT does not belong to Y
# Newton      c: coefficient of the factorized matrix; rate: contraction of the last iteration;
#             jacobian_age: steps since it was computed; jacobians, factorizations: counts;
#             slow_steps: steps that converged slowly, less those that did not (SLOW_STEPS);
#             whole_matrix: whether articulated steps leave out no term (newton/symmetric_step.py);
#             corrections: of the projections of the last step;
#             derivatives: which ones the next Jacobian has, OF_LOADS or OF_ALL
# switching   method: ADAMS or BDF; judge: whether the next step compares the methods;
#             L: Lipschitz constant (1/s); L_evaluations: count at the last full estimate;
#             threshold: of L; steps_in_method; window_t, window_cost: start of the measurement;
#             other_cost: of the method before; bdf_failed_L, adams_failed_L: L at which a change
#             to that method did not pay
MEMORY = np.dtype(
    [
        ("t", "f8"),
        ("t_before", "f8"),
        ("t_carry", "f8"),
        ("h", "f8"),
        ("h_used", "f8"),
        ("error", "f8"),
        ("margin", "f8"),
        ("shift", "f8"),
        ("longest", "f8"),
        ("doubt_end", "f8"),
        ("shortest", "f8"),
        ("switch_before", "f8"),
        ("switch_after", "f8"),
        ("order", "i8"),
        ("order_used", "i8"),
        ("equal_steps", "i8"),
        ("started", "i8"),
        ("start_phase", "i8"),
        ("accepted", "i8"),
        ("rejected", "i8"),
        ("evaluations", "i8"),
        ("rejected_logged", "i8"),
        ("evaluations_logged", "i8"),
        ("row", "i8"),
        ("sample", "i8"),
        ("slope_row", "i8"),
        ("judge", "i8"),
        ("n", "i8"),
        ("steps_before", "i8"),
        ("next_stop", "i8"),
        ("spacing", "f8"),
        ("c", "f8"),
        ("rate", "f8"),
        ("jacobian_age", "i8"),
        ("jacobians", "i8"),
        ("factorizations", "i8"),
        ("slow_steps", "i8"),
        ("whole_matrix", "i8"),
        ("corrections", "i8"),
        ("derivatives", "i8"),
        ("method", "i8"),
        ("L", "f8"),
        ("L_evaluations", "i8"),
        ("threshold", "f8"),
        ("steps_in_method", "i8"),
        ("window_t", "f8"),
        ("window_cost", "f8"),
        ("other_cost", "f8"),
        ("bdf_failed_L", "f8"),
        ("adams_failed_L", "f8"),
    ],
    align=True,
)

# One row of the log per accepted step: its end, length, order, error / tolerance, and its costs. A
# row may stand for several steps (steplog.py): `steps` is their number, `shortest` and `longest`
# are the extremes of their lengths.
STEP = np.dtype(
    [
        ("t", "f8"),
        ("h", "f8"),
        ("order", "i8"),
        ("error", "f8"),
        ("rejected", "i8"),
        ("evaluations", "i8"),
        ("position_error", "f8"),
        ("velocity_error", "f8"),
        ("iterations", "i8"),
        ("factorisations", "i8"),
        ("jacobians", "i8"),
        ("method", "i8"),
        ("stiffness", "f8"),
        ("threshold", "f8"),
        ("steps", "i8"),
        ("shortest", "f8"),
        ("longest", "f8"),
        ("partitions", "i8"),
        ("decompositions", "i8"),
    ],
    align=True,
)


# `newton`: the matrix of a step is a full Jacobian, or sparse over the degrees of freedom or over
# the bodies of a tree, or that of articulated bodies, which is never formed.
FULL, DOFS, BODIES, ARTICULATED = range(4)
# `slow_steps` from which a run continues with a matrix that leaves out less
SLOW_STEPS = 10
# `derivatives` over the degrees of freedom: those of force elements while they suffice, then all
OF_LOADS, OF_ALL = range(2)
# `method` of a step: cheap where nothing is stiff, or stable where something is.
ADAMS, BDF = 0, 1


@block
class RunArrays(NamedTuple):
    """Arrays of one integration."""

    control: np.ndarray  # CONTROL, one record
    memory: np.ndarray  # MEMORY, one record
    coefficients: np.ndarray  # (rows, WIDTH) of the method
    vectors: np.ndarray  # (rows, n): Y, ATOL, YDOT, then the rows of the method
    log: np.ndarray  # STEP, one row for each step of the chunk
    samples_t: np.ndarray  # sorted sample times ...
    samples_y: np.ndarray  # ... and the states there, filled after each step
    stops: np.ndarray  # times at which a step must end, the end of the segment last
    lists: np.ndarray  # of an implicit method: the pattern of its matrix (newton/matrix.py), ...
    unknowns: np.ndarray  # ... (rows, unknowns) vectors, ...
    entries: np.ndarray  # ... (3, entries) derivatives by positions and velocities, M and G, ...
    factors: np.ndarray  # ... and the factors
    # (rows of the log or 0, INNER_POINTS + 1, n): states at the interpolation points (loop.py)
    points: np.ndarray
    probes: np.ndarray  # (rows or 0, n): scratch of probing.py

"""What a time loop remembers between chunks; the same types for every method, so that each loop has
one signature.

    advance(tables, work, start, step, dense, rhs, settle, run) -> Status          (see loop.py)

The loop runs until the end time (DONE), until its log is full (MORE: call again with an empty log)
or until it can go no further (the cause). Everything that must survive lies in `run`, so a run cut
into chunks equals the run in one piece bit by bit, and an interrupted one keeps all it had
accepted.

A run with breaks is cut into stretches (`stretches.py`): each is a run of its own for the method,
which starts anew. Stops inside a stretch only end a step.
"""

from typing import NamedTuple

import numpy as np

from ...kernel.array_block import block

Y, ATOL, YDOT, OWN = (
    0,
    1,
    2,
    3,
)  # rows of `vectors`: state, absolute tolerance, derivative; a method's own rows follow
WIDTH = 16  # columns of `coefficients`


class Control(NamedTuple):
    """What was asked for: constant during a stretch, but for t_end, which moves from stop to stop."""

    t_start: float
    t_end: float
    rtol: float
    share: float
    h_initial: float
    h_max: float
    h_min: float
    h_fixed: float
    h_last: float
    steps: int
    order: int
    threshold: float
    calibrate: int
    linearize_every: float  # s; 0: L is watched as the run goes
    spectral_radius: float
    newton: int  # how steps are solved; ...
    per_jacobian: float  # ... costs in evaluations
    per_factors: float
    # between the times at which user code is probed inside steps (s); 0: nowhere (probing.py)
    probe: float = 0.0
    second: float = 1.0  # the time by which rates are counted (s)
    structure: int = (
        0  # where the kernel lies that solves them over a structure (newton_iteration.py)
    )


CONTROL = np.dtype(
    [(name, "f8" if kind is float else "i8") for name, kind in Control.__annotations__.items()],
    align=True,
)

MEMORY = np.dtype(
    [  # where the method stands; t_before: start of the last accepted step;
        # h_used, order_used, error, margin: of that step; moved: of a trial; longest: what the
        # plant allows from here;
        # doubtful: time up to which something may jump or kink (runge_kutta.py); shortest: part of
        # the last step (structural.py)
        ("t", "f8"),
        ("t_before", "f8"),
        ("t_carry", "f8"),
        ("h", "f8"),
        ("h_used", "f8"),
        ("error", "f8"),
        ("margin", "f8"),
        ("moved", "f8"),
        ("longest", "f8"),
        ("doubtful", "f8"),
        ("shortest", "f8"),
        ("quiet", "f8"),
        ("loud", "f8"),  # around a switch found inside a step (probing.py)
        ("order", "i8"),
        ("order_used", "i8"),
        ("equal_steps", "i8"),
        ("started", "i8"),
        ("rising", "i8"),
        ("accepted", "i8"),
        ("rejected", "i8"),
        ("evaluations", "i8"),
        ("rejected_logged", "i8"),
        ("evaluations_logged", "i8"),
        ("row", "i8"),
        ("sample", "i8"),
        ("stale", "i8"),
        (
            "due",
            "i8",
        ),  # a row of scratch if YDOT is not the slope at Y, else 0; whether to judge the method
        ("n", "i8"),
        ("first", "i8"),
        (
            "stop",
            "i8",
        ),  # components but for those carried along; steps before the stretch; next stop
        ("spacing", "f8"),
        ("c", "f8"),
        ("rate", "f8"),
        ("age", "i8"),
        ("jacobians", "i8"),
        ("factors", "i8"),
        ("method", "i8"),
        ("L", "f8"),
        ("looked", "i8"),
        ("threshold", "f8"),
        ("steps_here", "i8"),
        ("window_t", "f8"),
        ("window_cost", "f8"),
        ("other_rate", "f8"),
        ("not_bdf", "f8"),
        ("not_adams", "f8"),
    ],
    align=True,
)

STEP = np.dtype(
    [  # one row per accepted step: its end, length, order, error / tolerance, and what it took
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
        ("longest", "f8"),  # of a row that stands for several (`steplog.py`)
        ("partitions", "i8"),
        ("decompositions", "i8"),
    ],
    align=True,
)


FULL, FREEDOMS, BODIES = (
    0,
    1,
    2,
)  # `newton`: with a full Jacobian, or over the freedoms or the bodies of a tree
ADAMS, BDF = (
    0,
    1,
)  # `method` of a step: what is cheap while nothing is stiff, and what is stable where something is


@block
class Run(NamedTuple):
    """One integration in progress."""

    control: np.ndarray  # CONTROL, one record
    memory: np.ndarray  # MEMORY, one record
    coefficients: np.ndarray  # (rows, WIDTH), meaning is the method's own
    vectors: np.ndarray  # (rows, n): Y, ATOL, YDOT, then the method's own
    log: np.ndarray  # STEP, as long as the chunk
    samples_t: np.ndarray  # sorted times at which the state is wanted ...
    samples_y: np.ndarray  # ... and the states, filled as soon as a step has passed them
    stops: np.ndarray  # further times of the stretch at which a step must end, its own end last
    lists: np.ndarray  # of a method that has a matrix of its own: its pattern ...
    unknowns: np.ndarray  # ... (rows, unknowns) vectors ...
    entries: (
        np.ndarray
    )  # ... (3, entries) derivatives by positions and velocities, inertias and rows ...
    factors: np.ndarray  # ... and room for the factors
    # (rows of the log or none, INSIDE + 1, n): states inside each step and at its end (`loop.py`)
    nodes: np.ndarray
    probes: (
        np.ndarray
    )  # (rows or none, n): scratch of probing.py, the state before the last step first

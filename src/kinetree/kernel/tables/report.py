"""The record `work.report[0]`: the outcome of the last evaluation, and counters of a run."""

import numpy as np

HEALTH = [  # any module may read these after `rhs` or `project`
    ("rank", "i8"),  # number of selected constraint rows
    # how far the selected rows are from being dependent, now and at best
    # (engine/kkt/singular_steps.py)
    ("pivot_margin", "f8"),
    ("best_margin", "f8"),
    ("velocity_correction", "f8"),  # part of the velocity that `project` removed
    ("rebased", "i8"),  # 1: `project` expresses velocities in another basis, which is no correction
    # the degree of freedom or row of a Status that is not OK; the row nearest to dependence
    ("index", "i8"),
    ("weakest", "i8"),
    # of the constraints (m, m/s), after `project`
    ("position_error", "f8"),
    ("velocity_error", "f8"),
    # counters since the workspace was created
    ("iterations", "i8"),
    ("factorisations", "i8"),
    ("evaluations", "i8"),
    ("partitions", "i8"),  # selections of independent coordinates
    ("decompositions", "i8"),
    # dependent velocities, the first of `columns`, whose values in the state have no effect
    ("passive", "i8"),
    # written by the equations of motion: largest distance from the origin (m), time at which a
    # driver jumps, and the longest step (s) that the force elements allow (0: any)
    ("max_distance", "f8"),
    ("jump", "f8"),
    ("longest", "f8"),
    # user code that returned no value (kernel/tables/fault.py): in the present evaluation, and in
    # the last one that failed with its time
    ("fault", "i8"),
    ("fault_element", "i8"),
    ("last_fault", "i8"),
    ("last_fault_element", "i8"),
    ("t_failed", "f8"),
    ("stop", "i8"),  # set by another thread: end the run
    # the last step in nodal coordinates: error by its tolerance, length, number of halvings after
    # a failed Newton iteration, and the shortest part (s)
    ("error", "f8"),
    ("lag", "f8"),
    ("halved", "i8"),
    ("shortest", "f8"),
    # the force element, counted from 1, that pushed a planar model out of its plane
    ("out_of_plane", "i8"),
    # 1: the factors belong to the state projected last and serve the next `rhs`; a caller that
    # evaluates another state sets it to 0
    ("fresh", "i8"),
]

_PRIVATE = [  # kept between the calls of one formulation (engine/kkt, formulations, beams)
    ("selections", "i8"),  # number of row selections
    ("has_previous_basis", "i8"),  # 1: `V` is the basis of the last accepted state
    ("padded", "i8"),
    ("padding", "f8"),
    # largest entry of N in natural units: when the partition was chosen (negative: choose a new
    # one), and now
    ("chosen_growth", "f8"),
    ("basis_growth", "f8"),
    ("basis_overlap", "f8"),  # smallest pivot of V^T P_N V (basis_qr.py)
    ("reference_margin", "f8"),  # margin that decides when rows are selected again
    # errors of the predictions for the last step in nodal coordinates
    ("plain", "f8"),
    ("bent", "f8"),
    ("curved", "f8"),
    # factors that are kept over several steps (engine/beams/kept_factors.py)
    ("turned", "i8"),
    ("served", "i8"),
    ("spent", "f8"),
    ("lasted_turned", "f8"),
    ("lasted_fixed", "f8"),
]

REPORT = np.dtype([*HEALTH, *_PRIVATE], align=True)

"""The workspace of one thread: the arrays that kernels write.

`workspace(tables, storage)` allocates the arrays of the equations of motion, and of the other
arrays those that a formulation names in `storage`. Blocks of the kernel language contain arrays
only (kernel/array_block.py), so the workspace is one flat block; the headings of `Work` give the
groups.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ..array_block import all_are_like, block
from ..decorators import inline, table
from ..usercode.shapes import MARKER
from .records import Tables, empty_tables
from .report import HEALTH as HEALTH
from .report import REPORT as REPORT
from .sparse_workspace import front_arrays, packed_arrays

BODY = np.dtype(
    # per body: spatial vectors about O (the origin of the root body of its tree) in world axes
    [
        ("R", "f8", 9),
        ("p", "f8", 3),
        ("O", "f8", 3),
        ("V", "f8", 6),
        ("c", "f8", 6),
        ("A", "f8", 6),
        ("F", "f8", 6),
        ("I", "f8", 21),
        ("bias", "f8", 6),
    ],
    align=True,
)

DOF = np.dtype([("h", "f8", 6), ("U", "f8", 6), ("d", "f8"), ("u", "f8")], align=True)

NODE = np.dtype(
    # per body in nodal coordinates: inertia, first index in q and v, and its motion over a step
    [
        ("mass", "f8"),
        ("J", "f8", 9),
        ("com", "f8", 3),
        ("iq", "i8"),
        ("iv", "i8"),
        # velocity of the center of mass and angular velocity (body axes) at the start of the step
        ("v", "f8", 3),
        ("w", "f8", 3),
        # displacement of the center of mass and Rodrigues vector of the rotation over the step
        ("d", "f8", 3),
        ("r", "f8", 3),
        # of generalized alpha
        ("a", "f8", 6),
        ("vdot", "f8", 6),
        ("v_end", "f8", 6),
        ("vdot_end", "f8", 6),
    ],
    align=True,
)


@block
class Work(NamedTuple):
    """The arrays of one thread; between evaluations only a formulation keeps values in them."""

    # --- the equations of motion
    bodies: np.ndarray
    # per aim: prescribed R (9), angular velocity and acceleration in F; or time and jets of user code
    aims: np.ndarray
    # the state at which equations by user code between joint coordinates are evaluated
    q_seen: np.ndarray
    v_seen: np.ndarray
    x_seen: np.ndarray
    dofs: np.ndarray
    user: np.ndarray
    inputs: np.ndarray
    outputs: np.ndarray
    report: np.ndarray  # one record (kernel/tables/report.py)
    f: np.ndarray
    vdot: np.ndarray
    lam: np.ndarray
    g: np.ndarray
    nu: np.ndarray
    gamma: np.ndarray
    xdot: np.ndarray
    zeros: np.ndarray  # (nv,) always zero
    touch: np.ndarray  # places of contact of one pair of shapes (elements/shapes/manifold.py)
    failed: np.ndarray  # the state at which the last failed evaluation was requested
    # --- vectors of projections and accelerations
    q_trial: np.ndarray  # (nq,) a position beside that of the state
    v_trial: np.ndarray  # (nv,) a velocity beside that of the state, or a deviation from q_trial
    v_step: np.ndarray  # (nv,) a correction in velocity coordinates
    v_rhs: np.ndarray  # (nv,) right-hand side r1 of the KKT system, overwritten by its solution
    row_rhs: np.ndarray  # (ng,) right-hand side r2 over the selected rows
    row_size: np.ndarray  # (ng,) norms of the rows of G
    lam_selected: np.ndarray  # (ng,) multipliers of the selected rows
    dlam: np.ndarray  # (ng,) their correction
    tau: np.ndarray  # (ng,) multipliers of a projection
    # --- dense M and G, if a formulation needs them (`Formulation.storage`)
    M: np.ndarray
    G: np.ndarray
    # --- row selection and its factors
    selected: np.ndarray  # (ng,) the selected rows, then all others
    row_order: np.ndarray  # (ng,) the selection before, or the row order of an LU factorization
    row_owner: np.ndarray  # (ng,) first row of the joint or constraint that has the row
    row_unit: np.ndarray  # (ng,) factor that makes a row a length
    owner_size: np.ndarray  # (ng,) at the first row of an owner: its largest row
    mass_pattern: np.ndarray
    L: np.ndarray
    Q: np.ndarray
    R: np.ndarray
    # --- a basis of the null space
    full_pattern: np.ndarray  # parent of each index in a matrix without zeros: k - 1
    columns: np.ndarray  # dependent coordinates, then the independent ones
    V: np.ndarray  # the basis of the last accepted state
    N: np.ndarray
    K: np.ndarray
    LU: np.ndarray
    previous_drift: np.ndarray  # velocity of the drivers at the last accepted state
    zdot: np.ndarray  # (nv,) reduced rates
    zddot: np.ndarray  # (nv,) their derivatives
    column: np.ndarray  # (nv,) one column during a small solve
    # --- positions and velocities together
    stacked: np.ndarray  # (2 ng, 2 nv)
    stacked_step: np.ndarray  # (2 nv,)
    stacked_rhs: np.ndarray  # (2 ng,)
    # --- packed M and G (kernel/tables/sparsity.py) and their sparse factors
    M_packed: np.ndarray
    G_packed: np.ndarray
    inertia: np.ndarray  # the diagonal of M
    A: np.ndarray  # the KKT matrix, overwritten during its factorization (kernel/algebra/ldl.py)
    lower: np.ndarray
    pivots: np.ndarray
    squared_size: np.ndarray  # squared norm of each row in the mass norm, by position
    in_use: np.ndarray  # by position, 1 if it is eliminated
    pad: np.ndarray  # of unknowns; the squared length of rows that are eliminated early
    slot_row: np.ndarray  # the row in each slot
    best_pivot: np.ndarray  # the largest pivot of each slot since the rows were selected
    solution: np.ndarray  # by position
    residual: np.ndarray
    gram: np.ndarray  # Gram matrix of the rows of one group
    # --- bodies whose twist is an unknown (engine/dynamics/anchors.py)
    joint_wrenches: np.ndarray  # (6 anchors + 1, 6) D and C of their joints; the last row is free
    twists: np.ndarray  # (bodies, 6) during a sweep
    u_velocity: np.ndarray  # velocities as unknowns
    u_force: np.ndarray  # forces on the unknowns
    # --- null-space bases by fronts (engine/sparsity/reduction.py)
    bases: np.ndarray  # Y and N of every front, one matrix after the other
    previous_bases: np.ndarray  # those of the last accepted state
    row_fill: np.ndarray  # the components of each row along the y of the fronts it passes
    coordinates: np.ndarray  # the velocities and the z of every front
    y: np.ndarray  # over the selected rows
    front_matrices: np.ndarray  # (6, most) small matrices of one front
    front_order: np.ndarray  # (2, most) rows or columns of one front
    coordinate_unit: np.ndarray  # unit of every coordinate of a partition
    reduced: np.ndarray  # M of all coordinates
    z_matrix: np.ndarray  # the reduced mass matrix, overwritten during its factorization
    z_lower: np.ndarray
    z_pivots: np.ndarray
    z: np.ndarray  # by position
    # --- nodal coordinates (engine/beams)
    nodes: np.ndarray
    poses: np.ndarray  # (5, bodies, 12) centers of mass and frames (kernel/tables/poses.py)
    rates: np.ndarray  # (bodies, 6) angular velocity and velocity of centers of mass, world axes
    strains: np.ndarray  # of beam elements at the start of the step
    element: np.ndarray  # one beam element
    matrix: np.ndarray  # blocks of the Newton matrix and their factors
    exchanges: np.ndarray
    largest: np.ndarray  # largest entry in each column of the diagonal blocks
    unbalanced: np.ndarray  # residual, overwritten by the correction
    multipliers: np.ndarray
    stored: np.ndarray  # energy of the forces at the start of the step
    wrenches: np.ndarray  # of one joint or force on its bodies, about their centers of mass
    began: np.ndarray  # wrenches of all forces at the start of the step
    keep: np.ndarray  # pose and increments of a perturbed node
    xdot_start: np.ndarray  # (nx,) rates of the states at the start of the step
    xdot_forces: np.ndarray  # (nx,) rates of the states where forces are evaluated
    # --- unilateral contacts (engine/contacts); R rows of all places, W of the whole derivative
    place_gap: np.ndarray  # (places,)
    place_margin: np.ndarray  # (places, 3) values of guards at the start of a step
    place_pairs: np.ndarray  # (places, 40) gap, then wrenches on i and j and bias of each row
    place_rows: np.ndarray  # (R, nv) velocity of a row = row . v
    place_bias: np.ndarray  # (R,) its acceleration at vdot = 0
    place_loads: np.ndarray  # (R,) impulses or forces along the rows
    place_target: np.ndarray  # (R,) right-hand side of a solve
    place_trial: np.ndarray  # (R,) loads of a trial
    active: np.ndarray  # (R,) rows that the present modes close, then their number
    responses: np.ndarray  # (R + 1, W) derivative without loads, then by each unit load
    delassus: np.ndarray  # (R, R)
    delassus_inverse: np.ndarray  # (R, R)
    place_space: np.ndarray  # (2, R, R) of an inverse
    place_state: np.ndarray  # (W,) a state at which guards are evaluated
    place_event: (
        np.ndarray
    )  # (5,) place and kind of the last event, blows, energy, events at this time
    # (4,) whether wrenches, responses (1, with a singular D 2), and rows are those of the last state;
    # of which places rates are wanted
    place_known: np.ndarray
    place_at: np.ndarray  # (W + 1,) their state, and the time of the last one at the end
    # (places, 4) in a solve of several places: first index or -1, kind, direction of slip
    struck: np.ndarray
    place_low: np.ndarray  # (places,) smallest normal loads
    place_before: np.ndarray  # (R,) velocities of the rows before an impact
    place_sum: np.ndarray  # (R,) sum of impulses
    # --- bodies with modes, one after the other (engine/dynamics/modal_body.py)
    modal: np.ndarray
    # --- revolute joints: angle, cosine and sine by body (engine/dynamics/turns.py)
    angles: np.ndarray


EQUATIONS = ("M", "G")
KEPT = ("selected", "row_order", "row_owner", "row_unit", "owner_size")  # also with packed M and G
ROWS = (*EQUATIONS, *KEPT, "mass_pattern", "L", "Q", "R")
NULL_SPACE = (
    *ROWS,
    *("full_pattern", "columns", "V", "N", "K", "LU", "previous_drift", "zdot", "zddot", "column"),
)
TOGETHER = (*ROWS, "stacked", "stacked_step", "stacked_rhs")
ALL = tuple(dict.fromkeys((*NULL_SPACE, *TOGETHER)))
NODES = (
    *("nodes", "poses", "rates", "strains", "element", "matrix", "exchanges", "largest"),
    *("unbalanced", "multipliers", "stored", "wrenches", "began", "keep"),
    *("xdot_start", "xdot_forces"),
)


@inline
def is_packed(work):
    """Whether M and G are stored in packed form."""
    return work.M_packed.shape[0] > 0


def workspace(tables: Tables, storage: Sequence[str] = ALL) -> Work:
    """Allocate the workspace of one thread with the optional arrays named in `storage`.

    If `tables.settings` selects sparse factors, M and G are packed and there are no dense matrices.
    """
    nb, size = len(tables.links), tables.settings[0]
    nq, nv, nx, ng = (int(size[name]) for name in ("nq", "nv", "nx", "ng"))
    sparse = bool(size["sparse"]) and "G" in storage
    columns = max(nv, int(tables.u_dof.max(initial=-1)) + 1) if sparse else nv
    columns += int(tables.links["modes"].sum())  # of markers on bodies with modes
    c = tables.controllers.view(np.ndarray)
    common = {
        "bodies": table(BODY, nb),
        "aims": np.zeros((len(tables.aims), columns_of_aims(tables))),
        "angles": np.zeros((3, -(-nb // 4) * 4)),  # the loop over angles takes four at once
        **{
            f"{name}_seen": np.zeros(n if curved_relations(tables) else 0)
            for name, n in (("q", nq), ("v", nv), ("x", nx))
        },
        "dofs": table(DOF, columns),
        "report": table(REPORT, 1),
        "user": np.zeros((3, 18)),
        "xdot": np.zeros(nx + len(tables.forces) + 1),
        "outputs": np.zeros(int(c["no"].sum())),
        "inputs": np.zeros((2, max(c["nu"].max(initial=0), c["nx"].max(initial=0)))),
        "touch": np.zeros((int(tables.settings[0]["touch"]), 11)),
        "failed": np.zeros(nq + nv + nx),
        "q_trial": np.zeros(nq),
        **{name: np.zeros(nv) for name in ("f", "vdot", "zeros", "v_trial", "v_step", "v_rhs")},
        **{name: np.zeros(ng) for name in ("lam", "g", "nu", "gamma")},
        **{name: np.zeros(ng) for name in ("row_rhs", "row_size", "lam_selected", "dlam", "tau")},
    }
    wanted = KEPT if sparse else storage
    own = {name: _OWN[name](nv, ng) if name in wanted else _OWN[name](0, 0) for name in ALL}
    by_fronts = sparse and "N" in storage
    own |= packed_arrays(tables, sparse) | front_arrays(tables, by_fronts)
    if "row_owner" in wanted:
        own["row_owner"] = row_owners(tables.primitives, ng)
    if by_fronts:
        own["columns"] = _whole(0, int(tables.fronts["width"].sum()))
    if "mass_pattern" in wanted:
        own["mass_pattern"] = tables.dof_parent.copy()
    own.update(_nodal_arrays(tables, "nodes" in storage))
    sizes = [modal_numbers(int(f["n"]), int(f["r"])) for f in tables.flexible]
    own["modal"] = np.zeros(sum(sizes))
    own.update(_place_arrays(tables, nq + nv + nx + len(tables.forces) + 1, nv, ng))
    common["bodies"]["R"][0, [0, 4, 8]] = 1.0
    common["report"]["pivot_margin"] = 1.0  # of a model without constraints
    return Work(**common, **own)


def _place_arrays(tables: Tables, width: int, nv: int, ng: int) -> dict[str, np.ndarray]:
    """Arrays of unilateral contacts; `width` is that of the derivative of a state."""
    places = tables.places.view(np.ndarray)
    count, rows = len(places), int(places["rows"].sum())
    return {
        "place_gap": np.zeros(count),
        "place_margin": np.zeros((count, 3)),
        "place_pairs": np.zeros((count, 40)),
        "place_rows": np.zeros((rows, nv)),
        **{
            f"place_{name}": np.zeros(rows)
            for name in ("bias", "loads", "target", "trial", "before", "sum")
        },
        "active": np.zeros(rows + 1, np.int64),
        "responses": np.zeros((rows + 1 if rows else 0, width + ng)),
        "delassus": np.zeros((rows, rows)),
        "delassus_inverse": np.zeros((rows, rows)),
        "place_space": np.zeros((2, rows, rows)),
        "place_state": np.zeros(width if rows else 0),
        "place_event": np.zeros(5),
        "place_known": np.zeros(4),
        "place_at": np.zeros(width + 1 if rows else 0),
        "struck": np.zeros((count, 4)),
        "place_low": np.zeros(count),
    }


def modal_numbers(n: int, r: int) -> int:
    """Size of the part of `work.modal` of a body with n modes and r shapes (modal_body.py)."""
    return n * (14 + n) + r * (2 * n + 22)


def curved_relations(tables: Tables) -> bool:
    """Whether user code relates joint coordinates."""
    p = tables.primitives.view(np.ndarray)
    return bool(((p["sensors"] > 0) & (p["aim"] >= 0)).any())


def columns_of_aims(tables: Tables) -> int:
    """Size of a row of `aims`: for user code, the time, jets of markers or coordinates and of the
    results, and ratios.
    """
    rows = int(tables.aims["rows"].max(initial=0))
    sensors = int(tables.primitives["sensors"].max(initial=0)) if rows else 0
    c = tables.controllers.view(np.ndarray)
    inputs = int((c["nu"] + c["nx"]).max(initial=0)) if rows else 0
    numbers = max(2 * MARKER, 2 * sensors, inputs)
    return 15 if rows == 0 else 1 + 3 * numbers + 3 * rows + sensors


def _nodal_arrays(tables: Tables, wanted: bool) -> dict[str, np.ndarray]:
    """Arrays of nodal coordinates; the layout in the tables gives the size of the matrix."""
    nb, ne, nf, ng, nx = 0, 0, 0, 0, 0
    if wanted:
        nb, ne, nf = len(tables.links), len(tables.elements), len(tables.forces)
        ng, nx = int(tables.settings[0]["ng"]), int(tables.settings[0]["nx"])
    pivots = tables.pivots.view(np.ndarray)
    inside = (pivots["count"] ** 2).sum()
    between = sum(
        2 * p["count"] * tables.neighbours[p["first"] : p["last"], 1].sum() for p in pivots
    )
    most = max(len(tables.markers) + 4, 2 * int(tables.primitives["sensors"].max(initial=0)))
    return {
        "nodes": table(NODE, nb),
        "poses": np.zeros((5, nb, 12)),
        "rates": np.zeros((nb, 6)),
        "strains": np.zeros((ne, 22)),
        "element": np.zeros((10 if wanted else 0, 9)),
        "matrix": np.zeros(int(inside + between) if wanted else 0),
        "exchanges": np.zeros(int(pivots["count"].sum()) if wanted else 0, np.int64),
        "largest": np.zeros(int(pivots["count"].sum()) if wanted else 0),
        "unbalanced": np.zeros(len(tables.freedoms) * max(nb - 1, 0) + ng),
        "multipliers": np.zeros(ng),
        "stored": np.zeros(nf),
        "wrenches": np.zeros((3 if wanted else 0, most, 6)),
        "began": np.zeros((2 * most + 2 * nf if wanted else 0, 6)),
        "keep": np.zeros((5 if wanted else 0, 12)),
        "xdot_start": np.zeros(nx),
        "xdot_forces": np.zeros(nx),
    }


def _whole(first: int, n: int) -> np.ndarray:
    return np.arange(first, first + n, dtype=np.int64)


_OWN: dict[str, Callable[[int, int], np.ndarray]] = {
    **{name: lambda nv, ng: _whole(0, ng) for name in ("selected", "row_order", "row_owner")},
    **{name: lambda nv, ng: _whole(-1, nv) for name in ("mass_pattern", "full_pattern")},
    "columns": lambda nv, ng: _whole(0, nv),
    **{name: lambda nv, ng: np.zeros((nv, nv)) for name in ("M", "L", "V", "N", "K")},
    **{name: lambda nv, ng: np.zeros((ng, nv)) for name in ("G", "Q", "LU")},
    "R": lambda nv, ng: np.zeros((ng, ng)),
    "row_unit": lambda nv, ng: np.ones(ng),
    "owner_size": lambda nv, ng: np.zeros(ng),
    **{name: lambda nv, ng: np.zeros(nv) for name in ("previous_drift", "zdot", "zddot", "column")},
    "stacked": lambda nv, ng: np.zeros((2 * ng, 2 * nv)),
    "stacked_step": lambda nv, ng: np.zeros(2 * nv),
    "stacked_rhs": lambda nv, ng: np.zeros(2 * ng),
}


def row_owners(primitives: np.ndarray, ng: int) -> np.ndarray:
    """Per row of G, the first row of the joint or constraint that has it."""
    p, owner = primitives.view(np.ndarray), np.arange(ng)
    # records are in the order of their rows
    owner[: p["ng"].sum()] = np.repeat(p["owner"], p["ng"])
    return owner


all_are_like(Work, lambda: workspace(empty_tables()))

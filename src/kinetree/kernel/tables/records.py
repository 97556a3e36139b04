"""The tables of a lowered model: read-only, shared by threads. Row 0 of a body table is the ground.

The kernel frame of a body is the moving frame M of its own tree joint, so that the pose of a body
is the pose of its joint; lowering converts centers of mass, inertias and markers to it. Blocks of
the kernel language contain arrays only (kernel/array_block.py), so the tables form one flat block;
the headings of `Tables` give the groups.
"""

from typing import NamedTuple

import numpy as np

from ..array_block import all_are_like, block
from ..decorators import table
from .sparsity import empty_structure

LINK = np.dtype(
    # one per body: its tree joint and its inertia; inertia below `floor` is rounding of zero
    [
        ("parent", "i8"),
        ("root", "i8"),
        ("kind", "i8"),
        ("iq", "i8"),
        ("iv", "i8"),
        ("nv", "i8"),
        ("plain", "i4"),
        ("first", "i4"),  # of the numbers of its joint in the pool
        ("leading", "i4"),
        ("varying", "i4"),  # 1 if its hinge columns change with its coordinates
        # of a body with modes: its row in `flexible` + 1 at the body that carries the modes; at a
        # marker on it the number of modes, their coordinates, and its own columns in `work.dofs`
        ("flexible", "i4"),
        ("modes", "i4"),
        ("mode_iq", "i4"),
        ("mode_iv", "i4"),
        ("column", "i8"),
        ("R_PF", "f8", 9),
        ("p_PF", "f8", 3),
        ("advance", "f8"),
        ("mass", "f8"),
        ("com", "f8", 3),
        ("I_com", "f8", 6),
        ("floor", "f8"),
    ],
    align=True,
)

FLEXIBLE = np.dtype(
    # one per body with modes (engine/dynamics/modal_body.py): its link, n modes q, r shapes of
    # unit mass; its numbers in the pool, and its part of `work.modal`
    [
        ("link", "i8"),
        ("n", "i8"),
        ("r", "i8"),
        ("iq", "i8"),
        ("iv", "i8"),
        ("first", "i8"),
        ("at", "i8"),
        ("curved", "i8"),  # 1 if shapes depend on q
    ],
    align=True,
)

SENSOR = np.dtype(
    # one per scalar joint coordinate that is read: from q in the tree, from two frames at a cut
    [
        ("kind", "i8"),
        ("iq", "i8"),
        ("iv", "i8"),
        ("ix", "i8"),
        ("i", "i8"),
        ("j", "i8"),
        ("R_iF", "f8", 9),
        ("p_iF", "f8", 3),
        ("R_jM", "f8", 9),
        ("p_jM", "f8", 3),
        ("first", "i8"),  # of the numbers of its curve in the pool
    ],
    align=True,
)

PRIMITIVE = np.dtype(
    # rows ig .. ig + ng between bodies i and j, or of `sensors` (terms from `term` on); `owner` is
    # the first row of the joint or constraint; `path` the first path (kernel/tables/sparsity.py);
    # `signal` and `aim` the time function and the prescribed orientation, or -1
    [
        ("kind", "i8"),
        ("ig", "i8"),
        ("ng", "i8"),
        ("i", "i8"),
        ("j", "i8"),
        ("owner", "i8"),
        ("a_i", "f8", 3),
        ("a_j", "f8", 3),
        ("p_i", "f8", 3),
        ("p_j", "f8", 3),
        ("length", "f8"),
        ("sensors", "i8"),
        ("term", "i8"),
        ("offset", "f8"),
        ("first", "i8"),  # of its numbers in the pool
        ("path", "i8"),  # its first path (kernel/tables/sparsity.py); ...
        ("signal", "i8"),
        ("aim", "i8"),
        ("rates", "i8", 3),  # per row, 1 if it is an equation of velocities alone
    ],
    align=True,
)

# a term of a relation between joint coordinates
TERM = np.dtype([("sensor", "i8"), ("ratio", "f8")], align=True)

AIM = np.dtype(
    # a prescribed orientation (elements/constraints/aims.py): `count` time functions from `signal`
    # on, axes in the pool from `first` on; or user code with `parameters` numbers there and `rows`
    # equations
    [
        ("kind", "i8"),
        ("signal", "i8"),
        ("count", "i8"),
        ("first", "i8"),
        ("parameters", "i8"),
        ("rows", "i8"),
        ("runs", "f8"),  # 1 if the equations depend on time
        ("address", "i8", 2),
    ],
    align=True,
)

FORCE = np.dtype(
    # one per force element: markers im .. im + nm, the sensor it acts on or -1, first state ix,
    # `count` parameters in the pool from `first` on
    [
        ("kind", "i8"),
        ("im", "i8"),
        ("nm", "i8"),
        ("sensor", "i8"),
        ("ix", "i8"),
        ("mode", "i8"),
        ("input", "i8", 4),
        ("address", "i8", 2),
        ("first", "i8"),
        ("count", "i8"),
        ("rest", "f8"),
    ],
    align=True,
)

PLACE = np.dtype(
    # a unilateral row of a force element, and two tangents if it has friction (engine/contacts):
    # place `k` of element `force`, rows row .. row + rows - 1 of `work.place_rows`, bodies i and j,
    # or velocity `iv` of the tree with its sign; `ix` the first of its states
    [
        ("force", "i8"),
        ("k", "i8"),
        ("row", "i8"),
        ("rows", "i8"),
        ("ix", "i8"),
        ("i", "i8"),
        ("j", "i8"),
        ("iv", "i8"),
        ("sign", "f8"),
        ("friction", "f8"),
        ("restitution", "f8"),
        ("rest_speed", "f8"),
        ("law", "i8"),  # of impacts: Newton or Poisson
        ("together", "i8"),  # several blows at once: refused, simultaneous, one after another
        ("rates", "i8"),  # 1 if it restricts the velocity alone
        ("steps", "i8"),  # 1 if a state holds the last tooth that has passed
    ],
    align=True,
)

MARKER = np.dtype(
    # a frame on a body at which a force acts; `again`: 1 if an earlier marker of the same force is
    # on the same body
    [
        ("body", "i8"),
        ("again", "i8"),
        ("R", "f8", 9),
        ("p", "f8", 3),
    ],
    align=True,
)

SIGNAL = np.dtype(
    # one per time function; the values of tables are in the pool, user code at addresses
    [
        ("kind", "i8"),
        ("first", "i8"),
        ("count", "i8"),
        ("address", "i8", (3, 2)),
        ("a", "f8"),
        ("b", "f8"),
        ("c", "f8"),
        ("d", "f8"),
        ("begin", "f8"),
        ("end", "f8"),
    ],
    align=True,
)

CONTROLLER = np.dtype(
    # one per controller: inputs iu .. iu + nu, states ix .. ix + nx, outputs io .. io + no;
    # `period`, `begin` and `delay` of a sampled controller, period 0: continuous
    [
        ("address", "i8", 2),
        ("first", "i8"),
        ("count", "i8"),
        ("iu", "i8"),
        ("nu", "i8"),
        ("ix", "i8"),
        ("nx", "i8"),
        ("io", "i8"),
        ("no", "i8"),
        ("period", "f8"),
        ("begin", "f8"),
        ("delay", "f8"),
        ("gap", "i8"),  # gap function among the aims, or -1
    ],
    align=True,
)

# a sensor (its value or rate), a state or an output
INPUT = np.dtype([("kind", "i8"), ("index", "i8")], align=True)

ELEMENT = np.dtype(
    # one per beam element between nodes i and j: C for (strain, length times curvature), e0 free of
    # stress, `beta` damping, `spots` of its blocks ii, ij, ji, jj (engine/beams/layout.py), C_plane
    # and e_plane for planar models (engine/beams/plane.py), mass and J shared between its nodes
    # (engine/dynamics/shared.py)
    [
        ("i", "i8"),
        ("j", "i8"),
        ("force", "i8"),
        ("length", "f8"),
        ("C", "f8", 36),
        ("e0", "f8", 6),
        ("beta", "f8"),
        ("spots", "i8", 4),
        ("C_plane", "f8", 9),
        ("e_plane", "f8", 3),
        ("mass", "f8"),
        ("J", "f8", 9),
    ],
    align=True,
)

PIVOT = np.dtype(
    # one per block of unknowns, in the order of elimination: first unknown, size, place in the
    # matrix, later neighbors
    [
        ("row", "i8"),
        ("count", "i8"),
        ("at", "i8"),
        ("first", "i8"),
        ("last", "i8"),
        ("target", "i8"),
    ],
    align=True,
)

FRONT = np.dtype(
    # one front (engine/sparsity/fronts.py): rows that take `width` coordinates and leave all but
    # `rank` of them free, which are numbered from `given` on
    [
        ("width", "i8"),
        ("rank", "i8"),
        ("n_rows", "i8"),  # rows, of which `rank` are selected
        ("given", "i8"),
        # first entries in `front_lists`: coordinates, rows, and the `n_passed` fronts they pass
        ("taken", "i8"),
        ("rows", "i8"),
        ("passed", "i8"),
        ("n_passed", "i8"),
        # ... entries of M between the coordinates, and between them and the `others`
        ("pairs", "i8"),
        ("sides", "i8"),
        ("others", "i8"),
        ("written", "i8"),  # first entry of the reduced M
        # first entries in `bases`, `row_fill` (`n_fill` of each row) and `columns` of `work`
        ("basis", "i8"),
        ("first_fill", "i8"),
        ("n_fill", "i8"),
        ("column", "i8"),
        # first entries in `work.selected`: the selected rows and the others
        ("selected", "i8"),
        ("unselected", "i8"),
    ],
    align=True,
)

SETTINGS = np.dtype(
    # accepted: error, in lengths of the model, if rounding prevents a smaller one
    # closure: error (m) that the user tolerates
    # rows: number of independent rows, or -1
    # absorbed: gap (m) of redundant equations at the start
    # paths: number of paths of all primitives
    # sparse: 1 if packed M and G and sparse factors are used
    # late: 1 if no row may be eliminated before all its unknowns
    # force: a small force (N): the weight, or the force of one turn per second at `length`
    [
        ("gravity", "f8", 3),
        ("length", "f8"),
        ("accepted", "f8"),
        ("closure", "f8"),
        ("nq", "i8"),
        ("nv", "i8"),
        ("nx", "i8"),
        ("ng", "i8"),
        ("rows", "i8"),
        ("address", "i8", 2),
        ("option", "i8"),
        ("stabilisation", "f8"),
        ("absorbed", "f8"),
        ("varying", "i8"),  # how many joints have columns that depend on their coordinates
        ("paths", "i8"),  # paths of all primitives
        ("sparse", "i8"),  # 1: solved over the structure below
        # structural methods as printed [Yun2005]: number of the equations of forces, beams with a
        # history, convected velocities
        ("printed", "i8"),
        ("history", "i8"),
        ("convected", "i8"),
        ("force", "f8"),
        ("touch", "i8"),  # rows of the workspace for places of contact
    ],
    align=True,
)

NO_EQUATIONS = np.zeros(8, np.int64)
BASES = (
    *("fronts", "front_lists", "z_ids", "z_place", "z_from", "z_at"),
    *("z_first", "z_row", "z_run_first", "z_run_at", "z_run_count"),
)
# addresses of kernels and of other models in this process
ADDRESSES = (
    *("equations", "kernels", "signal_kernels", "control_kernel", "sparse_kernels"),
    *("companions", "formulation"),
)


@block
class Tables(NamedTuple):
    """A lowered model: constant, hashable by content, shared."""

    # --- the model
    links: np.ndarray
    sensors: np.ndarray
    primitives: np.ndarray
    terms: np.ndarray
    aims: np.ndarray
    forces: np.ndarray
    markers: np.ndarray
    signals: np.ndarray
    controllers: np.ndarray
    inputs: np.ndarray
    pool: np.ndarray
    dof_parent: np.ndarray
    floor: np.ndarray
    turns: np.ndarray  # per velocity, 1 for a rotation, 0 for a displacement
    # per row, 1 for a length, 0 for an angle or cosine; 2 and -1 for rows of velocities alone
    row_scale: np.ndarray
    settings: np.ndarray
    # --- addresses of kernels
    equations: np.ndarray  # engine/equations/interface.py
    kernels: np.ndarray  # force elements, per kind
    signal_kernels: np.ndarray  # time functions, per kind
    control_kernel: np.ndarray  # the kernel that runs all controllers
    # --- sparsity pattern of M and G (kernel/tables/sparsity.py)
    anchor: np.ndarray
    dual: np.ndarray
    u_first: np.ndarray
    u_dof: np.ndarray
    u_up: np.ndarray
    u_turns: np.ndarray
    u_floor: np.ndarray
    u_place: np.ndarray
    m_first: np.ndarray
    m_at: np.ndarray
    row_group: np.ndarray
    group_first: np.ndarray
    support_first: np.ndarray
    support: np.ndarray
    g_first: np.ndarray
    path_first: np.ndarray
    path_dof: np.ndarray
    path_to: np.ndarray
    slot_first: np.ndarray
    slot_place: np.ndarray
    at_first: np.ndarray
    g_at: np.ndarray
    slot_at: np.ndarray
    pad: np.ndarray
    kind: np.ndarray
    first: np.ndarray
    row: np.ndarray
    run_first: np.ndarray
    run_at: np.ndarray
    run_count: np.ndarray
    # --- beams and nodal coordinates (engine/beams/layout.py)
    elements: np.ndarray
    pivots: np.ndarray  # blocks of unknowns
    # (n, 4) first unknown and size of each neighbor, places of the blocks above and below
    neighbours: np.ndarray
    targets: np.ndarray  # place of each update
    spots: np.ndarray  # blocks that each joint, constraint and force couples
    # degrees of freedom of a node among x, y, z and rotation x, y, z: all six, or those in a plane
    freedoms: np.ndarray
    # --- addresses of the sparse kernels (kernel/tables/sparse.py)
    sparse_kernels: np.ndarray
    # --- null-space bases by fronts (engine/sparsity/reduction.py)
    fronts: np.ndarray
    front_lists: np.ndarray
    z_ids: np.ndarray  # the remaining coordinates
    z_place: np.ndarray  # their position in the elimination
    z_from: np.ndarray  # entries of `work.reduced` in the reduced mass matrix
    z_at: np.ndarray  # and their places in it
    # lists of `kernel/algebra/symbolic_factorization.py`
    z_first: np.ndarray
    z_row: np.ndarray
    z_run_first: np.ndarray
    z_run_at: np.ndarray
    z_run_count: np.ndarray
    # --- perturbed models beside this one (engine/integrators/companions.py)
    companions: np.ndarray  # addresses and shapes of their arrays; empty without them
    # --- unilateral contacts (engine/contacts)
    places: np.ndarray
    formulation: np.ndarray  # addresses of `rhs` and `project` of the formulation beneath
    # --- bodies with modes (engine/dynamics/modal_body.py)
    flexible: np.ndarray


def no_structure() -> dict[str, np.ndarray]:
    """The tables of a model without beams, nodal coordinates and fronts."""
    return {
        "elements": table(ELEMENT, 0),
        "pivots": table(PIVOT, 0),
        "neighbours": np.zeros((0, 4), np.int64),
        "targets": np.zeros(0, np.int64),
        "spots": np.zeros(0, np.int64),
        "freedoms": np.arange(6),
        "sparse_kernels": np.zeros(14, np.int64),
        "companions": np.zeros(0, np.int64),
        "places": table(PLACE, 0),
        "formulation": np.zeros(2, np.int64),
        "flexible": table(FLEXIBLE, 0),
        **no_bases(),
    }


def no_bases() -> dict[str, np.ndarray]:
    """The tables of a model without fronts."""
    return {
        "fronts": table(FRONT, 0),
        **{
            name: np.zeros(
                0, np.int32 if name in ("z_row", "z_run_at", "z_run_count") else np.int64
            )
            for name in BASES[1:]
        },
    }


def frozen(tables: Tables) -> Tables:
    """The tables with all arrays read-only."""
    for array in tables:
        array.flags.writeable = False
    return tables


def empty_tables() -> Tables:
    """Tables of a model without bodies.

    A plain ODE passes them to the integrators, and all tables have their type.
    """
    return frozen(
        Tables(
            table(LINK, 1),
            table(SENSOR, 0),
            table(PRIMITIVE, 0),
            table(TERM, 0),
            table(AIM, 0),
            table(FORCE, 0),
            table(MARKER, 0),
            table(SIGNAL, 0),
            table(CONTROLLER, 0),
            table(INPUT, 0),
            np.zeros(0),
            np.zeros(0, np.int64),
            np.zeros(0),
            np.zeros(0),
            np.zeros(0),
            table(SETTINGS, 1),
            NO_EQUATIONS,
            np.zeros((0, 5), np.int64),
            np.zeros(0, np.int64),
            np.zeros(1, np.int64),
            *empty_structure(),
            **no_structure(),
        )
    )


all_are_like(Tables, empty_tables)

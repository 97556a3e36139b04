"""The tables a model is lowered to: read-only, shared by threads. Index 0 of every body table is
the ground.

The kernel frame of a body is the moving frame M of its own tree joint, so that the pose of a body
is simply the pose of its joint; centres of mass, inertias and markers are moved into it when the
model is lowered.
"""

from typing import NamedTuple

import numpy as np

from ..array_block import all_are_like, block
from ..decorators import table
from .sparsity import empty_structure

LINK = np.dtype(
    [  # one per body: its tree joint and its inertia; inertia below `floor` is rounding of zero
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

SENSOR = np.dtype(
    # one per scalar joint coordinate that something reads: from q in the tree, from frames at a cut
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
    # rows ig .. ig + ng between bodies i and j, or of `sensors` (terms from `term` on); first row
    # of owner;
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
        ("walk", "i8"),  # its first path (kernel/tables/sparsity.py); ...
        ("signal", "i8"),
        ("aim", "i8"),
    ],
    align=True,
)  # ... time function and prescribed orientation, or -1

TERM = np.dtype(
    [("sensor", "i8"), ("ratio", "f8")], align=True
)  # of a relation between joint coordinates

AIM = np.dtype(
    # an orientation prescribed in time (elements/constraints/aims.py): `count` functions from `signal`, axes
    # in the pool
    [
        ("kind", "i8"),
        ("signal", "i8"),
        ("count", "i8"),
        ("first", "i8"),
    ],
    align=True,
)

FORCE = np.dtype(
    # one per force element: markers im .. im + nm, sensor it acts on or -1, first state ix; its own
    # numbers lie
    [
        ("kind", "i8"),
        ("im", "i8"),
        ("nm", "i8"),
        ("sensor", "i8"),
        ("ix", "i8"),
        ("mode", "i8"),
        ("input", "i8", 4),  # in the pool
        ("address", "i8", 2),
        ("first", "i8"),
        ("count", "i8"),
        ("rest", "f8"),
    ],
    align=True,
)

MARKER = np.dtype(
    # a frame on a body at which a force acts; again: an earlier marker of that force is on the same
    # body
    [
        ("body", "i8"),
        ("again", "i8"),
        ("R", "f8", 9),
        ("p", "f8", 3),
    ],
    align=True,
)

SIGNAL = np.dtype(
    [  # one per time function; numbers of tables lie in the pool, user code at addresses
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
    [  # one per controller: inputs iu .. iu + nu, states ix .. ix + nx, outputs io .. io + no
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
    ],
    align=True,
)  # of a sampled one; a period of 0: it runs all the time

INPUT = np.dtype(
    [("kind", "i8"), ("index", "i8")], align=True
)  # of a sensor (its value or rate), a state or an output

ELEMENT = np.dtype(
    # one per beam element between nodes i and j; C for (strain, length times curvature), e0 where
    # it is free
    [
        ("i", "i8"),
        ("j", "i8"),
        ("force", "i8"),
        ("length", "f8"),
        ("C", "f8", 36),
        ("e0", "f8", 6),
        ("beta", "f8"),
        (
            "spots",
            "i8",
            4,
        ),  # of stress; beta: damping; where its blocks ii, ij, ji, jj lie (engine/beams/layout.py)
        ("C_plane", "f8", 9),
        ("e_plane", "f8", 3),  # C and e0 of a machine in a plane (engine/beams/plane.py)
        ("mass", "f8"),
        ("J", "f8", 9),
    ],
    align=True,
)  # shared between its nodes (engine/dynamics/shared.py)

PIVOT = np.dtype(
    # one per block of unknowns, as they are eliminated: first unknown, size, where it lies, later
    # neighbours
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
    # rows that take `wide` coordinates and leave all but `rank` of them free, from `out` on
    # (engine/sparsity/fronts.py)
    [
        ("wide", "i8"),
        ("rank", "i8"),
        ("count", "i8"),
        ("out", "i8"),  # count: of its rows, of which `rank` are in use
        ("ins", "i8"),
        ("rows", "i8"),
        ("reach", "i8"),
        ("reaches", "i8"),  # where the coordinates, the rows and the fronts they ...
        ("pairs", "i8"),
        ("sides", "i8"),
        ("others", "i8"),  # ... pass begin in `nest`, M among them and with how many others, ...
        ("written", "i8"),  # ... and the numbers of M that follow from it
        ("basis", "i8"),
        ("parts", "i8"),
        ("filled", "i8"),
        ("column", "i8"),  # its place in `bases`, `fill` and `columns` of `work`
        ("active", "i8"),
        ("spare", "i8"),
    ],
    align=True,
)  # its rows in use, and those that are not, in `work.active`

SETTINGS = np.dtype(
    # accepted: error, in sizes of the machine, where rounding forbids less; closure: error (m) that
    # the user
    [
        # tolerates; rows: how many are independent, or -1; absorbed: gap (m) of redundant equations
        # at the start
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
        ("walks", "i8"),  # paths of all primitives
        ("sparse", "i8"),  # 1: solved over the structure below
        # structural methods as printed [Yun2005]: number of the equations of forces, beams with a
        # history, convected velocities
        ("printed", "i8"),
        ("history", "i8"),
        ("convected", "i8"),
        ("force", "f8"),
    ],
    align=True,
)  # a small force of the machine: its weight, or what turns it once in its length per second

NO_PLANT = np.zeros(8, np.int64)
BASES = (
    "fronts",
    "nest",
    "z_ids",
    "z_place",
    "z_from",
    "z_at",
    "z_first",
    "z_row",
    "z_run_first",
    "z_run_at",
    "z_run_count",
)
ADDRESSES = (
    "plant",
    "kernels",
    "signal_kernels",
    "control_kernel",
    "sparse_kernels",
)  # where kernels lie in this process


@block
class Tables(NamedTuple):
    """A lowered model: constant, hashable by content, shared."""

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
    turns: np.ndarray  # per freedom, 1 if it is an angle, 0 if a travel
    row_scale: np.ndarray
    settings: np.ndarray
    plant: np.ndarray  # where its kernels lie (engine/equations/interface.py)
    kernels: np.ndarray  # where those of the force elements lie, per kind
    signal_kernels: np.ndarray  # ... and of the time functions
    control_kernel: np.ndarray  # ... and the one that runs the controllers, if there are any
    anchor: np.ndarray  # the structure of M and G (kernel/tables/sparsity.py)
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
    walk_first: np.ndarray
    walk_dof: np.ndarray
    walk_to: np.ndarray
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
    elements: np.ndarray  # of beams
    pivots: np.ndarray  # of a machine in node coordinates: its blocks (engine/beams/layout.py) ...
    neighbours: (
        np.ndarray
    )  # (n, 4) ... first unknown and size of each neighbour, where the blocks above and below lie
    targets: np.ndarray  # ... where each update goes
    spots: np.ndarray  # ... and what each joint, constraint and force couples
    freedoms: (
        np.ndarray
    )  # ... of every node, among travel x, y, z and turn x, y, z: all six, or those in a plane
    sparse_kernels: np.ndarray  # where those of sparse algebra lie (kernel/tables/sparse.py)
    fronts: np.ndarray  # local bases (engine/sparsity/reduction.py) ...
    nest: np.ndarray  # ... with all their lists
    z_ids: np.ndarray  # ... the coordinates that are left, ...
    z_place: np.ndarray  # ... their position in the elimination, ...
    z_from: np.ndarray  # ... numbers of the reduced mass matrix ...
    z_at: np.ndarray  # ... and where they lie, ...
    z_first: np.ndarray  # ... and the lists of `kernel/algebra/symbolic_factorization.py`
    z_row: np.ndarray
    z_run_first: np.ndarray
    z_run_at: np.ndarray
    z_run_count: np.ndarray


def no_structure() -> dict[str, np.ndarray]:
    """The tables of a machine without beams, not in node coordinates."""
    return {
        "elements": table(ELEMENT, 0),
        "pivots": table(PIVOT, 0),
        "neighbours": np.zeros((0, 4), np.int64),
        "targets": np.zeros(0, np.int64),
        "spots": np.zeros(0, np.int64),
        "freedoms": np.arange(6),
        "sparse_kernels": np.zeros(15, np.int64),
        **no_bases(),
    }


def no_bases() -> dict[str, np.ndarray]:
    """The tables of a machine without local bases."""
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
    """The tables, read-only: whoever tries to write them is told by NumPy."""
    for array in tables:
        array.flags.writeable = False
    return tables


def empty_tables() -> Tables:
    """Tables of a model without bodies: what a plain ODE problem passes to the integrators, and the
    type of all.
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
            NO_PLANT,
            np.zeros((0, 4), np.int64),
            np.zeros(0, np.int64),
            np.zeros(1, np.int64),
            *empty_structure(),
            **no_structure(),
        )
    )


all_are_like(Tables, empty_tables)

"""The scratch space that kernels write: of one thread, as large as the plant and the formulation
need.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ..num.block import all_are_like, block
from ..num.jit import inline, table
from .local import local_bases
from .records import Tables, empty_tables

BODY = np.dtype(
    # scratch per body, spatial vectors about O (the origin of the tree's root body) in world axes
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
    # per body in node coordinates: inertia, where its numbers lie in q and v, and the step it takes
    [
        ("mass", "f8"),
        ("J", "f8", 9),
        ("com", "f8", 3),
        ("iq", "i8"),
        ("iv", "i8"),
        ("v", "f8", 3),
        (
            "w",
            "f8",
            3,
        ),  # velocity of the mass centre and turning (body axes) at the start of the step
        ("d", "f8", 3),
        ("r", "f8", 3),  # travel of the mass centre and Rodrigues vector of the turn over it
        ("a", "f8", 6),
        ("vdot", "f8", 6),
        ("v_end", "f8", 6),
        ("vdot_end", "f8", 6),
    ],
    align=True,
)  # of generalised alpha

HEALTH = [  # what anybody may ask a formulation after `rhs` or `settle`
    ("rank", "i8"),  # how many constraint rows are in use
    ("margin", "f8"),
    ("widest", "f8"),  # how far they are from being dependent, now and at best: saddle/branches.py
    ("kick", "f8"),  # part of the velocity that `settle` took away
    ("rebased", "i8"),  # 1: `settle` expresses velocities in another basis, which corrects nothing
    ("index", "i8"),
    (
        "weakest",
        "i8",
    ),  # the freedom or row behind a Status that is not OK, and the row nearest to dependence
    ("position_error", "f8"),
    ("velocity_error", "f8"),  # of the constraints (m, m/s), after `settle`
    ("iterations", "i8"),
    ("factorisations", "i8"),
    ("evaluations", "i8"),  # counted since the beginning, ...
    ("partitions", "i8"),
    ("decompositions", "i8"),  # ... choices of independent coordinates, decompositions
    (
        "passive",
        "i8",
    ),  # dependent freedoms, the first of `columns`, on whose values in the state nothing depends
    ("far", "f8"),
    (
        "jump",
        "f8",
    ),  # left by the plant: largest distance from the origin (m), time of a jump of a driver, ...
    (
        "longest",
        "f8",
    ),  # ... and the longest step (s) that its elements allow from here, so that nothing is passed unseen; 0: any
    ("fault", "i8"),
    ("culprit", "i8"),  # user code without a value, see num/fault.py ...
    ("last_fault", "i8"),
    ("last_culprit", "i8"),
    ("t_failed", "f8"),  # ... in the last evaluation that failed, and when
    ("stop", "i8"),  # set from outside: end the run
    ("error", "f8"),
    ("lag", "f8"),  # of the last step in node coordinates: by its tolerance, and its length; ...
    ("halved", "i8"),
    (
        "shortest",
        "f8",
    ),  # ... how often a part of it did not converge and was halved, and its shortest part (s)
    (
        "out_of_plane",
        "i8",
    ),  # a force element, counted from 1, that pushed a machine in a plane out of it
    ("fresh", "i8"),
]  # 1: the factors belong to the state settled last, and serve the next `rhs`; set to 0 by who asks elsewhere

_PRIVATE = [  # between the calls of one formulation: see saddle/, formulations/ and plants/nodes/
    ("selections", "i8"),
    ("transported", "i8"),
    ("padded", "i8"),
    ("padding", "f8"),
    ("pivot", "f8"),
    ("spread", "f8"),
    ("reference", "f8"),
    ("plain", "f8"),
    ("bent", "f8"),
    ("curved", "f8"),  # how far guesses of the last step in node coordinates were off
    ("turned", "i8"),
    ("served", "i8"),
    ("spent", "f8"),
    ("lasted_turned", "f8"),
    ("lasted_fixed", "f8"),
]  # of factors that are kept: plants/nodes/keeping.py

REPORT = np.dtype([*HEALTH, *_PRIVATE], align=True)


@block
class Work(NamedTuple):
    """Scratch of one thread; nothing in it outlives an evaluation except what a formulation keeps."""

    bodies: np.ndarray  # of the plant
    aims: (
        np.ndarray
    )  # (aims, 15) prescribed orientations: R (9), angular velocity and acceleration in F
    dofs: np.ndarray
    user: np.ndarray
    inputs: np.ndarray
    outputs: np.ndarray
    report: np.ndarray  # of all
    f: np.ndarray
    vdot: np.ndarray
    lam: np.ndarray
    g: np.ndarray
    nu: np.ndarray
    gamma: np.ndarray
    xdot: np.ndarray
    scratch: np.ndarray
    zeros: np.ndarray
    failed: np.ndarray  # the state at which the last evaluation that failed was asked for
    M: np.ndarray  # of those who ask for it, see `Formulation.storage`: the equations of motion
    G: np.ndarray
    active: np.ndarray  # rows in use and their factors
    order: np.ndarray
    group: np.ndarray
    unit: np.ndarray
    most: np.ndarray
    pattern: np.ndarray
    L: np.ndarray
    Q: np.ndarray
    R: np.ndarray
    chain: np.ndarray  # a basis of the null space
    columns: np.ndarray
    V: np.ndarray
    N: np.ndarray
    K: np.ndarray
    LU: np.ndarray
    memory: np.ndarray
    both: np.ndarray  # positions and velocities together
    change: np.ndarray
    M_packed: np.ndarray  # the equations of motion over their structure (tables/structure.py)
    G_packed: np.ndarray
    inertia: np.ndarray  # the diagonal of M
    A: np.ndarray  # the matrix, used up by its factors (num/ldl.py)
    lower: np.ndarray
    pivots: np.ndarray
    own: np.ndarray
    use: np.ndarray
    chosen: np.ndarray  # the row in each slot
    apart: np.ndarray  # how far it stood apart at best, squared, since rows were chosen
    solution: np.ndarray  # by position
    residual: np.ndarray
    gram: np.ndarray  # of the rows of one group
    basis: (
        np.ndarray
    )  # (6 anchors + 1, 6) wrenches of their joints (dynamics/anchors.py); the last is scratch
    twists: np.ndarray  # (bodies, 6) of a sweep
    spread: np.ndarray  # velocities as unknowns
    pushes: np.ndarray  # on them
    bases: (
        np.ndarray
    )  # local bases (plants/nesting.py): Y and N of every front, one matrix behind the other ...
    kept: np.ndarray  # ... and those of the last accepted state
    fill: np.ndarray  # its rows along the y of the fronts they pass
    along: np.ndarray  # over all coordinates
    across: np.ndarray  # over the rows in use
    local: np.ndarray  # (6, most) small matrices of one front
    picked: np.ndarray  # (2, most) rows or columns of one front
    natural: np.ndarray  # unit of every coordinate of a partition
    reduced: np.ndarray  # M of all coordinates
    z_matrix: np.ndarray  # the reduced mass matrix, used up by its factors
    z_lower: np.ndarray
    z_pivots: np.ndarray
    z: np.ndarray  # by position
    nodes: np.ndarray  # node coordinates: what moves ...
    poses: np.ndarray  # (5, bodies, 12) ... positions of mass centres and frames (tables/poses.py)
    rates: np.ndarray  # (bodies, 6) ... turning and velocity of mass centres in world axes
    strains: np.ndarray  # ... of beam elements at the start of the step
    element: np.ndarray  # ... one beam element
    matrix: np.ndarray  # ... blocks of the Newton matrix and their factors
    exchanges: np.ndarray
    largest: np.ndarray  # entries of the columns of diagonal blocks
    unbalanced: np.ndarray  # ... residual, then correction
    multipliers: np.ndarray
    stored: np.ndarray  # ... energy of the forces at the start of the step
    wrenches: (
        np.ndarray
    )  # ... of one joint or force on its bodies: force and moment about the mass centre
    began: np.ndarray  # ... of all forces at the start of the step
    keep: np.ndarray  # ... pose and increments of a node that is nudged


EQUATIONS = ("M", "G")
ROWS = (*EQUATIONS, "active", "order", "group", "unit", "most", "pattern", "L", "Q", "R")
NULL_SPACE = (*ROWS, "chain", "columns", "V", "N", "K", "LU", "memory")
TOGETHER = (*ROWS, "both", "change")
ALL = tuple(dict.fromkeys((*NULL_SPACE, *TOGETHER)))
NODES = (
    "nodes",
    "poses",
    "rates",
    "strains",
    "element",
    "matrix",
    "exchanges",
    "largest",
    "unbalanced",
    "multipliers",
    "stored",
    "wrenches",
    "began",
    "keep",
)
KEPT = ("active", "order", "group", "unit", "most")  # also where M and G are packed
PACKED = (
    "M_packed",
    "G_packed",
    "inertia",
    "A",
    "lower",
    "pivots",
    "own",
    "use",
    "chosen",
    "apart",
    "solution",
    "residual",
    "gram",
    "basis",
    "twists",
    "spread",
    "pushes",
)


@inline
def is_packed(work):
    """Are M and G kept over their structure?"""
    return work.M_packed.shape[0] > 0


def workspace(tables: Tables, storage: Sequence[str] = ALL) -> Work:
    """Scratch space for one thread; of the arrays that not all need, those named in `storage`.

    Where the settings say so, M and G are kept over their structure, and there are no dense
    matrices.
    """
    nb, size = len(tables.links), tables.settings[0]
    nq, nv, nx, ng = (int(size[name]) for name in ("nq", "nv", "nx", "ng"))
    sparse = bool(size["sparse"]) and "G" in storage
    columns = max(nv, int(tables.u_dof.max(initial=-1)) + 1) if sparse else nv
    c = tables.controllers.view(np.ndarray)
    common = {
        "bodies": table(BODY, nb),
        "aims": np.zeros((len(tables.aims), 15)),
        "dofs": table(DOF, columns),
        "report": table(REPORT, 1),
        "user": np.zeros((3, 18)),
        "xdot": np.zeros(nx + len(tables.forces) + 1),
        "outputs": np.zeros(int(c["no"].sum())),
        "inputs": np.zeros((2, max(c["nu"].max(initial=0), c["nx"].max(initial=0)))),
        "failed": np.zeros(nq + nv + nx),
        "scratch": np.zeros((8, nq + nv + 2 * ng + 1)),
        **{name: np.zeros(nv) for name in ("f", "vdot", "zeros")},
        **{name: np.zeros(ng) for name in ("lam", "g", "nu", "gamma")},
    }
    wanted = KEPT if sparse else storage
    own = {name: _OWN[name](nv, ng) if name in wanted else _OWN[name](0, 0) for name in ALL}
    own |= _packed(tables, sparse) | local_bases(tables, sparse and "N" in storage)
    if "group" in wanted:
        own["group"] = row_groups(tables.primitives, ng)
    if sparse and "N" in storage:
        own["columns"] = _whole(0, int(tables.fronts["wide"].sum()))
    if "pattern" in wanted:
        own["pattern"] = tables.dof_parent.copy()
    own.update(_structure(tables, "nodes" in storage))
    common["bodies"]["R"][0, [0, 4, 8]] = 1.0
    common["report"]["margin"] = 1.0  # of a model without constraints
    return Work(**common, **own)


def _structure(tables: Tables, wanted: bool) -> dict[str, np.ndarray]:
    """The arrays of node coordinates; the matrix is as large as the layout says."""
    nb, ne, nf = (
        (len(tables.links), len(tables.elements), len(tables.forces)) if wanted else (0, 0, 0)
    )
    pivots, ng = tables.pivots.view(np.ndarray), int(tables.settings[0]["ng"]) if wanted else 0
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
    }


def _whole(first: int, n: int) -> np.ndarray:
    return np.arange(first, first + n, dtype=np.int64)


_OWN: dict[str, Callable[[int, int], np.ndarray]] = {
    **{name: lambda nv, ng: _whole(0, ng) for name in ("active", "order", "group")},
    **{name: lambda nv, ng: _whole(-1, nv) for name in ("pattern", "chain")},
    "columns": lambda nv, ng: _whole(0, nv),
    **{name: lambda nv, ng: np.zeros((nv, nv)) for name in ("M", "L", "V", "N", "K")},
    **{name: lambda nv, ng: np.zeros((ng, nv)) for name in ("G", "Q", "LU")},
    "R": lambda nv, ng: np.zeros((ng, ng)),
    "unit": lambda nv, ng: np.ones(ng),
    "most": lambda nv, ng: np.zeros(ng),
    "memory": lambda nv, ng: np.zeros(nv),
    "both": lambda nv, ng: np.zeros((2 * ng, 2 * nv)),
    "change": lambda nv, ng: np.zeros(2 * nv),
}


def _packed(tables: Tables, wanted: bool) -> dict[str, np.ndarray]:
    """The arrays of packed equations, or none."""
    if not wanted:
        return {
            name: np.zeros(
                (0, 0) if name in ("gram", "basis", "twists") else 0,
                np.int64 if name in ("use", "chosen") else float,
            )
            for name in PACKED
        }
    n, size, tallest = (
        len(tables.kind),
        len(tables.kind) + len(tables.row),
        int(np.diff(tables.group_first).max(initial=0)),
    )
    return {
        "M_packed": np.zeros(int(tables.m_first[-1])),
        "G_packed": np.zeros(int(tables.g_first[-1])),
        "inertia": np.zeros(len(tables.u_dof)),
        "A": np.zeros(size),
        "lower": np.zeros(size),
        "pivots": np.zeros(n),
        "own": np.zeros(n),
        "use": np.ones(n, np.int64),
        "chosen": np.zeros(len(tables.slot_place), np.int64),
        "apart": np.zeros(len(tables.slot_place)),
        "solution": np.zeros(n),
        "residual": np.zeros(n),
        "gram": np.zeros((tallest, tallest)),
        **_anchored(tables),
    }


def _anchored(tables: Tables) -> dict[str, np.ndarray]:
    nb, count = len(tables.anchor), int(tables.anchor.max(initial=-1)) + 1
    nu = len(tables.u_dof) if count else 0
    return {
        "basis": np.zeros((6 * count + 1, 6)),
        "twists": np.zeros((nb, 6)),
        "spread": np.zeros(nu),
        "pushes": np.zeros(nu),
    }


def row_groups(primitives: np.ndarray, ng: int) -> np.ndarray:
    """Per row, the first row of the joint or constraint it belongs to."""
    p, group = primitives.view(np.ndarray), np.arange(ng)
    group[: p["ng"].sum()] = np.repeat(p["owner"], p["ng"])  # one record's rows after the other's
    return group


all_are_like(Work, lambda: workspace(empty_tables()))

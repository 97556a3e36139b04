"""The tables a model is lowered to, and the scratch space the kernels write.

`Tables` is read-only and shared by threads; `Work` belongs to one thread. Index 0 of every body table is
the ground. The kernel frame of a body is the moving frame M of its own tree joint, so that the pose of a body is
simply the pose of its joint; centres of mass, inertias and markers are moved into it when the model is lowered.
"""

from typing import NamedTuple

import numpy as np

from ..num.block import block
from ..num.jit import table

LINK = np.dtype([  # one per body: its tree joint and its inertia; inertia below `floor` is rounding of zero
    ("parent", "i8"), ("root", "i8"), ("kind", "i8"), ("iq", "i8"), ("iv", "i8"), ("nv", "i8"),
    ("R_PF", "f8", 9), ("p_PF", "f8", 3), ("pitch", "f8"),
    ("mass", "f8"), ("com", "f8", 3), ("I_com", "f8", 6), ("floor", "f8")], align=True)

SENSOR = np.dtype([  # one per scalar joint coordinate that something reads: from q in the tree, from frames at a cut
    ("kind", "i8"), ("iq", "i8"), ("iv", "i8"), ("ix", "i8"), ("i", "i8"), ("j", "i8"),
    ("R_iF", "f8", 9), ("p_iF", "f8", 3), ("R_jM", "f8", 9), ("p_jM", "f8", 3)], align=True)

PRIMITIVE = np.dtype([  # one per constraint primitive between bodies i and j; rows ig .. ig + ng, the first of its joint: owner
    ("kind", "i8"), ("ig", "i8"), ("ng", "i8"), ("i", "i8"), ("j", "i8"), ("owner", "i8"),
    ("a_i", "f8", 3), ("a_j", "f8", 3), ("p_i", "f8", 3), ("p_j", "f8", 3), ("length", "f8"),
    ("sensor1", "i8"), ("sensor2", "i8"), ("ratio1", "f8"), ("ratio2", "f8"), ("offset", "f8"),
    ("signal", "i8")], align=True)

FORCE = np.dtype([  # one per force element between frames F on body i and M on body j
    ("kind", "i8"), ("i", "i8"), ("j", "i8"), ("sensor", "i8"), ("law", "i8"), ("frame", "i8"),
    ("signal", "i8", 4), ("damping_signal", "i8"), ("ix", "i8"), ("supply", "i8"),
    ("address", "i8", 2), ("first", "i8"), ("count", "i8"),
    ("R_iF", "f8", 9), ("p_iF", "f8", 3), ("R_jM", "f8", 9), ("p_jM", "f8", 3),
    ("stiffness", "f8"), ("damping", "f8"), ("rest", "f8")], align=True)

SIGNAL = np.dtype([  # one per time function; numbers of tables lie in the pool, user code at addresses
    ("kind", "i8"), ("first", "i8"), ("count", "i8"), ("address", "i8", (3, 2)),
    ("a", "f8"), ("b", "f8"), ("c", "f8"), ("d", "f8"), ("begin", "f8"), ("end", "f8")], align=True)

CONTROLLER = np.dtype([  # one per controller: inputs iu .. iu + nu, states ix .. ix + nx, outputs io .. io + no
    ("address", "i8", 2), ("first", "i8"), ("count", "i8"), ("iu", "i8"), ("nu", "i8"), ("ix", "i8"), ("nx", "i8"),
    ("io", "i8"), ("no", "i8")], align=True)

INPUT = np.dtype([("kind", "i8"), ("index", "i8")], align=True)  # of a sensor (its value or rate), a state or an output

SETTINGS = np.dtype([  # rows: how many are independent, or -1; absorbed: gap (m) of redundant equations at the start
    ("gravity", "f8", 3), ("length", "f8"), ("closure", "f8"), ("nq", "i8"), ("nv", "i8"), ("nx", "i8"), ("ng", "i8"),
    ("rows", "i8"), ("address", "i8", 2), ("option", "i8"), ("stabilisation", "f8"), ("absorbed", "f8")], align=True)

BODY = np.dtype([  # scratch per body, spatial vectors about O (the origin of the tree's root body) in world axes
    ("R", "f8", 9), ("p", "f8", 3), ("O", "f8", 3), ("V", "f8", 6), ("c", "f8", 6), ("A", "f8", 6), ("F", "f8", 6),
    ("I", "f8", 21), ("bias", "f8", 6)], align=True)

DOF = np.dtype([("h", "f8", 6), ("U", "f8", 6), ("d", "f8"), ("u", "f8")], align=True)

REPORT = np.dtype([  # what the last evaluation had to say
    ("rank", "i8"), ("index", "i8"), ("iterations", "i8"), ("factorisations", "i8"), ("evaluations", "i8"),
    ("selections", "i8"), ("partitions", "i8"), ("transported", "i8"), ("fresh", "i8"), ("padded", "i8"),
    ("weakest", "i8"), ("pivot", "f8"), ("spread", "f8"), ("padding", "f8"), ("position_error", "f8"), ("velocity_error", "f8"),
    ("margin", "f8"), ("widest", "f8"), ("reference", "f8"), ("kick", "f8"),  # see dynamics/branches.py
    ("jump", "f8"),  # time of a jump that dynamics/continuity.py has found
    ("fault", "i8"), ("culprit", "i8"),  # user code without a value, see num/fault.py ...
    ("last_fault", "i8"), ("last_culprit", "i8"), ("t_failed", "f8"),  # ... in the last evaluation that failed, and when
    ("stop", "i8")], align=True)  # set from outside: end the run


@block
class Tables(NamedTuple):
    """A lowered model: constant, hashable by content, shared."""

    links: np.ndarray
    sensors: np.ndarray
    primitives: np.ndarray
    forces: np.ndarray
    signals: np.ndarray
    controllers: np.ndarray
    inputs: np.ndarray
    pool: np.ndarray
    dof_parent: np.ndarray
    floor: np.ndarray
    row_scale: np.ndarray
    settings: np.ndarray
    kernels: np.ndarray  # where those of the force elements lie, per kind


@block
class Work(NamedTuple):
    """Scratch of one thread; nothing in it outlives an evaluation except the factors and the active rows."""

    bodies: np.ndarray
    dofs: np.ndarray
    report: np.ndarray
    active: np.ndarray
    pattern: np.ndarray
    chain: np.ndarray
    columns: np.ndarray
    order: np.ndarray
    group: np.ndarray
    unit: np.ndarray
    most: np.ndarray
    f: np.ndarray
    vdot: np.ndarray
    lam: np.ndarray
    g: np.ndarray
    nu: np.ndarray
    gamma: np.ndarray
    M: np.ndarray
    G: np.ndarray
    L: np.ndarray
    Q: np.ndarray
    R: np.ndarray
    V: np.ndarray
    N: np.ndarray
    K: np.ndarray
    LU: np.ndarray
    both: np.ndarray
    change: np.ndarray
    memory: np.ndarray
    zeros: np.ndarray
    scratch: np.ndarray
    user: np.ndarray
    xdot: np.ndarray
    outputs: np.ndarray
    inputs: np.ndarray
    failed: np.ndarray  # the state at which the last evaluation that failed was asked for


def frozen(tables: Tables) -> Tables:
    """The tables, read-only: whoever tries to write them is told by NumPy."""
    for array in tables:
        array.flags.writeable = False
    return tables


def workspace(tables: Tables) -> Work:
    """Scratch space for one thread."""
    nb, size = len(tables.links), tables.settings[0]
    nv, ng, c = int(size["nv"]), int(size["ng"]), tables.controllers.view(np.ndarray)
    whole, vector, rows = np.int64, np.zeros, int(size["nq"]) + nv + 2 * ng + 1
    work = Work(
        bodies=table(BODY, nb), dofs=table(DOF, nv), report=table(REPORT, 1), active=np.arange(ng, dtype=whole),
        pattern=tables.dof_parent.copy(), chain=np.arange(-1, nv - 1, dtype=whole), columns=np.arange(nv, dtype=whole),
        order=np.arange(ng, dtype=whole), group=_groups(tables.primitives, ng), unit=np.ones(ng), most=vector(ng),
        f=vector(nv), vdot=vector(nv), lam=vector(ng), g=vector(ng), nu=vector(ng), gamma=vector(ng),
        M=vector((nv, nv)), G=vector((ng, nv)), L=vector((nv, nv)), Q=vector((ng, nv)), R=vector((ng, ng)),
        V=vector((nv, nv)), N=vector((nv, nv)), K=vector((nv, nv)), LU=vector((ng, nv)),
        both=vector((2 * ng, 2 * nv)), change=vector(2 * nv), memory=vector(nv), zeros=vector(nv), scratch=vector((8, rows)),
        user=vector((3, 18)), xdot=vector(int(size["nx"]) + len(tables.forces) + 1), outputs=vector(int(c["no"].sum())),
        inputs=vector((2, max(c["nu"].max(initial=0), c["nx"].max(initial=0)))),
        failed=vector(int(size["nq"] + size["nv"] + size["nx"])))
    work.bodies["R"][0, [0, 4, 8]] = 1.0
    work.report["margin"] = 1.0  # of a model without constraints
    return work


def _groups(primitives: np.ndarray, ng: int) -> np.ndarray:
    """Per row, the first row of the joint or constraint it belongs to."""
    group = np.zeros(ng, np.int64)
    for p in primitives.view(np.ndarray):
        group[p["ig"] : p["ig"] + p["ng"]] = p["owner"]
    return group


def empty_tables() -> Tables:
    """Tables of a model without bodies: what a plain ODE problem passes to the integrators, and the type of all."""
    return frozen(Tables(table(LINK, 1), table(SENSOR, 0), table(PRIMITIVE, 0), table(FORCE, 0), table(SIGNAL, 0),
                         table(CONTROLLER, 0), table(INPUT, 0), np.zeros(0), np.zeros(0, np.int64), np.zeros(0), np.zeros(0),
                         table(SETTINGS, 1), np.zeros((0, 3), np.int64)))

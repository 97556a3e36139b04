"""Whether a machine is solved by sparse factors, and the tables it then has.

Small machines keep dense, orthogonal factors: there is little to gain, and rows are chosen there by
a search over all of them. From SMALL on sparse factors are as quick or quicker (2 four-bars in
Cartesian coordinates: 4 times, 10: 60 times). Where they fill, in long closed chains in relative
coordinates, some bodies are taken out of the tree (`shape.py`), as many as make for the fewest
multiplications.
"""

from __future__ import annotations

import numpy as np

from ...kernel.tables.records import Tables, frozen
from ...kernel.tables.sparse import MASS, addresses, with_kernels
from ...kernel.tables.workspace import workspace
from ..dynamics.anchors import add_pushes, forces_on_unknowns, tree_to_unknowns, unknowns_to_tree
from ..dynamics.kinematics import positions, shift_coordinates
from ..dynamics.packed import packed_jacobian, packed_mass_matrix
from ..equations.interface import EQUATIONS
from ..equations.tree import addresses as plant_addresses
from .layout import Plan, planned, ranks, to_fill, to_solve
from .paths import Shape, anchors_of, least_work

# freedoms and equations up to which dense factors are taken, which choose rows with more care
SMALL = 60
# multiplications up to which sparse factors are looked for, and a part of those of dense ones
MOST = 3e7
PART = 0.1
DEPTHS = (
    None,
    6,
    4,
    2,
    0,
)  # bodies on a path after which one becomes an anchor; None: there are no anchors
# multiplications per body below which anchors do not pay: each has six unknowns and as many rows
_CHEAP = 1000.0
_KERNELS = (
    packed_mass_matrix,
    packed_jacobian,
    tree_to_unknowns,
    add_pushes,
    forces_on_unknowns,
    unknowns_to_tree,
)
_SAMPLES = 2  # random positions at which the rows of a group are counted


def is_large(tables: Tables) -> bool:
    """More unknowns and rows than dense algebra is best at, and rows at all?"""
    size = tables.settings[0]
    return bool(size["ng"] and size["nv"] + size["ng"] > SMALL and fills_structure(tables))


def fills_structure(tables: Tables) -> bool:
    """Is the plant the tree? Generated code fills dense matrices."""
    return bool(tables.plant[EQUATIONS] == plant_addresses(False)[EQUATIONS])


def dense_work(tables: Tables, rank: int) -> float:
    """Multiplications of one dense factorisation."""
    nv = float(tables.settings[0]["nv"])
    return nv**3 / 6.0 + 2.0 * nv * rank**2


def dense_basis_work(tables: Tables, rank: int) -> float:
    """Multiplications of a basis of the whole machine, counted like those of fronts."""
    size, free = float(tables.settings[0]["nv"]), float(tables.settings[0]["nv"]) - rank
    return 4.0 * size * rank**2 + 8.0 * size * free**2 + 2.0 * size**2 * free + free**3 / 6.0


def nested_work(tables: Tables) -> float:
    """The same of the fronts that the tables have; without bound where there are none."""
    f = tables.fronts.view(np.ndarray)
    if not len(f):
        return np.inf
    size, rank, free = f["wide"].astype(float), f["rank"], f["wide"] - f["rank"]
    return float(
        (
            4.0 * size * rank**2 + 8.0 * size * free**2 + 2.0 * size * (size + f["others"]) * free
        ).sum()
        + (np.diff(tables.z_first) ** 2.0).sum() / 2.0
    )


def with_structure(tables: Tables) -> Tables:
    """The tables with the structure of M and G, with as many anchors as are best; as they are where
    all factors would fill.
    """
    best, least = None, max(MOST, PART * dense_work(tables, int(tables.settings[0]["ng"])))
    for anchors in _choices(tables):
        if least <= _CHEAP * len(tables.links):
            break
        found = _planned(tables, anchors, least)
        best, least = (best, least) if found is None else (found, found.flops)
    solved = tables if best is None else tables._replace(**to_solve(best)._asdict())
    return with_kernels(solved, MASS, _KERNELS)


def _choices(tables: Tables) -> list[list[int]]:
    """Sets of anchors to try, none of them twice; none at all last where M alone would fill, for
    that then takes long to see.
    """
    found = [[] if deep is None else anchors_of(tables, deep) for deep in DEPTHS]
    different = [anchors for n, anchors in enumerate(found) if anchors not in found[:n]]
    return sorted(
        different,
        key=lambda anchors: not anchors and least_work(tables, ()) > _CHEAP * len(tables.links),
    )


def compile_kernels() -> None:
    """Compile or load what fills a structure."""
    addresses(MASS, _KERNELS)


def _planned(tables: Tables, anchors: list[int], limit: float) -> Plan | None:
    """The elimination with these anchors; None beyond so many multiplications."""
    if least_work(tables, anchors) > limit:
        return None
    shape = Shape(tables, anchors)
    structure = to_fill(shape)
    settings = tables.settings.copy()
    settings["sparse"] = 1
    trial = tables._replace(settings=settings, **structure._asdict())
    return planned(shape, structure, _slots(trial).tolist(), limit)


def solved_sparsely(tables: Tables, wanted: bool | None = None) -> Tables:
    """The tables set to be solved by sparse factors or not: as wanted, or as suits the machine."""
    if wanted and not len(tables.kind) and tables.settings[0]["ng"] and fills_structure(tables):
        tables = with_structure(tables)
    settings = tables.settings.copy()
    settings["sparse"] = len(tables.kind) > 0 and wanted is not False
    return frozen(tables._replace(settings=settings))


def _straight(tables: Tables) -> np.ndarray:
    """All coordinates zero, quaternions without a turn."""
    q, links = np.zeros(int(tables.settings[0]["nq"])), tables.links.view(np.ndarray)[1:]
    q[(links["iq"] + links["plain"])[links["plain"] < links["nv"]]] = 1.0
    return q


def _slots(tables: Tables) -> np.ndarray:
    """How many independent rows each group can have."""
    rng, work, length = (
        np.random.default_rng(0),
        workspace(tables),
        float(tables.settings[0]["length"]),
    )
    unit = np.where(tables.turns > 0.0, 1.0, length)
    scale = np.where(tables.row_scale > 0.0, 1.0, length)
    column = np.where(tables.u_turns > 0.0, 1.0, length)[tables.support]
    most = np.zeros(len(tables.group_first) - 1, np.int64)
    for _ in range(_SAMPLES):
        moved = _straight(tables)
        shift_coordinates(tables, moved, rng.normal(size=len(unit)) * unit)
        positions(tables, work, moved)
        packed_jacobian(tables, work)
        most = np.maximum(
            most,
            ranks(
                tables.group_first,
                tables.support_first,
                _rows(tables, work.G_packed, scale, column),
            ),
        )
    return most


def _rows(tables: Tables, G: np.ndarray, scale: np.ndarray, column: np.ndarray) -> list[np.ndarray]:
    """The rows of each group over its support, as lengths."""
    row = np.repeat(np.arange(len(scale)), np.diff(tables.g_first[: len(scale) + 1]))
    first = tables.support_first[tables.row_group[row]]
    numbers = np.nan_to_num(G[: len(row)], nan=1.0) * scale[row]  # open lengths are not numbers yet
    numbers *= column[first + np.arange(len(row)) - tables.g_first[row]]
    ends = tables.g_first[tables.group_first].tolist()
    return [numbers[a:b] for a, b in zip(ends, ends[1:])]

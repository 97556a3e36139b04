"""The choice between dense and sparse factors, and the tables of sparse ones.

Small models use dense, orthogonal factors: sparsity gains little there, and the row selection
searches all rows. From SMALL on sparse factors are as fast or faster (2 four-bars in Cartesian
coordinates: 4 times, 10: 60 times). If they fill in, as for long closed chains in relative
coordinates, some bodies become anchors (`paths.py`); the set of anchors with the fewest
multiplications is used. If the rows of many legs meet in one body, they are eliminated early
(`kernel/algebra/early_rows.py`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np

from ...kernel.tables.records import Tables, frozen
from ...kernel.tables.sparse import MASS, addresses, with_kernels
from ...kernel.tables.sparsity import empty_structure
from ...kernel.tables.workspace import workspace
from ..dynamics.anchors import (
    add_tree_forces,
    forces_on_unknowns,
    tree_to_unknowns,
    unknowns_to_tree,
)
from ..dynamics.kinematics import positions, shift_coordinates
from ..dynamics.packed import packed_jacobian, packed_mass_matrix
from ..equations.interface import EQUATIONS
from ..equations.tree import addresses as tree_addresses
from .layout import Plan, SampledRank, planned, ranks, to_fill, to_solve
from .paths import Shape, anchors_of, least_work

SMALL = 60  # degrees of freedom and equations up to which dense factors are used
# multiplications up to which sparse factors are considered, absolute and as a part of dense ones
MOST = 3e7
PART = 0.1
# bodies on a path after which one becomes an anchor; None: no anchors
DEPTHS = (None, 6, 4, 2, 0)
# multiplications per body below which anchors do not pay: each has six unknowns and as many rows
_CHEAP = 1000.0
_KERNELS = (
    packed_mass_matrix,
    packed_jacobian,
    tree_to_unknowns,
    add_tree_forces,
    forces_on_unknowns,
    unknowns_to_tree,
)
_SAMPLES = 2  # random positions at which the ranks of groups are determined
_GAIN = 0.5  # part of the multiplications below which rows are eliminated early


def is_large(tables: Tables) -> bool:
    """Whether sparse factors may be faster: enough unknowns and rows, and equations of the tree."""
    size = tables.settings[0]
    if len(tables.flexible):
        return False  # the structure of M does not have the columns of markers
    return bool(size["ng"] and size["nv"] + size["ng"] > SMALL and fills_structure(tables))


def fills_structure(tables: Tables) -> bool:
    """Whether the equations are those of the tree; generated code fills dense matrices."""
    return bool(tables.equations[EQUATIONS] == tree_addresses(False)[EQUATIONS])


def dense_work(tables: Tables, rank: int) -> float:
    """Multiplications of one dense factorization."""
    nv = float(tables.settings[0]["nv"])
    return nv**3 / 6.0 + 2.0 * nv * rank**2


def dense_basis_work(tables: Tables, rank: int) -> float:
    """Multiplications of a basis of the whole model, counted as for fronts."""
    size, free = float(tables.settings[0]["nv"]), float(tables.settings[0]["nv"]) - rank
    return 4.0 * size * rank**2 + 8.0 * size * free**2 + 2.0 * size**2 * free + free**3 / 6.0


def front_work(tables: Tables) -> float:
    """Multiplications of the bases by fronts; infinite without fronts."""
    f = tables.fronts.view(np.ndarray)
    if not len(f):
        return np.inf
    size, rank, free = f["width"].astype(float), f["rank"], f["width"] - f["rank"]
    return float(
        (
            4.0 * size * rank**2 + 8.0 * size * free**2 + 2.0 * size * (size + f["others"]) * free
        ).sum()
        + (np.diff(tables.z_first) ** 2.0).sum() / 2.0
    )


def with_structure(tables: Tables, early: bool = False, late: Collection[int] = ()) -> Tables:
    """Tables with the sparsity pattern of M and G and the best set of anchors.

    The tables are unchanged if all factors would fill in. `early` allows rows that are eliminated
    early, except the groups `late`; the rows of such tables must be checked at a projected state
    (assembly/early_rows.py).
    """
    best, least = None, max(MOST, PART * dense_work(tables, int(tables.settings[0]["ng"])))
    for anchors in _choices(tables):
        if least <= _CHEAP * len(tables.links):
            break
        found = _planned(tables, anchors, least)
        best, least = (best, least) if found is None else (found, found.flops)
        if early and not anchors and least > _CHEAP * len(tables.links):
            found = _planned(tables, anchors, _GAIN * least, frozenset(late))
            best, least = (best, least) if found is None else (found, found.flops)
    solved = tables if best is None else tables._replace(**to_solve(best)._asdict())
    return with_kernels(solved, MASS, _KERNELS)


def with_late_rows(tables: Tables, late: Collection[int] | None) -> Tables:
    """Tables with a sparsity pattern in which these groups, or all, are not eliminated early."""
    plain = tables._replace(**empty_structure()._asdict())
    return frozen(with_structure(plain, late is not None, late or ()))


def _choices(tables: Tables) -> list[list[int]]:
    """Distinct sets of anchors to try.

    If M alone would fill in, the empty set comes last, because its elimination takes long.
    """
    found = [[] if deep is None else anchors_of(tables, deep) for deep in DEPTHS]
    different = [anchors for n, anchors in enumerate(found) if anchors not in found[:n]]
    return sorted(
        different,
        key=lambda anchors: not anchors and least_work(tables, ()) > _CHEAP * len(tables.links),
    )


def compile_kernels() -> None:
    """Compile or load the kernels that fill packed M and G."""
    addresses(MASS, _KERNELS)


def _planned(
    tables: Tables, anchors: list[int], limit: float, late: frozenset[int] | None = None
) -> Plan | None:
    """The elimination with these anchors; None beyond the limit on multiplications.

    Rows are eliminated early if groups that are not are given.
    """
    if least_work(tables, anchors) > limit:
        return None
    shape = Shape(tables, anchors)
    structure = to_fill(shape)
    settings = tables.settings.copy()
    settings["sparse"] = 1
    trial = tables._replace(settings=settings, **structure._asdict())
    samples = list(sampled_rows(trial))
    groups, first = trial.group_first, trial.support_first
    slots = np.max([ranks(groups, first, rows) for rows in samples], axis=0).tolist()
    rank = None if late is None else SampledRank(shape, samples, late)
    return planned(shape, structure, slots, limit, rank)


def solved_sparsely(tables: Tables, wanted: bool | None = None) -> Tables:
    """Tables set for sparse or dense factors: as wanted, or as suits the model."""
    if wanted and not len(tables.kind) and tables.settings[0]["ng"] and fills_structure(tables):
        tables = with_structure(tables)
    settings = tables.settings.copy()
    settings["sparse"] = len(tables.kind) > 0 and wanted is not False
    return frozen(tables._replace(settings=settings))


def _straight(tables: Tables) -> np.ndarray:
    """All coordinates zero, quaternions without rotation."""
    q, links = np.zeros(int(tables.settings[0]["nq"])), tables.links.view(np.ndarray)[1:]
    q[(links["iq"] + links["plain"])[links["plain"] < links["nv"]]] = 1.0
    return q


def sampled_rows(tables: Tables) -> Iterator[list[np.ndarray]]:
    """The rows of each group over its support at random positions."""
    rng, work = np.random.default_rng(0), workspace(tables)
    length = float(tables.settings[0]["length"])
    unit = np.where(tables.turns > 0.0, 1.0, length)
    scale = np.where(tables.row_scale > 0.0, 1.0, length)
    column = np.where(tables.u_turns > 0.0, 1.0, length)[tables.support]
    for _ in range(_SAMPLES):
        moved = _straight(tables)
        shift_coordinates(tables, moved, rng.normal(size=len(unit)) * unit)
        positions(tables, work, moved)
        packed_jacobian(tables, work)
        yield _rows(tables, work.G_packed, scale, column)


def _rows(tables: Tables, G: np.ndarray, scale: np.ndarray, column: np.ndarray) -> list[np.ndarray]:
    """The rows of each group over its support, as lengths."""
    row = np.repeat(np.arange(len(scale)), np.diff(tables.g_first[: len(scale) + 1]))
    first = tables.support_first[tables.row_group[row]]
    numbers = np.nan_to_num(G[: len(row)], nan=1.0) * scale[row]  # free lengths are still NaN
    numbers *= column[first + np.arange(len(row)) - tables.g_first[row]]
    ends = tables.g_first[tables.group_first].tolist()
    return [numbers[a:b] for a, b in zip(ends, ends[1:])]

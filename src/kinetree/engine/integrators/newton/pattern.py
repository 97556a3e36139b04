"""Pattern of the matrix of a step: groups of columns for differences, lists for the factors.

Columns that share no row are perturbed together in difference quotients [Curtis1974]. Small
matrices are factorized as dense ones, with exchanges of rows; others with the lists of
kernel/algebra/symbolic_factorization.py, without exchanges.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple
from weakref import ref

import numpy as np

from ....errors import ModelError
from ....kernel.algebra.symbolic_factorization import analyse
from ....kernel.tables.joint_inertia import joint_inertias
from ....kernel.tables.records import Tables
from ...sparsity.choice import fills_structure
from ...sparsity.paths import least_work
from ...sparsity.step_bodies import Bodies
from ...sparsity.step_elements import ON_BODIES, element_lists
from ...sparsity.step_pattern import Nodes
from ..memory import ARTICULATED, BODIES, DOFS, FULL
from .matrix import PAD, VECTORS
from .pattern_lists import (
    color_columns,
    columns,
    exchanged_nodes,
    load_groups,
    places,
    row_entries,
    sources,
)

DENSE = 60  # unknowns up to which the matrix is factorized as a dense one
# states up to which the full Jacobian is the quicker one: with loops, of an open tree by sparse
# factors, and by articulated bodies
SMALL, SMALL_TREE, SMALL_ARTICULATED = 40, 120, 20
MOST = 20_000_000  # numbers in the matrix
MOST_FULL = 6000  # states: two full matrices of that size take 600 MB
MOST_SLOW = 1000  # states up to which a full Jacobian replaces a matrix that converges slowly
# multiplications per body of a matrix over the degrees of freedom, below which no other is tried
DEEP = 3000.0
GAIN = 2.0  # factor in multiplications that a matrix over the bodies must save
PER_COMPONENT = 1.0 / 15.0  # cost of new factors of a full Jacobian, in evaluations
PER_DERIVATIVES = 6.0  # cost of the derivatives of elements on bodies, in evaluations
PER_BODY = 400.0  # multiplications that take as long as the equations of one body
PARTS = (
    "group_first",
    "group",
    "first",
    "row",
    "source",
    "at",
    "across",
    "place",
    "begin",
    "below",
    "run_first",
    "run_at",
    "run_count",
    "sizes",
    "load_group_first",
    "load_group",
    "by_loads",
    "row_entries",
    "exchanged_nodes",
)


class MatrixArrays(NamedTuple):
    """Arrays of an implicit method besides its vectors: lists, vectors, entries and factors."""

    lists: np.ndarray
    unknowns: np.ndarray
    entries: np.ndarray
    factors: np.ndarray


class Layout(NamedTuple):
    """Matrix of the steps of a model: its kind, its arrays, and its cost in evaluations."""

    newton: int
    lists: np.ndarray
    pad: np.ndarray
    entries: int
    factors: int
    per_jacobian: float
    per_factors: float

    def arrays(self) -> MatrixArrays:
        """New arrays for a run."""
        unknowns = np.zeros((VECTORS if len(self.pad) else 0, len(self.pad)))
        unknowns[PAD : PAD + 1] = self.pad
        return MatrixArrays(
            self.lists, unknowns, np.zeros((3, self.entries)), np.zeros(self.factors)
        )


def direct_layout(tables: Tables) -> Layout:
    """Layout of the constrained equations over the degrees of freedom, or by articulated bodies."""
    articulated = articulated_layout(tables)
    size = sum(int(tables.settings[0][name]) for name in ("nq", "nv", "nx"))
    if articulated is not None and size > SMALL_ARTICULATED:
        return articulated
    small = not tables.settings[0]["ng"] and size <= SMALL_TREE
    by_degrees = small or not is_machine(tables)
    factored = laid_out(tables, Nodes(tables)) if by_degrees else structured_layout(tables)
    if factored is None:
        raise ModelError(
            "integrator 'bdf-direct': in these coordinates the matrix of this model is nearly "
            'full. Use coordinates="cartesian", where it is sparse.'
        )
    return factored


@cache
def full_layout(n: int) -> Layout:
    """Layout of a system with a full Jacobian."""
    nothing = np.zeros(0)
    return Layout(FULL, nothing.astype(np.int64), nothing, 0, 0, float(n), PER_COMPONENT * n)


def reduced_layout(tables: Tables, n: int, wanted: bool | None = None) -> Layout:
    """Layout for n states whose rates a formulation computes.

    A full Jacobian where that is faster, or where `wanted` is False.
    """
    articulated = None if wanted is False else articulated_layout(tables)
    if articulated is not None and (wanted or n > SMALL_ARTICULATED):
        return articulated
    return factored_layout(tables, n, wanted)


def factored_layout(tables: Tables, n: int, wanted: bool | None = None) -> Layout:
    """The same without articulated bodies."""
    loops = bool(tables.settings[0]["ng"])
    small = wanted is None and n <= (SMALL if loops else SMALL_TREE)
    if wanted is False or small or not is_machine(tables):
        return full_layout(n)
    return structured_layout(tables) or full_layout(n)


def structured_layout(tables: Tables) -> Layout | None:
    """Layout over the degrees of freedom or over the bodies; None if the matrix would fill.

    Open trees are solved body by body, and closed chains where that takes fewer multiplications.
    """
    links, loops = tables.links.view(np.ndarray), bool(tables.settings[0]["ng"])
    by_degrees, flat = None, not links["parent"].any()
    if joint_inertias(tables).any():  # the equations body by body have no place for it
        return laid_out(tables, Nodes(tables))
    if loops and not has_anchors(tables) and least_work(tables, ()) <= DEEP * len(links):
        nodes = Nodes(tables)
        by_degrees = laid_out(tables, nodes)
        if by_degrees is not None and (
            flat or nodes.size <= DENSE or by_degrees.per_factors * PER_BODY <= DEEP
        ):
            return by_degrees
    by_bodies = laid_out(tables, Bodies(tables))
    if by_degrees is None or by_bodies is None:
        return by_bodies or by_degrees
    return by_bodies if GAIN * by_bodies.per_factors < by_degrees.per_factors else by_degrees


def laid_out(tables: Tables, nodes: Nodes) -> Layout | None:
    """Layout over these nodes; None if the matrix would fill."""
    return lay_out_matrix(tables, nodes) if nodes.filling() <= MOST else None


def has_anchors(tables: Tables) -> bool:
    """Whether the linear equations of the formulation have unknowns of anchors."""
    return bool(len(tables.anchor) and tables.settings[0]["sparse"])


def layout_after(tables: Tables, n: int) -> Layout | None:
    """Layout that replaces another one where that converges slowly; None: there is none.

    Articulated bodies are replaced by a factorized matrix, the matrix of a closed chain over its
    bodies by the full Jacobian, which leaves out nothing.
    """
    if not tables.settings[0]["ng"]:
        return factored_layout(tables, n)
    return full_layout(n) if n <= MOST_SLOW else None


def direct_layout_after(tables: Tables, n: int) -> Layout | None:
    """The same for the constrained equations."""
    if has_anchors(tables):
        return None
    return laid_out(tables, Nodes(tables))


def is_machine(tables: Tables) -> bool:
    """Whether the equations are those of the tables, without modes of flexible bodies."""
    machine = bool(tables.equations.any()) and fills_structure(tables)
    return machine and not len(tables.flexible)


def articulated_layout(tables: Tables) -> Layout | None:
    """Layout of an open tree whose elements act on joints, bodies, or bodies and their parents."""
    lists = element_lists(tables) if is_machine(tables) else None
    if lists is None:
        return None
    nv, bodies = int(tables.settings[0]["nv"]), len(tables.links)
    share = (
        float((lists[: 3 * len(tables.forces) : 3] == ON_BODIES).mean())
        if len(tables.forces)
        else 0.0
    )
    return Layout(
        ARTICULATED,
        lists,
        np.zeros(nv),
        nv + 108 * int(lists[-1]),
        36 * bodies + 12 * nv,
        1.0 + PER_DERIVATIVES * share,
        0.0,
    )


_known: dict[tuple, tuple[list[ref], Layout]] = {}


def cached_layout(find: Callable[..., Layout], tables: Tables, *how: object) -> Layout:
    """Layout of a model, computed once for its tables."""
    parts = (
        tables.links,
        tables.forces,
        tables.primitives,
        tables.sensors,
        tables.markers,
        tables.inputs,
        tables.kind,
    )
    key = (find.__name__, *map(id, parts), int(tables.settings[0]["sparse"]), *how)
    if key not in _known:
        _known[key] = (
            [ref(part, lambda _: _known.pop(key, None)) for part in parts],
            find(tables, *how),
        )
    return _known[key][1]


def forget() -> None:
    """Clear the cache of layouts."""
    _known.clear()


def lay_out_matrix(tables: Tables, nodes: Nodes) -> Layout:
    """Lists for the kernels, in the order of PARTS, after their start positions (matrix.py)."""
    first, row = columns(nodes)
    groups = color_columns(first, row, nodes)
    parts = [
        np.concatenate([[0], np.cumsum(np.bincount(groups))]),
        np.argsort(groups, kind="stable"),
        first,
        row,
        sources(tables, nodes, first, row),
    ]
    lists, flops = None, nodes.size**3 / 3.0
    if nodes.size > DENSE or nodes.whole_bodies:
        found = analyse(nodes.together(), nodes.ties(), nodes.known_order())
        lists = found._replace(place=found.place[nodes.order()])
        flops = float((np.diff(found.first) ** 2.0).sum())
    if lists is None:
        parts += [np.zeros(0)] * 8
    else:
        parts += [
            *places(lists, first, row),
            lists.place,
            lists.first,
            lists.row,
            lists.run_first,
            lists.run_at,
            lists.run_count,
        ]
    parts.append(
        np.array([nodes.free, nodes.nx, nodes.size, nodes.size - nodes.ng, nodes.free - nodes.nv])
    )
    parts += load_groups(nodes, is_machine(tables), first, row)
    parts += [row_entries(tables, nodes, first, row), exchanged_nodes(nodes, lists)]
    starts = len(PARTS) + 1 + np.concatenate([[0], np.cumsum([len(p) for p in parts])])
    pad = np.zeros(nodes.size)
    pad[: nodes.free] = nodes.light()
    if nodes.whole_bodies:  # for the multipliers (body_direct.py)
        pad[nodes.free + nodes.nx :][: nodes.nv] = Nodes.light(nodes)
    return Layout(
        BODIES if nodes.whole_bodies else DOFS,
        np.concatenate([starts, *parts]).astype(np.int64),
        pad,
        len(row),
        nodes.size**2 if lists is None else 2 * lists.size,
        2.0 * len(np.unique(groups)),
        flops / (PER_BODY * len(tables.links)),
    )

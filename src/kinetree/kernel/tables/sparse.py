"""Calls of the sparse kernels through their addresses in `tables.sparse_kernels`.

Small models never call them, so that they are compiled or loaded for large models only.

    fill_mass, fill_rows(tables, work)              packed M and G   (engine/dynamics/packed.py)
    tree_to_unknowns, add_tree_forces, tree_forces_to_unknowns, unknowns_to_tree(tables, work, a, b)
                                                    anchors          (engine/dynamics/anchors.py)
    refactor_sparse, reselect_sparse(tables, work) -> Status
    solve_sparse(tables, work, r1, r2, lam)         sparse factors   (engine/kkt/packed.py)
    refactor_bases, reselect_bases(tables, work) -> Status
    particular_by_fronts, accelerate_by_fronts, keep_bases
                                                    fronts           (engine/formulations/local.py)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from .. import types
from ..decorators import JIT, inline
from ..intrinsics import address_of, by_address
from .records import Tables, frozen
from .signatures import signatures

MASS, ROWS, TO_UNKNOWNS, ADD_FORCES, TO_FORCES, TO_TREE, REFACTOR, RESELECT, SOLVE = range(9)
BASES, RESELECT_BASES, PARTICULAR, ACCELERATE, KEEP = range(9, 14)


@cache
def _signatures() -> tuple[Any, ...]:
    (tables, work), a = signatures()[:2], types.float64[::1]
    fill, status = types.none(tables, work), types.int64(tables, work)
    between = types.none(tables, work, a, a)
    return (
        fill,
        fill,
        *[between] * 4,
        status,
        status,
        types.none(tables, work, a, a, a),
        status,
        status,
        between,
        *[types.int64(tables, work, a)] * 2,
    )


_fill = by_address("tables, work", lambda: _signatures()[MASS])
_between = by_address("tables, work, a, b", lambda: _signatures()[TO_UNKNOWNS])
_status = by_address("tables, work", lambda: _signatures()[REFACTOR])
_vector = by_address("tables, work, a", lambda: _signatures()[KEEP])
_solve = by_address("tables, work, r1, r2, lam", lambda: _signatures()[SOLVE])


@inline
def fill_mass(tables, work):
    _fill(tables.sparse_kernels[MASS], tables, work)


@inline
def fill_rows(tables, work):
    _fill(tables.sparse_kernels[ROWS], tables, work)


@inline
def has_anchors(tables):
    """Whether the twists of some bodies are unknowns."""
    return tables.anchor.shape[0] > 0


@inline
def tree_to_unknowns(tables, work, v, u):
    """u <- T v."""
    _between(tables.sparse_kernels[TO_UNKNOWNS], tables, work, v, u)


@inline
def add_tree_forces(tables, work, w, out):
    """out <- out + T^T w, the generalized forces of forces w on the unknowns."""
    _between(tables.sparse_kernels[ADD_FORCES], tables, work, w, out)


@inline
def tree_forces_to_unknowns(tables, work, f, w):
    """w <- forces on the unknowns with T^T w = f."""
    _between(tables.sparse_kernels[TO_FORCES], tables, work, f, w)


@inline
def unknowns_to_tree(tables, work, u, v):
    """v <- the velocities of the tree for unknowns u that satisfy the joints of anchors."""
    _between(tables.sparse_kernels[TO_TREE], tables, work, u, v)


@inline
def refactor_sparse(tables, work):
    return _status(tables.sparse_kernels[REFACTOR], tables, work)


@inline
def reselect_sparse(tables, work):
    return _status(tables.sparse_kernels[RESELECT], tables, work)


@inline
def solve_sparse(tables, work, r1, r2, lam):
    _solve(tables.sparse_kernels[SOLVE], tables, work, r1, r2, lam)


@inline
def refactor_bases(tables, work):
    return _status(tables.sparse_kernels[BASES], tables, work)


@inline
def reselect_bases(tables, work):
    return _status(tables.sparse_kernels[RESELECT_BASES], tables, work)


@inline
def particular_by_fronts(tables, work, r, out):
    _between(tables.sparse_kernels[PARTICULAR], tables, work, r, out)


@inline
def accelerate_by_fronts(tables, work, lam):
    return _vector(tables.sparse_kernels[ACCELERATE], tables, work, lam)


@inline
def keep_bases(tables, work, v):
    return _vector(tables.sparse_kernels[KEEP], tables, work, v)


def addresses(first: int, kernels: Sequence[Callable]) -> list[int]:
    """Addresses of kernels, compiled or loaded now for the signatures from `first` on."""
    return [address_of(f, _signatures()[first + k] if JIT else None) for k, f in enumerate(kernels)]


def with_kernels(tables: Tables, first: int, kernels: Sequence[Callable]) -> Tables:
    """Tables with the addresses of these kernels from `first` on, if they have a pattern."""
    if not len(tables.m_first):
        return tables
    where = tables.sparse_kernels.copy()
    where[first : first + len(kernels)] = addresses(first, kernels)
    return frozen(tables._replace(sparse_kernels=where))

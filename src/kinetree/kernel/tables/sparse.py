"""The kernels of sparse algebra by their addresses in `tables.sparse_kernels`: compiled where a
machine has a structure.

fill_mass(tables, work)              M packed                      (engine/dynamics/packed.py)
fill_rows(tables, work)              G packed
factor(tables, work) -> Status       and what else `engine/kkt/range_space.py` asks of factors
renew_bases(tables, work) -> Status  local bases, and what else `engine/formulations/reduced.py` asks of
them
spread, gather, lift, read_off(tables, work, a, b)      between the tree and the structure
(engine/dynamics/anchors.py)
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

MASS, ROWS, SPREAD, GATHER, LIFT, READ_OFF, FACTOR, RENEW, EXCHANGE, SOLVE = range(10)
BASES, EXCHANGE_BASES, PARTICULAR, ACCELERATE, CARRY = range(10, 15)


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
        status,
        types.none(tables, work, a, a, a),
        status,
        status,
        between,
        *[types.int64(tables, work, a)] * 2,
    )


_fill = by_address("tables, work", lambda: _signatures()[MASS])
_between = by_address("tables, work, a, b", lambda: _signatures()[SPREAD])
_status = by_address("tables, work", lambda: _signatures()[FACTOR])
_vector = by_address("tables, work, a", lambda: _signatures()[CARRY])
_solve = by_address("tables, work, r1, r2, lam", lambda: _signatures()[SOLVE])


@inline
def fill_mass(tables, work):
    _fill(tables.sparse_kernels[MASS], tables, work)


@inline
def fill_rows(tables, work):
    _fill(tables.sparse_kernels[ROWS], tables, work)


@inline
def anchored(tables):
    """Are there bodies whose twist is an unknown of its own?"""
    return tables.anchor.shape[0] > 0


@inline
def spread(tables, work, v):
    """Velocities as unknowns of the structure, into work.spread; without anchors they are that
    themselves.
    """
    if anchored(tables):
        _between(tables.sparse_kernels[SPREAD], tables, work, v, work.spread)


@inline
def gather(tables, work, pushes, out):
    """Add the generalised forces of pushes on the unknowns."""
    _between(tables.sparse_kernels[GATHER], tables, work, pushes, out)


@inline
def lift(tables, work, f, pushes):
    """Pushes on the unknowns that are the generalised forces f."""
    _between(tables.sparse_kernels[LIFT], tables, work, f, pushes)


@inline
def read_off(tables, work, u, v):
    """The velocities of the tree at unknowns that meet the joints of anchors."""
    _between(tables.sparse_kernels[READ_OFF], tables, work, u, v)


@inline
def renew_sparse(tables, work):
    return _status(tables.sparse_kernels[RENEW], tables, work)


@inline
def exchange_sparse(tables, work):
    return _status(tables.sparse_kernels[EXCHANGE], tables, work)


@inline
def solve_sparse(tables, work, r1, r2, lam):
    _solve(tables.sparse_kernels[SOLVE], tables, work, r1, r2, lam)


@inline
def renew_bases(tables, work):
    return _status(tables.sparse_kernels[BASES], tables, work)


@inline
def exchange_bases(tables, work):
    return _status(tables.sparse_kernels[EXCHANGE_BASES], tables, work)


@inline
def local_particular(tables, work, r, out):
    _between(tables.sparse_kernels[PARTICULAR], tables, work, r, out)


@inline
def accelerate_locally(tables, work, lam):
    return _vector(tables.sparse_kernels[ACCELERATE], tables, work, lam)


@inline
def carry_bases(tables, work, v):
    return _vector(tables.sparse_kernels[CARRY], tables, work, v)


def addresses(first: int, kernels: Sequence[Callable]) -> list[int]:
    """Where these kernels lie, compiled or loaded now for the signatures from `first` on."""
    return [address_of(f, _signatures()[first + k] if JIT else None) for k, f in enumerate(kernels)]


def with_kernels(tables: Tables, first: int, kernels: Sequence[Callable]) -> Tables:
    """The tables of a machine with a structure, with these kernels from `first` on, compiled or
    loaded now.
    """
    if not len(tables.m_first):
        return tables
    where = tables.sparse_kernels.copy()
    where[first : first + len(kernels)] = addresses(first, kernels)
    return frozen(tables._replace(sparse_kernels=where))

"""Derivatives of the state with respect to parameters, integrated beside the state.

    y = (y_0, s_1, .., s_k),      s_j = d y_0 / d p_j,      y_0' = f(t, y_0; p)

Each parameter has two companions: the model with p_j + d_j and with p_j - d_j, each with tables and
a workspace of its own. The derivatives of f and of the projection P onto the constraints are central
differences between them [Bock1983],

    s_j' = (f(t+, y_0 + d_j s_j; p_j + d_j) - f(t-, y_0 - d_j s_j; p_j - d_j)) / (2 d_j)
    s_j  = (P(y_0 + d_j s_j; p_j + d_j)     - P(y_0 - d_j s_j; p_j - d_j)) / (2 d_j)

so that the steps and orders of a run are those of y_0, and its error is not divided by d_j. An
evaluation of y_0 alone has the length of y_0.

Clocks. Where the equations jump at a time that depends on p_j, a companion has its own clock,
t+ = a + rate (t - t_a), which maps a segment between two jumps onto its own segment. s_j is then the
derivative at equal times of the clocks, and no difference is taken across a jump.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...kernel.algebra.blas1 import copy
from ...kernel.array_block import all_are_like, block, opened
from ...kernel.decorators import JIT, inline, kernel
from ...kernel.intrinsics import address_of, by_address
from ...kernel.tables.fault import NO_FAULT, clear_fault
from ...kernel.tables.records import Tables
from ...kernel.tables.signatures import signatures
from ...kernel.tables.workspace import Work
from ...kernel.types import Vector

RHS, PROJECT, SIZE = range(3)  # of `about`
INCREMENT, SHARED, OWN, RATE, END = range(5)  # of a clock
FIRST, STATE, SLOPE = range(3)  # rows of `scratch`: two for each side


@block
class Companions(NamedTuple):
    """Arrays of the companions, as kernels read them: two rows for each parameter."""

    about: np.ndarray  # addresses of the kernels `rhs` and `project`, number of states
    tables: np.ndarray  # (2 k, ..) addresses and shapes of their tables ...
    works: np.ndarray  # ... and of their workspaces
    # (2 k, 5) increment of the parameter; start of the segment by the clock of the run, and by the
    # own clock; own seconds per second; end of the segment by the own clock
    clocks: np.ndarray
    scratch: np.ndarray  # (5, n)


def _empty() -> Companions:
    return Companions(
        np.zeros(3, np.int64),
        np.zeros((0, 0), np.int64),
        np.zeros((0, 0), np.int64),
        np.zeros((0, 5)),
        np.zeros((5, 0)),
    )


all_are_like(Companions, _empty)
_BLOCK: Any = Companions
_plain_blocks: list[Companions] = []  # in plain Python a row is an index into this list
_plain_members: list[tuple[Sequence[Tables], Sequence[Work]]] = []
if JIT:
    _companions = opened(lambda: _BLOCK.type_of_all())
    _tables = opened(lambda: signatures()[0])
    _work = opened(lambda: signatures()[1])
else:

    def _companions(row):
        return _plain_blocks[row[0]]

    def _tables(row):
        return _plain_members[row[0]][0][row[1]]

    def _work(row):
        return _plain_members[row[0]][1][row[1]]


_rhs = by_address("tables, work, t, y, ydot", lambda: signatures()[2])
_project = by_address("tables, work, t, y", lambda: signatures()[3])


@inline
def own_time(clock, t):
    """The time of a companion; never beyond the end of its segment, where the equations jump."""
    return min(clock[OWN] + clock[RATE] * (t - clock[SHARED]), clock[END])


def own_times(clock: np.ndarray, t):
    """`own_time` for Python, also of many times."""
    return np.minimum(clock[OWN] + clock[RATE] * (t - clock[SHARED]), clock[END])


@inline
def take_fault(report, own):
    """Report a fault of user code in a companion as one of the model."""
    if own.fault != NO_FAULT and report.fault == NO_FAULT:
        report.fault, report.fault_element = own.fault, own.fault_element


@inline
def displace(y, s, increment, out):
    """out = y + increment s."""
    for i in range(out.shape[0]):
        out[i] = y[i] + increment * s[i]


@kernel
def rhs_beside(tables: Tables, work: Work, t: float, y: Vector, ydot: Vector):
    """`rhs` of the state and of its derivatives. Returns a Status."""
    beside = _companions(tables.companions)
    n, f, z, clocks = beside.about[SIZE], beside.about[RHS], beside.scratch[STATE], beside.clocks
    status = _rhs(f, tables, work, t, y[:n], ydot[:n])
    for j in range(clocks.shape[0] // 2 if y.shape[0] > n else 0):
        s, first = y[n * (j + 1) : n * (j + 2)], 2 * j
        for side in range(2):
            clock, slope = clocks[first + side], beside.scratch[SLOPE + side]
            own = _work(beside.works[first + side])
            displace(y, s, clock[INCREMENT], z)
            clear_fault(own.report[0])
            own.report[0].fresh = 0  # no factors of another state: both sides do the same
            if status == 0:
                own_tables = _tables(beside.tables[first + side])
                status = _rhs(f, own_tables, own, own_time(clock, t), z, slope)
                take_fault(work.report[0], own.report[0])
        a, b = clocks[first], clocks[first + 1]
        for i in range(n):
            ydot[n * (j + 1) + i] = (
                a[RATE] * beside.scratch[SLOPE, i] - b[RATE] * beside.scratch[SLOPE + 1, i]
            ) / (a[INCREMENT] - b[INCREMENT])
    return status


@kernel
def project_beside(tables: Tables, work: Work, t: float, y: Vector):
    """`project` of the state and of its derivatives. Returns a Status."""
    beside = _companions(tables.companions)
    n, p, before, clocks = (
        beside.about[SIZE],
        beside.about[PROJECT],
        beside.scratch[0],
        beside.clocks,
    )
    copy(y[:n], before)
    status = _project(p, tables, work, t, y[:n])
    for j in range(clocks.shape[0] // 2 if y.shape[0] > n else 0):
        s, first = y[n * (j + 1) : n * (j + 2)], 2 * j
        for side in range(2):
            clock, z = clocks[first + side], beside.scratch[SLOPE + side]
            own = _work(beside.works[first + side])
            displace(before, s, clock[INCREMENT], z)
            clear_fault(own.report[0])
            if status == 0:
                own_tables = _tables(beside.tables[first + side])
                status = _project(p, own_tables, own, own_time(clock, t), z)
                take_fault(work.report[0], own.report[0])
        width = clocks[first, INCREMENT] - clocks[first + 1, INCREMENT]
        for i in range(n):
            s[i] = (beside.scratch[SLOPE, i] - beside.scratch[SLOPE + 1, i]) / width
    return status


def beside(
    tables: Tables,
    rhs: Callable,
    project: Callable,
    members: Sequence[tuple[Tables, Work]],
    increments: np.ndarray,
    n: int,
) -> tuple[Tables, Companions]:
    """Tables of a model with companions, and their arrays.

    members      tables and workspace of each companion, two for each parameter
    increments   change of the parameter in each of them, of opposite signs
    n            number of states
    """
    _, _, kind, other = signatures()
    addresses = [address_of(rhs, kind), address_of(project, other)]
    rows = [
        [_row(member[k], (len(_plain_members), i)) for i, member in enumerate(members)]
        for k in range(2)
    ]
    clocks = np.zeros((len(members), 5))
    clocks[:, INCREMENT], clocks[:, RATE], clocks[:, END] = increments, 1.0, np.inf
    arrays = Companions(
        np.array([*addresses, n], np.int64),
        np.array(rows[0], np.int64).reshape(len(members), -1),
        np.array(rows[1], np.int64).reshape(len(members), -1),
        clocks,
        np.zeros((5, n)),
    )
    row = _row(arrays, (len(_plain_blocks),))
    if not JIT:
        _plain_blocks.append(arrays)
        _plain_members.append(tuple(zip(*members, strict=True)))
    return tables._replace(companions=np.array(row, np.int64)), arrays


def _row(arrays, plain: tuple[int, ...]):
    """The row of integers that describes a block, or in plain Python its indices."""
    if not JIT:
        return plain
    _ = arrays._address  # computes the row
    return arrays._row

"""Derivatives of the state with respect to parameters, integrated beside the state.

    y = (y_0, s_1, .., s_k),      s_j = d y_0 / d p_j,      y_0' = f(t, y_0; p)
    s_j' = f_y s_j + f_p dp_j,    after a step (y_0, s_j) <- (P(y_0; p), P_y s_j + P_p dp_j)

f and the projection P onto the constraints are computed with dual numbers
(kernel/compiler/tangents.py), from the same kernels: values have the bits of a run without
derivatives, derivatives are exact up to rounding. WIDTH parameters form a group, which has tables
and a workspace of dual numbers; each group computes the values anew. An evaluation of y_0 alone has
the length of y_0.

Clocks. Where the equations jump at a time that depends on p_j, the time is a dual number too: a
segment between two jumps is mapped linearly, t + p_j (a_j + b_j (t - t_a)), so that the jumps stay
at fixed times of the run, and s_j is the derivative at equal times of that clock.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...elements.forces.catalogue import APPLY
from ...kernel.array_block import all_are_like, block, opened
from ...kernel.compiler.tangents import wide_block
from ...kernel.decorators import inline, tangent_kernel
from ...kernel.intrinsics import address_of, by_address
from ...kernel.tables.records import Tables
from ...kernel.tables.signatures import signatures
from ...kernel.types import DUAL, WIDTH
from ..equations.interface import CONTINUITY

RHS, PROJECT, RHS_TWIN, PROJECT_TWIN, SIZE, WORDS = range(6)  # of `about`
# kernels that `rhs` and `project` call: of the tables of addresses all entries, or some columns
CALLED = {
    "equations": range(CONTINUITY),
    "kernels": (APPLY,),
    "signal_kernels": None,
    "control_kernel": None,
    "sparse_kernels": None,
}
SHARED, FIRST = 0, 1  # of a clock: start of the segment; then a_1 .., b_1 ..


@block
class Groups(NamedTuple):
    """Arrays of the groups of parameters, as kernels read them."""

    about: np.ndarray  # addresses of the kernels, number of states, words of a report
    plain: np.ndarray  # addresses and shapes of the arrays of a workspace without derivatives
    tables: np.ndarray  # (groups, ..) addresses and shapes of their tables ...
    works: np.ndarray  # ... and of their workspaces
    clocks: np.ndarray  # (groups, 1 + 2 WIDTH) start of the segment, a_j, b_j
    time: np.ndarray  # (1,) dual time, and ...
    time_parts: np.ndarray  # ... the same numbers
    states: np.ndarray  # (2, n) dual state and slope, and ...
    state_parts: np.ndarray  # ... the same numbers
    report: np.ndarray  # words of the report of the run
    reports: np.ndarray  # (groups, ..) words of those of the groups ...
    place: np.ndarray  # ... and the place of each word of the first in them


def _example() -> Groups:
    ints, table = np.zeros(0, np.int64), np.zeros((0, 0), np.int64)
    return Groups(
        *(ints, ints, table, table, np.zeros((0, 0))),
        *(np.zeros(0, DUAL), np.zeros((0, 0)), np.zeros((0, 0), DUAL), np.zeros((0, 0, 0))),
        *(ints, table, ints),
    )


all_are_like(Groups, _example)
_BLOCK: Any = Groups
_groups = opened(lambda: _BLOCK.type_of_all())
_tables = opened(lambda: wide_block(signatures()[0]))
_work = opened(lambda: wide_block(signatures()[1]))
_plain_work = opened(lambda: signatures()[1])
_rhs = by_address("tables, work, t, y, ydot", lambda: signatures()[2])
_project = by_address("tables, work, t, y", lambda: signatures()[3])


@inline
def fill_group(groups, g, t, y):
    """Time and state of a group as dual numbers, and the report of the run."""
    n, clock, k = groups.about[SIZE], groups.clocks[g], groups.time_parts.shape[1] - 1
    later = t - clock[SHARED]
    groups.time_parts[0, 0] = t
    for j in range(k):
        groups.time_parts[0, j + 1] = clock[FIRST + j] + clock[FIRST + k + j] * later
    for i in range(n):
        groups.state_parts[0, i, 0] = y[i]
    for j in range(k):
        first = n * (k * g + j + 1)
        if first >= y.shape[0]:
            break
        for i in range(n):
            groups.state_parts[0, i, j + 1] = y[first + i]
    for w in range(groups.about[WORDS]):
        groups.reports[g, groups.place[w]] = groups.report[w]


@inline
def keep_report(groups):
    """The report of the run from that of the first group."""
    for w in range(groups.about[WORDS]):
        groups.report[w] = groups.reports[0, groups.place[w]]


@tangent_kernel
def rhs_with_tangents(tables, work, t, y, ydot):
    """`rhs` of the state and of its derivatives. Returns a Status."""
    groups = _groups(tables.companions)
    n, k, status = groups.about[SIZE], groups.time_parts.shape[1] - 1, 0
    if y.shape[0] == n:
        return _rhs(groups.about[RHS], tables, _plain_work(groups.plain), t, y, ydot)
    for g in range(groups.tables.shape[0]):
        fill_group(groups, g, t, y)
        state, slope, clock = groups.states[0], groups.states[1], groups.clocks[g]
        own = _tables(groups.tables[g])
        status = _rhs(
            groups.about[RHS_TWIN], own, _work(groups.works[g]), groups.time[0], state, slope
        )
        if g == 0:
            keep_report(groups)
            for i in range(n):
                ydot[i] = groups.state_parts[1, i, 0]
        if status != 0:
            return status
        for j in range(k):
            first = n * (k * g + j + 1)
            if first >= y.shape[0]:
                break
            for i in range(n):
                ydot[first + i] = (
                    groups.state_parts[1, i, j + 1]
                    + clock[FIRST + k + j] * groups.state_parts[1, i, 0]
                )
    return status


@tangent_kernel
def project_with_tangents(tables, work, t, y):
    """`project` of the state and of its derivatives. Returns a Status."""
    groups = _groups(tables.companions)
    n, k, status = groups.about[SIZE], groups.time_parts.shape[1] - 1, 0
    if y.shape[0] == n:
        return _project(groups.about[PROJECT], tables, _plain_work(groups.plain), t, y)
    for g in range(groups.tables.shape[0] - 1, -1, -1):  # the first one last: it changes y
        fill_group(groups, g, t, y)
        own = _tables(groups.tables[g])
        status = _project(
            groups.about[PROJECT_TWIN],
            own,
            _work(groups.works[g]),
            groups.time[0],
            groups.states[0],
        )
        if status != 0:
            if g == 0:
                keep_report(groups)
            return status
        for j in range(k):
            first = n * (k * g + j + 1)
            if first >= y.shape[0]:
                break
            for i in range(n):
                y[first + i] = groups.state_parts[0, i, j + 1]
    keep_report(groups)
    for i in range(n):
        y[i] = groups.state_parts[0, i, 0]
    return status


class TangentArrays:
    """The arrays of a run with derivatives; they live as long as this object."""

    def __init__(
        self,
        tables: Any,
        work: Any,
        spare: Any,
        rhs: Callable,
        project: Callable,
        slopes: Sequence[Tables],
        n: int,
    ) -> None:
        from ...kernel.runtime.tangents import Rows, parts, twin

        self.slopes, self.work, self.spare = slopes, work, spare
        _, _, kind, other = signatures()
        own = address_of(rhs, kind), address_of(project, other)
        chunks = [slopes[k : k + WIDTH] for k in range(0, len(slopes), WIDTH)]
        self._tables = [Rows(tables, list(chunk), CALLED) for chunk in chunks]
        self._works = [Rows(work, []) for _ in chunks]
        reports = [one.arrays["report"].view(np.int64) for one in self._works]
        place = _places(work.report.dtype, reports[0].itemsize)
        time, states = np.zeros(1, DUAL), np.zeros((2, n), DUAL)
        _ = spare._address
        self.clocks = np.zeros((len(chunks), 1 + 2 * WIDTH))
        self.reports = np.array(reports)
        for one, row in zip(self._works, self.reports):  # one array for the reports of all groups
            self._point(one, "report", row)
        self.groups: Any = _BLOCK(
            np.array([*own, *map(twin, own), n, len(place)], np.int64),
            spare._row,
            np.array([one.row for one in self._tables]),
            np.array([one.row for one in self._works]),
            self.clocks,
            time,
            parts(time),
            states,
            parts(states),
            np.asarray(work.report).view(np.int64),
            self.reports,
            place,
        )
        _ = self.groups._address
        self.tables = tables._replace(companions=self.groups._row)

    @staticmethod
    def _point(rows: Any, name: str, words: np.ndarray) -> None:
        """Let an array of a block be in other memory."""
        kind = wide_block(signatures()[1])
        rows.arrays[name] = words
        rows.row[kind.first[name]] = words.ctypes.data


def _places(dtype: np.dtype, item: int) -> np.ndarray:
    """The place of each word of a record in the record with dual numbers."""
    from ...kernel.compiler.tangents import wide_dtype

    wide, places = wide_dtype(dtype), np.zeros(dtype.itemsize // item, np.int64)
    for name in dtype.names or ():
        kind, at = dtype.fields[name][:2]  # type: ignore[index]
        assert kind.itemsize == item, name
        places[at // item] = wide.fields[name][1] // item
    return places

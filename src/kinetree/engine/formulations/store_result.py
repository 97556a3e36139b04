"""The last steps of every `rhs`: multipliers of all rows and the derivative of the state."""

from ...kernel.algebra.blas1 import copy, fill
from ...kernel.decorators import inline
from ...kernel.tables.state import parts
from ..equations.interface import rates


@inline
def store_multipliers(work, lam, sign):
    """lam <- sign times the multipliers of the selected rows, zero for redundant rows."""
    fill(work.lam, 0.0)
    for k in range(work.report[0].rank):
        work.lam[work.selected[k]] = sign * lam[k]


@inline
def store_result(tables, work, q, v, y, ydot, lam):
    """Write the multipliers into work.lam and the derivative of the whole state into ydot."""
    store_multipliers(work, lam, 1.0)
    rates(tables, work, q, v, y, ydot)
    copy(work.vdot, parts(tables, ydot)[1])

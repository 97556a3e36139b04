"""What every `rhs` leaves at its end."""

from ...kernel.algebra.blas1 import copy, fill
from ...kernel.decorators import inline
from ...kernel.tables.state import parts
from ..equations.interface import rates


@inline
def spread(work, lam, sign):
    """Multipliers of the rows in use, times a sign, into `work.lam`; of redundant rows they are
    zero.
    """
    fill(work.lam, 0.0)
    for k in range(work.report[0].rank):
        work.lam[work.active[k]] = sign * lam[k]


@inline
def answer(tables, work, q, v, y, ydot, lam):
    """Multipliers into `work.lam`, and the rates of the whole state with the accelerations at hand."""
    spread(work, lam, 1.0)
    rates(tables, work, q, v, y, ydot)
    copy(work.vdot, parts(tables, ydot)[1])

"""The contract of a plant for callers in Python."""

from ..num.jit import kernel
from . import contract

_equations = contract.equations


@kernel
def equations(tables, work, t, q, v, x):
    """M, f, G, gamma at a state."""
    _equations(tables, work, t, q, v, x)

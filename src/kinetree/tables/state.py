"""A state y = (q, v, x)."""

from ..num.jit import inline


@inline
def parts(tables, y):
    """Views q, v, x of a state."""
    s = tables.settings[0]
    return y[: s.nq], y[s.nq : s.nq + s.nv], y[s.nq + s.nv :]

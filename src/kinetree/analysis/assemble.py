"""Consistent initial conditions as one call with a receipt."""

from __future__ import annotations

from ..assembly.prepare import prepare
from ..assembly.receipt import Assembly
from ..model.model import Model


def assemble(model: Model, *, coordinates: str = "relative", topology: str = "auto") -> Assembly:
    """Positions and velocities that satisfy every constraint, nearest to what the model says.

    Coordinates given with `start=` are kept exactly where that is possible, and as nearly as possible where not. The
    receipt says what moved and by how much, the violation before and after, rank and redundancy. Raises
    AssemblyError with the names of the joints that stay open if there is no such state.
    """
    return prepare(model, coordinates, topology)

"""A part as finite elements: nodes, stiffness K and mass M, and the elements where they are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ..core.display import Printable
from ..errors import ModelError, counted
from .cells import CELLS
from .elements import Elements, scattered
from .selections import Selection, chosen, selection_of

if TYPE_CHECKING:
    from ..description.reduced.reduced_part import ReducedPart

LENGTHS = {"m": 1.0, "mm": 1e-3, "cm": 1e-2, "in": 0.0254}


@dataclass(eq=False, repr=False)
class Part(Printable):
    """A part meshed with finite elements; `kt.fe.read`, `kt.fe.mesh` and `kt.fe.matrices` make it.

    Parameters
    ----------
    name : str
        Name of the part.
    X : ndarray (N, 3)
        Nodes (m).
    K : sparse matrix (3N, 3N)
        Stiffness (N/m); row 3 i + c is component c of node i.
    Ms : sparse matrix (N, N)
        Mass (kg) of one component: M = Ms kron 1_3.
    unit : str
        Unit of length of the mesh, in which selections are given.
    numbers : ndarray (N,) of int
        Numbers of the nodes in the mesh.
    groups : mapping of str to ndarray of int, optional
        Rows of the nodes of the named groups of the mesh.
    elements : list of Elements, optional
        The elements of each kind; empty for a part that is given by matrices alone.
    notes : list of str, optional
        What was assumed or changed while reading.

    Examples
    --------
    >>> import kinetree as kt
    >>> kt.fe.Part.__name__
    'Part'
    """

    name: str
    X: np.ndarray
    K: Any
    Ms: Any
    unit: str
    numbers: np.ndarray
    groups: Mapping[str, np.ndarray] = field(default_factory=dict)
    elements: Sequence[Elements] = ()
    notes: list[str] = field(default_factory=list)

    @property
    def scale(self) -> float:
        """Meters per unit of the mesh."""
        return LENGTHS[self.unit]

    @cached_property
    def size(self) -> float:
        """Diagonal (m) of the box around the part."""
        return float(np.linalg.norm(np.ptp(self.X, axis=0)))

    @cached_property
    def mass(self) -> float:
        """Mass (kg)."""
        return float(self.Ms.sum())

    @cached_property
    def volume(self) -> float:
        """Volume (m^3) of the elements; zero without elements."""
        return sum(float(g.volumes.sum()) for e in self.elements for g in e.blocks(e.exact))

    @cached_property
    def com(self) -> np.ndarray:
        """Center of mass (m), in the axes of the mesh."""
        return np.asarray(self.Ms.sum(0)).ravel() @ self.X / self.mass

    @cached_property
    def inertia(self) -> np.ndarray:
        """Inertia (kg m^2) about the center of mass."""
        X = self.X - self.com
        A = X.T @ (self.Ms @ X)
        return np.trace(A) * np.eye(3) - A

    @cached_property
    def M(self) -> Any:
        """Mass matrix (3N, 3N)."""
        import scipy.sparse as sp

        return sp.kron(self.Ms, sp.identity(3), format="csr")

    def select(self, selection: Selection | str | Sequence[int]) -> np.ndarray:
        """Return the numbers of the selected nodes.

        Parameters
        ----------
        selection : Selection, str or sequence of int
            A cylinder or plane, the name of a group, or numbers of nodes.

        Returns
        -------
        ndarray of int
            Their numbers in the mesh.
        """
        rows = chosen(self, selection_of(selection, "select"), "selection")
        return np.asarray(self.numbers[rows])

    def stress(self, displacement: np.ndarray) -> np.ndarray:
        """Return the stresses at all nodes of given displacements.

        Parameters
        ----------
        displacement : ndarray (N, 3) or (N, 3, k)
            Displacements (m) of the nodes; of k states at once.

        Returns
        -------
        ndarray (N, 6) or (N, 6, k)
            Stresses (Pa) xx, yy, zz, xy, yz, zx: the continuous field that is nearest to that of
            the elements, by least squares over the volume.
        """
        from .stresses import smoothing, stress_loads

        if not self.elements:
            raise ModelError(f"part {self.name!r} has no elements, which stresses need.")
        u = np.asarray(displacement, float)
        if u.shape[:2] != self.X.shape or u.ndim > 3:
            raise ModelError(
                f"displacements of part {self.name!r} must be an array {self.X.shape} or "
                f"{(*self.X.shape, 'k')}, got {u.shape}."
            )
        size = len(u)
        right = stress_loads(self, u.reshape(size, 3, -1))
        found = smoothing(self)[1](right.reshape(size, -1))
        return found.reshape(size, 6, *u.shape[2:])

    def reduce(self, markers: Mapping[str, Any], upto: float, **options: Any) -> ReducedPart:
        """Reduce the part to markers and a few modal coordinates.

        Parameters
        ----------
        markers : mapping of str to selection
            The nodes to which each marker is tied.
        upto : float
            Highest frequency (Hz) that matters in the runs.
        **options
            Further arguments of `kt.fe.reduce`.

        Returns
        -------
        ReducedPart
            The part as a model takes it.
        """
        from .reduction import reduce

        return reduce(self, markers, upto, **options)

    def summary(self) -> dict[str, Any]:
        """What the report of the part states, as plain numbers and texts."""
        return {
            "nodes": len(self.X),
            "elements": {e.cell.words: len(e.nodes) for e in self.elements},
            "size": np.ptp(self.X, axis=0).tolist(),
            "mass": self.mass,
            "volume": self.volume,
            "unit": self.unit,
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        kinds = ", ".join(f"{len(e.nodes)} {e.cell.words}" for e in self.elements)
        size = " x ".join(f"{x:.4g}" for x in np.ptp(self.X, axis=0) / self.scale)
        lines = [
            f"part {self.name!r}: {counted(len(self.X), 'node')}, {kinds or 'matrices only'}",
            f"  size {size} {self.unit}, mass {self.mass:.6g} kg"
            + (f", volume {self.volume * 1e6:.6g} cm^3" if self.elements else ""),
        ]
        if self.groups:
            lines.append(f"  groups: {', '.join(self.groups)}")
        return "\n".join([*lines, *(f"  {note}" for note in self.notes)])


def of_elements(
    name: str,
    X: np.ndarray,
    kinds: Sequence[Elements],
    unit: str,
    numbers: np.ndarray,
    groups: Mapping[str, np.ndarray],
    notes: list[str],
) -> Part:
    """Assemble the matrices of elements."""
    size = len(X)
    K: Any = 0
    Ms: Any = 0
    for kind in kinds:
        blocks = []
        for nodes, k in kind.stiffness():
            unknowns = (3 * nodes[:, :, None] + np.arange(3)).reshape(len(nodes), -1)
            blocks.append((unknowns, k.reshape(len(nodes), unknowns.shape[1], -1)))
        K = K + scattered(blocks, 3 * size)
        Ms = Ms + scattered(kind.mass(), size)
    return Part(name, X, 0.5 * (K + K.T), 0.5 * (Ms + Ms.T), unit, numbers, groups, kinds, notes)


def kinds_of(names: Sequence[str]) -> list[str]:
    """Those of the kinds of cells that have volume."""
    return [name for name in CELLS if name in names]

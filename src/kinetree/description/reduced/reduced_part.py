"""The reduced part: all that dynamics, results and pictures need of a flexible body.

A point of the body, from the frame of the body and in its axes, with modal coordinates q (n):

    u(X) = X + phi_k(X) q_k + u2(X, q)

The shapes phi_k vanish at the frame, which is one of the markers. The second-order displacement u2
is what bending takes back; for a load F with the static response u_F it satisfies
F . u2 = -1/2 q K_g(F) q, where K_g(F) is the stress stiffness of the stresses of u_F.

Integrals are taken over the mass. Units are SI; amplitudes q have the unit that the normalization
of the shapes gives them. Letters: m markers, n modes, s modes with second-order terms (the first s
of the n), w = n + 12 columns of the wide basis (`wide.py`), N nodes of pictures, T triangles.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from ...core.display import Printable
from ...errors import no_such
from ...kernel.linalg import pinv, product
from .wide import wide_second_moments

SPAN = 1e-10  # of the scaled Gram matrix; modes may span an affine shape, as the stretch of a bar


@dataclass(frozen=True, eq=False, repr=False)
class ReducedPart(Printable):
    """A flexible part with a frame, markers and modal coordinates.

    `kt.fe` makes it from a mesh or from matrices of a finite element program; `Model.flexible` puts
    it into a model. Running needs no mesh library.

    Parameters
    ----------
    name : str
        Name of the part.
    markers : tuple of str
        Names of the m markers, the frame among them.
    frame : str
        The marker whose frame is the frame of the body. All shapes vanish there.
    origin : ndarray (3,)
        Position (m) of the frame in the axes of the mesh.
    axes : ndarray (3, 3)
        Axes of the frame as columns, in the axes of the mesh.
    positions : ndarray (m, 3)
        Undeformed markers (m), from the frame, in its axes.
    rotations : ndarray (m, 3, 3)
        Undeformed axes of the markers as columns, in those of the frame.
    P, Theta : ndarray (m, 3, n)
        Displacement and rotation of the markers by each mode, in the axes of the frame.
    mass : float
        Mass (kg).
    S0 : ndarray (3,)
        First moment of mass: int X (kg m).
    A00 : ndarray (3, 3)
        Second moment of mass: int X X^T (kg m^2).
    a : ndarray (3, n)
        Integrals int phi_k.
    A0 : ndarray (3, 3, n)
        Integrals [i, j, k]: int X_i phi_kj.
    A : ndarray (3, 3, n, n)
        Integrals [i, j, l, k]: int phi_li phi_kj.
    K : ndarray (n,)
        Diagonal of the modal stiffness; the shapes are orthogonal in stiffness.
    Z : ndarray (n,)
        Diagonal of the modal damping.
    frequencies : ndarray (n,)
        Frequencies (Hz) with the frame fixed at which the part was reduced, and other markers free.
    E : ndarray (n + 12, s + 3, s + 3)
        Stress stiffness of the load (mass times shape b of the wide basis), over the first s modes
        and the three rotations e_c x X.
    E_marker : ndarray (m, 6, s + 3, s + 3)
        The same of unit forces and then unit moments at the markers, in the axes of the frame.
    loads : tuple of str, optional
        Names of the loads on the part (pressures, thermal expansion).
    load_wrench : ndarray (loads, 6), optional
        Force (N) and then torque (N m) about the frame of each load per unit.
    load_modes : ndarray (loads, n), optional
        Modal force of each load per unit.
    nodes : ndarray (N, 3), optional
        Undeformed nodes of the surface (m), from the frame, in its axes.
    numbers : ndarray (N,) of int, optional
        The numbers of these nodes in the mesh.
    triangles : ndarray (T, 3) of int, optional
        Triangles of the surface as rows of `nodes`, seen counterclockwise from outside.
    shapes : ndarray (N, 3, n), optional
        Displacement of the nodes by each mode.
    stress : ndarray (N, 6, n), optional
        Stress (Pa) at the nodes by each mode: xx, yy, zz, xy, yz, zx in the axes of the frame.
        Empty, (0, 6, n), where the part has no elements.
    load_stress : ndarray (loads, N, 6), optional
        Stress (Pa) of each load per unit besides that of the modes (thermal expansion).
    groups : mapping of str to ndarray of int, optional
        Named nodes, as rows of `nodes`.
    facts : mapping, optional
        What the receipt states, as plain numbers and texts.

    Examples
    --------
    >>> import kinetree as kt
    >>> kt.fe.open("no-such-part.h5")
    Traceback (most recent call last):
        ...
    kinetree.errors.ResultError: cannot read 'no-such-part.h5': there is no such file.
    """

    name: str
    markers: tuple[str, ...]
    frame: str
    origin: np.ndarray
    axes: np.ndarray
    positions: np.ndarray
    rotations: np.ndarray
    P: np.ndarray
    Theta: np.ndarray
    mass: float
    S0: np.ndarray
    A00: np.ndarray
    a: np.ndarray
    A0: np.ndarray
    A: np.ndarray
    K: np.ndarray
    Z: np.ndarray
    frequencies: np.ndarray
    E: np.ndarray
    E_marker: np.ndarray
    loads: tuple[str, ...] = ()
    load_wrench: np.ndarray = field(default_factory=lambda: np.zeros((0, 6)))
    load_modes: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))
    nodes: np.ndarray = field(default_factory=lambda: np.zeros((0, 3)))
    numbers: np.ndarray = field(default_factory=lambda: np.zeros(0, int))
    triangles: np.ndarray = field(default_factory=lambda: np.zeros((0, 3), int))
    shapes: np.ndarray = field(default_factory=lambda: np.zeros((0, 3, 0)))
    stress: np.ndarray = field(default_factory=lambda: np.zeros((0, 6, 0)))
    load_stress: np.ndarray = field(default_factory=lambda: np.zeros((0, 0, 6)))
    groups: Mapping[str, np.ndarray] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def n(self) -> int:
        """Number of modal coordinates."""
        return len(self.K)

    @property
    def stiffened(self) -> int:
        """Number s of modes with second-order terms, the first ones."""
        return self.E.shape[-1] - 3

    @cached_property
    def Mff(self) -> np.ndarray:
        """Modal mass (n, n); the unit matrix while the frame is the one of the reduction."""
        return self.A[0, 0] + self.A[1, 1] + self.A[2, 2]

    @property
    def com(self) -> np.ndarray:
        """Center of mass (m) of the undeformed part, from the frame."""
        return self.S0 / self.mass

    @property
    def inertia(self) -> np.ndarray:
        """Inertia (kg m^2) of the undeformed part about its center of mass, in the axes of the
        frame.
        """
        A = self.A00 - np.outer(self.S0, self.S0) / self.mass
        return np.trace(A) * np.eye(3) - A

    @cached_property
    def wide(self) -> np.ndarray:
        """(3, 3, w, w) [i, j, l, k]: int Phi_li Phi_kj over the wide basis: the n modes, the travels
        e_j, and X_i e_j (column n + 3 + 3 i + j).
        """
        return wide_second_moments(self.mass, self.S0, self.A00, self.a, self.A0, self.A)

    @cached_property
    def gram(self) -> np.ndarray:
        """Gram matrix (w, w) of the wide basis: int Phi^T Phi."""
        return self.wide[0, 0] + self.wide[1, 1] + self.wide[2, 2]

    @cached_property
    def H(self) -> np.ndarray:
        """(w, s, s): the second-order displacement in the wide basis, projected in the mass metric.

        eta = (q, 0) + 1/2 q H q,      H_a = -(gram^+)_ab E_b
        """
        s, scale = self.stiffened, 1.0 / np.sqrt(np.diag(self.gram))
        inverse = pinv(self.gram * np.outer(scale, scale), SPAN) * np.outer(scale, scale)
        E = np.ascontiguousarray(self.E[:, :s, :s])
        return -product(inverse, E.reshape(len(E), -1)).reshape(E.shape)

    @property
    def G(self) -> np.ndarray:
        """(m, 6, s, s): second-order displacement and rotation of the markers, -1/2 q G q each."""
        s = self.stiffened
        return self.E_marker[:, :, :s, :s]

    def index(self, marker: str) -> int:
        """Row of a marker in `positions`, `P` and the other arrays of markers."""
        if marker not in self.markers:
            raise no_such("marker", marker, self.markers, f" of part {self.name!r}")
        return self.markers.index(marker)

    def with_frame(self, marker: str) -> ReducedPart:
        """The same part and the same coordinates q, with another marker as the frame."""
        from .frames import with_frame

        return with_frame(self, marker)

    def save(self, path: str | os.PathLike[str], overwrite: bool = False) -> Path:
        """Write the part into an HDF5 file, which `kt.fe.open` reads; returns the path."""
        from .storage import save

        return save(self, path, overwrite)

    def __str__(self) -> str:
        return str(self.facts.get("receipt") or self._summary())

    def _summary(self) -> str:
        first = ", ".join(f"{f:.5g}" for f in self.frequencies[:4])
        return (
            f"reduced part {self.name!r}: {self.mass:.5g} kg, {self.n} modes ({first} Hz, ...), "
            f"markers {', '.join(self.markers)} (frame: {self.frame})"
        )

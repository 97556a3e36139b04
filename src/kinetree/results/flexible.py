"""Flexible bodies at the samples: modal coordinates, displacements and stresses of the surface.

    <body>.mode<k>                                 modal coordinates
    <body>.strain_energy .dissipation              of all modes
    <body>.deflection .mises                       largest displacement and von Mises stress
    <body>.<node>.displacement .position .mises    of nodes with a name

Displacements are relative to the frame of the body and in its axes, those of second order included.
"""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..core.checks import a_path
from ..core.display import NameDict
from ..description.flexible_body import ModesBody, size_of
from ..errors import ModelError, ResultError
from ..kernel.linalg import product
from .channels import Channel
from .stress import Stress, von_mises

if TYPE_CHECKING:
    from .solution import Solution

XYZ = ("x", "y", "z")


class FlexibleMotion:
    """One flexible body of a run; one value of ``sol.flexible``.

    Attributes
    ----------
    name : str
        Name of the body.
    part : ReducedPart
        The part, seen from the marker at which the tree reaches it.
    """

    def __init__(self, sol: Solution, name: str) -> None:
        self.name, self._sol = name, sol
        self._carrier = f"{name}.modes"
        body = sol.compiled.model.bodies[self._carrier]
        assert isinstance(body, ModesBody)
        self.part, self._named = body.part, body.nodes

    @cached_property
    def q(self) -> np.ndarray:
        """Modal coordinates in the units of the part, shape (samples, modes)."""
        link = self._sol.compiled.tables.links[self._sol.compiled.joints[self.name].link]
        first = int(link["iq"])
        return np.sqrt(self.part.mass) * self._sol.q[:, first : first + self.part.n]

    def amplitudes(self, rows=slice(None)) -> np.ndarray:
        """Return the amplitudes of the modes, of three travels e_j and of nine shapes X_i e_j.

        Parameters
        ----------
        rows : slice or array_like of int, optional
            Samples; all by default.

        Returns
        -------
        ndarray, shape (samples, modes + 12)
            The amplitudes, with those of second order.
        """
        q, n, s = self.q[rows], self.part.n, self.part.stiffened
        found = np.zeros((len(q), n + 12))
        found[:, :n] = q
        if s:
            H = self.part.H.reshape(len(self.part.gram), -1)
            pairs = (q[:, :s, None] * q[:, None, :s]).reshape(len(q), -1)
            found += 0.5 * product(pairs, H.T)
        return found

    def displacement(self, nodes=slice(None), samples=slice(None)) -> np.ndarray:
        """Return displacements of nodes of the surface.

        Parameters
        ----------
        nodes : slice or array_like of int, optional
            Rows of ``part.nodes``; all by default.
        samples : slice or array_like of int, optional
            Samples; all by default.

        Returns
        -------
        ndarray, shape (samples, nodes, 3)
            Displacements in the axes of the part (m).
        """
        X, shapes = self.part.nodes[nodes], self.part.shapes[nodes]
        eta, n = self.amplitudes(samples), self.part.n
        affine = eta[:, n + 3 :].reshape(-1, 3, 3)  # [i][j] of X_i e_j
        found = product(eta[:, :n], shapes.reshape(-1, n).T).reshape(len(eta), len(X), 3)
        return found + eta[:, None, n : n + 3] + np.einsum("pi,tij->tpj", X, affine)

    def position(self, nodes=slice(None), samples=slice(None), scale: float = 1.0) -> np.ndarray:
        """Return positions of nodes of the surface in the world.

        Parameters
        ----------
        nodes, samples : slice or array_like of int, optional
            As in `displacement`.
        scale : float, default 1.0
            Factor on the displacements.

        Returns
        -------
        ndarray, shape (samples, nodes, 3)
            Positions (m).
        """
        u = self.part.nodes[nodes] + scale * self.displacement(nodes, samples)
        index, record = self._sol.compiled.bodies.index(self._carrier), self._sol.record
        p = record.of("position", index)[samples]
        R = record.of("rotation", index)[samples].reshape(-1, 3, 3)
        return p[:, None] + np.einsum("tij,tpj->tpi", R, u)

    @cached_property
    def stress(self) -> Stress:
        """Stresses at the nodes of the surface."""
        if not len(self.part.stress):
            raise ResultError(
                f"flexible body {self.name!r} has no stresses: its part was reduced from matrices "
                "without elements."
            )
        return Stress(self.name, self._sol.t, self.q, self.part)

    @cached_property
    def deflection(self) -> np.ndarray:
        """Largest displacement at each sample (m); of the markers, if there are no nodes."""
        if not len(self.part.nodes):
            d = np.einsum("mik,tk->tmi", self.part.P, self.q)
            return np.linalg.norm(d, axis=2).max(axis=1)
        blocks = np.array_split(np.arange(len(self.q)), max(1, len(self.q) // 64))
        return np.concatenate(
            [np.linalg.norm(self.displacement(samples=k), axis=2).max(axis=1) for k in blocks]
        )

    @cached_property
    def beyond(self) -> tuple[float, float]:
        """Largest displacement of markers, of first and of second order, over the size of the part."""
        q, s = self.q, self.part.stiffened
        first = np.einsum("mik,tk->tmi", self.part.P, q)
        second = 0.5 * np.einsum("mikl,tk,tl->tmi", self.part.G[:, :3], q[:, :s], q[:, :s])
        size = size_of(self.part)
        a, b = (float(np.linalg.norm(x, axis=2).max(initial=0.0)) for x in (first, second))
        return a / size, b / size

    def save_vtk(
        self, path: str | os.PathLike[str], samples=None, scale: float = 1.0
    ) -> list[Path]:
        """Write the deformed surface for ParaView, one file per sample.

        Parameters
        ----------
        path : str or path
            Name of the files, which ends in .vtu or .vtk; the number of the sample is added.
        samples : array_like of int, optional
            Samples; all by default.
        scale : float, default 1.0
            Factor on the displacements.

        Returns
        -------
        list of Path
            The files, with the point data displacement (m), stress (Pa) and von Mises stress.

        Raises
        ------
        ModelError
            If meshio is not installed, or the ending is not known.
        """
        target = a_path(path, "vtk: path")
        if target.suffix not in (".vtu", ".vtk"):
            raise ModelError(f"vtk: the name {target.name!r} must end in .vtu or .vtk.")
        try:
            import meshio
        except ImportError:
            raise ModelError(
                "vtk: files for ParaView need meshio: pip install kinetree[fe]."
            ) from None
        written = []
        for k in range(len(self.q)) if samples is None else samples:
            u = self.displacement(samples=[k])
            data = {"displacement": u[0]}
            if len(self.part.stress):
                sigma = self.stress.at_sample(int(k))
                data |= {"stress": sigma, "von Mises": von_mises(sigma)}
            file = target.with_name(f"{target.stem}-{int(k):05d}{target.suffix}")
            mesh = meshio.Mesh(
                self.position(samples=[k], scale=scale)[0],
                [("triangle", self.part.triangles)],
                point_data=data,
            )
            mesh.write(file)
            written.append(file)
        return written

    def channels(self) -> dict[str, Channel]:
        found = {
            f"{self.name}.deflection": Channel(
                "m", f"largest displacement of {self.name}", lambda: self.deflection
            )
        }
        if len(self.part.stress):
            found[f"{self.name}.mises"] = Channel(
                "Pa", f"largest von Mises stress of {self.name}", lambda: self.stress.largest
            )
        for label, row in self._named.items():
            found.update(self._of_node(f"{self.name}.{label}", label, [row]))
        return found

    def _of_node(self, name: str, label: str, row: list[int]) -> dict[str, Channel]:
        about = f"node {label} of {self.name}"
        found = {
            f"{name}.displacement": Channel(
                "m", f"displacement of {about}", lambda: self.displacement(row)[:, 0], XYZ
            ),
            f"{name}.position": Channel(
                "m", f"position of {about}", lambda: self.position(row)[:, 0], XYZ
            ),
        }
        if len(self.part.stress):
            found[f"{name}.mises"] = Channel(
                "Pa", f"von Mises stress at {about}", lambda: self.stress.at(row).mises[:, 0]
            )
        return found


def flexible_of_run(sol: Solution) -> dict[str, FlexibleMotion]:
    """The flexible bodies of a run by name."""
    found: dict[str, FlexibleMotion] = NameDict(
        "flexible body", f" in this run of {sol.model.name!r}"
    )
    for name, body in sol.compiled.model.bodies.items():
        if isinstance(body, ModesBody):
            owner = name.removesuffix(".modes")
            found[owner] = FlexibleMotion(sol, owner)
    return found

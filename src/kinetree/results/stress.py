"""Stress histories of a flexible body: the stress of each mode times its amplitude.

sigma = sum_k sigma_k q_k,      mises^2 = 3/2 s : s,   s the deviator
"""

from __future__ import annotations

import csv
import io
import os
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ..core.atomic_write import write
from ..core.checks import a_path
from ..description.reduced.reduced_part import ReducedPart
from ..errors import ModelError, ResultError, no_such
from ..kernel.linalg import product

BLOCK = 2_000_000  # numbers that are computed at a time
COMPONENTS = ("xx", "yy", "zz", "xy", "yz", "zx")


class Peak(NamedTuple):
    """The largest von Mises stress, with its place and time."""

    mises: float  # Pa
    t: float  # s
    node: int  # number in the mesh
    position: tuple[float, float, float]  # undeformed, from the frame of the part (m)

    def __str__(self) -> str:
        place = ", ".join(f"{x:.4g}" for x in self.position)
        return f"{self.mises / 1e6:.4g} MPa at t = {self.t:.5g} s at node {self.node} ({place}) m"


class Stress:
    """Stresses of a flexible body at the nodes of its surface; ``sol.stress("rod")`` returns it.

    Attributes
    ----------
    name : str
        Name of the body.
    t : ndarray, shape (nt,)
        Times of the samples (s).
    nodes : ndarray, shape (N, 3)
        Undeformed nodes, from the frame of the part (m).
    numbers : ndarray, shape (N,)
        Numbers of the nodes in the mesh.

    Examples
    --------
    >>> import kinetree as kt
    >>> from kinetree.models.flexible_crank import flexible_crank
    >>> stress = kt.simulate(flexible_crank(), until=0.001).stress("rod")
    >>> stress.at([0, 1]).components.shape
    (501, 2, 6)
    """

    def __init__(
        self, name: str, t: np.ndarray, q: np.ndarray, part: ReducedPart, rows=slice(None)
    ) -> None:
        self.name, self.t, self._q, self._part = name, t, q, part
        self.nodes, self.numbers = part.nodes[rows], part.numbers[rows]
        self._modes = part.stress[rows]

    def at(self, rows) -> Stress:
        """Return the stresses at some of the nodes.

        Parameters
        ----------
        rows : array_like of int
            Rows of ``nodes``.

        Returns
        -------
        Stress
            The stresses there.
        """
        return Stress(self.name, self.t, self._q, self._part, rows)

    def group(self, name: str) -> Stress:
        """Return the stresses at a named group of nodes of the mesh.

        Parameters
        ----------
        name : str
            Name of the group.

        Returns
        -------
        Stress
            The stresses there.
        """
        if name not in self._part.groups:
            raise no_such("group", name, self._part.groups, f" of the part of {self.name!r}")
        return self.at(self._part.groups[name])

    def at_time(self, t: float) -> np.ndarray:
        """Return the stresses at the sample nearest to a time.

        Parameters
        ----------
        t : float
            Time (s).

        Returns
        -------
        ndarray, shape (N, 6)
            Stresses xx, yy, zz, xy, yz, zx (Pa) in the axes of the part.
        """
        return self.at_sample(int(np.abs(self.t - t).argmin()))

    def at_sample(self, k: int) -> np.ndarray:
        """Return the stresses at a sample.

        Parameters
        ----------
        k : int
            Number of the sample.

        Returns
        -------
        ndarray, shape (N, 6)
            Stresses xx, yy, zz, xy, yz, zx (Pa) in the axes of the part.
        """
        return self._at([k])[0]

    def _at(self, samples) -> np.ndarray:
        N, _, n = self._modes.shape
        q = np.ascontiguousarray(self._q[samples])
        return product(q, self._modes.reshape(-1, n).T).reshape(len(q), N, 6)

    @cached_property
    def components(self) -> np.ndarray:
        """Stresses xx, yy, zz, xy, yz, zx (Pa) in the axes of the part, shape (nt, N, 6)."""
        return self._at(slice(None))

    @property
    def _blocks(self) -> list[np.ndarray]:
        count = max(1, len(self.t) * 6 * len(self.nodes) // BLOCK)
        return np.array_split(np.arange(len(self.t)), count)

    @cached_property
    def mises(self) -> np.ndarray:
        """Von Mises stress (Pa), shape (nt, N)."""
        return np.concatenate([von_mises(self._at(rows)) for rows in self._blocks])

    @cached_property
    def principal(self) -> np.ndarray:
        """Principal stresses (Pa), the largest first, shape (nt, N, 3)."""
        return np.concatenate([principal(self._at(rows)) for rows in self._blocks])

    @cached_property
    def largest(self) -> np.ndarray:
        """Largest von Mises stress of all nodes (Pa), shape (nt,)."""
        return self.mises.max(axis=1, initial=0.0)

    @property
    def peak(self) -> Peak:
        """The largest von Mises stress of the run, with its node and time."""
        k, node = np.unravel_index(int(self.mises.argmax()), self.mises.shape)
        x, y, z = (float(c) for c in self.nodes[node])
        return Peak(
            float(self.mises[k, node]), float(self.t[k]), int(self.numbers[node]), (x, y, z)
        )

    def save(self, path: str | os.PathLike[str], overwrite: bool = False) -> Path:
        """Write the histories for programs of fatigue: all components at all nodes.

        Parameters
        ----------
        path : str or path
            File that ends in .csv (one line per sample and node) or .h5 (arrays t, numbers, nodes and
            stress).
        overwrite : bool, default False
            Whether to replace a file that exists.

        Returns
        -------
        Path
            The file.
        """
        target = a_path(path, "stress: path")
        if target.suffix == ".csv":
            write(target, self._csv(), overwrite)
        elif target.suffix in (".h5", ".hdf5"):
            self._hdf5(target, overwrite)
        else:
            raise ModelError(f"stress: the name {target.name!r} must end in .csv or .h5.")
        return target

    def _csv(self) -> str:
        text = io.StringIO()
        out = csv.writer(text)
        out.writerow(["t (s)", "node", *(f"{c} (Pa)" for c in COMPONENTS), "von Mises (Pa)"])
        for k, t in enumerate(self.t):
            sigma = self._at([k])[0]
            for node, row, mises in zip(self.numbers, sigma, von_mises(sigma)):
                out.writerow([f"{t:.9g}", node, *(f"{x:.7g}" for x in row), f"{mises:.7g}"])
        return text.getvalue()

    def _hdf5(self, target: Path, overwrite: bool) -> None:
        import h5py

        if target.exists() and not overwrite:
            raise ResultError(f"{str(target)!r} exists; give overwrite=True to replace it.")
        with h5py.File(target, "w") as file:
            file["t"], file["numbers"], file["nodes"] = self.t, self.numbers, self.nodes
            shape = (len(self.t), len(self.nodes), 6)
            out = file.create_dataset("stress", shape, float)
            out.attrs["components"], out.attrs["unit"] = ", ".join(COMPONENTS), "Pa"
            for rows in self._blocks:
                if len(rows):
                    out[rows[0] : rows[-1] + 1] = self._at(rows)

    def __repr__(self) -> str:
        where = f"<stress of {self.name!r}: {len(self.nodes)} nodes, {len(self.t)} samples"
        return f"{where}, up to {self.peak}>" if self.mises.size else f"{where}>"


def von_mises(s: np.ndarray) -> np.ndarray:
    """Von Mises stress of stresses (..., 6)."""
    xx, yy, zz, xy, yz, zx = np.moveaxis(s, -1, 0)
    normal = 0.5 * ((xx - yy) ** 2 + (yy - zz) ** 2 + (zz - xx) ** 2)
    return np.sqrt(normal + 3.0 * (xy**2 + yz**2 + zx**2))


def principal(s: np.ndarray) -> np.ndarray:
    """Principal stresses, the largest first, of stresses (..., 6): roots of the cubic equation.

    lambda = mean + 2 r cos(phi + 2 pi k / 3),   r^2 = J2 / 3,   cos 3 phi = J3 / (2 r^3)
    """
    xx, yy, zz, xy, yz, zx = np.moveaxis(s, -1, 0)
    mean = (xx + yy + zz) / 3.0
    r = von_mises(s) / 3.0
    a, b, c = xx - mean, yy - mean, zz - mean
    J3 = a * b * c + 2.0 * xy * yz * zx - a * yz**2 - b * zx**2 - c * xy**2
    ratio = np.divide(J3, 2.0 * r**3, out=np.zeros_like(J3), where=r > 0.0)
    phi = np.arccos(np.clip(ratio, -1.0, 1.0)) / 3.0
    angles = phi[..., None] + np.array([0.0, -2.0, 2.0]) * np.pi / 3.0
    return mean[..., None] + 2.0 * r[..., None] * np.cos(angles)

"""Elements of a mesh: stiffness, mass, stresses, stress stiffness and loads on faces.

Elements are isoparametric. Stiffness of quadratic tetrahedra is integrated with four points, as in
most programs; mass with enough points to be exact for straight edges.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ..errors import ModelError, counted
from .cells import CELLS, Cell, points_of, shape_functions

BLOCK = 400  # elements at a time
LARGEST = 10_000_000  # numbers to store at a time
PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0))  # xx, yy, zz, xy, yz, zx


@dataclass(frozen=True)
class Geometry:
    """Integration points of a block of elements."""

    nodes: np.ndarray  # (e, a)
    N: np.ndarray  # (q, a)
    gradients: np.ndarray  # (e, q, a, 3) of the shape functions in space
    volumes: np.ndarray  # (e, q) weights
    rows: slice


class Elements:
    """Elements of one kind, each with Young's modulus, Poisson's ratio, density and expansion."""

    def __init__(
        self,
        kind: str,
        nodes: np.ndarray,
        X: np.ndarray,
        E: np.ndarray,
        poisson: np.ndarray,
        density: np.ndarray,
        expansion: np.ndarray,
    ) -> None:
        self.cell: Cell = CELLS[kind]
        self.nodes, self.X, self.density, self.expansion = nodes, X, density, expansion
        self.lam = E * poisson / ((1 + poisson) * (1 - 2 * poisson))
        self.mu = E / (2 * (1 + poisson))
        self._turn_inside_out()

    def _turn_inside_out(self) -> None:
        """Correct elements of the other orientation, and refuse those that are folded."""
        for flipped in (False, True):
            least = np.concatenate([g.volumes.min(1) for g in self.blocks(self.exact)])
            bad = np.flatnonzero(~(least > 0.0))
            if not len(bad) or flipped:
                break
            mirrored = self._mirrored()
            if mirrored is None:
                break
            self.nodes = self.nodes.copy()
            self.nodes[bad] = self.nodes[bad][:, mirrored]
        if len(bad):
            X = self.X[self.nodes[bad[0]]].mean(0)
            raise ModelError(
                f"{counted(len(bad), 'element is', 'elements are')} folded or flat (negative volume at "
                f"an integration point), the first near ({X[0]:.4g}, {X[1]:.4g}, {X[2]:.4g}) m. Mesh "
                "the part again with a smaller size, or with straight edges."
            )

    def _mirrored(self) -> list[int] | None:
        """The order of nodes of the mirror image."""
        corners = [0, 2, 1, 3] if self.cell.is_tetrahedron else [4, 5, 6, 7, 0, 1, 2, 3]
        if self.cell.name == "hexahedron27":
            return None
        edges = {frozenset(e): self.cell.corners + k for k, e in enumerate(self.cell.edges)}
        return corners + [edges[frozenset((corners[a], corners[b]))] for a, b in self.cell.edges]

    @property
    def exact(self) -> int:
        """Degree that integrates the mass of straight elements exactly."""
        return 5 if self.cell.order == 2 else 2 if self.cell.is_tetrahedron else 3

    @property
    def stiff(self) -> int:
        """Degree for the stiffness."""
        if self.cell.is_tetrahedron:
            return 2 if self.cell.order == 2 else 1
        return 5 if self.cell.order == 2 else 3

    def blocks(self, degree: int, numbers: int = 0) -> Iterator[Geometry]:
        """Blocks of elements; `numbers` per integration point are to be stored for one block."""
        points, weights = points_of(self.cell.name, degree)
        N, dN = shape_functions(self.cell.name, points)
        step = min(BLOCK, 1 + LARGEST // (len(weights) * max(numbers, 1)))
        for first in range(0, len(self.nodes), step):
            rows = slice(first, first + step)
            nodes = self.nodes[rows]
            J = np.einsum("eai,qaj->eqij", self.X[nodes], dN, optimize=True)
            det = np.linalg.det(J)
            with np.errstate(all="ignore"):
                inverse = np.linalg.inv(np.where(det[..., None, None] == 0.0, np.eye(3), J))
            gradients = np.einsum("qaj,eqji->eqai", dN, inverse, optimize=True)
            yield Geometry(nodes, N, gradients, det * weights, rows)

    def stiffness(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """Per block: nodes (e, a) and matrices (e, a, 3, b, 3).

        K_aibj = int lam N_a,i N_b,j + mu (N_a,j N_b,i + delta_ij N_a,k N_b,k)
        """
        found = []
        for g in self.blocks(self.stiff):
            D, w = g.gradients, g.volumes
            pairs = np.einsum("eq,eqai,eqbj->eaibj", w, D, D, optimize=True)
            lam, mu = (x[g.rows][:, None, None, None, None] for x in (self.lam, self.mu))
            K = lam * pairs + mu * pairs.transpose(0, 1, 4, 3, 2)
            inner = np.einsum("eakbk->eab", pairs)
            for i in range(3):
                K[:, :, i, :, i] += mu[..., 0, 0] * inner
            found.append((g.nodes, K))
        return found

    def mass(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """Per block: nodes (e, a) and int rho N_a N_b (e, a, b)."""
        found = []
        for g in self.blocks(self.exact):
            w = g.volumes * self.density[g.rows][:, None]
            found.append((g.nodes, np.einsum("eq,qa,qb->eab", w, g.N, g.N, optimize=True)))
        return found

    def gradients_of(self, g: Geometry, u: np.ndarray) -> np.ndarray:
        """du_i/dX_j (e, q, k, i, j) of displacements u (N, 3, k)."""
        return np.einsum("eaik,eqaj->eqkij", u[g.nodes], g.gradients, optimize=True)

    def stress_of(self, g: Geometry, gradient: np.ndarray) -> np.ndarray:
        """Stresses (.., 6):  sigma = lam tr(e) 1 + 2 mu e."""
        shape = (-1,) + (1,) * (gradient.ndim - 3)
        lam, mu = self.lam[g.rows].reshape(shape), self.mu[g.rows].reshape(shape)
        trace = lam * np.trace(gradient, axis1=-2, axis2=-1)
        out = np.empty((*gradient.shape[:-2], 6))
        for c, (i, j) in enumerate(PAIRS):
            out[..., c] = mu * (gradient[..., i, j] + gradient[..., j, i])
        out[..., :3] += trace[..., None]
        return out

    def stress_stiffness(self, u: np.ndarray, shapes: np.ndarray) -> np.ndarray:
        """(b, k, l): int grad phi_k . sigma_b . grad phi_l of the stresses of u (N, 3, b)."""
        total = np.zeros((u.shape[2], shapes.shape[2] ** 2))
        for g in self.blocks(self.exact, 15 * shapes.shape[2] ** 2):
            sigma = self.stress_of(g, self.gradients_of(g, u))
            D = self.gradients_of(g, shapes)
            e, q, k = D.shape[:3]
            squares = np.einsum("eqkci,eqlcj->eqijkl", D, D, optimize=True)
            terms = np.stack([squares[:, :, i, j] * (1 if i == j else 2) for i, j in PAIRS], axis=2)
            terms *= g.volumes[:, :, None, None, None]
            flat = sigma.transpose(2, 0, 1, 3).reshape(u.shape[2], -1)
            total += flat @ terms.reshape(e * q * 6, k * k)
        full = total.reshape(-1, shapes.shape[2], shapes.shape[2])
        return 0.5 * (full + full.transpose(0, 2, 1))

    def stress_loads(self, u: np.ndarray) -> np.ndarray:
        """(N, 6, k): int N_a sigma, the right-hand side of stresses at the nodes."""
        out = np.zeros((len(self.X), 6, u.shape[2]))
        for g in self.blocks(self.exact):
            sigma = self.stress_of(g, self.gradients_of(g, u))
            np.add.at(
                out, g.nodes, np.einsum("eq,qa,eqks->eask", g.volumes, g.N, sigma, optimize=True)
            )
        return out

    def volume_matrix(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """Per block: nodes and int N_a N_b."""
        return [
            (g.nodes, np.einsum("eq,qa,qb->eab", g.volumes, g.N, g.N, optimize=True))
            for g in self.blocks(self.exact)
        ]

    def stress_gap(self, u: np.ndarray, nodal: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Twice the strain energy of nodal minus element stresses, and of the latter (k,).

        The ratio estimates the relative error of the energy.  [Zienkiewicz1987]
        """
        gap, own = np.zeros(u.shape[2]), np.zeros(u.shape[2])
        for g in self.blocks(self.stiff):
            sigma = self.stress_of(g, self.gradients_of(g, u))
            smooth = np.einsum("qa,eask->eqks", g.N, nodal[g.nodes], optimize=True)
            lam, mu = (x[g.rows][:, None, None] for x in (self.lam, self.mu))
            for out, s in ((gap, smooth - sigma), (own, sigma)):
                squares = (s[..., :3] ** 2).sum(-1) + 2 * (s[..., 3:] ** 2).sum(-1)
                trace = s[..., :3].sum(-1)
                energy = (squares - lam / (3 * lam + 2 * mu) * trace**2) / (2 * mu)
                out += np.einsum("eq,eqk->k", g.volumes, energy)
        return gap, own

    def heating(self) -> np.ndarray:
        """(N, 3): nodal forces of one kelvin, int B^T sigma_0 with sigma_0 = (3 lam + 2 mu) alpha."""
        out = np.zeros((len(self.X), 3))
        for g in self.blocks(self.stiff):
            w = g.volumes * self.thermal_stress[g.rows][:, None]
            np.add.at(out, g.nodes, np.einsum("eq,eqai->eai", w, g.gradients, optimize=True))
        return out

    @cached_property
    def thermal_stress(self) -> np.ndarray:
        """(elements,): stress per kelvin of an element that cannot expand, without its sign."""
        return (3 * self.lam + 2 * self.mu) * self.expansion

    def thermal_loads(self) -> np.ndarray:
        """(N,): int N_a sigma_0, for stresses at the nodes."""
        out = np.zeros(len(self.X))
        for g in self.blocks(self.exact):
            w = g.volumes * self.thermal_stress[g.rows][:, None]
            np.add.at(out, g.nodes, np.einsum("eq,qa->ea", w, g.N))
        return out

    def faces(self) -> np.ndarray:
        """(faces of all elements, nodes of a face)."""
        return self.nodes[:, self.cell.faces].reshape(-1, self.cell.faces.shape[1])


def scattered(blocks: list[tuple[np.ndarray, np.ndarray]], size: int) -> Any:
    """Sparse matrix from element matrices (e, a, b)."""
    import scipy.sparse as sp

    total = sp.csr_matrix((size, size))
    for first in range(0, len(blocks), 20):
        rows, columns, values = [], [], []
        for nodes, matrix in blocks[first : first + 20]:
            a = nodes.shape[1]
            rows.append(np.repeat(nodes, a, axis=1).ravel())
            columns.append(np.tile(nodes, (1, a)).ravel())
            values.append(matrix.ravel())
        entries = np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))
        total = total + sp.csr_matrix(entries, shape=(size, size))
    return total

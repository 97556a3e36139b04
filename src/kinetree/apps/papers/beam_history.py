"""The beam of [Yun2005, eqs. (25)-(35)] as printed, by hand: each element carries the frame and the
strain of its middle from step to step.

    R_g <- R(r_g) R_g,     kappa <- kappa + R_g^T H(r_g) r_g',     gamma = R_g^T u' - e1

A literal reading in NumPy that shares no code with the kernels of the engine: a straight free beam
along x of two-node elements with rigid nodes, with inertial or convected linear velocities.
"""

from __future__ import annotations

import numpy as np

from ...engine.beams.rotations import half_turn, rodrigues, skew, turn, turn_rate

E1 = np.array([1.0, 0.0, 0.0])


class HistoryBeam:
    """The state of the beam, and one step of eq. (25)."""

    def __init__(
        self,
        elements: int,
        stiffness,
        mass: float,
        inertia,
        velocity,
        spin,
        convected: bool = False,
    ) -> None:
        self.n, self.h = elements + 1, 1.0 / elements
        share = np.ones(self.n)
        share[[0, -1]] = 0.5
        self.C, self.D = np.array(stiffness[:3]), np.array(stiffness[3:])
        self.m, self.J = mass / elements * share, np.outer(share / elements, inertia)
        self.x = np.outer(np.linspace(0.0, 1.0, self.n), E1)
        self.v, self.w = velocity(self.x), np.tile(np.array(spin, float), (self.n, 1))
        self.R, self.Rg = np.tile(np.eye(3), (self.n, 1, 1)), np.tile(np.eye(3), (elements, 1, 1))
        self.gamma, self.kappa, self.convected = (
            np.zeros((elements, 3)),
            np.zeros((elements, 3)),
            convected,
        )

    def strain_energy(self) -> float:
        """Return the energy of the carried strains (J)."""
        return 0.5 * self.h * float(((self.gamma**2 @ self.C) + (self.kappa**2 @ self.D)).sum())

    def drift(self) -> tuple[float, float]:
        """Largest angle (rad) between a carried frame and the one half-way between its nodes, and
        largest error of a carried curvature over the largest curvature.
        """
        frames, bends, sizes = [], [], []
        for e in range(self.n - 1):
            r = rodrigues(self.R[e + 1] @ self.R[e].T)
            middle, bend = (
                half_turn(r) @ self.R[e],
                2.0 * np.arctan(0.5 * np.linalg.norm(r)) / max(np.linalg.norm(r), 1e-300) * r,
            )
            frames.append(np.linalg.norm(rodrigues(self.Rg[e] @ middle.T)))
            bends.append(np.linalg.norm(self.R[e].T @ bend / self.h - self.kappa[e]))
            sizes.append(np.linalg.norm(bend / self.h))
        return float(max(frames)), float(max(bends) / max(sizes))

    def step(self, dt: float) -> None:
        """One step by Newton's method; the matrix of differences is computed again where
        corrections do not shrink.
        """
        q = np.column_stack(
            [
                dt * (np.einsum("nij,nj->ni", self.R, self.v) if self.convected else self.v),
                dt * np.einsum("nij,nj->ni", self.R, self.w),
            ]
        )
        inverse, last = None, np.inf
        for _ in range(60):
            f = self._residual(q, dt)[0]
            if inverse is None:
                inverse = np.linalg.inv(self._matrix(q, dt, f))
            change = (inverse @ f.ravel()).reshape(q.shape)
            q, size = q - change, float(np.abs(change).max())
            if size < 1e-14 or (size < 1e-12 and size > 0.3 * last):
                break
            if size > 0.1 * last:
                inverse = None
            last = size
        _, self.x, self.v, self.w, self.R, self.Rg, self.gamma, self.kappa = self._residual(q, dt)

    def _matrix(self, q, dt, f) -> np.ndarray:
        columns = []
        for k in range(q.size):
            nudged = q.copy()
            nudged.flat[k] += 1e-7
            columns.append((self._residual(nudged, dt)[0] - f).ravel() / 1e-7)
        return np.array(columns).T

    def _residual(self, q: np.ndarray, dt: float):
        a, r, f = q[:, :3], q[:, 3:], np.zeros(q.shape)
        x, v, w, R = self.x + a, np.empty_like(a), np.empty_like(a), np.empty_like(self.R)
        for i in range(self.n):
            G = half_turn(r[i])
            R[i] = G @ G @ self.R[i]
            w[i] = 2.0 / dt * (G @ self.R[i]).T @ r[i] - self.w[i]
            f[i, 3:] = (R[i] @ (self.J[i] * w[i]) - self.R[i] @ (self.J[i] * self.w[i])) / dt
            if self.convected:
                Ra = 0.5 * (R[i] + self.R[i])
                v[i] = 2.0 / dt * Ra.T @ a[i] - self.v[i]
                f[i, :3] = self.m[i] * (R[i] @ v[i] - self.R[i] @ self.v[i]) / dt
                f[i, 3:] += np.cross(a[i] / dt, Ra @ (0.5 * self.m[i] * (v[i] + self.v[i])))
            else:
                v[i] = 2.0 / dt * a[i] - self.v[i]
                f[i, :3] = self.m[i] * (v[i] - self.v[i]) / dt
        Rg, gamma, kappa = (
            np.empty_like(self.Rg),
            np.empty_like(self.gamma),
            np.empty_like(self.kappa),
        )
        for e in range(self.n - 1):
            mean, slope = 0.5 * (r[e] + r[e + 1]), (r[e + 1] - r[e]) / self.h
            H, G = turn_rate(mean), half_turn(mean)
            Rg[e] = turn(mean) @ self.Rg[e]
            gamma[e] = Rg[e].T @ (x[e + 1] - x[e]) / self.h - E1
            kappa[e] = self.kappa[e] + Rg[e].T @ H @ slope
            n = 0.5 * (Rg[e] + self.Rg[e]) @ (0.5 * self.C * (gamma[e] + self.gamma[e]))
            m = H @ G.T @ (G @ self.Rg[e]) @ (0.5 * self.D * (kappa[e] + self.kappa[e]))
            t = (
                0.5
                * self.h
                * skew(0.5 * (x[e + 1] - x[e] + self.x[e + 1] - self.x[e]) / self.h)
                @ n
            )
            f[e, :3] -= n
            f[e + 1, :3] += n
            f[e, 3:] += -m - t
            f[e + 1, 3:] += m - t
        return f, x, v, w, R, Rg, gamma, kappa

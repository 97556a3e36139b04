"""Vibrations of a model with beams about a steady rotation, with centrifugal stiffening and
Coriolis coupling.

In axes that rotate with the spin W about the origin, the positions x + xi and velocities zeta of
the mass centers satisfy

    translation:  zeta' = a - 2 W x zeta - W x (W x (x + xi))
    rotation:     zeta' = alpha - W x zeta

where a and alpha are the accelerations that the engine computes. The steady state has zeta' = 0.
The right-hand side is linearized about it by central differences, in the directions that the joints
leave free.
"""

from __future__ import annotations

import numpy as np

from ...assembly.result import Assembly
from ...engine.beams.jacobian import row_blocks
from ...engine.beams.rotations import turn
from ...engine.formulations.catalogue import formulation
from ...errors import SimulationError
from ...kernel.frames import matrix_quaternion
from ...kernel.linalg import lstsq, null_space, product

# difference step (model sizes and rad); largest number of corrections; size of the last one
_STEP = 1e-5
_MAX_ITERATIONS = 40
_STEADY = 1e-10


class Spinning:
    """A model in nodal coordinates that rotates with the angular velocity `spin` about the
    origin.
    """

    def __init__(self, start: Assembly, spin: np.ndarray) -> None:
        self.start, self.spin, self.method = start, spin, formulation("nodes")
        self.tables = self.method.configure(start.compiled.tables, rows=start.rank)
        self.work = start.compiled.workspace(self.method.storage)
        links = self.tables.links[1:]
        self.iq = links["iq"].astype(int)
        self.iv = links["iv"].astype(int)
        self.com = np.array(links["com"])
        self.length = float(self.tables.settings[0]["length"])
        self.unit = np.tile([self.length] * 3 + [1.0] * 3, len(links))
        q = start.q
        w, x, y, z = (q[self.iq + 3 + k] for k in range(4))
        self.R = np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
            ]
        ).transpose(2, 0, 1)
        self.x = np.array([q[i : i + 3] for i in self.iq]) + np.einsum(
            "bij,bj->bi", self.R, self.com
        )
        self.N = self._free()
        self._find_steady_state()

    def _state(self, xi: np.ndarray, zeta: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """State displaced by xi with the velocities zeta, and its positions and frames."""
        y, moved, rate = self.start.y.copy(), xi.reshape(-1, 6), zeta.reshape(-1, 6)
        x = self.x + moved[:, :3]
        R = np.array([product(turn(t), R) for t, R in zip(moved[:, 3:], self.R)])
        w, arm = self.spin + rate[:, 3:], np.einsum("bij,bj->bi", R, self.com)
        v, nq = np.cross(self.spin, x) + rate[:, :3] - np.cross(w, arm), len(self.start.q)
        for b, (i, k) in enumerate(zip(self.iq, self.iv)):
            y[i : i + 3], y[i + 3 : i + 7] = x[b] - arm[b], matrix_quaternion(R[b])
            y[nq + k : nq + k + 3], y[nq + k + 3 : nq + k + 6] = v[b], product(R[b].T, w[b])
        return y, x, R

    def rate(self, xi: np.ndarray, zeta: np.ndarray) -> np.ndarray:
        """Right-hand side zeta'."""
        y, x, R = self._state(xi, zeta)
        self.method.rhs(self.tables, self.work, self.start.t, y, np.zeros_like(y))
        rates, out = zeta.reshape(-1, 6), np.empty((len(x), 6))
        for b, k in enumerate(self.iv):
            w, wdot = product(R[b].T, self.spin + rates[b, 3:]), self.work.vdot[k + 3 : k + 6]
            a = self.work.vdot[k : k + 3] + product(
                R[b], np.cross(wdot, self.com[b]) + np.cross(w, np.cross(w, self.com[b]))
            )
            out[b, :3] = (
                a
                - 2.0 * np.cross(self.spin, rates[b, :3])
                - np.cross(self.spin, np.cross(self.spin, x[b]))
            )
            out[b, 3:] = product(R[b], wdot) - np.cross(self.spin, rates[b, 3:])
        return out.ravel()

    def _free(self) -> np.ndarray:
        """Directions that the joints leave free, orthonormal in natural units."""
        n = len(self.unit)
        y, _, _ = self._state(np.zeros(n), np.zeros(n))
        self.method.rhs(self.tables, self.work, self.start.t, y, np.zeros_like(y))
        spots, first = self.tables.spots, len(self.tables.primitives) + len(self.tables.forces)
        attached = spots[spots[first] + 1 : spots[first] + 1 + spots[spots[first]]]
        G = np.zeros((int(self.tables.settings[0]["ng"]), n))
        for k, block in enumerate(
            np.split(row_blocks(self.tables, self.work), len(attached), axis=1) if len(G) else ()
        ):
            G[:, 6 * (attached[k] - 1) : 6 * attached[k]] = block
        return null_space(G * self.unit, rcond=1e-9) if len(G) else np.eye(n)

    def derivatives(self, by_velocity: bool) -> np.ndarray:
        """Derivatives of zeta' with respect to xi or zeta, in the free directions."""
        zero, columns = np.zeros(len(self.unit)), []
        for direction in self.N.T:
            e = _STEP * self.unit * direction
            ends = [
                self.rate(zero, s * e) if by_velocity else self.rate(s * e, zero)
                for s in (1.0, -1.0)
            ]
            columns.append((ends[0] - ends[1]) / (2.0 * _STEP))
        return product(self.N.T, np.array(columns).T / self.unit[:, None])

    def _find_steady_state(self) -> None:
        """Solve for the steady state by Newton's method."""
        zero = np.zeros(len(self.unit))
        for _ in range(_MAX_ITERATIONS):
            f = product(self.N.T, self.rate(zero, zero) / self.unit)
            step = lstsq(self.derivatives(False), f, rcond=1e-10)
            moved = (
                self.unit * product(self.N, step) * min(1.0, 0.2 / np.abs(step).max(initial=1e-300))
            ).reshape(-1, 6)
            self.x, self.R = (
                self.x - moved[:, :3],
                np.array([product(turn(-t), R) for t, R in zip(moved[:, 3:], self.R)]),
            )
            if np.abs(step).max(initial=0.0) < _STEADY:
                return
        raise SimulationError(
            "vibrations: no steady state was found at this spin; the model may fly apart, or its "
            "loads do not rotate with it. Use a smaller spin.",
            self.start.t,
        )

    def modes(self) -> tuple[np.ndarray, np.ndarray]:
        """Angular frequencies in ascending order, and mode shapes."""
        k = self.N.shape[1]
        A = np.block(
            [[np.zeros((k, k)), np.eye(k)], [self.derivatives(False), self.derivatives(True)]]
        )
        values, vectors = np.linalg.eig(A)
        found = np.flatnonzero(values.imag > 1e-6 * np.abs(values).max())
        found = found[np.argsort(values.imag[found])]
        shapes = self.unit[:, None] * product(self.N, vectors[:k, found])
        turned = shapes * np.exp(
            -1j * np.angle(shapes[np.abs(shapes).argmax(0), np.arange(len(found))])
        )
        return values.imag[found], turned.real.T

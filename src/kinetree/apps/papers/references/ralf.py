"""RALF by hand: the printed and the corrected velocity terms of the open arm, and masses by
quadrature. Shares with the engine only the mode shapes.

With s2 = sin theta2, c2 = cos theta2, P_k = psi_1k(l1), integrals of link 2 S = int x dm,
a_k = int psi_2k dm, m_kl = int psi_2k psi_2l dm, those of link 1 n_kl, and U = sum a_k xi_2k, the
corrected matrices have in their first two rows and columns             [LeeJoo, (61)-(66)]

    d11 = -l1 (S s2 + U c2) + u1 (S c2 - U s2)
    d2k = sum n_kl xi_1l + m2 P_k u1 + P_k (S s2 + U c2),     d3k = P_k (S s2 + U c2)
    d4k = a_k (u1 c2 - l1 s2) + sum m_kl xi_2l,               d5k = sum m_kl xi_2l
    d6k = P_1 a_k s2,                                         d7k = P_2 a_k s2
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ....description.arm_shapes import integrals, shapes
from ....models import ralf


def matrices(d: dict[str, Any], zero: Any, half: Any = None) -> list[list[list[Any]]]:
    """Return C(1) .. C(6), corrected; with `half` = 1/2 as printed, without the derivative of M_ff
    by theta2.
    """
    d11, d2, d3, d4, d5, d6, d7 = (d[f"d{k}"] for k in (11, 2, 3, 4, 5, 6, 7))
    C = [[[zero] * 6 for _ in range(6)] for _ in range(6)]

    entries = [(1, 1, 2, d11), (1, 2, 2, d11), (2, 1, 1, -d11)]
    for k in (0, 1):
        entries += [
            (1, 1, 3 + k, d2[k]),
            (3 + k, 1, 1, -d2[k]),
            (2, 1, 3 + k, d3[k]),
            (3 + k, 1, 2, -d3[k]),
            (3 + k, 2, 2, -d3[k]),
            (1, 1, 5 + k, d4[k]),
            (1, 2, 5 + k, d4[k]),
            (5 + k, 1, 1, -d4[k]),
            (2, 1, 5 + k, d5[k]),
            (2, 2, 5 + k, d5[k]),
            (5 + k, 1, 2, -d5[k]),
            (5 + k, 2, 2, -d5[k]),
        ]
        for i, e in ((3, d6), (4, d7)):
            entries += [(i, 1, 5 + k, -e[k]), (i, 2, 5 + k, -e[k]), (5 + k, 1, i, e[k])]
            if half is not None:
                entries += [
                    (2, i, 5 + k, -half * e[k]),
                    (i, 2, 5 + k, -half * e[k]),
                    (5 + k, 2, i, half * e[k]),
                ]
    for i, j, k, value in entries:
        C[i - 1][j - 1][k - 1] = C[i - 1][k - 1][j - 1] = value
    return C


class OpenArm:
    """The two links as numbers, without gravity: q = (theta1, theta2, xi11, xi12, xi21, xi22)."""

    def __init__(self) -> None:
        self.l = ralf.LENGTH
        self.modes = shapes("clamped-free", 2, self.l)
        rho = [ralf.DENSITY * ralf.AREA[name] for name in ("lower", "upper")]
        EI = [ralf.E * ralf.BENDING[name] for name in ("lower", "upper")]
        self.one, self.two = (integrals(self.modes, self.l, r, e) for r, e in zip(rho, EI))
        self.m2, self.S, self.rho = rho[1] * self.l, 0.5 * rho[1] * self.l**2, rho
        x, w = np.polynomial.legendre.leggauss(30)
        self.x, self.w = 0.5 * self.l * (x + 1.0), 0.5 * self.l * w
        self.psi = np.array([mode.psi(self.x) for mode in self.modes])

    def mass(self, q: np.ndarray) -> np.ndarray:
        """Return sum int J^T J dm by Gauss-Legendre quadrature."""
        (c1, s1), (c2, s2) = ((np.cos(a), np.sin(a)) for a in (q[0], q[0] + q[1]))
        e1, n1, e2, n2 = (np.array(a)[:, None] for a in ((c1, s1), (-s1, c1), (c2, s2), (-s2, c2)))
        u1, u2, tip = q[2:4] @ self.psi, q[4:6] @ self.psi, float(q[2:4] @ self.one.tip)
        J1, J2 = np.zeros((6, 2, len(self.x))), np.zeros((6, 2, len(self.x)))
        J1[0] = n1 * self.x - e1 * u1
        J2[1] = n2 * self.x - e2 * u2
        J2[0] = n1 * self.l - e1 * tip + J2[1]
        for k in (0, 1):
            J1[2 + k], J2[2 + k], J2[4 + k] = (
                n1 * self.psi[k],
                n1 * self.one.tip[k] + 0.0 * self.x,
                n2 * self.psi[k],
            )
        return sum(
            rho * np.einsum("iax,jax,x->ij", J, J, self.w) for rho, J in zip(self.rho, (J1, J2))
        )

    def stiffness(self) -> np.ndarray:
        K = np.zeros((6, 6))
        K[2:4, 2:4], K[4:, 4:] = self.one.k, self.two.k
        return K

    def terms(self, q: np.ndarray) -> dict[str, Any]:
        """Return the terms d of the module docstring."""
        s2, c2, xi1, xi2, P, a = (
            np.sin(q[1]),
            np.cos(q[1]),
            q[2:4],
            q[4:6],
            self.one.tip,
            self.two.a,
        )
        U, u1, d5 = a @ xi2, P @ xi1, self.two.n @ xi2
        d3 = P * (self.S * s2 + U * c2)
        return {
            "d11": -self.l * (self.S * s2 + U * c2) + u1 * (self.S * c2 - U * s2),
            "d5": d5,
            "d3": d3,
            "d2": self.one.n @ xi1 + self.m2 * P * u1 + d3,
            "d4": a * (u1 * c2 - self.l * s2) + d5,
            "d6": P[0] * a * s2,
            "d7": P[1] * a * s2,
        }

    def energy(self, y: np.ndarray) -> float:
        q, v = y[:6], y[6:]
        return float(0.5 * v @ self.mass(q) @ v + 0.5 * q @ self.stiffness() @ q)

    def gain(
        self, start: np.ndarray, until: float, half: float | None = None, once: bool = False
    ) -> float:
        """Return the energy at the end over that at the start; `once` counts the mixed products of
        (31) only once.
        """
        from scipy.integrate import solve_ivp

        K, weights = self.stiffness(), np.ones((6, 6))
        if once:
            weights[:2, 2:] = weights[2:, :2] = 0.5

        def rates(t: float, y: np.ndarray) -> np.ndarray:
            q, v = y[:6], y[6:]
            h = np.einsum(
                "ijk,jk,j,k->i", np.array(matrices(self.terms(q), 0.0, half)), weights, v, v
            )
            return np.concatenate([v, np.linalg.solve(self.mass(q), -K @ q - h)])

        run = solve_ivp(rates, (0.0, until), start, method="DOP853", rtol=1e-10, atol=1e-12)
        return self.energy(run.y[:, -1]) / self.energy(start)

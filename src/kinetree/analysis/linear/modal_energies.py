"""Kinetic energy that the modes of flexible bodies add to that of their undeformed frames.

2 T = V.I V + 2 V.U qdot + qdot.S^T S qdot       with U and S of engine/dynamics/modal_body.py
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...assembly.system import System
from ...description.flexible_body import ModesBody
from ...engine.dynamics.kinematics import kinematics
from ...kernel.linalg import product


class ModalEnergies:
    """The share of the modes in the energies of bodies at a position."""

    def __init__(self, system: System, q: np.ndarray) -> None:
        self.names = system.compiled.bodies[1:]
        bodies = system.compiled.model.bodies
        self.carriers = {n for n in self.names if isinstance(bodies[n], ModesBody)}
        self.matrices: list[tuple[int, np.ndarray]] = []
        if len(system.tables.flexible):
            kinematics(system.tables, system.work, q, np.zeros(len(system.natural)))
        for f in system.tables.flexible:
            n, i, modes = int(f["n"]), int(f["link"]), slice(f["iv"], f["iv"] + f["n"])
            at, numbers = int(f["at"]), system.work.modal
            U = numbers[at : at + 6 * n].reshape(n, 6)
            M = np.zeros((len(system.natural),) * 2)
            M[modes] += product(U, system.body_jacobian(i, system.work.bodies[i]["O"]))
            M = M + M.T
            half = np.tril(numbers[at + 14 * n : at + (14 + n) * n].reshape(n, n))
            M[modes, modes] += half + np.tril(half, -1).T
            self.matrices.append((i - 1, M))

    def added(self, motion: np.ndarray) -> np.ndarray:
        """Energies per body for amplitudes of all degrees of freedom, with a factor as in Shapes."""
        found = np.zeros(len(self.names))
        for body, M in self.matrices:
            found[body] += float(product(motion.conj(), product(M, motion)).real)
        return found

    def by_user(self, values: Mapping[str, float]) -> dict[str, float]:
        """Values per body, those of a flexible body under its own name."""
        found: dict[str, float] = {}
        for name, value in values.items():
            owner = name.removesuffix(".modes") if name in self.carriers else name
            found[owner] = found.get(owner, 0.0) + value
        return found

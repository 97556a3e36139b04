"""Beams at the samples: center line, strains, section forces and energies, as arrays and channels.

Element k lies between nodes k and k + 1. Its values are in the axes of the section at mid-length, x
along the beam:

    <beam>.element<k>.strain .curvature       relative to the stress-free shape: elongation and
                                              shears; twist and bending curvatures
    <beam>.element<k>.force .moment .energy   section force and moment with damping; stored energy
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ..core.display import NameDict
from ..elements.forces.beam import BeamForce
from ..engine.beams.strains import strain_rates, strains
from .channels import Channel

if TYPE_CHECKING:
    from .solution import Solution

XYZ = ("x", "y", "z")
_CHANNELS = {
    "strain": ("1", "stretch and shears in", XYZ),
    "curvature": ("1/m", "twist and bends in", XYZ),
    "force": ("N", "section force in", XYZ),
    "moment": ("N m", "section moment in", XYZ),
    "energy": ("J", "energy stored in", ()),
}


class BeamMotion:
    """One beam of a run: arrays over samples and nodes or elements; one value of ``sol.beams``.

    Attributes
    ----------
    name : str
        Name of the beam.
    length : ndarray, shape (elements,)
        Lengths of the undeformed elements (m).
    damping : ndarray, shape (elements,)
        Damping times of the elements (s).
    """

    def __init__(self, sol: Solution, name: str) -> None:
        spec = sol.model.forces[name].spec
        assert isinstance(spec, BeamForce)
        self.name, self.record, self.elements = name, sol.record, spec.elements
        self.bodies = [
            sol.compiled.body_index(f"{name}.{k}") for k in range(len(self.elements) + 1)
        ]
        self.length = np.array([e.length for e in self.elements])
        self.damping = np.array([e.damping for e in self.elements])

    @cached_property
    def position(self) -> np.ndarray:
        """Center line (m), shape (samples, nodes, 3)."""
        return self.record.of("position", self.bodies)

    @cached_property
    def rotation(self) -> np.ndarray:
        """Axes of the sections at the nodes as columns, shape (samples, nodes, 3, 3)."""
        found = self.record.of("rotation", self.bodies)
        return found.reshape(*found.shape[:2], 3, 3)

    @cached_property
    def _strains(self) -> np.ndarray:
        x, R = self.position, self.rotation
        return strains(x[:, :-1], R[:, :-1], x[:, 1:], R[:, 1:], self.length) - np.array(
            [e.strain for e in self.elements]
        )

    @cached_property
    def _rates(self) -> np.ndarray:
        if not self.damping.any():
            return np.zeros(6)
        x, R = self.position, self.rotation
        V = np.concatenate(
            [self.record.of(what, self.bodies) for what in ("angular_velocity", "velocity")], -1
        )
        return strain_rates(
            x[:, :-1], R[:, :-1], x[:, 1:], R[:, 1:], V[:, :-1], V[:, 1:], self.length
        )

    @cached_property
    def _stresses(self) -> np.ndarray:
        C = np.array([e.stiffness for e in self.elements])
        return np.einsum("eij,tej->tei", C, self._strains + self.damping[:, None] * self._rates)

    @property
    def strain(self) -> np.ndarray:
        """Elongation along x and shears along y and z (1), shape (samples, elements, 3)."""
        return self._strains[..., :3]

    @property
    def curvature(self) -> np.ndarray:
        """Twist about x and curvatures about y and z (1/m), shape (samples, elements, 3)."""
        return self._strains[..., 3:] / self.length[:, None]

    @property
    def force(self) -> np.ndarray:
        """Axial and shear forces of the outer part on the inner one (N), shape (samples, elements, 3)."""
        return self._stresses[..., :3] / self.length[:, None]

    @property
    def moment(self) -> np.ndarray:
        """Torsion and bending moments (N m), shape (samples, elements, 3)."""
        return self._stresses[..., 3:]

    @cached_property
    def energy(self) -> np.ndarray:
        """Stored energy (J), shape (samples, elements)."""
        C = np.array([e.stiffness for e in self.elements])
        return 0.5 * np.einsum("tei,eij,tej->te", self._strains, C, self._strains)

    def channels(self) -> dict[str, Channel]:
        return {
            f"{self.name}.element{k}.{what}": Channel(
                unit,
                f"{about} element {k} of {self.name}",
                lambda what=what, k=k: getattr(self, what)[:, k],
                parts,
            )
            for k in range(len(self.elements))
            for what, (unit, about, parts) in _CHANNELS.items()
        }


def beams_of_run(sol: Solution) -> dict[str, BeamMotion]:
    """The beams of a run by name."""
    found: dict[str, BeamMotion] = NameDict("beam", f" in this run of {sol.model.name!r}")
    found.update(
        {
            name: BeamMotion(sol, name)
            for name, e in sol.model.forces.items()
            if isinstance(e.spec, BeamForce)
        }
    )
    return found

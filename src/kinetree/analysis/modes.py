"""Vibration modes of a machine around a state: eigenvalues, frequencies, damping, shapes, and how stiff the motion is.

    lambda = -zeta w + i w sqrt(1 - zeta^2),     S = max|Re lambda| / min|Re lambda|,   L = max|lambda|     [Han1994]

Shapes are the complex amplitudes of all joint coordinates and of the bodies, the largest of the tree's coordinates made
one (radian, or size of the machine).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..assembly.system import System
from ..model.model import Model
from ..usercode.guard import attending
from .linearize import StateSpace, linearize

_ZERO = 1e-7  # of the largest eigenvalue; a zero eigenvalue of a free direction is double and known to this only


@dataclass(frozen=True)
class Mode:
    """A real eigenvalue, or a pair of complex ones (the one with the positive imaginary part)."""

    eigenvalue: complex
    coordinates: dict[str, complex]  # joint coordinate: amplitude, rad or m
    bodies: dict[str, np.ndarray]  # body: (6,) rotation and displacement of its origin, world axes

    @property
    def frequency(self) -> float:
        """|lambda| / 2 pi, Hz: without damping, if the damping only slows and fades the mode."""
        return abs(self.eigenvalue) / (2.0 * np.pi)

    @property
    def damped_frequency(self) -> float:
        return abs(self.eigenvalue.imag) / (2.0 * np.pi)

    @property
    def damping_ratio(self) -> float:
        """-Re / |lambda|: 1 and more for a mode that fades without swinging, negative for one that grows."""
        return 0.0 - self.eigenvalue.real / abs(self.eigenvalue) if self.eigenvalue else 0.0


@dataclass(frozen=True)
class Modes:
    """All modes, slowest first; a sequence of `Mode`, printable as a table."""

    linear: StateSpace
    modes: tuple[Mode, ...]

    @property
    def eigenvalues(self) -> np.ndarray:
        return self.linear.eigenvalues

    @cached_property
    def undamped_frequencies(self) -> np.ndarray:
        """Hz, of the machine without what depends on velocity: z'' = A21 z; NaN where it would run away."""
        n = self.linear.freedoms
        square = np.sort(-np.linalg.eigvals(self.linear.A[n:2 * n, :n]).real)
        square[np.abs(square) <= 1e-9 * np.abs(square).max(initial=0.0)] = 0.0
        return np.where(square < 0.0, np.nan, np.sqrt(np.abs(square))) / (2.0 * np.pi)

    @property
    def frequencies(self) -> np.ndarray:
        return np.array([mode.frequency for mode in self.modes])

    @property
    def damped_frequencies(self) -> np.ndarray:
        return np.array([mode.damped_frequency for mode in self.modes])

    @property
    def damping_ratios(self) -> np.ndarray:
        return np.array([mode.damping_ratio for mode in self.modes])

    @property
    def spectral_radius(self) -> float:
        """L, 1/s."""
        return float(np.abs(self.eigenvalues).max(initial=0.0))

    @property
    def stiffness_ratio(self) -> float:
        """S; infinite if some mode neither fades nor grows, NaN if none does."""
        real = np.abs(self.eigenvalues.real)
        real[real <= _ZERO * self.spectral_radius] = 0.0
        if not real.any():
            return float("nan")
        return float(real.max() / real.min()) if real.min() > 0.0 else float("inf")

    def __len__(self) -> int:
        return len(self.modes)

    def __getitem__(self, k: int) -> Mode:
        return self.modes[k]

    def __iter__(self) -> Iterator[Mode]:
        return iter(self.modes)

    def __str__(self) -> str:
        a = self.linear.assembly
        lines = [f"Modes of {a.compiled.model.name!r} at t = {a.t:g} s",
                 f"{'':>3} {'eigenvalue (1/s)':>26} {'Hz':>10} {'damped Hz':>10} {'damping':>9}  moves most"]
        for k, mode in enumerate(self.modes, 1):
            swing = f" +- {mode.eigenvalue.imag:.6g}i" if mode.eigenvalue.imag else ""
            value = f"{mode.eigenvalue.real:.5g}{swing}"
            lines.append(f"{k:>3} {value:>26} {mode.frequency:>10.5g} {mode.damped_frequency:>10.5g} "
                         f"{mode.damping_ratio:>9.4g}  {_largest(mode)}")
        lines.append(f"spectral radius L = {self.spectral_radius:.5g} 1/s, stiffness ratio S = "
                     f"{self.stiffness_ratio:.5g}")
        lines.append(f"without damping: {', '.join(f'{f:.5g}' for f in self.undamped_frequencies)} Hz")
        return "\n".join(lines)


@attending
def modes(model: Model, state=None, *, coordinates: str = "relative") -> Modes:
    """Modes around a consistent state: None (the assembled start), an Assembly, or (solution, time).

    Frequencies mean what they say around an equilibrium; elsewhere they are those of the moment.
    """
    linear = linearize(model, state=state, coordinates=coordinates)
    system = System(linear.assembly.compiled)
    system.values(linear.assembly.t, linear.assembly.q, linear.assembly.x)
    values, vectors = np.linalg.eig(linear.A)
    small = _ZERO * np.abs(values).max(initial=0.0)
    values = np.where(np.abs(values.imag) <= 1e-3 * small, values.real, values)
    keep = [k for k in np.lexsort((values.imag, np.abs(values))) if values[k].imag >= 0.0]
    return Modes(linear, tuple(_mode(system, values[k], linear.basis @ vectors[:linear.freedoms, k]) for k in keep))


def _mode(system: System, eigenvalue: complex, motion: np.ndarray) -> Mode:
    """The shape of a mode from the amplitudes of all freedoms."""
    natural = motion * system.natural
    motion = motion / natural[np.argmax(np.abs(natural))] if natural.any() else motion
    joints = {f"{name}.{label}": complex(system.speed_row(place, label) @ motion)
              for name, place in system.compiled.joints.items() for label in place.spec.joint.speeds}
    bodies = {}
    for i, name in enumerate(system.compiled.bodies[1:], 1):
        body, X_KB = system.work.bodies[i], system.compiled.X_BK[i].inverse
        bodies[name] = system.body_jacobian(i, body["p"] + body["R"].reshape(3, 3) @ X_KB.p) @ motion
    return Mode(complex(eigenvalue), joints, bodies)


def _largest(mode: Mode) -> str:
    """The two joint coordinates that move most."""
    order = sorted(mode.coordinates, key=lambda name: -abs(mode.coordinates[name]))[:2]
    return ", ".join(f"{name} {mode.coordinates[name].real:+.3g}" for name in order)

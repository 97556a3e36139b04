"""Vibration modes of a machine around a state: eigenvalues, frequencies, damping, shapes, and how
stiff the motion is.

    lambda = -zeta w + i w sqrt(1 - zeta^2),     S = max|Re lambda| / min|Re lambda|,   L =
                                                 max|lambda|     [Han1994]

Shapes are the complex amplitudes of all joint coordinates and of the bodies, the largest of the
tree's coordinates made one (radian, or size of the machine). Angles and travel cannot be compared;
the shares of the bodies in the kinetic energy can, and tell modes apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...assembly.system import System
from ...core.display import NameDict, Printable
from ...description.model import Model
from ...errors import counted
from ...kernel.linalg import product
from ...kernel.usercode.capture import attending
from .linearize import StateSpace, linearize
from .spectrum import eigenpairs

# of the largest eigenvalue; a zero eigenvalue of a free direction is double and known to this only
_ZERO = 1e-7


@dataclass(frozen=True)
class Mode:
    """A real eigenvalue, or a pair of complex ones (the one with the positive imaginary part)."""

    eigenvalue: complex
    coordinates: dict[str, complex]  # joint coordinate: amplitude, rad or m
    bodies: dict[str, np.ndarray]  # body: (6,) rotation and displacement of its origin, world axes
    units: dict[str, str]  # joint coordinate: rad or m
    energies: dict[str, float]  # body: its share of the kinetic energy, adding up to one

    @property
    def frequency(self) -> float:
        """|lambda| / 2 pi, Hz: without damping, if the damping only slows and fades the mode."""
        return abs(self.eigenvalue) / (2.0 * np.pi)

    @property
    def damped_frequency(self) -> float:
        return abs(self.eigenvalue.imag) / (2.0 * np.pi)

    @property
    def damping_ratio(self) -> float:
        """-Re / |lambda|: 1 and more for a mode that fades without swinging, negative for one that
        grows.
        """
        return 0.0 - self.eigenvalue.real / abs(self.eigenvalue) if self.eigenvalue else 0.0

    def __repr__(self) -> str:
        return (
            f"<mode of {self.frequency:.5g} Hz, damping {self.damping_ratio:.4g}: {self.summary}>"
        )

    @property
    def summary(self) -> str:
        """Who has the kinetic energy, and the angle and the travel that move most."""
        who = sorted(self.energies, key=lambda name: -self.energies[name])[:2]
        shares = [
            f"{name} {100.0 * self.energies[name]:.0f} %"
            for name in who
            if self.energies[name] >= 0.005
        ]
        moves = [
            f"{name} {_amplitude(self.coordinates[name])} {unit}"
            for unit in ("rad", "m")
            for name in self._largest(unit)
        ]
        return "; ".join(filter(None, (", ".join(shares), ", ".join(moves)))) or "states alone"

    def _largest(self, unit: str) -> list[str]:
        """The coordinates of a unit that move most, two at most."""
        names = sorted(
            (n for n, u in self.units.items() if u == unit),
            key=lambda name: -abs(self.coordinates[name]),
        )[:2]
        return [
            name
            for name in names
            if abs(self.coordinates[name]) > 1e-3 * abs(self.coordinates[names[0]])
        ]


@dataclass(frozen=True, repr=False)
class Modes(Printable):
    """All modes, slowest first; a sequence of `Mode`, printable as a table."""

    linear: StateSpace
    modes: tuple[Mode, ...]

    @property
    def eigenvalues(self) -> np.ndarray:
        return self.linear.eigenvalues

    @cached_property
    def undamped_frequencies(self) -> np.ndarray:
        """Hz, of the machine without what depends on velocity: z'' = A21 z; NaN where it would run
        away.
        """
        n = self.linear.freedoms
        square = np.sort(-np.linalg.eigvals(self.linear.A[n : 2 * n, :n]).real)
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
        lines = [
            f"{counted(len(self), 'mode')} of {a.compiled.model.name!r} at t = {a.t:g} s",
            f"{'':>3} {'eigenvalue (1/s)':>26} {'Hz':>10} {'damped Hz':>10} {'damping':>9}  "
            "kinetic energy; what moves most",
        ]
        for k, mode in enumerate(self.modes, 1):
            real = (
                mode.eigenvalue.real
                if abs(mode.eigenvalue.real) > 1e-3 * _ZERO * self.spectral_radius
                else 0.0
            )
            swing = f" +- {mode.eigenvalue.imag:.6g}i" if mode.eigenvalue.imag else ""
            damping = mode.damping_ratio if real else 0.0
            lines.append(
                f"{k:>3} {f'{real:.5g}{swing}':>26} {mode.frequency:>10.5g} "
                f"{mode.damped_frequency:>10.5g} "
                f"{damping:>9.4g}  {mode.summary}"
            )
        lines.append(f"spectral radius L = {self.spectral_radius:.5g} 1/s; {self._stiffness()}")
        undamped = [
            "none (it runs away)" if np.isnan(f) else f"{f:.5g} Hz"
            for f in self.undamped_frequencies
        ]
        lines.append(f"without damping: {', '.join(undamped)}")
        return "\n".join([*lines, *([a.told] if a.told else [])])

    def _stiffness(self) -> str:
        """S in words where it is no number."""
        if np.isfinite(self.stiffness_ratio):
            return f"stiffness ratio S = {self.stiffness_ratio:.5g}"
        real = np.abs(self.eigenvalues.real)
        changing = real[real > _ZERO * self.spectral_radius]
        if not len(changing):
            return "no stiffness ratio S: nothing fades or grows"
        return (
            f"no stiffness ratio S: {len(real) - len(changing)} of {len(real)} eigenvalues neither "
            "fade nor grow; of the "
            f"others it is {changing.max() / changing.min():.5g}"
        )


@attending
def modes(model: Model, state: Any = None, *, coordinates: str = "relative") -> Modes:
    """Modes around a consistent state: None (the assembled start), an Assembly, or (solution,
    time).

    Frequencies mean what they say around an equilibrium; elsewhere they are those of the moment.
    """
    linear = linearize(model, state=state, coordinates=coordinates)
    system = System(linear.assembly.compiled)
    system.values(linear.assembly.t, linear.assembly.q, linear.assembly.x)
    values, vectors = eigenpairs(linear.A, linear.freedoms)
    small = _ZERO * np.abs(values).max(initial=0.0)
    values = np.where(np.abs(values.imag) <= 1e-3 * small, values.real, values)
    keep = [k for k in np.lexsort((values.imag, np.abs(values))) if values[k].imag >= 0.0]
    shapes = Shapes(system)
    return Modes(
        linear,
        tuple(
            shapes.mode(values[k], product(linear.basis, vectors[: linear.freedoms, k]))
            for k in keep
        ),
    )


class Shapes:
    """How joint coordinates and bodies follow the freedoms of a machine at its present position."""

    def __init__(self, system: System) -> None:
        self.system, self.names, self.where = (
            system,
            system.compiled.bodies[1:],
            f" in model {system.compiled.model.name!r}",
        )
        labels = [
            (f"{name}.{label}", place, label, unit)
            for name, place in system.compiled.joints.items()
            for label, unit in zip(place.spec.joint.speeds, place.spec.joint.units)
        ]
        self.units = {name: unit for name, _, _, unit in labels}
        self.speeds = np.array(
            [system.speed_row(place, label) for _, place, label, _ in labels]
        ).reshape(-1, len(system.natural))
        bodies = range(1, len(self.names) + 1)
        self.twists = np.array([system.body_jacobian(i, system.origin(i)) for i in bodies]).reshape(
            -1, 6, len(system.natural)
        )
        self.arms = np.array([system.centre(i) - system.origin(i) for i in bodies]).reshape(-1, 3)
        self.inertias = np.array([system.inertia(i) for i in bodies]).reshape(-1, 3, 3)

    def mode(self, eigenvalue: complex, motion: np.ndarray) -> Mode:
        """The shape of a mode from the amplitudes of all freedoms."""
        natural = motion * self.system.natural
        motion = motion / natural[np.argmax(np.abs(natural))] if natural.any() else motion
        joints = dict(zip(self.units, product(self.speeds, motion).astype(complex).tolist()))
        bodies = product(self.twists, motion)
        energies = self._energies(bodies)
        shares = (energies / (energies.sum() or 1.0)).tolist()
        return Mode(
            complex(eigenvalue),
            NameDict("coordinate", self.where, joints),
            NameDict("body", self.where, dict(zip(self.names, bodies))),
            self.units,
            NameDict("body", self.where, dict(zip(self.names, shares))),
        )

    def _energies(self, bodies: np.ndarray) -> np.ndarray:
        """m |v|^2 + w . I w of every body, over a period."""
        turn, travel = bodies[:, :3], bodies[:, 3:] + np.cross(bodies[:, :3], self.arms)
        spin = np.einsum("bi,bij,bj->b", turn.conj(), self.inertias, turn).real
        return self.system.tables.links["mass"][1:] * (np.abs(travel) ** 2).sum(axis=1) + spin


def _amplitude(value: complex) -> str:
    """In or against the phase of the largest, within ten degrees: signed; else its size and the
    angle by which it is ahead.
    """
    if abs(value.imag) <= 0.17 * abs(value):
        return f"{value.real:+.3g}"
    return f"{abs(value):.3g} ({np.degrees(np.angle(value)):+.0f} deg)"

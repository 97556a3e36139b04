"""Vibration modes of a model about a state: eigenvalues, frequencies, damping, shapes, stiffness.

    lambda = -zeta w + i w sqrt(1 - zeta^2)
    S = max|Re lambda| / min|Re lambda|,   L = max|lambda|                      [Han1994]

Shapes are the complex amplitudes of all joint coordinates and of the bodies; the largest
coordinate of the tree is one (radian, or size of the model). Angles and displacements cannot be
compared, but the shares of the bodies in the kinetic energy can, and they distinguish modes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...assembly.system import System
from ...core.display import NameDict, Printable
from ...description.model import Model
from ...errors import counted, explains_arguments
from ...kernel.linalg import product
from ...kernel.usercode.capture import with_user_errors
from ...simulation.states import StateLike
from .linearize import StateSpace, linearize
from .modal_energies import ModalEnergies
from .spectrum import eigenpairs

# relative to the largest eigenvalue; the zero eigenvalue of a free direction is double, which
# limits its accuracy to this
_ZERO = 1e-7


@dataclass(frozen=True)
class Mode:
    """One mode: a real eigenvalue, or a pair of complex ones (the one with positive imaginary part).

    Attributes
    ----------
    eigenvalue : complex
        Eigenvalue of the linearized equations (1/s).
    coordinates : dict of str to complex
        Amplitude of each joint coordinate (rad or m).
    bodies : dict of str to ndarray, shape (6,)
        Rotation (rad) and displacement of the origin (m) of each body, in world axes.
    units : dict of str to str
        Unit of each joint coordinate.
    energies : dict of str to float
        Share of each body in the kinetic energy (1); the sum is one.

    Examples
    --------
    >>> import kinetree as kt
    >>> from kinetree.models.quarter_car import quarter_car
    >>> slowest = kt.modes(quarter_car())[0]
    >>> slowest.frequency > 0.0
    True
    """

    eigenvalue: complex
    coordinates: dict[str, complex]  # joint coordinate: amplitude, rad or m
    bodies: dict[str, np.ndarray]  # body: (6,) rotation and displacement of its origin, world axes
    units: dict[str, str]  # joint coordinate: rad or m
    energies: dict[str, float]  # body: its share of the kinetic energy, adding up to one

    @property
    def frequency(self) -> float:
        """Frequency |lambda| / 2 pi (Hz)."""
        return abs(self.eigenvalue) / (2.0 * np.pi)

    @property
    def damped_frequency(self) -> float:
        """Frequency of the damped oscillation, |Im lambda| / 2 pi (Hz)."""
        return abs(self.eigenvalue.imag) / (2.0 * np.pi)

    @property
    def damping_ratio(self) -> float:
        """Damping ratio -Re lambda / |lambda| (1): 1 without oscillation, negative for growth."""
        return 0.0 - self.eigenvalue.real / abs(self.eigenvalue) if self.eigenvalue else 0.0

    def __repr__(self) -> str:
        return (
            f"<mode of {self.frequency:.5g} Hz, damping {self.damping_ratio:.4g}: {self.summary}>"
        )

    @property
    def summary(self) -> str:
        """Shares of the bodies in the kinetic energy, and the coordinates that move most."""
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
        """The coordinates of a unit that move most, at most two."""
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
    """All modes of a model about a state, slowest first: a sequence of `Mode`.

    Returned by `modes`; ``print`` shows a table.

    Attributes
    ----------
    linear : StateSpace
        The linearized equations.
    modes : tuple of Mode
        The modes.

    Examples
    --------
    >>> import kinetree as kt
    >>> from kinetree.models.quarter_car import quarter_car
    >>> found = kt.modes(quarter_car())
    >>> len(found) == len(found.frequencies)
    True
    """

    linear: StateSpace
    modes: tuple[Mode, ...]

    @property
    def eigenvalues(self) -> np.ndarray:
        """Eigenvalues of the linearized equations (1/s), shape (nx,), ascending in magnitude."""
        return self.linear.eigenvalues

    @cached_property
    def undamped_frequencies(self) -> np.ndarray:
        """Frequencies (Hz) without velocity-dependent forces, shape (n,); NaN if unstable."""
        n, last = self.linear.positions, self.linear.positions + self.linear.freedoms
        A = self.linear.A
        stiff = A[n:last, :n]
        if self.linear.freedoms < n:  # z' = B u, u' = K z:  u'' = K B u
            stiff = product(stiff, A[:n, n:last])
        square = np.sort(-np.linalg.eigvals(stiff).real)
        square[np.abs(square) <= 1e-9 * np.abs(square).max(initial=0.0)] = 0.0
        return np.where(square < 0.0, np.nan, np.sqrt(np.abs(square))) / (2.0 * np.pi)

    @property
    def frequencies(self) -> np.ndarray:
        """Frequencies |lambda| / 2 pi of all modes (Hz), shape (n,)."""
        return np.array([mode.frequency for mode in self.modes])

    @property
    def damped_frequencies(self) -> np.ndarray:
        """Frequencies |Im lambda| / 2 pi of all modes (Hz), shape (n,)."""
        return np.array([mode.damped_frequency for mode in self.modes])

    @property
    def damping_ratios(self) -> np.ndarray:
        """Damping ratios of all modes (1), shape (n,): 1 without oscillation, negative for growth."""
        return np.array([mode.damping_ratio for mode in self.modes])

    @property
    def spectral_radius(self) -> float:
        """Spectral radius L, the largest |lambda| (1/s)."""
        return float(np.abs(self.eigenvalues).max(initial=0.0))

    @property
    def stiffness_ratio(self) -> float:
        """Stiffness ratio S (1).

        Infinite if some eigenvalue has the real part zero (its mode neither decays nor grows), NaN
        if all have it.
        """
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
                f"{mode.damped_frequency:>10.5g} {damping:>9.4g}  {mode.summary}"
            )
        lines.append(f"spectral radius L = {self.spectral_radius:.5g} 1/s; {self._stiffness()}")
        undamped = [
            "none (unstable)" if np.isnan(f) else f"{f:.5g} Hz" for f in self.undamped_frequencies
        ]
        lines.append(f"without damping: {', '.join(undamped)}")
        return "\n".join([*lines, *([a.told] if a.told else [])])

    def _stiffness(self) -> str:
        """Text on S, also if it is not finite."""
        if np.isfinite(self.stiffness_ratio):
            return f"stiffness ratio S = {self.stiffness_ratio:.5g}"
        real = np.abs(self.eigenvalues.real)
        changing = real[real > _ZERO * self.spectral_radius]
        if not len(changing):
            return "no stiffness ratio S: no mode decays or grows"
        return (
            f"no stiffness ratio S: {len(real) - len(changing)} of {len(real)} eigenvalues neither "
            f"decay nor grow; for the others it is {changing.max() / changing.min():.5g}"
        )


@explains_arguments
@with_user_errors
def modes(model: Model, state: StateLike = None, *, coordinates: str = "relative") -> Modes:
    r"""Compute the vibration modes of a model about a consistent state.

    Parameters
    ----------
    model : Model
        The model.
    state : State, Assembly, Equilibrium, Solution, tuple or dict, optional
        State as in `simulate`; by default the assembled start. Away from an equilibrium the
        frequencies are those of the linearized equations at that instant.
    coordinates : {"relative", "cartesian"}, default "relative"
        Coordinates of the model.

    Returns
    -------
    Modes
        Eigenvalues, frequencies (Hz), damping ratios and shapes, slowest first.

    See Also
    --------
    linearize : Return the matrices of the linearized equations.
    vibrations : Compute natural frequencies of a model with beams.

    Notes
    -----
    An eigenvalue with the angular frequency :math:`\omega` and the damping ratio :math:`\zeta` is

    .. math:: \lambda = -\zeta \omega + i \omega \sqrt{1 - \zeta^2}

    Its frequency is :math:`\omega / 2 \pi`. The stiffness ratio and the spectral radius [Han1994]
    are

    .. math:: S = \frac{\max |\mathrm{Re} \lambda|}{\min |\mathrm{Re} \lambda|}, \qquad
        L = \max |\lambda|

    Examples
    --------
    >>> import kinetree as kt
    >>> m = kt.Model("pendulum")
    >>> rod = m.body("rod", kt.rod(mass=1.0, length=0.5))
    >>> hinge = m.joint("A", kt.Revolute(axis="y"), m.ground, rod.end("-"))
    >>> found = kt.modes(m, state=kt.equilibrium(m, guess={"A.angle": 1.0}))
    >>> round(float(found.frequencies[0]), 4)  # sqrt(3 g / (2 length)) / (2 pi)
    0.8634
    """
    linear = linearize(model, state=state, coordinates=coordinates)
    system = System(linear.assembly.compiled)
    system.values(linear.assembly.t, linear.assembly.q, linear.assembly.x)
    values, vectors = eigenpairs(linear.A, linear.positions, linear.freedoms)
    small = _ZERO * np.abs(values).max(initial=0.0)
    values = np.where(np.abs(values.imag) <= 1e-3 * small, values.real, values)
    keep = [k for k in np.lexsort((values.imag, np.abs(values))) if values[k].imag >= 0.0]
    shapes = Shapes(system, linear.assembly.q)
    return Modes(
        linear,
        tuple(
            shapes.mode(values[k], product(linear.basis, vectors[: linear.positions, k]))
            for k in keep
        ),
    )


class Shapes:
    """Amplitudes of joint coordinates and bodies for given velocities, at the present position."""

    def __init__(self, system: System, q: np.ndarray) -> None:
        self.system = system
        self.names = system.compiled.bodies[1:]
        self.parts = ModalEnergies(system, q)
        self.where = f" in model {system.compiled.model.name!r}"
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
        """The mode with these amplitudes of all degrees of freedom."""
        natural = motion * self.system.natural
        motion = motion / natural[np.argmax(np.abs(natural))] if natural.any() else motion
        joints = dict(zip(self.units, product(self.speeds, motion).astype(complex).tolist()))
        bodies = product(self.twists, motion)
        energies = self._energies(bodies) + self.parts.added(motion)
        shares = (energies / (energies.sum() or 1.0)).tolist()
        return Mode(
            complex(eigenvalue),
            NameDict("coordinate", self.where, joints),
            NameDict("body", self.where, dict(zip(self.names, bodies))),
            self.units,
            NameDict("body", self.where, self.parts.by_user(dict(zip(self.names, shares)))),
        )

    def _energies(self, bodies: np.ndarray) -> np.ndarray:
        """m |v|^2 + w . I w of every body, averaged over a period."""
        turn, travel = bodies[:, :3], bodies[:, 3:] + np.cross(bodies[:, :3], self.arms)
        spin = np.einsum("bi,bij,bj->b", turn.conj(), self.inertias, turn).real
        return self.system.tables.links["mass"][1:] * (np.abs(travel) ** 2).sum(axis=1) + spin


def _amplitude(value: complex) -> str:
    """An amplitude as text: signed if within ten degrees of the phase of the largest one or its
    opposite, otherwise modulus and phase lead.
    """
    if abs(value.imag) <= 0.17 * abs(value):
        return f"{value.real:+.3g}"
    return f"{abs(value):.3g} ({np.degrees(np.angle(value)):+.0f} deg)"

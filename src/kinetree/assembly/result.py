"""The result of an assembly: the state, what moved, and the constraint violations."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..core.display import Printable
from ..description.beam import Beam
from ..description.lowering.compiled import CompiledModel
from ..errors import counted
from .moved import advice, displacements, is_far
from .system import System

# fields of a state that satisfies all start values
AS_GIVEN: dict[str, Any] = {
    "changed": {},
    "misplaced": {},
    "turned": {},
    "moved_by": {},
    "velocity_missed": 0.0,
}


@dataclass(frozen=True, repr=False)
class Assembly(Printable):
    """A consistent state of a compiled model, with an account of how it was found.

    Returned by `assemble`, and kept by every solution as ``sol.assembly``.

    Attributes
    ----------
    t : float
        Time (s).
    q : ndarray, shape (nq,)
        Generalized coordinates (rad, m, or unit quaternions).
    v : ndarray, shape (nv,)
        Generalized velocities (rad/s, m/s).
    x : ndarray, shape (nx,)
        States of force elements and controllers, each in its own unit.
    coordinates : dict of str to float
        Every joint coordinate by name (rad or m).
    moved : dict of str to tuple of float
        Coordinates (rad or m) that moved: value as drawn, value as assembled.
    changed : dict of str to tuple of float
        Given coordinates and speeds that could not be satisfied: value given, value found.
    misplaced : dict of str to float
        Bodies that start at a distance (m) from the position that the model gives them.
    turned : dict of str to float
        Bodies that start at an angle (rad) from the rotation that the model gives them.
    moved_by : dict of str to str
        The joint or constraint that moved each of these bodies.
    violation : float
        Largest constraint residual of the positions (m; angles times the size of the model).
    velocity_violation : float
        Largest constraint residual of the velocities (m/s).
    acceleration_violation : float
        Largest constraint residual of the accelerations (m/s^2).
    violation_before : float
        Largest constraint residual of the positions as drawn (m).
    velocity_missed : float
        Largest constraint residual of the velocities as given (m/s).
    iterations : int
        Number of Newton iterations.
    absorbed : float
        Gap (m) that redundant equations leave because the loops do not close exactly.
    gaps : dict of str to tuple of (float, str)
        Joints that stay open: the gap (m), and the direction in which the joint would close it.
    happened : tuple of (str, int)
        Events that led to this state, with their directions; they are not detected again.
    rank : int
        Rank of the constraint Jacobian.
    redundant : tuple of (str, int)
        Joints and constraints with redundant equations, and how many.
    vdot : ndarray or None, shape (nv,)
        Generalized accelerations (rad/s^2, m/s^2), where they were computed.
    lam : ndarray or None, shape (ng,)
        Lagrange multipliers (N, N m), where they were computed.
    compiled : CompiledModel
        The compiled model.

    Examples
    --------
    >>> import kinetree as kt
    >>> from kinetree.models.four_bar import four_bar
    >>> assembly = kt.assemble(four_bar())
    >>> sorted(assembly.coordinates)
    ['A.angle', 'B.angle', 'C.angle', 'D.angle']
    """

    compiled: CompiledModel
    t: float
    q: np.ndarray
    v: np.ndarray
    x: np.ndarray
    coordinates: dict[str, float]  # every labelled joint coordinate
    moved: dict[str, tuple[float, float]] = field(
        default_factory=dict
    )  # coordinate: (as drawn, assembled)
    violation_before: float = 0.0
    violation: float = 0.0
    velocity_violation: float = 0.0
    velocity_missed: float = 0.0
    iterations: int = 0
    rank: int = 0
    redundant: tuple[tuple[str, int], ...] = ()
    vdot: np.ndarray | None = None  # accelerations and multipliers, where they were asked for
    lam: np.ndarray | None = None
    acceleration_violation: float = 0.0
    changed: dict[str, tuple[float, float]] = field(
        default_factory=dict
    )  # given coordinates, speeds: (given, had to be)
    absorbed: float = (
        0.0  # gap (m) that redundant equations keep, since the loops do not close exactly
    )
    gaps: dict[str, tuple[float, str]] = field(
        default_factory=dict
    )  # joints that are open: how far (m), what would take it
    happened: tuple[
        tuple[str, int], ...
    ] = ()  # events, with their directions, that have led to this state: they are over
    misplaced: dict[str, float] = field(
        default_factory=dict
    )  # bodies that start so far (m) from where the model puts them
    turned: dict[str, float] = field(
        default_factory=dict
    )  # bodies that start turned so far (rad) from the rotation given
    moved_by: dict[str, str] = field(
        default_factory=dict
    )  # the joint or constraint that moved each of these bodies

    @property
    def y(self) -> np.ndarray:
        """State vector (q, v, x), shape (n,)."""
        return np.concatenate([self.q, self.v, self.x])

    @property
    def mobility(self) -> int:
        """Number of degrees of freedom: velocities minus the rank of the constraints."""
        return len(self.v) - self.rank

    @property
    def mobility_positions(self) -> int:
        """Number of independent positions; larger than `mobility` if some equations restrict
        velocities alone (rolling wheels and blades).
        """
        system = System(self.compiled)
        if system.holonomic.all():
            return self.mobility
        system.values(self.t, self.q, self.x)
        return len(self.v) - system.position_rank()

    @property
    def told(self) -> str:
        """One line about start values that could not be satisfied; empty if there are none."""
        parts = [
            f"{name} is {found:.6g} instead of {given:.6g}"
            for name, (given, found) in self.changed.items()
        ]
        parts += displacements(self.compiled, self.misplaced, self.turned, self.moved_by)
        more = f" and {len(parts) - 4} more" if len(parts) > 4 else ""
        return f"Start values that had to change: {', '.join(parts[:4])}{more}." if parts else ""

    @property
    def told_first(self) -> str:
        """The same line with advice, if a body starts farther from its drawing than a hundredth of
        the size of the model; empty otherwise.
        """
        if not is_far(self.compiled, self.misplaced, self.turned):
            return ""
        return f"{self.told} {advice(self.compiled, self.moved_by)}".rstrip()

    @property
    def absorbed_in_words(self) -> str:
        """Where loops do not close exactly, and which joint would close the gap."""
        gaps = ", ".join(
            f"{gap:.2g} m at {name!r}" + (f" ({joint} would close it)" if joint else "")
            for name, (gap, joint) in self.gaps.items()
        )
        return (
            f"Gaps of up to {self.absorbed:.2g} m remain in redundant directions, where other "
            f"joints already constrain the motion: {gaps}."
        )

    @property
    def _beams(self) -> bool:
        """Whether the model has beams, which assembly treats as rigid bodies."""
        return any(isinstance(body, Beam) for body in self.compiled.model.bodies.values())

    def _kind(self, name: str) -> str:
        return "joint" if name in self.compiled.joints else "constraint"

    def __str__(self) -> str:
        first = self.told_first
        lines = [
            *([first] if first else []),
            f"Assembly of {self.compiled.model.name!r}: positions closed to {self.violation:.1e} m "
            f"(drawn {self.violation_before:.1e} m) in {counted(self.iterations, 'iteration')}, "
            f"velocities to {self.velocity_violation:.1e} m/s.",
        ]
        lines.append(
            f"{counted(len(self.v), 'velocity', 'velocities')}, "
            f"{counted(self.compiled.size['ng'], 'equation')} of rank "
            f"{self.rank}: {counted(self.mobility, 'degree', 'degrees')} of freedom"
            f"{' (beams count as rigid bodies)' if self._beams else ''}."
        )
        if self.mobility_positions != self.mobility:
            lines.append(
                f"Positions have {counted(self.mobility_positions, 'degree', 'degrees')} of freedom: "
                "some equations restrict velocities alone."
            )
        for name, count in self.redundant if not self._beams else ():
            lines.append(
                f"{counted(count, 'equation')} of {self._kind(name)} {name!r} "
                f"{'is' if count == 1 else 'are'} redundant."
            )
        for name, (before, after) in self.moved.items():
            lines.append(f"  {name} moved from {before:.6g} to {after:.6g} ({after - before:+.3g})")
        if self.vdot is not None:
            lines.append(
                f"Accelerations satisfy the constraints to {self.acceleration_violation:.1e} m/s^2."
            )
        if not first and (self.told or not self.moved):
            lines.append(self.told or "The drawn position already satisfies all constraints.")
        if self.absorbed:
            lines.append(self.absorbed_in_words)
        return "\n".join(lines)

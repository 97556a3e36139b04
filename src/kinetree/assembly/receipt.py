"""The receipt of an assembly: what was found, what moved, how well it fits."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..compile.compiled import CompiledModel
from ..shown import Shown


@dataclass(frozen=True, repr=False)
class Assembly(Shown):
    """A consistent initial state y = (q, v, x) of a compiled model, with the story of how it was found."""

    compiled: CompiledModel
    t: float
    q: np.ndarray
    v: np.ndarray
    x: np.ndarray
    coordinates: dict[str, float]  # every labelled joint coordinate
    moved: dict[str, tuple[float, float]] = field(default_factory=dict)  # coordinate: (as drawn, assembled)
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

    @property
    def y(self) -> np.ndarray:
        return np.concatenate([self.q, self.v, self.x])

    @property
    def mobility(self) -> int:
        return len(self.v) - self.rank

    def __str__(self) -> str:
        lines = [f"Assembly of {self.compiled.model.name!r}: positions closed to {self.violation:.1e} m "
                 f"(drawn {self.violation_before:.1e} m) in {self.iterations} iterations, "
                 f"velocities to {self.velocity_violation:.1e} m/s."]
        lines.append(f"{len(self.v)} velocities, {self.compiled.size['ng']} equations of rank {self.rank}: "
                     f"{self.mobility} degrees of freedom.")
        for name, count in self.redundant:
            lines.append(f"{count} equation(s) of {name!r} repeat what the others say.")
        for name, (before, after) in self.moved.items():
            lines.append(f"  {name} moved from {before:.6g} to {after:.6g} ({after - before:+.3g})")
        if self.vdot is not None:
            lines.append(f"Accelerations satisfy the constraints to {self.acceleration_violation:.1e} m/s^2.")
        if not self.moved:
            lines.append("Nothing had to move.")
        if self.velocity_missed > 1e-9:
            lines.append(f"The velocities asked for could not all be had; the largest difference is {self.velocity_missed:.3g}.")
        return "\n".join(lines)

"""Equations of motion that come with a model, instead of those that Kinetree would find from its
bodies.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np


class Bend(NamedTuple):
    """The line of what bends at nt moments: points (nt, n, 3), in the axes of its body or of the
    world.
    """

    points: np.ndarray
    sides: tuple[float, float]  # of the section, m
    across: np.ndarray | None = (
        None  # (nt, n, 3): direction of the first side; None of round sections
    )
    strain: np.ndarray | None = None  # (nt, n), of the fibre that is strained most


class Generated(Protocol):
    """What a model with equations of its own has in `model.generated` (see symbolic/equations.py)."""

    @property
    def digest(self) -> str:
        """What tells these equations from others."""

    @property
    def flexible(self) -> bool:
        """Whether there is more to them than rigid bodies, so that reactions do not follow from the
        bodies.
        """

    def lower(self, to: Any) -> np.ndarray:
        """Where its kernels lie; puts its numbers first into the pool of the compiler. Links and
        cuts are known.
        """

    def energies(self, compiled: Any, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Kinetic and potential energy (J) at states."""

    def channels(self, solution: Any) -> dict[str, Any]:
        """Channels of its own."""

    def bends(self, solution: Any | None) -> dict[str, Bend]:
        """The lines of flexible links in the axes of their bodies, at the samples or, without a
        solution, undeformed.
        """

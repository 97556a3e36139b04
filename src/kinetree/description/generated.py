"""Interface of generated equations of motion, which replace those that Kinetree derives from the
bodies of a model.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np


class Bend(NamedTuple):
    """The line of a flexible link at nt times: points (nt, n, 3), in the axes of its body or of the
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
        """Content hash of the equations."""

    @property
    def flexible(self) -> bool:
        """Whether the equations contain flexible links, so that reactions do not follow from the
        bodies.
        """

    def lower(self, to: Any) -> np.ndarray:
        """Return the addresses of its kernels; called when links and cuts are lowered. Its numbers
        come first in the pool.
        """

    def energies(self, compiled: Any, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Kinetic and potential energy (J) at states."""

    def channels(self, solution: Any) -> dict[str, Any]:
        """Additional channels."""

    def bends(self, solution: Any | None) -> dict[str, Bend]:
        """Lines of flexible links in the axes of their bodies, at the samples or, without a
        solution, undeformed.
        """

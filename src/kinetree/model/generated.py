"""Equations of motion that come with a model, instead of those that Kinetree would find from its bodies."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np


class Generated(Protocol):
    """What a model with equations of its own has in `model.generated` (see symbolic/plant.py)."""

    @property
    def digest(self) -> str:
        """What tells these equations from others."""

    @property
    def flexible(self) -> bool:
        """Whether there is more to them than rigid bodies, so that reactions do not follow from the bodies."""

    def lower(self, to: Any) -> np.ndarray:
        """Where its kernels lie; puts its numbers first into the pool of the compiler. Links and cuts are known."""

    def energies(self, compiled: Any, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Kinetic and potential energy (J) at states."""

    def channels(self, solution: Any) -> dict[str, Any]:
        """Channels of its own."""

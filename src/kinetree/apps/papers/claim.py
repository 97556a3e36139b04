"""A claim: one number or statement of a paper, and the same by Kinetree."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Claim:
    """What is claimed, what the paper prints (None: nothing), what Kinetree finds, whether the
    claim holds, and why.
    """

    claim: str
    paper: Any
    ours: Any
    holds: bool
    note: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "paper", _plain(self.paper))
        object.__setattr__(self, "ours", _plain(self.ours))
        object.__setattr__(self, "holds", bool(self.holds))

    def to_dict(self) -> dict[str, Any]:
        """Return the claim as a dict for JSON."""
        return asdict(self)


def _plain(value: Any) -> Any:
    """Convert NumPy numbers and arrays to plain ones."""
    if isinstance(value, np.ndarray | np.generic):
        return value.tolist()
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    return value


def agrees(ours, reference, rtol: float = 0.0, atol: float = 0.0) -> bool:
    """Whether all numbers are finite and within the tolerances of the reference."""
    ours, reference = np.asarray(ours, float), np.asarray(reference, float)
    return bool(
        np.all(np.isfinite(ours))
        and np.all(np.abs(ours - reference) <= atol + rtol * np.abs(reference))
    )

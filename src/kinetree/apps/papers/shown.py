"""Values of claims as short texts."""

from __future__ import annotations

from typing import Any


def shown(value: Any) -> str:
    """Format a value of a claim with few characters, without losing a digit."""
    if value is None:
        return "-"
    if isinstance(value, list):
        return ", ".join(map(shown, value))
    if isinstance(value, float):
        short = f"{value:.6g}" if abs(value) >= 1e-3 else f"{value:.3g}"
        return short if float(short) == value or abs(value) < 1e-3 else repr(value)
    return str(value)

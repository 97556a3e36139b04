"""Steering inputs: rack travel over time with two continuous derivatives."""

from __future__ import annotations

import kinetree as kt


def smooth_step(height: float, begin: float, rise: float) -> kt.SmoothStep:
    """From 0 to `height` within `rise` seconds."""
    return kt.SmoothStep(height, rise, begin)


def smooth_sine(amplitude: float, begin: float, period: float) -> kt.SmoothSine:
    """One period of a smooth sine: to one side, then to the other."""
    return kt.SmoothSine(amplitude, period, begin)

"""Steering inputs: rack travel over time with two continuous derivatives."""

from __future__ import annotations

import kinetree as kt


def smooth_step(height: float, begin: float, rise: float) -> kt.SmoothStep:
    """Return a rack travel that rises once, with two continuous derivatives.

    Parameters
    ----------
    height : float
        Travel after the rise (m).
    begin : float
        Time at which the rise begins (s).
    rise : float
        Duration of the rise (s).

    Returns
    -------
    kt.SmoothStep
        The time function.
    """
    return kt.SmoothStep(height, rise, begin)


def smooth_sine(amplitude: float, begin: float, period: float) -> kt.SmoothSine:
    """Return a rack travel to one side, to the other and back, with two continuous derivatives.

    Parameters
    ----------
    amplitude : float
        Largest travel (m), reached first on its own side.
    begin : float
        Time at which the motion begins (s).
    period : float
        Duration of the motion (s).

    Returns
    -------
    kt.SmoothSine
        The time function.
    """
    return kt.SmoothSine(amplitude, period, begin)

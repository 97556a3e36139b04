"""What a driver does with the rack over time, with two continuous derivatives."""

from __future__ import annotations

import math

import kinetree as kt


def smooth_step(height: float, begin: float, rise: float) -> kt.Function:
    """From 0 to `height` within `rise` seconds:  h s^3 (10 - 15 s + 6 s^2)."""
    height, begin, rise = float(height), float(begin), float(rise)

    def value(t):
        s = min(max((t - begin) / rise, 0.0), 1.0)
        return height * s**3 * (10.0 - 15.0 * s + 6.0 * s * s)

    def rate(t):
        s = min(max((t - begin) / rise, 0.0), 1.0)
        return height * 30.0 * (s * (1.0 - s)) ** 2 / rise

    def second(t):
        s = min(max((t - begin) / rise, 0.0), 1.0)
        return height * 60.0 * s * (1.0 - s) * (1.0 - 2.0 * s) / rise**2

    return kt.Function(value, rate, second, breakpoints=(begin, begin + rise))


def smooth_sine(amplitude: float, begin: float, period: float) -> kt.Function:
    """One swing to one side and back over the other:  a 4 / (3 sqrt 3) (sin u - sin(2 u) / 2),   u = 2 pi (t - begin) / period.

    The sine of the same period jumps in its velocity at both ends; this begins and ends at rest, with the same peak.
    """
    begin, period, size = float(begin), float(period), float(amplitude) * 4.0 / (3.0 * math.sqrt(3.0))
    end, w = begin + period, 2.0 * math.pi / period

    def value(t):
        u = w * (t - begin)
        return size * (math.sin(u) - 0.5 * math.sin(2.0 * u)) if begin < t < end else 0.0

    def rate(t):
        u = w * (t - begin)
        return size * w * (math.cos(u) - math.cos(2.0 * u)) if begin < t < end else 0.0

    def second(t):
        u = w * (t - begin)
        return size * w * w * (2.0 * math.sin(2.0 * u) - math.sin(u)) if begin < t < end else 0.0

    return kt.Function(value, rate, second, breakpoints=(begin, end))

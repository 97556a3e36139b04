"""The time functions, evaluated by their own kernels, with their parameters on the curve."""

from __future__ import annotations

import math

import numpy as np

import kinetree as kt
from kinetree.elements.roads.road import values

from .drawing import BODY, INK, arrow, dimension
from .isometric import text
from .joint_forces import plot


def curve(signal, limits, marks=(), spans=(), notes=()):
    """Plot f(t): `marks` are (t, f, name, shift), `spans` (start, end, name), `notes` free texts."""
    figure, axes = plot(4.2, 2.3, "$t$", "$f(t)$", limits)
    t = np.linspace(limits[0] + 0.001, 0.96 * limits[1], 600)
    axes.plot(t, values(signal, t)[0], color=BODY, lw=2.2)
    for at, value, name, shift in marks:
        axes.plot(at, value, "o", ms=4.5, color=INK, zorder=5)
        code(axes, (at + shift[0], value + shift[1]), name)
    for start, end, name in spans:
        dimension(axes, start, end, "")
        level = start[0] == end[0]
        shift = (
            (0.09 * (limits[1] - limits[0]), 0.0)
            if level
            else (0.0, (0.075 if start[1] > 0.0 else -0.075) * (limits[3] - limits[2]))
        )
        middle = (0.5 * (start[0] + end[0]) + shift[0], 0.5 * (start[1] + end[1]) + shift[1])
        code(axes, middle, name)
    for at, label in notes:
        text(axes, at, label, INK, size=8.5)
    return figure


def code(axes, at, name) -> None:
    """The name of a parameter."""
    text(axes, at, name, INK, size=8.5, family="monospace")


def constant():
    return curve(kt.Constant(0.6), (-0.1, 3.2, -0.2, 1.2), [(0.0, 0.6, "value", (0.3, 0.15))])


def ramp():
    return curve(
        kt.Ramp(0.5, start=0.2, begin=0.6, end=2.2),
        (-0.1, 3.2, -0.2, 1.4),
        [
            (0.6, 0.2, "begin", (0.12, -0.16)),
            (2.2, 1.0, "end", (0.0, 0.17)),
            (0.0, 0.2, "start", (0.28, 0.15)),
        ],
        notes=[((1.95, 0.5), "slope")],
    )


def sine():
    signal = kt.Sine(0.8, frequency=1.0, phase=0.5, offset=0.3, begin=0.5, end=2.5)
    marks = [
        (0.5, 0.3 + 0.8 * math.sin(0.5), "begin, phase", (-0.3, -0.19)),
        (2.5, 0.3 + 0.8 * math.sin(0.5), "end", (0.12, 0.22)),
    ]
    high = 0.5 + (0.5 * math.pi - 0.5) / (2.0 * math.pi)
    spans = [
        ((high, 1.25), (high + 1.0, 1.25), "1/frequency"),
        ((high + 1.0, 0.3), (high + 1.0, 1.1), "amplitude"),
    ]
    figure = curve(signal, (-0.3, 3.4, -0.75, 1.6), marks, spans)
    axes = figure.axes[0]
    axes.plot([0.0, 3.1], [0.3, 0.3], color=INK, lw=0.7, ls="--")
    code(axes, (3.0, 0.16), "offset")
    return figure


def table():
    t, f = [0.2, 1.0, 1.8, 2.8], [0.2, 1.0, 0.4, 0.8]
    figure = curve(
        kt.Table(t, f), (-0.1, 3.3, -0.2, 1.45), [(a, b, "", (0, 0)) for a, b in zip(t, f)]
    )
    axes = figure.axes[0]
    s = np.linspace(0.0, 3.1, 400)
    axes.plot(s, values(kt.Table(t, f, smooth=False), s)[0], color=INK, lw=0.9, ls="--")
    code(axes, (1.0, 1.2), "(times, values)")
    code(axes, (2.6, 0.06), "smooth=False")
    arrow(axes, (2.6, 0.15), (2.35, 0.6), INK, width=0.7, size=7)
    return figure


def _swing(t):
    return 0.7 * math.sin(t * t)


def function():
    signal = kt.Function(_swing, breakpoints=())
    note = [((1.35, 1.0), "any f(t), here 0.7 sin($t^2$)")]
    return curve(signal, (-0.1, 3.6, -1.0, 1.3), notes=note)


def cosine_bump():
    signal = kt.CosineBump(0.8, rise=1.0, fall=1.6, begin=0.5)
    spans = [
        ((0.5, -0.16), (1.5, -0.16), "rise"),
        ((1.5, -0.16), (3.1, -0.16), "fall"),
        ((1.5, 0.0), (1.5, 0.8), "height"),
    ]
    figure = curve(signal, (-0.1, 3.8, -0.45, 1.15), [(0.5, 0.0, "begin", (-0.28, 0.11))], spans)
    return figure


def exponential():
    return curve(
        kt.Exponential(0.9, rate=-1.0),
        (-0.1, 3.2, -0.2, 1.25),
        [(0.0, 0.9, "value", (0.3, 0.1))],
        notes=[((1.9, 0.72), "rate $< 0$: decay, 37 % after 1/|rate|")],
    )


def smooth_step():
    spans = [((0.6, -0.16), (2.2, -0.16), "rise"), ((2.6, 0.0), (2.6, 0.9), "height")]
    return curve(
        kt.SmoothStep(0.9, rise=1.6, begin=0.6),
        (-0.1, 3.4, -0.45, 1.2),
        [(0.6, 0.0, "begin", (-0.25, 0.12))],
        spans,
    )


def smooth_sine():
    signal = kt.SmoothSine(0.8, period=2.4, begin=0.5)
    spans = [((0.5, -0.98), (2.9, -0.98), "period"), ((1.3, 0.0), (1.3, 0.8), "amplitude")]
    return curve(signal, (-0.1, 3.6, -1.3, 1.15), [(0.5, 0.0, "begin", (-0.05, 0.17))], spans)


def entry():
    """An input that is set three times, each time with a value, a slope and a time."""
    figure, axes = plot(4.2, 2.3, "$t$", "$f(t)$", (-0.1, 3.4, -0.2, 1.4))
    for begin, end, a, b in ((0.0, 0.8, 0.3, 0.0), (0.8, 2.0, 0.3, 0.6), (2.0, 3.2, 0.6, 0.0)):
        last = a + b * (end - begin)
        axes.plot((begin, end), (a, last), color=BODY, lw=2.2)
        axes.plot(begin, a, "o", ms=4.5, color=INK, zorder=5)
    code(axes, (0.3, 0.45), "start")
    text(axes, (0.8, 0.08), "$t_0$, $a$", INK, size=8.5)
    text(axes, (1.6, 0.55), "$b$", INK, size=8.5)
    text(axes, (2.2, 1.2), "factor 1; set at each dot", INK, size=8.5)
    return figure


FIGURES = {
    "signal-constant": constant,
    "signal-input": entry,
    "signal-ramp": ramp,
    "signal-sine": sine,
    "signal-table": table,
    "signal-function": function,
    "signal-cosine-bump": cosine_bump,
    "signal-exponential": exponential,
    "signal-smooth-step": smooth_step,
    "signal-smooth-sine": smooth_sine,
}

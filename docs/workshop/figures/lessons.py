"""Figures of the tutorial and the tasks: modes, nodes of a beam, and a hydraulic circuit."""

from __future__ import annotations

import numpy as np

from .drawing import (
    BODY,
    FAINT,
    FORCE,
    GROUND,
    INK,
    MOTION,
    OTHER,
    arrow,
    dimension,
    sheet,
    triad,
)


def portal_frame_modes():
    """The two lowest modes in the plane, computed by `kt.vibrations`."""
    import matplotlib.pyplot as plt

    import kinetree as kt

    H, L = 3.0, 4.0
    square = kt.Section.rectangle(width=0.1, height=0.1, E=2.1e11, density=7850.0)
    lines = {
        "left": ((0, 0, 0), (0, 0, H)),
        "girder": ((0, 0, H), (L, 0, H)),
        "right": ((L, 0, 0), (L, 0, H)),
    }
    m = kt.Model("portal frame", gravity=(0, 0, 0))
    beam = {name: m.beam(name, line, square, elements=8) for name, line in lines.items()}
    machine = m.body("machine", kt.box(500.0, (0.4, 0.4, 0.4)), position=(L / 2, 0, H))
    m.joint("foot 1", kt.Fixed(), m.ground, beam["left"], at=(0, 0, 0))
    m.joint("foot 2", kt.Fixed(), m.ground, beam["right"], at=(L, 0, 0))
    m.joint("corner 1", kt.Fixed(), beam["left"], beam["girder"], at=(0, 0, H))
    m.joint("corner 2", kt.Fixed(), beam["right"], beam["girder"], at=(L, 0, H))
    m.joint("bolts", kt.Fixed(), beam["girder"], machine, at=(L / 2, 0, H))
    modes = kt.vibrations(m, count=6)
    plane = [k for k, s in enumerate(modes.shapes) if np.abs(s[:, 1]).max() < 1e-6][:2]
    figure, sheets = plt.subplots(1, 2, figsize=(7.0, 2.9))
    for axes, k, title in zip(sheets, plane, ("sway", "bending of the girder")):
        _mode(axes, modes, k, lines, beam)
        axes.set_title(f"{title}, {modes.frequencies[k]:.2f} Hz", fontsize=10)
    return figure


def _mode(axes, modes, k, lines, beam) -> None:
    """Draw the frame at rest and in one mode, largest displacement 0.7 m."""
    axes.set_aspect("equal")
    axes.axis("off")
    axes.set_xlim(-0.9, 4.9)
    axes.set_ylim(-0.25, 4.0)
    machine = modes.bodies.index("machine")
    way = modes.shapes[k][machine, :3]
    sign = np.sign(way[np.abs(way).argmax()])  # the machine moves right or up
    shape = sign * modes.shapes[k] * 0.7 / np.abs(modes.shapes[k][:, :3]).max()
    for name, line in lines.items():
        a, b = np.array(line)
        n = len(beam[name].nodes)
        drawn = a + np.linspace(0, 1, n)[:, None] * (b - a)
        first = modes.bodies.index(f"{name}.0")
        moved = drawn + shape[first : first + n, :3]
        axes.plot(drawn[:, 0], drawn[:, 2], color=FAINT, lw=1.2, ls="--")
        axes.plot(moved[:, 0], moved[:, 2], color=BODY, lw=2.5)
    at = np.array([2.0, 0.0, 3.0]) + shape[machine, :3]
    axes.plot(at[0], at[2], "s", ms=15, color=OTHER, mec=INK, zorder=4)
    for x in (0.0, 4.0):
        axes.plot([x - 0.3, x + 0.3], [0, 0], color=GROUND, lw=3)


def ruler_modes():
    """The first two bending modes of a clamped beam by Euler-Bernoulli theory."""
    import matplotlib.pyplot as plt

    figure, sheets = plt.subplots(1, 2, figsize=(7.0, 1.9))
    x = np.linspace(0, 1, 200)
    for axes, beta, name in zip(sheets, (1.87510407, 4.69409113), ("13.4 Hz", "83.8 Hz")):
        s = (np.sinh(beta) - np.sin(beta)) / (np.cosh(beta) + np.cos(beta))
        w = np.cosh(beta * x) - np.cos(beta * x) - s * (np.sinh(beta * x) - np.sin(beta * x))
        w = 0.22 * w / np.abs(w).max()
        axes.set_aspect("equal")
        axes.axis("off")
        axes.set_xlim(-0.1, 1.1)
        axes.set_ylim(-0.3, 0.3)
        axes.plot([0, 1], [0, 0], color=FAINT, lw=1.0, ls="--")
        axes.plot(x, w, color=BODY, lw=2.5)
        axes.plot(x, -w, color=BODY, lw=1.0, ls=":")
        axes.plot([0, 0], [-0.16, 0.16], color=GROUND, lw=4)
        axes.set_title(name, fontsize=10)
    return figure


def beam_nodes():
    """A clamped beam in four elements with its nodes and the axes of the section."""
    figure, axes = sheet(6.4, 2.4, (-0.7, 8.4, -1.35, 1.6))
    axes.plot([0, 0], [-0.7, 0.7], color=GROUND, lw=5)
    axes.plot([0, 6], [0, 0], color=BODY, lw=9, alpha=0.45, solid_capstyle="butt")
    for k in range(5):
        axes.plot(1.5 * k, 0, "o", ms=8, mfc="white", mec=INK, mew=1.3, zorder=4)
        axes.text(1.5 * k, -0.45, f"ruler.{k}", ha="center", fontsize=8.5)
    for k in range(4):
        axes.text(1.5 * k + 0.75, 0.3, f"element {k}", ha="center", fontsize=8.5, color=BODY)
    axes.text(0.12, 1.1, 'end("-")', fontsize=9, ha="left")
    axes.text(6.0, 1.1, 'end("+")', fontsize=9, ha="center")
    arrow(axes, (0.35, 1.0), (0.05, 0.2), INK, width=0.8, size=7)
    arrow(axes, (6.0, 1.0), (6.0, 0.2), INK, width=0.8, size=7)
    dimension(axes, (0, -1.0), (6, -1.0), "length", (0, -0.22))
    triad(axes, (7.1, -0.3), ("$x$", "$z$"), length=0.7, color=MOTION)
    axes.text(
        7.3, -0.85, "section: x along\nthe beam, z up", fontsize=8.5, ha="center", color=MOTION
    )
    return figure


def hydraulic_circuit():
    """Pump, relief valve, the four edges of the valve, and the two chambers of the cylinder."""
    figure, axes = sheet(6.8, 4.4, (-0.3, 11.0, -0.9, 6.2))
    _cylinder(axes)
    pipes = (
        ((2.4, 4.7), (2.4, 3.5)),
        ((5.8, 4.7), (5.8, 3.5)),
        ((1.6, -0.3), (1.6, 3.5), (3.2, 3.5), (3.2, 1.2)),
        ((5.0, 1.2), (5.0, 3.5), (6.6, 3.5), (6.6, -0.3)),
        ((3.2, 1.2), (9.8, 1.2), (9.8, -0.3)),
        ((8.4, 1.2), (8.4, -0.3)),
    )
    for line in pipes:
        axes.plot(*zip(*line), color=INK, lw=1.4, zorder=1)
    for x, y in ((2.4, 3.5), (5.8, 3.5), (5.0, 1.2), (8.4, 1.2)):
        axes.plot(x, y, "o", ms=4, color=INK, zorder=3)
    edges = {"1 to tank": 1.6, "pump to 1": 3.2, "pump to 2": 5.0, "2 to tank": 6.6}
    for name, x in edges.items():
        lifts = name in ("pump to 1", "2 to tank")
        color = MOTION if lifts else FORCE
        axes.plot(x, 2.5, "D", ms=11, mfc="white", mec=color, mew=1.6, zorder=3)
        axes.text(x + 0.12, 1.98, name, fontsize=7.5, ha="left", va="center", color=color)
    frame = ((0.9, 1.75), (8.1, 1.75), (8.1, 3.25), (0.9, 3.25), (0.9, 1.75))
    axes.plot(*zip(*frame), color=GROUND, lw=1.0, ls="--")
    axes.text(8.2, 3.0, "four-edge valve;\ngreen edges open to lift", fontsize=8, va="top")
    axes.plot(8.4, 0.45, "o", ms=25, mfc="white", mec=INK, mew=1.4, zorder=3)
    axes.text(7.95, 0.45, "pump", fontsize=8.5, va="center", ha="right")
    axes.plot(9.8, 0.45, "s", ms=18, mfc="white", mec=INK, mew=1.4, zorder=3)
    axes.text(10.1, 0.45, "relief\nvalve\n180 bar", fontsize=8, va="center")
    for x in (1.6, 6.6, 8.4, 9.8):
        tank = ((x - 0.35, -0.2), (x - 0.35, -0.5), (x + 0.35, -0.5), (x + 0.35, -0.2))
        axes.plot(*zip(*tank), color=INK, lw=1.4)
    axes.text(4.1, -0.42, "tank", fontsize=8.5, ha="center")
    arrow(axes, (8.4, 0.85), (8.4, 1.15), MOTION)
    arrow(axes, (3.2, 3.0), (3.2, 3.45), MOTION)
    arrow(axes, (2.4, 3.9), (2.4, 4.5), MOTION)
    arrow(axes, (5.8, 4.5), (5.8, 3.9), MOTION)
    arrow(axes, (6.6, 1.6), (6.6, 0.9), MOTION)
    return figure


def _cylinder(axes) -> None:
    """Draw the cylinder with its chambers, its piston and its rod."""
    wall = ((2.0, 4.7), (6.2, 4.7), (6.2, 5.9), (2.0, 5.9), (2.0, 4.7))
    axes.fill([2.0, 3.9, 3.9, 2.0], [4.7, 4.7, 5.9, 5.9], color="#f6dfae")
    axes.fill([4.2, 6.2, 6.2, 4.2], [4.7, 4.7, 5.9, 5.9], color="#fbf0d6")
    axes.plot(*zip(*wall), color=INK, lw=1.6)
    axes.fill([3.9, 4.2, 4.2, 3.9], [4.7, 4.7, 5.9, 5.9], color=BODY)
    axes.fill([4.2, 7.8, 7.8, 4.2], [5.15, 5.15, 5.45, 5.45], color=BODY)
    axes.text(2.95, 5.3, "chamber 1\n$p_1$, $A_1$", ha="center", va="center", fontsize=8.5)
    axes.text(5.2, 5.68, "chamber 2", ha="center", va="center", fontsize=8)
    axes.text(5.2, 4.93, "$p_2$, $A_2$", ha="center", va="center", fontsize=8)
    arrow(axes, (7.9, 5.3), (8.8, 5.3), FORCE, width=1.8)
    axes.text(8.9, 5.3, "$F = p_1 A_1 - p_2 A_2$", color=FORCE, va="center", fontsize=8.5)


FIGURES = {
    "portal-frame-modes": portal_frame_modes,
    "learn-ruler-modes": ruler_modes,
    "learn-beam-nodes": beam_nodes,
    "learn-hydraulic-circuit": hydraulic_circuit,
}

"""Figures of methods: projection onto the constraints, drift, stability regions, energy."""

from __future__ import annotations

import math

import numpy as np

from .drawing import BODY, FAINT, FORCE, INK, MOTION, OTHER, arrow, sheet

COLORS = ("#1b3a5b", BODY, "#5b9a8b", MOTION, OTHER, "#c97b3d", FORCE, "#7a68a6")


def projection():
    """A step leaves the surface g = 0 and is moved back to the nearest point."""
    figure, axes = sheet(5.6, 2.5, (-0.2, 5.4, 0.2, 2.4))

    def surface(x):
        return 0.35 + 0.55 * x - 0.075 * x * x

    x = np.linspace(0.0, 5.0, 100)
    axes.plot(x, surface(x), color=BODY, lw=2.2)
    axes.text(4.75, surface(4.75) - 0.32, "$g(q) = 0$", color=BODY, ha="center")
    old, slope = np.array([1.0, surface(1.0)]), 0.55 - 0.15
    new = old + 2.35 * np.array([1.0, slope]) + (0.0, 0.18)
    s = np.linspace(1.0, 5.0, 2000)
    nearest = np.argmin((s - new[0]) ** 2 + (surface(s) - new[1]) ** 2)
    foot = np.array([s[nearest], surface(s[nearest])])
    arrow(axes, old, new, INK, width=1.4)
    axes.text(1.6, 1.55, "step of the integrator", ha="center", fontsize=9)
    arrow(axes, new, foot, FORCE, width=1.6)
    axes.text(new[0] + 0.12, new[1] + 0.02, "$q^*$", va="bottom")
    axes.text(
        3.75, 1.68, "projection,\nnearest in the mass norm", color=FORCE, fontsize=9, va="center"
    )
    for point in (old, foot):
        axes.plot(*point, "o", ms=6, color=INK, zorder=5)
    axes.text(1.0, 0.55, "$q_n$", ha="center")
    axes.text(foot[0] + 0.02, foot[1] - 0.32, "$q_{n+1}$", ha="center")
    return figure


def drift():
    """Gap at pin C of the four-bar over a minute, by three formulations at rtol 1e-4."""
    import kinetree as kt
    from kinetree.models.four_bar import four_bar

    figure, axes = plot("time [s]", "gap at pin C [m]", 6.2, 3.4)
    for options, color, label in [
        ({"formulation": "baumgarte", "stabilisation": 0.0}, FORCE, "accelerations only"),
        ({"formulation": "baumgarte"}, OTHER, "Baumgarte, 20 1/s"),
        ({"formulation": "augmented"}, BODY, "projection (default)"),
    ]:
        error = kt.simulate(four_bar(), until=60.0, rtol=1e-4, **options).constraint_error
        t, gap = _envelope(error.t, np.maximum(error.position, 1e-16))
        axes.semilogy(t, gap, color=color, lw=1.5, label=label)
    axes.set_ylim(1e-16, 1.0)
    axes.set_xlim(0.0, 60.0)
    axes.legend(frameon=False, fontsize=9, loc="center right")
    return figure


def _envelope(t, values, parts=120):
    """Return the largest value in each of `parts` intervals of time."""
    edges = np.linspace(0.0, t[-1], parts + 1)
    which = np.clip(np.searchsorted(edges, t, side="right") - 1, 0, parts - 1)
    used = np.unique(which)
    return 0.5 * (edges[used] + edges[used + 1]), np.array([values[which == k].max() for k in used])


def plot(xlabel, ylabel, width=4.6, height=3.6):
    """Return a figure with ordinary axes."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(width, height))
    axes.set_xlabel(xlabel)
    axes.set_ylabel(ylabel)
    axes.grid(color=FAINT, lw=0.4)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    return figure, axes


def adams_weights(steps, implicit):
    """Return the weights of f at the new time (if implicit) and at earlier times.

    They integrate the polynomial through the values from 0 to 1, the new time being 1.
    """
    nodes = np.array([1 - k if implicit else -k for k in range(steps)], float)
    powers = np.vander(nodes, increasing=True).T
    return np.linalg.solve(powers, 1.0 / np.arange(1, steps + 1))


def pece_growth(predictor, corrector, z):
    """Return the largest root of PECE with formulas of the given orders, z = h lambda.

    predicted  y* = y_n + z sum b_k y_(n-k)
    corrected  y  = y_n + z (c_0 y* + sum c_k y_(n+1-k))
    """
    b, c = adams_weights(predictor, False), adams_weights(corrector, True)
    row = np.zeros(max(predictor, corrector - 1), complex)
    row[0] = 1.0 + z * c[0]
    row[:predictor] += z * z * c[0] * b
    row[: corrector - 1] += z * c[1:]
    companion = np.eye(len(row), k=-1, dtype=complex)
    companion[0] = row
    return np.abs(np.linalg.eigvals(companion)).max()


def bdf_boundary(order, points=400):
    """Return z on the unit circle of the BDF, sum over k of (1 - 1/zeta)^k / k = z."""
    zeta = np.exp(1j * np.linspace(0.0, 2.0 * math.pi, points))
    return sum((1.0 - 1.0 / zeta) ** k / k for k in range(1, order + 1))


def stability_adams():
    """Stability regions of `adams`: predictor of order k, corrector of order k + 1."""
    figure, axes = plot(r"Re $h\lambda$", r"Im $h\lambda$", 4.8, 4.0)
    x, y = np.linspace(-2.6, 0.7, 133), np.linspace(-1.85, 1.85, 149)
    for order, color in zip((1, 2, 3, 4, 6, 8), COLORS):
        growth = np.array([[pece_growth(order, order + 1, a + 1j * b) for a in x] for b in y])
        axes.contour(x, y, growth, levels=[1.0], colors=[color], linewidths=1.5)
        axes.plot([], [], color=color, label=f"order {order}")
    axes.axhline(0.0, color=INK, lw=0.6)
    axes.axvline(0.0, color=INK, lw=0.6)
    axes.set_aspect("equal")
    axes.legend(frameon=False, fontsize=8.5, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    axes.set_title("stable inside the curves", fontsize=10)
    return figure


def stability_bdf():
    """Stability regions of BDF: outside the closed curves."""
    figure, axes = plot(r"Re $h\lambda$", r"Im $h\lambda$", 4.8, 4.0)
    for order, color in zip(range(1, 7), COLORS):
        z = bdf_boundary(order)
        axes.plot(z.real, z.imag, color=color, lw=1.5, label=f"order {order}")
    axes.axhline(0.0, color=INK, lw=0.6)
    axes.axvline(0.0, color=INK, lw=0.6)
    axes.set_xlim(-10.0, 32.0)
    axes.set_ylim(-20.0, 20.0)
    axes.set_aspect("equal")
    axes.legend(frameon=False, fontsize=8.5, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    axes.set_title("stable outside the curves", fontsize=10)
    return figure


def energy_balance():
    """Kinetic, potential and total energy of the falling four-bar."""
    import kinetree as kt
    from kinetree.models.four_bar import four_bar

    sol = kt.simulate(four_bar(), until=3.0)
    figure, axes = plot("time [s]", "energy [J]", 5.6, 3.0)
    start = sol["energy.potential"][0]
    for name, values, color in [
        ("kinetic", sol["energy.kinetic"], MOTION),
        ("potential", sol["energy.potential"] - start, BODY),
        ("sum", sol["energy.kinetic"] + sol["energy.potential"] - start, FORCE),
    ]:
        axes.plot(sol.t, values, color=color, lw=1.5, label=name)
    axes.legend(frameon=False, fontsize=9, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return figure


FIGURES = {
    "projection": projection,
    "drift": drift,
    "stability-adams": stability_adams,
    "stability-bdf": stability_bdf,
    "energy-balance": energy_balance,
}

"""Figures of the five papers: energies and stiffness of their examples."""

from __future__ import annotations

import numpy as np

from .drawing import BODY, FORCE, INK, OTHER
from .methods import plot

STEP = 1.875  # s, [Yun2005, example 2]: u'' = -2 u^3, u = 1 at rest


def spring_force(rule, old, new):
    """Return the force of the quartic spring k u^4 / 2 with k = 1 over a step."""
    if rule == "energy-conserving":
        return 0.5 * (new + old) * (new**2 + old**2)
    if rule == "midpoint":
        return 2.0 * (0.5 * (new + old)) ** 3
    return new**3 + old**3


def spring_energy(rule, steps=24) -> np.ndarray:
    """Return E / E0 over the steps; each step is solved for its new position."""
    from scipy.optimize import brentq

    u, v, energy = 1.0, 0.0, [1.0]
    for _ in range(steps):

        def residual(new, u=u, v=v):
            return 2.0 * ((new - u) / STEP - v) / STEP + spring_force(rule, u, new)

        new = brentq(residual, -50.0, 50.0, xtol=1e-15)
        u, v = new, 2.0 * (new - u) / STEP - v
        energy.append((0.5 * v * v + 0.5 * u**4) / 0.5)
    return np.array(energy)


def quartic_energy():
    """Energy of the quartic spring with three rules."""
    figure, axes = plot("step", "energy / energy at the start", 5.4, 3.2)
    for rule, color in (("midpoint", FORCE), ("trapezoidal", OTHER), ("energy-conserving", BODY)):
        axes.plot(spring_energy(rule), "o-", ms=3, color=color, lw=1.2, label=rule)
    axes.legend(frameon=False, fontsize=9, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return figure


def rotor_on_a_hinge():
    """Return a sphere that circles about a hinge with 3 rad/s, without gravity."""
    import kinetree as kt

    m = kt.Model("rotor", gravity=(0, 0, 0))
    ball = m.body("ball", kt.sphere(mass=1.0, radius=0.05))
    m.joint("hinge", kt.Revolute(axis="y"), m.ground, ball.at(0, 0, 1), speed={"angle": 3.0})
    return m


def free_rotor_run(formulation, step):
    """Return a run of 2 s in Cartesian coordinates with fixed steps."""
    import kinetree as kt

    fixed = {"integrator": "rk4", "step": step, "coordinates": "cartesian"}
    return kt.simulate(rotor_on_a_hinge(), until=2.0, formulation=formulation, **fixed)


def literal_projection():
    """Energy of a free rotor with the basis as printed and with the renormalized basis."""
    figure, axes = plot("time [s]", "energy / energy at the start", 5.4, 3.2)
    runs = [("projection-literal", h, c) for h, c in ((0.02, FORCE), (0.01, OTHER), (0.005, INK))]
    for name, h, color in [*runs, ("projection", 0.02, BODY)]:
        sol = free_rotor_run(name, h)
        energy = sol["energy.kinetic"]
        axes.plot(sol.t, energy / energy[0], color=color, lw=1.5, label=f"{name}, h = {h:g} s")
    axes.set_ylim(0.8, 1.02)
    axes.legend(frameon=False, fontsize=8.5, loc="lower left")
    return figure


def quarter_car_stiffness():
    """L of the quarter car, and where the method as printed changes to BDF."""
    import kinetree as kt
    from kinetree.models.catalogue import model_entry

    sol = kt.simulate(
        model_entry("quarter-car").build(),
        until=2.5,
        integrator="switching",
        linearize_every=0.05,
        rtol=1e-6,
    )
    figure, axes = plot("time [s]", "L [1/s]", 5.4, 3.2)
    axes.semilogy(sol.steps.t, sol.steps.stiffness, color=BODY, lw=1.6)
    axes.axhline(1500.0, color=FORCE, lw=1.0, ls="--")
    axes.text(0.05, 1700.0, "threshold 1500 1/s", color=FORCE, fontsize=9)
    change = sol.switches[0].t
    axes.axvline(change, color=INK, lw=1.0, ls=":")
    axes.text(change - 0.05, 80.0, "Adams", ha="right", fontsize=9)
    axes.text(change + 0.05, 80.0, "BDF", ha="left", fontsize=9)
    return figure


FIGURES = {
    "quartic-energy": quartic_energy,
    "literal-projection": literal_projection,
    "quarter-car-stiffness": quarter_car_stiffness,
}

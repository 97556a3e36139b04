"""The three small examples of [Yun2005, sec. 4]: a linear spring, a quartic one, and a flexible joint between two bodies.

    E = k u^2 / 2;     E = k u^4 / 2;     E = k_l (u1 - u2)^4 / 2 + k_t (th1 - th2)^2 / 2

What the paper can and cannot show: its figures have lost their axes. Eq. (36a) lacks the factor k; eq. (37a), called the
trapezoidal rule, is the midpoint rule; eqs. (39b, f), called energy-conserving, are the midpoint rule too, and (39d, h) have half
the torsional stiffness. With k = 1 N/m^3 the midpoint rule shows the growth of Fig. 5 (h = 1.875 s is a resonance of it), but it
is bounded: no converged solution diverges. The initial turns of the third example are not printed; 0.1 and 0 rad are taken.
"""

from __future__ import annotations

import numpy as np

import kinetree as kt

from ..figures import save
from ..results.figure import new_figure, with_legends
from .claim import Claim, agrees

RULES = ("energy-conserving", "midpoint", "trapezoidal")
ROUNDING = 1e-11  # of the energy, over thousands of steps


def oscillator(k: float, power: int, u0: float) -> kt.Model:
    """A mass of 1 kg on a rail with a spring of energy k u^power / 2."""
    m = kt.Model("oscillator", gravity=(0, 0, 0))
    ball = m.body("ball", kt.sphere(1.0, 0.1))
    m.joint("rail", kt.Translational(axis="x"), m.ground, ball, start={"displacement": u0})
    law = kt.Polynomial(*[0.0] * (power - 2), 0.5 * power * k)
    m.force("spring", kt.TorsionSpring("rail.displacement", law=law))
    return m


def flexible_joint(k_l: float, k_t: float) -> kt.Model:
    """Two bodies that slide and turn on one line, with a quartic spring and a torsion spring between them."""
    m = kt.Model("flexible joint", gravity=(0, 0, 0))
    one, two = m.body("one", kt.mass(1.0, (1e-3,) * 3)), m.body("two", kt.mass(2.0, (20e-3,) * 3))
    line = kt.Cylindrical(axis="x")
    m.joint("guide", line, m.ground, two, start={"displacement": 0.0, "angle": 0.0})
    m.joint("joint", line, two, one, start={"displacement": 1.0, "angle": 0.1})
    m.force("axial", kt.TorsionSpring("joint.displacement", law=kt.Polynomial(0.0, 0.0, 2.0 * k_l)))
    m.force("torsion", kt.TorsionSpring("joint.angle", stiffness=k_t))
    return m


def energy_range(model: kt.Model, rule: str, h: float, steps: int) -> tuple[float, float]:
    """Least and largest energy in units of that at the start."""
    sol = kt.simulate(model, steps * h, integrator=rule, step=h, output_interval=h, progress=False)
    ratio = sol.energy.total / sol.energy.total[0]
    return float(ratio.min()), float(ratio.max())


def energy_figure(path, model: kt.Model, h: float, steps: int) -> None:
    """Total energy by the three rules, in units of that at the start."""
    plot, axes = new_figure(1)
    for rule in RULES:
        sol = kt.simulate(model, steps * h, integrator=rule, step=h, output_interval=h, progress=False)
        axes[0].plot(sol.t, sol.energy.total / sol.energy.total[0], label=rule, linewidth=1.2)
    axes[0].set_xlabel("time [s]")
    axes[0].set_ylabel("energy / energy at the start")
    with_legends(plot, axes)
    save(plot, path)


def figure_linear(path) -> None:
    """Figs. 2 and 3."""
    energy_figure(path, oscillator(1.0, 2, 1.5), 1.875, 32)


def figure_quartic(path) -> None:
    """Figs. 4 and 5."""
    energy_figure(path, oscillator(1.0, 4, 1.5), 1.875, 60)


def figure_joint(path) -> None:
    """Fig. 7."""
    energy_figure(path, flexible_joint(1.0, 1.0), 0.1, 300)


def _exact(model: kt.Model, h: float, steps: int) -> Claim:
    low, high = energy_range(model, RULES[0], h, steps)
    error = max(high - 1.0, 1.0 - low)
    return Claim("energy-conserving: the total energy is constant", "constant", error, error <= ROUNDING,
                 f"largest change over {steps} steps of {h:g} s; allowed {ROUNDING:g}")


def check_linear() -> list[Claim]:
    """Figs. 2 and 3: all rules are the same, and keep the energy."""
    found = []
    for k in (1.0, 1000.0):
        ranges = [energy_range(oscillator(k, 2, 1.5), rule, 1.875, 500) for rule in RULES]
        error = float(np.abs(np.array(ranges) - 1.0).max())
        found.append(Claim(f"k = {k:g} N/m: the three rules keep the energy", "constant", error, error <= ROUNDING,
                           "of a linear spring the discrete gradient, midpoint and mean are one force"))
    ends = [kt.simulate(oscillator(1.0, 2, 1.5), 60.0, integrator=rule, step=1.875, progress=False)["rail.displacement"]
            for rule in RULES]
    gap = float(max(np.abs(e - ends[0]).max() for e in ends))
    return [*found, Claim("Figs. 2, 3: both algorithms give the same motion", "identical", gap, gap <= 1e-10)]


def check_quartic() -> list[Claim]:
    """Figs. 4 to 7: one rule keeps the energy, the others do not."""
    soft, stiff, h = oscillator(1.0, 4, 1.0), oscillator(1000.0, 4, 1.0), 1.875
    midpoint, trapezoidal = energy_range(soft, "midpoint", h, 2000), energy_range(soft, "trapezoidal", h, 2000)
    six = kt.simulate(soft, 12 * h, integrator="midpoint", step=h, output_interval=h, progress=False).energy.total
    hard = energy_range(stiff, "midpoint", h, 2000)
    return [
        _exact(soft, h, 2000), _exact(stiff, h, 2000),
        Claim("Fig. 5: the energy of eq. (37a) goes up", "diverges", list(midpoint), agrees(midpoint, (0.617, 13.32), rtol=2e-3),
              "the midpoint rule, k = 1 N/m^3: least and largest E / E0; it stays in this range for ever"),
        Claim("... and looks like divergence in a short figure", "diverges", float(six[6] / six[0]), six[6] > 11.0 * six[0],
              f"E / E0 after 6 steps; after 12 it is {six[12] / six[0]:.2f} again"),
        Claim("the trapezoidal rule, of the mean of both forces", None, list(trapezoidal),
              agrees(trapezoidal, (1.0, 3.64), rtol=2e-3), "not what the paper computed"),
        Claim("with k = 1 kN/m^3, as printed, the energy of eq. (37a) falls", None, list(hard),
              agrees(hard, (0.024, 1.025), rtol=2e-2), "so k = 1 N/m^3 is what the authors ran"),
    ]


def check_joint() -> list[Claim]:
    """Figs. 8 to 13: kept by one rule, and not diverging by the others."""
    soft, stiff, h, steps = flexible_joint(1.0, 5.0), flexible_joint(1000.0, 5000.0), 0.1, 2000
    found = [_exact(soft, h, steps), _exact(stiff, h, steps)]
    for model, unit, rule, allowed in ((soft, "N", "midpoint", (0.995, 1.0)), (soft, "N", "trapezoidal", (1.0, 1.009)),
                                       (stiff, "kN", "midpoint", (0.15, 1.0)), (stiff, "kN", "trapezoidal", (0.997, 3.03))):
        ours = energy_range(model, rule, h, steps)
        found.append(Claim(f"k_l = 1 {unit}/m^3: the energy of the {rule} rule", "diverges", list(ours),
                           agrees(ours, allowed, rtol=4e-2), "Figs. 11 to 13 show divergence; no converged solution of either "
                           "rule diverges, in any reading of the units. Solving body by body, or stopping Newton early, does."))
    return found

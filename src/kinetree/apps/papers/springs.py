"""The three small examples of [Yun2005, sec. 4]: a linear spring, a quartic one, and a flexible
joint between two bodies.

    E = k u^2 / 2;     E = k u^4 / 2;     E = k_l (u1 - u2)^4 / 2 + k_t (th1 - th2)^2 / 2

The figures of the paper have no legible axes. Eq. (36a) lacks the factor k. Eq. (37a), called the
trapezoidal rule, is the midpoint rule. Eqs. (39b, f), called energy-conserving, are the midpoint
rule too, and (39d, h) have half the torsional stiffness. With k = 1 N/m^3 the midpoint rule shows
the growth of Fig. 5, because h = 1.875 s is a resonance of it; but the growth is bounded: no
converged solution diverges. The initial angles of the third example are not printed; 0.1 and 0 rad
are proposed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import kinetree as kt

from .claim import Claim, agrees
from .references import springs as by_hand

RULES = ("energy-conserving", "midpoint", "trapezoidal")
PRINTED = {"printed": True}
H = 1.875  # s, as printed
ROUNDING, SAME = (
    1e-11,
    1e-10,
)  # of the energy over thousands of steps; of histories of some hundred steps


def oscillator(k: float, power: int, u0: float) -> kt.Model:
    """Return a mass of 1 kg on a rail with a spring of energy k u^power / 2."""
    m = kt.Model("oscillator", gravity=(0, 0, 0))
    ball = m.body("ball", kt.sphere(1.0, 0.1))
    m.joint("rail", kt.Translational(axis="x"), m.ground, ball, start={"displacement": u0})
    law = kt.Polynomial(*[0.0] * (power - 2), 0.5 * power * k)
    m.force("spring", kt.TorsionSpring("rail.displacement", law=law))
    return m


def flexible_joint(k_l: float, k_t: float, turn: float = 0.1) -> kt.Model:
    """Return two bodies that slide and rotate on one line, with a quartic spring and a torsion
    spring between them.
    """
    m = kt.Model("flexible joint", gravity=(0, 0, 0))
    one, two = m.body("one", kt.mass(1.0, (1e-3,) * 3)), m.body("two", kt.mass(2.0, (20e-3,) * 3))
    line = kt.Cylindrical(axis="x")
    m.joint("guide", line, m.ground, two, start={"displacement": 0.0, "angle": 0.0})
    m.joint("joint", line, two, one, start={"displacement": 1.0, "angle": turn})
    m.force("axial", kt.TorsionSpring("joint.displacement", law=kt.Polynomial(0.0, 0.0, 2.0 * k_l)))
    m.force("torsion", kt.TorsionSpring("joint.angle", stiffness=k_t))
    return m


def energy_range(
    model: kt.Model, rule: str, h: float, steps: int, **options: Any
) -> tuple[float, float]:
    """Return the least and the largest energy over the energy at the start."""
    energy = run(model, rule, h, steps, **options).energy.total
    return float((energy / energy[0]).min()), float((energy / energy[0]).max())


def run(model: kt.Model, rule: str, h: float, steps: int, **options: Any):
    """Return the run with a sample at every step."""
    return kt.simulate(
        model, steps * h, integrator=rule, step=h, output_interval=h, progress=False, **options
    )


def _history(solution, joint: str) -> np.ndarray:
    return np.column_stack(
        [solution[f"{joint}.displacement"], solution[f"{joint}.displacement.rate"]]
    )


def _same(
    claim: str, paper: str | None, ours: np.ndarray, reference: np.ndarray, what: str
) -> Claim:
    """The claim that a history agrees with the one by hand, up to the rounding of some hundred
    steps.
    """
    error = float((np.abs(ours - reference) / np.abs(reference).max(axis=0)).max())
    return Claim(
        claim,
        paper,
        error,
        error <= SAME,
        f"largest difference over the largest value from {what}; allowed {SAME:g}, the rounding "
        "of the steps",
    )


def _constant(claim: str, model: kt.Model, h: float, steps: int) -> Claim:
    error = max(abs(x - 1.0) for x in energy_range(model, "energy-conserving", h, steps))
    return Claim(
        claim,
        "constant",
        error,
        error <= ROUNDING,
        f"largest change of E / E0 in {steps} steps; allowed {ROUNDING:g}, their rounding",
    )


def check_linear() -> list[Claim]:
    """Figs. 2 and 3: the three rules are the same and conserve the energy."""
    found = []
    for k in (1.0, 1000.0):
        histories = [_history(run(oscillator(k, 2, 1.5), rule, H, 60), "rail") for rule in RULES]
        unit = "N" if k == 1.0 else "kN"
        found += [
            _same(
                f"Fig. 2: displacement and velocity by the {rule} rule, k = 1 {unit}/m",
                "both algorithms identical",
                ours,
                by_hand.linear(k, 1.5, H, 60),
                "the closed form u0 cos(n phi)",
            )
            for rule, ours in zip(RULES, histories)
        ]
        found.append(
            _constant(
                f"Fig. 3: the total energy is constant, k = 1 {unit}/m",
                oscillator(k, 2, 1.5),
                H,
                500,
            )
        )
    return found


def check_quartic() -> list[Claim]:
    """Figs. 4 to 7: one rule conserves the energy, the others do not."""
    soft, stiff = oscillator(1.0, 4, 1.0), oscillator(1000.0, 4, 1.0)
    ours = {rule: run(soft, rule, H, 60) for rule in RULES}
    hand = {rule: by_hand.history(rule, 1.0, 4, 1.0, H, 60) for rule in RULES}
    ratio = ours["midpoint"].energy.total / ours["midpoint"].energy.total[0]
    true = ours["trapezoidal"].energy.total / ours["trapezoidal"].energy.total[0]
    hard = energy_range(stiff, "midpoint", H, 60)
    return [
        _same(
            "Fig. 4: displacement and velocity by eq. (37a)",
            "trapezoidal",
            _history(ours["midpoint"], "rail"),
            hand["midpoint"],
            "the midpoint rule by hand, which (37a) is (erratum E-20)",
        ),
        _same(
            "Fig. 4: the same by the trapezoidal rule",
            None,
            _history(ours["trapezoidal"], "rail"),
            hand["trapezoidal"],
            "the mean of both forces by hand",
        ),
        Claim(
            "Fig. 5: the energy by eq. (37a) rises more than tenfold within six steps",
            "diverges",
            float(ratio[6]),
            agrees(ratio[6], _energy_by_hand(hand["midpoint"])[6], rtol=1e-10)
            and ratio[:7].max() > 10.0,
            "E / E0 after six steps with k = 1 N/m^3; as by hand to 1e-10, twice the bound on the "
            "growth of rounding there",
        ),
        Claim(
            "Fig. 5: then it falls again: it is bounded",
            "diverges",
            [float(ratio.min()), float(ratio.max())],
            ratio[12] < 2.0 and ratio.max() < 14.0,
            f"least and largest E / E0 of 60 steps; {ratio[12]:.2f} after twelve. The midpoint "
            "map is symplectic and one-dimensional, so that invariant curves around the resonance "
            "bound it (erratum E-24)",
        ),
        Claim(
            "Fig. 5: the energy by the true trapezoidal rule",
            None,
            [float(true.min()), float(true.max())],
            agrees(true, _energy_by_hand(hand["trapezoidal"]), rtol=1e-10),
            "least and largest E / E0 of 60 steps, as by hand to 1e-10",
        ),
        Claim(
            "Fig. 5: with k = 1 kN/m, as printed, the energy by eq. (37a) does not rise",
            "diverges",
            list(hard),
            hard[1] < 1.1,
            "least and largest E / E0: the figure needs k = 1 N/m^3 (erratum E-23)",
        ),
        _same(
            "Fig. 6: displacement and velocity by eq. (36a) with the factor k",
            "similar",
            _history(ours["energy-conserving"], "rail"),
            hand["energy-conserving"],
            "(36a) by hand",
        ),
        Claim(
            "Fig. 6: largest displacement against that of Fig. 4",
            "similar",
            _largest(ours),
            _largest(ours)[1] > 1.5,
            "m, by (36a) and by (37a): not similar once the energy of (37a) has grown",
        ),
        _constant("Fig. 7: the total energy by eq. (36a) is constant, k = 1 N/m^3", soft, H, 2000),
        _constant("Fig. 7: the same with k = 1 kN/m^3", stiff, H, 2000),
    ]


def _largest(runs: dict) -> list[float]:
    return [float(np.abs(runs[rule]["rail.displacement"]).max()) for rule in RULES[:2]]


def _energy_by_hand(history: np.ndarray) -> np.ndarray:
    """Return E / E0 of the quartic spring with k = 1, from u = 1 at rest."""
    return history[:, 1] ** 2 + history[:, 0] ** 4


def check_joint() -> list[Claim]:
    """Figs. 8 to 13: one rule conserves the energy, and the others do not diverge."""
    found: list[Claim] = []
    for k, unit in ((1.0, "N"), (1000.0, "kN")):
        at = f"k_l = 1 {unit}/m^3, k_t = 5 {unit} m/rad"
        found.append(_axial("Figs. 8, 9", "energy-conserving", at, k))
        found.append(_turns("Figs. 8, 9", "energy-conserving", at, k))
        model = flexible_joint(k, 5.0 * k)
        found.append(_constant(f"Fig. 10: the total energy is constant, {at}", model, 0.1, 2000))
        for rule in ("midpoint", "trapezoidal"):
            found.append(_axial("Figs. 11, 12", rule, at, k))
            low, high = energy_range(model, rule, 0.1, 2000)
            found.append(
                Claim(
                    f"Fig. 13: the energy of the {rule} rule stays bounded, {at}",
                    "diverges",
                    [low, high],
                    0.1 < low and high < 3.5,
                    "least and largest E / E0 in 2000 steps: no converged solution diverges, in "
                    "any reading of the units (erratum E-24)",
                )
            )
        found.append(_turns("Figs. 11, 12", "trapezoidal", at, k))
        found += _printed(at, k)
    return found


def _printed(at: str, k: float) -> list[Claim]:
    """Eqs. (39) and (40) as printed, by the option `printed` of the two rules."""
    low, high = energy_range(flexible_joint(k, 5.0 * k), "energy-conserving", 0.1, 100, **PRINTED)
    return [
        _axial("Figs. 8, 9", "energy-conserving", at, k, **PRINTED),
        _turns("Figs. 8, 9", "energy-conserving", at, k, **PRINTED),
        Claim(
            f"Fig. 10: by eqs. (39) as printed the total energy is not constant, {at}",
            "constant",
            [low, high],
            high - low > 0.02,
            "least and largest E / E0 in 100 steps, with the whole torsional stiffness in E "
            "(errata E-21, E-22); more than 2 %",
        ),
        _axial("Figs. 11, 12", "trapezoidal", at, k, **PRINTED),
    ]


def _rule(rule: str, options: dict[str, Any]) -> tuple[str, str]:
    """The rule that a run follows, and how a claim calls it; as printed all are the midpoint rule."""
    if not options:
        return rule, f"the {rule} rule"
    return "midpoint", f"eqs. ({39 if rule == 'energy-conserving' else 40}) as printed"


def _axial(label: str, rule: str, at: str, k: float, **options: Any) -> Claim:
    """Both bodies from their distance: no force acts from outside, so that m1 u1 + m2 u2 is
    constant.
    """
    steps, (followed, called) = 100, _rule(rule, options)
    solution = run(flexible_joint(k, 5.0 * k), rule, 0.1, steps, **options)
    d = by_hand.history(followed, k, 4, 1.0, 0.1, steps, mass=2.0 / 3.0)
    bodies = np.column_stack(
        [
            solution[f"{body}.{what}.x"]
            for body in ("one", "two")
            for what in ("position", "velocity")
        ]
    )
    hand = np.column_stack(
        [(1.0 + 2.0 * d[:, 0]) / 3.0, 2.0 * d[:, 1] / 3.0, (1.0 - d[:, 0]) / 3.0, -d[:, 1] / 3.0]
    )
    return _same(
        f"{label}: displacements and velocities by {called}, {at}",
        "histories",
        bodies,
        hand,
        f"the distance of the bodies by the {followed} rule by hand",
    )


def _turns(label: str, rule: str, at: str, k: float, **options: Any) -> Claim:
    """The relative rotation from a small start: rotations add as angles while they are small."""
    small, steps, (followed, called) = 1e-4, 30, _rule(rule, options)
    h, k_t = 0.1 if k == 1.0 else 0.01, (0.5 if options else 1.0) * 5.0 * k
    solution = run(flexible_joint(k, 5.0 * k, turn=small), rule, h, steps, **options)
    mass = 1e-3 * 20e-3 / 21e-3  # J1 J2 / (J1 + J2)
    hand = by_hand.history(followed, k_t, 2, small, h, steps, mass=mass)[:, 0]
    error = float(np.abs(solution["joint.angle"] - hand).max() / small)
    spring = "a spring of half the stiffness (erratum E-22)" if options else "the linear spring"
    return Claim(
        f"{label}: relative rotation by {called}, {at}",
        "histories",
        error,
        error <= 1e-5,
        f"largest difference over the start of {small:g} rad from {spring} by hand; allowed 1e-5: "
        "rotations add as angles up to the square of the angle, over 30 steps",
    )

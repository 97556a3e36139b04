"""[Yun2005] and the flexible manipulator of [LeeJoo]."""

from __future__ import annotations

import numpy as np

import kinetree as kt
from kinetree.apps.papers import (
    beam,
    beam_history,
    flying_beam,
    ralf,
    ralf_beams,
    ralf_open,
    springs,
)
from kinetree.apps.papers.claim import Claim
from kinetree.apps.papers.references import ralf as ralf_reference
from kinetree.engine.formulations.catalogue import formulation
from kinetree.models import ralf as ralf_data

from .tools import (
    Mutation,
    altered,
    both,
    loose,
    options,
    simulated,
    swapped,
    times,
    value,
    wrapped,
)

RULES = ("energy-conserving", "midpoint", "trapezoidal")
STIFFER = wrapped(springs, "oscillator", lambda real, k, power, u0: real(1.01 * k, power, u0))
TURNED = {
    "energy-conserving": "midpoint",
    "midpoint": "trapezoidal",
    "trapezoidal": "energy-conserving",
}
DAMPED = dict.fromkeys(RULES, "generalized-alpha")


def _turned(asked: dict) -> dict:
    """Each rule in the place of another, in its corrected form."""
    return {**_corrected(asked), "integrator": TURNED[asked["integrator"]]}


def _corrected(asked: dict) -> dict:
    """No form as printed."""
    return {
        key: new for key, new in asked.items() if key not in ("printed", "history", "convected")
    }


SPRINGS = (
    Mutation(
        "spring-linear",
        "a spring 1 % stiffer",
        STIFFER,
        tuple(f"by the {rule} rule" for rule in RULES),
    ),
    Mutation(
        "spring-linear",
        "a rule that damps",
        swapped("integrator", DAMPED),
        (
            "Fig. 3: the total energy is constant, k = 1 N",
            "Fig. 3: the total energy is constant, k = 1 kN",
        ),
    ),
    Mutation(
        "spring-quartic",
        "each rule in the place of another",
        swapped("integrator", TURNED),
        (
            "Fig. 4: displacement",
            "Fig. 4: the same",
            "rises more than tenfold",
            "true trapezoidal rule",
            "Fig. 6: displacement",
            "Fig. 6: largest",
            "Fig. 7: the total",
            "Fig. 7: the same",
        ),
    ),
    Mutation(
        "spring-quartic",
        "trapezoidal and midpoint exchanged",
        swapped("integrator", {"midpoint": "trapezoidal"}),
        ("with k = 1 kN/m, as printed",),
    ),
    Mutation("spring-quartic", "a step of 2.2 s", value(springs, "H", 2.2), ("rises more",)),
    Mutation(
        "flexible-joint",
        "each rule in the place of another",
        lambda patch: simulated(patch, _turned),
        (
            "Figs. 8, 9: displacements and velocities by the energy-conserving",
            "Fig. 10: the total energy is constant, k_l = 1 N",
            "Fig. 10: the total energy is constant, k_l = 1 kN",
            "by the midpoint rule",
            "by the trapezoidal rule",
        ),
    ),
    Mutation(
        "flexible-joint",
        "half of the torsional stiffness, as in eq. (39d)",
        wrapped(
            springs, "flexible_joint", lambda real, k_l, k_t, **turn: real(k_l, 0.5 * k_t, **turn)
        ),
        (
            "Figs. 8, 9: relative rotation by the energy-conserving",
            "Figs. 11, 12: relative rotation",
        ),
    ),
    Mutation(
        "flexible-joint",
        "the corrected rules by the names of the printed ones",
        lambda patch: simulated(patch, _corrected),
        (
            "Figs. 8, 9: displacements and velocities by eqs. (39)",
            "Figs. 8, 9: relative rotation by eqs. (39)",
            "Fig. 10: by eqs. (39) as printed",
            "Figs. 11, 12: displacements and velocities by eqs. (40)",
        ),
    ),
    Mutation(
        "flexible-joint",
        "no torsion spring",
        wrapped(springs, "flexible_joint", lambda real, k_l, k_t, **turn: real(k_l, 0.0, **turn)),
        ("Figs. 8, 9: relative rotation", "Figs. 11, 12: relative rotation"),
    ),
    Mutation(
        "flexible-joint",
        "bodies that are solved one after the other",
        wrapped(
            springs, "energy_range", lambda real, model, rule, h, steps, **how: _unstable(rule)
        ),
        ("Fig. 13: the energy of the midpoint", "Fig. 13: the energy of the trapezoidal"),
    ),
)


def _unstable(rule: str) -> tuple[float, float]:
    """Of the same bodies solved one after the other, which diverges."""
    from kinetree.apps.papers.references.springs import body_by_body

    lost = body_by_body("midpoint", 1000.0, 0.1, 60)
    return float(lost.min() / lost[0]), float(lost.max() / lost[0])


class _Softened(beam_history.HistoryBeam):
    """A curvature that loses a hundredth of itself at every step, and frames that are never off."""

    def step(self, dt: float) -> None:
        super().step(dt)
        self.kappa = 0.99 * self.kappa

    def drift(self) -> tuple[float, float]:
        return 0.0, 0.0


def _falls(m) -> None:
    m.gravity = np.array([0.0, 0.0, -1.0])


def _flight() -> list[Claim]:
    return [*beam._free(), *beam._pinned()]


BEAM = (
    Mutation(
        "beam",
        "a beam that falls",
        both(value(beam, "STEPS", 400), altered(beam, "flying", _falls)),
        ("free beam: linear momentum",),
        _flight,
    ),
    Mutation(
        "beam",
        "the trapezoidal rule in the place of the energy-conserving one",
        both(
            value(beam, "STEPS", 400), swapped("integrator", {"energy-conserving": "trapezoidal"})
        ),
        ("free beam: energy", "free beam: angular", "pinned beam: energy", "pinned beam: angular"),
        _flight,
    ),
    Mutation(
        "beam",
        "other equations by hand, and the corrected beam by the name of the printed one",
        both(value(beam, "HistoryBeam", _Softened), lambda patch: simulated(patch, _corrected)),
        (
            "eq. (25) as printed moves",
            "eq. (25) as printed conserves",
            "while the carried strains",
            "convected velocities as printed",
        ),
        beam._history,
    ),
    Mutation(
        "beam",
        "each rule in the place of another",
        lambda patch: simulated(
            patch,
            lambda asked: {
                **_corrected(asked),
                "integrator": "trapezoidal"
                if asked["integrator"] == "energy-conserving"
                else "energy-conserving",
            },
        ),
        (
            "the energy-conserving rule conserves",
            "the energy of the trapezoidal rule explodes",
            "the energy of the midpoint rule explodes",
        ),
        flying_beam.check,
    ),
    Mutation(
        "beam",
        "the corrected beam by the name of the printed one",
        lambda patch: simulated(patch, _corrected),
        ("flying beam, h = 0.1 s: eq. (25) as printed",),
        flying_beam.check,
    ),
)


class _Changed:
    """Equations with other velocity terms."""

    def __init__(self, real, change) -> None:
        self.real = real
        self.relative_C = [[list(row) for row in rows] for rows in real.relative_C]
        change(self.relative_C, real)

    def __getattr__(self, name: str):
        return getattr(self.real, name)


def _one_entry(C, real) -> None:
    """C_21(2), C_12(3) and C_23(2): no longer symmetric, no longer zero, no longer reflected."""
    C[1][1][1] = C[1][1][1] + real.field.half
    C[1][0][2] = C[1][0][2] + real.field.half
    C[0][1][2] = C[0][1][2] + real.field.half


def _halved(C, real) -> None:
    for i in range(6):
        for j in range(6):
            for k in range(6):
                C[i][j][k] = real.field.half * C[i][j][k]


def _terms(change):
    return wrapped(ralf_open, "equations", lambda real: _Changed(real(), change))


def _symbolic() -> list[Claim]:
    return [
        ralf_open._counts(),
        ralf_open._matrices(),
        *ralf_open._printed(),
        *ralf_open._blocks(),
        *ralf_open._rules(),
    ]


def _no_terms(real, d, zero, half=None):
    return [[[zero] * 6 for _ in range(6)] for _ in range(6)]


OPEN = (
    Mutation(
        "ralf-open",
        "one entry of C(1) and two of C(2) changed",
        _terms(_one_entry),
        (
            "C(1) to C(6)",
            "that (62)-(66) print otherwise",
            "blocks P, Q and R",
            "(33)",
            "(34)",
            "(35)",
        ),
        _symbolic,
    ),
    Mutation(
        "ralf-open",
        "velocity terms halved",
        _terms(_halved),
        ("entries of Q as printed",),
        _symbolic,
    ),
    Mutation(
        "ralf-open",
        "one mode a link",
        wrapped(ralf_open, "equations", lambda real: ralf_data.arm(1, closed=False).equations()),
        ("coordinates of the open arm",),
        lambda: [ralf_open._counts()],
    ),
    Mutation(
        "ralf-open",
        "another half in the printed entries",
        wrapped(ralf_open, "matrices", lambda real, d, zero, half=None: real(d, zero, None)),
        ("that (62)-(66) print otherwise", "dropping dD"),
        ralf_open._printed,
    ),
    Mutation(
        "ralf-open",
        "a loose tolerance, and no velocity terms by hand",
        both(loose(1e-3), wrapped(ralf_reference, "matrices", _no_terms)),
        ("free motion without", "by hand conserve it"),
        ralf_open._energy,
    ),
    Mutation(
        "ralf-open",
        "corrected terms by hand in the place of the printed ones",
        wrapped(
            ralf_reference.OpenArm,
            "gain",
            lambda real, self, start, until, half=None, once=False: real(self, start, until),
        ),
        ("with the printed matrices", "with (31) as printed"),
        ralf_open._energy,
    ),
)


def _counts() -> list[Claim]:
    return [ralf._counts()]


def _inconsistent(real):
    q, v = real()
    return q + 0.01 * np.cos(np.arange(len(q))), v + np.sin(np.arange(len(v)))


def _identity_stiffness(real, found, q):
    M, G, K = real(found, q)
    return M, G, np.eye(len(K))


CLOSED = (
    Mutation(
        "ralf",
        "a material a tenth softer",
        times(ralf_data, "E", 0.9),
        (
            "tip at 0.5",
            "largest deflection",
            "joints free",
            "theta1 and theta3 held",
            "static tip",
            "torques that hold",
        ),
        lambda: [*ralf._motion(), *ralf._frequencies(), *ralf._static()],
    ),
    Mutation(
        "ralf",
        "one mode a link",
        wrapped(ralf_data, "arm", lambda real, *args, **how: real(1, **how)),
        ("coordinates, constraints",),
        _counts,
    ),
    Mutation(
        "ralf",
        "an assembly that leaves loops open",
        value(ralf, "prepare", lambda model: None),
        ("with the l1 terms",),
        lambda: [ralf._as_printed()],
    ),
    Mutation(
        "ralf",
        "Baumgarte's equations at a loose tolerance",
        options(formulation="baumgarte", rtol=1e-4),
        ("the constraints hold", "energy minus work"),
        ralf._motion,
    ),
    Mutation(
        "ralf",
        "links that do not become stiffer",
        wrapped(ralf_data, "arm", lambda real, *args, stiffer=1.0, **how: real(*args, **how)),
        ("stiffer links",),
        lambda: [ralf._limit()],
    ),
    Mutation(
        "ralf",
        "the same stiffness of all coordinates",
        wrapped(ralf, "matrices", _identity_stiffness),
        ("(49) with",),
        lambda: [ralf._reduced_stiffness()],
    ),
    Mutation(
        "ralf",
        "modes that leave the tip of the lower link where it is",
        value(
            ralf_beams, "FLEXIBLE", {**ralf_beams.FLEXIBLE, "lower": kt.Bending(6, "pinned-pinned")}
        ),
        ("six modes per link",),
        lambda: [ralf_beams.check()],
    ),
    Mutation(
        "ralf",
        "Baumgarte's equations among the exact ones, at a state off the constraints",
        both(
            value(ralf, "LOOPS", [*ralf.LOOPS, formulation("baumgarte")]),
            wrapped(ralf, "pulse_state", _inconsistent),
        ),
        ("all formulations",),
        lambda: [ralf._formulations()],
    ),
)

MUTATIONS = (*SPRINGS, *BEAM, *OPEN, *CLOSED)

"""The quarter car of [Han1994, example 2]: how stiff it becomes, and what that costs each
integrator.

The paper prints one number of the motion, L = 1500 1/s at about 1.7 s, and the computing times of
Table 4. The data is
proposed in `models.quarter_car`; the reference for L and for the motion is two linear equations by
hand (`quarter_car_reference`).
"""

from __future__ import annotations

import numpy as np

import kinetree as kt

from ...models.quarter_car import quarter_car
from .claim import Claim, agrees
from .references.quarter_car import DAMPERS, histories, reaches, spectral_radius
from .three_methods import (
    LIMIT,
    change_claim,
    costs_as_text,
    estimate_claim,
    evaluations,
    pece_cheaper_until,
    radius,
    run_all,
)

UNTIL, INTERVAL, RTOL = 2.5, 0.05, 1e-9  # the interval of the paper
PASSED = 1.7  # s, as printed
RADIUS = {
    0.0: 74,
    0.5: 69,
    1.0: 265,
    1.5: 890,
    1.7: 1417,
    2.0: 2832,
    2.5: 8959,
}  # s: L in 1/s, by NumPy alone
READINGS = {
    "10^t": 1.72,
    "t^3": 3.76,
    "e^t": 3.97,
    "e^(3t)": 1.32,
    "10^(3t)": 0.57,
    "10^-3": None,
}  # s at L = 1500


def check() -> list[Claim]:
    """All claims about the quarter car."""
    model = quarter_car()
    runs = run_all(model, UNTIL, RTOL, INTERVAL)
    first = runs["PECE"]
    return [
        _counts(model),
        *_stiffness(model, first),
        _passing(model, first),
        _exponent(),
        *_switch(model, first, runs["SM"]),
        *_motion(runs),
        *_cost(runs),
    ]


def _counts(model: kt.Model) -> Claim:
    report = model.topology()
    found = [report.coordinates, report.equations]
    return Claim(
        "two degrees of freedom, no constraint",
        None,
        found,
        found == [2, 0],
        "velocities and equations",
    )


def _stiffness(model: kt.Model, run) -> list[Claim]:
    ours = np.array([radius(model, run, t) for t in RADIUS])
    reference = np.array([spectral_radius(DAMPERS["10^t"](t)) for t in RADIUS])
    error = float(np.abs(ours / reference - 1.0).max())
    at = ", ".join(f"{t:g}" for t in RADIUS)
    return [
        Claim(
            f"Fig. 8: L at {at} s",
            "a curve",
            [round(v) for v in ours],
            [round(v) for v in ours] == list(RADIUS.values()),
            "1/s, of the engine's linear equations; NumPy alone gives "
            f"{', '.join(map(str, RADIUS.values()))}",
        ),
        Claim(
            "Fig. 8: L is the spectral radius of the equations by hand",
            "a curve",
            error,
            error <= 1e-6,
            "largest relative difference; allowed 1e-6. The paper writes h rho(f_y) and means "
            "rho(f_y) (erratum E-11)",
        ),
    ]


def _passing(model: kt.Model, run) -> Claim:
    from scipy.optimize import brentq

    when = float(brentq(lambda t: radius(model, run, t) - LIMIT, 1.0, UNTIL, xtol=1e-6))
    return Claim(
        "Fig. 8: L passes 1500 1/s",
        PASSED,
        round(when, 4),
        agrees(when, reaches(LIMIT, DAMPERS["10^t"]), atol=1e-5)
        and agrees(when, PASSED, atol=0.05),
        "s; the paper says about 1.7 s, and its masses and springs are not known",
    )


def _exponent() -> Claim:
    found = {name: reaches(LIMIT, damper) for name, damper in DAMPERS.items()}
    rounded = {name: None if when is None else round(when, 2) for name, when in found.items()}
    near = [name for name, when in found.items() if when is not None and abs(when - PASSED) <= 0.05]
    listed = ", ".join(
        f"{name}: {'never' if when is None else f'{when:.2f} s'}" for name, when in rounded.items()
    )
    return Claim(
        "Figs. 7, 8: the damper is 1000 x 10^t",
        "1000 x 10^... (exponent not legible)",
        listed,
        rounded == READINGS and near == ["10^t"],
        "when L passes 1500 1/s; the paper says 1.7 s (erratum E-30)",
    )


def _switch(model: kt.Model, first, run) -> list[Claim]:
    """The switching method by the rule of the paper: one change, at the time at which the
    eigenvalues reach the threshold.
    """
    return [
        change_claim(
            "Figs. 8, 9: the switching method changes from PECE to BDF",
            run,
            PASSED,
            "s; L is estimated every 25 steps",
        ),
        estimate_claim("Fig. 8", model, first, run),
    ]


def _motion(runs: dict) -> list[Claim]:
    t = runs["PECE"].t
    reference = histories(t)[1][:, 0]
    errors = {
        name: float(np.abs(run["body.acceleration.z"] - reference).max() / np.ptp(reference))
        for name, run in runs.items()
    }
    return [
        Claim(
            f"Fig. 10: vertical acceleration of the mass, by {name}",
            "differences negligible",
            error,
            error <= 1e-5,
            "largest difference from the equations by hand over the range of "
            f"{np.ptp(reference):.3f} m/s^2 at rtol {RTOL:g}; allowed 1e-5",
        )
        for name, error in errors.items()
    ]


def _cost(runs: dict) -> list[Claim]:
    counts, last = (
        evaluations(runs),
        pece_cheaper_until(runs, np.arange(0.0, UNTIL + INTERVAL, 2 * INTERVAL)),
    )
    return [
        Claim(
            "Table 4: cost of the methods",
            "CPU: PECE 38.25 s, BDF 6.89 s, SM 15.46 s",
            costs_as_text(runs),
            counts["BDF"] < counts["SM"] < counts["PECE"],
            f"right-hand sides until {UNTIL} s at rtol {RTOL:g}; the order is that of the paper",
        ),
        Claim(
            "Table 4: calibrated by its costs, SM needs at most 1.1 times the better of the two",
            None,
            round(counts["SM, calibrated"] / min(counts["PECE"], counts["BDF"]), 3),
            counts["SM, calibrated"] <= 1.1 * min(counts["PECE"], counts["BDF"]),
            "right-hand sides",
        ),
        Claim(
            "Fig. 9: PECE is cheaper at first, BDF where the damper is strong",
            "a figure",
            last,
            0.0 < last < PASSED,
            "s, end of the last tenth of a second in which PECE needs fewer right-hand sides",
        ),
    ]

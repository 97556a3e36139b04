"""The two examples of [Han1994] by three methods: L, the change of method, and the costs."""

from __future__ import annotations

from typing import Any

import numpy as np

import kinetree as kt

from .claim import Claim, agrees

METHODS: dict[str, dict[str, Any]] = {
    "PECE": {"integrator": "adams"},
    "BDF": {"integrator": "bdf"},
    "SM": {"integrator": "switching", "calibrate": False},  # the rule of the paper, threshold 1500
    "SM, calibrated": {"integrator": "switching"},
}
LIMIT = 1500.0  # 1/s, as printed


def run_all(model: kt.Model, until: float, rtol: float, interval: float) -> dict:
    """Return a run for each method."""
    return {
        name: kt.simulate(model, until, rtol=rtol, output_interval=interval, **how)
        for name, how in METHODS.items()
    }


def radius(model: kt.Model, run, t: float) -> float:
    """Return L of the linear equations of the engine at the state of a run at t."""
    return kt.modes(model, (run, t)).spectral_radius


def change_claim(claim: str, run, when: float, note: str) -> Claim:
    """The claim that the switching method changes once, from PECE to BDF, about when the paper
    says.
    """
    changes = [(round(c.t, 3), c.before, c.after) for c in run.switches]
    return Claim(
        claim,
        when,
        changes,
        len(changes) == 1
        and changes[0][1:] == ("adams", "bdf")
        and agrees(changes[0][0], when, atol=0.05),
        note,
    )


def spectrum(model: kt.Model, run, until: float, interval: float) -> tuple[np.ndarray, np.ndarray]:
    """Return times, and L by the eigenvalues of the linear equations at these times."""
    times = np.arange(0.0, until + 0.5 * interval, interval)
    return times, np.array([radius(model, run, float(t)) for t in times])


def estimate_claim(label: str, model: kt.Model, first, run) -> Claim:
    """The claim that the estimate of L at the change of method is the spectral radius there."""
    change = run.switches[0] if run.switches else None
    ratio = change.stiffness / radius(model, first, change.t) if change else np.nan
    return Claim(
        f"{label}: the estimate of L at the change of method, compared with the eigenvalues",
        None,
        ratio,
        abs(ratio - 1.0) <= 0.05,
        "ratio; allowed 5 %: the estimate comes from a few evaluations of the right-hand side",
    )


def evaluations(runs: dict) -> dict[str, int]:
    return {name: run.statistics["evaluations"] for name, run in runs.items()}


def costs_as_text(runs: dict) -> str:
    """Return right-hand sides and steps of every method as text."""
    return "; ".join(
        f"{name} {count} in {runs[name].statistics['accepted']} steps"
        for name, count in evaluations(runs).items()
    )


def pece_cheaper_until(runs: dict, edges: np.ndarray) -> float:
    """Return the end of the last interval in which PECE needs no more right-hand sides than BDF."""
    pece, bdf = (runs[name].steps.cost(edges) for name in ("PECE", "BDF"))
    return round(float(edges[1:][pece <= bdf].max(initial=0.0)), 2)

"""The flyball governor, IFToMM benchmark A05 [Gonzalez2006]: a slow motion behind very stiff
spring-dampers.

The benchmark publishes a curve of the slider's height. The reference is the same governor as three
equations by hand (`flyball_reference`), which start from the symmetry of the two rods; the engine
finds the symmetry itself.
"""

from __future__ import annotations

import numpy as np

import kinetree as kt

from ...models.flyball_governor import flyball_governor
from .claim import Claim, agrees
from .references.flyball import MOMENTUM, energy, rates, spin, states

INTEGRATORS = ("adams", "bdf", "switching")
UNTIL, INTERVAL, RTOL = 10.0, 0.1, 1e-9
MARKS = (0.1, 0.5, 1.0, 2.0, 5.0, 10.0)  # s
SIX_DIGITS = 5e-7


def check() -> list[Claim]:
    """All claims about the governor."""
    model = flyball_governor()
    runs = {
        name: kt.simulate(model, UNTIL, integrator=name, rtol=RTOL, output_interval=INTERVAL)
        for name in INTEGRATORS
    }
    reference, first = states((0.0, *MARKS)), runs[INTEGRATORS[0]]
    motion = [claim for name, run in runs.items() for claim in _motion(name, run, reference)]
    return [
        _counts(model),
        _stiffness(model, first, reference),
        *motion,
        *_balance(first, reference),
    ]


def figure(path) -> None:
    """Draw the published curve, the height of the slider."""
    kt.simulate(flyball_governor(), UNTIL, rtol=RTOL, output_interval=INTERVAL).plot(
        "slider.position.z", path=path
    )


def _counts(model: kt.Model) -> Claim:
    report = model.topology()
    found = [report.coordinates, report.equations]
    return Claim(
        "four degrees of freedom, no constraint",
        None,
        found,
        found == [4, 0],
        "velocities and equations; shaft, slider and two hinges are an open tree in relative "
        "coordinates",
    )


def _stiffness(model: kt.Model, run, reference: np.ndarray) -> Claim:
    ours = [kt.modes(model, (run, t)).spectral_radius for t in (0.0, UNTIL)]
    expected = [spectral_radius(y) for y in (reference[0], reference[-1])]
    return Claim(
        "the governor is stiff from the start: L at 0 and 10 s",
        None,
        np.round(ours, 1),
        agrees(ours, expected, rtol=1e-6) and min(ours) > 1500.0,
        "1/s, the equations by hand give the same to 1e-6; the motion itself has a period of 0.9 s",
    )


def spectral_radius(y: np.ndarray, h: float = 1e-5) -> float:
    """Return L of the equations by hand at a state, by central differences."""
    columns = [
        (rates(0.0, y + h * unit) - rates(0.0, y - h * unit)) / (2.0 * h) for unit in np.eye(4)
    ]
    return float(np.abs(np.linalg.eigvals(np.array(columns).T)).max())


def _motion(name: str, run, reference: np.ndarray) -> list[Claim]:
    heights = run["slide.displacement"][[round(t / INTERVAL) for t in MARKS]]
    ends = [run["spin.angle.rate"][-1], run["right hinge.angle"][-1]]
    expected = [spin(reference[-1, 1]), reference[-1, 1]]
    apart = float(np.abs(run["right hinge.angle"] - run["left hinge.angle"]).max())
    return [
        Claim(
            f"height of the slider at {', '.join(f'{t:g}' for t in MARKS)} s, by {name}",
            "a curve",
            np.round(heights, 8),
            agrees(heights, reference[1:, 0], atol=SIX_DIGITS),
            f"m; by hand {_eight(reference[1:, 0])}; allowed 5e-7",
        ),
        Claim(
            f"spin of the shaft and tilt of the rods at 10 s, by {name}",
            None,
            np.round(ends, 8),
            agrees(ends, expected, atol=5e-6),
            f"rad/s and rad; by hand {_eight(expected)}; allowed 5e-6",
        ),
        Claim(
            f"both rods keep the same angle, by {name}",
            None,
            apart,
            apart <= 1e-9,
            "rad, over 10 s; allowed 1e-9",
        ),
    ]


def _balance(run, reference: np.ndarray) -> list[Claim]:
    total, angular = run.energy.total, run["momentum.angular.z"]
    lost, expected = float(total[0] - total[-1]), energy(reference[0]) - energy(reference[-1])
    drift = float(np.abs(angular / MOMENTUM - 1.0).max())
    return [
        Claim(
            "the energy only decreases",
            None,
            float(np.diff(total).max()),
            bool(np.all(np.diff(total) < 0.0)),
            "J, largest change between samples 0.1 s apart",
        ),
        Claim(
            "energy that the dampers dissipate in 10 s",
            None,
            float(f"{lost:.6g}"),
            agrees(lost, expected, atol=1e-6),
            f"J of {total[0]:.1f} J; by hand {expected:.6g}",
        ),
        Claim(
            "angular momentum about the shaft is conserved",
            None,
            drift,
            drift <= 1e-9,
            f"relative to {MOMENTUM:.6f} kg m^2/s; the shaft is free and gravity points along it; "
            "allowed 1e-9",
        ),
    ]


def _eight(values) -> str:
    return ", ".join(f"{v:.8f}" for v in values)

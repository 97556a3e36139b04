"""A beam in space with large rotations, free and pinned, by the energy-conserving rule of [Yun2005]
and by the trapezoidal rule.

Section 2 of the paper is written for beams, but its examples are springs. The element here computes
strains from its nodes. The one of the paper carries frame and strain from step to step; it runs by
the options `history` and `convected`, and is compared with the same equations in NumPy
(beam_history.py).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

import kinetree as kt

from ...core.figures import save
from ...results.figure import new_figure, with_legends
from ...simulation.states import at_time
from . import flying_beam
from .beam_history import HistoryBeam
from .claim import Claim

STIFFNESS, MASS, INERTIA = (1e3, 4e2, 4e2, 0.8, 1.0, 1.0), 1.0, (2e-3, 1e-3, 1e-3)
H, STEPS = 0.02, 10_000  # s: the fastest vibration of the beam takes 0.03 s
ALLOWED = 1e-11  # change of what is conserved, over its size
PUSHED = 0.5  # s
ELEMENTS, SPIN, AS_PRINTED = 3, (3.0, 2.0, 6.0), {"history": True, "convected": True}


def flying(pinned: bool = False) -> kt.Model:
    """Return a soft beam of one meter that is pushed at one end for half a second."""
    m = kt.Model("beam", gravity=(0, 0, 0))
    beam = m.beam(
        "b",
        [(0, 0, 0), (1, 0, 0)],
        kt.Section(np.array(STIFFNESS), MASS, np.array(INERTIA)),
        elements=6,
    )
    if pinned:
        m.joint("pin", kt.Spherical(), m.ground, beam.end("-"))
    else:
        m.float(beam)
    push = [
        kt.Table((0.0, 0.5 * PUSHED, PUSHED, PUSHED + 1.0), (0.0, f, 0.0, 0.0), smooth=False)
        for f in (2.0, 4.0, 6.0, 0.5, 1.0)
    ]
    m.force("push", kt.PointForce((push[0], push[1], push[2])), beam.end("+"))
    m.force("twist", kt.Torque((push[3], push[4], 0.0)), beam.end("+"))
    return m


def run(model: kt.Model, rule: str, steps: int = STEPS):
    """Return the run; if a step cannot be solved, up to there."""
    try:
        return kt.simulate(
            model, steps * H, integrator=rule, step=H, output_interval=10 * H, progress=False
        )
    except kt.SimulationError as error:
        return error.solution


def figure(path) -> None:
    """Draw total and strain energy of the free beam by the two rules over the first 200 steps."""
    plot, axes = new_figure(2)
    for rule in ("energy-conserving", "trapezoidal"):
        sol = run(flying(), rule, 200)
        axes[0].plot(sol.t, sol.energy.total, label=rule, linewidth=1.2)
        axes[1].plot(sol.t, sol["b.energy"], label=rule, linewidth=1.2)
    axes[0].set_ylabel("total energy [J]")
    axes[1].set_ylabel("strain energy [J]")
    axes[1].set_xlabel("time [s]")
    with_legends(plot, axes)
    save(plot, path)


def change(values: np.ndarray) -> float:
    """Return the largest change after the push, relative to the first value there."""
    free = values[round(PUSHED / (10 * H)) + 1 :]
    return float(np.abs(free - free[0]).max() / np.linalg.norm(free[0]))


def check() -> list[Claim]:
    return [*_free(), *_pinned(), *_history(), *flying_beam.check()]


def _free() -> list[Claim]:
    sol = run(flying(), "energy-conserving")
    bend = float(sol["b.energy"].max() / sol.energy.total[-1])
    kept = {
        "energy": change(sol.energy.total),
        "linear momentum": change(sol.momentum.linear),
        "angular momentum": change(sol.momentum.angular),
    }
    return [
        Claim(
            f"free beam: {what} is conserved",
            "constant",
            error,
            error <= ALLOWED,
            f"{STEPS} steps of {H} s, up to {100 * bend:.0f} % of the energy is strain energy; "
            f"allowed {ALLOWED:g}",
        )
        for what, error in kept.items()
    ]


def _pinned() -> list[Claim]:
    sol = run(flying(pinned=True), "energy-conserving")
    about_pin = change(sol.momentum.angular)
    return [
        Claim(
            "pinned beam: energy is conserved, so that the pin does no work",
            "constant",
            change(sol.energy.total),
            change(sol.energy.total) <= ALLOWED,
            f"{STEPS} steps; allowed {ALLOWED:g}",
        ),
        Claim(
            "pinned beam: angular momentum about the pin is conserved",
            None,
            about_pin,
            about_pin <= ALLOWED,
        ),
    ]


def free_beam(elements: int = ELEMENTS) -> kt.Model:
    """A straight beam of one meter in space."""
    m = kt.Model("free beam", gravity=(0, 0, 0))
    section = kt.Section(np.array(STIFFNESS), MASS, np.array(INERTIA))
    m.float(m.beam("b", [(0, 0, 0), (1, 0, 0)], section, elements=elements))
    return m


def carried_run(steps: int, elements: int = ELEMENTS, **options: Any):
    """A straight free beam that spins and bends, by the energy-conserving rule with these options,
    sampled at every step.
    """
    m = free_beam(elements)
    asked: dict[str, Any] = {
        "integrator": "energy-conserving",
        "step": H,
        "output_interval": H,
        "progress": False,
    }
    rest = at_time(kt.simulate(m, H, **asked), 0.0)
    x = rest.q.reshape(-1, 7)[:, :3]
    v = np.column_stack([bending(x), np.tile(SPIN, (len(x), 1))]).ravel()
    return kt.simulate(m, steps * H, state=replace(rest, v=v), **asked, **options)


def bending(x: np.ndarray) -> np.ndarray:
    """Velocities (n, 3) at the start: a rotation, and a bending motion on top of it."""
    return np.cross([0.0, 2.0, 6.0], x) + np.outer(12.0 * (x[:, 0] - 0.5) ** 2, [0.0, 1.0, -0.6])


def carried_by_hand(steps: int) -> tuple[np.ndarray, np.ndarray, HistoryBeam]:
    """Positions of the nodes and energies of the carried strains by eq. (25) in NumPy, and the beam
    at the end.

    Its stiffness is that of the elements, whose shear the engine corrects for the bending within.
    """
    C = carried_run(1).compiled.tables.elements["C"][0].reshape(6, 6).diagonal()
    stiffness = (*(C[:3] * ELEMENTS), *(C[3:] / ELEMENTS))
    beam = HistoryBeam(ELEMENTS, stiffness, MASS, INERTIA, bending, SPIN, convected=True)
    found, energies = [beam.x], [beam.strain_energy()]
    for _ in range(steps):
        beam.step(H)
        found.append(beam.x)
        energies.append(beam.strain_energy())
    return np.array(found), np.array(energies), beam


def _history() -> list[Claim]:
    """The beam of eq. (25) as printed, by the options `history` and `convected`."""
    printed, convected = carried_run(100, **AS_PRINTED), carried_run(30, convected=True)
    hand, stored, beam = carried_by_hand(100)
    ours = np.stack([printed[f"b.{k}.position"] for k in range(ELEMENTS + 1)], axis=1)
    frame, bend = beam.drift()
    moved, energy = float(np.abs(ours - hand).max()), printed.energy.kinetic + stored
    change = float(np.abs(energy / energy[0] - 1.0).max())
    angular = convected.momentum.angular
    lost = float(np.abs(angular - angular[0]).max() / np.abs(angular[0]).max())
    return [
        Claim(
            "eq. (25) as printed moves as the same equations in NumPy",
            None,
            moved,
            moved <= 1e-9,
            f"m, largest difference of a node in 100 steps of {ELEMENTS} elements; allowed 1e-9, "
            "the growth of rounding",
        ),
        Claim(
            "eq. (25) as printed conserves the energy of its carried strains",
            "constant",
            change,
            change <= 1e-10,
            "largest change of kinetic and carried energy over their sum, 100 steps; allowed "
            "1e-10, their rounding",
        ),
        Claim(
            "... while the carried strains leave those of the shape",
            None,
            [frame, bend, printed.energy.drift],
            frame > 0.02 and printed.energy.drift > 1e-3,
            "rad between carried frames and those of the nodes after 100 steps, error of the "
            "carried curvature over the largest one, and change of the energy of the shape over "
            "the energy; less with more elements or smaller steps. The element without a history "
            "has none of these errors",
        ),
        Claim(
            "convected velocities as printed do not conserve angular momentum",
            None,
            lost,
            lost > 1e-4,
            "largest change over its size in 30 steps; with velocities in the inertial frame it "
            "is conserved, see above (erratum E-26)",
        ),
    ]

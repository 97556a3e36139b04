"""RALF with six modes a link beside the same arm of beam elements: two theories, two sets of kernels, one motion.

The beams are geometrically exact with lumped masses, which fall short of the inertia of a link by 1 / (2 n^2) of it and more:
the tip comes to that of the modes as 1 / n^2, and the two histories that are extrapolated from 8 and 16 elements lie together.
"""

from __future__ import annotations

import numpy as np

import kinetree as kt

from ..models import ralf
from .claim import Claim

ELEMENTS, UNTIL, STEP = (8, 16), 0.5, 1e-3
PART = 0.1  # of the pulse: deflections below a millimetre
FLEXIBLE: dict[str, int | kt.Bending] = {
    "lower": kt.Bending(6, slope=False), "upper": 6, "actuating": kt.Bending(6, "pinned-pinned")}


def _machine(elements: int) -> kt.Model:
    return ralf.driven(ralf.of_beams(elements, gravity=0.0), held=False, part=PART)


def tips() -> tuple[np.ndarray, list[np.ndarray], float]:
    """Tip of the modes (nt, 3), tips of the beams, and the largest deflection of the modes (m)."""
    modes = kt.simulate(kt.derive(_machine(ELEMENTS[0]), FLEXIBLE).model, UNTIL, rtol=1e-8, output_interval=0.01)
    beams = [kt.simulate(_machine(n), UNTIL, integrator="energy-conserving", step=STEP, output_interval=0.01) for n in ELEMENTS]
    bent = max(float(np.abs(modes[f"{link}.deflection.100"]).max()) for link in ("lower", "upper"))
    return modes["upper_tip.position"], [run[f"upper.{n}.position"] for run, n in zip(beams, ELEMENTS)], bent


def check() -> Claim:
    """Tip histories, m."""
    modes, (coarse, fine), bent = tips()
    away = [float(np.linalg.norm(tip - modes, axis=1).max()) for tip in (coarse, fine, (4.0 * fine - coarse) / 3.0)]
    travel = float(np.linalg.norm(modes - modes[0], axis=1).max())
    holds = away[1] <= 2e-3 * travel and away[2] <= 0.01 * bent and 3.5 <= away[0] / away[1] <= 4.5
    return Claim("six modes a link beside 8 and 16 beam elements, and extrapolated: tips apart by", None, away, holds,
                 f"m, of {travel:.3g} m of travel; allowed 0.2 % of it with 16 elements, and extrapolated 1 % of the largest "
                 f"deflection, {bent:.3g} m")

"""RALF with six modes per link, compared with the same arm of beam elements: two theories and two
sets of kernels.

The beams are geometrically exact, with masses lumped at the nodes. Their tip converges to that of
the modes with the number of elements; the extrapolation of three meshes agrees with it.
"""

from __future__ import annotations

import numpy as np

import kinetree as kt

from ...models import ralf
from .claim import Claim

ELEMENTS, UNTIL, STEP = (4, 8, 16), 0.5, 1e-3
PART = 0.1  # of the pulse: deflections below a millimeter
FLEXIBLE: dict[str, int | kt.Bending] = {
    "lower": kt.Bending(6, slope=False),
    "upper": 6,
    "actuating": kt.Bending(6, "pinned-pinned"),
}


def _machine(elements: int) -> kt.Model:
    return ralf.driven(ralf.of_beams(elements, gravity=0.0), held=False, part=PART)


def tips() -> tuple[np.ndarray, list[np.ndarray], float]:
    """Return the tip of the modes (nt, 3), the tips of the beams, and the largest deflection of the
    modes (m).
    """
    modes = kt.simulate(
        kt.derive(_machine(ELEMENTS[0]), FLEXIBLE).model, UNTIL, rtol=1e-8, output_interval=0.01
    )
    beams = [
        kt.simulate(
            _machine(n), UNTIL, integrator="energy-conserving", step=STEP, output_interval=0.01
        )
        for n in ELEMENTS
    ]
    bent = max(float(np.abs(modes[f"{link}.deflection.100"]).max()) for link in ("lower", "upper"))
    return (
        modes["upper_tip.position"],
        [run[f"upper.{n}.position"] for run, n in zip(beams, ELEMENTS)],
        bent,
    )


def extrapolated(
    coarse: np.ndarray, middle: np.ndarray, fine: np.ndarray
) -> tuple[np.ndarray, float]:
    """Return the limit of ever smaller elements, and the order of convergence (Richardson
    extrapolation; errors have even powers of the length of an element).
    """
    steps = [float(np.abs(b - a).max()) for a, b in ((coarse, middle), (middle, fine))]
    order = float(np.log2(steps[0] / max(steps[1], 1e-15)))
    return fine + (fine - middle) / (4.0 ** max(1, round(0.5 * order)) - 1.0), order


def check() -> Claim:
    """The claim about the histories of the tips (m)."""
    modes, beams, bent = tips()
    limit, order = extrapolated(*beams)
    away = [float(np.linalg.norm(tip - modes, axis=1).max()) for tip in (*beams, limit)]
    travel = float(np.linalg.norm(modes - modes[0], axis=1).max())
    holds = away[2] <= 2e-3 * travel and away[3] <= 0.01 * bent and order >= 1.8
    return Claim(
        "distance of the tips: six modes per link, compared with 4, 8 and 16 beam elements and "
        "with their extrapolation",
        None,
        away,
        holds,
        f"m, of {travel:.3g} m of travel; allowed 0.2 % of it with 16 elements, and for the "
        f"extrapolation 1 % of the largest deflection, {bent:.3g} m; order {order:.2g} in the "
        "elements",
    )

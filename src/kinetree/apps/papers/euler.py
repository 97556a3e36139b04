"""Explicit Euler on two stiff linear systems: Tables 1 and 2 of [Han1994], recomputed and
corrected.

    (4)  y1' =  998 y1 +    1998 y2,   y2' = -999 y1 -    1999 y2      eigenvalues -1, -1000
    (7)  y1' =  998 y1 + 1000998 y2,   y2' = -999 y1 - 1000999 y2      eigenvalues -1, -1000000

from (1, 1) until t = 0.01. Along the eigenvectors u, w (slow, fast) both the solution and the steps
of Euler's method are known,

    y(t) = u e^-t + w e^-Lt,      y_n = u (1 - h)^n + w (1 - L h)^n,

and the integrator is compared with them. The printed digits come from a single-precision constant
h in a double-precision program: with h = float32(h) they return, up to the last two.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from ...analysis.ode import solve_ode
from ...errors import SimulationError
from .claim import Claim, agrees

UNTIL = 0.01
REPRODUCED = 1e-13  # relative: 10^4 additions in double precision
HELD = 1e-12  # relative to the size of the fast part after n steps, likewise


class System(NamedTuple):
    """A stiff system: its function, fast eigenvalue and the start along the two eigenvectors."""

    f: Callable
    L: int
    slow: tuple[Fraction, Fraction]
    fast: tuple[Fraction, Fraction]


def _equation_4(t, y, ydot):
    ydot[0] = 998.0 * y[0] + 1998.0 * y[1]
    ydot[1] = -999.0 * y[0] - 1999.0 * y[1]


def _equation_7(t, y, ydot):
    ydot[0] = 998.0 * y[0] + 1000998.0 * y[1]
    ydot[1] = -999.0 * y[0] - 1000999.0 * y[1]


EQUATION_4 = System(_equation_4, 1000, (Fraction(4), Fraction(-2)), (Fraction(-3), Fraction(3)))
EQUATION_7 = System(
    _equation_7,
    10**6,
    (Fraction(2004, 1001), Fraction(-2, 1001)),
    (Fraction(-1003, 1001), Fraction(1003, 1001)),
)


def _labelled(table: str, claims: list[Claim]) -> list[Claim]:
    return [replace(claim, claim=f"{table}: {claim.claim}") for claim in claims]


def check_table_1() -> list[Claim]:
    """Table 1."""
    s = EQUATION_4
    return _labelled(
        "Table 1",
        [
            _eigenvalues(s),
            _exact_row(
                s,
                (3.960063136062115, -1.979963468121192),
                "the printed digits belong to t = float32(0.01)",
            ),
            *_euler_row(s, "1e-2", (30.95999933034182, -28.97999932989478)),
            *_euler_row(s, "1e-4", (3.960117671546983, -1.980018993663977)),
            *_euler_row(s, "1e-6", (3.960063795254293, -1.979964137606469)),
            _stable_step(s),
            _stiff_methods(s),
        ],
    )


def check_table_2() -> list[Claim]:
    """Table 2."""
    s = EQUATION_7
    return _labelled(
        "Table 2",
        [
            _eigenvalues(s),
            _wrong_exact_row(s),
            *_euler_row(s, "1e-2", (10020.95977603644, -10018.97977603599)),
            *_euler_row(s, "1e-4", (-3.667627387418176e199, 3.667627387418176e199)),
            _mislabelled_row(s),
            *_euler_row(s, "1e-6", (1.9820777791839361, -1.978121536111712e-3), lost_digit=True),
            _converges(s),
            _stable_step(s),
            _stiff_methods(s),
        ],
    )


def euler(system: System, h: float, n: int) -> np.ndarray:
    """Take n steps of the explicit Euler method from (1, 1)."""
    return solve_ode(system.f, (1.0, 1.0), n * h, integrator="euler", step=h).y[-1]


def closed_form(system: System, slow: Fraction | float, fast: Fraction | float) -> np.ndarray:
    """Return u slow + w fast; exact if the factors are fractions."""
    return np.array([float(u * slow + w * fast) for u, w in zip(system.slow, system.fast)])


def exact(system: System, t: float = UNTIL) -> np.ndarray:
    return np.array(
        [
            float(u) * math.exp(-t) + float(w) * math.exp(-system.L * t)
            for u, w in zip(system.slow, system.fast)
        ]
    )


def _eigenvalues(s: System) -> Claim:
    columns = np.zeros((2, 2))
    for k, unit in enumerate(np.eye(2)):
        s.f(0.0, unit, columns[:, k])
    ours = sorted(np.linalg.eigvals(columns).real, reverse=True)
    return Claim(
        "eigenvalues", [-1, -s.L], [round(v) for v in ours], agrees(ours, (-1.0, -s.L), rtol=1e-6)
    )


def _exact_row(s: System, printed: tuple[float, float], note: str) -> Claim:
    ours = exact(s)
    solved = solve_ode(s.f, (1.0, 1.0), UNTIL, rtol=1e-12).y[-1]
    shifted = exact(s, float(np.float32(UNTIL)))
    return Claim(
        "exact row",
        printed,
        ours,
        agrees(shifted, printed, rtol=1e-15) and agrees(solved, ours, rtol=1e-10),
        f"{note}; our Adams integrator at rtol 1e-12 agrees to {np.abs(solved - ours).max():.0e}",
    )


def _wrong_exact_row(s: System) -> Claim:
    printed, ours = (3.960199335881846, -1.980099667940923), exact(s)
    solved = solve_ode(s.f, (1.0, 1.0), UNTIL, integrator="dopri5", rtol=1e-9).y[-1]
    reused = (4.0 * math.exp(-float(np.float32(UNTIL))), -2.0 * math.exp(-float(np.float32(UNTIL))))
    return Claim(
        "exact row",
        printed,
        ours,
        agrees(reused, printed, rtol=1e-9) and agrees(solved, ours, rtol=1e-7),
        "printed are 4 e^-t and -2 e^-t, the solution of (4) reused; the eigenvectors of (7) give "
        "(2004 e^-t - 1003 e^-Lt) / 1001 and (-2 e^-t + 1003 e^-Lt) / 1001 (erratum E-13)",
    )


def _euler_row(
    s: System, label: str, printed: tuple[float, float], lost_digit: bool = False
) -> list[Claim]:
    """The row with h as a single-precision constant (as printed) and with h as written."""
    h = float(label)
    n = round(UNTIL / h)
    single, double = euler(s, float(np.float32(h)), n), euler(s, h, n)
    step = Fraction(label)
    true = closed_form(s, (1 - step) ** n, (1 - s.L * step) ** n)
    note = "the printed y1 lost one digit 7: 1.98207779... for 1.982077779..." if lost_digit else ""
    return [
        Claim(
            f"Euler, h = {label}: the printed digits",
            _printed(printed, lost_digit),
            single,
            agrees(single, printed, rtol=REPRODUCED if not lost_digit else 1e-12),
            "; ".join(filter(None, ["with h = float32(h)", note])),
        ),
        Claim(
            f"Euler, h = {label}: the true value",
            _printed(printed, lost_digit),
            double,
            agrees(double, true, rtol=HELD, atol=HELD * abs(float((1 - s.L * step) ** n))),
            f"u (1 - h)^n + w (1 - L h)^n in exact arithmetic gives {true[0]:.16g}, {true[1]:.16g}",
        ),
    ]


def _printed(row: tuple[float, float], lost_digit: bool) -> tuple[float, float]:
    return (1.982077791839361, row[1]) if lost_digit else row


def _mislabelled_row(s: System) -> Claim:
    try:
        ours = euler(s, 1e-5, 1000).tolist()
    except SimulationError as error:
        ours = f"overflow at t = {error.t:.4g} s"
    return Claim(
        "the row labelled h = 1e-5 is one of h = 1e-6",
        [1.982077791839361, -1.978121536111712e-3],
        ours,
        isinstance(ours, str),
        "with h = 1e-5 the fast part grows as 9^1000 (erratum E-13)",
    )


def _converges(s: System) -> Claim:
    error = np.abs(euler(s, 1e-6, 10000) - exact(s)).max()
    return Claim(
        "Euler converges on (7) as h decreases",
        "does not converge",
        float(error),
        error < 2e-8,
        "error at h = 1e-6 against the right exact row; the statement rests on the wrong one "
        "(erratum E-13)",
    )


def _stable_step(s: System) -> Claim:
    """The fast part after 200 steps with h = factor 2 / L is w (1 - 2 factor)^200."""
    factors, n, limit = (0.9, 1.1), 200, 2.0 / s.L
    rest = [
        float(np.abs(euler(s, f * limit, n) - closed_form(s, (1.0 - f * limit) ** n, 0.0)).max())
        for f in factors
    ]
    expected = [float(max(s.fast)) * (1.0 - 2.0 * f) ** n for f in factors]
    return Claim(
        "explicit Euler is stable for h < 2 / L only",
        None,
        [float(f"{r:.3g}") for r in rest],
        agrees(rest, expected, rtol=1e-6, atol=1e-9),
        f"size of the fast part after {n} steps at 0.9 and 1.1 times h = {limit:g}",
    )


def _stiff_methods(s: System) -> Claim:
    """PECE, BDF and the switching method until t = 1, where only the slow part remains."""
    ours = {
        name: solve_ode(s.f, (1.0, 1.0), 1.0, integrator=name, rtol=1e-6)
        for name in ("adams", "bdf", "switching")
    }
    worst = max(float(np.abs(run.y[-1] - exact(s, 1.0)).max()) for run in ours.values())
    L = float(ours["switching"].log["stiffness"][-1])
    return Claim(
        "PECE needs steps of the order 1 / L, BDF does not; the switching method finds L and "
        "changes",
        None,
        "; ".join(f"{name} {len(run.log)} steps" for name, run in ours.items()),
        worst < 5e-6
        and len(ours["bdf"].log) < 300 < len(ours["adams"].log) / 2
        and agrees(L, s.L, rtol=0.01)
        and len(ours["switching"].log) < 400,
        f"until t = 1 at rtol 1e-6, errors up to {worst:.0e}; L found {L:.6g} 1/s",
    )

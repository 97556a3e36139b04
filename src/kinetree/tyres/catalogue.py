"""The tyre laws, in the order of their stored kind: append only. A law of the user comes behind them (forces/tyre.py)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..num.jit import kernel, switch
from . import fiala, linear, magic_formula
from .contract import TyreLaw

LAWS: tuple[tuple[type[TyreLaw], Callable], ...] = (
    (linear.Linear, linear.answer),
    (fiala.Fiala, fiala.answer),
    (magic_formula.MagicFormula, magic_formula.answer),
)

KIND = {law.kind: k for k, (law, _) in enumerate(LAWS)}
USER = len(LAWS)

law_answer = switch("law_answer", [answer for _, answer in LAWS], "n, load, kappa, slope, camber, speed")


@kernel
def answers(kind, n, load, kappa, slope, camber, speed, out):
    """Forces and moments of a law for many slips, a row of `out` each."""
    for k in range(load.shape[0]):
        fx, fy, mx, my, mz = law_answer(kind, n, load[k], kappa[k], slope[k], camber[k], speed[k])
        out[k, 0], out[k, 1], out[k, 2], out[k, 3], out[k, 4] = fx, fy, mx, my, mz


def evaluate(law: TyreLaw, load, kappa=0.0, alpha=0.0, camber=0.0, speed=10.0) -> np.ndarray:
    """(..., 5): F_x, F_y, M_x, M_y, M_z of a law at loads (N), slips, side slip angles (rad), inclinations (rad), speeds (m/s).

    As the tyre on the road has them, in axes of ISO 8855; nothing without load.
    """
    load, kappa, alpha, camber, speed = np.broadcast_arrays(*(np.asarray(v, float) for v in (load, kappa, alpha, camber, speed)))
    flat = [np.ascontiguousarray(v).ravel() for v in (np.maximum(load, 1e-6), kappa, np.tan(alpha), camber, speed)]
    out, n = np.zeros((load.size, 5)), np.array(law.numbers(), float)
    answers(KIND[law.kind], n, *flat, out)
    return np.where((load > 0.0).reshape(-1, 1), out, 0.0).reshape(*load.shape, 5)

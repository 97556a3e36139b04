"""The tyre laws, in the order of their stored kind: append only. A law of the user comes behind
them (forces/tyre.py).
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ..checks import together
from ..errors import ModelError, explains_arguments, short
from ..frames import number
from ..kernel.types import Matrix, Vector
from ..num.jit import inline, kernel, switch
from . import fiala, linear, magic_formula
from .contract import TyreLaw

LAWS: tuple[tuple[type[TyreLaw], Callable], ...] = (
    (linear.Linear, linear.answer),
    (fiala.Fiala, fiala.answer),
    (magic_formula.MagicFormula, magic_formula.answer),
)

KIND = {law.kind: k for k, (law, _) in enumerate(LAWS)}
USER = len(LAWS)
ROLLS = 0.01  # of V_0: speed of rolling at which rolling resistance has all of its size

law_answer = switch(
    "law_answer",
    [answer for _, answer in LAWS],
    "n, load, kappa, slope, camber, speed, forwards, rolls",
)


@inline
def direction(speed, width):
    """Sign of a speed, with a smooth passage within the width."""
    return math.sin(0.5 * math.pi * max(-1.0, min(speed / width, 1.0)))


@kernel
def answers(
    kind: int,
    n: Vector,
    load: Vector,
    kappa: Vector,
    slope: Vector,
    camber: Vector,
    speed: Vector,
    slow: float,
    out: Matrix,
):
    """Forces and moments of a law for many slips, a row of `out` each."""
    for k in range(load.shape[0]):
        V = speed[k]
        rolling = V + kappa[k] * max(abs(V), slow)
        fx, fy, mx, my, mz = law_answer(
            kind,
            n,
            load[k],
            kappa[k],
            slope[k],
            camber[k],
            V,
            direction(V, slow),
            direction(rolling, ROLLS * slow),
        )
        out[k, 0], out[k, 1], out[k, 2], out[k, 3], out[k, 4] = fx, fy, mx, my, mz


@explains_arguments
def evaluate(
    law: TyreLaw, load, kappa=0.0, alpha=0.0, camber=0.0, speed=10.0, slow=1.0
) -> np.ndarray:
    """(..., 5): F_x, F_y, M_x, M_y, M_z of a law at loads (N), slips, side slip angles (rad),
    inclinations (rad), speeds (m/s).

    As the tyre on the road has them, in axes of ISO 8855; nothing without load. A negative speed is
    that of a tyre that runs backwards; `slow` is V_0 of the tyre, below which directions fade out
    (m/s).
    """
    if not isinstance(law, TyreLaw):
        raise ModelError(
            "tyres.evaluate: law must be one of kt.tyres, such as kt.tyres.Fiala(...), got "
            f"{short(law)}."
        )
    load, kappa, alpha, camber, speed = together(
        "tyres.evaluate", load=load, kappa=kappa, alpha=alpha, camber=camber, speed=speed
    )
    flat = [
        np.array(v, float).ravel()
        for v in (np.where(load > 0.0, load, 1.0), kappa, np.tan(alpha), camber, speed)
    ]
    out, n = np.zeros((load.size, 5)), np.array(law.numbers(), float)
    answers(KIND[law.kind], n, *flat, number(slow, "tyres.evaluate: slow", positive=True), out)
    return np.where((load > 0.0).reshape(-1, 1), out, 0.0).reshape(*load.shape, 5)

"""The tire laws in the order of their stored kind: append only. User laws follow them
(elements/forces/tyre.py).
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from ...core.checks import together
from ...errors import ModelError, explains_arguments, short
from ...kernel.decorators import inline, kernel, switch
from ...kernel.frames import number
from ...kernel.types import Matrix, Vector
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
    """Sign of a speed, with a smooth transition within the width."""
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
    """Forces and moments of a law for many slips, one row of `out` each."""
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
    law: TyreLaw,
    load: ArrayLike,
    kappa: ArrayLike = 0.0,
    alpha: ArrayLike = 0.0,
    camber: ArrayLike = 0.0,
    speed: ArrayLike = 10.0,
    slow: float = 1.0,
) -> np.ndarray:
    """Evaluate forces and moments of a tire law, as a tire on the road has them.

    Parameters
    ----------
    law : TyreLaw
        A law such as `kt.tyres.Fiala(...)`.
    load : float or array_like
        Vertical load (N); without load all forces are zero.
    kappa : float or array_like, default 0.0
        Longitudinal slip (1), positive when driving.
    alpha : float or array_like, default 0.0
        Slip angle (rad).
    camber : float or array_like, default 0.0
        Inclination angle (rad).
    speed : float or array_like, default 10.0
        Forward speed (m/s), negative for a tire that runs backwards.
    slow : float, default 1.0
        Speed V_0 below which directions fade out (m/s).

    Returns
    -------
    ndarray
        F_x, F_y (N), M_x, M_y, M_z (N m) in the axes of ISO 8855, shape (..., 5).

    See Also
    --------
    kt.tyres.sae : Convert to the axes of SAE J670.

    Notes
    -----
    The arguments are broadcast together.

    Examples
    --------
    >>> import kinetree as kt
    >>> law = kt.tyres.Linear(cornering=6e4, longitudinal=8e4)
    >>> print(f"{kt.tyres.evaluate(law, load=4000.0, kappa=0.01)[0]:.1f} N")
    800.0 N
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

"""Check of a user's equation before a run: number of values, linearity, and derivatives.

The function is evaluated once along a curve through the drawn position. Its exact derivatives are
compared with differences if the equation holds there; they disagree where it is not smooth. Functions
that fail here are left to the run, which reports the error with its cause.
"""

from __future__ import annotations

import ctypes
import warnings

import numpy as np

from ...errors import ModelError
from ...kernel.usercode.capture import ErrorCapture, capturing
from ...kernel.usercode.curves import differences
from ...kernel.usercode.registry import code_at
from ...kernel.usercode.shapes import MARKER

CLOSE = 1e-4  # for functions that change over 1 mm and more
CLOSED = 1e-3  # value up to which the drawn position is taken for that of the start
CHECKED = 1e-4  # step of the differences (m or rad)
_d, _i = ctypes.c_double, ctypes.c_int64
_C = ctypes.CFUNCTYPE(_i, _i, _d, _d, _d, *[_i] * 7)


class NotSmooth(UserWarning):
    """The derivatives of a user's equation do not agree with differences of its values."""


class Trial:
    """A user's equation that Python evaluates: `numbers` and `rates` along a curve."""

    def __init__(self, address, shape: str, parameters, rows: int) -> None:
        self.code, self.values = _C(address[0]), address[1]
        self.shape, self.rows = shape, rows
        self.parameters = np.array([*parameters, 0.0])

    def __call__(self, t: float, tdot: float, jets: np.ndarray) -> np.ndarray | None:
        """Jets of the rows; None if the function fails. Raises ModelError for another number of
        rows.
        """
        state, out = np.ascontiguousarray(jets, float), np.full((self.rows, 3), np.nan)
        n = len(jets) // 2
        with capturing(ErrorCapture()):
            status = self.code(
                *(self.values, t, tdot, 1.0, state.ctypes.data, n, n),
                *(self.parameters.ctypes.data, len(self.parameters) - 1),
                *(out.ctypes.data, self.rows),
            )
        if status == 2:
            raise ModelError(
                f"the function does not return {self.rows} value{'s' * (self.rows > 1)}; give the "
                "number of its values as rows=."
            )
        return out if status == 0 and np.isfinite(out).all() else None


def check_equation(address, spec, jets: np.ndarray, velocities: np.ndarray) -> None:
    """Check the function of a kt.UserConstraint along the curve `jets`.

    `velocities` are the indices of the numbers in which rows of velocities are linear.
    """
    trial = Trial(address, spec.shape, spec.parameters, spec.rows)
    rate = 1.0 if spec.driven else 0.0
    found = trial(0.0, rate, jets)
    if found is None:
        return
    if spec.velocity:
        _check_linear(trial, jets, velocities)
    code = code_at(address)
    closed = spec.velocity or np.abs(found[:, 0]).max() < CLOSED
    if code is None or not code.native or not closed:
        return

    def at(s: float) -> np.ndarray:
        there = np.zeros_like(jets)
        there[:, 0] = jets[:, 0] + s * (jets[:, 1] + s * jets[:, 2])
        value = trial(s * rate, 0.0, there)
        return found[:, 0] + np.nan if value is None else value[:, 0]

    compared = differences(at, found[:, 0], CHECKED)
    left = np.abs(compared - found[:, 1:]).max()
    if not left <= CLOSE * (1.0 + np.abs(found).max()):
        warnings.warn(
            f"the derivatives of function {code.function.__name__!r} differ from differences of its "
            f"values by {left:.2g} near the drawn position: it is not smooth there, or changes very "
            "fast. A constraint needs a function with two continuous derivatives, such as a spline "
            "(kt.Table) instead of a polygon.",
            NotSmooth,
            stacklevel=2,
        )


def _check_linear(trial: Trial, jets: np.ndarray, velocities: np.ndarray) -> None:
    """Raise ModelError unless the rows are linear in the velocities."""
    curve = np.zeros_like(jets)
    curve[:, 0] = jets[:, 0]
    curve[velocities, 1] = np.cos(1.0 + np.arange(len(velocities)))
    found = trial(0.0, 0.0, curve)
    if found is not None and np.abs(found[:, 2]).max() > 1e-6 * (1.0 + np.abs(found).max()):
        raise ModelError(
            "the function is not linear in the velocities. A constraint of velocities must be of "
            "the form F.V + b = 0, with F and b functions of time and position."
        )


def marker_jets(poses) -> np.ndarray:
    """A curve through the poses of two markers: each moves and turns, with velocities."""
    jets = np.zeros((2, MARKER, 3))
    for m, pose in enumerate(poses):
        w, v = np.cos(2.0 + m + np.arange(3)), np.cos(5.0 + 2.0 * m + np.arange(3))
        W = np.array([[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]])
        turned = [one.ravel() for one in (pose.R, W @ pose.R, 0.5 * W @ W @ pose.R)]
        jets[m, :3] = np.column_stack([pose.p, v, np.zeros(3)])
        jets[m, 3:12] = np.column_stack(turned)
        jets[m, 12:15, 0], jets[m, 15:18, 0] = v, w
    return jets.reshape(-1, 3)


def coordinate_jets(count: int) -> np.ndarray:
    """A curve of joint coordinates and their rates."""
    jets = np.zeros((2 * count, 3))
    jets[:, 0] = 0.1 * np.cos(3.0 + np.arange(2 * count))
    jets[:count, 1] = np.cos(1.0 + np.arange(count))
    return jets

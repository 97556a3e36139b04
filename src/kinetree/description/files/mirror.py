"""Coordinates of joints in mirrored assemblies.

The frames F of a joint become S F D: S reflects their axes like points, and D = diag(+-1, +-1, +-1)
in the axes of the joint, with det D = det S, makes them right-handed again. In these frames

    displacement D p,     rotation about the axes det(D) D,     quaternions and angular velocities det(D) D

so D determines which coordinates keep their signs. It is chosen so that as many as possible do:
those of hinges and slides, two slides, a plane. Where a joint turns about the line along which it
slides, its angle changes sign, and of three slides the third one does. Joints without axes of their
own follow the bodies, D = S.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ...elements.joints.contract import AxisJoint, Joint, TwoAxisJoint

_AXES = "xyz"
_HANDS = ((1.0, 1.0, -1.0), (1.0, -1.0, 1.0), (-1.0, 1.0, 1.0), (-1.0, -1.0, -1.0))


def handed(kind: type[Joint], S: np.ndarray) -> np.ndarray:
    """D of a joint."""
    if not issubclass(kind, (AxisJoint, TwoAxisJoint)):
        return S
    if np.prod(S) > 0.0:
        return np.ones(3)
    return np.array(min(_HANDS, key=lambda D: _turned(kind, np.array(D))))


def _turned(kind: type[Joint], D: np.ndarray) -> tuple[int, int]:
    """Number of coordinates that change sign, and number of displacements among them."""
    found = signs(kind, D)
    labels = [label for label in kind.coordinates if found[label] < 0.0]
    return len(labels), sum(kind.coordinates[label].startswith("slide") for label in labels)


def signs(kind: type[Joint], D: np.ndarray) -> dict[str, float]:
    """The sign of every coordinate and speed of a joint."""
    about = float(np.prod(D)) * D
    found = {f"{letter}{axis}": float(about[k]) for letter in "qw" for k, axis in enumerate(_AXES)}
    for label, gauge in (*kind.coordinates.items(), *zip(kind.speeds, kind.gauges)):
        how, _, axis = gauge.partition("_")
        found[label] = float((D if how == "slide" else about)[_AXES.index(axis)]) if axis else 1.0
    return found


def turn_start(kind: type[Joint], D: np.ndarray, values: dict[str, Any]) -> None:
    """Change the signs of initial coordinates or speeds in place."""
    found = signs(kind, D)
    for label, value in values.items():
        if label == "quaternion":
            values[label] = [
                value[0],
                *(found[f"q{axis}"] * part for axis, part in zip(_AXES, value[1:])),
            ]
        else:
            values[label] = found.get(label, 1.0) * value


def sign_of(name: str, S: np.ndarray, joints: Mapping[str, Any]) -> float:
    """The sign of a measured quantity: a joint coordinate, its rate, or the motion of a body along
    an axis.
    """
    joint, _, label = name.removesuffix(".rate").rpartition(".")
    if joint in joints:
        kind = type(joints[joint].joint)
        return signs(kind, handed(kind, S)).get(label, 1.0)
    head, _, axis = name.partition(" in ")[0].rpartition(".")
    what = head.rpartition(".")[2]
    if axis in _AXES and what in ("position", "velocity", "angular_velocity"):
        return float(S[_AXES.index(axis)] * (np.prod(S) if what == "angular_velocity" else 1.0))
    return 1.0

"""Placed assemblies: a prefix of the names, a pose in the world, and a mirror.

A mirror about the plane normal to an axis reflects values according to their annotation
(core/quantities.py), with S = diag(1, -1, 1) for y:

    points and velocities S p     angular velocities, torques det(S) S w
    rotations S R S               inertias S I S

Elements define how their other numbers change (`mirrored`), and how they change if a coordinate
changes sign (`counted`); the signs of coordinates are in mirror.py.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np

from ...elements.joints.contract import Joint
from ...elements.signals.contract import negated
from ...errors import ModelError
from ...kernel.frames import IDENTITY, Pose, rotation_matrix, unit_vector
from ...kernel.linalg import product
from ..beam import usual_up
from ..body import Body, Marker
from .mirror import handed, turn_start


class Moving:
    """Transformation of the contents of an assembly: names, mirror (S), and the pose X_WA of its
    drawing in the world.
    """

    def __init__(
        self, prefix: str, names: Collection[str], S: np.ndarray, pose: Pose = IDENTITY
    ) -> None:
        self.prefix, self.names, self.S, self.pose = prefix, names, S, pose
        self.mirrored, self.turned = bool((S < 0.0).any()), float(np.prod(S))
        self._turn: dict[str, Callable[[Any], Any]] = {
            "vector": self.polar,
            "axial": self.axial,
            "rotation": self.rotation,
            "inertia": self.inertia,
            "points": lambda points: {name: self.polar(p) for name, p in points.items()},
            "line": self._line,
            "ring": lambda ring: [self.polar(p) for p in ring],
            **dict.fromkeys(("push", "travel"), lambda three: self._three(three, self.S)),
            **dict.fromkeys(
                ("couple", "turning"), lambda three: self._three(three, self.turned * self.S)
            ),
            "turn axis": lambda axis: self.axial(unit_vector(axis, "axis")),
            "axis": self._along,
        }

    def name(self, name: str) -> str:
        return f"{self.prefix}{name}"

    def reference(self, text: Any) -> Any:
        """`A.angle` of a joint A of the assembly becomes `FL A.angle`."""
        if isinstance(text, dict):
            return {self.reference(name): value for name, value in text.items()}
        if not isinstance(text, str):
            return text
        name, within, frame = text.partition(" in ")
        if within:  # measured in the axes of a body
            return f"{self.reference(name)}{within}{self.reference(frame)}"
        for end in range(len(text), 0, -1):
            if text[:end] in self.names and text[end : end + 1] in ("", "."):
                return self.name(text)
        return text

    def value(self, kind: str | None, value: Any) -> Any:
        """A value of a given annotation, mirrored, in the axes of the assembly."""
        if kind in ("reference", "reading", "input"):
            return self.reference(value)
        if not self.mirrored or value is None or kind not in self._turn:
            return value
        return self._turn[kind](value)

    def polar(self, v: Any) -> list[float]:
        return [float(s * x) for s, x in zip(self.S, v)]

    def axial(self, v: Any) -> list[float]:
        return [self.turned * x for x in self.polar(v)]

    def rotation(self, rotation: Any) -> np.ndarray:
        R = rotation_matrix(rotation, "rotation")
        return self.S[:, None] * R * self.S

    def inertia(self, inertia: Any) -> Any:
        if np.shape(inertia) == (6,):
            x, y, z = self.S
            return [*inertia[:3], *(s * i for s, i in zip((x * y, x * z, y * z), inertia[3:]))]
        if np.shape(inertia) == (3, 3):
            return (self.S[:, None] * np.asarray(inertia, float) * self.S).tolist()
        return inertia

    def _along(self, axis: Any) -> list[float]:
        return self.polar(unit_vector(axis, "axis"))

    def _line(self, line: Any) -> Any:
        if callable(line):
            return lambda s: self.polar(line(s))
        return [self.polar(p) for p in line]

    @staticmethod
    def _three(three: Any, signs: np.ndarray) -> list[Any]:
        return [
            value if sign > 0.0 else negated(value, "mirror") for value, sign in zip(three, signs)
        ]

    def point(self, p: Any) -> np.ndarray:
        """A point of the drawing in the world."""
        return product(self.pose.R, np.array(self.polar(p))) + self.pose.p

    def world(self, options: dict[str, Any]) -> dict[str, Any]:
        """Position, rotation and velocities of a body, already mirrored, in the world."""
        R, p = self.pose
        found = dict(options)
        if "position" in found or "rotation" in found:
            turned = rotation_matrix(found.get("rotation"), "rotation")
            found["rotation"] = product(R, turned)
            if "position" in found:
                found["position"] = product(R, np.asarray(found["position"], float)) + p
        for label in ("velocity", "angular_velocity"):
            if label in found:
                found[label] = product(R, np.asarray(found[label], float))
        return found

    def joint(
        self, joint: Joint, places: Sequence[Marker], beside: dict[str, Any]
    ) -> tuple[Joint, list[Marker]]:
        """Transform a joint and its markers, already mirrored, with its frames as in the drawing;
        `beside` is changed in place.

        Frames F of the joint become S F D (mirror.py); its options contain f, and its markers the
        rest: S F D f^T.
        """
        if self.mirrored and beside.get("limits"):
            raise ModelError(
                "limits of a joint in a mirrored assembly may change their signs: give them as "
                "forces of the type JointStop, which are mirrored."
            )
        f, D = joint.frame(), handed(type(joint), self.S)
        Q = product(self.S[:, None] * (f * D), f.T) if self.mirrored else np.eye(3)
        if (at := beside.pop("at", None)) is not None:
            drawn = Pose(
                product(self.pose.R, Q), product(self.pose.R, np.asarray(at, float)) + self.pose.p
            )
            found = [Marker(m.body, self.reference_pose(m.body).inverse @ drawn) for m in places]
        else:
            found = [Marker(m.body, Pose(product(m.X_Bm.R, Q), m.X_Bm.p)) for m in places]
        for values in (beside.get("start"), beside.get("speed")):
            turn_start(type(joint), D, values or {})
        return joint.mirrored() if self.turned < 0.0 else joint, found

    def reference_pose(self, body: Body) -> Pose:
        """Pose of a body in the drawing; a body without one is placed at the origin of the
        assembly.
        """
        if body.pose is not None:
            return body.pose
        own = (
            body.name.startswith(self.prefix) and body.name.removeprefix(self.prefix) in self.names
        )
        return self.pose if own and not body.is_ground else IDENTITY

    def beam(self, options: dict[str, Any], what: str) -> None:
        """Transform the section of a beam, its direction and its twist in place; its line is
        already mirrored.
        """
        if self.turned < 0.0:
            options["section"] = options["section"].mirrored()
            options["twist"] = -options.get("twist", 0.0)
        if self.mirrored and options.get("up") is None:
            drawn = self._line(options["line"])
            options["up"] = self.polar(usual_up(drawn, options.get("elements", 10), what))


def moving(
    prefix: str,
    names: Collection[str],
    mirror: str | None,
    position: Any,
    rotation: Any,
    outer: Moving | None,
) -> Moving:
    """Transformation of an assembly, which may itself be in an assembly: p_W = R_o S_o (R S p +
    p_0) + p_o.
    """
    S = np.array([-1.0 if mirror == axis else 1.0 for axis in "xyz"])
    R, p = rotation_matrix(rotation, "rotation"), np.asarray(position or (0.0, 0.0, 0.0), float)
    if outer is None:
        return Moving(prefix, names, S, Pose(R, p))
    turned = outer.S[:, None] * R * outer.S
    return Moving(
        outer.name(prefix), names, outer.S * S, Pose(product(outer.pose.R, turned), outer.point(p))
    )

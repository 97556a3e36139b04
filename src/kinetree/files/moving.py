"""Assemblies elsewhere: a prefix before the names, a place in the world, and a mirror.

A mirror about the plane across an axis turns what is read by its annotation (annotations.py), with S = diag(1, -1, 1) for y:

    points and velocities S p     angular velocities, torques -S w     rotations S R S     inertias S I S

Joints keep the signs of their coordinates: hinges turn about -S a, slides go along S a. Where a joint does both, it is along S a
and its angle counts the other way; so does the third of three slides, which lies across the other two. The pitch
of a screw changes its sign.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import numpy as np

from ..errors import ModelError
from ..frames import IDENTITY, Pose, rotation_matrix, unit_vector


class Moving:
    """How what an assembly says is changed: names, mirror (S), and the pose X_WA of its drawing in the world."""

    def __init__(self, prefix: str, names: Collection[str], S: np.ndarray, pose: Pose = IDENTITY) -> None:
        self.prefix, self.names, self.S, self.pose = prefix, names, S, pose
        self.mirrored, self.turned = bool((S < 0.0).any()), float(np.prod(S))
        self._turn: dict[str, Callable[[Any], Any]] = {
            "vector": self.polar, "axial": self.axial, "rotation": self.rotation, "inertia": self.inertia,
            "points": lambda points: {name: self.polar(p) for name, p in points.items()}, "line": self._line,
            "ring": lambda ring: [self.polar(p) for p in ring],
            **dict.fromkeys(("push", "travel"), lambda three: self._three(three, self.S)),
            **dict.fromkeys(("couple", "turning"), lambda three: self._three(three, self.turned * self.S)),
            "turn axis": lambda axis: self.axial(unit_vector(axis, "axis")), "sequence": self._sequence,
            "reference": self.reference, "axis": self._along, "across": self._across}

    def name(self, name: str) -> str:
        return f"{self.prefix}{name}"

    def reference(self, text: Any) -> Any:
        """`A.angle` of a joint A of the assembly becomes `FL A.angle`."""
        if isinstance(text, dict):
            return {self.reference(name): value for name, value in text.items()}
        if not isinstance(text, str):
            return text
        for end in range(len(text), 0, -1):
            if text[:end] in self.names and text[end:end + 1] in ("", "."):
                return self.name(text)
        return text

    def value(self, kind: str | None, value: Any) -> Any:
        """A value of a given annotation, within the axes of the assembly."""
        if kind == "reference" or kind == "input":
            return self.reference(value)
        if not self.mirrored or value is None or kind not in self._turn:
            return value
        return self._turn[kind](value)

    # --- the mirror -------------------------------------------------------------------------------------------------

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
    def _sequence(text: str) -> str:
        raise ModelError(f"a mirror cannot turn the sequence of axes {text!r}; give an axis and an angle, or rotations at times.")

    @staticmethod
    def _across(value: Any) -> Any:
        if np.ndim(value) and np.any(value):
            raise ModelError("a mirror cannot turn the mass centre of a section; give this beam in the file that uses the "
                             "assembly.")
        return value

    @staticmethod
    def _three(three: Any, signs: np.ndarray) -> list[Any]:
        for value, sign in zip(three, signs):
            if sign < 0.0 and not isinstance(value, float):
                raise ModelError("a mirror cannot turn a time function or the output of a controller; give this element in the "
                                 "file that uses the assembly.")
        return [value if sign > 0.0 else -value for value, sign in zip(three, signs)]

    # --- in the world -----------------------------------------------------------------------------------------------

    def point(self, p: Any) -> np.ndarray:
        """A point of the drawing, in the world."""
        return self.pose.R @ np.array(self.polar(p)) + self.pose.p

    def world(self, options: dict[str, Any]) -> dict[str, Any]:
        """Position, rotation and velocities of a body, already mirrored, in the world."""
        R, p = self.pose
        found = dict(options)
        if "position" in found or "rotation" in found:
            turned = rotation_matrix(found.get("rotation"), "rotation")
            found["rotation"] = R @ turned
            if "position" in found:
                found["position"] = R @ np.asarray(found["position"], float) + p
        for label in ("velocity", "angular_velocity"):
            if label in found:
                found[label] = R @ np.asarray(found[label], float)
        return found

    def joint(self, kind: type, options: dict[str, Any], start: dict[str, Any]) -> None:
        """Axes, pitch and initial coordinates of a joint, changed in place."""
        if not self.mirrored:
            return
        turns = [gauge.startswith("turn") for gauge in kind.coordinates.values()]  # type: ignore[attr-defined]
        hinge = bool(turns) and all(turns)
        for axis, usual in (("axis", "z"), ("axis1", "x"), ("axis2", "y")):
            if axis in kind.__dataclass_fields__:  # type: ignore[attr-defined]
                a = unit_vector(options.get(axis, usual), "axis")
                options[axis] = tuple(self.axial(a) if hinge else self.polar(a))
        if "pitch" in options:
            options["pitch"] = self.turned * options["pitch"]
        for said in (start.get("start"), start.get("speed")):
            self._start(kind, said or {}, hinge)

    def _start(self, kind: type, said: dict[str, Any], hinge: bool) -> None:
        for label in list(said):
            gauge = kind.coordinates.get(label, "")  # type: ignore[attr-defined]
            if label == "quaternion":
                said[label] = [said[label][0], *self.axial(said[label][1:])]
            elif label in ("wx", "wy", "wz", "qx", "qy", "qz"):
                said[label] = self.turned * self.S["xyz".index(label[1])] * said[label]
            elif kind.__name__ == "Free" and label in ("x", "y", "z"):
                said[label] = self.S["xyz".index(label)] * said[label]
            elif gauge.startswith("turn") and not hinge:
                said[label] = self.turned * said[label]
            elif gauge == "slide_z" and "axis1" in kind.__dataclass_fields__:  # type: ignore[attr-defined]
                said[label] = self.turned * said[label]
            elif gauge not in _signed(kind) and said[label] and label != "qw":
                raise ModelError(f"a mirror does not know the sign of {label!r} of this joint; start it in the file that uses "
                                 "the assembly.")


def _signed(kind: type) -> tuple[str, ...]:
    """How the coordinates show whose signs a mirror keeps: along and about axes that the joint names."""
    sides = ("slide_x", "slide_y") if "axis1" in kind.__dataclass_fields__ else ()  # type: ignore[attr-defined]
    return ("slide_z", "turn_z", "turn_x", "turn_y", *sides)


def moving(prefix: str, names: Collection[str], mirror: str | None, position: Any, rotation: Any, outer: Moving | None) -> Moving:
    """An assembly in a file, which may itself be an assembly of another:  p_W = R_o S_o (R S p + p_0) + p_o."""
    S = np.array([-1.0 if mirror == axis else 1.0 for axis in "xyz"])
    R, p = rotation_matrix(rotation, "rotation"), np.asarray(position or (0.0, 0.0, 0.0), float)
    if outer is None:
        return Moving(prefix, names, S, Pose(R, p))
    turned = outer.S[:, None] * R * outer.S
    return Moving(outer.name(prefix), names, outer.S * S, Pose(outer.pose.R @ turned, outer.point(p)))

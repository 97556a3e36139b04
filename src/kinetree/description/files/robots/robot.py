"""A robot as its file describes it: links, joints between them, and what the file wants besides.

The readers fill these records; `build.py` makes a model of them. All poses are of frames: that of
a link, and those of a joint in the frames of its two links, which coincide at zero coordinates.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ....kernel.frames import IDENTITY, Pose
from ....kernel.linalg import product
from ...look import Outline

Picture = Callable[[Pose], Outline]  # draws in a frame with that pose
EYE = np.eye(3)


@dataclass(frozen=True)
class Lump:
    """Mass m, first moment m c, and inertia about the origin of a frame; lumps can be added."""

    mass: float = 0.0
    moment: np.ndarray = field(default_factory=lambda: np.zeros(3))
    inertia: np.ndarray = field(default_factory=lambda: np.zeros((3, 3)))

    @staticmethod
    def of(mass: float, com: np.ndarray, about_com: np.ndarray) -> Lump:
        """From the inertia about the center of mass:  I_O = I_C + m (c.c 1 - c c^T)."""
        return Lump(mass, mass * com, about_com + mass * _steiner(com))

    @property
    def com(self) -> np.ndarray:
        """The center of mass; the origin where there is no mass."""
        return self.moment / self.mass if self.mass else np.zeros(3)

    @property
    def about_com(self) -> np.ndarray:
        """Inertia about the center of mass."""
        I = self.inertia - self.mass * _steiner(self.com)
        return 0.5 * (I + I.T)

    def seen_from(self, X: Pose) -> Lump:
        """The same lump in the frame in which its own frame has the pose X."""
        turned = product(product(X.R, self.about_com), X.R.T)
        return Lump.of(self.mass, X.p + product(X.R, self.com), turned)

    def __add__(self, other: Lump) -> Lump:
        return Lump(
            self.mass + other.mass, self.moment + other.moment, self.inertia + other.inertia
        )


def _steiner(c: np.ndarray) -> np.ndarray:
    return product(c, c) * EYE - np.outer(c, c)


@dataclass
class RobotLink:
    """A rigid part with its mass and its pictures, in its own frame."""

    name: str
    lump: Lump | None  # None: the file gives no inertia
    look: list[Picture] = field(default_factory=list)


@dataclass
class Mimic:
    """Coordinate of another joint that a joint follows:  x = multiplier y + offset."""

    joint: str
    multiplier: float = 1.0
    offset: float = 0.0


@dataclass
class RobotJoint:
    """A joint between two links."""

    name: str
    kind: str  # fixed (one body), weld (two bodies), or one of the joints of joints.py
    parent: str
    child: str
    X_PF: Pose = IDENTITY  # in the frame of the parent link
    axis: tuple[float, float, float] = (1.0, 0.0, 0.0)
    lower: float | None = None
    upper: float | None = None
    effort: float = 0.0  # largest force or torque of its drive; 0 where it is not given
    damping: float = 0.0
    friction: float = 0.0
    mimic: Mimic | None = None
    X_CM: Pose = IDENTITY  # in the frame of the child link
    armature: float = 0.0  # inertia of its coordinates
    stiffness: float = 0.0  # of a spring that is free of force at `rest`
    rest: float = 0.0
    start: dict[str, Any] = field(default_factory=dict)  # coordinates that the file gives
    pitch: float = 0.0  # advance of a screw per turn


@dataclass(frozen=True)
class Actuator:
    """A drive of a robot file: its force on a joint coordinate x is  gain u + bias.(1, x, xdot).

    Attributes
    ----------
    coordinate : str
        Channel of the coordinate on which it acts.
    gain : float
        Force or torque per unit of its input, with the gear (N or N m).
    bias : tuple of float
        Force or torque (N or N m), and that per coordinate and per velocity.
    range : tuple of float or None
        Smallest and largest input, if the file limits it.

    Examples
    --------
    >>> import kinetree as kt
    >>> motor = kt.Actuator("A.angle", gain=5.0, range=(-1.0, 1.0))
    >>> motor.gain
    5.0
    """

    coordinate: str
    gain: float
    bias: tuple[float, float, float] = (0.0, 0.0, 0.0)
    range: tuple[float, float] | None = None


@dataclass
class Robot:
    """Content of a robot file, and notes on what was changed or left out."""

    name: str
    links: dict[str, RobotLink]
    joints: list[RobotJoint]
    notes: list[str] = field(default_factory=list)
    gravity: tuple[float, float, float] = (0.0, 0.0, -9.81)
    ground: str | None = None  # link that is the ground; None: the root decides (URDF)
    lift: dict[str, tuple[float, float, float]] = field(default_factory=dict)  # forces at centers
    actuators: dict[str, Actuator] = field(default_factory=dict)  # on joints, by name
    poses: dict[str, Pose] = field(default_factory=dict)  # of links that float at the start

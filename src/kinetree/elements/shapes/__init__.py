"""Shapes for contact, and the contact stiffness of round bodies."""

from .ball import Ball
from .box import Box
from .capsule import Capsule
from .contract import Placed, Shape
from .cylinder import Cylinder
from .half_space import HalfSpace
from .height_field import HeightField
from .hertz import hertz
from .hull import Hull
from .profile import Profile

__all__ = [
    "Ball",
    "Box",
    "Capsule",
    "Cylinder",
    "HalfSpace",
    "HeightField",
    "Hull",
    "Placed",
    "Profile",
    "Shape",
    "hertz",
]

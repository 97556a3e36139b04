"""Shapes for contact, and the contact stiffness of round bodies."""

from .ball import Ball
from .box import Box
from .capsule import Capsule
from .contract import Placed, Shape
from .cylinder import Cylinder
from .half_space import HalfSpace
from .hertz import hertz
from .hull import Hull

__all__ = ["Ball", "Box", "Capsule", "Cylinder", "HalfSpace", "Hull", "Placed", "Shape", "hertz"]

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

_CALLED = {
    "sphere": "Ball",
    "plane": "HalfSpace",
    "floor": "HalfSpace",
    "cuboid": "Box",
    "brick": "Box",
    "mesh": "Hull",
    "convexhull": "Hull",
    "convex": "Hull",
    "polygon": "Profile",
    "curve": "Profile",
    "cam": "Profile",
    "terrain": "HeightField",
    "road": "HeightField",
    "pill": "Capsule",
}  # names in other programs


def __getattr__(name: str):
    """Say what an unknown shape is called here."""
    if name.startswith("_"):
        raise AttributeError(name)
    from ...errors import suggestion

    here = _CALLED.get(name.replace("_", "").lower())
    hint = f" It is called {here!r} here." if here else suggestion(name, __all__)
    raise AttributeError(f"kinetree.shapes has no {name!r}.{hint} It has {', '.join(__all__)}.")

"""The built-in models: append only."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ..description.model import Model
from ..errors import no_such
from .andrews import andrews
from .car import car
from .door import door
from .double_pendulum import double_pendulum
from .excavator import excavator
from .five_dof import five_dof
from .flexible_four_bar import flexible_four_bar
from .flexible_slider_crank import flexible_slider_crank
from .flyball_governor import flyball_governor
from .four_bar import four_bar
from .heavy_top import heavy_top
from .n_four_bar import n_four_bar
from .pendulum import pendulum
from .quarter_car import quarter_car
from .ralf import ralf, ralf_open, ralf_rigid
from .rssr import rssr
from .slider_crank import slider_crank
from .tracked_vehicle import tracked_vehicle


class Entry(NamedTuple):
    """One entry of the catalogue: the function that builds a model, and its usual duration (s)."""

    name: str
    summary: str
    build: Callable[[], Model]
    until: float


MODELS: tuple[Entry, ...] = (
    Entry("pendulum", "a rod on a hinge", pendulum, 5.0),
    Entry("double-pendulum", "two rods, released level", double_pendulum, 5.0),
    Entry("four-bar", "planar linkage with one loop, falling from rest", four_bar, 3.0),
    Entry("slider-crank", "crank, rod and piston, coasting", slider_crank, 2.0),
    Entry("rssr", "spatial linkage with two ball joints and an idle spin [Lee1994]", rssr, 2.0),
    Entry(
        "five-dof",
        "vehicle with seat and two wheels crossing a bump [Lee1994, Haug1979]",
        five_dof,
        2.5,
    ),
    Entry(
        "andrews", "Andrews' squeezer, seven bodies and three loops [Schiehlen1990]", andrews, 0.03
    ),
    Entry(
        "n-four-bar",
        "two windows that fold through singular positions [Gonzalez2006]",
        n_four_bar,
        10.0,
    ),
    Entry("door", "a leaf on two hinges, five redundant equations", door, 5.0),
    Entry("heavy-top", "a fast top on a fixed point [Bruels2012]", heavy_top, 2.0),
    Entry(
        "quarter-car",
        "body and wheel with a damper that stiffens as time passes [Han1994]",
        quarter_car,
        2.5,
    ),
    Entry(
        "flyball-governor",
        "two balls lift a slider through very stiff springs [Gonzalez2006]",
        flyball_governor,
        10.0,
    ),
    Entry(
        "excavator", "boom, arm and bucket on three hydraulic cylinders [Han1994]", excavator, 1.0
    ),
    Entry(
        "ralf",
        "flexible manipulator with a four-bar drive, generated equations [LeeJoo]",
        ralf,
        2.0,
    ),
    Entry("ralf-open", "its two long links alone, swinging freely [LeeJoo]", ralf_open, 1.0),
    Entry("ralf-rigid", "the same manipulator with rigid links [LeeJoo]", ralf_rigid, 2.0),
    Entry(
        "tracked-vehicle",
        "hull on twelve road arms crossing a bump [Lee1994]",
        tracked_vehicle,
        4.0,
    ),
    Entry("car", "McPherson front, twist axle, a lane change at 40 km/h [Kim1997]", car, 10.0),
    Entry(
        "flexible-four-bar",
        "rigid crank, soft coupler, elastic rocker, falling",
        flexible_four_bar,
        1.0,
    ),
    Entry(
        "flexible-slider-crank",
        "a driven crank, a flexible rod, a sliding block",
        flexible_slider_crank,
        0.3,
    ),
)


def model_entry(name: str) -> Entry:
    """The entry of that name."""
    for entry in MODELS:
        if isinstance(name, str) and entry.name == name:
            return entry
    raise no_such("model", name, [entry.name for entry in MODELS])

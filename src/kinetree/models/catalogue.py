"""The built-in models: append only."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ..description.model import Model
from ..errors import no_such
from .andrews import andrews
from .bicycle import bicycle
from .car import car
from .door import door
from .double_pendulum import double_pendulum
from .excavator import excavator
from .five_dof import five_dof
from .flexible_crank import flexible_crank
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

TAGS = (  # in the order in which they are shown
    "open chain",
    "closed loop",
    "spatial",
    "redundant",
    "driven",
    "stiff",
    "flexible",
    "hydraulics",
    "vehicle",
    "robot",
    "benchmark",
    "paper",
)


class Entry(NamedTuple):
    """One entry of the catalogue: the function that builds a model, and its usual duration (s).

    `source` lists keys of the literature; `tags` are of TAGS.
    """

    name: str
    summary: str
    build: Callable[[], Model]
    until: float
    title: str = ""
    tags: tuple[str, ...] = ()
    source: str = ""


MODELS: tuple[Entry, ...] = (
    Entry(
        "pendulum",
        "A rod swings about a hinge. It is released 1 rad away from hanging straight down.",
        pendulum,
        5.0,
        "Pendulum",
        ("open chain",),
    ),
    Entry(
        "double-pendulum",
        "Two equal rods are released at rest, the upper one horizontal and the lower one vertical. "
        "The motion is chaotic.",
        double_pendulum,
        5.0,
        "Double pendulum",
        ("open chain",),
    ),
    Entry(
        "four-bar",
        "Crank, coupler and rocker form one planar loop and fall from rest. The spatial hinges of a "
        "planar loop make three equations redundant.",
        four_bar,
        3.0,
        "Four-bar linkage",
        ("closed loop", "redundant"),
    ),
    Entry(
        "slider-crank",
        "A crank, a rod and a piston. The crank starts at 10 rad/s and moves freely, without "
        "gravity.",
        slider_crank,
        2.0,
        "Slider-crank mechanism",
        ("closed loop", "redundant"),
    ),
    Entry(
        "rssr",
        "Crank and rocker rotate about crossed axes. The coupler connects them by two ball joints "
        "and can spin about its own axis without moving anything else.",
        rssr,
        2.0,
        "Spatial linkage with two ball joints (RSSR)",
        ("closed loop", "spatial", "paper"),
        "Lee1994",
    ),
    Entry(
        "five-dof",
        "Chassis, seat and two axles on springs and dampers drive over a bump at 450 in/s.",
        five_dof,
        2.5,
        "Vehicle with five degrees of freedom on a bump",
        ("open chain", "vehicle", "paper"),
        "Lee1994, Haug1979",
    ),
    Entry(
        "andrews",
        "Seven bodies in three loops through one point, a stiff spring and a constant motor torque: "
        "a standard problem for integrators.",
        andrews,
        0.03,
        "Andrews' squeezing mechanism",
        ("closed loop", "redundant", "benchmark"),
        "Schiehlen1990",
    ),
    Entry(
        "n-four-bar",
        "Two parallelograms in a row fold flat and pass through positions at which they gain "
        "degrees of freedom.",
        n_four_bar,
        10.0,
        "Row of folding parallelograms",
        ("closed loop", "redundant", "benchmark"),
        "Gonzalez2006",
    ),
    Entry(
        "door",
        "A door hangs on two hinges and swings shut because its hinge line is inclined. One hinge "
        "determines the motion, so five equations are redundant.",
        door,
        5.0,
        "Door on two hinges",
        ("closed loop", "redundant", "spatial"),
    ),
    Entry(
        "heavy-top",
        "A fast top on a fixed point precesses under gravity: a standard problem for integrators of "
        "large rotations.",
        heavy_top,
        2.0,
        "Heavy top",
        ("open chain", "spatial", "benchmark"),
        "Bruels2012",
    ),
    Entry(
        "quarter-car",
        "Body and wheel on a sinusoidal road. The damper coefficient grows with time, so the "
        "equations change from nonstiff to stiff.",
        quarter_car,
        2.5,
        "Quarter car with a damper that stiffens",
        ("open chain", "stiff", "vehicle", "paper"),
        "Han1994",
    ),
    Entry(
        "flyball-governor",
        "Two balls on swinging rods lift a slider on a rotating shaft. Very stiff springs and "
        "dampers connect the rods and the slider.",
        flyball_governor,
        10.0,
        "Flyball governor with stiff springs",
        ("open chain", "spatial", "stiff", "benchmark"),
        "Gonzalez2006",
    ),
    Entry(
        "excavator",
        "Three hydraulic cylinders move boom, arm and bucket while their valves open. The oil makes "
        "the equations stiff.",
        excavator,
        1.0,
        "Excavator with three hydraulic cylinders",
        ("closed loop", "stiff", "hydraulics", "vehicle", "paper"),
        "Han1994",
    ),
    Entry(
        "ralf",
        "Two long links bend; the upper one is driven through a four-bar mechanism. The equations "
        "are derived symbolically with two assumed modes per link.",
        ralf,
        2.0,
        "Flexible manipulator with a four-bar drive (RALF)",
        ("closed loop", "flexible", "robot", "paper"),
        "LeeJoo",
    ),
    Entry(
        "ralf-open",
        "The two long links of the flexible manipulator alone: released from rest, they swing "
        "freely.",
        ralf_open,
        1.0,
        "Two flexible links that swing freely",
        ("open chain", "flexible", "robot", "paper"),
        "LeeJoo",
    ),
    Entry(
        "ralf-rigid",
        "The manipulator with a four-bar drive, with rigid links; its servos hold it against its "
        "weight while torque pulses excite it.",
        ralf_rigid,
        2.0,
        "Manipulator with a four-bar drive and rigid links",
        ("closed loop", "robot", "paper"),
        "LeeJoo",
    ),
    Entry(
        "tracked-vehicle",
        "A hull on twelve road arms with torsion bars and hydropneumatic units crosses a half-round "
        "bump at 11 m/s.",
        tracked_vehicle,
        4.0,
        "Tracked vehicle on a bump",
        ("open chain", "spatial", "vehicle", "paper"),
        "Lee1994",
    ),
    Entry(
        "car",
        "A car with McPherson struts in front and a twist axle behind changes lanes at 40 km/h. The "
        "steering rack has prescribed travel.",
        car,
        10.0,
        "Car in a lane change",
        ("closed loop", "spatial", "driven", "vehicle", "paper"),
        "Kim1997",
    ),
    Entry(
        "flexible-four-bar",
        "A rigid crank, a coupler a thousand times softer than steel and an elastic rocker fall "
        "under their weight. Coupler and rocker are beams.",
        flexible_four_bar,
        1.0,
        "Four-bar linkage with a flexible coupler",
        ("closed loop", "flexible"),
    ),
    Entry(
        "flexible-slider-crank",
        "A crank driven at 40 rad/s moves a block through a thin flexible rod, which is a beam.",
        flexible_slider_crank,
        0.3,
        "Slider-crank mechanism with a flexible rod",
        ("closed loop", "driven", "flexible"),
    ),
    Entry(
        "flexible-crank",
        "A crank driven at 3000 rpm moves a piston through a connecting rod of finite elements, "
        "which is reduced to modes.",
        flexible_crank,
        0.04,
        "Crank mechanism with a connecting rod of finite elements",
        ("closed loop", "driven", "flexible"),
    ),
    Entry(
        "bicycle",
        "A bicycle with a rigid rider rolls at 4.6 m/s and is pushed sideways. It steers into the "
        "lean and comes upright by itself.",
        bicycle,
        5.0,
        "Self-stable bicycle",
        ("open chain", "spatial", "vehicle", "benchmark"),
        "Meijaard2007",
    ),
)


def model_entry(name: str) -> Entry:
    """The entry of that name."""
    for entry in MODELS:
        if isinstance(name, str) and entry.name == name:
            return entry
    raise no_such("model", name, [entry.name for entry in MODELS])

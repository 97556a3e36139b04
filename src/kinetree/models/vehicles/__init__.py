"""Reusable parts of vehicles, from tables of hard points; driving maneuvers and their
characteristic values.
"""

from .curves import SuspensionCurves, suspension_curves
from .double_wishbone import DoubleWishbone, add_double_wishbone
from .handling import (
    Drive,
    constant_radius,
    drive,
    lane_change,
    over_bump,
    step_steer,
    understeer_gradient,
)
from .hard_points import Part, Rod, Side, Strut, Wheel, both_sides
from .mcpherson import McPherson, add_mcpherson
from .road_arm import RoadArm, add_road_arm
from .rolling import rolling_start, standing, wheel_loads
from .steering import add_rack, add_tie_rod
from .steering_inputs import smooth_sine, smooth_step
from .twist_axle import TwistAxle, add_twist_axle

__all__ = [
    "DoubleWishbone",
    "Drive",
    "McPherson",
    "Part",
    "RoadArm",
    "Rod",
    "Side",
    "Strut",
    "SuspensionCurves",
    "TwistAxle",
    "Wheel",
    "add_double_wishbone",
    "add_mcpherson",
    "add_rack",
    "add_road_arm",
    "add_tie_rod",
    "add_twist_axle",
    "both_sides",
    "constant_radius",
    "drive",
    "lane_change",
    "over_bump",
    "rolling_start",
    "smooth_sine",
    "smooth_step",
    "standing",
    "step_steer",
    "suspension_curves",
    "understeer_gradient",
    "wheel_loads",
]

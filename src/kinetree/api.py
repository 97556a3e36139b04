"""The public names, explicitly; `kinetree` itself loads them at the first use, so that importing it
costs nothing.
"""

from . import roads, tyres
from .analysis.assemble import assemble
from .analysis.calibrate import calibrate
from .analysis.compare import compare
from .analysis.equations import equations
from .analysis.equilibrium import equilibrium
from .analysis.flexible import buckling, deflect, vibrations
from .analysis.inverse_dynamics import inverse_dynamics
from .analysis.kinematics import kinematics
from .analysis.linearize import linearize
from .analysis.modes import modes
from .analysis.ode import solve_ode
from .analysis.velocity_transformation import velocity_transformation
from .constraints.coupling import Coupling, Differential, Gear, PlanetaryGear, RackAndPinion
from .constraints.distance import Distance
from .constraints.driver import Driver
from .constraints.pose_driver import PoseDriver
from .control.controller import Controller
from .errors import (
    AssemblyError,
    KinetreeError,
    ModelError,
    NameNotFound,
    ResultError,
    SimulationError,
    TopologyError,
)
from .events.event import Event, kinks
from .files.opening import load
from .flex.section import Section
from .forces.anti_roll_bar import AntiRollBar
from .forces.beam import BeamForce
from .forces.bump_stop import BumpStop
from .forces.bushing import Bushing
from .forces.cable import Cable
from .forces.drag import Drag
from .forces.drive import Drive
from .forces.hydraulic_cylinder import HydraulicCylinder
from .forces.hydropneumatic import HydropneumaticUnit
from .forces.joint_friction import JointFriction
from .forces.laws import Characteristic, Polynomial
from .forces.path_follower import PathFollower
from .forces.point_force import PointForce
from .forces.pump import Pump
from .forces.spring_damper import SpringDamper
from .forces.torque import Torque
from .forces.torsion_spring import TorsionSpring
from .forces.track_band import TrackBand
from .forces.tyre import Tyre
from .forces.user_force import UserForce
from .forces.valve import Valve
from .forces.wheel import Wheel
from .joints.cylindrical import Cylindrical
from .joints.fixed import Fixed
from .joints.free import Free
from .joints.planar import Planar
from .joints.planar_translational import PlanarTranslational
from .joints.point_on_curve import PointOnCurve
from .joints.point_on_line import PointOnLine
from .joints.point_on_plane import PointOnPlane
from .joints.revolute import Revolute
from .joints.screw import Screw
from .joints.spatial_translational import SpatialTranslational
from .joints.spherical import Spherical
from .joints.translational import Translational
from .joints.universal import Universal
from .joints.variable_screw import VariableScrew
from .model import look
from .model.arm import Arm
from .model.model import Model
from .model.shapes import box, cylinder, mass, rod, rotor, sphere, tube
from .reopening import open_solution
from .roads.road import Road
from .signals.constant import Constant
from .signals.cosine_bump import CosineBump
from .signals.exponential import Exponential
from .signals.function import Function
from .signals.ramp import Ramp
from .signals.sine import Sine
from .signals.smooth_sine import SmoothSine
from .signals.smooth_step import SmoothStep
from .signals.table import Table
from .simulation import simulate
from .states import State
from .symbolic.bending import Bending
from .symbolic.derived import derive
from .viewer.show import animate

__all__ = [
    "AntiRollBar",
    "Arm",
    "AssemblyError",
    "BeamForce",
    "Bending",
    "BumpStop",
    "Bushing",
    "Cable",
    "Characteristic",
    "Constant",
    "Controller",
    "CosineBump",
    "Coupling",
    "Cylindrical",
    "Differential",
    "Distance",
    "Drag",
    "Drive",
    "Driver",
    "Event",
    "Exponential",
    "Fixed",
    "Free",
    "Function",
    "Gear",
    "HydraulicCylinder",
    "HydropneumaticUnit",
    "JointFriction",
    "KinetreeError",
    "Model",
    "ModelError",
    "NameNotFound",
    "PathFollower",
    "Planar",
    "PlanarTranslational",
    "PlanetaryGear",
    "PointForce",
    "PointOnCurve",
    "PointOnLine",
    "PointOnPlane",
    "Polynomial",
    "PoseDriver",
    "Pump",
    "RackAndPinion",
    "Ramp",
    "ResultError",
    "Revolute",
    "Road",
    "Screw",
    "Section",
    "SimulationError",
    "Sine",
    "SmoothSine",
    "SmoothStep",
    "SpatialTranslational",
    "Spherical",
    "SpringDamper",
    "State",
    "Table",
    "TopologyError",
    "Torque",
    "TorsionSpring",
    "TrackBand",
    "Translational",
    "Tyre",
    "Universal",
    "UserForce",
    "Valve",
    "VariableScrew",
    "Wheel",
    "animate",
    "assemble",
    "box",
    "buckling",
    "calibrate",
    "compare",
    "cylinder",
    "deflect",
    "derive",
    "equations",
    "equilibrium",
    "inverse_dynamics",
    "kinematics",
    "kinks",
    "linearize",
    "load",
    "look",
    "mass",
    "modes",
    "open_solution",
    "roads",
    "rod",
    "rotor",
    "simulate",
    "solve_ode",
    "sphere",
    "tube",
    "tyres",
    "velocity_transformation",
    "vibrations",
]

"""The public names, listed explicitly.

`kinetree` itself loads them at the first use of one of them, so that importing it is fast.
"""

from . import roads, tyres
from .analysis.assemble import assemble
from .analysis.calibrate import Calibration, calibrate
from .analysis.compare import Comparison, compare
from .analysis.equations import EquationsOfMotion, equations
from .analysis.equilibrium import Equilibrium, equilibrium
from .analysis.flexible import Buckling, Deflection, Vibrations, buckling, deflect, vibrations
from .analysis.inverse_dynamics import DriveEfforts, inverse_dynamics
from .analysis.kinematics import kinematics
from .analysis.linearize import StateSpace, linearize
from .analysis.modes import Mode, Modes, modes
from .analysis.ode import OdeSolution, solve_ode
from .analysis.velocity_transformation import VelocityTransformation, velocity_transformation
from .assembly.receipt import Assembly
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
    UnknownArgument,
    explain_arguments_of,
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
from .joints.point_on_line import PointOnLine
from .joints.point_on_plane import PointOnPlane
from .joints.revolute import Revolute
from .joints.screw import Screw
from .joints.spatial_translational import SpatialTranslational
from .joints.spherical import Spherical
from .joints.translational import Translational
from .joints.universal import Universal
from .model import look
from .model.arm import Arm, Link
from .model.beam import Beam
from .model.body import Body, Marker
from .model.model import Model
from .model.shapes import MassProperties, box, cylinder, mass, rod, rotor, sphere, tube
from .reopening import open_solution
from .results.reactions import Reaction
from .results.solution import Solution
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
from .symbolic.derived import Derived, derive
from .topology.report import TopologyReport
from .viewer.show import animate

__all__ = [
    "AntiRollBar",
    "Arm",
    "Assembly",
    "AssemblyError",
    "Beam",
    "BeamForce",
    "Bending",
    "Body",
    "Buckling",
    "BumpStop",
    "Bushing",
    "Cable",
    "Calibration",
    "Characteristic",
    "Comparison",
    "Constant",
    "Controller",
    "CosineBump",
    "Coupling",
    "Cylindrical",
    "Deflection",
    "Derived",
    "Differential",
    "Distance",
    "Drag",
    "Drive",
    "DriveEfforts",
    "Driver",
    "EquationsOfMotion",
    "Equilibrium",
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
    "Link",
    "Marker",
    "MassProperties",
    "Mode",
    "Model",
    "ModelError",
    "Modes",
    "NameNotFound",
    "OdeSolution",
    "PathFollower",
    "Planar",
    "PlanarTranslational",
    "PlanetaryGear",
    "PointForce",
    "PointOnLine",
    "PointOnPlane",
    "Polynomial",
    "PoseDriver",
    "Pump",
    "RackAndPinion",
    "Ramp",
    "Reaction",
    "ResultError",
    "Revolute",
    "Road",
    "Screw",
    "Section",
    "SimulationError",
    "Sine",
    "SmoothSine",
    "SmoothStep",
    "Solution",
    "SpatialTranslational",
    "Spherical",
    "SpringDamper",
    "State",
    "StateSpace",
    "Table",
    "TopologyError",
    "TopologyReport",
    "Torque",
    "TorsionSpring",
    "TrackBand",
    "Translational",
    "Tyre",
    "Universal",
    "UnknownArgument",
    "UserForce",
    "Valve",
    "VelocityTransformation",
    "Vibrations",
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

# Classes that functions return; the user does not construct them.
RESULTS = (
    Assembly,
    Beam,
    Body,
    Buckling,
    Calibration,
    Comparison,
    Deflection,
    Derived,
    DriveEfforts,
    EquationsOfMotion,
    Equilibrium,
    Link,
    Marker,
    MassProperties,
    Mode,
    Modes,
    OdeSolution,
    Reaction,
    Solution,
    StateSpace,
    TopologyReport,
    VelocityTransformation,
    Vibrations,
)

# Misspelled keyword arguments are answered with the nearest name.
_inside = {
    value
    for module in (look, roads, tyres)
    for value in vars(module).values()
    if isinstance(value, type) and value.__module__.startswith(module.__name__)
}
for _class in {value for name in __all__ if isinstance(value := globals()[name], type)} | _inside:
    if _class not in RESULTS:
        explain_arguments_of(_class, methods=_class in (Model, Arm))
for _class in (Body, Solution):
    explain_arguments_of(_class, methods=True)

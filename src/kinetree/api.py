"""The public names, listed explicitly.

`kinetree` itself loads them at the first use of one of them, so that importing it is fast.
"""

from .analysis.assemble import assemble
from .analysis.beams.flexible import Buckling, Deflection, Vibrations, buckling, deflect, vibrations
from .analysis.calibrate import Calibration, calibrate
from .analysis.comparison.compare import Comparison, compare
from .analysis.equations import EquationsOfMotion, equations
from .analysis.inverse_dynamics import DriveEfforts, inverse_dynamics
from .analysis.kinematics import kinematics
from .analysis.linear.linearize import StateSpace, linearize
from .analysis.linear.modes import Mode, Modes, modes
from .analysis.ode import OdeSolution, solve_ode
from .analysis.statics.equilibrium import Equilibrium, equilibrium
from .analysis.velocity_transformation import VelocityTransformation, velocity_transformation
from .assembly.result import Assembly
from .description import look
from .description.arm import Arm, Link
from .description.beam import Beam
from .description.body import Body, Marker
from .description.files.opening import load, load_robot
from .description.files.robots.receipt import Receipt
from .description.files.robots.robot import Actuator
from .description.files.robots.write_urdf import WrittenUrdf
from .description.flexible_body import FlexibleBody
from .description.model import Model
from .description.shapes import MassProperties, box, cylinder, mass, rod, rotor, sphere, tube
from .description.solids import solid
from .description.topology.report import TopologyReport
from .elements import roads, shapes, tyres
from .elements.constraints.cam_follower import CamFollower
from .elements.constraints.coupling import (
    Coupling,
    Differential,
    Gear,
    PlanetaryGear,
    RackAndPinion,
)
from .elements.constraints.distance import Distance
from .elements.constraints.driver import Driver
from .elements.constraints.knife_edge import KnifeEdge
from .elements.constraints.pose_driver import PoseDriver
from .elements.constraints.rolling import Rolling
from .elements.constraints.user_constraint import UserConstraint
from .elements.controllers.controller import Controller
from .elements.forces.anti_roll_bar import AntiRollBar
from .elements.forces.beam import BeamForce
from .elements.forces.belt import Belt
from .elements.forces.bump_stop import BumpStop
from .elements.forces.bushing import Bushing
from .elements.forces.cable import Cable
from .elements.forces.contact import Contact
from .elements.forces.contact_group import ContactGroup
from .elements.forces.drag import Drag
from .elements.forces.drive import Drive
from .elements.forces.gear_mesh import GearMesh
from .elements.forces.hydraulic_cylinder import HydraulicCylinder
from .elements.forces.hydropneumatic import HydropneumaticUnit
from .elements.forces.joint_friction import JointFriction
from .elements.forces.joint_stop import JointStop
from .elements.forces.laws import Characteristic, Polynomial
from .elements.forces.one_way_clutch import OneWayClutch
from .elements.forces.path_follower import PathFollower
from .elements.forces.point_force import PointForce
from .elements.forces.pump import Pump
from .elements.forces.ratchet import Ratchet
from .elements.forces.rigid_contact import RigidContact
from .elements.forces.rope import Rope
from .elements.forces.spring_damper import SpringDamper
from .elements.forces.torque import Torque
from .elements.forces.torsion_spring import TorsionSpring
from .elements.forces.track_band import TrackBand
from .elements.forces.tyre import Tyre
from .elements.forces.user_force import UserForce
from .elements.forces.valve import Valve
from .elements.forces.wheel import Wheel
from .elements.joints.cylindrical import Cylindrical
from .elements.joints.fixed import Fixed
from .elements.joints.free import Free
from .elements.joints.planar import Planar
from .elements.joints.planar_translational import PlanarTranslational
from .elements.joints.point_on_curve import PointOnCurve
from .elements.joints.point_on_line import PointOnLine
from .elements.joints.point_on_plane import PointOnPlane
from .elements.joints.revolute import Revolute
from .elements.joints.screw import Screw
from .elements.joints.spatial_translational import SpatialTranslational
from .elements.joints.spherical import Spherical
from .elements.joints.translational import Translational
from .elements.joints.universal import Universal
from .elements.joints.variable_screw import VariableScrew
from .elements.roads.road import Road
from .elements.sections import Section
from .elements.signals.constant import Constant
from .elements.signals.cosine_bump import CosineBump
from .elements.signals.exponential import Exponential
from .elements.signals.function import Function
from .elements.signals.input import Input
from .elements.signals.ramp import Ramp
from .elements.signals.sine import Sine
from .elements.signals.smooth_sine import SmoothSine
from .elements.signals.smooth_step import SmoothStep
from .elements.signals.table import Table
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
from .exchange import gym
from .exchange.c_library import export_c
from .exchange.fmi.export import export_fmu
from .exchange.fmu.load import load_fmu
from .exchange.playground.make import playground
from .fe import fe
from .results.reactions import Reaction
from .results.solution import Solution
from .results.stress import Stress
from .simulation.events.event import Event, kinks
from .simulation.prepared import Prepared, prepare
from .simulation.reopen import open_solution
from .simulation.simulate import simulate
from .simulation.states import State
from .simulation.step_by_step import Stepper
from .studies.design.estimate import Estimate
from .studies.design.identify import identify
from .studies.design.optimize import optimize
from .studies.design.optimum import Optimum
from .studies.design.spread import Spread, ToleranceAnalysis
from .studies.design.tolerance import tolerance_analysis
from .studies.result import StudyResult
from .studies.sensitivities.function import sensitivities
from .studies.sensitivities.result import Sensitivities
from .studies.space import Space
from .studies.study import Study
from .symbolic.bending import Bending
from .symbolic.derived import Derived, derive
from .viewer.show import animate

__all__ = [
    "Actuator",
    "AntiRollBar",
    "Arm",
    "Assembly",
    "AssemblyError",
    "Beam",
    "BeamForce",
    "Belt",
    "Bending",
    "Body",
    "Buckling",
    "BumpStop",
    "Bushing",
    "Cable",
    "Calibration",
    "CamFollower",
    "Characteristic",
    "Comparison",
    "Constant",
    "Contact",
    "ContactGroup",
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
    "Estimate",
    "Event",
    "Exponential",
    "Fixed",
    "FlexibleBody",
    "Free",
    "Function",
    "Gear",
    "GearMesh",
    "HydraulicCylinder",
    "HydropneumaticUnit",
    "Input",
    "JointFriction",
    "JointStop",
    "KinetreeError",
    "KnifeEdge",
    "Link",
    "Marker",
    "MassProperties",
    "Mode",
    "Model",
    "ModelError",
    "Modes",
    "NameNotFound",
    "OdeSolution",
    "OneWayClutch",
    "Optimum",
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
    "Prepared",
    "Pump",
    "RackAndPinion",
    "Ramp",
    "Ratchet",
    "Reaction",
    "Receipt",
    "ResultError",
    "Revolute",
    "RigidContact",
    "Road",
    "Rolling",
    "Rope",
    "Screw",
    "Section",
    "Sensitivities",
    "SimulationError",
    "Sine",
    "SmoothSine",
    "SmoothStep",
    "Solution",
    "Space",
    "SpatialTranslational",
    "Spherical",
    "Spread",
    "SpringDamper",
    "State",
    "StateSpace",
    "Stepper",
    "Stress",
    "Study",
    "StudyResult",
    "Table",
    "ToleranceAnalysis",
    "TopologyError",
    "TopologyReport",
    "Torque",
    "TorsionSpring",
    "TrackBand",
    "Translational",
    "Tyre",
    "Universal",
    "UnknownArgument",
    "UserConstraint",
    "UserForce",
    "Valve",
    "VariableScrew",
    "VelocityTransformation",
    "Vibrations",
    "Wheel",
    "WrittenUrdf",
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
    "export_c",
    "export_fmu",
    "fe",
    "gym",
    "identify",
    "inverse_dynamics",
    "kinematics",
    "kinks",
    "linearize",
    "load",
    "load_fmu",
    "load_robot",
    "look",
    "mass",
    "modes",
    "open_solution",
    "optimize",
    "playground",
    "prepare",
    "roads",
    "rod",
    "rotor",
    "sensitivities",
    "shapes",
    "simulate",
    "solid",
    "solve_ode",
    "sphere",
    "tolerance_analysis",
    "tube",
    "tyres",
    "velocity_transformation",
    "vibrations",
]

# Classes that functions return; the user does not construct them.
RESULTS = (
    Actuator,
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
    Estimate,
    FlexibleBody,
    Link,
    Marker,
    MassProperties,
    Mode,
    Modes,
    OdeSolution,
    Optimum,
    Prepared,
    Reaction,
    Receipt,
    Sensitivities,
    Solution,
    Space,
    Spread,
    StateSpace,
    Stress,
    StudyResult,
    ToleranceAnalysis,
    TopologyReport,
    VelocityTransformation,
    Vibrations,
    WrittenUrdf,
)

# Misspelled keyword arguments are answered with the nearest name.
_inside = {
    value
    for module in (look, roads, shapes, tyres)
    for value in vars(module).values()
    if isinstance(value, type) and value.__module__.startswith(module.__name__)
}
for _class in {value for name in __all__ if isinstance(value := globals()[name], type)} | _inside:
    if _class not in RESULTS:
        explain_arguments_of(_class, methods=_class in (Model, Arm))
for _class in (Body, Prepared, Solution):
    explain_arguments_of(_class, methods=True)

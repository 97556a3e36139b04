"""Calls of public functions with good arguments, of which one is replaced by an odd value.

An element that takes an odd value is also put into a machine and lowered, so that a stored value
that fails later is seen.
"""

from __future__ import annotations

import inspect
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import kinetree as kt
from kinetree.elements.constraints.contract import Constraint
from kinetree.elements.forces.contract import Force
from kinetree.elements.joints.contract import Joint
from kinetree.elements.signals.contract import Signal
from kinetree.models.catalogue import MODELS, model_entry
from kinetree.models.pendulum import pendulum

STEEL = {"E": 2.1e11, "density": 7850.0}


class Call(NamedTuple):
    """A function, its good arguments (made anew for each call), and what is done with its result."""

    name: str
    function: Callable
    good: Callable[[], dict[str, Any]]
    use: Callable = lambda found: None
    first: tuple[
        str, ...
    ] = ()  # of the good arguments those that are given by position, in this order


# --- machines
# -----------------------------------------------------------------------------------------------------


def arm() -> kt.Model:
    m = kt.Model("arm")
    upper = m.body("upper", kt.rod(1.0, 1.0, axial=1e-3), points={"tool": (0.1, 0.2, 0.3)})
    lower = m.body("lower", kt.rod(1.0, 1.0, axial=1e-3))
    m.joint("A", kt.Revolute(axis="y"), m.ground, upper.end("-"), start={"angle": 0.1})
    m.joint("B", kt.Revolute(axis="y"), upper.end("+"), lower.end("-"))
    m.force("F", kt.TorsionSpring("A.angle", stiffness=10.0, damping=1.0))
    return m


def spare() -> kt.Model:
    """With two bodies that nothing holds yet."""
    m = arm()
    m.body("free", kt.sphere(1.0, 0.1), position=(0.0, 3.0, 3.0))
    m.joint("C", kt.Free(), m.ground, m.bodies["free"])
    return m


def driven() -> kt.Model:
    m = arm()
    m.constraint("motor", kt.Driver("A.angle", kt.Ramp(1.0)))
    m.constraint("other", kt.Driver("B.angle", kt.Ramp(2.0)))
    return m


def bent() -> kt.Model:
    m = kt.Model("bent")
    beam = m.beam("beam", [(0, 0, 0), (1, 0, 0)], section(), elements=2)
    m.joint("A", kt.Fixed(), m.ground, beam.end("-"))
    m.force("P", kt.PointForce((0.0, 0.0, -1.0)), beam.end("+"))
    return m


def section() -> kt.Section:
    return kt.Section.circle(0.01, **STEEL)


@cache
def machine() -> kt.Model:
    return arm()


@cache
def flexible() -> kt.Model:
    return bent()


@cache
def moved() -> kt.Model:
    return driven()


@cache
def solution():
    return kt.simulate(machine(), 0.02, progress=False)


@cache
def folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="odd-"))


def tool(t, a, b, parameters, force, torque):
    force[2] = 1.0


def equation(t, a, b, parameters):
    return b.position[2] - a.position[2] - parameters[0] if len(parameters) else 0.0


def control(t, u, x, parameters, xdot, out):
    out[0] = 1.0


def half(t):
    return 0.5 * t


# --- what is done with what was made
# --------------------------------------------------------------------------------


def in_machine(spec: Any) -> None:
    """Put an element into a machine and assemble it."""
    m = spare()
    upper, lower, free = (m.bodies[name] for name in ("upper", "lower", "free"))
    if isinstance(spec, Signal):
        m.constraint("new", kt.Driver("A.angle", spec))
    elif isinstance(spec, Joint):
        del m.joints["C"]
        m.joint("C", spec, m.ground, free)
    elif isinstance(spec, (Constraint, Force)):
        most = spec.markers[1]
        places = (upper.end("+"), free, m.ground, lower)[: 2 if most is None else most]
        (m.constraint if isinstance(spec, Constraint) else m.force)("new", spec, *places)
    elif isinstance(spec, kt.Controller):
        m.controller("new", spec)
    elif isinstance(spec, kt.Section):
        m = kt.Model("m")
        m.joint(
            "A",
            kt.Fixed(),
            m.ground,
            m.beam("beam", [(0, 0, 0), (1, 0, 0)], spec, elements=2).end("-"),
        )
    elif isinstance(spec, kt.Valve):
        m.force(
            "new", kt.HydraulicCylinder(0.1, 0.05, 1.0, 1e-4, 1e7, spec, extension=0.5), upper, free
        )
    elif isinstance(spec, kt.Event):
        kt.simulate(machine(), 0.01, events=spec, progress=False, max_steps=200)
        return
    elif type(spec).__name__ in ("Polynomial", "Characteristic"):
        m.force("new", kt.SpringDamper(law=spec), upper, free)
    elif type(spec).__name__ == "MassProperties":
        m.body("new", spec)
        m.float("new")
    elif type(spec).__name__ in ("Linear", "Fiala", "MagicFormula"):
        m.force("new", kt.Tyre(0.3, 1e5, spec), free)
    elif type(spec).__name__ in ("Road", "Block", "HalfRound"):
        road = spec if isinstance(spec, kt.Road) else kt.Road(obstacles=[spec])
        m.force("new", kt.Wheel(0.3, 1e5, road=road), free)
    elif isinstance(spec, kt.shapes.HeightField):
        m.contact("new", spec.on(m.ground), kt.shapes.Ball(0.1).on(free), kt.Contact(1e5))
    elif isinstance(spec, kt.shapes.Shape) and type(spec).__name__ != "HalfSpace":
        m.contact("new", kt.shapes.HalfSpace().on(m.ground), spec.on(free), kt.Contact(1e5))
    kt.assemble(m)
    repr(spec)


def looked(outline: Any) -> None:
    m = kt.Model("m")
    m.body("new", kt.sphere(1.0, 0.1), look=outline)


# --- good arguments of those that need some
# ---------------------------------------------------------------------------

ELEMENTS: dict[str, dict[str, Any]] = {
    "AntiRollBar": {"stiffness": 1.0},
    "Bending": {"count": 1, "EI": 10.0},
    "BumpStop": {"coordinate": "A.angle", "at": 0.5, "stiffness": 10.0},
    "Bushing": {},
    "Belt": {"radii": (0.05, 0.1), "stiffness": 1e5},
    "Cable": {"stiffness": 10.0},
    "CamFollower": {"points": ((0.03, 0), (0, 0.03), (-0.03, 0), (0, -0.03))},
    "Characteristic": {"extensions": [0.0, 1.0, 2.0], "forces": [0.0, 1.0, 2.0]},
    "Constant": {"value": 1.0},
    "Contact": {"stiffness": 1e5},
    "ContactGroup": {"shapes": [kt.shapes.HalfSpace(), kt.shapes.Ball(0.1)]},
    "Controller": {"function": control, "outputs": ["out"]},
    "CosineBump": {"height": 0.1, "rise": 1.0},
    "Coupling": {"first": "A.angle", "second": "B.angle", "ratio": 2.0},
    "Cylindrical": {},
    "Differential": {"carrier": "A.angle", "left": "B.angle", "right": "C.x"},
    "Distance": {},
    "Drag": {"coefficient": 1.0, "area": 1.0},
    "Drive": {"speed": 1.0, "gain": 1.0},
    "Driver": {"coordinate": "A.angle", "motion": 0.1},
    "Event": {"what": "A.angle"},
    "Exponential": {"value": 1.0, "rate": 0.1},
    "Fixed": {},
    "Free": {},
    "Function": {"function": half},
    "Gear": {"first": "A.angle", "second": "B.angle", "teeth": (1, 2)},
    "GearMesh": {"teeth": (20, 60), "stiffness": 1e7},
    "HydraulicCylinder": {
        "bore": 0.1,
        "rod": 0.05,
        "stroke": 1.0,
        "dead_volume": 1e-4,
        "supply": 1e7,
        "extension": 0.5,
    },
    "HydropneumaticUnit": {"coordinate": "A.angle", "preload": 100.0, "bore": 0.05, "volume": 1e-3},
    "JointFriction": {"coordinate": "A.angle", "coulomb": 1.0},
    "JointStop": {"coordinate": "A.angle", "maximum": 0.5},
    "KnifeEdge": {},
    "OneWayClutch": {"coordinate": "A.angle"},
    "PathFollower": {"coordinate": "C.y", "path": 0.0},
    "Planar": {},
    "PlanarTranslational": {},
    "PlanetaryGear": {"sun": "A.angle", "ring": "B.angle", "carrier": "C.x", "teeth": (1, 2)},
    "PointForce": {"components": (0.0, 0.0, 1.0)},
    "PointOnCurve": {"points": ((0, 0, 0), (1, 0, 0), (1, 1, 0))},
    "PointOnLine": {},
    "PointOnPlane": {},
    "Polynomial": {},
    "PoseDriver": {"joint": "C", "position": (0.0, 0.0, 0.0)},
    "Pump": {"pressure": 1e7},
    "RackAndPinion": {"rack": "C.x", "pinion": "A.angle", "radius": 0.1},
    "Ramp": {"slope": 1.0},
    "Ratchet": {"coordinate": "A.angle", "pitch": 0.5},
    "Revolute": {},
    "RigidContact": {},
    "Road": {},
    "Rolling": {"radius": 0.3},
    "Rope": {"length": 1.0},
    "Screw": {"pitch": 0.1},
    "Section": {"stiffness": (1e6, 1e6, 1e6, 1e3, 1e3, 1e3), "mass": 1.0},
    "Input": {"name": "u"},
    "Sine": {"amplitude": 0.1, "frequency": 1.0},
    "SmoothSine": {"amplitude": 0.1, "period": 1.0},
    "SmoothStep": {"height": 0.1, "rise": 1.0},
    "SpatialTranslational": {},
    "Spherical": {},
    "SpringDamper": {"stiffness": 1.0},
    "Table": {"times": (0.0, 1.0, 2.0), "values": (0.0, 1.0, 0.0)},
    "Torque": {"components": (0.0, 0.0, 1.0)},
    "TorsionSpring": {"coordinate": "A.angle"},
    "TrackBand": {},
    "Translational": {},
    "Tyre": {"radius": 0.3, "stiffness": 1e5, "law": kt.tyres.Linear(1e4, 1e4)},
    "Universal": {},
    "UserConstraint": {"function": equation, "parameters": (0.0,)},
    "UserForce": {"function": tool},
    "Valve": {"spool": 0.0, "area": 1e-4},
    "VariableScrew": {"angles": (0.0, 1.0), "pitch": (0.1, 0.2)},
    "Wheel": {"radius": 0.3, "stiffness": 1e5},
    "box": {"mass": 1.0, "sides": (1, 1, 1)},
    "cylinder": {"mass": 1.0, "radius": 1.0, "length": 1.0},
    "mass": {"mass": 1.0, "inertia": (1.0, 1.0, 1.0)},
    "rod": {"mass": 1.0, "length": 1.0},
    "rotor": {"inertia": 1.0},
    "solid": {"path": "none.stl", "density": 1000.0},
    "sphere": {"mass": 1.0, "radius": 1.0},
    "tube": {"mass": 1.0, "radius": 1.0, "inner": 0.5, "length": 1.0},
}
FINER = {  # other good arguments of the same classes, in which other checks are met
    "PoseDriver": [
        {"joint": "C", "axis": "z", "angle": 0.1},
        {"joint": "C", "sequence": "ZYX", "angles": (0.1, 0.2, 0.3)},
        {"joint": "C", "times": (0.0, 1.0), "positions": [(0, 0, 0), (1, 0, 0)]},
        {"joint": "C", "times": (0.0, 1.0), "rotations": [(1, 0, 0, 0), ("z", (0.5,))]},
        {"joint": "C", "rotation_vector": (0.0, 0.0, 0.1)},
    ],
    "Coupling": [{"terms": {"A.angle": 1.0, "B.angle": 2.0}}],
    "Controller": [
        {
            "function": control,
            "inputs": ["A.angle"],
            "states": {"x": 0.0},
            "outputs": ["out"],
            "period": 0.1,
        }
    ],
    "Pump": [{"flow": 1e-4, "relief": 1e7, "volume": 1e-3}],
    "Valve": [{"openings": (0.0, 0.0, 0.0, 0.0)}],
    "HydraulicCylinder": [
        {
            "bore": 0.1,
            "rod": 0.05,
            "stroke": 1.0,
            "dead_volume": (1e-4, 1e-4),
            "supply": 1e7,
            "closed_length": 2.5,
            "pressure": (1e6, 1e6),
            "valve": kt.Valve(spool=0.0, area=1e-4),
        }
    ],
}
SECTIONS = {
    "circle": {"radius": 0.1, **STEEL},
    "tube": {"radius": 0.1, "inner": 0.05, **STEEL},
    "rectangle": {"width": 0.1, "height": 0.1, **STEEL},
    "i_beam": {"width": 0.1, "height": 0.1, "flange": 0.01, "web": 0.01, **STEEL},
    "of": {"area": 1.0, "Iy": 1.0, "Iz": 1.0, "J": 1.0, **STEEL},
}
SPACES = {
    "grid": {"parameters": {"length": [0.4, 0.5]}},
    "table": {"cases": [{"length": 0.4}]},
    "latin_hypercube": {"cases": 4, "parameters": {"length": (0.4, 0.5)}, "seed": 1},
    "sobol": {"cases": 4, "parameters": {"length": (0.4, 0.5)}, "seed": 1},
    "random": {"cases": 4, "parameters": {"length": (0.4, 0.5)}, "seed": 1},
}
LOOKS = {
    "Box": {"sides": (1, 1, 1)},
    "Cylinder": {"a": (0, 0, 0), "b": (0, 0, 1), "radius": 0.1},
    "Sphere": {"radius": 0.1},
    "Plate": {"ring": [(0, 0, 0), (1, 0, 0), (0, 1, 0)], "thickness": 0.1},
    "Mesh": {"corners": [(0, 0, 0), (1, 0, 0), (0, 1, 0)], "triangles": [(0, 1, 2)]},
    "mesh": {"path": "none.stl"},
    "wheel": {"radius": 0.3, "width": 0.1},
}
ROADS = {
    "Block": {"at": 1.0, "height": 0.1, "length": 0.5},
    "HalfRound": {"at": 1.0, "radius": 0.1},
    "random_road": {"length": 20.0},
}
TYRES = {
    "Linear": {"cornering": 1e4, "longitudinal": 1e4},
    "Fiala": {"cornering": 1e4, "longitudinal": 1e4, "friction": 1.0},
    "MagicFormula": {"coefficients": {}},
    "evaluate": {"law": kt.tyres.Linear(1e4, 1e4), "load": 1e3},
    "read_tir": {"path": "none.tir"},
    "sae": {"wrench": (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)},
}
SHAPES = {
    "Ball": {"radius": 0.1},
    "Box": {"sides": (0.1, 0.2, 0.3)},
    "Capsule": {"radius": 0.1, "length": 0.2},
    "Cylinder": {"radius": 0.1, "length": 0.2},
    "HalfSpace": {},
    "HeightField": {"heights": ((0.0, 0.0), (0.0, 0.1)), "spacing": 0.5},
    "Hull": {"points": ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))},
    "Placed": {"shape": kt.shapes.Ball(0.1), "place": None},
    "Profile": {"points": ((0, 0), (1, 0), (0, 1))},
    "hertz": {"radius_a": 0.1, "E": 1e9},
}
STEEL = {"E": 2.1e11, "poisson": 0.3, "density": 7850.0}
PART = kt.fe.block((0.1, 0.02, 0.02), (1, 1, 1), **STEEL)
PARTS = {
    "block": {"sides": (0.1, 0.02, 0.02), "cells": (1, 1, 1), "expansion": 1e-5, **STEEL},
    "cylinder": {"point": (0, 0, 0), "axis": "z", "radius": 1.0, "length": 2.0, "tolerance": 0.1},
    "plane": {"point": (0, 0, 0), "normal": "x", "tolerance": 0.1},
    "interface": {"selection": [1, 2, 3], "at": (0, 0, 0), "tie": "mean"},
    "pressure": {"selection": "x-"},
    "heating": {},
    "read": {"mesh": "none.msh", **STEEL},
    "mesh": {"drawing": "none.step", "size": 1.0, **STEEL},
    "matrices": {"K": PART.K, "M": PART.M, "nodes": PART.X, "unit": "m", "name": "part"},
    "open": {"path": "none.h5"},
    "reduce": {
        "part": PART,
        "markers": {"left": "x-", "right": "x+"},
        "upto": 500.0,
        "error": 0.5,
        "frame": "right",
        "basis": "rubin",
        "modes": 2,
        "damping": 0.01,
        "stiffening": True,
        "stress": True,
        "loads": {"wind": kt.fe.pressure("y-")},
        "seconds": 100.0,
        "progress": False,
    },
}
QUICK = {"progress": False, "max_steps": 50}
ANALYSES: dict[str, Callable[[], dict[str, Any]]] = {
    "simulate": lambda: {
        "model": machine(),
        "until": 0.01,
        **QUICK,
        "rtol": 1e-6,
        "atol": 1e-6,
        "max_step": 0.1,
        "first_step": 1e-3,
        "breakpoints": [0.005],
        "time_limit": 10.0,
        "order": 5,
        "state": None,
        "out": str(folder() / "grown.nc"),
    },
    "prepare": lambda: {
        "model": machine(),
        "max_steps": 50,
        "rtol": 1e-6,
        "integrator": "adams",
        "formulation": None,
        "coordinates": "relative",
        "topology": "auto",
        "slack": 1e-5,
        "state": None,
        "t0": 0.0,
        "events": (),
    },
    "sensitivities": lambda: {
        "model": machine(),
        "outputs": "final A.angle",
        "parameters": {"A.angle": 0.1},
        "until": 0.01,
        "sizes": {"A.angle": 1.0},
    },
    "assemble": lambda: {"model": machine()},
    "buckling": lambda: {"model": flexible()},
    "vibrations": lambda: {"model": flexible(), "count": 2},
    "deflect": lambda: {"model": flexible()},
    "derive": lambda: {"model": machine()},
    "equations": lambda: {"model": machine()},
    "equilibrium": lambda: {"model": machine()},
    "kinematics": lambda: {"model": moved(), "until": 0.01},
    "inverse_dynamics": lambda: {
        "model": machine(),
        "motion": [0.1, 0.2],
        "v": [0.0, 0.0],
        "vdot": [0.0, 0.0],
    },
    "kinks": lambda: {"model": machine()},
    "linearize": lambda: {"model": machine()},
    "modes": lambda: {"model": machine()},
    "velocity_transformation": lambda: {"model": machine()},
    "solve_ode": lambda: {
        "f": lambda t, y: -y,
        "y0": [1.0],
        "until": 0.1,
        "max_steps": 50,
        "rtol": 1e-4,
    },
    "load": lambda: {"path": str(folder() / "none.yaml")},
    "load_robot": lambda: {"path": str(folder() / "none.urdf"), "folders": [str(folder())]},
    "load_fmu": lambda: {"path": str(folder() / "none.fmu"), "outputs": ["torque"]},
    "Stepper": lambda: {"model": machine(), "outputs": ["A.angle"]},
    "open_solution": lambda: {"path": str(folder() / "none.nc")},
    "animate": lambda: {"solutions": solution(), "path": str(folder() / "page.html"), "frames": 5},
    "playground": lambda: {"model": pendulum, "path": str(folder() / "live.html"), "until": 0.1},
    "export_c": lambda: {
        "model": machine(),
        "folder": str(folder() / "library"),
        "outputs": ("A.angle",),
        "name": "library",
        "platforms": None,
        "parameters": None,
        "until": 1.0,
        "rtol": 1e-6,
    },
    "export_fmu": lambda: {
        "model": machine(),
        "path": str(folder() / "unit.fmu"),
        "outputs": ("A.angle",),
        "inputs": (),
        "version": 2,
        "platforms": None,
        "parameters": None,
        "until": 1.0,
        "rtol": 1e-6,
    },
    "calibrate": lambda: {"model": machine(), "until": 0.01, "intervals": 1},
    "Study": lambda: {
        "make": pendulum,
        "space": {"length": [0.5, 0.6]},
        "outputs": ["final hinge.angle"],
        "until": 0.01,
        "fixed": None,
        "output_interval": 0.005,
        "rtol": 1e-6,
    },
    "optimize": lambda: {
        "make": pendulum,
        "parameters": {"length": (0.4, 0.6)},
        "maximize": "max hinge.rate",
        "until": 0.01,
        "start": {"length": 0.45},
        "most": 2,
        "workers": 1,
    },
    "identify": lambda: {
        "make": pendulum,
        "data": {"t": [0.0, 0.005, 0.01], "hinge.angle": [1.0, 0.9998, 0.999]},
        "parameters": {"length": (0.4, 0.6)},
        "noise": {"hinge.angle": 1e-4},
        "start": {"length": 0.45},
        "most": 2,
        "workers": 1,
    },
    "tolerance_analysis": lambda: {
        "make": pendulum,
        "tolerances": {"length": (0.5, 0.01)},
        "outputs": "final hinge.angle",
        "until": 0.01,
        "samples": 4,
        "sobol": 2,
        "workers": 1,
    },
    "compare": lambda: {
        "model": machine(),
        "until": 0.01,
        "coordinates": ("relative",),
        "repeats": 1,
        "progress": False,
    },
}


def _elements() -> list[Call]:
    found = []
    for name, good in ELEMENTS.items():
        for more in (good, *FINER.get(name, ())):
            found.append(
                Call(f"kt.{name}", getattr(kt, name), lambda more=more: dict(more), in_machine)
            )
    for owner, table, use in (
        (kt.Section, SECTIONS, in_machine),
        (kt.Space, SPACES, lambda space: len(space)),
        (kt.fe, PARTS, str),
        (kt.look, LOOKS, looked),
        (kt.roads, ROADS, in_machine),
        (kt.shapes, SHAPES, in_machine),
        (kt.tyres, TYRES, in_machine),
    ):
        found += [
            Call(
                f"{owner.__name__}.{name}", getattr(owner, name), lambda good=good: dict(good), use
            )
            for name, good in table.items()
        ]
    found.append(
        Call(
            "kt.Polynomial",
            lambda c1, c2: kt.Polynomial(c1, c2),
            lambda: {"c1": 1.0, "c2": 2.0},
            in_machine,
        )
    )
    return found


def _analyses() -> list[Call]:
    return [Call(f"kt.{name}", getattr(kt, name), good) for name, good in ANALYSES.items()]


def _model_methods() -> list[Call]:
    def method(name: str, good: Callable[[kt.Model], dict], *first: str) -> Call:
        def call(**given):
            m = given.pop("self")
            return getattr(m, name)(*[given.pop(key) for key in first], **given)

        if not first:
            call.__signature__ = inspect.signature(getattr(kt.Model, name))  # type: ignore[attr-defined]
        return Call(f"Model.{name}", call, lambda: (lambda m: {"self": m, **good(m)})(spare()))

    def ends(m):
        return {
            "name": "new",
            "parent": m.bodies["upper"],
            "child": m.body("extra", kt.sphere(1.0, 0.1)),
        }

    return [
        Call("kt.Model", kt.Model, dict),
        method("body", lambda m: {"name": "new", "properties": kt.sphere(1.0, 0.1)}),
        method(
            "beam",
            lambda m: {
                "name": "new",
                "line": [(0, 0, 0), (1, 0, 0)],
                "section": section(),
                "elements": 2,
            },
        ),
        method("joint", lambda m: {**ends(m), "joint": kt.Revolute()}),
        method(
            "joint",
            lambda m: {
                **ends(m),
                "joint": kt.Spherical(),
                "at": (0, 0, 0),
                "start": {"quaternion": (1, 0, 0, 0)},
            },
        ),
        method("float", lambda m: {"body": m.body("extra", kt.sphere(1.0, 0.1))}),
        method(
            "constraint",
            lambda m: {
                "name": "new",
                "spec": kt.Distance(),
                "a": m.bodies["upper"],
                "b": m.bodies["free"],
            },
            "name",
            "spec",
            "a",
            "b",
        ),
        method(
            "force",
            lambda m: {
                "name": "new",
                "spec": kt.SpringDamper(1.0),
                "a": m.bodies["upper"],
                "b": m.bodies["free"],
            },
            "name",
            "spec",
            "a",
            "b",
        ),
        method(
            "line_load",
            lambda m: {
                "name": "new",
                "load": (0, 0, 1),
                "frame": "world",
                "beam": m.beam("beam", [(0, 0, 0), (1, 0, 0)], section(), elements=2),
            },
        ),
        method(
            "controller", lambda m: {"name": "new", "spec": kt.Controller(control, outputs=["out"])}
        ),
        method("surround", lambda m: {"look": kt.look.Sphere(1.0)}, "look"),
        method("cut", lambda m: {"name": "A"}, "name"),
        method("weight", lambda m: {"kind": "revolute", "value": 1.0}),
        method("topology", lambda m: {}),
        method("save", lambda m: {"path": str(folder() / "model.yaml"), "overwrite": True}),
        method("draw", lambda m: {"path": str(folder() / "model.png")}),
        method("show", lambda m: {"path": str(folder() / "model.html"), "opened": False}),
        Call("Body.at", machine().bodies["upper"].at, lambda: {"x": 1.0, "y": 2.0, "z": 3.0}),
        Call("Body.end", machine().bodies["upper"].end, lambda: {"which": "+"}),
        Call("Body.point", machine().bodies["upper"].point, lambda: {"name": "tool"}),
        Call("Beam.node", flexible().bodies["beam"].node, lambda: {"k": 1}),
        Call("Section.moved", section().moved, lambda: {"y": 0.0, "z": 0.1}, in_machine),
    ]


def _arm_methods() -> list[Call]:
    def link(**given):
        return kt.Arm("arm").link(**given)

    def payload(**given):
        a = kt.Arm("arm")
        known = a.link("l", "j", length=1.0, density=1.0)
        a.payload(**{"link": known, **given})

    def close(**given):
        a = kt.Arm("arm")
        known = a.link("l", "j", length=1.0, density=1.0)
        a.close(**{"first": known, **given})

    link.__signature__ = inspect.signature(kt.Arm.link)  # type: ignore[attr-defined]
    payload.__signature__ = inspect.signature(kt.Arm.payload)  # type: ignore[attr-defined]
    close.__signature__ = inspect.signature(kt.Arm.close)  # type: ignore[attr-defined]
    return [
        Call("kt.Arm", kt.Arm, dict),
        Call("Arm.payload", payload, lambda: {"mass": 1.0}),
        Call("Arm.close", close, lambda: {"name": "pin"}),
        Call(
            "Arm.link",
            link,
            lambda: {
                "name": "l",
                "joint": "j",
                "length": 1.0,
                "density": 1.0,
                "EI": 1.0,
                "modes": 1,
            },
        ),
        Call(
            "Arm.link",
            link,
            lambda: {"name": "l", "joint": "j", "mass": 1.0, "com": (0.5, 0.0), "inertia": 1.0},
        ),
    ]


def _prepared_methods() -> list[Call]:
    prepared = kt.prepare(machine(), max_steps=200)
    return [
        Call("Prepared.run", prepared.run, lambda: {"until": 0.01, "progress": False}),
        Call("Prepared.advance", prepared.advance, lambda: {"until": 0.01}),
    ]


def _solution_methods() -> list[Call]:
    sol = solution()
    file = str(folder() / "result")
    good: dict[str, dict[str, Any]] = {
        "at": {"times": 0.01},
        "unit": {"name": "A.angle"},
        "names": {},
        "between": {"first": "upper", "second": "lower"},
        "violation": {"level": "g"},
        "joint_motion": {"name": "A"},
        "plot_steps": {"path": f"{file}.png"},
        "plot_energy": {"path": f"{file}.png"},
        "plot_stiffness": {},
        "picture": {"path": f"{file}.png", "t": 0.01},
        "animate": {"path": f"{file}.html"},
        "save": {"path": f"{file}.nc", "overwrite": True},
        "to_csv": {"path": f"{file}.csv", "overwrite": True},
        "to_json": {"path": f"{file}.json", "overwrite": True},
        "to_pandas": {},
        "to_xarray": {},
        "plot": {"x": "A.angle", "path": f"{file}.png"},
    }
    return [
        Call(f"Solution.{name}", getattr(sol, name), lambda given=given: dict(given))
        for name, given in good.items()
    ] + [
        Call(
            "Solution.plot",
            lambda name, path: sol.plot(name, path=path),
            lambda: {"name": "A.angle", "path": f"{file}.png"},
        ),
        Call("Solution.getitem", lambda name: sol[name], lambda: {"name": "A.angle"}),
    ]


def _models() -> list[Call]:
    return [
        Call("model_entry", model_entry, lambda: {"name": "pendulum"}),
        *(
            Call(
                f"models.{entry.name}",
                entry.build,
                dict,
                kt.assemble if entry.name == "quarter-car" else lambda m: None,
            )
            for entry in MODELS
            if inspect.signature(entry.build).parameters
            and entry.name not in ("car", "tracked-vehicle")
        ),
    ]


@cache
def calls() -> tuple[Call, ...]:
    return (
        *_elements(),
        *_analyses(),
        *_model_methods(),
        *_arm_methods(),
        *_prepared_methods(),
        *_solution_methods(),
        *_models(),
    )


def arguments(call: Call) -> list[str]:
    """Names of the arguments that can be replaced."""
    known = [
        p.name
        for p in inspect.signature(call.function).parameters.values()
        if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY) and p.name != "self"
    ]
    return list(dict.fromkeys([*(name for name in call.good() if name != "self"), *known]))


def made(call: Call, name: str, value: Any) -> Callable:
    """The call with one argument replaced."""
    given = {**call.good(), name: value}
    return lambda: call.use(call.function(**given))

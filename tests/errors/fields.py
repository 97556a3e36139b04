"""Every field a user can fill, and what it cannot mean: no number, not finite, too large, wrong
sign or length, none.

A field says how it is given a value, what the error message must contain, and which values are
wrong for it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

import kinetree as kt

NAN, INF, HUGE = math.nan, math.inf, 1e308
NOT_NUMBERS = ("1e-3", True, [1.0, 2.0], {}, 1j, object())


class Field(NamedTuple):
    """How a field is given a value, what its message must contain, and which values are wrong for
    it.
    """

    give: object
    says: tuple[str, ...]
    bad: tuple


def scalar(
    give,
    *says,
    none: bool = False,
    negative: bool = True,
    zero: bool = True,
    infinite: bool = False,
) -> Field:
    """One number; flags say what is allowed."""
    bad = (
        NAN,
        HUGE,
        *NOT_NUMBERS,
        *(() if infinite else (INF, -INF)),
        *(() if none else (None,)),
        *(() if negative else (-1.0,)),
        *(() if zero else (0.0,)),
    )
    return Field(give, says, bad)


def vector(give, *says, count: int = 3, none: bool = False, more: tuple = ()) -> Field:
    """Several numbers in a row."""
    good = [0.1] * count
    bad = (
        1.0,
        "xyz",
        True,
        good[:-1],
        [*good, 0.1],
        [*good[:-1], NAN],
        [*good[:-1], INF],
        [*good[:-1], HUGE],
        [*good[:-1], "1e-3"],
        [*good[:-1], True],
        [*good[:-1], None],
        [good, good],
        {},
        object(),
    )
    return Field(give, says, (*bad, *(() if none else (None,)), *more))


def signal(give, *says) -> Field:
    """A number, a time function or a callable."""
    return Field(give, says, (NAN, INF, HUGE, "1e-3", True, None, [1.0, 2.0], {}, object()))


def choice(give, *says, none: bool = False) -> Field:
    """One of a few words."""
    return Field(
        give, says, ("nonsense", "", 1, 1.5, True, NAN, [], {}, *(() if none else (None,)))
    )


def name_of(give, *says) -> Field:
    """A new name."""
    return Field(give, says, ("", " ", "a.b", " a", "a\n", 1, None, True, NAN, ["a"], "taken"))


# --- a small machine to put things in
# ----------------------------------------------------------------------------


def arm() -> kt.Model:
    model = kt.Model("arm")
    upper = model.body("upper", kt.rod(1.0, 1.0, axial=1e-3), points={"tool": (0.1, 0.2, 0.3)})
    lower = model.body("lower", kt.rod(1.0, 1.0, axial=1e-3))
    model.body("taken", kt.sphere(1.0, 0.1))
    model.joint("shoulder", kt.Revolute(axis="y"), model.ground, upper.end("-"))
    model.joint("elbow", kt.Cylindrical(axis="y"), upper.end("+"), lower.end("-"))
    model.joint("wrist", kt.Spherical(), lower.end("+"), model.bodies["taken"])
    return model


def with_body(**options):
    model = arm()
    model.body("extra", options.pop("properties", kt.sphere(1.0, 0.1)), **options)
    model.float("extra")
    kt.assemble(model)


def with_joint(joint=None, **options):
    model = arm()
    extra = model.body("extra", kt.sphere(1.0, 0.1))
    parent, child = options.pop("parent", model.bodies["lower"]), options.pop("child", extra)
    model.joint(options.pop("name", "J"), joint or kt.Revolute(), parent, child, **options)
    kt.assemble(model)


def with_constraint(spec, *markers, name="C"):
    model = arm()
    places = [model.bodies[m] if isinstance(m, str) else m for m in markers]
    model.constraint(name, spec, *places)
    kt.assemble(model)


def with_force(spec, *markers, name="F"):
    model = arm()
    places = [model.bodies[m] if isinstance(m, str) else m for m in markers]
    model.force(name, spec, *places)
    kt.assemble(model)


def spring(**options):
    with_force(kt.SpringDamper(**options), "upper", "taken")


def torsion(**options):
    with_force(kt.TorsionSpring(**{"coordinate": "shoulder.angle", **options}))


def driver(motion):
    with_constraint(kt.Driver("shoulder.angle", motion))


def run(**options):
    kt.simulate(arm(), **{"until": 0.1, "progress": False, **options})


def nothing(t, a, b, parameters, force, torque):
    pass


ROTATIONS = (
    "xyz",
    1.0,
    [1.0, 0.0],
    [1, 0, 0, 0.5],
    [NAN, 0, 0, 0],
    np.zeros((3, 3)),
    2 * np.eye(3),
    -np.eye(3),
    np.full((3, 3), NAN),
    ("zyx", (1.0, 2.0)),
    ("zyx", (NAN, 0.0, 0.0)),
    ("qqq", (1.0, 2.0, 3.0)),
    ("zyx", "abc"),
    True,
    {},
    object(),
)
AXES = (
    "w",
    "",
    "xx",
    1.0,
    True,
    (0, 0, 0),
    (1, 2),
    (1, 2, 3, 4),
    (NAN, 0, 1),
    (INF, 0, 1),
    (HUGE, 0, 1),
    ("1", "0", "0"),
    (True, False, False),
    None,
    {},
    object(),
)

FIELDS = {
    # shapes
    "rod.mass": scalar(lambda v: kt.rod(v, 1.0), "rod", "mass", negative=False),
    "rod.length": scalar(lambda v: kt.rod(1.0, v), "rod", "length", negative=False, zero=False),
    "rod.along": Field(lambda v: kt.rod(1.0, 1.0, along=v), ("rod", "axis"), AXES),
    "rod.axial": scalar(lambda v: kt.rod(1.0, 1.0, axial=v), "rod", "axial", negative=False),
    "box.mass": scalar(lambda v: kt.box(v, (1, 1, 1)), "box", "mass", negative=False),
    "box.sides": vector(lambda v: kt.box(1.0, v), "box", "sides", more=((1, 1, 0), (1, -1, 1))),
    "cylinder.mass": scalar(lambda v: kt.cylinder(v, 1.0, 1.0), "cylinder", "mass", negative=False),
    "cylinder.radius": scalar(
        lambda v: kt.cylinder(1.0, v, 1.0), "cylinder", "radius", negative=False, zero=False
    ),
    "cylinder.length": scalar(
        lambda v: kt.cylinder(1.0, 1.0, v), "cylinder", "length", negative=False, zero=False
    ),
    "cylinder.along": Field(
        lambda v: kt.cylinder(1.0, 1.0, 1.0, along=v), ("cylinder", "axis"), AXES
    ),
    "sphere.mass": scalar(lambda v: kt.sphere(v, 1.0), "sphere", "mass", negative=False),
    "sphere.radius": scalar(
        lambda v: kt.sphere(1.0, v), "sphere", "radius", negative=False, zero=False
    ),
    "mass.mass": scalar(lambda v: kt.mass(v, (1, 1, 1)), "mass", negative=False, zero=False),
    "mass.inertia": vector(
        lambda v: kt.mass(1.0, v),
        "mass",
        "inertia|moments",
        more=(
            (1, 1, -1),
            (1, 1, 3),
            (1, 1, 1, 0, 0),
            (1, 1, 1, 5, 0, 0),
            np.arange(9.0).reshape(3, 3),
            np.full((3, 3), NAN),
            np.eye(2),
        ),
    ),
    "mass.com": vector(lambda v: kt.mass(1.0, (1, 1, 1), v), "mass", "com"),
    # the model, bodies and markers
    "model.name": Field(
        lambda v: kt.Model(v), ("model", "name"), ("", " ", "a.b", 1, None, True, NAN, ["a"])
    ),
    "model.gravity": vector(lambda v: kt.Model("m", gravity=v), "gravity"),
    "body.name": name_of(lambda v: arm().body(v, kt.sphere(1.0, 0.1)), "body", "name"),
    "body.properties": Field(
        lambda v: with_body(properties=v),
        ("body 'extra'", "shape"),
        (None, 1.0, "rod", {}, kt.Revolute()),
    ),
    "body.position": vector(lambda v: with_body(position=v), "body 'extra'", "position", none=True),
    "body.rotation": Field(
        lambda v: with_body(rotation=v), ("body 'extra'", "rotation"), ROTATIONS
    ),
    "body.velocity": vector(lambda v: with_body(velocity=v), "body 'extra'", "velocity", none=True),
    "body.angular_velocity": vector(
        lambda v: with_body(angular_velocity=v), "body 'extra'", "angular_velocity", none=True
    ),
    "body.points": vector(lambda v: with_body(points={"p": v}), "body 'extra'", "point 'p'"),
    "body.points (as a whole)": Field(
        lambda v: with_body(points=v),
        ("body 'extra'", "point"),
        ([1, 2, 3], "tool", 1.0, {"": (0, 0, 0)}, {1: (0, 0, 0)}, {"a.b": (0, 0, 0)}),
    ),
    "marker.x": scalar(lambda v: arm().bodies["upper"].at(v, 0, 0), "body 'upper'", "marker"),
    "marker.rotation": Field(
        lambda v: arm().bodies["upper"].at(0, 0, 0, v), ("body 'upper'", "marker"), ROTATIONS
    ),
    "marker.end": choice(lambda v: arm().bodies["upper"].end(v), "end", "upper"),
    "marker.end of a ball": choice(lambda v: arm().bodies["taken"].end(v), "end", "taken"),
    "marker.point": choice(lambda v: arm().bodies["upper"].point(v), "point", "upper"),
    # joints
    "joint.name": name_of(lambda v: with_joint(name=v), "joint", "name"),
    "joint.joint": Field(
        lambda v: with_joint(joint=v),
        ("joint 'J'", "kt.Revolute"),
        (1.0, "revolute", kt.Revolute, {"a": 1}),
    ),
    "joint.parent": Field(
        lambda v: with_joint(parent=v), ("joint 'J'", "marker"), (None, 1.0, "lower", (0, 0, 0))
    ),
    "joint.child": Field(
        lambda v: with_joint(child=v), ("joint 'J'", "marker"), (None, 1.0, "lower", (0, 0, 0))
    ),
    "joint.at": vector(lambda v: with_joint(at=v), "joint 'J'", "at", none=True),
    "joint.axis": Field(lambda v: with_joint(axis=v), ("joint 'J'", "axis"), AXES[:-3] + AXES[-2:]),
    "revolute.axis": Field(lambda v: with_joint(kt.Revolute(v)), ("joint 'J'", "axis"), AXES),
    "universal.axis1": Field(
        lambda v: with_joint(kt.Universal(v, "y")), ("joint 'J'", "ax"), (*AXES, "y", (1, 1, 0))
    ),
    "universal.axis2": Field(
        lambda v: with_joint(kt.Universal("x", v)), ("joint 'J'", "ax"), (*AXES, "x", (1, 1, 0))
    ),
    "planar-translational.axis1": Field(
        lambda v: with_joint(kt.PlanarTranslational(v, "y")),
        ("joint 'J'", "ax"),
        (*AXES, "y", (1, 1, 0)),
    ),
    "spatial-translational.axis2": Field(
        lambda v: with_joint(kt.SpatialTranslational("x", v)),
        ("joint 'J'", "ax"),
        (*AXES, "x", (1, 1, 0)),
    ),
    "screw.pitch": scalar(lambda v: with_joint(kt.Screw("z", v)), "screw", "pitch"),
    "joint.start": Field(
        lambda v: with_joint(start=v),
        ("joint 'J'",),
        (
            1.0,
            "angle",
            [0.3],
            {"angle": NAN},
            {"angle": INF},
            {"angle": HUGE},
            {"angle": "1e-3"},
            {"angle": True},
            {"angle": None},
            {"angle": [1.0]},
            {"angel": 1.0},
            {1: 1.0},
        ),
    ),
    "joint.speed": Field(
        lambda v: with_joint(speed=v),
        ("joint 'J'",),
        (
            1.0,
            "angle",
            [0.3],
            {"angle": NAN},
            {"angle": INF},
            {"angle": HUGE},
            {"angle": "1e-3"},
            {"angle": True},
            {"angle": None},
            {"angle": [1.0]},
            {"angel": 1.0},
            {1: 1.0},
        ),
    ),
    "spherical.start": Field(
        lambda v: with_joint(kt.Spherical(), start=v),
        ("joint 'J'",),
        (
            {"quaternion": (1, 1, 0, 0)},
            {"quaternion": (1, 0, 0)},
            {"quaternion": (NAN, 0, 0, 0)},
            {"quaternion": 1.0},
            {"quaternion": None},
            {"qx": 0.5},
            {"qw": 0.0},
            {"angle": 1.0},
        ),
    ),
    "float.body": Field(lambda v: arm().float(v), ("float",), ("nobody", 1.0, None, {})),
    "cut.name": Field(lambda v: arm().cut(v), ("joint",), ("nobody", 1.0, None, [])),
    "weight.value": scalar(
        lambda v: arm().weight("revolute", v), "weight", negative=False, zero=False
    ),
    "weight.kind": choice(lambda v: arm().weight(v, 1.0), "weight"),
    # constraints
    "constraint.name": name_of(
        lambda v: with_constraint(kt.Distance(1.0), "upper", "taken", name=v), "constraint", "name"
    ),
    "constraint.spec": Field(
        lambda v: with_constraint(v),
        ("constraint 'C'",),
        (None, 1.0, "distance", kt.Distance, kt.Revolute()),
    ),
    "distance.length": scalar(
        lambda v: with_constraint(kt.Distance(v), "upper", "taken"),
        "Distance",
        "length",
        none=True,
        negative=False,
        zero=False,
    ),
    "distance.markers": Field(
        lambda v: with_constraint(kt.Distance(1.0), *v),
        ("constraint 'C'", "marker"),
        (
            (),
            ("upper",),
            ("upper", "lower", "taken"),
            ("upper", 1.0),
            (None, "upper"),
            ("upper", "upper"),
        ),
    ),
    "driver.coordinate": choice(
        lambda v: with_constraint(kt.Driver(v, 0.0)), "Driver", "coordinate"
    ),
    "driver.coordinate (label)": Field(
        lambda v: with_constraint(kt.Driver(v, 0.0)),
        ("Driver|constraint 'C'", "coordinate"),
        (
            "shoulder.angel",
            "shoulder",
            "shoulder.",
            ".angle",
            "wrist.qw",
            "shoulder.displacement",
            "nobody.angle",
        ),
    ),
    "driver.motion": signal(driver, "constraint 'C'"),
    "coupling.first": choice(
        lambda v: with_constraint(kt.Coupling(v, "elbow.angle", 1.0)), "Coupling", "first"
    ),
    "coupling.second": choice(
        lambda v: with_constraint(kt.Coupling("elbow.angle", v, 1.0)), "Coupling", "second"
    ),
    "coupling.ratio": scalar(
        lambda v: with_constraint(kt.Coupling("shoulder.angle", "elbow.angle", v)),
        "Coupling",
        "ratio",
        zero=False,
    ),
    "coupling.offset": scalar(
        lambda v: with_constraint(kt.Coupling("shoulder.angle", "elbow.angle", 1.0, v)),
        "Coupling",
        "offset",
        none=True,
    ),
    "coupling.second (unknown)": Field(
        lambda v: with_constraint(kt.Coupling("elbow.angle", v, 1.0)),
        ("constraint 'C'",),
        ("nobody.angle", "shoulder.angel", "wrist.qw"),
    ),
    "coupling.second (itself)": Field(
        lambda v: with_constraint(kt.Coupling(v, v, 2.0)), ("Coupling", "itself"), ("elbow.angle",)
    ),
    "gear.teeth": Field(
        lambda v: with_constraint(kt.Gear("shoulder.angle", "elbow.angle", v)),
        ("Gear", "teeth"),
        (
            None,
            20,
            "20",
            (20,),
            (20, 30, 40),
            (20, NAN),
            (20, INF),
            (20, HUGE),
            (20, 0),
            (20, -30),
            (20, "30"),
            (20, True),
            (20, None),
            {},
            object(),
        ),
    ),
    "rack.radius": scalar(
        lambda v: with_constraint(kt.RackAndPinion("elbow.displacement", "shoulder.angle", v)),
        "RackAndPinion",
        "radius",
        zero=False,
    ),
    # forces
    "force.name": name_of(
        lambda v: with_force(kt.SpringDamper(1.0), "upper", "taken", name=v), "force", "name"
    ),
    "force.spec": Field(
        lambda v: with_force(v),
        ("force 'F'",),
        (None, 1.0, "spring", kt.SpringDamper, kt.Revolute()),
    ),
    "spring.stiffness": scalar(lambda v: spring(stiffness=v), "SpringDamper", "stiffness"),
    "spring.damping": signal(lambda v: spring(damping=v), "force 'F'", "damping"),
    "spring.length": scalar(
        lambda v: spring(length=v), "SpringDamper", "length", none=True, negative=False
    ),
    "spring.force": signal(lambda v: spring(force=v), "force 'F'"),
    "spring.law": Field(
        lambda v: spring(law=v), ("force 'F'", "law"), (1.0, "linear", True, [1.0], {}, object())
    ),
    "spring.markers": Field(
        lambda v: with_force(kt.SpringDamper(1.0), *v),
        ("force 'F'", "marker"),
        ((), ("upper",), ("upper", "lower", "taken"), ("upper", 1.0), (None, "upper")),
    ),
    "polynomial.coefficients": Field(
        lambda v: kt.Polynomial(*v),
        ("Polynomial",),
        ((), (NAN,), (1.0, INF), (1.0, "2"), (HUGE,), (True,), (None,), ([1.0, 2.0],)),
    ),
    "characteristic.extensions": vector(
        lambda v: kt.Characteristic(v, (1, 2, 3)),
        "Characteristic",
        "extensions|forces",
        more=((0, 0, 1), (2, 1, 0), ()),
    ),
    "characteristic.forces": vector(
        lambda v: kt.Characteristic((0, 1, 2), v), "Characteristic", "forces"
    ),
    "torsion.coordinate": choice(lambda v: torsion(coordinate=v), "TorsionSpring", "coordinate"),
    "torsion.coordinate (unknown)": Field(
        lambda v: torsion(coordinate=v),
        ("force 'F'",),
        ("nobody.angle", "shoulder.angel", "wrist.qw"),
    ),
    "torsion.stiffness": scalar(lambda v: torsion(stiffness=v), "TorsionSpring", "stiffness"),
    "torsion.damping": signal(lambda v: torsion(damping=v), "force 'F'", "damping"),
    "torsion.angle": scalar(lambda v: torsion(angle=v), "TorsionSpring", "angle"),
    "torsion.torque": signal(lambda v: torsion(torque=v), "force 'F'"),
    "torsion.law": Field(
        lambda v: torsion(law=v), ("force 'F'", "law"), (1.0, "linear", True, [1.0], {}, object())
    ),
    "point.components": Field(
        lambda v: with_force(kt.PointForce(v), "upper"),
        ("component",),
        (None, 1.0, "xyz", (1, 2), (1, 2, 3, 4), {}, object(), {"a": 1, "b": 2, "c": 3}),
    ),
    "point.component": signal(
        lambda v: with_force(kt.PointForce((0.0, v, 0.0)), "upper"), "force 'F'", "component y"
    ),
    "point.frame": choice(
        lambda v: with_force(kt.PointForce((0, 0, 1), v), "upper"), "PointForce", "frame"
    ),
    "point.markers": Field(
        lambda v: with_force(kt.PointForce((0, 0, 1)), *v),
        ("force 'F'", "marker"),
        ((), ("upper", "lower"), (1.0,), (None,)),
    ),
    "torque.components": Field(
        lambda v: with_force(kt.Torque(v), "upper"), ("component",), (None, 1.0, "xyz", (1, 2))
    ),
    "torque.component": signal(
        lambda v: with_force(kt.Torque((0.0, v, 0.0)), "upper"), "force 'F'", "component y"
    ),
    "bushing.stiffness": vector(
        lambda v: with_force(kt.Bushing(v), "upper", "taken"), "Bushing", "stiffness", count=6
    ),
    "bushing.damping": vector(
        lambda v: with_force(kt.Bushing((1,) * 6, v), "upper", "taken"),
        "Bushing",
        "damping",
        count=6,
    ),
    "bushing.law": Field(
        lambda v: with_force(kt.Bushing(about_y=v), "upper", "taken"),
        ("Bushing", "about_y"),
        (1.0, "linear", True, [1.0], {}, object(), nothing),
    ),
    "user.function": Field(
        lambda v: with_force(kt.UserForce(v), "upper"),
        ("UserForce", "function"),
        (None, 1.0, "f", {}),
    ),
    "user.parameters": Field(
        lambda v: with_force(kt.UserForce(nothing, v), "upper"),
        ("UserForce", "parameters"),
        (
            None,
            1.0,
            "abc",
            (NAN,),
            (1.0, INF),
            (1.0, "2"),
            (HUGE,),
            (True,),
            (None,),
            ([1.0],),
            {},
            object(),
        ),
    ),
    "user.markers": Field(
        lambda v: with_force(kt.UserForce(nothing), *v),
        ("force 'F'", "marker"),
        ((), ("upper", "lower", "taken"), (1.0,)),
    ),
    # time functions
    "constant.value": scalar(lambda v: driver(kt.Constant(v)), "Constant", "value"),
    "ramp.slope": scalar(lambda v: driver(kt.Ramp(v)), "Ramp", "slope"),
    "ramp.start": scalar(lambda v: driver(kt.Ramp(1.0, start=v)), "Ramp", "start"),
    "ramp.begin": scalar(lambda v: driver(kt.Ramp(1.0, begin=v)), "Ramp", "begin"),
    "ramp.end": scalar(
        lambda v: driver(kt.Ramp(1.0, end=v)),
        "Ramp",
        "end",
        infinite=True,
        zero=False,
        negative=False,
    ),
    "sine.amplitude": scalar(lambda v: driver(kt.Sine(v, 1.0)), "Sine", "amplitude"),
    "sine.frequency": scalar(lambda v: driver(kt.Sine(1.0, v)), "Sine", "frequency"),
    "sine.phase": scalar(lambda v: driver(kt.Sine(1.0, 1.0, phase=v)), "Sine", "phase"),
    "sine.offset": scalar(lambda v: driver(kt.Sine(1.0, 1.0, offset=v)), "Sine", "offset"),
    "sine.begin": scalar(
        lambda v: driver(kt.Sine(1.0, 1.0, begin=v)), "Sine", "begin", infinite=True
    ),
    "sine.end": scalar(
        lambda v: driver(kt.Sine(1.0, 1.0, begin=0.0, end=v)),
        "Sine",
        "end",
        infinite=True,
        zero=False,
        negative=False,
    ),
    "table.times": vector(
        lambda v: driver(kt.Table(v, (1, 2, 3))),
        "Table",
        "times|values",
        more=((0, 0, 1), (2, 1, 0), ()),
    ),
    "table.values": vector(lambda v: driver(kt.Table((0, 1, 2), v)), "Table", "values"),
    "function.function": Field(
        lambda v: driver(kt.Function(v)),
        ("Function", "callable"),
        (None, 1.0, "sin", True, {}, object()),
    ),
    "function.rate": Field(
        lambda v: driver(kt.Function(math.sin, v)),
        ("Function", "callable"),
        (1.0, "cos", True, {}, object()),
    ),
    "function.second": Field(
        lambda v: driver(kt.Function(math.sin, math.cos, v)),
        ("Function", "callable"),
        (1.0, "sin", True),
    ),
    # a run
    "simulate.model": Field(
        lambda v: kt.simulate(v, 1.0), ("model",), (None, 1.0, "arm", {}, kt.Model)
    ),
    "assemble.model": Field(lambda v: kt.assemble(v), ("model",), (None, 1.0, "arm", {}, kt.Model)),
    "simulate.until": scalar(lambda v: run(until=v), "until", negative=False, zero=False),
    "simulate.coordinates": choice(lambda v: run(coordinates=v), "coordinates"),
    "simulate.formulation": choice(lambda v: run(formulation=v), "formulation", none=True),
    "simulate.integrator": choice(lambda v: run(integrator=v), "integrator", none=True),
    "simulate.topology": choice(lambda v: run(topology=v), "topology|method"),
    "simulate.rtol": scalar(lambda v: run(rtol=v), "rtol", none=True, negative=False, zero=False),
    "simulate.atol": scalar(lambda v: run(atol=v), "atol", none=True, negative=False, zero=False),
    "simulate.max_step": Field(
        lambda v: run(max_step=v), ("max_step",), (NAN, -INF, -1.0, 0.0, *NOT_NUMBERS)
    ),
    "simulate.step": scalar(
        lambda v: run(integrator="rk4", step=v), "step", negative=False, zero=False
    ),
    "simulate.order": Field(
        lambda v: run(integrator="adams-fixed", step=0.01, order=v),
        ("order",),
        (0, -1, 99, 2.5, NAN, INF, "4", True, [4], {}),
    ),
    "simulate.stabilisation": scalar(
        lambda v: run(formulation="baumgarte", stabilisation=v),
        "stabilisation",
        none=True,
        negative=False,
    ),
    "simulate.output_interval": scalar(
        lambda v: run(output_interval=v), "output_interval", none=True, negative=False, zero=False
    ),
}

LAW = kt.tyres.Linear(5e4, 8e4)
FIELDS |= {
    "Wheel radius": scalar(
        lambda v: kt.Wheel(v, 1e5), "Wheel", "radius", negative=False, zero=False
    ),
    "Wheel friction": scalar(
        lambda v: kt.Wheel(0.3, 1e5, friction=v), "Wheel", "friction", negative=False
    ),
    "Tyre stiffness": scalar(
        lambda v: kt.Tyre(0.3, v, LAW), "Tyre", "stiffness", negative=False, zero=False
    ),
    "Tyre slow": scalar(
        lambda v: kt.Tyre(0.3, 2e5, LAW, slow=v), "Tyre", "slow", negative=False, zero=False
    ),
    "Tyre relaxation": vector(
        lambda v: kt.Tyre(0.3, 2e5, LAW, relaxation=v), "Tyre", "relaxation", count=2, none=True
    ),
    "Fiala friction": scalar(
        lambda v: kt.tyres.Fiala(5e4, 8e4, v), "Fiala", "friction", negative=False, zero=False
    ),
    "Road grade": scalar(lambda v: kt.Road(grade=v), "Road", "grade"),
    "Road profile": signal(lambda v: kt.Road(v), "Road", "profile"),
    "HalfRound radius": scalar(
        lambda v: kt.roads.HalfRound(1.0, v), "HalfRound", "radius", negative=False, zero=False
    ),
    "CosineBump fall": scalar(
        lambda v: kt.CosineBump(0.1, 1.0, v),
        "CosineBump",
        "fall",
        negative=False,
        zero=False,
        none=True,
    ),
    "HydropneumaticUnit volume": scalar(
        lambda v: kt.HydropneumaticUnit("A.angle", 1e4, 0.1, v),
        "volume",
        negative=False,
        zero=False,
    ),
    "BumpStop at": scalar(lambda v: kt.BumpStop("A.angle", v, 1e4), "BumpStop", "at"),
    "AntiRollBar stiffness": scalar(
        lambda v: kt.AntiRollBar(v), "AntiRollBar", "stiffness", negative=False
    ),
    "TrackBand tension": scalar(lambda v: kt.TrackBand(v), "TrackBand", "tension", negative=False),
    "Drive gain": scalar(lambda v: kt.Drive(10.0, v), "Drive", "gain", negative=False),
    "PathFollower preview": scalar(
        lambda v: kt.PathFollower("A.angle", 0.0, preview=v), "preview", negative=False, zero=False
    ),
}

"""All built-in models, and one with an element of every kind."""

from __future__ import annotations

import math

import numpy as np

import kinetree as kt
from kinetree.apps.papers.beam import flying
from kinetree.apps.papers.parallelogram import parallelogram
from kinetree.apps.papers.projection import pendulum as projected
from kinetree.apps.papers.springs import flexible_joint, oscillator
from kinetree.models.catalogue import MODELS
from kinetree.models.excavator import excavator
from kinetree.models.flexible_four_bar import flexible_four_bar
from kinetree.models.flexible_slider_crank import flexible_slider_crank
from kinetree.models.vehicles import (
    DoubleWishbone,
    Part,
    Rod,
    Strut,
    Wheel,
    add_double_wishbone,
    add_rack,
    both_sides,
)

CORNER = DoubleWishbone(  # made up, in m and kg
    lower_front=(0.2, 0.35, -0.1),
    lower_rear=(-0.2, 0.35, -0.11),
    lower_ball=(0.0, 0.68, -0.12),
    upper_front=(0.15, 0.40, 0.15),
    upper_rear=(-0.15, 0.40, 0.14),
    upper_ball=(0.0, 0.62, 0.16),
    wheel=(0.0, 0.75, 0.0),
    tie_inner=(-0.15, 0.33, -0.05),
    tie_outer=(-0.14, 0.66, -0.06),
    spring_low=(0.0, 0.5, -0.1),
    spring_top=(0.0, 0.45, 0.35),
    arm=Part(2.0, (0.02, 0.02, 0.04)),
    knuckle=Part(10.0, (0.1, 0.1, 0.1)),
    tie=Rod(0.5, 0.005, 0.0001),
    strut=Strut(25e3, 2e3, 3e3),
)


def wishbones() -> kt.Model:
    """A chassis that slides up and down on two double wishbones."""
    m = kt.Model("wishbones")
    chassis = m.body("chassis", kt.mass(800.0, (300.0, 500.0, 600.0)), position=(0, 0, 0.3))
    m.joint("heave", kt.Translational(axis="z"), m.ground, chassis)
    sides = both_sides("F", (0.0, 0.0, 0.3), 0.0)
    rack = add_rack(
        m,
        chassis,
        sides[0].at((-0.15, 0.0, -0.05)),
        Part(5.0, (0.1, 0.01, 0.1)),
        kt.SmoothStep(0.01, 0.5),
    )
    tyre = kt.Tyre(
        0.3,
        2e5,
        kt.tyres.Fiala(5e4, 8e4, 0.9),
        kt.roads.random_road("B", 20.0, track=None),
        relaxation=(0.2, 0.4),
    )
    for side in sides:
        add_double_wishbone(
            m, chassis, rack, side, CORNER, Wheel(Part(25.0, (0.5, 0.9, 0.5)), tyre)
        )
    return m


def joints() -> kt.Model:
    """A chain with every joint, in frames of every kind."""
    from kinetree.elements.joints.catalogue import JOINTS

    m = kt.Model("joints", gravity=(0.1, -0.2, -9.0))
    last = m.ground.at(0.1, 0.2, 0.3, rotation=("zyx", [0.1, 0.2, 0.3]))
    for k, entry in enumerate(JOINTS):
        body = m.body(
            f"b{k}",
            kt.tube(1.0 + k, 0.1, 0.05, 0.4, along=(1, 2, k)),
            points={"p": (0.1, 0.0, 0.2)},
            angular_velocity=(0.1 * k, 0, 0),
            look=kt.look.wheel(0.2, 0.1, axis=(1, 1, 0)),
        )
        joint = entry.joint.examples()[0]
        if "axis" in entry.joint.__dataclass_fields__:
            joint = joint.with_axis((1.0, 0.3, -0.2 * k))
        start = {label: 0.05 for label in joint.scalars}
        m.joint(
            f"j{k}",
            joint,
            last,
            body.at(0.0, 0.1, 0.0, rotation=(math.cos(0.2), 0, math.sin(0.2), 0)),
            start=start,
        )
        last = body.end("+") if k % 2 else body.point("p")
    m.weight("revolute", 3.0)
    return m


def elements() -> kt.Model:
    """Every force, constraint, law and time function that no other model here contains."""
    m = kt.Model("elements")
    a = m.body(
        "a",
        kt.box(2.0, (0.1, 0.2, 0.3)),
        position=(0.0, 0.0, 1.0),
        rotation=("x", 0.3),
        velocity=(1, 0, 0),
    )
    b = m.body("b", kt.cylinder(1.0, 0.1, 0.5, along="-y"), position=(0.0, 1.0, 1.0))
    c = m.body(
        "c",
        kt.sphere(1.0, 0.1),
        position=(1.0, 1.0, 1.0),
        look=[
            kt.look.Box((1, 1, 1), rotation=("z", 0.3), paint="#123456"),
            kt.look.Sphere(0.1),
            kt.look.Plate([(0, 0, 0), (1, 0, 0), (0, 1, 0)], 0.1),
            kt.look.Mesh([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]),
        ],
    )
    fly = m.body("flywheel", kt.rotor(0.2, along="y"))
    m.joint("F", kt.Revolute(axis="y"), m.ground, fly)
    m.float(a, start={"quaternion": (1, 0, 0, 0)})
    m.joint(
        "A",
        kt.Revolute(axis="y"),
        m.ground,
        b,
        at=(0, 0, 1),
        start={"angle": 0.1},
        speed={"angle": 0.2},
    )
    m.joint("S", kt.Translational(axis="x"), m.ground, c)
    m.constraint("gear", kt.Gear("A.angle", "S.displacement", (10, 20)))
    m.constraint("rack", kt.RackAndPinion("S.displacement", "A.angle", 0.1))
    m.constraint("sum", kt.Coupling(terms={"A.angle": 2.0, "S.displacement": -1.0}, offset=0.1))
    m.constraint("hand", kt.PoseDriver("A", axis=(0, 0, 1), angle=kt.Ramp(0.1)))
    m.constraint(
        "path",
        kt.PoseDriver(
            times=(0.0, 1.0, 2.0),
            positions=[(0, 0, 1), (0, 0.1, 1), (0.2, 0, 1)],
            rotations=[(1, 0, 0, 0), ("zyx", (0.1, 0.2, 0.3)), np.eye(3)],
        ),
        m.ground,
        a,
    )
    m.constraint(
        "shaker",
        kt.PoseDriver(
            position=(0.1, kt.Sine(0.1, 1.0), 0.0), sequence="ZYX", angles=(0.1, kt.Ramp(0.2), 0.3)
        ),
        m.ground,
        b.at(0, 0, 0.1),
    )
    m.constraint("attitude", kt.PoseDriver(rotation_vector=(0.1, kt.Sine(0.1, 1.0), 0.0)), b, c)
    m.constraint("rod", kt.Distance(kt.Sine(0.1, 1.0, offset=1.0)), b.at(0, 0, 0.1), c)
    m.constraint("tread", kt.Rolling(0.3, crown=0.02, normal=(0, 0.6, 0.8)), m.ground, a)
    m.constraint("blade", kt.KnifeEdge(axis="-x"), m.ground, c.at(0, 0, -0.1))
    profile = ((0.03, 0.0), (0.0, 0.04), (-0.03, 0.0), (0.0, -0.03))
    m.constraint("cam", kt.CamFollower(profile, "roller", radius=0.01), b, c)
    m.constraint(
        "drive", kt.Driver("A.angle", kt.Table((0.0, 1.0, 2.0), (0.0, 1.0, 0.5), smooth=False))
    )
    m.force(
        "spring",
        kt.SpringDamper(
            law=kt.Polynomial(100.0, 0.0, 5.0),
            damping=kt.Exponential(2.0, 0.1),
            force=kt.CosineBump(1.0, 0.5, lead=0.1),
        ),
        a,
        c.at(0.1, 0, 0),
    )
    m.force(
        "curve",
        kt.SpringDamper(law=kt.Characteristic((-1.0, 0.0, 2.0), (-3.0, 0.0, 5.0), smooth=False)),
        m.ground,
        a,
    )
    m.force("torsion", kt.TorsionSpring("A.angle", 10.0, 0.1, 0.2, torque=kt.Ramp(1.0, end=2.0)))
    m.force(
        "push",
        kt.PointForce((1.0, kt.Constant(2.0), kt.SmoothSine(1.0, 2.0)), frame="body"),
        a.at(0, 0.1, 0),
    )
    m.force("twist", kt.Torque((0.0, 1.0, 0.0)), b)
    m.force("bushing", kt.Bushing((1.0, 2.0, 3.0, 4.0, 5.0, 6.0)), a, b)
    m.force("cable", kt.Cable(100.0, 1.0), a, b.at(0, 0, 0.2), c)
    m.force("teeth", kt.GearMesh((20, 60), 1e6, backlash=1e-4, helix_angle=0.1), a, b)
    m.force("belt", kt.Belt((0.1, 0.2), 1e5, pretension=10.0), b, c)
    m.force("drag", kt.Drag(0.3, 2.0, wind=(1.0, 0.0, 0.0)), a)
    m.force("pump", kt.Pump(flow=1e-3, relief=2e7, volume=1e-3))
    m.force(
        "cylinder",
        kt.HydraulicCylinder(
            0.05,
            0.03,
            0.5,
            1e-4,
            supply="pump",
            extension=0.1,
            valve=kt.Valve(spool=kt.Input("spool", 0.5, factor=0.9), area=1e-4),
        ),
        m.ground,
        c.at(0, 0.1, 0),
    )
    m.force("unit", kt.HydropneumaticUnit("A.angle", 100.0, 0.05, 1e-3))
    m.force("stop", kt.BumpStop("S.displacement", 0.5, 1e4))
    s = kt.shapes
    for k, shape in enumerate(
        (
            s.Ball(0.1),
            s.Capsule(0.1, 0.2),
            s.Box((0.1, 0.2, 0.3)),
            s.Cylinder(0.1, 0.2),
            s.Hull(((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1))),
        )
    ):
        floor = s.HalfSpace().on(m.ground.at(0, 0, -9))
        m.contact(f"touch{k}", floor, shape.on(a), kt.Contact(1e5, friction=0.1 * k))
    cam = s.Profile(((0, 0), (1, 0), (0, 1)), smooth=True)
    m.contact("cam on floor", s.HalfSpace().on(m.ground.at(0, 0, -9)), cam.on(a), kt.Contact(1e5))
    terrain = s.HeightField(((0.0, 0.1), (0.2, 0.0)), 0.5).on(m.ground.at(0, 0, -9))
    m.contact("terrain", terrain, s.Ball(0.1).on(a), kt.Contact(1e5))
    hard = kt.RigidContact(0.5, 0.2, impact="poisson", several="simultaneous")
    m.contact("hard", s.HalfSpace().on(m.ground.at(0, 0, -9)), s.Ball(0.1).on(b), hard)
    heap = [s.HalfSpace().on(m.ground.at(0, 0, -9)), s.Ball(0.1).on(a), s.Box((1, 2, 3)).on(b)]
    m.contact_group("heap", heap, friction=0.4, restitution=0.1)
    m.force("end", kt.JointStop("S.displacement", -9.0, 9.0, restitution=0.1))
    m.force("freewheel", kt.OneWayClutch("A.angle", backward=True))
    m.force("pawl", kt.Ratchet("A.angle", 0.1, first=0.2))
    m.force("rope", kt.Rope(9.0), a, c)
    m.force("rubbing", kt.JointFriction("S.displacement", 2.0, static=3.0))
    bumps = [kt.roads.HalfRound(3.0, 0.1, across=(-1.0, 1.0)), kt.roads.Block(5.0, 0.1, 0.2)]
    road = kt.Road(kt.Sine(0.01, 0.2), right=kt.CosineBump(0.05, 2.0), obstacles=bumps, grade=0.01)
    m.force("wheel", kt.Wheel(0.4, 1e5, road=road, friction=0.3), a)
    magic = {
        "FNOMIN": 4000.0,
        "PCX1": 1.6,
        "PDX1": 1.1,
        "PKX1": 20.0,
        "PCY1": 1.3,
        "PDY1": 1.0,
        "PKY1": -15.0,
        "PKY2": 2.0,
    }
    m.force("tyre", kt.Tyre(0.3, 2e5, kt.tyres.MagicFormula(magic), road), c)
    m.force("servo", kt.Drive(3.0, 10.0, integral=1.0), a, b)
    m.force("bar", kt.AntiRollBar(1e4), a, m.ground, c, m.ground.at(1, 0, 0))
    m.force("band", kt.TrackBand(1e3), a, b, c, a.at(0.1, 0, 0), c.at(0.2, 0, 0))
    m.force(
        "driver",
        kt.PathFollower("S.displacement", kt.Table((0.0, 10.0, 20.0, 30.0), (0.0, 0.0, 1.0, 1.0))),
        a,
    )
    m.joint("ball", kt.Spherical(), a, c, at=(0.5, 0.5, 1.0))
    m.cut("ball")
    return m


def arm() -> kt.Model:
    """A planar arm with hub, payload, a sliding link, and a pin on the ground."""
    made = kt.Arm("boom", 9.0)
    boom = made.link(
        "boom",
        "A",
        length=2.0,
        density=3.0,
        EI=1e4,
        modes=1,
        slope=True,
        hub=0.1,
        start=0.4,
        speed=0.1,
    )
    made.payload(boom, 2.0, 0.1)
    slider = made.link(
        "slider", "S", on=boom, mass=1.0, inertia=0.1, kind="translational", along=0.2, angle=0.1
    )
    made.link("jib", "J", on=slider, length=1.0, density=2.0)
    return made.model()


def angle_section() -> kt.Model:
    """A beam with its center of mass off its line, and one that is moved off it."""
    m, steel = kt.Model("angle"), kt.Section.rectangle(0.02, 0.04, 2e11, 7850.0)
    angle = kt.Section(steel.stiffness, 2.0, [1e-3, 5e-4, 5e-4], centre=(0.01, -0.02))
    one = m.beam("one", [(0, 0, 0), (1, 0, 0)], angle, elements=3)
    two = m.beam("two", [(1, 0, 0), (1, 1, 0)], steel.moved(0.0, 0.03), elements=2)
    m.joint("wall", kt.Fixed(), m.ground, one.end("-"))
    m.joint("corner", kt.Fixed(), one.end("+"), two.end("-"))
    return m


MACHINES = {
    **{entry.name: entry.build for entry in MODELS},
    "flexible four-bar": flexible_four_bar,
    "flexible slider-crank": flexible_slider_crank,
    "shut excavator": lambda: excavator(0.0),
    "oscillator": lambda: oscillator(100.0, 3, 0.1),
    "flexible joint": lambda: flexible_joint(1e4, 1e3),
    "point": lambda: projected(1.0, kt.Sine(0.1, 1.0, offset=1.0)),
    "flying beam": flying,
    "pinned beam": lambda: flying(True),
    "parallelogram": lambda: parallelogram(0.3, 0.2),
    "joints": joints,
    "elements": elements,
    "arm": arm,
    "wishbones": wishbones,
    "angle section": angle_section,
}

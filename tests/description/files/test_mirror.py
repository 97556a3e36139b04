"""Mirrored assemblies move like the mirror image: every joint, each of its coordinates, and every
element of a file.

The models have no gravity, which no mirror changes. Steps are fixed, so that both runs take the
same ones and differ by rounding only.
"""

import json
from dataclasses import fields

import numpy as np
import pytest

import kinetree as kt
from kinetree.description.files.declared import families, kind_of, options_of
from kinetree.elements.joints.catalogue import JOINTS
from kinetree.elements.signals.catalogue import SIGNALS

ROUNDING = 1e-10
SKEW, ACROSS = "[0.6, 0.64, 0.48]", "[0.8, -0.48, -0.36]"
BOX = (
    "{type: mass, mass: 2, inertia: [0.3, 0.4, 0.5, 0.02, -0.03, 0.01], com: [0.1, -0.05, 0.02]%s}"
)


def joint_machine(entry) -> str:
    """Two bodies on the ground by such a joint, between markers and at a point of the drawing, with
    a force on every coordinate.
    """
    kind = entry.joint
    given, example = {"axis": SKEW, "axis1": SKEW, "axis2": ACROSS}, kind.examples()[0]
    axes = "".join(
        f", {field.name}: {given.get(field.name) or json.dumps(getattr(example, field.name))}"
        for field in fields(kind)
    )
    start = ", ".join(f"{label}: {0.1 * (k + 1)}" for k, label in enumerate(kind.coordinates))
    start += (", " if start and kind.ball else "") + (
        "quaternion: [0.8, 0.36, -0.48, 0]" if kind.ball else ""
    )
    speed = ", ".join(f"{label}: {0.5 - 0.3 * k}" for k, label in enumerate(kind.speeds))
    places = {
        "m": "parent: {body: ground, at: [0.1, 0.2, 0.3], rotation: [zyx, [0.4, 0.3, 0.2]]}, "
        "child: {body: m, at: [0.3, 0, 0.1], rotation: [x, 0.5]}",
        "d": "parent: ground, child: d, at: [0.2, 0.5, -0.1]",
    }
    text = f"bodies:\n  m: {BOX % ''}\n  d: {BOX % ''}\njoints:\n"
    for body, said in places.items():
        text += f"  J{body}: {{type: {kind.__name__}{axes}, {said}, start: {{{start}}}, speed: {{{speed}}}}}\n"
    text += "forces:\n  push: {type: PointForce, components: [1, {type: Sine, amplitude: 2, frequency: 3}, 3], markers: [m]}\n"
    for label in kind.coordinates if kind.sensors else ():
        for body in places:
            text += (
                f"  bend {body} {label}: "
                f"{{type: TorsionSpring, coordinate: J{body}.{label}, angle: 0.05, "
                f"torque: {{type: Sine, amplitude: 3, frequency: 2, offset: 0.5}}, "
                f"law: {{type: Polynomial, coefficients: [5, 3, 2]}}}}\n"
                f"  rub {body} {label}: "
                f"{{type: JointFriction, coordinate: J{body}.{label}, coulomb: 0.2}}\n"
                f"  stop {body} {label}: "
                f"{{type: BumpStop, coordinate: J{body}.{label}, at: 0.12, stiffness: 40}}\n"
            )
    return text


MOTIONS = [
    "{type: Ramp, slope: 0.6, start: 0.1}",
    "{type: Table, times: [0, 0.2, 0.5], values: [0.1, 0.3, 0.2]}",
    "{type: SmoothStep, height: 0.3, rise: 0.2}",
    "{type: SmoothSine, amplitude: 0.2, period: 0.4}",
    "{type: CosineBump, height: 0.2, rise: 0.1}",
    "{type: Exponential, value: 0.1, rate: 1.5}",
]
DRIVEN = "\n".join(
    [
        "bodies:",
        *(f"  b{k}: {BOX % ''}" for k in range(9)),
        "joints:",
        *(
            f"  C{k}: "
            f"{{type: Cylindrical, axis: {SKEW}, parent: {{body: ground, at: [{k}, 0.3, 0.1]}}, child: b{k}}}"
            for k in range(8)
        ),
        "  P: {type: Planar, axis: [0.6, 0, 0.8], parent: {body: ground, at: [9, 1, 1]}, child: "
        "b8, speed: {x: 1}}",
        "constraints:",
        *(
            f"  drive{k}: {{type: Driver, coordinate: C{k}.angle, motion: {motion}}}"
            for k, motion in enumerate(MOTIONS)
        ),
        "  nut: {type: Coupling, first: C6.displacement, second: C6.angle, ratio: 0.3, offset: 0.1}",
        "  sum: {type: Coupling, terms: {C7.displacement: 1, C6.angle: 2, P.x: -1, P.angle: 0.5}}",
        "  gear: {type: Gear, first: P.angle, second: C7.angle, teeth: [20, 30]}",
        "  hand: {type: Distance, length: {type: Ramp, slope: 0.1, start: 2}, markers: [{body: "
        "ground, at: [0, 0, 2]}, b0]}",
        "forces:",
        "  turn: {type: TorsionSpring, coordinate: C6.angle, torque: 3}",
        "",
    ]
)
# C0's driven angle and the distance hold its slide as well

A_START = ", position: [0.4, 0.5, 0.2], rotation: [zyx, [0.3, 0.2, 0.1]], velocity: [1, 2, 3], angular_velocity: [3, 2, 1]"
B_START = ", position: [0.9, 0.1, 0.4], points: {tip: [0.2, 0.3, 0.1]}"
FORCES = f"""\
bodies:
  a: {BOX % A_START}
  b: {BOX % B_START}
joints:
  A: {{type: Free, parent: ground, child: a}}
  B: {{type: Free, parent: ground, child: b}}
forces:
  rubber:
    type: Bushing
    stiffness: [[90, 10, -5, 3, 2, -4], [10, 80, 7, -2, 5, 6], [-5, 7, 70, 4, 1, 2], [3, -2, 4, 9, 1, 2], [2, 5, 1, 1, 8, -1],
                [-4, 6, 2, 2, -1, 7]]
    damping: [[2, 0.5, 0, 0.1, 0, 0], [0.5, 2, 0, 0, 0, 0], [0, 0, 2, 0, 0, 0.2], [0.1, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0.1],
              [0, 0, 0.2, 0, 0.1, 1]]
    x: {{type: Polynomial, coefficients: [3, 5]}}
    y: {{type: Polynomial, coefficients: [2, 4, 3]}}
    z: {{type: Characteristic, extensions: [-1, 0, 0.5, 2], forces: [-3, 0, 4, 5]}}
    about_x: {{type: Polynomial, coefficients: [0, 5]}}
    about_y: {{type: Characteristic, extensions: [-2, -1, 1, 2], forces: [-3, 0, 4, 5]}}
    about_z: {{type: Polynomial, coefficients: [0, 3]}}
    markers: [{{body: a, at: [0.1, 0.2, 0.3], rotation: [zyx, [0.4, 0.3, 0.2]]}}, {{body: b, rotation: [x, 0.5]}}]
  plain: {{type: Bushing, stiffness: [10, 20, 30, 1, 2, 3], damping: [1, 2, 3, 0.1, 0.2, 0.3], markers: [ground, b]}}
  spring: {{type: SpringDamper, stiffness: 50, damping: 2, law: {{type: Polynomial, coefficients: [30, 40]}},
           markers: [a, b.tip]}}
  world: {{type: PointForce, components: [{{type: Sine, amplitude: 2, frequency: 3}}, {{type: Ramp, slope: 3, start: 1}}, 3],
          markers: [a]}}
  own: {{type: PointForce, frame: body, components: [1, 2, {{type: Sine, amplitude: 2, frequency: 3}}], markers: [{{body: b,
        at: [0, 0.1, 0.2], rotation: [y, 0.4]}}]}}
  twist: {{type: Torque, components: [1, {{type: Sine, amplitude: 2, frequency: 1}}, 3], markers: [a]}}
  twist in body: {{type: Torque, frame: body, components: [{{type: Sine, amplitude: 2, frequency: 1}}, 2, 3], markers: [b]}}
  air: {{type: Drag, coefficient: 1, area: 1, wind: [3, 4, 5], markers: [a]}}
  rope: {{type: Cable, stiffness: 20, length: 0.3, markers: [ground, a, b]}}
"""

STOPS = f"""\
bodies:
  a: {BOX % ""}
  b: {BOX % ""}
  c: {BOX % ""}
  d: {BOX % ""}
  e: {BOX % ", position: [0.2, 0.3, 0.4], velocity: [1, 2, 3]"}
joints:
  A: {{type: Cylindrical, axis: {SKEW}, parent: ground, child: a, speed: {{angle: 2, displacement: -1}}}}
  B: {{type: Cylindrical, axis: {SKEW}, parent: ground, child: b, speed: {{angle: 1, displacement: 1}}}}
  C: {{type: Cylindrical, axis: {SKEW}, parent: ground, child: c, speed: {{angle: 1, displacement: 1}}}}
  D: {{type: Cylindrical, axis: {SKEW}, parent: ground, child: d}}
  E: {{type: Free, parent: ground, child: e}}
forces:
  upper: {{type: JointStop, coordinate: A.angle, minimum: -1, maximum: 0.05, restitution: 0.5}}
  lower: {{type: JointStop, coordinate: A.displacement, minimum: -0.02}}
  back: {{type: TorsionSpring, coordinate: B.angle, torque: -20}}
  forward: {{type: TorsionSpring, coordinate: B.displacement, torque: -80}}
  freewheel: {{type: OneWayClutch, coordinate: B.angle}}
  slide: {{type: OneWayClutch, coordinate: B.displacement}}
  turn: {{type: TorsionSpring, coordinate: C.angle, torque: -20}}
  pull: {{type: TorsionSpring, coordinate: C.displacement, torque: -80}}
  wheel: {{type: Ratchet, coordinate: C.angle, pitch: 0.008, first: 0.001}}
  rack: {{type: Ratchet, coordinate: C.displacement, pitch: 0.008, first: 0.002}}
  rope: {{type: Rope, length: 0.6, restitution: 0.3, markers: [ground, {{body: e, at: [0, 0.1, 0]}}]}}
"""
STOPPED = {"upper", "lower", "freewheel", "slide", "wheel", "rack", "rope"}

HEAP = f"""\
bodies:
  a: {BOX % ", position: [0.1, 0.2, 0.31], velocity: [1, 2, -3], angular_velocity: [3, 2, 1]"}
  b: {BOX % ", position: [0.15, 0.2, 0.62], velocity: [0, 1, -4], rotation: [x, 0.3]"}
joints:
  A: {{type: Free, parent: ground, child: a}}
  B: {{type: Free, parent: ground, child: b}}
forces:
  heap:
    type: ContactGroup
    friction: 0.3
    restitution: 0.4
    shapes:
    - {{type: HalfSpace, on: {{body: ground, rotation: [x, 0.1]}}}}
    - {{type: Ball, radius: 0.25, on: {{body: a, at: [0.02, 0, 0]}}}}
    - {{type: Ball, radius: 0.1, on: {{body: b, at: [0, 0.05, 0]}}}}
"""

ARENA = f"""\
bodies:
  a: {BOX % ", position: [0.1, 0.2, 0.31], velocity: [1, 2, -3], angular_velocity: [3, 2, 1]"}
  b: {BOX % ", position: [0.1, 0.2, 0.3], velocity: [0, 1, -4], rotation: [x, 0.3]"}
joints:
  A: {{type: Free, parent: ground, child: a}}
  B: {{type: Free, parent: ground, child: b}}
contacts:
  ball:
    type: Contact
    stiffness: 1e4
    friction: 0.3
    a: {{type: HalfSpace, on: {{body: ground, rotation: [x, 0.1]}}}}
    b: {{type: Ball, radius: 0.3, on: {{body: a, at: [0.02, 0, 0]}}}}
  hull:
    type: Contact
    stiffness: 1e4
    friction: 0.3
    a: {{type: HalfSpace, on: {{body: ground, rotation: [y, 0.1]}}}}
    b: {{type: Hull, points: [[0.3, 0, -0.3], [-0.3, 0.1, -0.3], [0, 0.3, -0.3], [0, 0, 0.3]], on: {{body: b}}}}
"""

POSES = f"""\
bodies:
  a: {BOX % ""}
  b: {BOX % ""}
  c: {BOX % ""}
joints:
  A: {{type: Free, parent: ground, child: a}}
  B: {{type: Free, parent: ground, child: b}}
  C: {{type: Spherical, parent: {{body: ground, rotation: [x, 0.3]}}, child: c}}
constraints:
  turned: {{type: PoseDriver, joint: A, sequence: ZYX, angles: [{{type: Ramp, slope: 1}}, 0.4, {{type: Sine, amplitude: 0.3,
           frequency: 1}}], position: [1, {{type: Ramp, slope: 2}}, 0.5]}}
  fixed: {{type: PoseDriver, sequence: xzx, angles: [0.3, {{type: Ramp, slope: 1, start: 0.2}}, 0.5], position: [0.1, 0.2, 0.3],
          markers: [{{body: ground, rotation: [y, 0.4]}}, b]}}
  vector: {{type: PoseDriver, joint: C, rotation_vector: [{{type: Ramp, slope: 1, start: 0.1}}, 0.2, {{type: Sine, amplitude: 0.3,
           frequency: 1}}]}}
"""

ODD = "RHX1: 0.01, PHY1: 0.02, PVY1: 0.05, PEY3: 0.2, QDZ6: 0.01, QHZ1: 0.01"
MAGIC = (
    "{type: MagicFormula, coefficients: {FNOMIN: 2000, PCX1: 1.6, PDX1: 1, PKX1: 20, PCY1: 1.3, "
    "PDY1: 1, PKY1: -12, "
    "PKY2: 1.5, QCZ1: 1.1, QDZ1: 0.1, QBZ1: 8, UNLOADED_RADIUS: 0.3, " + ODD + "}}"
)
CART = """\
bodies:
  frame: {{type: box, mass: 150, sides: [1, 0.4, 0.2], position: [0, 0.3, 0.29], velocity: [5, 0.4, 0]}}
  wheel: {{type: cylinder, mass: 10, radius: 0.3, length: 0.1, along: y, position: [0.4, 0.8, 0.29], velocity: [5, 0.4, 0],
          angular_velocity: [0, 17, 0]}}
  rack: {{type: box, mass: 1, sides: [0.1, 0.1, 0.1], position: [0.4, 0.3, 0.29], velocity: [5, 0.4, 0]}}
joints:
  F: {{type: Free, parent: ground, child: frame}}
  hub: {{type: Revolute, axis: y, parent: frame, child: wheel, at: [0.4, 0.8, 0.29]}}
  slide: {{type: Translational, axis: y, parent: frame, child: rack, at: [0.4, 0.3, 0.29]}}
forces:
  lift: {{type: PointForce, components: [0, 0, -900], markers: [frame]}}
  level: {{type: Bushing, stiffness: [0, 0, 2e4, 3000, 3000, 3000], markers: [ground, frame]}}
  tyre: {{{tyre}, radius: 0.3, stiffness: 1e5, damping: 300, markers: [wheel]}}
  drive: {{type: Drive, speed: {{type: Ramp, slope: 1, start: 6}}, gain: 100, integral: 20, markers: [frame, wheel]}}
  {steer}
"""
STEER = (
    "path: {type: PathFollower, coordinate: slide.displacement, path: {type: CosineBump, height: "
    "1, rise: 5}, "
    "stiffness: 1e3, damping: 20, markers: [frame]}"
)
FIALA = "{type: Fiala, cornering: 3e4, longitudinal: 4e4, friction: 0.9, camber: 900, trail: 0.02}"
WHEELS = {
    "magic": f"type: Tyre, law: {MAGIC}",
    "fiala": f"type: Tyre, law: {FIALA}",
    "disc": "type: Wheel, friction: 0.01",
}

BEAMS = """\
bodies:
  bow:
    type: beam
    line: [[0, 0, 0], [0.5, 0.1, 0.05], [1, 0.1, 0.2]]
    elements: 4
    twist: 0.4
    section:
      type: Section
      stiffness: [[1000, 20, -30, 5, 4, 3], [20, 800, 10, -2, 3, 1], [-30, 10, 700, 1, 2, -4], [5, -2, 1, 4, 0.2, -0.3],
                  [4, 3, 2, 0.2, 5, 0.4], [3, 1, -4, -0.3, 0.4, 6]]
      mass: 2
      inertia: [[0.03, 0.001, -0.002], [0.001, 0.02, 0.003], [-0.002, 0.003, 0.025]]
      centre: [0.02, -0.03]
  post:
    type: beam
    line: [[0, 0, 0], [0, 0.02, 1]]
    elements: 3
    section: {type: Section, stiffness: [[900, 0, 0, 0, 9, 0], [0, 700, 0, 0, 0, 0], [0, 0, 700, 8, 0, 0], [0, 0, 8, 4, 0, 0],
                                         [9, 0, 0, 0, 5, 0], [0, 0, 0, 0, 0, 6]], mass: 2, inertia: [0.03, 0.02, 0.025]}
  lever: {type: beam, line: [[0, 0, 0], [0, 0, -1]], up: [1, 2, 0], elements: 2, section: {type: Section.i_beam, width: 0.1,
          height: 0.2, flange: 0.02, web: 0.01, E: 1e6, density: 1000}}
joints:
  root: {type: Fixed, parent: {body: ground, at: [0.1, 0.2, 0.3]}, child: bow.-}
  foot: {type: Revolute, axis: x, parent: {body: ground, at: [3, 0, 0]}, child: post.-}
  top: {type: Fixed, parent: post.+, child: lever.-}
forces:
  pull: {type: PointForce, components: [1, 2, 3], markers: [bow.+]}
  push: {type: PointForce, components: [2, -1, 0.5], frame: body, markers: [{body: post, node: 2}]}
  wind: {type: PointForce, components: [5, 6, 7], markers: [lever.+]}
"""


def image(tmp_path, text, mirror, placed, until, **options):
    """The model itself and its mirror image at another place: positions, angular velocities."""
    (tmp_path / "part.yaml").write_text("gravity: [0, 0, 0]\n" + text)
    where = f", {placed}" if placed else ""
    (tmp_path / "whole.yaml").write_text(
        f"gravity: [0, 0, 0]\nassemblies:\n  R: {{file: part.yaml, mirror: {mirror}{where}}}\n"
    )
    return [
        kt.simulate(kt.load(tmp_path / name), until, **options)
        for name in ("part.yaml", "whole.yaml")
    ]


def assert_image(here, there, mirror, placed=""):
    S = np.array([-1.0 if axis == mirror else 1.0 for axis in "xyz"])
    c, s = np.cos(0.7), np.sin(0.7)
    R, p = (np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]), [1, 2, 3]) if placed else (np.eye(3), 0.0)
    for body in here.compiled.bodies[1:]:
        for channel, expected in (
            ("position", here[f"{body}.position"] * S @ R.T + p),
            ("angular_velocity", -here[f"{body}.angular_velocity"] * S @ R.T),
        ):
            scale = max(1.0, np.abs(expected).max())
            np.testing.assert_allclose(
                there[f"R {body}.{channel}"],
                expected,
                atol=ROUNDING * scale,
                err_msg=f"{body}.{channel}",
            )
    moved = max(np.ptp(here[f"{body}.position"], axis=0).max() for body in here.compiled.bodies[1:])
    assert moved > 1e-3  # something happens


@pytest.mark.parametrize("mirror", "xyz")
@pytest.mark.parametrize(
    "entry", [entry for entry in JOINTS if entry.joint.nv], ids=lambda entry: entry.joint.__name__
)
def test_every_joint_and_what_acts_on_its_coordinates(tmp_path, entry, mirror):
    here, there = image(
        tmp_path, joint_machine(entry), mirror, "", 0.05, integrator="rk4", step=1e-3
    )
    assert_image(here, there, mirror)


@pytest.mark.parametrize(
    "entry", [entry for entry in JOINTS if entry.joint.nv], ids=lambda entry: entry.joint.__name__
)
def test_a_rotated_mirror_image_moves_like_the_original(tmp_path, entry):
    """Without the force in world axes, which a rotated assembly does not rotate."""
    text = joint_machine(entry).replace("markers: [m]", "frame: body, markers: [m]")
    here, there = image(
        tmp_path,
        text,
        "y",
        "rotation: [y, 0.7], position: [1, 2, 3]",
        0.05,
        integrator="rk4",
        step=1e-3,
    )
    assert_image(here, there, "y", "turned")


@pytest.mark.parametrize("mirror", "xyz")
@pytest.mark.parametrize("text", [DRIVEN, FORCES, POSES], ids=["driven", "forces", "poses"])
def test_constraints_and_forces(tmp_path, text, mirror):
    here, there = image(tmp_path, text, mirror, "", 0.05, integrator="rk4", step=1e-3)
    assert_image(here, there, mirror)


@pytest.mark.parametrize("mirror", "xyz")
def test_stops_clutches_ratchets_and_ropes(tmp_path, mirror):
    here, there = image(tmp_path, STOPS, mirror, "", 0.08, integrator="rk4", step=1e-3)
    assert_image(here, there, mirror)
    assert {name.rpartition(".")[0] for name in here.events} == STOPPED  # all of them act


@pytest.mark.parametrize("mirror", "xyz")
def test_contacts(tmp_path, mirror):
    ball = ARENA[: ARENA.index("  hull:")]
    here, there = image(tmp_path, ball, mirror, "", 0.05, integrator="rk4", step=1e-4)
    assert_image(here, there, mirror)
    assert here["ball.normal"].max() > 1.0


@pytest.mark.parametrize("mirror", "xyz")
def test_hulls_and_half_spaces_are_at_the_mirrored_place(tmp_path, mirror):
    (tmp_path / "part.yaml").write_text(ARENA)
    (tmp_path / "m.yaml").write_text(f"assemblies:\n  R: {{file: part.yaml, mirror: {mirror}}}\n")
    one, two = (
        kt.load(tmp_path / name).contacts[contact]
        for name, contact in (("part.yaml", "hull"), ("m.yaml", "R hull"))
    )
    S = np.array([-1.0 if axis == mirror else 1.0 for axis in "xyz"])
    np.testing.assert_array_equal(two.spec.shapes[1].points, one.spec.shapes[1].points * S)
    up, image_of_up = (c.markers[0].X_Bm.R[:, 2] for c in (one, two))
    np.testing.assert_allclose(image_of_up, S * up, atol=1e-15)


@pytest.mark.parametrize("mirror", "xyz")
def test_groups_of_shapes(tmp_path, mirror):
    here, there = image(tmp_path, HEAP, mirror, "", 0.08, integrator="time-stepping", step=1e-3)
    assert_image(here, there, mirror)
    assert here["heap.count"].max() == 2.0
    np.testing.assert_allclose(there["R heap.friction"], here["heap.friction"], atol=1e-6)


@pytest.mark.parametrize(
    "mirror, wheel, steer",
    [("y", "magic", STEER), ("y", "fiala", STEER), ("x", "disc", ""), ("y", "disc", STEER)],
)
def test_tyres_drives_and_drivers(tmp_path, mirror, wheel, steer):
    here, there = image(
        tmp_path,
        CART.format(tyre=WHEELS[wheel], steer=steer),
        mirror,
        "",
        0.2,
        integrator="rk4",
        step=1e-3,
    )
    assert_image(here, there, mirror)
    assert wheel == "disc" or np.abs(here["tyre.lateral_force"]).max() > 10.0


@pytest.mark.parametrize(
    "wheel, steer, mirror, words",
    [
        ("fiala", "", "x", "would make a tyre roll backwards"),
        ("disc", "", "z", "a mirror across z turns a Drive round"),
        ("disc", STEER, "x", "a mirror across x or z cannot turn a PathFollower"),
    ],
)
def test_mirrors_that_would_turn_wheels_round_are_refused(tmp_path, wheel, steer, mirror, words):
    with pytest.raises(kt.ModelError, match=words):
        image(tmp_path, CART.format(tyre=WHEELS[wheel], steer=steer), mirror, "", 0.2)


@pytest.mark.parametrize("mirror", "xyz")
def test_beams_with_coupled_sections(tmp_path, mirror):
    here, there = image(tmp_path, BEAMS, mirror, "", 0.05, step=5e-3)
    assert_image(here, there, mirror)


def test_two_mirrors_make_the_machine_again(tmp_path):
    for text, options in ((DRIVEN, {"integrator": "rk4", "step": 1e-3}), (BEAMS, {"step": 5e-3})):
        (tmp_path / "part.yaml").write_text("gravity: [0, 0, 0]\n" + text)
        (tmp_path / "once.yaml").write_text(
            "assemblies:\n  one: {file: part.yaml, prefix: '', mirror: y}\n"
        )
        (tmp_path / "twice.yaml").write_text(
            "gravity: [0, 0, 0]\nassemblies:\n  R: {file: once.yaml, mirror: y}\n"
        )
        here, there = (
            kt.simulate(kt.load(tmp_path / name), 0.02, **options)
            for name in ("part.yaml", "twice.yaml")
        )
        for body in here.compiled.bodies[1:]:
            np.testing.assert_allclose(
                there[f"R {body}.position"], here[f"{body}.position"], atol=ROUNDING
            )


def test_bodies_without_a_place_are_drawn_where_their_assembly_is(tmp_path):
    """A joint at a point of the drawing is at that point of the body."""
    (tmp_path / "part.yaml").write_text(
        "bodies:\n  b: {type: sphere, mass: 1, radius: 0.1}\n"
        "joints:\n  A: {type: Revolute, axis: x, parent: ground, child: b, at: [0, 0.2, 0]}\n"
    )
    (tmp_path / "m.yaml").write_text(
        "assemblies:\n  R: {file: part.yaml, mirror: y, position: [3, 0, 0]}\n"
    )
    m = kt.load(tmp_path / "m.yaml")
    np.testing.assert_allclose(m.joints["R A"].M.X_Bm.p, [0.0, -0.2, 0.0], atol=1e-15)
    np.testing.assert_allclose(m.joints["R A"].F.X_Bm.p, [3.0, -0.2, 0.0], atol=1e-15)


REFUSED = {
    "forces: {u: {type: UserForce, function: 'code:push', markers: [b]}}": "the result of a "
    "Python function cannot be mirrored",
    "forces: {t: {type: TorsionSpring, coordinate: C.angle, torque: out.a}}\n"
    "controllers: {out: {function: 'code:control', outputs: [a]}}": "the sign of 'R out.a' cannot "
    "be changed",
    "forces: {h: {type: HydropneumaticUnit, coordinate: C.angle, preload: 1, bore: 0.1, volume: "
    "1e-3}}": "a mirror turns the sign of 'R C.angle', which a HydropneumaticUnit cannot follow",
    "controllers: {out: {function: 'code:control', inputs: [C.angle.rate], outputs: [a]}}": "a "
    "mirror "
    "turns "
    "the "
    "sign "
    "of "
    "the "
    "input "
    "'R "
    "C.angle.rate'",
    "controllers: {out: {function: 'code:control', inputs: [b.velocity.y in b], outputs: [a]}}": "a "
    "mirror "
    "turns "
    "the "
    "sign "
    "of "
    "the "
    "input "
    "'R "
    "b.velocity.y "
    "in "
    "R "
    "b'",
    "constraints: {d: {type: Driver, coordinate: C.angle, motion: 'code:path'}}": "the sign of .* "
    "cannot be "
    "changed",
}


@pytest.mark.parametrize("said", REFUSED)
def test_elements_that_cannot_be_mirrored_are_refused_by_name(tmp_path, said):
    (tmp_path / "code.py").write_text(
        "def push(t, a, b, parameters, force, torque):\n    force[0] = 1.0\n\n\n"
        "def control(t, u, x, parameters, xdot, out):\n    out[0] = 1.0\n\n\n"
        "def path(t):\n    return t\n"
    )
    (tmp_path / "part.yaml").write_text(
        "bodies:\n  b: {type: sphere, mass: 1, radius: 0.1}\njoints:\n"
        f"  C: {{type: Cylindrical, axis: x, parent: ground, child: b}}\n{said}\n"
    )
    (tmp_path / "m.yaml").write_text("assemblies:\n  R: {file: part.yaml, mirror: y}\n")
    kt.load(tmp_path / "part.yaml", allow_python=True)
    with pytest.raises(kt.ModelError, match=f"part.yaml:.*{REFUSED[said]}"):
        kt.load(tmp_path / "m.yaml", allow_python=True)


def test_meshes_are_mirrored_with_their_outside_outside(tmp_path):
    (tmp_path / "part.yaml").write_text(
        "bodies:\n  b: {type: sphere, mass: 1, radius: 0.1, look: [{type: Mesh, corners: "
        "[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], triangles: [[0, 2, 1], [0, 1, 3]]}]}\n"
    )
    (tmp_path / "m.yaml").write_text("assemblies:\n  R: {file: part.yaml, mirror: y}\n")
    one, two = (
        kt.load(tmp_path / name).bodies[body].look[0]
        for name, body in (("part.yaml", "b"), ("m.yaml", "R b"))
    )
    np.testing.assert_array_equal(two.corners, one.corners * [1, -1, 1])
    for triangle, turned in zip(one.triangles, two.triangles):
        a, b, c = one.corners[triangle]
        x, y, z = two.corners[turned]
        np.testing.assert_allclose(np.cross(y - x, z - x), np.cross(b - a, c - a) * [1, -1, 1])


def test_time_functions_declare_which_numbers_scale_with_their_value():
    for signal, _ in SIGNALS:
        grow = {
            name
            for name, option in options_of(signal).items()
            if kind_of(option.hint) in ("value", "slope")
        }
        if signal is kt.Input:  # `start` is a value of the input, which other programs set
            grow = {"factor"}
        assert set(signal.scaled) == grow, signal


def test_every_force_of_the_catalogue_is_covered_here():
    """A force whose numbers depend on the axes of its markers or the signs of coordinates must be
    in a test above.
    """
    seen = set(families()["force"])
    # lengths, pressures, shapes, and a disc on a road
    alike = {
        "HydraulicCylinder",
        "Pump",
        "Wheel",
        "AntiRollBar",
        "TrackBand",
        "GearMesh",
        "Belt",
    }
    tested = {
        "SpringDamper",
        "TorsionSpring",
        "PointForce",
        "Torque",
        "Bushing",
        "UserForce",
        "Drag",
        "Cable",
        "HydropneumaticUnit",
        "BumpStop",
        "Tyre",
        "Drive",
        "PathFollower",
        "JointFriction",
        "JointStop",
        "OneWayClutch",
        "Ratchet",
        "Rope",
        "ContactGroup",
    }
    assert seen == alike | tested

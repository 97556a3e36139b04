"""Features of model files beyond the API: parameters, expressions, units, includes, mirrored
assemblies, Python functions.
"""

import json
import math

import numpy as np
import pytest

import kinetree as kt
from kinetree.description.files.document import parse
from kinetree.description.files.expressions import evaluate
from kinetree.description.files.scalars import plain_scalar
from kinetree.description.files.units import quantity

FOUR_BAR = """\
kinetree: 1
model: four-bar
parameters:
  L: 500 mm
  coupler: ${2 * L + 0.2}
  at: [1.1, 0, 0]
bodies:
  crank:   {type: rod, mass: 0.5, length: "${L}", along: x}
  coupler: {type: rod, mass: 1.0, length: "${coupler}"}
  rocker:  {type: rod, mass: 0.75, length: "${1.5 * L} m"}
joints:
  A: {type: Revolute, axis: y, parent: ground, child: crank.-}
  B: {type: Revolute, axis: y, parent: crank.+, child: coupler.-}
  C: {type: Revolute, axis: y, parent: coupler.+, child: rocker.+}
  D: {type: Revolute, axis: y, parent: {body: ground, at: "${at}"}, child: rocker.-, start: {angle: 30 deg}}
"""


@pytest.fixture
def files(tmp_path):
    def write(**texts):
        for name, text in texts.items():
            (tmp_path / f"{name}.yaml").write_text(text)
        return tmp_path

    return write


def test_a_file_is_the_model_that_the_same_python_makes(files):
    m = kt.load(files(m=FOUR_BAR) / "m.yaml")
    assert [m.bodies[name].properties.arguments["length"] for name in m.bodies] == [0.5, 1.2, 0.75]
    assert m.joints["D"].F.X_Bm.p.tolist() == [1.1, 0.0, 0.0]
    assert m.joints["D"].start == {"angle": math.radians(30.0)}
    assert m.joints["A"].joint == kt.Revolute(axis="y")


def test_parameters_may_be_given_from_outside(files):
    folder = files(m=FOUR_BAR)
    assert (
        kt.load(folder / "m.yaml", {"L": 0.4}).bodies["coupler"].properties.arguments["length"]
        == 1.0
    )
    with pytest.raises(kt.ModelError, match="no parameter named 'l'"):
        kt.load(folder / "m.yaml", {"l": 0.4})


@pytest.mark.parametrize(
    "text, value",
    [
        ("10 mm", 0.01),
        ("40 km/h", 40.0 / 3.6),
        ("30 deg", math.pi / 6),
        ("20 N/mm", 2e4),
        ("1500 rpm", 50 * math.pi),
        ("3 kg m^2", 3.0),
        ("-2.5e3 N*s/m", -2500.0),
        ("1 GPa", 1e9),
        ("7.85 g/cm^3", 7850.0),
        ("1 N m s/rad", 1.0),
        ("2 bar", 2e5),
        ("1 inch", 0.0254),
        ("9.81 m/s²", 9.81),
        ("2 kN·m", 2000.0),
        ("1 lbf", 4.4482216152605),
    ],
)
def test_units_become_si(text, value):
    assert quantity(text) == pytest.approx(value, rel=1e-12)  # the rounding of a few products


@pytest.mark.parametrize(
    "text",
    [
        "10 parsnips",
        "10 mm^99",
        "1 m//s",
        "1 m /",
        "20 degC",
        "1 __class__",
        "1 m**(2)",
        "1e400 m",
        "mm",
        "1e-3",
        "5",
    ],
)
def test_texts_that_are_not_units_are_refused(text):
    with pytest.raises(kt.ModelError):
        quantity(text)


@pytest.mark.parametrize(
    "source, value",
    [
        ("L / 2", 0.25),
        ("2**3 + 1", 9.0),
        ("sqrt(L * 2)", 1.0),
        ("-L", -0.5),
        ("max(1, L, 2)", 2.0),
        ("1 if L > 0.4 else 3", 1.0),
        ("atan2(1, 1)", math.pi / 4),
        ("p[1] * 2", 40.0),
        ("7 // 2 + 7 % 2", 4.0),
        ("e", math.e),
    ],
)
def test_expressions_have_their_value(source, value):
    assert evaluate(source, {"L": 0.5, "p": [10.0, 20.0]}) == pytest.approx(value, rel=1e-15)


@pytest.mark.parametrize(
    "source",
    [
        "__import__('os')",
        "().__class__",
        "L.real",
        "[1 for x in (1, 2)]",
        "lambda: 1",
        "9**9**9**9",
        "1 / 0",
        "log(0)",
        "'a' * 9",
        "(" * 500 + "1" + ")" * 500,
        "-" * 900 + "1",
        "f(1)",
        "sin",
        "L if",
        "a = 1",
        "1 and 2",
        "sin(x=1)",
        "p['a']",
        "x" * 2000,
        "10 ** 400",
        "True",
        "1j",
        "sqrt(-1)",
        "{1: 2}",
        "",
        "p[9]",
        "exec('1')",
        "open('a')",
        "L := 3",
    ],
)
def test_texts_that_are_not_expressions_are_refused(source):
    with pytest.raises(kt.ModelError):
        evaluate(source, {"L": 0.5, "p": [1.0, "a"]})


@pytest.mark.parametrize(
    "text, value",
    [
        ("1e-3", 0.001),
        ("010", 10),
        ("0o10", 8),
        ("0x1F", 31),
        ("on", "on"),
        ("no", "no"),
        ("True", True),
        ("~", None),
        ("1_000", "1_000"),
        ("12:30:00", "12:30:00"),
        ("+.5", 0.5),
        ("1.", 1.0),
        (".", "."),
        ("-", "-"),
        ("2001-01-01", "2001-01-01"),
    ],
)
def test_plain_words_are_those_of_yaml_1_2(text, value):
    found = plain_scalar(text)
    assert found == value and type(found) is type(value)


def test_a_tree_has_line_numbers():
    tree = parse("a: 1\nb:\n  c: [1,\n    2]\n", "f.yaml")
    assert (tree.lines, tree["b"].lines, tree["b"]["c"].lines) == (
        {"a": 1, "b": 2},
        {"c": 3},
        [3, 4],
    )


def test_an_include_adds_the_contents_of_another_file(files):
    folder = files(
        m=FOUR_BAR,
        more="""\
include: [m.yaml]
parameters: {L: 0.4}
forces:
  damper: {type: TorsionSpring, coordinate: A.angle, damping: "${L}"}
""",
    )
    m = kt.load(folder / "more.yaml")
    assert list(m.bodies) == ["crank", "coupler", "rocker"] and m.name == "more"
    assert (m.bodies["crank"].properties.arguments["length"], m.forces["damper"].spec.damping) == (
        0.4,
        0.4,
    )


@pytest.mark.parametrize(
    "name", ["../outside.yaml", "/etc/passwd", "sub/../../outside.yaml", "link.yaml"]
)
def test_files_outside_the_folder_are_not_read(name, files, tmp_path):
    inside = tmp_path / "inside"
    inside.mkdir()
    (tmp_path / "outside.yaml").write_text("bodies: {b: {type: sphere, mass: 1, radius: 1}}")
    (inside / "link.yaml").symlink_to(tmp_path / "outside.yaml")
    (inside / "m.yaml").write_text(f"kinetree: 1\ninclude: [{name}]\n")
    with pytest.raises(kt.ModelError, match=r"m.yaml:2: include\[0\]: .*outside the folder"):
        kt.load(inside / "m.yaml")


def test_a_file_that_includes_itself_is_refused(files):
    folder = files(a="include: [b.yaml]", b="include: [a.yaml]")
    with pytest.raises(kt.ModelError, match="includes itself"):
        kt.load(folder / "a.yaml")


CORNER = """\
parameters: {k: 20 N/mm}
bodies:
  arm: {type: mass, mass: 2, inertia: [0.2, 0.2, 0.3, 0.01, 0.02, 0.03], position: [0, 0.4, 0.3], velocity: [3, 0.5, 0],
        angular_velocity: [0.3, 0.1, 0.2], points: {tip: [0.05, 0.2, -0.1]}}
  wheel: {type: cylinder, mass: 5, radius: 0.3, length: 0.2, along: y, position: [0.05, 0.6, 0.2], rotation: [x, 0.1]}
joints:
  hinge: {type: Revolute, axis: [1, 0.1, 0.2], parent: ground, child: arm, at: [0, 0.2, 0.3], start: {angle: 0.1},
          speed: {angle: 0.3}}
  hub: {type: Revolute, parent: arm, child: wheel, at: [0.05, 0.6, 0.2], axis: y}
forces:
  spring: {type: SpringDamper, stiffness: "${k}", length: 0.3, markers: [{body: ground, at: [0.02, 0.5, 0.7]}, arm.tip]}
  bar: {type: TorsionSpring, coordinate: hinge.angle, stiffness: 10}
  push: {type: PointForce, components: [1, 2, 3], markers: [wheel]}
  twist: {type: Torque, components: [1, 2, 3], frame: body, markers: [arm]}
"""
CAR = """\
bodies:
  chassis: {type: box, mass: 100, sides: [2, 1, 0.5], position: [0, 0, 0.5]}
joints:
  heave: {type: Translational, axis: z, parent: ground, child: chassis}
assemblies:
  left: {file: corner.yaml, prefix: "L ", ground: chassis, parameters: {k: 3e4}}
  right: {file: corner.yaml, prefix: "R ", ground: chassis, mirror: y, parameters: {k: 3e4}}
"""


def test_a_mirrored_assembly_moves_like_the_mirror_image(files):
    """Both sides of a model that is symmetric about y = 0: positions, velocities and forces differ
    by the sign of y.
    """
    m = kt.load(files(corner=CORNER, car=CAR) / "car.yaml")
    assert m.forces["L spring"].spec.stiffness == 3e4 and "R hub" in m.joints
    assert (
        m.joints["R hinge"].F.body.name == "chassis"
        and m.forces["R bar"].spec.coordinate == "R hinge.angle"
    )
    sol = kt.simulate(m, 0.2, rtol=1e-10)
    mirror = np.array([1.0, -1.0, 1.0])
    for body in ("arm", "wheel"):
        # 100 times rtol
        np.testing.assert_allclose(
            sol[f"R {body}.position"], mirror * sol[f"L {body}.position"], atol=1e-8
        )
        np.testing.assert_allclose(
            sol[f"R {body}.angular_velocity"],
            -mirror * sol[f"L {body}.angular_velocity"],
            atol=1e-6,
        )
    np.testing.assert_allclose(sol["R hinge.angle"], sol["L hinge.angle"], atol=1e-8)
    assert abs(sol["L hinge.angle"][-1] - sol["L hinge.angle"][0]) > 1e-3  # it moves
    np.testing.assert_allclose(sol["chassis.position"][:, 1], 0.0, atol=1e-12)


def test_slides_along_named_axes_keep_their_signs_in_the_mirror(files):
    """Two slides of a table do; of three, the last one and its start change sign."""
    table = """\
bodies:
  table: {type: sphere, mass: 2, radius: 0.1}
  hand: {type: sphere, mass: 1, radius: 0.1}
joints:
  XY: {type: PlanarTranslational, axis1: [1, 2, 0], axis2: [2, -1, 0], parent: {body: ground, at: [0, 0.4, 0]}, child: table,
       start: {x: 0.1, y: 0.2}, speed: {x: 1, y: 2}}
  XYZ: {type: SpatialTranslational, axis1: y, axis2: z, parent: table, child: hand, start: {x: 0.1, y: 0.2, z: 0.3},
        speed: {z: 1}}
"""
    both = "assemblies:\n  L: {file: table.yaml}\n  R: {file: table.yaml, mirror: y}\n"
    sol = kt.simulate(kt.load(files(table=table, both=both) / "both.yaml"), 0.2)
    for body in ("table", "hand"):
        np.testing.assert_allclose(
            sol[f"R {body}.position"], [1.0, -1.0, 1.0] * sol[f"L {body}.position"], atol=1e-8
        )
    for coordinate, sign in {"XY.x": 1, "XY.y": 1, "XYZ.x": 1, "XYZ.y": 1, "XYZ.z": -1}.items():
        np.testing.assert_allclose(sol[f"R {coordinate}"], sign * sol[f"L {coordinate}"], atol=1e-8)


def test_a_section_with_its_mass_centre_off_the_line_is_read(files):
    matrix = (
        "mass: ["
        + ", ".join(
            map(
                str,
                (
                    [2, 0, 0, 0, -0.04, -0.02],
                    [0, 2, 0, 0.04, 0, 0],
                    [0, 0, 2, 0.02, 0, 0],
                    [0, 0.04, 0.02, 0.002, 0, 0],
                    [-0.04, 0, 0, 0, 0.0018, 0.0004],
                    [-0.02, 0, 0, 0, 0.0004, 0.0012],
                ),
            )
        )
        + "]"
    )
    for mass in ("mass: 2 kg/m, inertia: [1e-3, 1e-3, 1e-3], centre: [10 mm, -0.02]", matrix):
        blade = (
            "bodies:\n  blade: {type: beam, line: [[0, 0, 0], [1, 0, 0]], elements: 2, section: "
            "{type: Section, "
            f"stiffness: [1e6, 3e5, 3e5, 40, 50, 50], {mass}}}}}\n"
        )
        section = kt.load(files(one=blade) / "one.yaml").bodies["blade"].section
        np.testing.assert_allclose(section.centre, (0.01, -0.02), rtol=1e-12)
        np.testing.assert_allclose(section.inertia, 1e-3 * np.eye(3), atol=1e-16)


def test_prescribed_poses_are_mirrored(files):
    """Positions like points, rotations as S R S, rotation axes like angular velocities."""
    part = """\
bodies:
  b: {type: box, mass: 2, sides: [0.1, 0.2, 0.3]}
  c: {type: box, mass: 2, sides: [0.1, 0.2, 0.3]}
joints:
  F: {type: Free, parent: ground, child: b}
  G: {type: Free, parent: ground, child: c}
constraints:
  path: {type: PoseDriver, joint: F, times: [0, 1, 2], positions: [[0, 0.5, 0], [0.1, 0.6, 0.2], [0, 0.5, 1 m]],
         rotations: [[1, 0, 0, 0], [zyx, [0.1, 0.2, 30 deg]], [x, 0.4]]}
  turn: {type: PoseDriver, axis: [1, 1, 0], angle: {type: Ramp, slope: 1}, position: [0.1, 0.2, 0.3], markers: [ground, c]}
"""
    both = "assemblies:\n  L: {file: part.yaml}\n  R: {file: part.yaml, mirror: y}\n"
    sol, mirror = (
        kt.simulate(kt.load(files(part=part, both=both) / "both.yaml"), 1.5),
        np.array([1.0, -1.0, 1.0]),
    )
    for body in ("b", "c"):
        np.testing.assert_allclose(
            sol[f"R {body}.position"], mirror * sol[f"L {body}.position"], atol=1e-12
        )
        np.testing.assert_allclose(
            sol[f"R {body}.angular_velocity"],
            -mirror * sol[f"L {body}.angular_velocity"],
            atol=1e-12,
        )
        assert np.abs(sol[f"L {body}.angular_velocity"]).max() > 0.5


def test_an_assembly_moves_the_same_at_any_place(files):
    """Rotated about z and shifted: the same motion in rotated axes; gravity is along z."""
    turned = "assemblies:\n  a: {file: corner.yaml, position: [3, 4, 0], rotation: [z, 0.7]}\n"
    folder = files(
        corner=CORNER.replace(
            "  push: {type: PointForce, components: [1, 2, 3], markers: [wheel]}\n", ""
        ),
        m=turned,
    )
    here, there = (
        kt.simulate(kt.load(folder / "corner.yaml"), 0.2),
        kt.simulate(kt.load(folder / "m.yaml"), 0.2),
    )
    c, s = math.cos(0.7), math.sin(0.7)
    R = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    # 100 times rtol
    np.testing.assert_allclose(
        there["a wheel.position"], here["wheel.position"] @ R.T + [3, 4, 0], atol=1e-6
    )
    np.testing.assert_allclose(there["a hinge.angle"], here["hinge.angle"], atol=1e-6)


def test_assemblies_may_be_nested(files):
    pair = (
        "assemblies:\n  one: {file: corner.yaml}\n  two: {file: corner.yaml, mirror: y}\n"
        "forces:\n  bar: {type: AntiRollBar, stiffness: 10, markers: [one arm, ground, two arm, "
        "ground]}\n"
    )
    folder = files(
        corner=CORNER,
        pair=pair,
        m="assemblies:\n  front: {file: pair.yaml, mirror: y, position: [1, 0, 0]}\n",
    )
    m, plain = kt.load(folder / "m.yaml"), kt.load(folder / "corner.yaml")
    twice = m.bodies["front two arm"]
    np.testing.assert_allclose(twice.pose.p, plain.bodies["arm"].pose.p + [1, 0, 0])
    np.testing.assert_allclose(twice.properties.inertia, plain.bodies["arm"].properties.inertia)
    assert m.bodies["front one arm"].pose.p[1] == -0.4
    on = [marker.body.name for marker in m.forces["front bar"].markers]
    assert on == ["front one arm", "ground", "front two arm", "ground"]


def test_python_functions_are_run_only_where_that_is_allowed(files):
    folder = files(
        m="bodies: {b: {type: sphere, mass: 1, radius: 1}}\njoints: {A: {type: Free, parent: "
        "ground, child: b}}\n"
        "forces:\n  push: {type: PointForce, components: ['laws:rise', 0, 0], markers: [b]}\n"
    )
    (folder / "laws.py").write_text(
        "from pathlib import Path\nPath(__file__).with_name('ran').touch()\n"
        "def rise(t):\n    return 2 * t\n"
    )
    with pytest.raises(kt.ModelError, match=r"m.yaml:4: forces.push: .*allow_python=True"):
        kt.load(folder / "m.yaml")
    assert not (folder / "ran").exists()
    m = kt.load(folder / "m.yaml", allow_python=True)
    assert m.forces["push"].spec.components[0](3.0) == 6.0
    m.save(folder / "again.yaml")
    assert "laws:rise" in (folder / "again.yaml").read_text()
    (folder / "elsewhere").mkdir()
    with pytest.raises(kt.ModelError, match="force 'push'"):
        m.save(folder / "elsewhere" / "again.yaml")


def test_the_schema_accepts_what_the_loader_accepts(files, tmp_path):
    jsonschema = pytest.importorskip("jsonschema")
    from description.files.machines import MACHINES
    from kinetree.description.files.describe import described
    from kinetree.description.files.schema import json_schema

    validator = jsonschema.Draft202012Validator(json_schema())
    for name in ("four-bar", "car", "excavator", "ralf", "elements", "joints", "flexible four-bar"):
        plain = json.loads(json.dumps(described(MACHINES[name](), tmp_path)))
        assert [error.message for error in validator.iter_errors(plain)] == []
    wrong = {"bodies": {"b": {"type": "rod", "mass": 1, "lenght": 1}}}
    assert list(validator.iter_errors(wrong))

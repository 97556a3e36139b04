"""Units in files are checked against the option, and every option with a dimension declares it."""

import typing
from collections.abc import Callable

import pytest

import kinetree as kt
from kinetree.description.arm import Arm
from kinetree.description.files.declared import families, kind_of, options_of, units_of
from kinetree.description.files.dimensions import Dimension
from kinetree.description.files.fields import MEASURED
from kinetree.description.files.units import dimension, quantity

MACHINE = """\
kinetree: 1
gravity: [0, 0, {gravity}]
bodies:
  b: {{type: rod, mass: {mass}, length: {length}, position: [{length}, 0, 0], velocity: [{speed}, 0, 0], rotation: [y, {angle}]}}
joints:
  A: {{type: Cylindrical, axis: y, parent: {{body: ground, at: [{length}, 0, 0]}}, child: b.-, start: {{angle: {angle},
      displacement: {length}}}, speed: {{angle: {spin}}}}}
constraints:
  drive: {{type: Driver, coordinate: A.angle, motion: {angle}}}
forces:
  spring: {{type: SpringDamper, stiffness: {stiffness}, damping: {damping}, force: {force}, markers: [ground, b]}}
  coil: {{type: TorsionSpring, coordinate: A.angle, stiffness: {torsion},
         torque: {{type: Sine, amplitude: 2, frequency: {frequency}}}}}
  push: {{type: PointForce, components: [{force}, 0, 0], markers: [b]}}
"""
GOOD = {
    "gravity": "-9810 mm/s^2",
    "mass": "750 g",
    "length": "50 cm",
    "speed": "80 km/h",
    "angle": "30 deg",
    "spin": "1500 rpm",
    "stiffness": "20 N/mm",
    "damping": "3 kN s/m",
    "force": "2 kN",
    "torsion": "5 N m/rad",
    "frequency": "2 Hz",
}
WRONG = {
    "gravity": "9.81 m/s",
    "mass": "3 mm",
    "length": "10 kg",
    "speed": "3 rad/s",
    "angle": "2 m",
    "spin": "80 km/h",
    "stiffness": "10 N m",
    "damping": "3 N/m",
    "force": "2 kg",
    "torsion": "5 kg",
    "frequency": "10 rad/s",
}


def load(tmp_path, **said) -> kt.Model:
    (tmp_path / "m.yaml").write_text(MACHINE.format(**{**GOOD, **said}))
    return kt.load(tmp_path / "m.yaml")


def test_units_that_fit_are_converted(tmp_path):
    m = load(tmp_path)
    assert m.gravity[2] == pytest.approx(-9.81) and m.bodies["b"].properties.mass == pytest.approx(
        0.75
    )
    assert m.joints["A"].speed["angle"] == pytest.approx(1500 * 2 * 3.141592653589793 / 60)
    assert m.forces["spring"].spec.stiffness == pytest.approx(2e4) and m.bodies["b"].velocity[
        0
    ] == pytest.approx(80 / 3.6)


@pytest.mark.parametrize("what", WRONG)
def test_units_of_another_dimension_are_refused_with_file_line_path_value_and_what_is_expected(
    what, tmp_path
):
    with pytest.raises(kt.ModelError) as refused:
        load(tmp_path, **{what: WRONG[what]})
    words = str(refused.value)
    assert words.startswith("m.yaml:") and repr(WRONG[what]) in words and "is expected" in words


@pytest.mark.parametrize(
    "text, units, fits",
    [
        ("1 N m", ("N m/rad",), True),
        ("1 N m/deg", ("N m/rad",), True),
        ("1 N m/rad", ("N m",), False),
        ("1 Hz", ("rad/s",), False),
        ("10 rad/s", ("Hz",), False),
        ("5 J", ("N m",), True),
        ("3 bar", ("Pa",), True),
        ("3 l/min", ("m^3/s",), True),
        ("0.2 1/m", ("1/m",), True),
        ("0.2 m^-1", ("1/m",), True),
        ("0.2 1/s", ("1/m",), False),
        ("30 deg", ("m",), False),
        ("50 %", ("rad",), True),
        ("2 m", ("rad", "m"), True),
        ("2 kg", ("rad", "m"), False),
    ],
)
def test_radians_may_be_missing_in_a_unit_but_not_added(text, units, fits):
    if fits:
        quantity(text, units)
    else:
        with pytest.raises(kt.ModelError, match="is expected"):
            quantity(text, units)


DRIVEN = """\
bodies:
  b: {{type: box, mass: 2, sides: [1, 1, 1]}}
joints:
  A: {{type: Translational, axis: x, parent: ground, child: b}}
constraints: {{{constraints}}}
forces: {{{forces}}}
"""
DRIVE = "c: {{type: Driver, coordinate: A.displacement, motion: {{{0}}}}}"
PUSH = "f: {{type: PointForce, components: [{{{0}}}, 0, 0], markers: [b]}}"
SPRING = "f: {{type: SpringDamper, damping: {{{0}}}, stiffness: 1, markers: [ground, b]}}"
ROAD = "f: {{type: Wheel, radius: 1, stiffness: 1e5, road: {{type: Road, profile: {{{0}}}}}, markers: [b]}}"
FUNCTIONS = {
    "driver": (
        DRIVE,
        (
            "type: Sine, amplitude: 20 mm, frequency: 2 Hz, offset: 1 cm",
            "type: Ramp, slope: 36 km/h, start: 3 mm, end: 2 s",
            "type: Table, times: [0 s, 1 min], values: [0 mm, 3 mm]",
            "type: CosineBump, height: 2 cm, rise: 30 ms",
            "type: Exponential, value: 1 mm, rate: -1 Hz",
            "type: SmoothStep, height: 1 mm, rise: 2 s",
        ),
        (
            "type: Sine, amplitude: 20 s, frequency: 2 Hz",
            "type: Sine, amplitude: 2 mm, frequency: 2 Hz, offset: 1 kg",
            "type: Sine, amplitude: 20 mm, frequency: 2 1/m",
            "type: Ramp, slope: 3 m",
            "type: Ramp, slope: 3 m/m",
            "type: Table, times: [0 s, 1 m], values: [0, 3]",
            "type: Table, times: [0, 1], values: [0 mm, 3 N]",
            "type: CosineBump, height: 2 kg, rise: 30 ms",
            "type: CosineBump, height: 2 cm, rise: 30 ms, begin: 2 m",
            "type: Exponential, value: 1 N, rate: -1 Hz",
            "type: SmoothStep, height: 1 s, rise: 2 s",
            "type: SmoothSine, amplitude: 1 s, period: 2 s",
            "type: Constant, value: 2 s",
        ),
    ),
    "force": (
        PUSH,
        ("type: Sine, amplitude: 2 kN, frequency: 2 Hz", "type: Ramp, slope: 3 kN/min"),
        (
            "type: Sine, amplitude: 2 m, frequency: 2 Hz",
            "type: Ramp, slope: 3 N",
            "type: Constant, value: 2 N m",
        ),
    ),
    "damper": (
        SPRING,
        ("type: SmoothStep, height: 3 kN s/m, rise: 1 s",),
        ("type: SmoothStep, height: 3 N, rise: 1 s",),
    ),
    "road": (
        ROAD,
        (
            "type: Sine, amplitude: 2 cm, frequency: 0.2 1/m",
            "type: Table, times: [0 m, 1 m, 3 m], values: [0 m, 1 cm, 2 cm]",
        ),
        (
            "type: Sine, amplitude: 2 cm, frequency: 1 Hz",
            "type: Ramp, slope: 3 m/s",
            "type: CosineBump, height: 1 s, rise: 1 m",
            "type: CosineBump, height: 1 m, rise: 1 s",
        ),
    ),
}


@pytest.mark.parametrize(
    "driven, text, fits",
    [
        (driven, text, fits)
        for driven, (_, good, bad) in FUNCTIONS.items()
        for texts, fits in ((good, True), (bad, False))
        for text in texts
    ],
)
def test_numbers_of_time_functions_have_the_unit_of_what_they_drive(driven, text, fits, tmp_path):
    element = FUNCTIONS[driven][0].format(text)
    where = (
        {"constraints": element, "forces": ""}
        if driven == "driver"
        else {"constraints": "", "forces": element}
    )
    (tmp_path / "m.yaml").write_text(DRIVEN.format(**where))
    if fits:
        kt.load(tmp_path / "m.yaml")
        return
    with pytest.raises(kt.ModelError, match=r"m.yaml:\d+: .*is expected"):
        kt.load(tmp_path / "m.yaml")


def test_base_units():
    assert dimension("N") == Dimension((1, 1, -2, 0)) and dimension("rpm") == Dimension(
        (0, 0, -1, 0), 1
    )
    assert dimension("N m/N/m") == Dimension((0, 0, 0, 0))


# Numbers without a dimension, or with one that depends on what they are used for:
# linear or square
FREE = {
    ("Coupling", "ratio"),
    ("Coupling", "terms"),
    ("Gear", "teeth"),
    ("PlanetaryGear", "teeth"),
    ("Polynomial", "coefficients"),
    ("MagicFormula", "coefficients"),
    ("UserForce", "parameters"),
    ("UserConstraint", "parameters"),
    ("GearMesh", "teeth"),
    ("Tyre", "parameters"),
    ("Controller", "states"),
    ("Controller", "parameters"),
    ("Controller", "scales"),
    ("HydropneumaticUnit", "damping"),
}
# directions, stiffness matrices; initial coordinates know theirs by label
MIXED = {
    "matrix",
    "start",
    "axis",
    "turn axis",
}
PURE = {"up"}  # a direction


def bare(hint) -> bool:
    """Whether an annotation accepts numbers without a unit."""
    if typing.get_origin(hint) is typing.Annotated:
        kind = kind_of(hint)
        return kind in (
            "vector",
            "axial",
            "inertia",
            "motion",
            "profile",
            "input",
        ) and not units_of(hint)
    if hint is float:
        return True
    if typing.get_origin(hint) is Callable:
        return False
    return any(map(bare, typing.get_args(hint)))


def test_every_number_of_every_catalogue_has_units_or_is_known_to_have_none():
    found = set()
    for members in families().values():
        for name, one in members.items():
            found |= {
                (name, o.name)
                for o in {**one.options, **one.beside}.values()
                if bare(o.hint) and o.name not in PURE
            }
    for method in (Arm.link, Arm.payload):
        found |= {(method.__name__, o.name) for o in options_of(method).values() if bare(o.hint)}
    assert found == FREE
    assert set(MEASURED) & MIXED == set()

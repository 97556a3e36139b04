"""Parameters keep their dimension where they are used: in expressions, includes, assemblies, and
given from outside.
"""

import math

import pytest

import kinetree as kt
from kinetree.apps.cli.models import machine
from kinetree.description.files.dimensions import Measured
from kinetree.description.files.expressions import evaluate
from kinetree.description.files.units import in_words, measured

HEAD = """\
parameters: {T: 5 Nm, F: 20 N, r: 250 mm, m: 2 kg, a: 30 deg, w: 60 rpm, f: 2 Hz, v: 3 m/s, k: 4 N/mm, g: 9.81 m/s^2, t: 2 s,
             plain: 7, list: [1 m, 2 kg], share: 50 %%, J: 3 kg m^2}
bodies:
  b: {type: sphere, mass: 1, radius: 1}
joints:
  A: {type: Revolute, parent: ground, child: b%s}
forces:
  push: {type: PointForce, components: ["%s", 0, 0], markers: [b]}
"""


def force(tmp_path, text, joint=""):
    (tmp_path / "m.yaml").write_text(HEAD % (joint, text))
    return kt.load(tmp_path / "m.yaml").forces["push"].spec.components[0]


GOOD = {
    "${F}": 20.0,
    "${2 * F}": 40.0,
    "${T / r}": 20.0,
    "${m * g}": 19.62,
    "${k * r}": 1000.0,
    "${m * v**2 / r}": 72.0,
    "${plain}": 7.0,
    "${plain * F}": 140.0,
    "${F + 3}": 23.0,
    "${F * sin(a)}": 10.0,
    "${plain * m}": 14.0,
    "${max(F, 30)}": 30.0,
    "${2 * 3}": 6.0,
    "${F if r > 0.1 else T}": 20.0,
    "${F * share}": 10.0,
    "${-F}": -20.0,
    "${F} N": 20.0,
    "${plain} kN": 7000.0,
    "${3 * sin(a)}": 1.5,
    "${sqrt(F * k * r)}": math.sqrt(20000.0),
    "${abs(F)}": 20.0,
    "${m * list[0] / t**2}": 0.5,
    "${T * w / v}": 5 * 2 * math.pi / 3,
    "${hypot(F, F)}": 20 * math.sqrt(2),
    "${J * w**2 / r}": 12 * (2 * math.pi) ** 2,
    "${F % 3}": 2.0,
}
BAD = {
    "${T}": "a torque (N m)",
    "${2 * T}": "a torque (N m)",
    "${T + 1}": "a torque (N m)",
    "${T / 2}": "a torque (N m)",
    "${m}": "a mass",
    "${m * v}": "something in m kg s^-1",
    "${T * r}": "is expected",
    "${F / F}": "a number without a unit",
    "${a}": "an angle",
    "${w}": "an angular velocity",
    "${list[1]}": "a mass",
    "${sqrt(F)}": "is expected",
    "${F * F}": "is expected",
    "${-T}": "a torque",
    "${max(T, 3)}": "a torque",
    "${atan2(1, 2)}": "an angle",
    "${r} N": "leave out 'N'",
    "${F} kN": "leave out 'kN'",
    "${share}": "without",
    "${F + T}": "the sum of a force (N) and a torque (N m) does not make sense",
    "${F if r > T else F}": "comparing a length",
    "${sin(F)}": "sin takes an angle",
    "${exp(r)}": "exp takes a number without a unit",
    "${F ** r}": "an exponent takes",
    "${radians(a)}": "radians already",
    "${F - m}": "the difference of",
    "${min(F, r)}": "min of",
    "${asin(F)}": "asin takes",
}


@pytest.mark.parametrize("text", GOOD)
def test_every_unit_with_the_dimension_of_a_force_is_accepted_as_a_force(text, tmp_path):
    assert force(tmp_path, text) == pytest.approx(GOOD[text], rel=1e-12)  # a few products


@pytest.mark.parametrize("text", BAD)
def test_other_dimensions_are_refused_with_file_line_and_both_dimensions(text, tmp_path):
    with pytest.raises(kt.ModelError) as refused:
        force(tmp_path, text)
    said = str(refused.value)
    assert said.startswith("m.yaml:8: forces.push.components[0]") and BAD[text] in said
    assert (
        "a force (N) is expected" in said
        or "does not make sense" in said
        or "takes" in said
        or "leave out" in said
    )


@pytest.mark.parametrize(
    "text, value",
    [
        ("${a}", math.pi / 6),
        ("${2 * a}", math.pi / 3),
        ("${w * t}", 4 * math.pi),
        ("${r / 0.5}", None),
        ("${r / r}", 1.0),
        ("${atan2(r, r)}", math.pi / 4),
        ("${T / F / r}", 1.0),
        ("${radians(30)}", math.pi / 6),
        ("${w}", None),
        ("${r}", None),
        ("${share}", 0.5),
    ],
)
def test_angles_are_free_in_quotients_only(text, value, tmp_path):
    def load():
        force(tmp_path, "1", f', start: {{angle: "{text}"}}')
        return kt.load(tmp_path / "m.yaml").joints["A"].start["angle"]

    if value is None:
        with pytest.raises(
            kt.ModelError,
            match=r"m.yaml:6: joints.A.start: angle: .* where an angle \(rad\) is expected",
        ):
            load()
    else:
        assert load() == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize(
    "text, value",
    [
        ("${w}", 2 * math.pi),
        ("${2 * pi * f}", 4 * math.pi),
        ("${v / r}", 12.0),
        ("${f}", None),
        ("${t}", None),
    ],
)
def test_turns_per_second_are_no_radians_per_second_unless_computed(text, value, tmp_path):
    def load():
        force(tmp_path, "1", f', speed: {{angle: "{text}"}}')
        return kt.load(tmp_path / "m.yaml").joints["A"].speed["angle"]

    if value is None:
        with pytest.raises(kt.ModelError, match="an angular velocity"):
            load()
    else:
        assert load() == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize(
    "source, words",
    [
        ("J * w**2 / 2", "a torque (N m)"),
        ("T * w", "something in m^2 kg s^-3"),
        ("k / m", "something in s^-2"),
        ("sqrt(k / m)", "a frequency (Hz)"),
        ("r**2 * pi", "an area (m^2)"),
        ("(r**2)**0.5", "a length (m)"),
        ("r**3", "a volume (m^3)"),
        ("T / a", "a torque (N m)"),
    ],
)
def test_dimensions_of_products_follow_the_algebra_of_si(source, words):
    texts = {
        "J": "3 kg m^2",
        "w": "2 rad/s",
        "T": "5 Nm",
        "k": "4 N/m",
        "m": "2 kg",
        "r": "1 m",
        "a": "1 rad",
    }
    found = evaluate(source, {name: measured(text) for name, text in texts.items()})
    assert isinstance(found, Measured) and in_words(found.dimension) == words


def test_parameters_from_outside_have_units_too(tmp_path):
    force(tmp_path, "${F}")
    path = tmp_path / "m.yaml"
    pushes = [
        kt.load(path, {"F": given}).forces["push"].spec.components[0]
        for given in (3, "3 N", "0.003 kN", 3.0)
    ]
    assert pushes == pytest.approx([3.0] * 4)
    for wrong in ("3 Nm", "3 parsnips", 10**400, math.inf):
        with pytest.raises(kt.ModelError):
            kt.load(path, {"F": wrong})
    assert (
        machine(str(path), parameters=["F=3 kN"]).build().forces["push"].spec.components[0]
        == 3000.0
    )
    with pytest.raises(
        kt.ModelError, match=r"m.yaml:1: parameters.F: .*a torque .*a force \(N\) is expected"
    ):
        machine(str(path), parameters=["F=3 Nm"]).build()


def test_a_number_from_outside_has_the_dimension_that_the_file_gives_it(tmp_path):
    force(tmp_path, "${T / r}")
    assert kt.load(tmp_path / "m.yaml", {"T": 10.0}).forces["push"].spec.components[
        0
    ] == pytest.approx(40.0)
    (tmp_path / "m.yaml").write_text(HEAD % ("", "${T}"))
    with pytest.raises(kt.ModelError, match="a torque"):
        kt.load(tmp_path / "m.yaml", {"T": 10.0})


PART = """\
parameters: {F: 1 N}
bodies:
  b: {type: sphere, mass: 1, radius: 1}
joints:
  A: {type: Free, parent: ground, child: b}
forces:
  push: {type: PointForce, components: ["${2 * F}", 0, 0], markers: [b]}
"""


def test_dimensions_reach_into_assemblies_and_includes(tmp_path):
    (tmp_path / "part.yaml").write_text(PART)
    whole = tmp_path / "whole.yaml"
    for given, value in (("3 kN", 6000.0), ("'${2 * T / r}'", 40.0), ("3", 6.0)):
        whole.write_text(
            "parameters: {T: 5 Nm, r: 0.5 m}\nassemblies:\n"
            f"  a: {{file: part.yaml, parameters: {{F: {given}}}}}\n"
        )
        assert kt.load(whole).forces["a push"].spec.components[0] == pytest.approx(value)
    whole.write_text(
        "parameters: {T: 5 Nm}\nassemblies:\n  a: {file: part.yaml, parameters: {F: '${T}'}}\n"
    )
    with pytest.raises(
        kt.ModelError, match=r"part.yaml:1: parameters.F: .*a force \(N\) is expected"
    ):
        kt.load(whole)
    whole.write_text("include: [part.yaml]\nparameters: {F: 5 Nm}\n")
    with pytest.raises(kt.ModelError, match=r"part.yaml:1: parameters.F: "):
        kt.load(whole)

"""Odd arguments end in a sentence, never in an exception from inside, and no number is made of what
is none.

`python -m tests.errors.test_odd_arguments 20000` makes that many of the calls and prints what they
end in.
"""

from __future__ import annotations

import os
import random
import sys
from collections import Counter
from collections.abc import Iterator

import pytest

import kinetree as kt
import kinetree.api

from .odd.calls import ELEMENTS, Call, arguments, calls, folder, made
from .odd.judge import judged
from .odd.values import NONSENSE, ODD

SLOW = (
    "kt.compare",
    "kt.calibrate",
    "kt.buckling",
    "kt.vibrations",
    "kt.playground",
    "Model.draw",
    "Solution.p",
)  # seconds per call
NUMBERS = {  # arguments that are one number, or several in a row
    "kt.rod": ("mass", "length", "axial"),
    "kt.box": ("mass", "sides"),
    "kt.mass": ("mass", "inertia", "com"),
    "kt.Ramp": ("slope", "start", "begin", "end"),
    "kt.Sine": ("amplitude", "frequency", "begin", "end"),
    "kt.Table": ("times", "values"),
    "kt.SpringDamper": ("stiffness", "length"),
    "kt.Drag": ("coefficient", "wind"),
    "kt.Cable": ("stiffness", "damping"),
    "kt.Tyre": ("radius", "stiffness", "relaxation"),
    "kt.Wheel": ("radius", "crown"),
    "kt.HydraulicCylinder": ("bore", "dead_volume", "pressure"),
    "kt.JointFriction": ("coulomb", "static"),
    "kt.Coupling": ("ratio", "offset"),
    "kt.Screw": ("pitch",),
    "kt.Section": ("stiffness", "mass", "width"),
    "Section.circle": ("radius", "E", "density", "poisson", "G", "shear"),
    "kt.Model": ("gravity",),
    "Body.at": ("x", "y", "z"),
    "Arm.link": ("length", "density", "EI", "com", "start"),
    "kt.Event": ("level", "direction"),
    "Solution.at": ("times",),
    "kt.simulate": (
        "until",
        "t0",
        "output_interval",
        "rtol",
        "atol",
        "max_step",
        "breakpoints",
        "slack",
    ),
    "kt.equilibrium": ("t",),
    "kt.deflect": ("t",),
    "kt.solve_ode": ("y0", "until", "start"),
}

SEEN = [  # calls that ended in an exception from inside, one of each family
    ("kt.SpringDamper", "force", "fails at repr"),
    ("kt.Driver", "motion", "fails at repr"),
    ("kt.Function", "longest_step", "fails at repr"),
    ("kt.UserForce", "gap", "failing repr"),
    ("kt.Controller", "gap", "fails at repr"),
    ("kt.Valve", "spool", "fails at repr"),
    ("kt.simulate", "events", "fails at iter"),
    ("kt.simulate", "events", "0-d"),
    ("kt.simulate", "max_steps", "10**5000"),
    ("kt.simulate", "breakpoints", "3x3"),
    ("kt.simulate", "output_interval", "float128"),
    ("kt.Bending", "count", "10**5000"),
    ("kt.Event", "direction", "fails at eq"),
    ("Section.tube", "poisson", "-1"),
    ("Section.of", "J", "denormal"),
    ("kt.mass", "mass", "denormal"),
    ("kt.Screw", "pitch", "denormal"),
    ("kt.HydropneumaticUnit", "bore", "denormal"),
    ("Solution.plot", "ax", "failing array"),
    ("kinetree.elements.roads.random_road", "begin", "1e149"),
    ("kinetree.elements.roads.random_road", "fade", "denormal"),
    ("kt.Driver", "motion", "function"),
    ("kt.open_solution", "path", "long text"),
    ("kt.load_robot", "base", "3x3x3"),
    ("kt.RigidContact", "impact", "array of text"),
]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """Text such as "1" is a path, too: what is written there is not left among the sources."""
    monkeypatch.chdir(tmp_path)


def drawn(seed: int, count: int, slow: float) -> Iterator[tuple[Call, str, str]]:
    """So many of all calls with one odd argument, and of the slow ones that share."""
    chance = random.Random(seed)
    every = [(call, name, value) for call in calls() for name in arguments(call) for value in ODD]
    every = [one for one in every if not one[0].name.startswith(SLOW) or chance.random() < slow]
    chance.shuffle(every)
    yield from every[:count]


def test_calls_with_an_odd_argument_return_or_say_what_is_wrong():
    ends = {
        f"{call.name}({name}={value})": judged(made(call, name, ODD[value]()))
        for call, name, value in drawn(23, 200, 0.0)
    }
    assert {call: line for call, (verdict, line) in ends.items() if verdict == "raw"} == {}
    assert (
        Counter(verdict for verdict, _ in ends.values())["accepted"] > 0
    )  # the good arguments are good


@pytest.mark.parametrize("name, argument, value", SEEN)
def test_what_was_raw_once_is_refused_or_accepted(name, argument, value):
    tried = [call for call in calls() if call.name == name and argument in arguments(call)]
    ends = [judged(made(call, argument, ODD[value]())) for call in tried]
    assert ends and [line for verdict, line in ends if verdict == "raw"] == []


@pytest.mark.parametrize("name", NUMBERS)
def test_what_is_no_number_is_not_taken_as_one(name):
    taken = []
    for call in (call for call in calls() if call.name == name):
        for argument in set(NUMBERS[name]) & set(arguments(call)):
            taken += [
                (argument, value)
                for value in NONSENSE
                if judged(made(call, argument, NONSENSE[value]()))[0] != "refused"
            ]
    assert taken == []


def test_the_calls_cover_the_public_names():
    classes_of_errors = {
        name for name in kt.__all__ if name.endswith(("Error", "NotFound", "UnknownArgument"))
    }
    results = {result.__name__ for result in kinetree.api.RESULTS}
    made_by_others = {
        "BeamForce",
        "State",
        "fe",
        "gym",
        "look",
        "roads",
        "shapes",
        "tyres",
    }  # by model.beam and by runs; modules
    called = {call.name.removeprefix("kt.") for call in calls()} | set(ELEMENTS)
    assert set(kt.__all__) - classes_of_errors - results - made_by_others - called == set()


@pytest.mark.parametrize(
    "give", ["float32", "float16", "int8", "uint64", "Decimal", "Fraction", "0-d", "objects"]
)
def test_a_number_of_another_type_becomes_a_plain_one(give):
    value = ODD[give]()
    if give == "objects":
        assert kt.Table((0, 1, 2), value).values == tuple(float(x) for x in value)
        return
    for kept in (
        kt.Ramp(value).slope,
        kt.Sine(value, value).frequency,
        kt.SpringDamper(value).stiffness,
        kt.Tyre(value, value, kt.tyres.Linear(value, value)).law.cornering,
        kt.Event("A.angle", level=value).level,
    ):
        assert type(kept) in (int, float) and kept == float(value)


def test_a_giant_is_shown_by_its_type():
    with pytest.raises(kt.ModelError, match=r"^rod: mass is too large to compute with, got <int>"):
        kt.rod(10**5000, 1.0)  # repr of it raises: Python prints at most 4300 digits


@pytest.mark.parametrize(
    "axis, says",
    [
        (2, "must be one of 'x', 'y', 'z'.*three numbers.*got 2"),
        ("Y", "'Y' is not one of.*Did you mean 'y'"),
        ("-Z", "Did you mean '-z'"),
        ("yy", "'yy' is not one of"),
        ((0, 0, 0), "has no direction"),
        ((1, 0), "three numbers"),
        (True, "three numbers"),
        (b"x", "three numbers"),
    ],
)
def test_an_axis_that_is_none_is_refused_with_what_it_may_be(axis, says):
    model = kt.Model("m")
    with pytest.raises(kt.ModelError, match=f"joint 'J'.*axis.*{says}"):
        model.joint("J", kt.Revolute(axis=axis), model.ground, model.body("b", kt.rod(1.0, 1.0)))


@pytest.mark.parametrize(
    "name, words",
    {
        "UserForce": "t, a, b, parameters, force, torque, position, rotation, velocity, "
        "angular_velocity, N m, world axes",
        "Controller": "t, u, x, parameters, xdot, out, A.angle.rate, per second",
        "Function": "f(t), s",
        "Event": "f(t, s), h(t, s)",
    }.items(),
)
def test_help_of_classes_with_user_code_has_the_arguments_and_an_example(name, words):
    text = " ".join(getattr(kt, name).__doc__.split())
    assert "Example" in text and "see the module" not in text
    assert [word for word in words.split(", ") if word not in text] == []


if __name__ == "__main__":
    os.chdir(folder())  # text such as "1" is a path, too
    counts: Counter = Counter()
    for one, name, value in drawn(
        int(sys.argv[2]) if len(sys.argv) > 2 else 23, int(sys.argv[1]), 0.1
    ):
        verdict, line = judged(made(one, name, ODD[value]()))
        counts[verdict] += 1
        if verdict == "raw":
            print(f"{one.name}({name}={value}): {line}")
    print(dict(counts))

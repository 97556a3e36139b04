"""Parameters of exported models: the run of the model with these parameters."""

import ctypes
import shutil

import numpy as np
import pytest

import kinetree as kt
from kinetree.exchange.image.build import exported
from kinetree.exchange.image.image import Image

from .test_c_library import compiled

RANGES = {"mass": (1.0, 4.0), "stiffness": (10.0, 100.0), "length": (0.3, 0.8)}


def swing(mass=2.0, stiffness=50.0, length=0.5):
    m = kt.Model("swing")
    rod = m.body("rod", kt.rod(mass=mass, length=length, along="x"))
    m.joint("A", kt.Revolute("y"), m.ground, rod.end("-"), start={"angle": 0.3})
    m.force("spring", kt.TorsionSpring("A.angle", stiffness=stiffness, damping=0.1))
    return m


@pytest.fixture(scope="module")
def image():
    return exported(swing, 1.0, ["A.angle", "rod.end+.position"], RANGES, {}, "test")


def patched(image: Image, values) -> np.ndarray:
    """The arena with the polynomials evaluated, as `set_parameter` of core.c does."""
    rows = image.header["parameters"]
    u = [
        (value - 0.5 * (one["low"] + one["high"])) / (0.5 * (one["high"] - one["low"]))
        for value, one in zip(values, rows)
    ]
    whole = np.zeros(image.header["size"], np.uint8)
    whole[: len(image.content)] = image.content
    numbers = whole.view(np.float64)
    for place, _, terms in image.header["patches"]:
        numbers[place // 8] = sum(c * np.prod([u[k] for k in powers]) for c, powers in terms)
    return whole.view(np.float64)


def test_the_numbers_are_those_of_the_model_with_other_parameters(image):
    values = (1.3, 77.0, 0.65)
    other = exported(
        lambda: swing(*values), 1.0, ["A.angle", "rod.end+.position"], None, {}, "test"
    )
    expected = np.zeros(other.header["size"], np.uint8)
    expected[: len(other.content)] = other.content
    found, expected = patched(image, values), expected.view(np.float64)
    differ = np.flatnonzero(found.view(np.int64) != expected.view(np.int64))
    # products in another order; scales of error tests keep their values
    scale = {"session.y": 0, "tables.settings": 1, "seen.settings": 1, "run.vectors": 1}
    scale |= dict.fromkeys(("tables.floor", "seen.floor", "tables.links", "seen.links"), 1)
    places = sorted((place, name) for name, place in image.header["places"].items())
    for k in differ:
        name = [name for place, name in places if place <= 8 * k][-1]
        near = found[k] == pytest.approx(expected[k], rel=1e-12, abs=1e-300)
        assert near or scale.get(name), name


def test_parameters_start_at_the_defaults(image):
    assert [one["start"] for one in image.header["parameters"]] == [2.0, 50.0, 0.5]


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_an_exported_model_moves_as_the_model_with_these_parameters(tmp_path):
    kt.export_c(swing, tmp_path, parameters=RANGES, outputs=["A.angle"], rtol=1e-8)
    lib = compiled(tmp_path, "swing")
    lib.swing_set_parameter.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_double]
    m = lib.new()
    for k, value in enumerate((1.3, 77.0, 0.65)):
        assert lib.swing_set_parameter(m, k, value) == 0
    assert lib.advance(m, 1.0) == 0
    sol = kt.simulate(swing(1.3, 77.0, 0.65), 1.0, rtol=1e-8)
    assert lib.state(m)[0] == pytest.approx(sol["A.angle"][-1], abs=1e-6)  # 100 tolerances
    assert b"outside of the range" in lib.message(lib.swing_set_parameter(m, 0, 9.0))
    lib.free(m)


def loop(crank=0.5):
    m = kt.Model("loop", gravity=(0, 0, -9.81))
    a = m.body("a", kt.rod(mass=0.5, length=crank, along="x"))
    b = m.body("b", kt.rod(mass=1.0, length=1.2, along="x"))
    c = m.body("c", kt.rod(mass=0.75, length=0.75, along="x"))
    m.joint("A", kt.Revolute("y"), m.ground.at(0, 0, 0), a.end("-"), start={"angle": 0.2})
    m.joint("B", kt.Revolute("y"), a.end("+"), b.end("-"))
    m.joint("C", kt.Revolute("y"), b.end("+"), c.end("+"))
    m.joint("D", kt.Revolute("y"), m.ground.at(1.1, 0, 0), c.end("-"))
    return m


@pytest.mark.parametrize(
    "make, parameters, words",
    [
        (loop, {"crank": (0.4, 0.6)}, "the initial state of the model cannot be written"),
        (lambda n=1.5: chain(round(n)), {"n": (1.0, 3.0)}, "changes the structure of the model"),
        (swing, {"mass": 2.0}, r"must be the range of values"),
        (swing, {"mass": (3.0, 4.0)}, r"is outside of its range"),
        (swing(), {"mass": (1.0, 4.0)}, r"needs a function that returns the model"),
    ],
)
def test_parameters_that_cannot_be_exported_are_refused(make, parameters, words):
    with pytest.raises(kt.ModelError, match=words):
        exported(make, 1.0, [], parameters, {}, "export_c")


def chain(n):
    m = kt.Model("chain")
    last = m.ground
    for k in range(n):
        rod = m.body(f"rod{k}", kt.rod(mass=1.0, length=0.5, along="x"))
        m.joint(f"J{k}", kt.Revolute("y"), last if k == 0 else last.end("+"), rod.end("-"))
        last = rod
    return m

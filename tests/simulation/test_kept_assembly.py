"""An unchanged model is assembled once; every change of it, however it is made, counts."""

import copy
import gc
import pickle
import weakref
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_array_equal

import kinetree as kt
from kinetree.assembly import kept
from kinetree.models.catalogue import model_entry

pytestmark = pytest.mark.filterwarnings("ignore::kinetree.kernel.usercode.registry.SlowCallback")
HELD = 0.2


def arm():
    """Two rods with a spring, of which the second is led by a time function."""
    m = kt.Model("arm")
    upper = m.body("upper", kt.rod(mass=1.0, length=0.5, along="x"), velocity=(0, 0, 0.1))
    lower = m.body("lower", kt.rod(mass=0.5, length=0.4, along="x"), points={"tip": (0.2, 0, 0)})
    m.joint("A", kt.Revolute("y"), m.ground.at(0, 0, 1), upper.end("-"), start={"angle": 0.3})
    m.joint("B", kt.Revolute("y"), upper.end("+"), lower.end("-"), speed={"angle": 1.0})
    m.force("spring", kt.SpringDamper(stiffness=30.0, length=0.3), m.ground.at(1, 0, 0), lower)
    m.force("wind", kt.PointForce((0.1, 0.0, 0.0)), upper)
    m.force("motor", kt.Torque((0.0, kt.Table([0.0, 1.0], [0.0, 0.5]), 0.0)), upper)
    return m


def hang_a_ball(m):
    ball = m.body("ball", kt.sphere(mass=0.3, radius=0.05))
    m.joint("C", kt.Revolute("y"), m.bodies["lower"].end("+"), ball)


def shift_the_joint(m):
    m.joints["B"].M.X_Bm.p[0] += 0.05


def turn_the_start(m):
    m.joints["A"].start["angle"] = 0.5


def replace_the_joint(m):
    m.joints["B"] = replace(m.joints["B"], speed={"angle": -2.0})


def replace_the_body(m):
    heavier = replace(m.bodies["upper"].properties, mass=3.0)
    object.__setattr__(m.bodies["upper"], "properties", heavier)


def stiffen_the_spring(m):
    object.__setattr__(m.forces["spring"].spec, "stiffness", 90.0)


def steepen_the_table(m):
    spec = kt.Torque((0.0, kt.Table([0.0, 1.0], [0.0, 5.0]), 0.0))
    m.forces["motor"] = replace(m.forces["motor"], spec=spec)


CHANGES = {
    "a body and a joint are added": hang_a_ball,
    "a force is added": lambda m: m.force("push", kt.PointForce((0, 0, 2.0)), m.bodies["lower"]),
    "a force is removed": lambda m: m.forces.pop("spring"),
    "a constraint is added": lambda m: m.constraint("hold", kt.Driver("B.angle", HELD)),
    "gravity is replaced": lambda m: setattr(m, "gravity", np.array([0.0, 0.0, -1.62])),
    "gravity is written in place": lambda m: m.gravity.__setitem__(2, -1.62),
    "a start value is written in place": turn_the_start,
    "a joint is replaced": replace_the_joint,
    "a marker is moved in place": shift_the_joint,
    "an inertia is written in place": lambda m: m.bodies["lower"].properties.inertia.__imul__(9.0),
    "a body has another mass": replace_the_body,
    "an attribute of a force is set": stiffen_the_spring,
    "a time function is replaced": steepen_the_table,
    "a velocity is written in place": lambda m: m.bodies["upper"].velocity.__setitem__(2, 1.0),
}


@pytest.fixture
def assembled(monkeypatch):
    """The models that were assembled, in turn."""
    found, real = [], kept.prepare

    def prepare(model, *arguments, **options):
        found.append(model.name)
        return real(model, *arguments, **options)

    monkeypatch.setattr(kept, "prepare", prepare)
    return found


def ran(m, **options):
    return kt.simulate(m, 0.3, **options)


def test_an_unchanged_model_is_assembled_once_with_the_same_bits(assembled):
    m = arm()
    first, second, third = ran(m), ran(m), ran(m, rtol=1e-5)
    assert assembled == ["arm"]
    assert_array_equal(first.y, second.y)
    assert_array_equal(first.vdot, second.vdot)
    assert not np.array_equal(first.y, third.y)


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_after_a_change_the_model_is_assembled_anew(change, assembled):
    m, fresh = arm(), arm()
    before = ran(m)
    change(m), change(fresh)
    after, expected = ran(m), ran(fresh)
    assert assembled == ["arm"] * 3
    assert_array_equal(after.y, expected.y)
    assert after.y.shape != before.y.shape or not np.array_equal(after.y, before.y)


def test_a_change_that_is_undone_finds_the_assembly_of_before(assembled):
    m = arm()
    ran(m)
    m.gravity[2] = -1.62
    ran(m)
    m.gravity[2] = -9.81
    ran(m)
    assert assembled == ["arm"] * 2


@pytest.mark.parametrize("options", [{"t0": 0.1}, {"coordinates": "cartesian"}, {"slack": 1e-3}])
def test_other_arguments_assemble_anew(options, assembled):
    m = arm()
    ran(m), ran(m, **options)
    assert len(assembled) == 2


def led(angle):
    """A rod held at an angle that a function of the user returns."""
    m = kt.Model("led")
    rod = m.body("rod", kt.rod(mass=1.0, length=0.5, along="x"))
    m.joint("A", kt.Revolute("y"), m.ground, rod.end("-"))
    m.constraint("hold", kt.Driver("A.angle", angle))
    return m


class Holder:
    angle = HELD

    def __call__(self, t):
        return self.angle


offset = HELD


def from_module(t):
    return offset + 0.0 * t


def test_a_dict_that_a_function_captures_may_change():
    box = {"angle": HELD}
    m = led(lambda t: box["angle"] + 0.0 * t)
    assert ran(m)["A.angle"][0] == pytest.approx(HELD)
    box["angle"] = 0.5
    assert ran(m)["A.angle"][0] == pytest.approx(0.5)


def test_an_attribute_of_an_object_that_is_called_may_change():
    holder = Holder()
    m = led(holder)
    assert ran(m)["A.angle"][0] == pytest.approx(HELD)
    holder.angle = 0.5
    assert ran(m)["A.angle"][0] == pytest.approx(0.5)


def test_a_variable_of_a_module_may_change(monkeypatch):
    m = led(from_module)
    assert ran(m)["A.angle"][0] == pytest.approx(HELD)
    monkeypatch.setitem(globals(), "offset", 0.5)
    assert ran(m)["A.angle"][0] == pytest.approx(0.5)


def test_a_helper_function_may_be_defined_again():
    scope = {}
    exec("def helper(t):\n    return 0.2\ndef angle(t):\n    return helper(t) + 0.0 * t", scope)
    m = led(scope["angle"])
    assert ran(m)["A.angle"][0] == pytest.approx(HELD)
    exec("def helper(t):\n    return 0.5", scope)
    assert ran(m)["A.angle"][0] == pytest.approx(0.5)


def test_a_model_with_user_code_keeps_no_assembly():
    m = led(from_module)
    ran(m)
    assert len(m.kept) == 0


def test_a_class_of_the_user_has_no_digest():
    class Spring(kt.SpringDamper):
        pass

    m = arm()
    m.force("own", Spring(stiffness=1.0, length=0.1), m.ground.at(2, 0, 0), m.bodies["lower"])
    assert kept.digest_of(m) is None and kept.digest_of(arm()) is not None


def test_whoever_changes_the_state_of_a_solution_does_not_change_the_next_run(assembled):
    m = arm()
    first = ran(m)
    expected, named = first.y.copy(), dict(first.assembly.coordinates)
    first.assembly.q[:], first.assembly.v[:] = 9.0, 9.0
    first.assembly.coordinates.clear()
    second = ran(m)
    assert assembled == ["arm"]
    assert_array_equal(second.y, expected)
    assert second.assembly.coordinates == named


def test_whoever_changes_the_model_of_a_solution_does_not_change_the_next_run():
    m = arm()
    first = ran(m)
    expected = first.y.copy()
    first.model.forces.clear()
    second = ran(m)
    assert_array_equal(second.y, expected)
    assert list(second.model.forces) == ["spring", "wind", "motor"]


def test_a_model_keeps_few_assemblies_and_takes_them_with_it():
    m = arm()
    for k in range(5):
        ran(m, t0=0.01 * k)
    assert len(m.kept) == 2
    assert len(pickle.dumps(m)) == len(pickle.dumps(arm()))
    assert len(copy.deepcopy(m).kept) == len(m.snapshot().kept) == len(m.variant().kept) == 0
    gone = weakref.ref(m)
    del m
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize("name", ["four-bar", "rssr", "excavator", "quarter-car", "car"])
def test_built_in_models_have_a_digest(name):
    build = model_entry(name).build
    assert kept.digest_of(build()) == kept.digest_of(build()) is not None


def test_a_part_that_cannot_be_written_is_no_error():
    """The bodies of a variant belong to the model before, here with generated equations in use."""
    m = model_entry("ralf-rigid").build()
    kt.simulate(m, 0.01)
    variant = m.variant(generated=None)
    assert kept.digest_of(m) is None and kt.simulate(variant, 0.01).success


def test_a_large_model_keeps_its_assembly_from_its_second_run_on(assembled):
    m = arm()
    body = m.bodies["lower"]
    for k in range(kept.MANY):
        ball = m.body(f"ball{k}", kt.sphere(mass=0.01, radius=0.01))
        m.joint(f"J{k}", kt.Revolute("y"), body.at(0.05, 0, 0), ball.at(-0.05, 0, 0))
        body = ball
    first, second, third = (kt.simulate(m, 0.01) for _ in range(3))
    assert assembled == ["arm"] * 2
    assert_array_equal(third.y, first.y)
    assert_array_equal(third.y, second.y)
